/**
 * The whole error catalogue, in the order of the error reference page: errors of several resources are beside this file, those of
 * one beside its route. The interface names two codes (`payment_service_invalid`, and OAuth's `invalid_scope` inside a
 * redirect record); the others are defined here and stable. The same mistake has the same code at every endpoint.
 *
 * The texts are long, and the API answers only status and title. What the Worker needs of them it takes from
 * what-is-answered.ts and src/console/remedies.ts, which are computed when it is built (src/cli/build/worker-modules.ts).
 */

import { ACCESS } from "../../routes/access.errors.ts";
import { BLOCK } from "../../routes/accounts/block.errors.ts";
import { PERMISSIONS } from "../../routes/accounts/permissions.errors.ts";
import { AUDIT } from "../../routes/audit.errors.ts";
import { EVENTS } from "../../routes/events.errors.ts";
import { ACCOUNT_ACCESS_CONSENTS } from "../../routes/obie/account_access_consents.errors.ts";
import { PAYMENT_ORDER_CONSENTS } from "../../routes/obie/payment_order_consents.errors.ts";
import { CHECKS } from "../../routes/psp/checks.errors.ts";
import { SIGNATURES } from "../../routes/psp/signatures.errors.ts";
import { FORMS_OF_1_6 } from "../../routes/v1_6/v1_6.errors.ts";
import { CODE_PARAMETERS } from "./code-parameters.ts";
import type { CatalogueEntry } from "./entry.ts";
import { GRANTS } from "./grants.ts";
import { PSPS } from "./psps.ts";
import { REQUESTS, SERVICE } from "./requests.ts";
import { SHARED_PARAMETERS } from "./shared-parameters.ts";

/** By their headings on the error reference page. */
const SECTIONS = {
  "The request": REQUESTS,
  "The PSP": PSPS,
  "Codes, tokens and consents": GRANTS,
  "Parameters of codes and tokens": CODE_PARAMETERS,
  "Parameters of several endpoints": SHARED_PARAMETERS,
  "Account access consents": ACCOUNT_ACCESS_CONSENTS,
  "Payment orders": PAYMENT_ORDER_CONSENTS,
  "Many checks at once": CHECKS,
  "Signed requests": SIGNATURES,
  "Access for a gateway": ACCESS,
  "Permissions of an account": PERMISSIONS,
  "The block of an account": BLOCK,
  "The ledger": AUDIT,
  "Watches and events": EVENTS,
  "Forms of version 1.6": FORMS_OF_1_6,
  "The service": SERVICE,
} as const;

type Sections = typeof SECTIONS;
export type ErrorCode = { readonly [Heading in keyof Sections]: keyof Sections[Heading] }[keyof Sections];

export const ENTRIES = Object.assign({}, ...Object.values(SECTIONS)) as Readonly<Record<ErrorCode, CatalogueEntry>>;

/** The headings of the error reference page, with their codes. */
export const HEADINGS: readonly { readonly heading: string; readonly codes: readonly ErrorCode[] }[] = Object.entries(
  SECTIONS,
).map(([heading, entries]) => ({ heading, codes: Object.keys(entries) as ErrorCode[] }));

/** Some members of each entry. */
export const pickOfEach = <Member extends keyof CatalogueEntry>(
  ...members: readonly Member[]
): Readonly<Record<ErrorCode, Pick<CatalogueEntry, Member>>> =>
  Object.fromEntries(
    Object.entries(ENTRIES).map(([code, entry]) => [code, Object.fromEntries(members.map((m) => [m, entry[m]]))]),
  ) as Record<ErrorCode, Pick<CatalogueEntry, Member>>;
