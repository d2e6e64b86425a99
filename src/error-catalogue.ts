/**
 * The error catalogue, in the order of the error reference page. The interface names two codes
 * (`payment_service_invalid`, and OAuth's `invalid_scope` inside a redirect record); the others are defined here and
 * stable. The same mistake has the same code at every endpoint. The parts are in catalogue/, what the error reference says
 * of each code in catalogue/explained/.
 */
import { ACCOUNT_PARAMETERS } from "./catalogue/account-parameters.ts";
import { AUDIT } from "./catalogue/audit.ts";
import { CODE_PARAMETERS } from "./catalogue/code-parameters.ts";
import { CONSENT_PARAMETERS } from "./catalogue/consent-parameters.ts";
import type { CatalogueEntry } from "./catalogue/entry.ts";
import { EVENTS } from "./catalogue/events.ts";
import { GRANTS } from "./catalogue/grants.ts";
import { PAYMENT_PARAMETERS } from "./catalogue/payment-parameters.ts";
import { PSPS } from "./catalogue/psps.ts";
import { REQUESTS } from "./catalogue/requests.ts";
import { SERVICE } from "./catalogue/service.ts";

const CODES = {
  ...REQUESTS,
  ...PSPS,
  ...GRANTS,
  ...CODE_PARAMETERS,
  ...CONSENT_PARAMETERS,
  ...PAYMENT_PARAMETERS,
  ...ACCOUNT_PARAMETERS,
  ...AUDIT,
  ...EVENTS,
  ...SERVICE,
};

export type ErrorCode = keyof typeof CODES;

export const CATALOGUE: ReadonlyMap<ErrorCode, CatalogueEntry> = new Map(
  Object.entries(CODES) as [ErrorCode, CatalogueEntry][],
);

/** The headings of the error reference page, with their codes. */
export const SECTIONS: readonly { readonly heading: string; readonly codes: readonly ErrorCode[] }[] = [
  { heading: "The request", codes: codesOf(REQUESTS) },
  { heading: "The PSP", codes: codesOf(PSPS) },
  { heading: "Codes, tokens and consents", codes: codesOf(GRANTS) },
  { heading: "Parameters of codes and tokens", codes: codesOf(CODE_PARAMETERS) },
  { heading: "Parameters of consents and queries", codes: codesOf(CONSENT_PARAMETERS) },
  { heading: "Parameters of payment orders", codes: codesOf({ ...PAYMENT_PARAMETERS, ...ACCOUNT_PARAMETERS }) },
  { heading: "The ledger", codes: codesOf(AUDIT) },
  { heading: "Watches and events", codes: codesOf(EVENTS) },
  { heading: "The service", codes: codesOf(SERVICE) },
];

function codesOf(entries: object): ErrorCode[] {
  return Object.keys(entries) as ErrorCode[];
}

export const isErrorCode = (text: string): text is ErrorCode => CATALOGUE.has(text as ErrorCode);
