/** RSA signatures over encodings that are wrong in one place each, made with the private key: forgeries that a lax check takes. */
import { constants, createHash, privateEncrypt, publicDecrypt, randomBytes } from "node:crypto";
import { sequence } from "../../../fixtures/makers/made-pki.ts";
import { algorithm, HASH, NULL, pss, RSA } from "../../../fixtures/makers/signature-algorithms.ts";
import { encodeDer, Tag } from "../../../src/x509/der.ts";
import { add, byKey, DATA, integer, type Pair } from "./signature-maker.ts";

export function addForgeries(name: string, key: Pair): void {
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
  const n = BigInt(`0x${modulus.toString("hex")}`);
  const top = 2n ** 2048n;
  const toNumber = (bytes: Buffer) => BigInt(`0x${bytes.toString("hex")}`);
  const toBytes = (value: bigint) => Buffer.from(value.toString(16).padStart(512, "0"), "hex");
  const salting = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 };
  const saltedUntil = (fits: (signature: Buffer) => boolean): Buffer => {
    for (;;) {
      const signature = byKey("sha256", key, salting);
      if (fits(signature)) return signature;
    }
  };
  const small = toNumber(saltedUntil((signature) => toNumber(signature) + n < top));
  add(`RSASSA-PSS, ${name}: the modulus added`, false, key, pss("sha256", "sha256", 32), toBytes(small + n));
  /** A signature whose encoded message is altered before it is signed; the digest in it stays right. */
  const encodedOf = (signature: Buffer) =>
    publicDecrypt({ key: key.publicKey, padding: constants.RSA_NO_PADDING }, signature);
  const withTopBit = (encoded: Buffer) => Buffer.concat([Buffer.of((encoded[0] ?? 0) | 0x80), encoded.subarray(1)]);
  const low = encodedOf(saltedUntil((signature) => toNumber(withTopBit(encodedOf(signature))) < n));
  add(`RSASSA-PSS, ${name}: the unused bit set`, false, key, pss("sha256", "sha256", 32), forge(withTopBit(low)));
  // 256 bytes: a padding of 190, the byte 1, a salt of 32, the digest of 32, the byte 0xbc
  const altered = (at: number) => forge(Buffer.from(low.map((byte, i) => (i === at ? byte ^ 2 : byte))));
  add(`RSASSA-PSS, ${name}: padding that is not zero`, false, key, pss("sha256", "sha256", 32), altered(100));
  add(`RSASSA-PSS, ${name}: no byte 1 before the salt`, false, key, pss("sha256", "sha256", 32), altered(190));
  add(`RSASSA-PSS, ${name}: another last byte`, false, key, pss("sha256", "sha256", 32), altered(255));
  add(`RSASSA-PSS, ${name}: the encoding unaltered`, true, key, pss("sha256", "sha256", 32), forge(low));
  add(`RSASSA-PSS, ${name}: no salt`, true, key, pss("sha256", "sha256", 0), unsalted);
  add(`RSASSA-PSS, ${name}: trailer 1, written out`, true, key, pss("sha256", "sha256", 32, 1), salted);
  add(`RSASSA-PSS, ${name}: trailer 2`, false, key, pss("sha256", "sha256", 32, 2), salted);
  add(`RSASSA-PSS, ${name}: a mask by another hash`, false, key, pss("sha256", "sha512", 32), salted);
  add(`RSASSA-PSS, ${name}: a salt longer than the key`, false, key, pss("sha256", "sha256", 127), salted);
  add(`RSASSA-PSS, ${name}: no parameters`, false, key, algorithm("1.2.840.113549.1.1.10"), salted);
}
