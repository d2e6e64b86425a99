import { env } from "cloudflare:workers";
import fc from "fast-check";
import { expect, test } from "vitest";
import { makeRecordId } from "../../../src/grants/record-order.ts";
import { listTokens, parseCursor, type TokenCursor, writeCursor } from "../../../src/grants/token-list.ts";
import { insertTwoFis } from "./financial-institutions.ts";

const NOW = Date.parse("2090-01-01T00:00:00Z");
const [FI, OTHER_FI] = await insertTwoFis();

interface Made {
  id: string;
  issuedAt: number;
  expiresAt: number;
  revokedAt: number | null;
}
const make = (expiresAt: number, revokedAt: number | null = null, issuedAt = NOW - 5_000): Made => ({
  id: makeRecordId(issuedAt),
  issuedAt,
  expiresAt,
  revokedAt,
});
const store = (accountId: string, tokens: Made[], fiId = FI) =>
  env.DB.prepare(
    `INSERT INTO tokens (id, kid, fi_id, psp_id, account_id, scope, issued_at, expires_at, revoked_at)
     SELECT value ->> 'id', 'k', ?2, 'PSDXX-TEST-000001', ?3, 'accounts',
       value ->> 'issuedAt', value ->> 'expiresAt', value ->> 'revokedAt'
     FROM json_each(?1)`,
  )
    .bind(JSON.stringify(tokens), fiId, accountId)
    .run();

/** All pages, with something that happens between each two. */
async function readAll(accountId: string, limit: number, between: () => Promise<unknown> = async () => {}, now = NOW) {
  const [ids, sizes]: [string[], number[]] = [[], []];
  let cursor: TokenCursor | null = null;
  do {
    // as it comes back from the caller, and later than it went
    const account = { fiId: FI, accountId };
    const given = cursor && parseCursor(account, writeCursor(account, cursor));
    const page = await listTokens(env.DB, account, given, limit, now + sizes.length * 1_000);
    ids.push(...page.tokens.map(({ id }) => id));
    sizes.push(page.tokens.length);
    cursor = page.next;
    if (cursor) await between();
  } while (cursor);
  return { ids, sizes };
}

test("active tokens come first, however many newer ones have ended", async () => {
  const accountId = crypto.randomUUID();
  const active = [make(NOW + 1_000), make(NOW + 2_000), make(NOW + 9_000)];
  const ended = Array.from({ length: 450 }, (_, i) =>
    i % 2 === 0 ? make(NOW - i * 1_000, null, NOW - 1) : make(NOW + 9_000, NOW - i, NOW - 1),
  );
  await store(accountId, [...ended, ...active]);
  await store(accountId, [make(NOW + 1_000)], OTHER_FI);
  const latestFirst = (tokens: Made[]) =>
    tokens.toSorted((a, b) => b.expiresAt - a.expiresAt || (a.id < b.id ? 1 : -1)).map(({ id }) => id);
  const expected = [...latestFirst(active), ...latestFirst(ended)];
  expect(await readAll(accountId, 1_000)).toEqual({ ids: expected, sizes: [453] });
  expect(await readAll(accountId, 453)).toEqual({ ids: expected, sizes: [453] });
  expect(await readAll(accountId, 2)).toEqual({ ids: expected, sizes: [...Array(226).fill(2), 1] });
  // the last active one ends a page
  expect(await readAll(accountId, 3)).toEqual({ ids: expected, sizes: Array(151).fill(3) });
});

test("an account without tokens has one empty page", async () => {
  expect(await readAll(crypto.randomUUID(), 10)).toEqual({ ids: [], sizes: [0] });
});

test("whatever happens between the pages, each token of the first moment is shown once", async () => {
  const seconds = fc.integer({ min: -3, max: 6 }).map((second) => NOW + second * 1_000);
  const token = fc.tuple(seconds, fc.option(seconds));
  const event = fc.record({ revoke: fc.nat(30), issue: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(
      fc.array(token, { maxLength: 25 }),
      fc.integer({ min: 1, max: 7 }),
      fc.array(event, { maxLength: 10 }),
      async (given, limit, events) => {
        const accountId = crypto.randomUUID();
        const tokens = given.map(([expiresAt, revokedAt]) =>
          make(expiresAt, revokedAt === null ? null : Math.min(revokedAt, NOW)),
        );
        await store(accountId, tokens);
        let page = 0;
        const { ids, sizes } = await readAll(accountId, limit, async () => {
          const { revoke, issue } = events[page] ?? { revoke: -1, issue: false };
          const at = NOW + 500 + ++page * 1_000;
          await env.DB.prepare(
            "UPDATE tokens SET revoked_at = ?2 WHERE id = ?1 AND revoked_at IS NULL AND expires_at > ?2",
          )
            .bind(tokens[revoke]?.id ?? "", at)
            .run();
          if (issue) await store(accountId, [make(NOW + 3_600_000, null, at)]);
        });
        expect(ids.toSorted()).toEqual(tokens.map(({ id }) => id).sort());
        const wasActive = new Set(
          tokens.filter(({ expiresAt, revokedAt }) => expiresAt > NOW && revokedAt === null).map(({ id }) => id),
        );
        expect(ids.slice(0, wasActive.size).every((id) => wasActive.has(id))).toBe(true);
        expect(sizes.slice(0, -1).every((size) => size === limit)).toBe(true);
      },
    ),
    { numRuns: 60 },
  );
});

test.each([
  "",
  "nothing",
  "a",
  makeRecordId(NOW),
  `x${"0".repeat(18)}${makeRecordId(NOW)}`,
  `a${"0".repeat(17)}${makeRecordId(NOW)}`,
  `a${"-".repeat(18)}${makeRecordId(NOW)}`,
  `a${"0".repeat(18)}${makeRecordId(NOW)}x`,
  `a${"0".repeat(18)}' OR 1=1--`,
  `a${"0".repeat(18)}${makeRecordId(NOW)}\n`,
])("%j is no cursor", (text) => {
  expect(parseCursor({ fiId: FI, accountId: "a" }, text)).toBeNull();
});

test("a cursor is for its account at its institution", () => {
  const account = { fiId: FI, accountId: "a" };
  const cursor = { active: true, asOf: NOW, expiresAt: NOW + 1_000, id: makeRecordId(NOW, 2) };
  const text = writeCursor(account, cursor);
  expect(parseCursor(account, text)).toEqual(cursor);
  for (const other of [
    { fiId: FI, accountId: "b" },
    { fiId: OTHER_FI, accountId: "a" },
  ])
    expect(parseCursor(other, text)).toBeNull();
  expect(parseCursor(account, text.replace(/^a/, "e"))).toBeNull();
  expect(parseCursor(account, text.split(".")[0] ?? "")).toBeNull();
});
