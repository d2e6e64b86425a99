/** The Durable Object and the way to it. The rule itself has its table in test/unit/grants/redemption.test.ts. */
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { giveCodeBack, issueCode, redeemCode } from "../../../src/grants/codes.ts";
import type { CodeRecord, CodeUse } from "../../../src/grants/redemption.ts";

// far ahead: an object's alarm runs by the real clock
const NOW = Date.parse("2090-01-01T00:00:00Z");
const TOKEN_SECONDS = 180 * 86_400;
const TICKET = 1_763_000_000_000;

const GRANT = {
  flow: "oauth2",
  fiId: 1,
  pspId: "PSDXX-TEST-000001",
  redirectUri: "https://psp.example/cb",
  scope: "accounts",
  state: "s",
  accountId: "account-1",
  consentId: null,
} as const satisfies Omit<CodeRecord, "expiresAt">;

const attempt = (change: Partial<CodeUse> = {}): CodeUse => ({
  flow: "oauth2",
  fiId: 1,
  pspId: "PSDXX-TEST-000001",
  redirectUri: "https://psp.example/cb",
  accountId: "account-1",
  scopes: ["accounts"],
  tokenId: crypto.randomUUID(),
  now: NOW + 1,
  ...change,
});

const stubOf = (code: string) => env.AUTHORIZATION_CODE.get(env.AUTHORIZATION_CODE.idFromString(code.slice(0, 64)));

test("a code is exchanged once", async () => {
  const code = await issueCode(env, GRANT, TOKEN_SECONDS, NOW, TICKET);
  expect(await redeemCode(env, code, attempt({ tokenId: "first" }))).toEqual({
    ok: true,
    record: { ...GRANT, expiresAt: NOW + 60_000, agreedAfter: TICKET },
    givenBack: [],
  });
  expect(await redeemCode(env, code, attempt())).toMatchObject({ ok: false, reason: "used", tokenId: "first" });
});

test("of 200 exchanges at the same instant one is granted", async () => {
  const code = await issueCode(env, GRANT, TOKEN_SECONDS, NOW, TICKET);
  const verdicts = await Promise.all(Array.from({ length: 200 }, () => redeemCode(env, code, attempt())));
  expect(verdicts.filter(({ ok }) => ok)).toHaveLength(1);
});

test("of 200 exchanges, half of them after the object was evicted, one is granted", async () => {
  const code = await issueCode(env, GRANT, TOKEN_SECONDS, NOW, TICKET);
  const exchange = () => redeemCode(env, code, attempt());
  const before = await Promise.all(Array.from({ length: 100 }, exchange));
  await evictDurableObject(stubOf(code));
  const after = await Promise.all(Array.from({ length: 100 }, exchange));
  expect([...before, ...after].filter(({ ok }) => ok)).toHaveLength(1);
});

test("a code outlives the eviction of its object", async () => {
  const code = await issueCode(env, GRANT, TOKEN_SECONDS, NOW, TICKET);
  await evictDurableObject(stubOf(code));
  expect(await redeemCode(env, code, attempt())).toMatchObject({ ok: true });
});

test("an exchange whose answer was lost is granted to the same attempt, and to no other", async () => {
  const code = await issueCode(env, GRANT, TOKEN_SECONDS, NOW, TICKET);
  const same = attempt();
  await redeemCode(env, code, same);
  await evictDurableObject(stubOf(code));
  expect(await redeemCode(env, code, same)).toMatchObject({ ok: true });
  expect(await redeemCode(env, code, attempt())).toMatchObject({ ok: false, reason: "used" });
});

test("a code that is given back can be exchanged again, also after the eviction of its object", async () => {
  const code = await issueCode(env, GRANT, TOKEN_SECONDS, NOW, TICKET);
  await redeemCode(env, code, attempt({ tokenId: "first" }));
  await evictDurableObject(stubOf(code));
  for (let time = 0; time < 2; time++) expect(await giveCodeBack(env, code, "first", NOW + 2)).toBe(true);
  await evictDurableObject(stubOf(code));
  expect(await redeemCode(env, code, attempt({ tokenId: "second" }))).toMatchObject({ ok: true, givenBack: ["first"] });
  // late, by the first attempt: the second one's token stays
  expect(await giveCodeBack(env, code, "first", NOW + 3)).toBe(false);
  expect(await redeemCode(env, code, attempt())).toMatchObject({ ok: false, reason: "used", tokenId: "second" });
});

test("of 200 attempts that each give the code back, never two hold it", async () => {
  const code = await issueCode(env, GRANT, TOKEN_SECONDS, NOW, TICKET);
  let holders = 0;
  const most = { held: 0, granted: 0 };
  await Promise.all(
    Array.from({ length: 200 }, async () => {
      const mine = attempt();
      if (!(await redeemCode(env, code, mine)).ok) return;
      most.granted++;
      most.held = Math.max(most.held, ++holders);
      await env.DB.prepare("SELECT 1").first();
      holders--;
      await giveCodeBack(env, code, mine.tokenId, NOW + 2);
    }),
  );
  expect(most.held).toBe(1);
  expect(most.granted).toBeLessThanOrEqual(17);
});

