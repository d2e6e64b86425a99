/**
 * The whole error catalogue, in the order of the error reference page. The interface names two codes
 * (`payment_service_invalid`, and OAuth's `invalid_scope` inside a redirect record); the others are defined here and
 * stable. The same mistake has the same code at every endpoint.
 *
 * The texts are long, and the API answers only status and title. What the Worker needs of them it takes from
 * what-is-answered.ts and src/console/remedies.ts, which are computed when it is built (src/cli/build/worker-modules.ts).
 */

import { AUDIT, EVENTS } from "./audit.ts";
import { CODE_PARAMETERS } from "./code-parameters.ts";
import { CONSENT_PARAMETERS } from "./consent-parameters.ts";
import type { CatalogueEntry } from "./entry.ts";
import { GRANTS } from "./grants.ts";
import { PAYMENT_PARAMETERS } from "./payment-parameters.ts";
import { PSPS } from "./psps.ts";
import { REQUESTS, SERVICE } from "./requests.ts";
import { SIGNED_REQUESTS } from "./signed-requests.ts";

export const ENTRIES = {
  ...REQUESTS,
  ...PSPS,
  ...GRANTS,
  ...CODE_PARAMETERS,
  ...CONSENT_PARAMETERS,
  ...PAYMENT_PARAMETERS,
  ...SIGNED_REQUESTS,
  ...AUDIT,
  ...EVENTS,
  ...SERVICE,
};

export type ErrorCode = keyof typeof ENTRIES;

/** The headings of the error reference page, with their codes. */
export const SECTIONS: readonly { readonly heading: string; readonly codes: readonly ErrorCode[] }[] = [
  { heading: "The request", codes: codesOf(REQUESTS) },
  { heading: "The PSP", codes: codesOf(PSPS) },
  { heading: "Codes, tokens and consents", codes: codesOf(GRANTS) },
  { heading: "Parameters of codes and tokens", codes: codesOf(CODE_PARAMETERS) },
  { heading: "Parameters of consents and queries", codes: codesOf(CONSENT_PARAMETERS) },
  { heading: "Parameters of payment orders", codes: codesOf(PAYMENT_PARAMETERS) },
  { heading: "Parameters of signed requests", codes: codesOf(SIGNED_REQUESTS) },
  { heading: "The ledger", codes: codesOf(AUDIT) },
  { heading: "Watches and events", codes: codesOf(EVENTS) },
  { heading: "The service", codes: codesOf(SERVICE) },
];

function codesOf(entries: object): ErrorCode[] {
  return Object.keys(entries) as ErrorCode[];
}

/** Some members of each entry. */
export const pickOfEach = <Member extends keyof CatalogueEntry>(
  ...members: readonly Member[]
): Readonly<Record<ErrorCode, Pick<CatalogueEntry, Member>>> =>
  Object.fromEntries(
    Object.entries(ENTRIES).map(([code, entry]) => [code, Object.fromEntries(members.map((m) => [m, entry[m]]))]),
  ) as Record<ErrorCode, Pick<CatalogueEntry, Member>>;
