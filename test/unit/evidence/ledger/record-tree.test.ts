/** The tree over records: the roots of another program, and that a way proves its record in its place and nothing else. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { hashRecord } from "../../../../src/evidence/ledger/chain.ts";
import { findPath, followPath, growTree, rootOf } from "../../../../src/evidence/ledger/record-tree.ts";

/** The leaves and roots with which implementations of RFC 6962 (whose tree RFC 9162 has) are tested. */
const ENTRIES = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"];
const ROOTS = [
  "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
  "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
  "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
  "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
  "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
  "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
  "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
  "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
];

test.each(ROOTS.map((root, size) => [size, root] as const))(
  "the root of %i entries is that of others",
  (size, root) => {
    expect(rootOf(growTree(ENTRIES.slice(0, size)))).toBe(root);
  },
);

const hashes = Array.from({ length: 70 }, (_, i) => hashRecord(`record ${i}`));

test("each record of a tree of any size has a way to its root, and no other record has it", () => {
  for (let size = 1; size <= hashes.length; size++) {
    const rows = growTree(hashes.slice(0, size));
    for (let place = 0; place < size; place++) {
      const path = findPath(rows, place);
      expect(path.length).toBeLessThanOrEqual(Math.ceil(Math.log2(size)));
      const [own = "", other = ""] = [hashes[place], hashes[(place + 1) % 70]];
      expect(followPath(own, place, size, path)).toBe(rootOf(rows));
      expect(followPath(other, place, size, path)).not.toBe(rootOf(rows));
    }
  }
});

test("nothing else proves it: another place or size, a way that is altered, shorter or longer", () => {
  const size = fc.integer({ min: 2, max: hashes.length });
  const at = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  fc.assert(
    fc.property(size, at, at, (records, share, other) => {
      const rows = growTree(hashes.slice(0, records));
      const place = Math.floor(share * records);
      const [path, own] = [findPath(rows, place), hashes[place] ?? ""];
      const is = (...[at, of, way]: [number, number, readonly string[]]) =>
        followPath(own, at, of, way) === rootOf(rows);
      const elsewhere = (place + 1 + Math.floor(other * (records - 1))) % records;
      const altered = path.with(Math.floor(other * path.length), hashRecord("forged"));
      expect([
        is(elsewhere, records, path),
        is(place, records, altered),
        is(place, records, path.slice(1)),
        is(place, records, [...path, hashRecord("more")]),
        is(place - records, records, path),
        is(place, 2 ** 31, path),
        is(Number.NaN, records, path),
      ]).toEqual(Array(7).fill(false));
    }),
  );
});
