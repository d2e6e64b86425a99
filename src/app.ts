/**
 * Every route, and the steps before its handler. All requests: log, signature, rate limit. All endpoints of the interface, in this
 * order: the path and its method, the financial institution, the header `version`, names in the query, `Content-Type`, the
 * body's size and syntax. Reads of the stores may start before the institution is authenticated (http/middleware/financial-institution.ts).
 *
 * The remaining steps are in the files of src/routes/, where an exported array is the steps of one endpoint: validation
 * of its parameters (http/middleware/validate.ts), authentication of the PSP (certificate.ts, ccg-token.ts), then
 * the handler. ccg_tokens.ts, psp/eidas.ts and introspect.ts check the certificate in the handler, because there it is a
 * parameter.
 */
import { HonoBase } from "hono/hono-base";
import { TrieRouter } from "hono/router/trie-router";
import type { AppEnv } from "./http/context.ts";
import { ApiError, errorResponse } from "./http/errors/errors.ts";
import { evidenceId, noStore, signAnswer } from "./http/middleware/answer-headers.ts";
import { readAheadCcgToken } from "./http/middleware/ccg-token.ts";
import { readAheadCertificate } from "./http/middleware/certificate.ts";
import { endpoint, knownQuery } from "./http/middleware/endpoint.ts";
import { financialInstitution } from "./http/middleware/financial-institution.ts";
import { jsonBody, limitBody } from "./http/middleware/json-body.ts";
import { ledger } from "./http/middleware/ledger.ts";
import { operatorOrInstitution } from "./http/middleware/operator.ts";
import { rateLimit } from "./http/middleware/rate-limit.ts";
import { contentType, transactionReference, version } from "./http/middleware/request-headers.ts";
import { requestLog } from "./http/middleware/request-log.ts";
import { explainOutage, NOT_MIGRATED, StoreError } from "./platform/stores.ts";
import * as accountBlock from "./routes/accounts/block.ts";
import * as accountPermissions from "./routes/accounts/permissions.ts";
import * as oauth2Codes from "./routes/oauth2/authorization_codes.ts";
import * as oauth2Tokens from "./routes/oauth2/tokens.ts";
import { listAccountTokens } from "./routes/oauth2/tokens.ts";
import * as accountAccessConsents from "./routes/obie/account_access_consents.ts";
import * as obieCodes from "./routes/obie/authorization_codes.ts";
import { createCcgToken } from "./routes/obie/ccg_tokens.ts";
import * as paymentOrderConsents from "./routes/obie/payment_order_consents.ts";
import * as obieTokens from "./routes/obie/tokens.ts";
import { answerHealth, answerMetrics, answerSigningKeys, answerStatus } from "./routes/operation.ts";
import { answerPspChecks } from "./routes/psp/checks.ts";
import { answerPspCheck, readAhead } from "./routes/psp/eidas.ts";
import { createOlderAuthorizationCode, createOlderCcgToken, createOlderToken } from "./routes/v1_6/grants.ts";
import { olderForm } from "./routes/v1_6/older-form.ts";
import { answerTppCheck, readAheadTpp } from "./routes/v1_6/tpp_eidas.ts";

// Hono's usual router makes one pattern of all paths at the first request: a sixth of its processor time on a new isolate,
// for 3 µs less of each later one
export const app = new HonoBase<AppEnv>({ router: new TrieRouter() });

app.use(requestLog, signAnswer);
// before the rate limit: its refusals are answers, too
app.use("/v1/*", evidenceId);
app.use(rateLimit);
// static files, whose module the first request for one loads: in this order, so that `endpoint` answers another method with 405
const site = () => import("./routes/site.ts");
app.get("/", endpoint, async (c) => (await site()).answerHome(c)).all(endpoint);
app.get("/errors", endpoint, async (c) => (await site()).answerErrors(c)).all(endpoint);
for (const path of ["/openapi.json", "/openapi.yaml"])
  app.get(path, endpoint, async (c) => (await site()).answerDocument(c)).all(endpoint);
for (const path of ["/docs", "/docs/:page", "/licenses.txt", "/assets/:file"])
  app.get(path, endpoint, async (c) => (await site()).answerFile(c)).all(endpoint);

// loaded by its first request: the API starts without it
app.all("/console", async (c) => (await import("./console/console.ts")).answerConsole(c));
app.all("/console/*", async (c) => (await import("./console/console.ts")).answerConsole(c));

app.use("/v1/*", ledger, endpoint);
app.use("/v1/*", olderForm);
app.use("/v1/psp/eidas", readAhead);
app.use("/v1/tpp/eidas", readAheadTpp);
app.use("/v1/oauth2/*", noStore, readAheadCertificate);
app.use("/v1/obie/*", noStore, readAheadCcgToken);
app.use("/v1/introspect", noStore, readAheadCertificate);
app.use("/v1/access", noStore, readAheadCertificate);
app.use("/v1/accounts/*", noStore);
app.use("/v1/audit/*", noStore);
app.use("/v1/events", noStore);
app.use("/v1/*", financialInstitution, version, transactionReference, knownQuery, contentType, limitBody, jsonBody);

