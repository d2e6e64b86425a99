/** What banks do under load, and what has to be said to it. */
import { OTHER_CREDENTIALS, SANDBOX_CREDENTIALS } from "../sandbox-fis.ts";
import { faultOf } from "./certificates.ts";
import { holdAnswer, type KnownToken, type LoadBank, type Request, textAt } from "./load-bank.ts";
import type { Kind } from "./load-slice.ts";

const CHECK = "/v1/psp/eidas?jurisdiction=xx";
const [CODES, TOKENS] = ["/v1/oauth2/authorization_codes", "/v1/oauth2/tokens"];
const CONSENTS = { accounts: "/v1/obie/account_access_consents", payments: "/v1/obie/payment_order_consents" } as const;
const SCOPES = ["accounts", "payments"] as const;
type Scope = (typeof SCOPES)[number];
const INITIATION = {
  ...{ instruction_identification: "ANSM021", end_to_end_identification: "FRESCO.21302.GFX.37" },
  instructed_amount: { amount: "165.88", currency: "EUR" },
  creditor_account: { scheme_name: "IBAN", identification: "XX0700000000000001", name: "Acme Ltd" },
};
const REDIRECT = { redirect_uri: "https://psp.example/callback", state: "af0ifjsldkj" };
/** Of the hour of a token: it is still alive when its answer comes. */
const REMEMBERED_MS = 55 * 60_000;
/** The first answers to the checks of certificates: every later one is the same. */
const FIRST = new Map<number, string>();

/** The verdicts follow from the certificate; the answer to a certificate of the sandbox is known whole. */
async function checkPsp(bank: LoadBank): Promise<void> {
  if (bank.random.chance(0.3)) {
    const { eidas, jurisdiction, answer } = bank.one(bank.task.scenarios);
    const request = [
      "GET",
      `/v1/psp/eidas?jurisdiction=${jurisdiction}`,
      { headers: { eidas, version: "1" } },
    ] as const;
    await bank.ask(request, 200, { "": answer });
    return;
  }
  const index = bank.random.below(bank.task.leaves.length);
  const fault = faultOf(index);
  const version = bank.one(["1", "1", "1", "1", "latest"]);
  const headers = { eidas: bank.task.leaves[index], version };
  const body = await bank.ask(["GET", CHECK, { headers }], 200, {
    "eIDAS.validity": {
      validQTSP: fault !== "unlisted",
      validSignature: fault !== "unlisted" && fault !== "expired",
      notRevoked: fault === null,
      notExpired: fault !== "expired",
    },
    ...(version === "latest" && { "decision.accounts.allowed": fault === null }),
  });
  if (version === "latest") return;
  const text = JSON.stringify(body);
  if ((FIRST.get(index) ?? text) !== text) throw new Error(`certificate ${index} has another answer: ${text}`);
  FIRST.set(index, text);
}

// the core flow

/** Answers the exchange of the new code, with what is changed in it. */
async function issueCode(bank: LoadBank, account: string, scope: string) {
  const headers = { eidas: bank.eidas() };
  const query = { response_type: "code", scope, ...REDIRECT };
  const body = { account_id: account, client_request_query_parameters: query };
  const fields = { "data.redirect_uri.parameters.state": REDIRECT.state };
  const issued = await bank.ask(["POST", CODES, { headers, body }], 201, fields);
  const code = textAt(issued, "data.redirect_uri.parameters.code");
  return ({ account_id = account, redirect_uri = REDIRECT.redirect_uri } = {}): Request => {
    const exchange = { grant_type: "authorization_code", code, redirect_uri };
    return ["POST", TOKENS, { headers, body: { account_id, client_request_query_parameters: exchange } }];
  };
}

function know(body: unknown, account: string, scope: string, openBanking = false): KnownToken {
  const text = textAt(body, "data.access_token");
  return { ...{ text, account, scope, openBanking }, active: true, forgottenAt: performance.now() + REMEMBERED_MS };
}

async function readRecord(bank: LoadBank, { text, account, scope, active }: KnownToken): Promise<void> {
  const fields = { "data.token": text, "data.active": active, "data.account_id": account, "data.scope": scope };
  await bank.ask(["GET", `${TOKENS}/${text}`], 200, fields);
}

/** The account is new: its list has the one token. */
async function runCoreFlow(bank: LoadBank): Promise<void> {
  const [account, scope] = [bank.name("account"), bank.one(SCOPES)];
  const redeem = await issueCode(bank, account, scope);
  const token = know(await bank.ask(redeem(), 201, { "data.scope": scope }), account, scope);
  const list = { "data.length": 1, "data.0.token": token.text, "data.0.active": true };
  await bank.ask(["GET", `/v1/oauth2/account/${account}/tokens`], 200, list);
  if (bank.random.chance(0.25)) {
    await bank.ask(["DELETE", `${TOKENS}/${token.text}`], 204);
    token.active = false;
    await readRecord(bank, token);
  }
  bank.remember(token);
}

