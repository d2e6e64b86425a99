/**
 * The exchange of a code under every order of its calls, and every failure of them: the rule of the code's object, and
 * the statements on SQLite, are the real ones. What is made up is the way between them.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { sealAccount, writeCode } from "../../../src/grants/codes.ts";
import { exchangeCode } from "../../../src/grants/exchange.ts";
import {
  type Attempt,
  afterRedemption,
  checkRedemption,
  giveBack,
  type StoredCode,
} from "../../../src/grants/redemption.ts";
import { readTokenKeys } from "../../../src/grants/token-keys.ts";
import { hashSecret, makeSecret } from "../../../src/platform/secrets.ts";
import type { Scope } from "../../../src/registers/entitlement.ts";
import { asD1, openDatabase } from "./sqlite-database.ts";

const NOW = Date.parse("2030-01-01T00:00:00Z");
const OWNER = { fiId: 1, pspId: "PSDXX-TEST-000001" };
const CODE_SECRET = makeSecret();

/** What becomes of a call: carried out; lost on the way there, or on the way back; or it arrives after its failure. */
type Fate = "done" | "lost" | "answer lost" | "late";

/** Of the calls to the codes' objects and to the database, from the last to the first; all others are carried out. */
interface Fates {
  object: Fate[];
  database: Fate[];
}
type Kind = [Scope, underConsent: boolean];

/** A world with two codes for one consent. */
function makeWorld([scope, underConsent]: Kind, schedule: (label: string) => Promise<void>, fates: Fates) {
  const db = openDatabase();
  db.exec(`
    INSERT INTO financial_institutions (id, name, fi_reference_id, created_at) VALUES (1, 'n', 'PSDXX-1', 0);
    INSERT INTO payment_order_consents
      (id, fi_id, psp_id, status, created_at, status_updated_at, initiation, account_id)
      VALUES ('c', 1, '${OWNER.pspId}', 'Authorised', 0, 0, '{}', 'a');
    INSERT INTO account_access_consents
      (id, fi_id, psp_id, status, created_at, status_updated_at, permissions, account_id)
      VALUES ('c', 1, '${OWNER.pspId}', 'Authorised', 0, 0, '[]', 'a');
    INSERT INTO core_codes (fi_id, account_id, psp_id, scope, codes_after, noted_at)
      VALUES (1, 'a', '${OWNER.pspId}', '${scope}', 0, 0);`);
  const late: Promise<unknown>[] = [];
  const reach = async <Result>(label: string, to: Fate[], carryOut: () => Result): Promise<Result> => {
    const fate = to.pop() ?? "done";
    const arrive = async () => {
      await schedule(`${label}: ${fate}`);
      return carryOut();
    };
    if (fate === "late") late.push(arrive());
    if (fate === "answer lost") await arrive();
    if (fate === "done") return arrive();
    await schedule(`${label}: failure`);
    throw Object.assign(new Error("Network connection lost."), { retryable: true });
  };

  const codes = ["0".repeat(64), "1".repeat(64)];
  const grant = { ...OWNER, flow: "obie", redirectUri: "https://psp.example", scope, state: null } as const;
  const objects = new Map<string, StoredCode>(
    codes.map((id) => {
      const [secretHash, expiresAt] = [hashSecret(CODE_SECRET), NOW + 60_000];
      const consentId = underConsent ? "c" : null;
      return [id, { ...grant, ...sealAccount(CODE_SECRET, "a"), consentId, expiresAt, secretHash, tokenId: null }];
    }),
  );
  /** Which code each token was granted for. */
  const tokenCodes = new Map<string, string>();
  const stub = (id: string) => ({
    redeem: (attempt: Attempt) =>
      reach("redeem", fates.object, () => {
        const stored = objects.get(id);
        const verdict = checkRedemption(stored, attempt);
        const after = stored ? afterRedemption(stored, attempt, verdict) : null;
        if (after) objects.set(id, after);
        if (verdict.ok) tokenCodes.set(attempt.tokenId, id);
        return verdict;
      }),
    giveBack: ({ tokenId }: Attempt, now: number) =>
      reach("give back", fates.object, () => {
        const stored = objects.get(id);
        const after = stored && giveBack(stored, tokenId);
        if (after) objects.set(id, after);
        return after?.tokenId === null && now < after.expiresAt;
      }),
  });
  const tokens = () =>
    db.prepare("SELECT id, revoked_at IS NULL AS live FROM tokens").all() as { id: string; live: 0 | 1 }[];
  const live = () => tokens().flatMap(({ id, live }) => (live ? [id] : []));
  const liveOf = (code: number) => live().filter((id) => tokenCodes.get(id) === codes[code]);
  const perCode = (ids: string[]) => Object.values(Object.groupBy(ids, (id) => tokenCodes.get(id) ?? "no code"));
  /** What must hold after each transaction, not only in the end. */
  const findBroken = () => {
    const { status, token_id } = db.prepare("SELECT status, token_id FROM payment_order_consents").get() ?? {};
    const found = perCode(live()).some((ids = []) => ids.length > 1) ? ["two live tokens of one code"] : [];
    if (scope === "accounts" || live().length === 0) return found;
    if (live().length > 1) found.push("two live tokens of one payment order");
    if (status !== "Consumed" || token_id !== live()[0])
      found.push("a live token that its payment order does not know");
    return found;
  };
  const broken: string[] = [];
  const env = {
    TOKEN_KEY_20300101T000000Z: makeSecret(),
    ACCESS_TOKEN_SECONDS: 3600,
    AUTHORIZATION_CODE: { idFromString: (hex: string) => hex, get: stub },
    DB: asD1(db, (carryOut) =>
      reach("D1", fates.database, () => {
        const result = carryOut();
        broken.push(...findBroken());
        return result;
      }),
    ),
  } as unknown as Env;

  const background: Promise<unknown>[] = [];
  let passed = 0;
  const clock = {
    now: () => NOW + passed,
    wait: async (milliseconds: number) => {
      await schedule("wait");
      passed += milliseconds;
    },
  };
  const exchange = (code: number) => {
    const text = writeCode(readTokenKeys(env).newest, codes[code] ?? "", CODE_SECRET, 0);
    const { redirectUri, flow } = grant;
    const attempt = { ...OWNER, flow, redirectUri, accountId: null, scopes: [scope], now: NOW } as const;
    return exchangeCode(
      env,
      { waitUntil: (task) => void background.push(task) },
      text,
      { ...attempt, database: 1 },
      clock,
      async () => [],
    );
  };
  const settle = async () => {
    for (let i = 0; i < background.length; i++) await background[i];
    await Promise.all(late);
  };
  const block = () =>
    db.exec(
      `INSERT OR IGNORE INTO account_blocks (fi_id, account_id, scope, created_at) VALUES (1, 'a', '${scope}', 0)`,
    );
  return { exchange, settle, tokens, live, liveOf, perCode, broken, block };
}

