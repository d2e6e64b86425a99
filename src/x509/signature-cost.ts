/** Estimates what a verification costs, in microseconds: measured in workerd on two shared cores and rounded up. */
import { type Curve, PLATFORM_EXPONENTS, type VerificationKey } from "./public-key.ts";

/** Measured: 150, 550 and 1,350. BoringSSL has optimised code for P-256 only. */
const CURVE_COST: Readonly<Record<Curve, number>> = { "P-256": 200, "P-384": 600, "P-521": 1_400 };
const ED25519_COST = 200;
/** Importing a key and passing the data to be verified. */
const CALL_COST = 50;
/** Web Crypto, per 2,048 bits of modulus. */
const PLATFORM_RSA_COST = 100;
/** One multiplication in rsa.ts with a modulus of 2,048 bits. Grows with the square of the length. */
const MULTIPLICATION_COST = 3;
/** SHA-512 takes 6 µs per KiB. */
const BYTES_HASHED_PER_MICROSECOND = 160;

export const signatureCost = (key: VerificationKey, dataBytes: number): number =>
  Math.ceil(keyCost(key) + dataBytes / BYTES_HASHED_PER_MICROSECOND);

function keyCost(key: VerificationKey): number {
  switch (key.family) {
    case "ec":
      return CURVE_COST[key.curve];
    case "ed25519":
      return ED25519_COST;
    case "rsa": {
      const size = key.modulusBits / 2_048;
      return PLATFORM_EXPONENTS.includes(key.exponent)
        ? CALL_COST + PLATFORM_RSA_COST * size
        : CALL_COST + MULTIPLICATION_COST * countMultiplications(key.exponent) * size ** 2;
    }
  }
}

/** Square-and-multiply: one multiplication per bit of the exponent, plus one per bit that is set. */
function countMultiplications(exponent: bigint): number {
  const bits = exponent.toString(2);
  return bits.length + bits.replaceAll("0", "").length;
}
