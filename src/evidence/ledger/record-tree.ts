/**
 * The Merkle tree over consecutive records of a chain (RFC 9162 section 2.1), whose root is in each signed head. It proves
 * one record by the hashes beside its way to the root: nothing is shown of the records around it. Pure.
 *
 * The entries are the records' hashes (chain.ts). Hashes are SHA-256 in lower-case hex.
 */
import { hashBytes, hashText } from "../../platform/node-crypto.ts";
import type { ChainEnd } from "./chain.ts";

/** The end of a chain, and the tree of its last records. */
export interface TreeEnd extends ChainEnd {
  /** The number of the first record in the tree; `seq` is the last. */
  readonly first: number;
  readonly root: string;
}

/** Section 2.1.1: so that no leaf can be taken for a node. */
const [LEAF, NODE] = ["00", "01"];
const hashLeaf = (hash: string): string => hashBytes("sha256", Buffer.from(LEAF + hash, "hex"));
const hashNode = (left: string, right: string): string => hashBytes("sha256", Buffer.from(NODE + left + right, "hex"));

/** The leaves, the nodes above them, and so on up to the root. The last of an odd row goes up as it is. */
export function growTree(hashes: readonly string[]): readonly (readonly string[])[] {
  const rows = [hashes.map(hashLeaf)];
  for (let row = rows[0] ?? []; row.length > 1; rows.push(row)) {
    const below = row;
    row = Array.from({ length: Math.ceil(below.length / 2) }, (_, i) => {
      const [left = "", right] = below.slice(2 * i, 2 * i + 2);
      return right === undefined ? left : hashNode(left, right);
    });
  }
  return rows;
}

/** Of no record it is the hash of nothing. */
export const rootOf = (rows: readonly (readonly string[])[]): string => rows.at(-1)?.[0] ?? hashText("sha256", "");

/** The hashes beside the way of a leaf to the root (section 2.1.3.1). `place`: from 0 on. */
export const findPath = (rows: readonly (readonly string[])[], place: number): string[] =>
  rows.slice(0, -1).flatMap((row, height) => row[(place >> height) ^ 1] ?? []);

/** Far more than a tree has, and less than the operators of bits can count. */
const MAX_RECORDS = 2 ** 30;

/** The root to which a record's hash leads by this path (section 2.1.3.2); null if no tree of so many records has such a path. */
export function followPath(hash: string, place: number, records: number, path: readonly string[]): string | null {
  if (!(place >= 0 && place < records && records <= MAX_RECORDS)) return null;
  const beside = path.values();
  let node = hashLeaf(hash);
  for (let [i, width] = [place, records]; width > 1; i >>= 1, width = (width + 1) >> 1) {
    if ((i ^ 1) >= width) continue;
    const { value: other } = beside.next();
    if (other === undefined) return null;
    node = i % 2 === 0 ? hashNode(node, other) : hashNode(other, node);
  }
  return beside.next().done ? node : null;
}
