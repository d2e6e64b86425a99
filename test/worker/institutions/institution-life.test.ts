/** The life of an institution and its credentials, as requests meet it: also where an isolate remembers another state. */
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { readBelongings, removeInstitution, unlinkCredential } from "../../../src/cli/institution/changes.ts";
import {
  insertFinancialInstitution,
  linkCredential,
  listFinancialInstitutions,
  rotateCredential,
} from "../../../src/institutions/financial-institutions.ts";
import { setInstitutionStatus } from "../../../src/institutions/institution-placement.ts";
import { hashSecret, makeSecret } from "../../../src/platform/secrets.ts";
import {
  call,
  createAccountConsent,
  obieCodeRequest,
  obtainCcgToken,
  obtainCode,
  obtainToken,
  tokenRequest,
} from "../bank.ts";
import { eidasHeader, loadSandbox } from "../sandbox.ts";

beforeAll(loadSandbox);
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

interface Bank {
  readonly reference: string;
  readonly clientId: string;
  readonly headers: Record<string, string>;
}
const headersOf = (reference: string, clientId: string, secret: string) => ({
  Authorization: `Basic ${btoa(`${clientId}:${secret}`)}`,
  fi_reference_id: reference,
});

let banks = 0;
async function addBank(): Promise<Bank> {
  const [reference, clientId, secret] = [`PSDXX-TEST-LIFE${++banks}`, `life-${banks}`, makeSecret()];
  const row = { name: `Bank ${banks}`, fiReferenceId: reference, clientId, now: Date.now() };
  await insertFinancialInstitution(env.DB, { ...row, secretHash: hashSecret(secret) });
  return { reference, clientId, headers: headersOf(reference, clientId, secret) };
}
const TOKENS_OF = "/v1/oauth2/account/somebody/tokens";
const statusFor = async (headers: Record<string, string>) => (await call("GET", TOKENS_OF, { headers })).status;
const redeem = (code: string, headers: Record<string, string>) =>
  call("POST", "/v1/oauth2/tokens", {
    headers: { eidas: eidasHeader("scenario-1"), ...headers },
    body: tokenRequest(code, "somebody"),
  });
const rowsOf = async (table: string, id: number) =>
  (await env.DB.prepare(`SELECT count(*) AS rows FROM ${table} WHERE fi_id = ?1`).bind(id).first<{ rows: number }>())
    ?.rows;
const idOf = async ({ reference }: Bank) => (await readBelongings(env, reference, Date.now()))?.id ?? 0;

describe("a rotation that overlaps", () => {
  const HOUR = 3_600_000;

  test("has two secrets, until the old one's end to the millisecond, also where an isolate remembers it", async () => {
    const bank = await addBank();
    const began = Date.now();
    const secret = makeSecret();
    const until = began + HOUR;
    await rotateCredential(env.DB, bank.clientId, hashSecret(secret), { now: began, overlapUntil: until });
    const renewed = headersOf(bank.reference, bank.clientId, secret);
    expect([await statusFor(bank.headers), await statusFor(renewed)]).toEqual([200, 200]);
    vi.setSystemTime(until - 1);
    expect([await statusFor(bank.headers), await statusFor(renewed)]).toEqual([200, 200]);
    vi.setSystemTime(until);
    expect([await statusFor(bank.headers), await statusFor(renewed)]).toEqual([401, 200]);
  });

  test("and one that follows before its end: the oldest secret is none any more", async () => {
    const bank = await addBank();
    const secrets = [makeSecret(), makeSecret()];
    for (const secret of secrets) {
      const times = { now: Date.now(), overlapUntil: Date.now() + HOUR };
      await rotateCredential(env.DB, bank.clientId, hashSecret(secret), times);
    }
    const [second, third] = secrets.map((secret) => headersOf(bank.reference, bank.clientId, secret));
    expect([await statusFor(bank.headers), await statusFor(second ?? {}), await statusFor(third ?? {})]).toEqual([
      401, 200, 200,
    ]);
  });

  test("without an overlap the old secret is none any more", async () => {
    const bank = await addBank();
    const times = { now: Date.now(), overlapUntil: null };
    await rotateCredential(env.DB, bank.clientId, hashSecret(makeSecret()), times);
    expect(await statusFor(bank.headers)).toBe(401);
  });
});