// open banking

async function obtainCcg(bank: LoadBank, scope: string): Promise<{ ccg_token: string }> {
  const body = { eIDAS: bank.eidas(), scope };
  const made = await bank.ask(["POST", "/v1/obie/ccg_tokens", { body }], 201, { scope, active: true });
  return { ccg_token: textAt(made, "access_token") };
}

async function createConsent(bank: LoadBank, headers: { ccg_token: string }, scope: Scope): Promise<string> {
  const permissions = ["ReadAccountsBasic", "ReadBalances"];
  const data = scope === "accounts" ? { permissions } : { initiation: INITIATION };
  const sent = Object.fromEntries(Object.entries(data).map(([name, value]) => [`data.${name}`, value]));
  const fields = { ...sent, "data.status": "AwaitingAuthorisation" };
  const created = await bank.ask(["POST", CONSENTS[scope], { headers, body: { data } }], 201, fields);
  return `${CONSENTS[scope]}/${textAt(created, "data.consent_id")}`;
}

async function runOpenBankingFlow(bank: LoadBank): Promise<void> {
  const [account, scope] = [bank.name("account"), bank.one(SCOPES)];
  const headers = await obtainCcg(bank, scope);
  const path = await createConsent(bank, headers, scope);
  const consent_id = path.split("/").at(-1);
  const request = { consent_id, psu_account_id: account, scope, ...REDIRECT };
  const issued = await bank.ask(["POST", "/v1/obie/authorization_codes", { headers, body: request }], 201);
  await bank.ask(["GET", path, { headers }], 200, { "data.status": "Authorised" });
  const auth_code = textAt(issued, "data.redirect_uri.parameters.code");
  const exchange = { auth_code, redirect_uri: REDIRECT.redirect_uri };
  const redeemed = await bank.ask(["POST", "/v1/obie/tokens", { headers, body: exchange }], 201);
  if (scope === "payments") await bank.ask(["GET", path, { headers }], 200, { "data.status": "Consumed" });
  const token = know(redeemed, account, scope, true);
  const fields = { active: true, scope, account_id: account, consent_id, "psp.decision.allowed": true };
  await bank.ask(["POST", "/v1/introspect", { body: { token: token.text } }], 200, fields);
  bank.remember(token);
}

/** A payment order consent has no DELETE. */
async function useConsent(bank: LoadBank): Promise<void> {
  const scope = bank.one(SCOPES);
  const headers = await obtainCcg(bank, scope);
  const path = await createConsent(bank, headers, scope);
  await bank.ask(["GET", path, { headers }], 200, { "data.status": "AwaitingAuthorisation" });
  if (scope === "payments") return;
  await bank.ask(["DELETE", path, { headers }], 204);
  await bank.ask(["GET", path, { headers }], "404 consent_not_found");
}

async function askForToken(bank: LoadBank): Promise<void> {
  while ((bank.tokens[0]?.forgottenAt ?? Infinity) < performance.now()) bank.tokens.shift();
  if (bank.tokens.length === 0) await runCoreFlow(bank);
  const token = bank.one(bank.tokens);
  if (!token.openBanking || bank.random.chance(0.5)) return readRecord(bank, token);
  const fields = { "data.access_token": token.text, "data.active": token.active };
  await bank.ask(
    ["GET", `/v1/obie/tokens/${token.text}`, { headers: await obtainCcg(bank, token.scope) }],
    200,
    fields,
  );
}

// what nobody should send, and somebody will

