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
import { ApiError } from "./http/errors/errors.ts";
import { evidenceId, noStore, signAnswer } from "./http/middleware/answer-headers.ts";
import { readAheadCcgToken } from "./http/middleware/ccg-token.ts";
import { readAheadCertificate } from "./http/middleware/certificate.ts";
import { endpoint, knownQuery } from "./http/middleware/endpoint.ts";
import { financialInstitution } from "./http/middleware/financial-institution.ts";
import { ledger } from "./http/middleware/ledger.ts";
import { operatorOrInstitution } from "./http/middleware/operator.ts";
import { rateLimit } from "./http/middleware/rate-limit.ts";
import { contentType, transactionReference, version } from "./http/middleware/request-headers.ts";
import { requestLog } from "./http/middleware/request-log.ts";
import { late } from "./http/steps.ts";
import { explainOutage, NOT_MIGRATED, StoreError } from "./platform/stores.ts";
import { answerPspCheck, readAhead } from "./routes/psp/eidas.ts";

// loaded by the first request for one of their endpoints. A start evaluates the PSP check alone
const access = () => import("./routes/access.ts");
const accountBlock = () => import("./routes/accounts/block.ts");
const accountPermissions = () => import("./routes/accounts/permissions.ts");
const audit = () => import("./routes/audit.ts");
const bodies = () => import("./http/middleware/json-body.ts");
const events = () => import("./routes/events.ts");
const introspection = () => import("./routes/introspect.ts");
const metrics = () => import("./routes/metrics.ts");
const oauth2Codes = () => import("./routes/oauth2/authorization_codes.ts");
const oauth2Tokens = () => import("./routes/oauth2/tokens.ts");
const accountAccessConsents = () => import("./routes/obie/account_access_consents.ts");
const obieCodes = () => import("./routes/obie/authorization_codes.ts");
const ccgTokens = () => import("./routes/obie/ccg_tokens.ts");
const paymentOrderConsents = () => import("./routes/obie/payment_order_consents.ts");
const obieTokens = () => import("./routes/obie/tokens.ts");
const operation = () => import("./routes/operation.ts");
const pspChecks = () => import("./routes/psp/checks.ts");
const pspSignatures = () => import("./routes/psp/signatures.ts");
const site = () => import("./routes/site.ts");
const olderForm = () => import("./routes/v1_6/older-form.ts");
const coreFlow = () => Promise.all([bodies(), oauth2Codes(), oauth2Tokens()]);
const openBankingFlow = () => Promise.all([bodies(), ccgTokens(), obieCodes(), obieTokens()]);

export const app = new HonoBase<AppEnv>({ router: new TrieRouter() });

app.use(async (c, next) => {
  // a step may replace the request
  const { body } = c.req.raw;
  await next();
  // a body that was read whole is locked
  if (body !== null && !body.locked) await (await bodies()).forgetRest(body);
});
app.use(requestLog, signAnswer);
// before the rate limit: its refusals are answers, too
app.use("/v1/*", evidenceId);
app.use(rateLimit);
// static files: in this order, so that `endpoint` answers another method with 405
app.get("/", endpoint, late(site, "answerHome")).all(endpoint);
app.get("/errors", endpoint, late(site, "answerErrors")).all(endpoint);
for (const path of ["/openapi.json", "/openapi.yaml"])
  app.get(path, endpoint, late(site, "answerDocument")).all(endpoint);
for (const path of ["/docs", "/docs/:page", "/errors/:page", "/licenses.txt", "/assets/:file"])
  app.get(path, endpoint, late(site, "answerFile")).all(endpoint);

// loaded by its first request: the API starts without it
app.all("/console", async (c) => (await import("./console/console.ts")).answerConsole(c));
app.all("/console/*", async (c) => (await import("./console/console.ts")).answerConsole(c));

app.use("/v1/*", ledger, endpoint);
const translated = late(olderForm, "olderForm");
app.use("/v1/*", (c, next) => (c.get("endpoint").successor === undefined ? next() : translated(c, next)));
app.use("/v1/psp/eidas", readAhead);
app.use("/v1/oauth2/*", noStore, readAheadCertificate(coreFlow));
app.use("/v1/obie/*", noStore, readAheadCcgToken(openBankingFlow));
app.use("/v1/introspect", noStore, readAheadCertificate(introspection));
app.use("/v1/access", noStore, readAheadCertificate(access));
app.use("/v1/accounts/*", noStore);
app.use("/v1/audit/*", noStore);
app.use("/v1/events", noStore);
app.use("/v1/*", financialInstitution, version, transactionReference, knownQuery, contentType);
const body = late(bodies, "body");
app.use("/v1/*", (c, next) => (c.req.method === "GET" ? next() : body(c, next)));

