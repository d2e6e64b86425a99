import { expect, test } from "vitest";
import type { VerificationKey } from "../../../src/x509/public-key.ts";
import { signatureCost } from "../../../src/x509/public-key.ts";

const point = new Uint8Array(0);
const ec = (curve: "P-256" | "P-384" | "P-521"): VerificationKey => ({
  family: "ec",
  curve,
  coordinateBytes: 32,
  point,
});
const rsa = (modulusBits: number, exponent: bigint): VerificationKey => ({
  family: "rsa",
  modulus: new Uint8Array(0),
  modulusBits,
  exponent,
  onlyFor: null,
});

test.each<[string, VerificationKey, number]>([
  ["P-256", ec("P-256"), 200],
  ["P-384", ec("P-384"), 600],
  ["P-521", ec("P-521"), 1_400],
  ["Ed25519", { family: "ed25519", point }, 200],
  ["RSA of 2,048 bits by the platform", rsa(2_048, 65_537n), 150],
  ["RSA of 2,048 bits by the platform, exponent 3", rsa(2_048, 3n), 150],
  ["RSA of 4,096 bits by the platform", rsa(4_096, 65_537n), 250],
  // 257 has nine bits, two of them set
  ["RSA of 2,048 bits, exponent 257", rsa(2_048, 257n), 50 + 3 * 11],
  ["RSA of 8,192 bits, exponent 257: the square of the length", rsa(8_192, 257n), 50 + 3 * 11 * 16],
  ["RSA of 2,048 bits, an exponent of 64 bits, all set", rsa(2_048, 2n ** 64n - 1n), 50 + 3 * 128],
])("%s costs %i µs", (_, key, cost) => {
  expect(signatureCost(key, 0)).toBe(cost);
});

test("data costs a microsecond for each 160 bytes begun", () => {
  const key = ec("P-256");
  expect([1, 160, 161, 1_600].map((bytes) => signatureCost(key, bytes))).toEqual([201, 201, 202, 210]);
});
