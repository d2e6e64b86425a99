/** A check is kept by its chain's key: two chains with one key would get one answer. */
import { expect, test } from "vitest";
import { type Chain, chainKey } from "../../../src/psp-check/check-budget.ts";
import { root as above, ca, leaf as made, middle as near } from "../x509/made-paths.ts";

const [leaf, middle, root, other] = [made, near, above, ca("Other")].map(({ certificate }) => certificate) as [
  ...[Chain["leaf"], Chain["leaf"], Chain["leaf"], Chain["leaf"]],
];

test("chains that differ in a certificate, their order, the first one or the commas have different keys", () => {
  const chains: Chain[] = [
    { leaf, issuers: [] },
    { leaf: other, issuers: [] },
    { leaf, issuers: [middle] },
    { leaf, issuers: [root] },
    { leaf, issuers: [middle, root] },
    { leaf, issuers: [root, middle] },
    { leaf, issuers: [middle], first: middle },
    { leaf, issuers: [middle, root], first: middle },
    { leaf, issuers: [middle, root], first: root },
    { leaf, issuers: [middle], joined: true },
    { leaf, issuers: [middle], first: middle, joined: true },
    { leaf: middle, issuers: [leaf] },
  ];
  expect(new Set(chains.map(chainKey)).size).toBe(chains.length);
  expect(chains.map((chain) => chainKey({ ...chain, issuers: [...chain.issuers] }))).toEqual(chains.map(chainKey));
  expect(chainKey({ leaf, issuers: [] })).toBe(leaf.fingerprint);
});