app.post("/v1/oauth2/authorization_codes", late(oauth2Codes, "createAuthorizationCode"));
app.post("/v1/oauth2/tokens", late(oauth2Tokens, "createToken"));
app.get("/v1/oauth2/tokens/:token", late(oauth2Tokens, "getToken"));
app.delete("/v1/oauth2/tokens/:token", late(oauth2Tokens, "deleteToken"));
app.get("/v1/oauth2/account/:account_id/tokens", late(oauth2Tokens, "listAccountTokens"));

app.post("/v1/obie/ccg_tokens", late(ccgTokens, "createCcgToken"));
app.post("/v1/obie/authorization_codes", late(obieCodes, "createAuthorizationCode"));
app.post("/v1/obie/tokens", late(obieTokens, "createToken"));
app.get("/v1/obie/tokens/:token", late(obieTokens, "getToken"));
app.post("/v1/obie/account_access_consents", late(accountAccessConsents, "createAccountAccessConsent"));
app.get("/v1/obie/account_access_consents/:consent_id", late(accountAccessConsents, "getAccountAccessConsent"));
app.delete("/v1/obie/account_access_consents/:consent_id", late(accountAccessConsents, "deleteAccountAccessConsent"));
app.post("/v1/obie/payment_order_consents", late(paymentOrderConsents, "createPaymentOrderConsent"));
app.get("/v1/obie/payment_order_consents", late(paymentOrderConsents, "listPaymentOrderConsentsOfPsp"));
app.get("/v1/obie/payment_order_consents/:consent_id", late(paymentOrderConsents, "getPaymentOrderConsent"));

app.get("/v1/psp/eidas", answerPspCheck);
app.post("/v1/psp/checks", late(pspChecks, "answerPspChecks"));
app.post("/v1/psp/signatures", late(pspSignatures, "answerSignature"));

app.post("/v1/introspect", late(introspection, "introspectToken"));
app.get("/v1/access", late(access, "answerAccess"));

app.get("/v1/accounts/:account_id/permissions", late(accountPermissions, "listAccountPermissions"));
app.delete("/v1/accounts/:account_id/permissions", late(accountPermissions, "withdrawAccountPermissions"));
app.delete(
  "/v1/accounts/:account_id/permissions/:permission_id",
  late(accountPermissions, "withdrawAccountPermission"),
);
app.get("/v1/accounts/:account_id/block", late(accountBlock, "getAccountBlock"));
app.put("/v1/accounts/:account_id/block", late(accountBlock, "putAccountBlock"));
app.delete("/v1/accounts/:account_id/block", late(accountBlock, "deleteAccountBlock"));

app.get("/v1/audit/head", late(audit, "answerLedgerHead"));
app.get("/v1/audit/head/comparison", late(audit, "compareKeptHead"));
app.get("/v1/audit/records", late(audit, "listRecords"));
app.get("/v1/audit/records/:evidence_id", late(audit, "getRecord"));
app.get("/v1/audit/records/:evidence_id/documents/:sha256", late(audit, "getDocument"));
app.get("/v1/psp/watches", late(events, "answerWatches"));
app.put("/v1/psp/watches/:authorisation_number", late(events, "putWatch"));
app.delete("/v1/psp/watches/:authorisation_number", late(events, "removeWatch"));
app.get("/v1/events", late(events, "answerEvents"));

// what has a successor, and no other line
app.all("/v1/:flow/:noun/:token?", late(olderForm, "answerOlderForm"));

app.use("/health", endpoint);
app.get("/health", late(operation, "answerHealth"));
app.get("/.well-known/jwks.json", endpoint, late(operation, "answerSigningKeys")).all(endpoint);
app.use("/status", endpoint, operatorOrInstitution);
app.get("/status", late(operation, "answerStatus"));

app.get("/metrics", endpoint, late(metrics, "answerMetrics")).all(endpoint);

const isOfConsole = (path: string): boolean => path === "/console" || path.startsWith("/console/");

app.notFound(async (c) => (await site()).answerLost(c));

app.onError(async (error, c) => {
  if (isOfConsole(c.req.path)) return (await import("./console/console.ts")).answerPageError(c, error);
  const { errorResponse } = await import("./http/errors/error-response.ts");
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
