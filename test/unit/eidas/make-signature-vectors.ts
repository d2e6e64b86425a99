/**
 * Makes signature-vectors.json: signatures good and forged, which Node and workerd must judge alike (signature.test.ts, in
 * test/unit and in test/worker). `node test/unit/eidas/make-signature-vectors.ts`; keys are made anew each time.
 */
import {
  constants,
  createHash,
  generateKeyPairSync,
  type KeyObject,
  privateEncrypt,
  randomBytes,
  type SignKeyObjectInput,
  sign,
} from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { context, Tag } from "../../../src/eidas/der.ts";
import { encodeDer, encodeOid } from "../../../src/eidas/der-encode.ts";
import type { SignatureVector } from "./signature-vectors.ts";

type Pair = { publicKey: KeyObject; privateKey: KeyObject };

const DATA = Buffer.from("what was signed");
const NULL = encodeDer(Tag.null);
const sequence = (...parts: Uint8Array[]) => encodeDer(Tag.sequence, ...parts);
const integer = (...bytes: number[]) => encodeDer(Tag.integer, Uint8Array.from(bytes));
const algorithm = (oid: string, ...parameters: Uint8Array[]) => sequence(encodeOid(oid), ...parameters);

const RSA = { sha256: "1.2.840.113549.1.1.11", sha384: "1.2.840.113549.1.1.12", sha512: "1.2.840.113549.1.1.13" };
const ECDSA = { sha256: "1.2.840.10045.4.3.2", sha384: "1.2.840.10045.4.3.3", sha512: "1.2.840.10045.4.3.4" };
const HASH = {
  sha1: "1.3.14.3.2.26",
  sha256: "2.16.840.1.101.3.4.2.1",
  sha384: "2.16.840.1.101.3.4.2.2",
  sha512: "2.16.840.1.101.3.4.2.3",
};
type HashName = keyof typeof ECDSA;
const HASHES: HashName[] = ["sha256", "sha384", "sha512"];

const rsa = (bits: number, publicExponent = 65537): Pair =>
  generateKeyPairSync("rsa", { modulusLength: bits, publicExponent });
const ec = (namedCurve: string): Pair => generateKeyPairSync("ec", { namedCurve });