const idOf = (accessToken: string): string => accessToken.split(".")[1] ?? "";
const kinds = fc.constantFrom<Kind>(["accounts", false], ["accounts", true], ["payments", true]);
const of = (...each: Fate[]) => fc.constantFrom(...each);
/** The database's failures come in a row, as those of an outage do. */
const database = fc.array(of("done", "lost", "lost", "answer lost", "answer lost", "late", "late"), {
  maxLength: 30,
  size: "max",
});
/** The objects' failures are rare. */
const fates = fc.record<Fates>({
  object: fc.array(of("done", "done", "done", "done", "done", "lost", "answer lost", "late")),
  database,
});
/** Outages of the objects too, long enough to outlast the retries; both answers about a code are then common. */
const outages = fc.record<Fates>({
  object: fc.array(of("done", "lost", "lost", "lost", "answer lost", "late"), { maxLength: 12, size: "max" }),
  database,
});
/** Which code each PSP's server sends, and how often it repeats a 503. */
const senders = fc.array(fc.record({ code: fc.nat(1), repeats: fc.nat(2) }), { minLength: 1, maxLength: 4 });

test("however calls fail and overtake each other: one live token for a code, and one for a payment order", async () => {
  const seen = { tokens: 0, failures: 0, givenBack: 0, revoked: 0, used: 0 };
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), kinds, senders, fates, async (scheduler, kind, senders, fates) => {
      const schedule = (label: string) => scheduler.schedule(Promise.resolve(), label);
      const world = makeWorld(kind, schedule, structuredClone(fates));
      const answered: string[] = [];
      const used = new Set<number>();
      const send = async ({ code, repeats }: { code: number; repeats: number }) => {
        for (let time = 0; time <= repeats; time++) {
          const wasUsed = used.has(code);
          const answer = await world.exchange(code);
          if (answer.ok) answered.push(idOf(answer.accessToken));
          if (answer.ok) expect(wasUsed).toBe(false);
          else if (answer.reason === "used") used.add(code);
          if (answer.ok || answer.reason !== "store") return;
          seen.failures++;
          if (answer.code === "given_back") seen.givenBack++;
        }
      };
      await scheduler.waitFor(Promise.all(senders.map(send)).then(() => world.settle()));

      expect(world.broken).toEqual([]);
      for (const tokens of world.perCode(answered)) expect(tokens?.length).toBe(1);
      for (const code of used) expect(world.liveOf(code)).toEqual([]);
      if (kind[0] === "payments") expect(answered.length).toBeLessThanOrEqual(1);
      seen.tokens += answered.length;
      seen.used += used.size;
      seen.revoked += world.tokens().length - world.live().length;
    }),
    { numRuns: 400 },
  );
  // the property was not true for want of anything happening
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(50);
});

test("what a failure says of the code is true: given back, the code gives a token; else one more try tells", async () => {
  const seen = { given_back: 0, unknown: 0, replayed: 0 };
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), kinds, outages, async (scheduler, kind, fates) => {
      const remaining = structuredClone(fates);
      const world = makeWorld(kind, (label) => scheduler.schedule(Promise.resolve(), label), remaining);
      const run = <Result>(task: Promise<Result>) => scheduler.waitFor(task);
      const answer = await run(world.exchange(0));
      if (answer.ok || answer.reason !== "store") return;
      seen[answer.code]++;
      await run(world.settle());
      // the store is whole again
      Object.assign(remaining, { object: [], database: [] });
      const again = await run(world.exchange(0));
      if (answer.code === "given_back") expect(again.ok).toBe(true);
      else expect(again.ok ? "token" : again.reason).toMatch(/token|used/);
      expect(world.live()).toEqual(again.ok ? [idOf(again.accessToken)] : []);
    }),
    { numRuns: 400 },
  );
  expect(seen.given_back).toBeGreaterThan(10);
  expect(seen.unknown).toBeGreaterThan(10);
});

test.each<[string, Kind]>([
  ["without a consent", ["accounts", false]],
  ["under an account access consent", ["accounts", true]],
])(
  "a token %s that D1 stored unconfirmed, and then denied for a block, is not alive when the block is lifted",
  async (_, kind) => {
    const schedule = async (label: string) => {
      if (label === "wait") world.block();
    };
    const world = makeWorld(kind, schedule, { object: [], database: ["answer lost"] });
    expect(await world.exchange(0)).toMatchObject({ ok: false, reason: "consent" });
    await world.settle();
    // live() does not look at blocks
    expect([world.tokens().length, world.live()]).toEqual([1, []]);
  },
);
