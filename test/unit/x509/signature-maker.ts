/** Signatures and their encodings as test vectors (make-signature-vectors.ts). */
import { generateKeyPairSync, type KeyObject, type SignKeyObjectInput, sign } from "node:crypto";
import { context, Tag } from "../../../src/x509/der.ts";
import { encodeDer, encodeOid } from "../../../src/x509/der-encode.ts";
import type { SignatureVector } from "./signature-vectors.ts";

export type Pair = { publicKey: KeyObject; privateKey: KeyObject };

export const DATA = Buffer.from("what was signed");
export const NULL = encodeDer(Tag.null);
export const sequence = (...parts: Uint8Array[]) => encodeDer(Tag.sequence, ...parts);
export const integer = (...bytes: number[]) => encodeDer(Tag.integer, Uint8Array.from(bytes));
export const algorithm = (oid: string, ...parameters: Uint8Array[]) => sequence(encodeOid(oid), ...parameters);

export const RSA = {
  sha256: "1.2.840.113549.1.1.11",
  sha384: "1.2.840.113549.1.1.12",
  sha512: "1.2.840.113549.1.1.13",
};
export const ECDSA = { sha256: "1.2.840.10045.4.3.2", sha384: "1.2.840.10045.4.3.3", sha512: "1.2.840.10045.4.3.4" };
export const HASH = {
  sha1: "1.3.14.3.2.26",
  sha256: "2.16.840.1.101.3.4.2.1",
  sha384: "2.16.840.1.101.3.4.2.2",
  sha512: "2.16.840.1.101.3.4.2.3",
};
export type HashName = keyof typeof ECDSA;
export const HASHES: HashName[] = ["sha256", "sha384", "sha512"];

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

/** RSASSA-PSS-params. */
export const pss = (hash: keyof typeof HASH, mask: keyof typeof HASH, salt: number, trailer?: number) =>
  algorithm(
    "1.2.840.113549.1.1.10",
    sequence(
      encodeDer(context(0), algorithm(HASH[hash], NULL)),
      encodeDer(context(1), algorithm("1.2.840.113549.1.1.8", algorithm(HASH[mask], NULL))),
      encodeDer(context(2), integer(salt)),
      ...(trailer === undefined ? [] : [encodeDer(context(3), integer(trailer))]),
    ),
  );
