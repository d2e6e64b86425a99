/** Hostile chains: each ends, soon, with an answer. */
import { expect, test } from "vitest";
import { at, type Holder, makeCertificate } from "../../../fixtures/makers/made-pki.ts";
import { alternativeNames, caExtensions, dns, nameConstraints } from "../../../fixtures/makers/path-extensions.ts";
import { buildPath } from "../../../src/x509/path.ts";
import { PATH_LIMITS, type PathBudget, startBudget, type Work } from "../../../src/x509/path-budget.ts";
import { certifyCostly, makeCostlyKey } from "./made-rsa.ts";

const NOW = at("2026-06-15T12:00:00Z");
const root = makeCertificate({ subject: "Root", extensions: caExtensions() });

const build = (leaf: Holder, issuers: Holder[], anchors: Holder[]) =>
  buildPath({
    leaf: leaf.certificate,
    issuers: issuers.map(({ certificate }) => certificate),
    anchors: anchors.map(({ certificate }) => certificate),
    now: NOW,
  });

function makeChain(length: number, subject: (n: number) => string, first: Holder = root): Holder[] {
  const chain = [first];
  for (let n = 0; n < length; n++)
    chain.push(makeCertificate({ subject: subject(n), issuer: chain[n] ?? first, extensions: caExtensions() }));
  return chain;
}

test("ten intermediates are followed, eleven are not", async () => {
  const chain = makeChain(12, (n) => `CA ${n}`);
  const [ten, eleven] = [chain[11], chain[12]];
  if (!ten || !eleven) throw new Error("no chain");
  expect(await build(ten, chain.slice(1), [root])).toMatchObject({ ok: true });
  expect(await build(eleven, chain.slice(1), [root])).toMatchObject({
    ok: false,
    message: "the path has more than 10 intermediate certificates",
  });
});

test("a hundred namesakes with a hundred keys end the search by its budget", async () => {
  const chain = makeChain(100, () => "CA");
  const leaf = makeCertificate({ subject: "PSP", issuer: chain[100] ?? root });
  const result = await build(leaf, chain.slice(1), [root]);
  expect(result).toMatchObject({ ok: false, reason: "budget", message: expect.stringContaining("signatures") });
});

test("two CAs that certify each other are no circle to walk for ever", async () => {
  const a = makeCertificate({ subject: "A", extensions: caExtensions() });
  const b = makeCertificate({ subject: "B", issuer: a, extensions: caExtensions() });
  const again = makeCertificate({ subject: "A", key: a.key, issuer: b, extensions: caExtensions() });
  const leaf = makeCertificate({ subject: "PSP", issuer: b });
  expect(await build(leaf, [again, b], [root])).toMatchObject({ ok: false, reason: "no-anchor" });
  expect(await build(leaf, [again, b], [a])).toMatchObject({ ok: true });
});

test("many constraints on many names end the search by its budget", async () => {
  const hosts = (count: number, suffix: string) => Array.from({ length: count }, (_, n) => dns(`h${n}.${suffix}`));
  const constraints = nameConstraints([], hosts(600, "example"));
  const anchor = makeCertificate({ subject: "Root", extensions: [...caExtensions(), constraints] });
  const leaf = makeCertificate({
    subject: "PSP",
    issuer: anchor,
    extensions: [alternativeNames(...hosts(600, "test"))],
  });
  const result = await build(leaf, [], [anchor]);
  expect(result).toMatchObject({
    ok: false,
    reason: "budget",
    at: null,
    message: expect.stringContaining("comparisons"),
  });
});

/** A budget that also counts what was asked of it and granted. */
function countingBudget(): PathBudget & { granted: Record<Work, number> } {
  const budget = startBudget();
  const granted: Record<Work, number> = { signatures: 0, cost: 0, candidates: 0, comparisons: 0 };
  return {
    granted,
    get exhausted() {
      return budget.exhausted;
    },
    spend(work, amount = 1) {
      const allowed = budget.spend(work, amount);
      if (allowed) granted[work] += amount;
      return allowed;
    },
  };
}

test("ten RSA keys of 8,192 bits with exponents of 64 bits cost no more than the budget, in a chain or side by side", async () => {
  const key = makeCostlyKey(8_192, 2n ** 64n - 59n);
  const chain = Array.from({ length: 10 }, (_, n) => certifyCostly(`CA ${n}`, `CA ${n + 1}`, key));
  const [leaf, ...issuers] = chain;
  if (!leaf) throw new Error("no chain");
  const other = makeCostlyKey(8_192, 2n ** 64n - 59n);
  const namesakes = Array.from({ length: 9 }, (_, n) => certifyCostly("CA 1", `CA ${n}`, other, key));
  for (const given of [issuers, namesakes]) {
    const budget = countingBudget();
    const result = await buildPath({ leaf, issuers: given, anchors: [root.certificate], now: NOW, budget });
    expect(result).toMatchObject({ ok: false, reason: "budget", message: expect.stringContaining("too costly") });
    expect(budget.granted.cost).toBeLessThanOrEqual(PATH_LIMITS.cost);
    // each exponentiation has its price: the second is no longer affordable
    expect(budget.granted).toMatchObject({ signatures: 2, cost: expect.toSatisfy((cost) => cost > 5_000) });
  }
});

test("a listed CA with an exponent that the platform refuses is as good as any", async () => {
  const listed = makeCostlyKey(4_096, 2n ** 32n - 5n);
  const anchor = certifyCostly("Listed", "Listed", listed);
  const [leaf, middle] = [certifyCostly("PSP", "Middle", listed), certifyCostly("Middle", "Listed", listed)];
  const budget = countingBudget();
  expect(await buildPath({ leaf, issuers: [middle], anchors: [anchor], now: NOW, budget })).toMatchObject({ ok: true });
  expect(budget.granted.cost).toBeLessThan(PATH_LIMITS.cost / 4);
});

test("a budget stays exhausted, and says of what", () => {
  const budget = startBudget();
  expect(budget.spend("signatures", PATH_LIMITS.signatures)).toBe(true);
  expect(budget.exhausted).toBeNull();
  expect(budget.spend("signatures")).toBe(false);
  expect(budget.spend("candidates")).toBe(false);
  expect(budget.exhausted).toBe("signatures");
});
