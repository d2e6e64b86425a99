import { generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { expect, test } from "vitest";
import { readAlgorithm } from "../../../src/x509/certificate.ts";
import { context, encodeDer, encodeOid, readDer, Tag } from "../../../src/x509/der.ts";
import { verifySignature } from "../../../src/x509/signature.ts";
import { readPublicKey, signatureVectors, toInput } from "./signature-vectors.ts";

const NULL = encodeDer(Tag.null);
const sequence = (...parts: Uint8Array[]) => encodeDer(Tag.sequence, ...parts);
const integer = (bytes: Uint8Array) => encodeDer(Tag.integer, bytes);
const identifier = (oid: string, ...parameters: Uint8Array[]) =>
  readAlgorithm(readDer(sequence(encodeOid(oid), ...parameters), "algorithm"), "algorithm");

test.each(signatureVectors)("$title: $valid", async (vector) => {
  expect((await verifySignature(toInput(vector))).ok).toBe(vector.valid);
});

test("a good signature does not verify over other bytes", async () => {
  for (const vector of signatureVectors.filter(({ valid }) => valid))
    expect(await verifySignature({ ...toInput(vector), data: new Uint8Array(3) })).toMatchObject({ ok: false });
});

const RSA_SHA256 = "1.2.840.113549.1.1.11";
const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const data = new Uint8Array([1, 2, 3]);
const signature = sign("sha256", data, privateKey);
const spki = publicKey.export({ type: "spki", format: "der" });
const key = readPublicKey(spki);

test.each([
  ["1.2.840.113549.1.1.5", "SHA-1"],
  ["1.2.840.113549.1.1.4", "MD5 with RSA"],
  ["1.2.840.113549.1.1.2", "MD2 with RSA"],
  ["1.2.840.113549.1.1.14", "SHA-224 with RSA"],
  ["1.2.840.10045.4.1", "SHA-1"],
  ["1.2.840.10040.4.3", "DSA with SHA-1"],
  ["1.3.101.113", "Ed448"],
  ["1.2.3.4", "1.2.3.4"],
])("the algorithm %s is refused by name: %s", async (oid, name) => {
  const result = await verifySignature({ algorithm: identifier(oid), publicKey: key, data, signature });
  expect(result).toEqual({ ok: false, reason: `the algorithm ${name} is not accepted` });
});

const sha1 = sign("sha1", data, privateKey);
test("SHA-1 verifies only where a suite of its age allows it", async () => {
  const input = { algorithm: identifier("1.2.840.113549.1.1.5", NULL), publicKey: key, data, signature: sha1 };
  expect(await verifySignature(input)).toMatchObject({ ok: false });
  expect(await verifySignature(input, { minRsaBits: 2048, allowSha1: true })).toEqual({ ok: true });
});

const rsaKey = (modulus: Uint8Array, exponent: Uint8Array, oid = "1.2.840.113549.1.1.1", parameters = [NULL]) =>
  readPublicKey(
    sequence(
      sequence(encodeOid(oid), ...parameters),
      encodeDer(Tag.bitString, Uint8Array.of(0), sequence(integer(modulus), integer(exponent))),
    ),
  );
/** An odd number of that many bits, as a positive INTEGER. */
const modulusOf = (bits: number) => {
  const bytes = randomBytes(Math.ceil(bits / 8));
  bytes[0] = 1 << ((bits + 7) % 8);
  bytes[bytes.length - 1] = (bytes[bytes.length - 1] ?? 0) | 1;
  return (bytes[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.of(0), bytes]) : bytes;
};
const modulus = Buffer.concat([Buffer.of(0), Buffer.from(publicKey.export({ format: "jwk" }).n ?? "", "base64url")]);
const F4 = Uint8Array.of(1, 0, 1);

test.each([
  ["of 1024 bits", rsaKey(modulusOf(1024), F4), "an RSA key of 1024 bits is not accepted (2048 to 8192)"],
  ["of 2047 bits", rsaKey(modulusOf(2047), F4), "an RSA key of 2047 bits is not accepted (2048 to 8192)"],
  ["of 2052 bits", rsaKey(modulusOf(2052), F4), "an RSA key of 2052 bits, not whole bytes, is not accepted"],
  ["of 16384 bits", rsaKey(modulusOf(16384), F4), "an RSA key of 16384 bits is not accepted (2048 to 8192)"],
  ["with the exponent 1", rsaKey(modulus, Uint8Array.of(1)), "the RSA exponent 1 is not accepted"],
  ["with the exponent 2", rsaKey(modulus, Uint8Array.of(2)), "the RSA exponent 2 is not accepted"],
  ["with an even exponent", rsaKey(modulus, Uint8Array.of(1, 0, 0)), "the RSA exponent 65536 is not accepted"],
  [
    "with an exponent as long as itself",
    rsaKey(modulus, modulus),
    "the RSA exponent of more than 64 bits is not accepted",
  ],
  [
    "with an even modulus",
    rsaKey(
      modulus.map((byte: number, i: number) => (i === 256 ? byte & 0xfe : byte)),
      F4,
    ),
    "the RSA modulus is even",
  ],
  ["with a negative modulus", rsaKey(modulus.subarray(1), F4), "RSAPublicKey.modulus: not positive"],
  ["with the exponent 0", rsaKey(modulus, Uint8Array.of(0)), "RSAPublicKey.exponent: not positive"],
  [
    "with parameters",
    rsaKey(modulus, F4, "1.2.840.113549.1.1.1", [integer(F4)]),
    "an RSA key with parameters other than NULL",
  ],
  ["for RSASSA-PSS", rsaKey(modulus, F4, "1.2.840.113549.1.1.10", []), "the key is for RSASSA-PSS only"],
  ["for DSA", rsaKey(modulus, F4, "1.2.840.10040.4.1"), "a key of the algorithm 1.2.840.10040.4.1 is not accepted"],
])("an RSA key %s is refused", async (_, publicKey, reason) => {
  const result = await verifySignature({ algorithm: identifier(RSA_SHA256, NULL), publicKey, data, signature });
  expect(result).toEqual({ ok: false, reason });
});

test("an RSA key without parameters is one, as CAs on trusted lists have it", async () => {
  const publicKey = rsaKey(modulus, F4, "1.2.840.113549.1.1.1", []);
  const input = { algorithm: identifier(RSA_SHA256, NULL), publicKey, data, signature };
  expect(await verifySignature(input)).toEqual({ ok: true });
});

test("a key bound to RSASSA-PSS parameters is held to its hash and its least salt (RFC 4055 section 3.3)", async () => {
  // its least salt is as long as the hash
  const bound = { modulusLength: 2048, hashAlgorithm: "sha256", mgf1HashAlgorithm: "sha256" };
  const pss = generateKeyPairSync("rsa-pss", bound);
  const boundKey = readPublicKey(pss.publicKey.export({ type: "spki", format: "der" }));
  const verify = (hashOid: string, saltLength: number) => {
    const hash = sequence(encodeOid(hashOid), NULL);
    const parameters = sequence(
      encodeDer(context(0), hash),
      encodeDer(context(1), sequence(encodeOid("1.2.840.113549.1.1.8"), hash)),
      encodeDer(context(2), integer(Uint8Array.of(saltLength))),
    );
    const salted = sign("sha256", data, { key: pss.privateKey, saltLength: Math.max(32, saltLength) });
    const algorithm = identifier("1.2.840.113549.1.1.10", parameters);
    return verifySignature({ algorithm, publicKey: boundKey, data, signature: salted });
  };
  const reason = "the parameters of the signature are not those of its RSASSA-PSS key";
  const SHA256 = "2.16.840.1.101.3.4.2.1";
  expect(await verify(SHA256, 32)).toEqual({ ok: true });
  expect(await verify(SHA256, 33)).toEqual({ ok: true });
  expect(await verify(SHA256, 31)).toEqual({ ok: false, reason });
  expect(await verify("2.16.840.1.101.3.4.2.2", 32)).toEqual({ ok: false, reason });
});

test("an Ed25519 key has no parameters, not even NULL (RFC 8410 section 3)", async () => {
  const ed25519 = generateKeyPairSync("ed25519");
  const input = { algorithm: identifier("1.3.101.112"), data, signature: sign(null, data, ed25519.privateKey) };
  const bare = readPublicKey(ed25519.publicKey.export({ type: "spki", format: "der" }));
  expect(await verifySignature({ ...input, publicKey: bare })).toEqual({ ok: true });
  const withNull = readPublicKey(
    sequence(sequence(encodeOid("1.3.101.112"), NULL), encodeDer(Tag.bitString, Uint8Array.of(0), bare.bits)),
  );
  expect(await verifySignature({ ...input, publicKey: withNull })).toEqual({
    ok: false,
    reason: "Ed25519 key with parameters, which RFC 8410 forbids",
  });
});

const { publicKey: ecPublic, privateKey: ecPrivate } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const ecSpki = ecPublic.export({ type: "spki", format: "der" });
const ecSignature = sign("sha256", data, ecPrivate);
const ecInput = { algorithm: identifier("1.2.840.10045.4.3.2"), publicKey: readPublicKey(ecSpki), data };
const [rLength = 0] = ecSignature.subarray(3);
const r = ecSignature.subarray(4, 4 + rLength);
const s = ecSignature.subarray(6 + rLength);

test.each([
  ["trailing bytes", Buffer.concat([ecSignature, Buffer.of(0)])],
  ["trailing bytes inside", sequence(integer(r), integer(s), NULL)],
  ["a length in the long form", Buffer.concat([Buffer.of(0x30, 0x81), ecSignature.subarray(1)])],
  ["an indefinite length", Buffer.concat([Buffer.of(0x30, 0x80), ecSignature.subarray(2), Buffer.of(0, 0)])],
  ["a number with needless zeros", sequence(integer(Buffer.concat([Buffer.of(0, 0), r])), integer(s))],
  ["a negative number", sequence(integer(Uint8Array.of(0xff)), integer(s))],
  ["a number larger than the curve", sequence(integer(Buffer.concat([Buffer.of(1), Buffer.alloc(32)])), integer(s))],
  ["r and s side by side", Buffer.concat([Buffer.alloc(32, 1), Buffer.alloc(32, 1)])],
  ["nothing", Buffer.alloc(0)],
])("an ECDSA signature with %s is refused", async (_, odd) => {
  expect(await verifySignature({ ...ecInput, signature: ecSignature })).toEqual({ ok: true });
  expect(await verifySignature({ ...ecInput, signature: odd })).toMatchObject({ ok: false });
});

const ecKey = (parameters: Uint8Array | null, point: Uint8Array) =>
  readPublicKey(
    sequence(
      sequence(encodeOid("1.2.840.10045.2.1"), ...(parameters ? [parameters] : [])),
      encodeDer(Tag.bitString, Uint8Array.of(0), point),
    ),
  );
const P256 = encodeOid("1.2.840.10045.3.1.7");
const point = readPublicKey(ecSpki).bits;

test.each([
  ["no curve", ecKey(null, point), /not named/],
  ["an explicit curve", ecKey(sequence(integer(Uint8Array.of(1))), point), /not named/],
  ["the curve P-192", ecKey(encodeOid("1.2.840.10045.3.1.1"), point), /1\.2\.840\.10045\.3\.1\.1 is not accepted/],
  ["a compressed point", ecKey(P256, Buffer.concat([Buffer.of(2), point.subarray(1, 33)])), /uncompressed/],
  [
    "a point off the curve",
    ecKey(
      P256,
      point.map((byte, i) => (i === 64 ? byte ^ 1 : byte)),
    ),
    /not made with this key/,
  ],
])("an EC key with %s is refused", async (_, publicKey, reason) => {
  const result = await verifySignature({ ...ecInput, publicKey, signature: ecSignature });
  expect(result).toEqual({ ok: false, reason: expect.stringMatching(reason) });
});
