/** Signatures and their encodings as test vectors (make-signature-vectors.ts). */
import { generateKeyPairSync, type KeyObject, type SignKeyObjectInput, sign } from "node:crypto";
import type { HashName } from "../../../fixtures/makers/signature-algorithms.ts";
import { encodeDer, Tag } from "../../../src/x509/der.ts";
import type { SignatureVector } from "./signature-vectors.ts";

export type Pair = { publicKey: KeyObject; privateKey: KeyObject };

export const DATA = Buffer.from("what was signed");
export const integer = (...bytes: number[]) => encodeDer(Tag.integer, Uint8Array.from(bytes));

export const rsa = (bits: number, publicExponent = 65537): Pair =>
  generateKeyPairSync("rsa", { modulusLength: bits, publicExponent });
export const ec = (namedCurve: string): Pair => generateKeyPairSync("ec", { namedCurve });

export const vectors: SignatureVector[] = [];
export function add(
  title: string,
  valid: boolean,
  key: Pair | Uint8Array,
  identifier: Uint8Array,
  signature: Uint8Array,
): void {
  const spki = "publicKey" in key ? key.publicKey.export({ type: "spki", format: "der" }) : Buffer.from(key);
  const text = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");
  vectors.push({ title, valid, spki: text(spki), algorithm: text(identifier), signature: text(signature) });
}
export const byKey = (hash: HashName, key: Pair, how: Partial<SignKeyObjectInput> = {}) =>
  sign(hash, DATA, { key: key.privateKey, ...how });
export const flipped = (signature: Buffer) => Buffer.from(signature.map((byte, i) => (i === 40 ? byte ^ 1 : byte)));
