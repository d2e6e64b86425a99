/** The explanations of catalogue/account-parameters.ts. */
import type { ACCOUNT_PARAMETERS } from "../account-parameters.ts";
import type { Explanations } from "./explanation.ts";

export const ACCOUNT_PARAMETERS_EXPLAINED: Explanations<typeof ACCOUNT_PARAMETERS> = {
  creditor_account_missing: {
    rule: "A payment order names the account that is credited.",
    cause: "Only the debtor's account was sent.",
    cure: "Send the payee's account. The debtor's account is optional: without it the PSU chooses one.",
    example: '{"creditor_account": {"scheme_name": "IBAN", ...}, ...}',
    retry: "never",
    whose: "psp",
  },
  creditor_account_invalid: {
    rule: "The payee's account is an object with scheme_name, identification and name.",
    cause: "The IBAN was sent as a string instead of an object.",
    cure: "Put the IBAN into identification, and IBAN into scheme_name.",
    example: '"creditor_account": {"scheme_name": "IBAN", "identification": "FI2112345600000785", "name": "Acme Ltd"}',
    retry: "never",
    whose: "psp",
  },
  debtor_account_invalid: {
    rule: "The payer's account is an object with scheme_name and identification; name is optional. The account itself is optional, too.",
    cause: "A string was sent, or false to mean no account.",
    cure: "Omit the member, or send null, if the PSU chooses the account.",
    example: '"debtor_account": {"scheme_name": "IBAN", "identification": "FI2112345600000785"}',
    retry: "never",
    whose: "psp",
  },
  scheme_name_missing: {
    rule: "Each account names the scheme of its identification.",
    cause: "The client assumes that all accounts have an IBAN.",
    cure: "Send IBAN, or the bank's name for its own account numbers.",
    example: '{"scheme_name": "IBAN", "identification": "FI2112345600000785", ...}',
    retry: "never",
    whose: "psp",
  },
  scheme_name_invalid: {
    rule: "The scheme's name has 1 to 40 characters. Each bank documents the names that it supports.",
    cause: "It is empty, or a list of schemes was sent.",
    cure: "Send one scheme for each account.",
    example: '"scheme_name": "IBAN"',
    retry: "never",
    whose: "psp",
  },
  identification_missing: {
    rule: "Each account has its number in identification. Each account without it is a separate error.",
    cause: "The number was sent under another name, such as iban. The title names the account.",
    cure: "Rename it to identification.",
    example: '{"identification": "FI2112345600000785", "scheme_name": "IBAN", ...}',
    retry: "never",
    whose: "psp",
  },
  identification_invalid: {
    rule: "An account's number is a string of 1 to 256 characters.",
    cause: "A JSON number was sent, which loses leading zeros.",
    cure: "Send the digits as a string.",
    example: '"identification": "FI2112345600000785"',
    retry: "never",
    whose: "psp",
  },
  name_missing: {
    rule: "The payee's account has the name of its holder.",
    cause: "The PSP knows only the account's number.",
    cure: "Ask the payee for the name of the account's holder.",
    example: '{"name": "Acme Ltd", "scheme_name": "IBAN", ...}',
    retry: "never",
    whose: "psp",
  },
  name_invalid: {
    rule: "A holder's name is a string of at most 350 characters, without control characters.",
    cause: "An object of first and last name was sent, or an address with line breaks was appended.",
    cure: "Send the full name on one line.",
    example: '"name": "Acme Ltd"',
    retry: "never",
    whose: "psp",
  },
};