test.each([
  ["expired", (code: string) => code, NOW + 60_000],
  ["unknown", () => `${"0".repeat(64)}.${"A".repeat(43)}`, NOW],
  ["malformed", () => "code", NOW],
  ["with another secret", (code: string) => `${code.slice(0, 65)}${"A".repeat(43)}`, NOW],
])("a code %s is not given back for another exchange", async (_, change, now) => {
  const code = await issueCode(env, GRANT, TOKEN_SECONDS, NOW, TICKET);
  await redeemCode(env, code, attempt({ tokenId: "first" }));
  expect(await giveCodeBack(env, change(code), "first", now)).toBe(false);
});

test("a denied exchange consumes nothing", async () => {
  const code = await issueCode(env, GRANT, TOKEN_SECONDS, NOW, TICKET);
  for (const change of [
    { fiId: 2 },
    { pspId: "PSDXX-TEST-000002" },
    { flow: "obie" as const },
    { redirectUri: "https://psp.example/other" },
    { accountId: "account-2" },
    { scopes: [] },
    { now: NOW + 60_000 },
  ])
    expect(await redeemCode(env, code, attempt(change))).toMatchObject({ ok: false });
  expect(await redeemCode(env, code, attempt({ now: NOW + 59_999 }))).toMatchObject({ ok: true });
});

test("the object keeps neither the secret nor the account, also after the exchange", async () => {
  const code = await issueCode(env, GRANT, TOKEN_SECONDS, NOW, TICKET);
  const [, secret = ""] = code.split(".");
  const stored = await runInDurableObject(stubOf(code), (_, state) => JSON.stringify([...state.storage.kv.list()]));
  expect(stored).toContain(GRANT.pspId);
  expect(stored).not.toContain(secret);
  expect(stored).not.toContain(GRANT.accountId);
  expect(await redeemCode(env, code, attempt())).toMatchObject({ ok: true, record: { accountId: GRANT.accountId } });
  const used = await runInDurableObject(stubOf(code), (_, state) => JSON.stringify([...state.storage.kv.list()]));
  expect(used).not.toContain(GRANT.accountId);
  expect(await redeemCode(env, code, attempt())).toMatchObject({ ok: false, record: { accountId: GRANT.accountId } });
});

test("a code is not exchanged with the ticket of a newer one, nor with any other", async () => {
  const [code, newer] = [
    await issueCode(env, GRANT, TOKEN_SECONDS, NOW, TICKET),
    await issueCode(env, GRANT, TOKEN_SECONDS, NOW, TICKET + 1),
  ];
  const [id, secret, kid, ticket, mac] = code.split(".");
  const [, , , newerTicket, newerMac] = newer.split(".");
  for (const parts of [
    [id, secret, kid, newerTicket, newerMac],
    [id, secret, kid, newerTicket, mac],
    [id, secret, kid, `0${ticket}`, mac],
    [id, secret, "20300101T000000Z", ticket, mac],
    [id, secret],
  ])
    expect(await redeemCode(env, parts.join("."), attempt())).toEqual({ ok: false, reason: "unknown" });
  expect(await redeemCode(env, code, attempt())).toMatchObject({ ok: true, record: { agreedAfter: TICKET } });
});

test("the alarm empties the object when no token of the code can be alive any more", async () => {
  const code = await issueCode(env, GRANT, TOKEN_SECONDS, NOW, TICKET);
  const stub = stubOf(code);
  const due = await runInDurableObject(stub, (_, state) => state.storage.getAlarm());
  expect(due).toBe(NOW + 60_000 + TOKEN_SECONDS * 1000);
  expect(await runDurableObjectAlarm(stub)).toBe(true);
  expect(await redeemCode(env, code, attempt())).toEqual({ ok: false, reason: "unknown" });
  expect(await runInDurableObject(stub, (_, state) => [...state.storage.kv.list()])).toEqual([]);
});

test.each([
  ["empty", () => ""],
  ["made up", () => `${"0".repeat(64)}.${"A".repeat(43)}`],
  ["of another namespace", (code: string) => `${env.RATE_WINDOW.newUniqueId()}${code.slice(64)}`],
  ["without its secret", (code: string) => code.slice(0, 64)],
  ["with another secret", (code: string) => `${code.slice(0, 65)}${"A".repeat(43)}`],
  ["in capitals", (code: string) => code.toUpperCase()],
  ["with data after it", (code: string) => `${code}\n`],
])("a code %s is unknown", async (_, change) => {
  const code = await issueCode(env, GRANT, TOKEN_SECONDS, NOW, TICKET);
  expect(await redeemCode(env, change(code), attempt())).toEqual({ ok: false, reason: "unknown" });
});

test("a call that broke on the way is made once more, as the same attempt", async () => {
  const code = await issueCode(env, GRANT, TOKEN_SECONDS, NOW, TICKET);
  const calls: string[] = [];
  // the first answer is lost after the object has written
  const lossy = {
    ...env,
    AUTHORIZATION_CODE: {
      idFromString: (hex: string) => env.AUTHORIZATION_CODE.idFromString(hex),
      get: (id: DurableObjectId) => ({
        redeem: async (given: CodeUse) => {
          const verdict = await env.AUTHORIZATION_CODE.get(id).redeem(given);
          calls.push(given.tokenId);
          if (calls.length === 1) throw Object.assign(new Error("Network connection lost."), { retryable: true });
          return verdict;
        },
      }),
    },
  } as unknown as Env;
  expect(await redeemCode(lossy, code, attempt({ tokenId: "same" }))).toMatchObject({ ok: true });
  expect(calls).toEqual(["same", "same"]);
});
