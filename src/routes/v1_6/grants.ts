/**
 * The steps of each form of version 1.6. Its ccg_token takes the certificate in the body, as since 1.7, or in the header
 * `x-eidas`: the interface does not show which. The answer has `tpp_id` and `psd2_role`, and no warning, which 1.7 added.
 */
import { createMiddleware } from "hono/factory";
import type { AppEnv } from "../../http/context.ts";
import { ApiError } from "../../http/errors/errors.ts";
import type { Step } from "../../http/steps.ts";
import type { Scope } from "../../registers/entitlement.ts";
import { createAuthorizationCode } from "../obie/authorization_codes.ts";
import { createCcgToken } from "../obie/ccg_tokens.ts";
import { createToken, getToken } from "../obie/tokens.ts";
import { requireClaims, requireTpp, SCOPE_WORDS, translateBody } from "./claims.ts";
import { answerTppCheck, TPP_CHECK } from "./tpp_eidas.ts";

/** As createCcgToken answers it. */
interface CcgToken {
  readonly psp_id: string;
  readonly access_token: string;
  readonly expires_in: number;
  readonly token_type: string;
  readonly scope: Scope;
  readonly payment_service_number: number;
  readonly active: boolean;
}

const takeHeader = createMiddleware<AppEnv>(async (c, next) => {
  const body: unknown = await c.req.json();
  const header = c.req.header("eidas");
  if (header && typeof body === "object" && body !== null && !Array.isArray(body)) {
    const { eIDAS = header } = body as { eIDAS?: unknown };
    // which of the two is the PSP's is not for this service to guess
    if (eIDAS !== header) {
      const title = "eIDAS and Header eidas are different: send the certificate once";
      throw new ApiError({ code: "certificate_unreadable", status: 400, title });
    }
    c.req.json = async <Value>() => ({ ...body, eIDAS }) as Value;
  }
  await next();
});

const translateAnswer = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  if (c.res.status !== 201) return;
  const { psp_id, access_token, expires_in, token_type, scope, payment_service_number, active } =
    await c.res.json<CcgToken>();
  // nothing was stored for the token, which is not given away
  requireTpp(c.var.claims, psp_id);
  const older = {
    ...{ tpp_id: psp_id, access_token, expires_in, token_type },
    ...{ scope: SCOPE_WORDS[scope], psd2_role: String(payment_service_number), active },
  };
  c.res = c.json(older, 201);
});

const [validateCcg, makeCcgToken] = createCcgToken;
const createOlderCcgToken = [takeHeader, ...translateBody, translateAnswer, validateCcg, makeCcgToken] as const;

// the answers of the other two are those of their successors
const [validateCode, authenticateForCode, makeCode] = createAuthorizationCode;
const createOlderAuthorizationCode = [
  ...translateBody,
  validateCode,
  authenticateForCode,
  requireClaims,
  makeCode,
] as const;

const [validateToken, authenticateForToken, makeToken] = createToken;
const createOlderToken = [...translateBody, validateToken, authenticateForToken, requireClaims, makeToken] as const;

/** The steps of each form, by its path. */
export const OLDER_STEPS: Readonly<Record<string, readonly Step[]>> = {
  "/v1/obie/ccg_token": createOlderCcgToken,
  "/v1/obie/authorization_code": createOlderAuthorizationCode,
  "/v1/obie/token": createOlderToken,
  "/v1/obie/token/{token}": getToken,
  [TPP_CHECK]: [answerTppCheck],
};