async function attack(bank: LoadBank): Promise<void> {
  const garbage = (bytes: number) =>
    Buffer.from(Array.from({ length: bytes }, () => bank.random.below(256))).toString("base64url");
  const eidas = bank.eidas();
  const check = (headers: Record<string, string | undefined>, path = CHECK): Request => [
    ...(["GET", path] as const),
    { headers: { eidas, ...headers } },
  ];
  const codes = (body: unknown): Request => [
    ...(["POST", CODES] as const),
    { headers: { eidas, "Content-Type": "application/json" }, body },
  ];
  const { fiReferenceId } = bank.number % 2 === 0 ? OTHER_CREDENTIALS : SANDBOX_CREDENTIALS;
  const foreign = { headers: { ccg_token: `load.${garbage(180)}` }, body: { auth_code: garbage(60), ...REDIRECT } };
  const requests: readonly (readonly [Request, string])[] = [
    [check({ Authorization: undefined }), "401 credentials_missing"],
    [check({ Authorization: `Basic ${btoa(`sandbox-fi:${garbage(32)}`)}` }), "401 credentials_invalid"],
    [check({ fi_reference_id: fiReferenceId }), "401 fi_reference_id_invalid"],
    [check({ version: undefined }), "404 version_missing"],
    [check({ eidas: `////${garbage(700)}` }), "404 certificate_unreadable"],
    [check({}, "/v1/psp/eidas?jurisdiction=QQQ"), "404 jurisdiction_invalid"],
    [check({}, `${CHECK}&jurisdiction=XY`), "404 jurisdiction_invalid"],
    [check({}, "/v1/psp/eidass"), "404 path_not_found"],
    [["PUT", CODES], "405 method_not_allowed"],
    [codes('{"account_id": "a", '), "400 body_malformed"],
    [codes({ account_id: garbage(100), filler: "x".repeat(70_000) }), "400 body_too_large"],
    [["GET", `${TOKENS}/load.${garbage(24)}.${garbage(32)}`], "404 token_not_found"],
    [["POST", "/v1/obie/tokens", foreign], "401 ccg_token_invalid"],
  ];
  await bank.one([
    ...requests.map(
      ([request, error]) =>
        () =>
          bank.ask(request, error),
    ),
    () => {
      const validity = { validQTSP: false, validSignature: false, notRevoked: false, notExpired: true };
      return bank.ask(check({ eidas: bank.eidas(true) }), 200, { "eIDAS.validity": validity });
    },
    () => replayCode(bank, false),
    () => replayCode(bank, true),
    () => misuseCode(bank),
    () => stealToken(bank),
  ])();
}

/** A code is used again, afterwards or at the same instant: one wins, and its token is revoked, too. */
async function replayCode(bank: LoadBank, atOnce: boolean): Promise<void> {
  const account = bank.name("account");
  const request = (await issueCode(bank, account, "accounts"))();
  const send = () => bank.exchange(request);
  const answers = atOnce ? await Promise.all([send(), send()]) : [await send(), await send()];
  const [won, lost] = answers.toSorted((a, b) => a.status - b.status);
  holdAnswer(lost, "403 code_used");
  await readRecord(bank, { ...know(holdAnswer(won, 201), account, "accounts"), active: false });
}

/** The other institution, another redirect URI, another account: each is refused, and the code still works. */
async function misuseCode(bank: LoadBank): Promise<void> {
  const redeem = await issueCode(bank, bank.name("account"), "accounts");
  await bank.one([
    () => bank.ask(redeem(), "403 code_unknown", {}, true),
    () => bank.ask(redeem({ redirect_uri: `${REDIRECT.redirect_uri}x` }), "403 redirect_uri_mismatch"),
    () => bank.ask(redeem({ account_id: bank.name("account") }), "403 account_id_mismatch"),
  ])();
  await bank.ask(redeem(), 201);
}

/** The other institution learns nothing of a token, nor may it end it. */
async function stealToken(bank: LoadBank): Promise<void> {
  const account = bank.name("account");
  const token = know(await bank.ask((await issueCode(bank, account, "accounts"))(), 201), account, "accounts");
  await bank.ask([bank.one(["GET", "DELETE"]), `${TOKENS}/${token.text}`], "404 token_not_found", {}, true);
  await readRecord(bank, token);
}

/** 8 KB that nobody has sent before: a forged certificate with those of others behind it, or what is no certificate. */
export async function sendLargeHeader(bank: LoadBank): Promise<void> {
  const chain = [Buffer.from(bank.eidas(true), "base64")];
  while (Buffer.concat(chain).length < 6_000) chain.push(Buffer.from(bank.eidas(), "base64"));
  const isNone = bank.random.chance(0.5);
  const eidas = Buffer.concat([...(isNone ? [Buffer.alloc(3, 0xff)] : []), ...chain]).toString("base64");
  const fields = isNone ? {} : { "eIDAS.validity.validSignature": false };
  await bank.ask(["GET", CHECK, { headers: { eidas } }], isNone ? "404 certificate_unreadable" : 200, fields);
}

export const ACTIONS: Readonly<Record<Kind, (bank: LoadBank) => Promise<void>>> = {
  "PSP check": checkPsp,
  "token information": askForToken,
  "code-to-token flow": (bank) => (bank.random.chance(0.5) ? runCoreFlow(bank) : runOpenBankingFlow(bank)),
  consent: useConsent,
  "hostile input": attack,
};
