/** What is said of a signed request, beside the check of the certificate that signed. */
import * as z from "zod";
import { digest, instant, list } from "../../http/answer-fields.ts";
import { ISSUER_COMPARISONS } from "../../psp-check/signed-request/issuer.ts";
import { SIGNATURE_PROBLEMS, type SignatureProblemCode } from "../../psp-check/signed-request/problems.ts";
import { PARTS, PROFILES } from "../../psp-check/signed-request/request.ts";
import { pspCheck, pspCheckLatest } from "./eidas.answer.ts";

const signature = z.object({
  profile: z.enum(PROFILES).nullable(),
  covered: list(z.string()),
  created: instant.nullable(),
  verified: z.boolean(),
  sha256: digest.nullable(),
  problems: list(
    z.object({ code: z.enum(Object.keys(SIGNATURE_PROBLEMS) as SignatureProblemCode[]), message: z.string() }),
  ),
});
const signatureLatest = signature.extend({
  binds: list(z.enum(PARTS)),
  issuer: z.enum(ISSUER_COMPARISONS).nullable(),
});
/** With version 1 a handler leaves out `binds` and `issuer`. */
export type SignatureAnswer = z.output<typeof signature> &
  Partial<Pick<z.output<typeof signatureLatest>, "binds" | "issuer">>;

/** Without a certificate there is nothing to check, and of the check nothing is answered. */
export const signatureCheck = pspCheck.partial().extend({ signature }).meta({ id: "SignatureCheck" });
export const signatureCheckLatest = pspCheckLatest
  .partial()
  .extend({ signature: signatureLatest })
  .meta({ id: "SignatureCheckLatest" });