describe("an institution that was disabled while the isolate remembers its credentials", () => {
  test("gets no token for a code that it has, and enabled again goes on", async () => {
    const bank = await addBank();
    const code = await obtainCode("somebody", bank.headers);
    await setInstitutionStatus(env, bank.reference, "disabled");
    const refused = await redeem(code, bank.headers);
    expect([refused.status, refused.body.errors[0].code]).toEqual([401, "credentials_invalid"]);
    expect(refused.headers.get("WWW-Authenticate")).toMatch(/^Basic /);
    expect(await readBelongings(env, bank.reference, Date.now())).toMatchObject({ liveTokens: 0 });
    // from then on the isolate does not remember them
    expect(await statusFor(bank.headers)).toBe(401);
    await setInstitutionStatus(env, bank.reference, "active");
    expect((await redeem(code, bank.headers)).status).toBe(201);
  });

  test("is refused everything after a minute", async () => {
    const bank = await addBank();
    expect(await statusFor(bank.headers)).toBe(200);
    await setInstitutionStatus(env, bank.reference, "disabled");
    vi.setSystemTime(Date.now() + 60_000);
    expect(await statusFor(bank.headers)).toBe(401);
  });

  test("still has its tokens revoked when a code is replayed", async () => {
    const bank = await addBank();
    const code = await obtainCode("somebody", bank.headers);
    const { body } = await redeem(code, bank.headers);
    await setInstitutionStatus(env, bank.reference, "disabled");
    expect((await redeem(code, bank.headers)).body.errors[0].code).toBe("code_used");
    await setInstitutionStatus(env, bank.reference, "active");
    const token = await call("GET", `/v1/oauth2/tokens/${body.data.access_token}`, { headers: bank.headers });
    expect(token.body.data.active).toBe(false);
  });
});

