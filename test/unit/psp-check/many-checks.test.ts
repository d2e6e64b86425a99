/**
 * When the checks of one request are cached. Whoever is given a cached check is not given its documents. So it is cached
 * when its documents are handed on: not before, and not without them.
 */
import { expect, test, vi } from "vitest";
import { makeCertificate } from "../../../fixtures/makers/certificate-maker.ts";
import { CheckBudget, chainKey } from "../../../src/psp-check/check-budget.ts";
import { checkMany, type ManyChecked } from "../../../src/psp-check/many-checks.ts";
import { checkPsp, recallCheck } from "../../../src/psp-check/psp-check.ts";
import { parseCertificate } from "../../../src/x509/certificate.ts";

const NOW = Date.UTC(2026, 5, 10);
/** The home country of all, another one, and one whose registers the store gives as the test says. */
const [HOME, ABROAD, SLOW] = ["XX", "FI", "SE"];

/** Two PSPs' certificates that no test had before; the second one is asked for in the slow country, too. */
async function makeAsked(name: string) {
  const chains = await Promise.all(
    ["1", "2"].map(async (number) => {
      const subject = `2.5.4.97=PSDXX-TEST-${name}${number}`;
      return { leaf: parseCertificate(await makeCertificate({ subject })), issuers: [] };
    }),
  );
  return chains.map((chain, i) => ({
    key: chainKey(chain),
    subject: { chain },
    jurisdictions: new Set(i === 0 ? [HOME, ABROAD] : [HOME, SLOW]),
  }));
}
type Asked = Awaited<ReturnType<typeof makeAsked>>;

/** An empty KV. `slow`: what a read of the slow country's registers waits for. */
const storeOf = (slow: () => Promise<void>) =>
  ({
    get: async (keys: string | string[]) => {
      if (typeof keys === "string") return null;
      if (keys.some((key) => key.startsWith(`register/${SLOW}/`))) await slow();
      return new Map(keys.map((key) => [key, null]));
    },
    put: async () => {},
  }) as unknown as KVNamespace;

const ask = (asked: Asked, slow: () => Promise<void>, clock = { now: () => NOW }): Promise<ManyChecked> => {
  const context = { env: { KV: storeOf(slow) }, ctx: { waitUntil: () => {} }, now: NOW };
  return checkMany(context, asked, new CheckBudget(NOW), clock);
};

/** For which jurisdictions a check of each is cached. */
const cached = (asked: Asked): string[][] =>
  asked.map(({ key }) =>
    [null, HOME, ABROAD, SLOW].flatMap((country) => (recallCheck(key, country, NOW) ? [country ?? "any"] : [])),
  );
const leavesOf = ({ documents }: ManyChecked): Set<string> =>
  new Set(documents.flatMap(({ leaf, sha256 }) => (leaf ? [sha256] : [])));
const fingerprints = (asked: Asked): Set<string> => new Set(asked.map(({ subject }) => subject.chain.leaf.fingerprint));
/** What is under way goes on as far as it can. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

test("no check is cached while the request awaits something else: it may be cancelled then", async () => {
  const asked = await makeAsked("SLOW");
  const [reached, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const many = ask(asked, () => {
    reached.resolve();
    return answered.promise;
  });
  await Promise.race([reached.promise, many]);
  await settle();
  expect(cached(asked)).toEqual([[], []]);
  answered.resolve();
  expect((await many).results.map(({ ok }) => ok)).toEqual([true, true]);
  expect(cached(asked)).toEqual([
    ["any", HOME, ABROAD],
    ["any", HOME, SLOW],
  ]);
  expect(leavesOf(await many)).toEqual(fingerprints(asked));
});

test("what a failed store leaves of a check is cached with its documents, and the rest of it is not", async () => {
  const asked = await makeAsked("FAILS");
  // one call reads the registers of both
  const many = await ask(asked, () => Promise.reject(new Error("no register")));
  expect(many.results.map((result) => (result.ok ? "ok" : result.reason))).toEqual(["store", "store"]);
  expect(cached(asked)).toEqual([
    ["any", HOME],
    ["any", HOME],
  ]);
  expect(leavesOf(many)).toEqual(fingerprints(asked));
});

test("none is cached of a request that ends by a defect, with which their documents are lost", async () => {
  const asked = await makeAsked("DEFECT");
  const now = vi.fn(() => NOW);
  now
    .mockImplementationOnce(() => NOW)
    .mockImplementationOnce(() => {
      throw new TypeError("a defect");
    });
  await expect(ask(asked, async () => {}, { now })).rejects.toThrow("a defect");
  await settle();
  expect(cached(asked)).toEqual([[], []]);
});

test("a certificate that was not verified, since the request's work is used up, is not cached", async () => {
  const asked = await makeAsked("LATE");
  let begun = 0;
  const many = await ask(asked, async () => {}, { now: () => (begun++ === 0 ? NOW : NOW + 3_600_000) });
  expect(many.results.map((result) => (result.ok ? "ok" : result.reason))).toEqual(["ok", "postponed"]);
  expect(cached(asked)).toEqual([["any", HOME, ABROAD], []]);
});

test("what a later request found meanwhile is not replaced by what is older", async () => {
  const asked = await makeAsked("OLDER");
  const [reached, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const many = ask(asked, () => {
    reached.resolve();
    return answered.promise;
  });
  await Promise.race([reached.promise, many]);
  const [{ key, subject } = expect.unreachable()] = asked;
  const later = { env: { KV: storeOf(async () => {}) }, ctx: { waitUntil: () => {} }, now: NOW + 5_000 };
  const { check } = await checkPsp({ ...later, chain: subject.chain, jurisdiction: HOME });
  answered.resolve();
  await many;
  expect(recallCheck(key, HOME, NOW + 5_000)).toBe(check);
  expect(recallCheck(key, ABROAD, NOW + 5_000)?.madeAt).toBe(NOW);
});