app.post("/v1/oauth2/authorization_codes", ...oauth2Codes.createAuthorizationCode);
app.post("/v1/oauth2/tokens", ...oauth2Tokens.createToken);
app.get("/v1/oauth2/tokens/:token", oauth2Tokens.getToken);
app.delete("/v1/oauth2/tokens/:token", oauth2Tokens.deleteToken);
app.get("/v1/oauth2/account/:account_id/tokens", ...listAccountTokens);

app.post("/v1/obie/ccg_tokens", ...createCcgToken);
app.post("/v1/obie/authorization_codes", ...obieCodes.createAuthorizationCode);
app.post("/v1/obie/tokens", ...obieTokens.createToken);
app.get("/v1/obie/tokens/:token", ...obieTokens.getToken);
app.post("/v1/obie/account_access_consents", ...accountAccessConsents.createAccountAccessConsent);
app.get("/v1/obie/account_access_consents/:consent_id", ...accountAccessConsents.getAccountAccessConsent);
app.delete("/v1/obie/account_access_consents/:consent_id", ...accountAccessConsents.deleteAccountAccessConsent);
app.post("/v1/obie/payment_order_consents", ...paymentOrderConsents.createPaymentOrderConsent);
app.get("/v1/obie/payment_order_consents", ...paymentOrderConsents.listPaymentOrderConsentsOfPsp);
app.get("/v1/obie/payment_order_consents/:consent_id", ...paymentOrderConsents.getPaymentOrderConsent);

app.get("/v1/psp/eidas", answerPspCheck);
app.post("/v1/psp/checks", ...answerPspChecks);

app.post("/v1/obie/ccg_token", ...createOlderCcgToken);
app.post("/v1/obie/authorization_code", ...createOlderAuthorizationCode);
app.post("/v1/obie/token", ...createOlderToken);
app.get("/v1/obie/token/:token", ...obieTokens.getToken);
app.get("/v1/tpp/eidas", answerTppCheck);

// loaded by the first request for it
app.post("/v1/introspect", async (c) => (await import("./routes/introspect.ts")).introspectToken(c));
app.get("/v1/access", async (c) => (await import("./routes/access.ts")).answerAccess(c));

app.get("/v1/accounts/:account_id/permissions", ...accountPermissions.listAccountPermissions);
app.delete("/v1/accounts/:account_id/permissions", ...accountPermissions.withdrawAccountPermissions);
app.delete("/v1/accounts/:account_id/permissions/:permission_id", ...accountPermissions.withdrawAccountPermission);
app.get("/v1/accounts/:account_id/block", ...accountBlock.getAccountBlock);
app.put("/v1/accounts/:account_id/block", ...accountBlock.putAccountBlock);
app.delete("/v1/accounts/:account_id/block", ...accountBlock.deleteAccountBlock);

// loaded by the first request for them
app.get("/v1/audit/head", async (c) => (await import("./routes/audit.ts")).answerLedgerHead(c));
app.get("/v1/audit/head/comparison", async (c) => (await import("./routes/audit.ts")).compareKeptHead(c));
app.get("/v1/audit/records", async (c) => (await import("./routes/audit.ts")).listRecords(c));
app.get("/v1/audit/records/:evidence_id", async (c) => (await import("./routes/audit.ts")).getRecord(c));
app.get("/v1/audit/records/:evidence_id/documents/:sha256", async (c) =>
  (await import("./routes/audit.ts")).getDocument(c),
);
app.post("/v1/psp/signatures", async (c) => (await import("./routes/psp/signatures.ts")).answerSignature(c));
app.get("/v1/psp/watches", async (c) => (await import("./routes/events.ts")).answerWatches(c));
app.put("/v1/psp/watches/:authorisation_number", async (c) => (await import("./routes/events.ts")).putWatch(c));
app.delete("/v1/psp/watches/:authorisation_number", async (c) => (await import("./routes/events.ts")).removeWatch(c));
app.get("/v1/events", async (c) => (await import("./routes/events.ts")).answerEvents(c));

app.use("/health", endpoint);
app.get("/health", answerHealth);
app.get("/.well-known/jwks.json", endpoint, answerSigningKeys).all(endpoint);
app.use("/status", endpoint, operatorOrInstitution);
app.get("/status", answerStatus);

app.get("/metrics", endpoint, answerMetrics).all(endpoint);

const isOfConsole = (path: string): boolean => path === "/console" || path.startsWith("/console/");

app.notFound(async (c) => (await site()).answerLost(c));

app.onError(async (error, c) => {
  if (isOfConsole(c.req.path)) return (await import("./console/console.ts")).answerPageError(c, error);
  if (error instanceof ApiError) {
    if (error.cause instanceof Error)
      console.error(JSON.stringify({ request_id: c.get("requestId"), error: error.cause.message }));
    return errorResponse(c, error);
  }
  if (error instanceof StoreError) {
    console.error(JSON.stringify({ request_id: c.get("requestId"), error: error.message }));
    const title = error.isUnmigrated ? NOT_MIGRATED : explainOutage(c.get("endpoint")?.outage);
    const problem = { code: "temporarily_unavailable", title } as const;
    return errorResponse(c, new ApiError(problem, { "Retry-After": "1" }));
  }
  // the details are logged, and never in the answer
  console.error(JSON.stringify({ request_id: c.get("requestId"), error: error.message, stack: error.stack }));
  return errorResponse(c, new ApiError({ code: "internal_error" }));
});
