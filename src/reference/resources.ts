/** All resources: what the reference says of each is beside its route. */
import type * as z from "zod";
import { ACCESS } from "../routes/access.reference.ts";
import { BLOCK } from "../routes/accounts/block.reference.ts";
import { PERMISSIONS } from "../routes/accounts/permissions.reference.ts";
import { AUDIT } from "../routes/audit.reference.ts";
import { AUTHORIZATION } from "../routes/authorization.reference.ts";
import { EVENTS } from "../routes/events.reference.ts";
import { INTROSPECTION } from "../routes/introspect.reference.ts";
import { CORE_CODES } from "../routes/oauth2/authorization_codes.reference.ts";
import { CORE_TOKENS } from "../routes/oauth2/tokens.reference.ts";
import { ACCOUNT_ACCESS_CONSENTS } from "../routes/obie/account_access_consents.reference.ts";
import { OPEN_BANKING_CODES } from "../routes/obie/authorization_codes.reference.ts";
import { CCG_TOKENS } from "../routes/obie/ccg_tokens.reference.ts";
import { PAYMENT_ORDER_CONSENTS } from "../routes/obie/payment_order_consents.reference.ts";
import { OPEN_BANKING_TOKENS } from "../routes/obie/tokens.reference.ts";
import { OPERATION } from "../routes/operation.reference.ts";
import { CHECKS } from "../routes/psp/checks.reference.ts";
import { PSP_CHECK } from "../routes/psp/eidas.reference.ts";
import { SIGNATURES } from "../routes/psp/signatures.reference.ts";
import type { FieldTexts } from "./field-texts.ts";
import type { OpenApiHeader } from "./open-api.ts";
import type { Operation, Resource } from "./operation.ts";

const RESOURCES: readonly Resource[] = [
  AUTHORIZATION,
  CORE_CODES,
  CORE_TOKENS,
  CCG_TOKENS,
  OPEN_BANKING_CODES,
  OPEN_BANKING_TOKENS,
  ACCOUNT_ACCESS_CONSENTS,
  PAYMENT_ORDER_CONSENTS,
  PSP_CHECK,
  CHECKS,
  SIGNATURES,
  INTROSPECTION,
  ACCESS,
  PERMISSIONS,
  BLOCK,
  AUDIT,
  EVENTS,
  OPERATION,
];

/** Of all resources. Throws if two have the same name. */
function collect<Value>(
  partOf: (resource: Resource) => Readonly<Record<string, Value>> | undefined,
): Record<string, Value> {
  const all = RESOURCES.flatMap((resource) => Object.entries(partOf(resource) ?? {}));
  const names = new Set<string>();
  for (const [name] of all) {
    if (names.has(name)) throw new Error(`two resources have ${name}`);
    names.add(name);
  }
  return Object.fromEntries(all);
}

export const OPERATIONS = collect<Operation>(({ operations }) => operations);
export const REQUESTS = collect<z.ZodType>(({ requests }) => requests);
export const ANSWERS = collect<z.ZodType>(({ answers }) => answers);
export const TEXTS = collect<FieldTexts>(({ texts }) => texts);
export const OWN_HEADERS = collect<OpenApiHeader>(({ headers }) => headers);