describe("an institution that is removed", () => {
  test("leaves nothing that could be used, at once, though the isolate remembers its credentials", async () => {
    const bank = await addBank();
    const id = await idOf(bank);
    const token = await obtainToken("somebody", bank.headers);
    const code = await obtainCode("somebody", bank.headers);
    const ccg_token = await obtainCcgToken("accounts", "scenario-1", bank.headers);
    const consent = await createAccountConsent(ccg_token, undefined, bank.headers);
    const asBank = { headers: { ...bank.headers, ccg_token } };
    expect(
      (await call("POST", "/v1/obie/authorization_codes", { ...asBank, body: obieCodeRequest(consent) })).status,
    ).toBe(201);
    expect(await readBelongings(env, bank.reference, Date.now())).toMatchObject({
      ...{ liveTokens: 1, credentials: [bank.clientId], sharedCredentials: [] },
      rows: { tokens: 1, account_access_consents: 1, payment_order_consents: 0 },
    });
    await removeInstitution(env, id, Date.now());

    expect((await call("GET", `/v1/oauth2/tokens/${token}`, { headers: bank.headers })).status).toBe(404);
    expect((await call("GET", `/v1/obie/account_access_consents/${consent}`, asBank)).status).toBe(404);
    const body = { data: { permissions: ["ReadBalances"] } };
    expect((await call("POST", "/v1/obie/account_access_consents", { ...asBank, body })).status).toBe(503);
    expect((await redeem(code, bank.headers)).status).toBe(401);
    for (const table of ["tokens", "account_access_consents", "payment_order_consents", "credential_institutions"])
      expect(await rowsOf(table, id)).toBe(0);
    vi.setSystemTime(Date.now() + 60_000);
    expect(await statusFor(bank.headers)).toBe(401);
  });

  test("its id and so its codes and CCG tokens are nobody else's, not even of the next one of its reference", async () => {
    const bank = await addBank();
    const id = await idOf(bank);
    const code = await obtainCode("somebody", bank.headers);
    const ccg_token = await obtainCcgToken("accounts", "scenario-1", bank.headers);
    await removeInstitution(env, id, Date.now());
    const row = { name: "Next", fiReferenceId: bank.reference, clientId: "next", now: Date.now() };
    await insertFinancialInstitution(env.DB, { ...row, secretHash: hashSecret("next-secret") });
    const headers = headersOf(bank.reference, "next", "next-secret");
    expect(await idOf(bank)).toBeGreaterThan(id);
    expect((await redeem(code, headers)).body.errors[0].code).toBe("code_unknown");
    const list = await call("GET", "/v1/obie/payment_order_consents", { headers: { ...headers, ccg_token } });
    expect(list.status).toBe(401);
  });

  test("a credential that speaks for others, too, stays and speaks for them", async () => {
    const [bank, other] = [await addBank(), await addBank()];
    await linkCredential(env.DB, {
      ...{ fiReferenceId: bank.reference, clientId: other.clientId },
      secretHash: null,
      now: 0,
    });
    expect(await statusFor({ ...other.headers, fi_reference_id: bank.reference })).toBe(200);
    await removeInstitution(env, await idOf(bank), Date.now());
    vi.setSystemTime(Date.now() + 60_000);
    expect(await statusFor(other.headers)).toBe(200);
    expect(await statusFor({ ...other.headers, fi_reference_id: bank.reference })).toBe(401);
  });

  test("interrupted after its credentials are gone, the same removal finishes it", async () => {
    const bank = await addBank();
    const id = await idOf(bank);
    await obtainToken("somebody", bank.headers);
    const interrupt = () => {
      throw new Error("interrupted");
    };
    await expect(removeInstitution(env, id, Date.now(), interrupt)).rejects.toThrow("interrupted");
    const found = (await listFinancialInstitutions(env.DB)).find((row) => row.id === id);
    expect(found).toMatchObject({ status: "disabled", client_ids: null });
    await removeInstitution(env, id, Date.now());
    expect(await readBelongings(env, bank.reference, Date.now())).toBeNull();
  });

  test("no table that belongs to an institution is forgotten", async () => {
    const { results } = await env.DB.prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%REFERENCES financial_institutions%'",
    ).all<{ name: string }>();
    const bank = await addBank();
    const { rows } = (await readBelongings(env, bank.reference, 0)) ?? { rows: {} };
    expect(results.map(({ name }) => name).sort()).toEqual([...Object.keys(rows), "credential_institutions"].sort());
  });
});

describe("a credential that is unlinked", () => {
  test("of one institution of two speaks for the other only; the last one goes with the credential, if that is said", async () => {
    const [bank, other] = [await addBank(), await addBank()];
    const link = { fiReferenceId: other.reference, clientId: bank.clientId };
    await linkCredential(env.DB, { ...link, secretHash: null, now: 0 });
    expect(await unlinkCredential(env.DB, link, false)).toEqual({ ok: true, credentialDeleted: false });
    expect(await statusFor({ ...bank.headers, fi_reference_id: other.reference })).toBe(401);
    expect(await unlinkCredential(env.DB, link, true)).toEqual({ ok: false, reason: "not linked" });
    const last = { fiReferenceId: bank.reference, clientId: bank.clientId };
    expect(await unlinkCredential(env.DB, last, false)).toEqual({ ok: false, reason: "last institution" });
    expect(await statusFor(bank.headers)).toBe(200);
    expect(await unlinkCredential(env.DB, last, true)).toEqual({ ok: true, credentialDeleted: true });
    vi.setSystemTime(Date.now() + 60_000);
    expect(await statusFor(bank.headers)).toBe(401);
  });
});
