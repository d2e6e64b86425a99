import { type BinaryLike, constants, createHash, generateKeyPairSync, privateEncrypt } from "node:crypto";
import { describe, expect, test } from "vitest";
import { verifyRsa } from "../../../src/x509/rsa.ts";
import type { Hash } from "../../../src/x509/signature-scheme.ts";

const DATA = Buffer.from("what was signed");
const DIGESTS = {
  "SHA-256": { name: "sha256", info: "3031300d060960864801650304020105000420" },
  "SHA-384": { name: "sha384", info: "3041300d060960864801650304020205000430" },
  "SHA-512": { name: "sha512", info: "3051300d060960864801650304020305000440" },
} as const;
type Name = keyof typeof DIGESTS;

const digest = (hash: Name, data: BinaryLike) => createHash(DIGESTS[hash].name).update(data).digest();

/** A key of exactly so many bytes, with an exponent that workerd refuses. It signs any encoded message. */
function makeKey(bytes: number) {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 8 * bytes, publicExponent: 257 });
  const modulus = Buffer.from(publicKey.export({ format: "jwk" }).n ?? "", "base64url");
  const sign = (encoded: Buffer) => privateEncrypt({ key: privateKey, padding: constants.RSA_NO_PADDING }, encoded);
  return { modulus, exponent: 257n, data: DATA, sign };
}

describe("PKCS #1 v1.5 (RFC 8017 section 9.2)", () => {
  const encode = (hash: Name, bytes: number) => {
    const payload = Buffer.concat([Buffer.from(DIGESTS[hash].info, "hex"), digest(hash, DATA)]);
    const padding = Buffer.alloc(bytes - 3 - payload.length, 0xff);
    return { encoded: Buffer.concat([Buffer.of(0, 1), padding, Buffer.of(0), payload]), padding: padding.length };
  };

  test.each([
    { hash: "SHA-512", bytes: 94, padding: 8, valid: true },
    { hash: "SHA-512", bytes: 93, padding: 7, valid: false },
    { hash: "SHA-384", bytes: 78, padding: 8, valid: true },
    { hash: "SHA-384", bytes: 77, padding: 7, valid: false },
  ] as const)("$padding bytes of padding beside $hash: $valid", ({ hash, bytes, padding, valid }) => {
    const { sign, ...key } = makeKey(bytes);
    const made = encode(hash, bytes);
    expect(made.padding).toBe(padding);
    const signature = sign(made.encoded);
    expect(verifyRsa({ scheme: { family: "rsa-pkcs1", hash }, ...key, signature })).toBe(valid);
  });

  test("a key too short for the digest has no valid signature", () => {
    const { sign, ...key } = makeKey(64);
    const signature = sign(Buffer.concat([Buffer.of(0), digest("SHA-512", DATA).subarray(1)]));
    expect(verifyRsa({ scheme: { family: "rsa-pkcs1", hash: "SHA-512" }, ...key, signature })).toBe(false);
  });

  test("zero is not a signature, and the number below the modulus is only looked at", () => {
    const { sign: _, ...key } = makeKey(94);
    const below = Buffer.from(key.modulus);
    below[93] = (below[93] ?? 0) - 1;
    for (const signature of [Buffer.alloc(94), below, key.modulus])
      expect(verifyRsa({ scheme: { family: "rsa-pkcs1", hash: "SHA-512" }, ...key, signature })).toBe(false);
  });
});

describe("PSS (RFC 8017 section 9.1)", () => {
  const saltLength = 32;
  const scheme = { family: "rsa-pss", hash: "SHA-256" satisfies Hash, saltLength } as const;

  const mgf1 = (seed: Buffer, length: number) => {
    const blocks = Array.from({ length: Math.ceil(length / 32) }, (_, i) =>
      digest("SHA-256", Buffer.concat([seed, Buffer.of(0, 0, 0, i)])),
    );
    return Buffer.concat(blocks).subarray(0, length);
  };

  /** Encodes with the salt and the data block as `change` makes it of `padding 01 salt`. */
  function encode(bytes: number, salt: Buffer, change: (block: Buffer) => void = () => {}): Buffer {
    const h = digest("SHA-256", Buffer.concat([Buffer.alloc(8), digest("SHA-256", DATA), salt]));
    const block = Buffer.concat([Buffer.alloc(bytes - salt.length - 34), Buffer.of(1), salt]);
    change(block);
    const mask = mgf1(h, block.length);
    const masked = Buffer.from(block.map((byte: number, i: number) => byte ^ (mask[i] ?? 0)));
    masked[0] = (masked[0] ?? 0) & 0x7f;
    return Buffer.concat([masked, h, Buffer.of(0xbc)]);
  }

  test("the salt may fill the key: no padding is needed", () => {
    const { sign, ...key } = makeKey(66);
    const signature = sign(encode(66, Buffer.alloc(32, 7)));
    expect(verifyRsa({ scheme, ...key, signature })).toBe(true);
  });

  test("a salt one byte too long for the key is refused", () => {
    const { sign, ...key } = makeKey(65);
    const signature = sign(Buffer.concat([Buffer.of(0), encode(66, Buffer.alloc(32, 7)).subarray(2)]));
    expect(verifyRsa({ scheme, ...key, signature })).toBe(false);
  });

  test("a digest too long for the key is refused", () => {
    const { sign, ...key } = makeKey(64);
    const signature = sign(Buffer.concat([Buffer.alloc(63, 1), Buffer.of(0xbc)]));
    expect(verifyRsa({ scheme: { family: "rsa-pss", hash: "SHA-512", saltLength: 0 }, ...key, signature })).toBe(false);
  });

  test("all seven used bits of the first byte may be set", () => {
    const { sign, ...key } = makeKey(100);
    // one salt in 128 does it
    let encoded = encode(100, Buffer.alloc(32));
    for (let i = 1; encoded[0] !== 0x7f; i++) encoded = encode(100, digest("SHA-256", `salt ${i}`));
    const signature = sign(encoded);
    expect(verifyRsa({ scheme, ...key, signature })).toBe(true);
  });

  test.each([0, 1, 33])("padding byte %i must be zero, of 34", (at) => {
    const { sign, ...key } = makeKey(100);
    const signature = sign(encode(100, Buffer.alloc(32, 7)));
    expect(verifyRsa({ scheme, ...key, signature })).toBe(true);
    const changed = encode(100, Buffer.alloc(32, 7), (block) => {
      block[at] = 1;
    });
    expect(verifyRsa({ scheme, ...key, signature: sign(changed) })).toBe(false);
  });
});
