/**
 * Writes corpus.json, where the fuzzer begins: `npm run node test/fuzz/make-corpus.ts`. Made once, since signatures by
 * ECDSA and sealed texts differ from run to run, and then the same seed would draw other inputs.
 */
import { generateKeyPairSync, sign } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeOdd } from "../../fixtures/suites/certificates/odd-certificate.ts";
import { ODD_STATEMENTS } from "../../fixtures/suites/certificates/odd-statements.ts";
import { ODD_SUBJECTS } from "../../fixtures/suites/certificates/odd-subjects.ts";
import { leafOf } from "../../fixtures/suites/paths/path-case.ts";
import { PATHS } from "../../fixtures/suites/paths/path-suite.ts";
import type { AnswerSuite } from "../../fixtures/suites/revocation/answer-case.ts";
import { CRLS } from "../../fixtures/suites/revocation/crl-suite.ts";
import { OCSP, OCSP_AGE } from "../../fixtures/suites/revocation/ocsp-suite.ts";
import {
  makeListOfLists,
  makePivots,
  nationalList,
  PINNED,
  TERRITORIES,
} from "../../fixtures/suites/trusted-lists/list-world.ts";
import { QC_STATEMENTS_EXTENSION } from "../../src/eidas/qc-statements.ts";
import { writeAccessToken, writeCcgToken } from "../../src/grants/token-texts.ts";
import { toBase64, toBase64Url } from "../../src/platform/encoding.ts";
import { findExtension } from "../../src/x509/certificate.ts";
import { KEYS, makeArchive, makeParts, makeProven } from "../unit/evidence/archive/made-archive.ts";
import { makeExchange } from "../unit/evidence/signatures/signed-exchange.ts";
import { type Circumstances, CORPUS_FILE, type Corpus, FI_ID, TOKEN_KEYS } from "./corpus.ts";
import { toBytes } from "./target.ts";

const FIXTURES = join(import.meta.dirname, "../../fixtures");
const bodyOf = (pem: string): Uint8Array => Buffer.from(pem.replaceAll(/-----[^-]+-----|\s/g, ""), "base64");
const pems = (folder: string): Uint8Array[] =>
  readdirSync(join(FIXTURES, folder))
    .filter((file) => file.endsWith(".pem"))
    .map((file) => bodyOf(readFileSync(join(FIXTURES, folder, file), "latin1").split("-----END")[0] ?? ""));

const odd = [...ODD_SUBJECTS, ...ODD_STATEMENTS].map((one) => makeOdd(one).certificate);
const paths = PATHS.filter((_, i) => i % 8 === 0)
  .map(leafOf)
  .map((leaf) => ("der" in leaf ? leaf.der : leaf));

const answers = ({ cases }: AnswerSuite) =>
  cases.filter(({ response }) => response.length < 8_000).map(({ response }) => toBase64(response));

/** Of a suite's first case, which is enough: the others' are of the same making. */
const circumstances = ({ cases: [first], verifyTime }: AnswerSuite): Circumstances => ({
  issuer: toBase64(first?.issuer.der ?? new Uint8Array()),
  certificate: first?.certificate ? toBase64(first.certificate.der) : null,
  verifyTime,
});

const parts = await makeParts();
const { head, answer, keys } = await makeExchange();

const team = generateKeyPairSync("rsa", { modulusLength: 2048 });
const encode = (value: object) => toBase64Url(toBytes(JSON.stringify(value)));
const claims = {
  iss: "https://team.example",
  aud: ["aud"],
  exp: 2_000_000_000,
  iat: 1_700_000_000,
  email: "ops@bank.example",
};
const signed = `${encode({ alg: "RS256", kid: "team", typ: "JWT" })}.${encode(claims)}`;
const assertion = `${signed}.${toBase64Url(sign("sha256", Buffer.from(signed), team.privateKey))}`;
const { n = "", e = "" } = team.publicKey.export({ format: "jwk" });

const corpus: Corpus = {
  certificates: [...pems("certificates"), ...pems("issuers"), ...odd.map(({ der }) => der), ...paths].map(toBase64),
  statements: odd.flatMap((one) => findExtension(one, QC_STATEMENTS_EXTENSION)?.value ?? []).map(toBase64),
  ocsp: { ...circumstances(OCSP), answers: [...answers(OCSP), ...answers(OCSP_AGE)] },
  crls: { ...circumstances(CRLS), answers: answers(CRLS) },
  lists: [await makeListOfLists(), ...(await Promise.all(TERRITORIES.map(nationalList)))].map(toBase64),
  pivots: [...(await makePivots()).values()].map(toBase64),
  pinned: PINNED.map(toBase64),
  archive: toBase64(makeArchive(parts)),
  proven: toBase64(await makeProven(parts, [2, 0])),
  archiveKeys: KEYS,
  exchange: { text: `${head}${answer}`, keys },
  access: { assertion, key: { kid: "team", kty: "RSA", n, e } },
  tokens: [
    writeAccessToken(TOKEN_KEYS.newest, FI_ID, "0mwqxj5kbWmFzZTY0"),
    writeCcgToken(TOKEN_KEYS, {
      fiId: FI_ID,
      pspId: "PSDXX-TEST-000001",
      scope: "accounts",
      services: [8],
      exp: 2_000_000_000,
    }),
  ],
};
writeFileSync(CORPUS_FILE, `${JSON.stringify(corpus, null, 1)}\n`);
