/**
 * Makes signature-vectors.json: signatures good and forged, which Node and workerd must judge alike (signature.test.ts, in
 * test/unit and in test/worker). `node test/unit/x509/make-signature-vectors.ts`; keys are made anew each time.
 */
import { constants, generateKeyPairSync, sign } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { sequence } from "../../../fixtures/makers/made-pki.ts";
import { algorithm, ECDSA, HASHES, NULL, pss, RSA } from "../../../fixtures/makers/signature-algorithms.ts";
import { addForgeries } from "./forged-rsa.ts";
import { add, byKey, DATA, ec, flipped, integer, type Pair, rsa, vectors } from "./signature-maker.ts";

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

addForgeries("the exponent 65537", plain);
addForgeries("the exponent 257", rsa(2048, 257));

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
