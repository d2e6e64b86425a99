/** POST /v1/oauth2/authorization_codes: a redirect record with a code, for the PSP of the header `eidas`. */
import * as z from "zod";
import { issueCode } from "../../grants/codes.ts";
import { noteCoreCode } from "../../grants/core-flow.ts";
import { tokenSecondsOf } from "../../grants/token-lifetimes.ts";
import { certificate } from "../../http/middleware/certificate.ts";
import { type Asking, validate } from "../../http/middleware/validate.ts";
import { steps } from "../../http/steps.ts";
import { databaseOf } from "../../institutions/databases.ts";
import { clock } from "../../platform/clock.ts";
import { answerCode, answerRefusal, BLOCKED, decideScope } from "../authorization.ts";
import { accountId, isNot, isNotObject, requestedRedirectUri, requestedScope, state } from "../parameters.ts";

export const body = ({ native }: Pick<Asking, "native">) =>
  z.object({
    account_id: accountId(),
    client_request_query_parameters: z.object(
      {
        response_type: z.literal("code", { error: ({ input }) => isNot(input, "code") }),
        redirect_uri: requestedRedirectUri(native),
        scope: requestedScope(),
        state: state(),
      },
      { error: isNotObject },
    ),
  });

export const createAuthorizationCode = steps(validate("json", body), certificate, async (c) => {
  const { account_id, client_request_query_parameters: request } = c.req.valid("json");
  const { client, fi, now } = c.var;
  const decision = await decideScope(client, request.scope, now);
  if (!decision.ok) return answerRefusal(c, request, decision);
  c.set("concerns", { accountId: account_id, scopes: [decision.scope] });
  const grant = {
    flow: "oauth2",
    fiId: fi.id,
    pspId: client.pspId,
    redirectUri: request.redirect_uri,
    scope: decision.scope,
    state: request.state ?? null,
    accountId: account_id,
    consentId: null,
  } as const;
  // not `now`: the code's lifetime begins when it is issued
  const issuedAt = clock.now();
  // in parallel: a code that is not handed out does no harm, and its exchange asks for the block again
  const noting = noteCoreCode(databaseOf(c.env, fi), grant, issuedAt);
  const agreedAfter = noting.then((noted) => noted.agreedAfter);
  const [code, { block }] = await Promise.all([
    issueCode(c.env, grant, tokenSecondsOf(c.env, fi, grant.scope), issuedAt, agreedAfter),
    noting,
  ]);
  return block.scopes.includes(grant.scope) ? answerRefusal(c, request, BLOCKED) : answerCode(c, request, code);
});
