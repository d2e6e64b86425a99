/**
 * `tpp_id` and `psd2_role`, which bodies of version 1.6 had to carry. The certificate says both since 1.7, and it alone
 * decides. They may be left out; but a body that names another PSP or another role than its credential is refused: the
 * bank has mixed up two requests.
 */

import { createMiddleware } from "hono/factory";
import * as z from "zod";
import { normaliseAuthorisationNumber } from "../../eidas/authorisation-number.ts";
import type { AppEnv } from "../../http/context.ts";
import { ApiError } from "../../http/errors/errors.ts";
import { validate } from "../../http/middleware/validate.ts";
import { steps } from "../../http/steps.ts";
import { once } from "../../platform/memory.ts";
import { quoteAlways } from "../../platform/quotation.ts";
import { optional, text } from "../../platform/schemas.ts";
import { type Scope, SERVICE_OF_SCOPE } from "../../registers/entitlement.ts";
import { isNot } from "../parameters.ts";

/** What a body says of its PSP. Absent ones are null. */
interface Claims {
  readonly tppId: string | null;
  readonly scope: Scope | null;
}

declare module "hono" {
  interface ContextVariableMap {
    claims: Claims;
  }
}

const MAX_TPP_ID_CHARACTERS = 128;
const SCOPE_OF_ROLE = new Map<unknown, Scope>([
  ["7", "payments"],
  ["8", "accounts"],
]);

const claims = once(() =>
  z.object({
    tpp_id: optional(text(MAX_TPP_ID_CHARACTERS)),
    psd2_role: optional(
      z.preprocess(
        (role) => (typeof role === "number" ? String(role) : role),
        z.enum(["7", "8"], { error: ({ input }) => isNot(input, "7 or 8") }),
      ),
    ),
  }),
);

/** A body of version 1.6 as one of 1.7: the scope in its present word, or that of the role. Throws 400. */
export const translateBody = steps(validate("json", claims), async (c, next) => {
  const body = await c.req.json<object>();
  const { tpp_id, psd2_role } = c.req.valid("json");
  const scope = SCOPE_OF_ROLE.get(psd2_role) ?? null;
  const given: unknown = Reflect.get(body, "scope");
  const named = readScopeWords(given);
  if (scope !== null && (named === "payments" || named === "accounts") && named !== scope) contradict(given);
  c.set("claims", { tppId: tpp_id ?? null, scope });
  const translated = { ...body, ...(named == null ? scope !== null && { scope } : { scope: named }) };
  c.req.json = async <Value>() => translated as Value;
  await next();
});

function contradict(scope: unknown): never {
  const title = `psd2_role contradicts the scope, which is ${quoteAlways(String(scope))}`;
  throw new ApiError({ code: "psd2_role_invalid", title });
}

/** For requests with a CCG token, after its check. Throws 400. */
export const requireClaims = createMiddleware<AppEnv>(async (c, next) => {
  const { pspId, scopes } = c.var.client;
  requireTpp(c.var.claims, pspId);
  const { scope } = c.var.claims;
  if (scope !== null && !scopes.includes(scope)) {
    const services = scopes.map((each) => SERVICE_OF_SCOPE[each]).join(", ");
    throw new ApiError({ code: "psd2_role_invalid", title: `psd2_role is not that of x-ccg-token: ${services}` });
  }
  await next();
});

/** `pspId`: the normal form of the authorisation number that the credential says. */
export function requireTpp({ tppId }: Claims, pspId: string): void {
  if (tppId === null || normaliseAuthorisationNumber(tppId) === pspId) return;
  const title = `tpp_id is ${quoteAlways(tppId)}, but the certificate is of PSP ${pspId}`;
  throw new ApiError({ code: "tpp_id_invalid", title });
}

export const SCOPE_WORDS: Readonly<Record<Scope, string>> = {
  payments: "Payment initiation services",
  accounts: "Account information services",
};

const SCOPES: ReadonlyMap<unknown, Scope> = new Map([
  [SCOPE_WORDS.payments, "payments"],
  [SCOPE_WORDS.accounts, "accounts"],
]);

/** The scope of a description; every other value as it is, for the handler to refuse. */
const readScopeWords = (given: unknown): unknown => SCOPES.get(given) ?? given;
