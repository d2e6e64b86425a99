/** Files with certificates as people have them, those of OpenSSL's PKCS#7 among them. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findIssuers, readCertificateFile } from "../../../src/console/check/certificate-file.ts";
import { fromBase64, toBase64, toBase64Url } from "../../../src/platform/encoding.ts";
import { readSignedCertificates } from "../../../src/x509/certificate-bag.ts";
import { context, encodeDer, encodeOid, Tag } from "../../../src/x509/der.ts";
import { findTool } from "../../tools.ts";

const FOLDER = join(import.meta.dirname, "../../../fixtures/certificates");
const pem = (name: string): string => readFileSync(join(FOLDER, `${name}.pem`), "utf8");
const ders = (name: string): Uint8Array<ArrayBuffer>[] =>
  pem(name)
    .split(/(?<=-----END CERTIFICATE-----)/)
    .map((block) => fromBase64(block.replaceAll(/-----[^-]+-----|\s/g, "")) ?? new Uint8Array())
    .filter(({ length }) => length > 0);
const text = (value: string): Uint8Array => new TextEncoder().encode(value);
const one = ders("scenario-1")[0] ?? new Uint8Array();

const version = encodeDer(Tag.integer, Uint8Array.of(1));
const emptySet = encodeDer(Tag.set);
const data = encodeDer(Tag.sequence, encodeOid("1.2.840.113549.1.7.1"));
const container = (certificates: readonly Uint8Array[], type = "1.2.840.113549.1.7.2") =>
  encodeDer(
    Tag.sequence,
    encodeOid(type),
    encodeDer(
      context(0),
      encodeDer(Tag.sequence, version, emptySet, data, encodeDer(context(0), ...certificates), emptySet),
    ),
  );
const armoured = (label: string, der: Uint8Array) =>
  `-----BEGIN ${label}-----\r\n${toBase64(der).replaceAll(/.{64}/g, "$&\r\n")}\r\n-----END ${label}-----\r\n`;

/** Numbers of PSPs' own certificates and of issuers; or why there are none. */
const read = (bytes: Uint8Array) => {
  const file = readCertificateFile(bytes);
  return file.ok ? [file.own.length, file.issuers.length] : file.message;
};

const CHAIN = ders("chain-valid");
const ISSUERS = CHAIN.length - 1;

test.each<[string, Uint8Array, [own: number, issuers: number]]>([
  ["PEM", text(pem("scenario-1")), [1, 0]],
  [
    "PEM with a byte order mark, CRLF and a heading",
    text(`\uFEFFAmber\r\n${pem("scenario-1").replaceAll("\n", "\r\n")}`),
    [1, 0],
  ],
  ["PEM of a PSP with its issuer", text(pem("chain-valid")), [1, ISSUERS]],
  ["PEM of three PSPs", text(["scenario-1", "scenario-2", "scenario-3"].map(pem).join("\n")), [3, 0]],
  ["DER", one, [1, 0]],
  ["DER, one after another", Uint8Array.from(CHAIN.flatMap((der) => [...der])), [1, ISSUERS]],
  ["base64", text(toBase64(one)), [1, 0]],
  ["base64url without padding", text(toBase64Url(one)), [1, 0]],
  ["P7B in DER", container(CHAIN), [1, ISSUERS]],
  ["P7B in PEM", text(armoured("PKCS7", container(CHAIN))), [1, ISSUERS]],
  ["P7B in PEM, labelled as CMS", text(armoured("CMS", container(CHAIN))), [1, ISSUERS]],
  ["P7B in base64", text(toBase64(container(CHAIN))), [1, ISSUERS]],
  ["P7B labelled as a certificate", text(armoured("CERTIFICATE", container(CHAIN))), [1, ISSUERS]],
])("%s", (_, bytes, expected) => {
  expect(read(bytes)).toEqual(expected);
});

test.each<[string, Uint8Array, RegExp]>([
  ["nothing", new Uint8Array(), /^empty$/],
  ["a text", text("Dear bank: find attached"), /not base64/],
  ["a private key", text("-----BEGIN PRIVATE KEY-----\nAA==\n-----END PRIVATE KEY-----"), /a private key/],
  [
    "a request",
    text("-----BEGIN CERTIFICATE REQUEST-----\nAA==\n-----END CERTIFICATE REQUEST-----"),
    /signing request/,
  ],
  ["a cut off file", one.subarray(0, 300), /truncated/],
  ["a P7B without certificates", container([]), /^a PKCS#7 container without certificates$/],
  ["a P7B of other content", container(CHAIN, "1.2.840.113549.1.7.3"), /^a PKCS#7 container that is not strict DER/],
  ["a P7B with another end", Uint8Array.from([...container(CHAIN), 1, 2, 3]), /after its end/],
  ["a P7B with something else in it", container([encodeDer(Tag.sequence, version)]), /certificate/],
])("%s is refused by name", (_, bytes, message) => {
  expect(read(bytes)).toMatch(message);
});

test("no bytes make the reader throw", () => {
  const whole = container(CHAIN);
  const mutated = fc.tuple(fc.nat(whole.length - 1), fc.nat(255)).map(([at, value]) => whole.with(at, value));
  const cut = fc.nat(whole.length).map((length) => whole.subarray(0, length));
  fc.assert(
    fc.property(fc.oneof(mutated, cut, fc.uint8Array({ maxLength: 300 })), (bytes) => {
      const file = readCertificateFile(bytes);
      if (!file.ok) expect(file.message).toMatch(/./);
    }),
    { numRuns: 3000 },
  );
});

test("issuers are found by name, nearest first, and others left out", () => {
  const file = readCertificateFile(text(pem("chain-valid")));
  const other = readCertificateFile(text(pem("chain-revoked-issuer")));
  if (!file.ok || !other.ok || !file.own[0]) throw new Error("unreadable");
  const found = findIssuers(file.own[0], [...other.issuers, ...file.issuers]);
  expect(found.map(({ fingerprint }) => fingerprint)).toEqual(file.issuers.map(({ fingerprint }) => fingerprint));
});

const openssl = findTool("openssl");
describe.runIf(openssl)("OpenSSL's PKCS#7", () => {
  test.each(["DER", "PEM"])("in %s has the certificates that were put into it", (form) => {
    const made = spawnSync(
      openssl ?? "",
      ["crl2pkcs7", "-nocrl", "-certfile", join(FOLDER, "chain-valid.pem"), "-outform", form],
      { maxBuffer: 1e6 },
    );
    const bytes = new Uint8Array(made.stdout);
    expect(read(bytes)).toEqual([1, ISSUERS]);
    if (form === "DER") expect(readSignedCertificates(bytes).map(toBase64).sort()).toEqual(CHAIN.map(toBase64).sort());
  });
});
