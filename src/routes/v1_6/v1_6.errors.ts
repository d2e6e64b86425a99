/** Errors of the forms of version 1.6. */
import { table } from "../../http/errors/entry.ts";

export const FORMS_OF_1_6 = table("caller", {
  tpp_id_invalid: {
    title: "tpp_id is not the PSP of the certificate",
    rule: "In the forms of version 1.6 tpp_id may be left out. If it is sent, it is the authorisation number on the certificate, or of the CCG token.",
    cause: "The requests of two PSPs were mixed up, or tpp_id is an identifier of the bank's own.",
    cure: "Find out which PSP the request is of before it is sent again. Since version 1.7 only the certificate says it.",
    example: '"tpp_id": "PSDXX-TEST-000001"',
  },
  psd2_role_invalid: {
    title: "psd2_role is not 7 or 8, or contradicts the scope",
    rule: "In the forms of version 1.6 psd2_role is 7 for payment initiation or 8 for account information, and agrees with the scope.",
    cause: "The scope and the role were set in different places, or the role is a name such as PSP_AI.",
    cure: "Send both of one service, or the scope alone.",
    example: '"psd2_role": "8", "scope": "Account information services"',
  },
});