const vectors: SignatureVector[] = [];
function add(
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
const byKey = (hash: HashName, key: Pair, how: Partial<SignKeyObjectInput> = {}) =>
  sign(hash, DATA, { key: key.privateKey, ...how });
const flipped = (signature: Buffer) => Buffer.from(signature.map((byte, i) => (i === 40 ? byte ^ 1 : byte)));

/** RSASSA-PSS-params. */
const pss = (hash: keyof typeof HASH, mask: keyof typeof HASH, salt: number, trailer?: number) =>
  algorithm(
    "1.2.840.113549.1.1.10",
    sequence(
      encodeDer(context(0), algorithm(HASH[hash], NULL)),
      encodeDer(context(1), algorithm("1.2.840.113549.1.1.8", algorithm(HASH[mask], NULL))),
      encodeDer(context(2), integer(salt)),
      ...(trailer === undefined ? [] : [encodeDer(context(3), integer(trailer))]),
    ),
  );

const plain = rsa(2048);
for (const [name, key] of Object.entries({
  "the exponent 65537": plain,
  "the exponent 3": rsa(2048, 3),
  "the exponent 257": rsa(2048, 257),
  "the exponent 4294967291": rsa(3072, 4294967291),
}))
  for (const hash of HASHES) {
    const pkcs1 = byKey(hash, key);
    add(`RSA, ${name}, ${hash}`, true, key, algorithm(RSA[hash], NULL), pkcs1);
    add(`RSA, ${name}, ${hash}, altered`, false, key, algorithm(RSA[hash], NULL), flipped(pkcs1));
    const length = { sha256: 32, sha384: 48, sha512: 64 }[hash];
    const salted = byKey(hash, key, { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: length });
    add(`RSASSA-PSS, ${name}, ${hash}`, true, key, pss(hash, hash, length), salted);
    add(`RSASSA-PSS, ${name}, ${hash}, altered`, false, key, pss(hash, hash, length), flipped(salted));
    add(`RSASSA-PSS, ${name}, ${hash}, another salt length`, false, key, pss(hash, hash, length - 1), salted);
  }

for (const [name, key] of Object.entries({ "the exponent 65537": plain, "the exponent 257": rsa(2048, 257) })) {
  const digest = createHash("sha256").update(DATA).digest();
  const info = sequence(algorithm(HASH.sha256, NULL), encodeDer(Tag.octetString, digest));
  const noNull = sequence(algorithm(HASH.sha256), encodeDer(Tag.octetString, digest));
  const berLength = Buffer.concat([Buffer.of(0x30, 0x81, info.length - 2), info.subarray(2)]);
  const encode = (payload: Uint8Array, head = [0, 1], fill = 0xff, tail: Uint8Array = Buffer.alloc(0)) => {
    const padding = Buffer.alloc(256 - head.length - 1 - payload.length - tail.length, fill);
    return Buffer.concat([Buffer.from(head), padding, Buffer.of(0), payload, tail]);
  };
  const forge = (encoded: Buffer) =>
    privateEncrypt({ key: key.privateKey, padding: constants.RSA_NO_PADDING }, encoded);
  const sha256 = algorithm(RSA.sha256, NULL);
  const good = forge(encode(info));
  const garbage = randomBytes(150);
  add(`RSA, ${name}: the one right encoding`, true, key, sha256, good);
  add(`RSA, ${name}: no NULL in the DigestInfo`, false, key, sha256, forge(encode(noNull)));
  add(`RSA, ${name}: a BER length in the DigestInfo`, false, key, sha256, forge(encode(berLength)));
  add(
    `RSA, ${name}: short padding, garbage after the digest`,
    false,
    key,
    sha256,
    forge(encode(info, [0, 1], 0xff, garbage)),
  );
  add(`RSA, ${name}: block type 2`, false, key, sha256, forge(encode(info, [0, 2])));
  add(`RSA, ${name}: block type 0`, false, key, sha256, forge(encode(info, [0, 0], 0)));
  add(`RSA, ${name}: padding of another byte`, false, key, sha256, forge(encode(info, [0, 1], 0xfe)));
  add(`RSA, ${name}: the digest alone`, false, key, sha256, forge(encode(digest)));
  add(`RSA, ${name}: the signature 0`, false, key, sha256, Buffer.alloc(256));
  add(`RSA, ${name}: the signature 1`, false, key, sha256, Buffer.concat([Buffer.alloc(255), Buffer.of(1)]));
  add(`RSA, ${name}: a byte too long`, false, key, sha256, Buffer.concat([Buffer.of(0), good]));
  add(`RSA, ${name}: a byte too short`, false, key, sha256, good.subarray(1));
  add(`RSA, ${name}: empty`, false, key, sha256, Buffer.alloc(0));
  const modulus = Buffer.from(key.publicKey.export({ format: "jwk" }).n ?? "", "base64url");
  add(`RSA, ${name}: the modulus itself`, false, key, sha256, modulus);
  add(`RSA, ${name}: no parameters, which RFC 4055 has us read`, true, key, algorithm(RSA.sha256), good);
  add(`RSA, ${name}: parameters that are not NULL`, false, key, algorithm(RSA.sha256, integer(1)), good);
  const salted = byKey("sha256", key, { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 });
  const unsalted = byKey("sha256", key, { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 0 });
  add(`RSASSA-PSS, ${name}: no salt`, true, key, pss("sha256", "sha256", 0), unsalted);
  add(`RSASSA-PSS, ${name}: trailer 1, written out`, true, key, pss("sha256", "sha256", 32, 1), salted);
  add(`RSASSA-PSS, ${name}: trailer 2`, false, key, pss("sha256", "sha256", 32, 2), salted);
  add(`RSASSA-PSS, ${name}: a mask by another hash`, false, key, pss("sha256", "sha512", 32), salted);
  add(`RSASSA-PSS, ${name}: a salt longer than the key`, false, key, pss("sha256", "sha256", 127), salted);
  add(`RSASSA-PSS, ${name}: no parameters`, false, key, algorithm("1.2.840.113549.1.1.10"), salted);
}

for (const curve of ["P-256", "P-384", "P-521"]) {
  const key = ec(curve);
  for (const hash of HASHES) {
    add(`ECDSA ${curve} ${hash}`, true, key, algorithm(ECDSA[hash]), byKey(hash, key));
    add(`ECDSA ${curve} ${hash}, altered`, false, key, algorithm(ECDSA[hash]), flipped(byKey(hash, key)));
  }
  add(`ECDSA ${curve} with parameters`, false, key, algorithm(ECDSA.sha256, NULL), byKey("sha256", key));
  const [r, s] = [integer(1), integer(1)];
  add(`ECDSA ${curve}: r and s are 0`, false, key, algorithm(ECDSA.sha256), sequence(integer(0), integer(0)));
  add(`ECDSA ${curve}: a third number`, false, key, algorithm(ECDSA.sha256), sequence(r, s, integer(1)));
}
const edwards: Pair = generateKeyPairSync("ed25519");
const ed25519 = sign(null, DATA, edwards.privateKey);
add("Ed25519", true, edwards, algorithm("1.3.101.112"), ed25519);
add("Ed25519, altered", false, edwards, algorithm("1.3.101.112"), flipped(ed25519));
add("Ed25519 with parameters", false, edwards, algorithm("1.3.101.112", NULL), ed25519);
add("Ed25519 by an RSA key", false, plain, algorithm("1.3.101.112"), ed25519);
add("RSA by an Ed25519 key", false, edwards, algorithm(RSA.sha256, NULL), byKey("sha256", plain));

writeFileSync(join(import.meta.dirname, "signature-vectors.json"), `${JSON.stringify(vectors, null, 2)}\n`);
