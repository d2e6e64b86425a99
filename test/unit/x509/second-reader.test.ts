/**
 * Our reader of certificates against `@peculiar/x509`: every field of every certificate at hand, among them broken ones.
 * What ours refuses, the library must refuse too.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import { makeSuites } from "../../../fixtures/make-suites.ts";
import { fromBase64 } from "../../../src/platform/encoding.ts";
import { type Certificate, CertificateError, parseCertificate } from "../../../src/x509/certificate.ts";
import { sharedData } from "../../shared-data.ts";
import { type Fields, readOurs, readTheirs } from "./second-reader.ts";

const FIXTURES = join(import.meta.dirname, "../../../fixtures");
const suites = mkdtempSync(join(tmpdir(), "second-reader-"));
afterAll(() => rmSync(suites, { recursive: true }));
await makeSuites(suites);

const CERTIFICATE = /-----BEGIN CERTIFICATE-----([^-]+)-----END|X509Certificate>([^<]+)</g;

/** Every certificate in the files of a folder: in PEM, also within JSON, and in the elements of trusted lists. */
function findCertificates(folder: string): Uint8Array[] {
  const found = new Set<string>();
  for (const path of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    const file = join(folder, path);
    if (!/\.(pem|json|xml)$/.test(path) || !statSync(file).isFile()) continue;
    for (const [, pem, element] of readFileSync(file, "utf8").matchAll(CERTIFICATE))
      found.add((pem ?? element ?? "").replaceAll(/\\[nr]|\s/g, ""));
  }
  return [...found].flatMap((base64) => fromBase64(base64) ?? []);
}

function compare(ders: readonly Uint8Array[]) {
  let same = 0;
  const unread: string[] = [];
  const refused: string[] = [];
  for (const der of ders) {
    const ours = parse(der);
    if (typeof ours === "string") {
      refused.push(ours);
      expect(() => readTheirs(der), ours).toThrow();
      continue;
    }
    const failed = compareFields(readOurs(ours), readTheirs(der), ours.fingerprint);
    if (failed.length === 0) same++;
    unread.push(...failed);
  }
  return { same, unread, refused };
}

/** Fields that the library cannot read, each with its error; all others are the same. */
function compareFields(ours: Fields, theirs: ReturnType<typeof readTheirs>, fingerprint: string): string[] {
  const failed: string[] = [];
  for (const [field, read] of Object.entries(theirs)) {
    let value: unknown;
    try {
      value = read();
    } catch (error) {
      failed.push(`${field}: ${error instanceof Error ? error.message : error}`);
      continue;
    }
    const expected = ours[field as keyof Fields];
    // the cheaper comparison first
    if (!isDeepStrictEqual(value, expected)) expect(value, `${field} of ${fingerprint}`).toEqual(expected);
  }
  return failed;
}

/** The certificate, or why it is refused. */
function parse(der: Uint8Array): Certificate | string {
  try {
    return parseCertificate(der);
  } catch (error) {
    if (error instanceof CertificateError) return error.message;
    throw error;
  }
}

// the library reads the contents of known extensions and of RSA keys, too; ours leaves them to the rules that need them
const BROKEN_EXTENSION =
  "extensions: End of input reached before message was fully decoded (inconsistent offset and length values)";
const EMPTY_RSA_KEY = "publicKey: Input buffer has zero length";

describe("both readers agree on every field", () => {
  test("of the sandbox's certificates", () => {
    expect(compare(findCertificates(FIXTURES))).toEqual({ same: 28, unread: [], refused: [] });
  });

  test("of the made suites, but for one extension that is broken on purpose", () => {
    const { same, unread, refused } = compare(findCertificates(suites));
    expect(same).toBeGreaterThanOrEqual(700);
    expect(unread).toEqual([BROKEN_EXTENSION]);
    expect(refused).toEqual(["tbsCertificate: missing"]);
  });

  test.runIf(sharedData)("of certificates and trusted lists by others, but for two that x509-limbo broke", () => {
    const { same, unread, refused } = compare(findCertificates(sharedData ?? ""));
    expect(same).toBeGreaterThanOrEqual(1400);
    expect(unread).toEqual([EMPTY_RSA_KEY, BROKEN_EXTENSION]);
    expect(refused).toEqual(["certificate: truncated"]);
    // some 2,200 certificates, each read by the slower reader too
  });
});
