/** RSA keys from a seed, the same in each process. To sign by PKCS #1 draws nothing. */
import { checkPrimeSync, createPrivateKey, type KeyObject, sign } from "node:crypto";
import { type Scheme, sequence } from "../../fixtures/makers/made-pki.ts";
import { encodeDer, encodeOid, Tag } from "../../src/x509/der.ts";
import { Random } from "./random.ts";

/** A private key from a seed: node:crypto makes none. */
export function makeKey(seed: string): KeyObject {
  const random = new Random(seed);
  const exponent = 65_537n;
  const prime = (): bigint => {
    const bytes = random.fill(new Uint8Array(128));
    bytes[0] = (bytes[0] ?? 0) | 0xc0;
    bytes[127] = (bytes[127] ?? 0) | 1;
    let found = BigInt(`0x${Buffer.from(bytes).toString("hex")}`);
    while (found % exponent === 1n || !checkPrimeSync(found)) found += 2n;
    return found;
  };
  const [p, q] = [prime(), prime()];
  const d = inverse(exponent, (p - 1n) * (q - 1n));
  const numbers = { n: p * q, e: exponent, d, p, q, dp: d % (p - 1n), dq: d % (q - 1n), qi: inverse(q, p) };
  const jwk = Object.entries(numbers).map(([name, value]) => [name, encodeNumber(value)]);
  return createPrivateKey({ format: "jwk", key: { kty: "RSA", ...Object.fromEntries(jwk) } });
}

function inverse(value: bigint, modulus: bigint): bigint {
  let [a, b, x, y] = [value % modulus, modulus, 1n, 0n];
  while (a > 1n) [a, b, x, y] = [b % a, a, y - (b / a) * x, x];
  return ((x % modulus) + modulus) % modulus;
}

function encodeNumber(value: bigint): string {
  const hex = value.toString(16);
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, "hex").toString("base64url");
}

export const RSA_SHA256: Scheme = {
  identifier: sequence(encodeOid("1.2.840.113549.1.1.11"), encodeDer(Tag.null)),
  sign: (data, key) => sign("sha256", data, key),
};
