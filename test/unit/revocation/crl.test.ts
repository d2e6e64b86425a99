import { expect, test } from "vitest";
import {
  at,
  crlAt,
  generalizedTime,
  integer,
  issuingPoint,
  keyUsage,
  type MadeExtension,
  makeCertificate,
  makeCrl,
  sequence,
} from "../../../fixtures/makers/made-pki.ts";
import { parseCrl } from "../../../src/revocation/crl.ts";
import { checkCrl, verifyCrlAuthenticity } from "../../../src/revocation/crl-check.ts";
import type { Certificate } from "../../../src/x509/certificate.ts";
import { context, DerError, encodeDer, encodeOid, readDer, Tag } from "../../../src/x509/der.ts";
import exceptions from "../../conformance/exceptions.json" with { type: "json" };

const NOW = at("2026-06-10T00:00:00Z");
const URL = "http://crl.test/ca.crl";
const BASIC_CONSTRAINTS_CA = { oid: "2.5.29.19", value: Uint8Array.of(0x30, 3, 1, 1, 0xff) };

const issuer = makeCertificate({ subject: "CA" });
const other = makeCertificate({ subject: "Other CA" });
const signerless = makeCertificate({ subject: "CA", extensions: [keyUsage(5)] });
const leaf = makeCertificate({ subject: "PSP", issuer, serial: "0a1b2c", extensions: [crlAt(URL)] }).certificate;
const bare = makeCertificate({ subject: "PSP", issuer, serial: "0a1b2c" }).certificate;
const ca = makeCertificate({
  subject: "Sub",
  issuer,
  serial: "0a1b2c",
  extensions: [BASIC_CONSTRAINTS_CA],
}).certificate;

const check = (der: Uint8Array, certificate = leaf, by = issuer) =>
  checkCrl({ crl: der, certificate, issuer: by.certificate, now: NOW });

const number = (hex: string, critical = false): MadeExtension => ({ oid: "2.5.29.20", critical, value: integer(hex) });
const unknown = (critical: boolean): MadeExtension => ({ oid: "1.2.3.4", critical, value: Uint8Array.of(5, 0) });
const delta: MadeExtension = { oid: "2.5.29.27", critical: true, value: integer("01") };
const keyId = (byte: number): MadeExtension => ({ oid: "2.5.29.35", value: Uint8Array.of(0x30, 3, 0x80, 1, byte) });

test.each([
  ["lists nobody", makeCrl({ issuer }), leaf],
  ["lists others", makeCrl({ issuer, entries: [{ serial: "0a1b2d" }, { serial: "1b2c" }] }), leaf],
  ["is of version 1", makeCrl({ issuer, version: 1 }), leaf],
  ["has an unknown extension that is not critical", makeCrl({ issuer, extensions: [unknown(false)] }), leaf],
  ["is for the certificate's distribution point", makeCrl({ issuer, extensions: [issuingPoint(URL)] }), leaf],
  ["lists users only, and the certificate is one", makeCrl({ issuer, extensions: [issuingPoint(null, 1)] }), leaf],
  ["lists CAs only, and the certificate is one", makeCrl({ issuer, extensions: [issuingPoint(null, 2)] }), ca],
  ["has no distribution point for a certificate that names none", makeCrl({ issuer }), bare],
])("a certificate is good when the CRL %s", async (_, crl, certificate) => {
  expect(await check(crl, certificate)).toEqual({
    status: "good",
    thisUpdate: at("2026-06-01T00:00:00Z"),
    nextUpdate: at("2026-06-30T00:00:00Z"),
  });
});

test.each([
  ["a negative one, as it is", "8a1b2c", "8a1b2c", "revoked"],
  ["a negative one, listed with the sign byte that it lacks", "8a1b2c", "008a1b2c", "revoked"],
  ["listed without its sign byte", "008a1b2c", "8a1b2c", "revoked"],
  // OpenSSL refuses such a CRL, Java reads the number
  ["listed with a zero too many", "0a1b2c", "000a1b2c", "revoked"],
  ["zero", "00", "00", "revoked"],
  ["zero, listed with a zero too many", "00", "0000", "revoked"],
  ["another one", "8a1b2c", "8a1b2d", "good"],
  ["one that ends alike", "0a1b2c", "010a1b2c", "good"],
])("a serial number: %s", async (_, own, serial, status) => {
  const { certificate } = makeCertificate({ subject: "PSP", issuer, serial: own });
  expect(await check(makeCrl({ issuer, entries: [{ serial }] }), certificate)).toMatchObject({ status });
});

test.each([
  ["without a reason", {}, null],
  ["for key compromise", { reason: 1 }, "keyCompromise"],
  ["on hold", { reason: 6 }, "certificateHold"],
  ["with an unknown extension that is not critical", { reason: 4, extensions: [unknown(false)] }, "superseded"],
  [
    "with an invalidity date",
    { reason: 1, extensions: [{ oid: "2.5.29.24", value: generalizedTime(at("2026-04-01T00:00:00Z")) }] },
    "keyCompromise",
  ],
])("a certificate on the CRL is revoked, %s", async (_, entry, reason) => {
  const crl = makeCrl({ issuer, entries: [{ serial: "07" }, { serial: "0a1b2c", ...entry }, { serial: "08" }] });
  expect(await check(crl)).toMatchObject({ status: "revoked", revokedAt: at("2026-05-01T00:00:00Z"), reason });
});

test("a CRL for some reasons can revoke a certificate, though it cannot clear it", async () => {
  const someReasons = { oid: "2.5.29.28", critical: true, value: Uint8Array.of(0x30, 4, 0x83, 2, 6, 0x40) };
  const crl = makeCrl({ issuer, entries: [{ serial: "0a1b2c", reason: 1 }], extensions: [someReasons] });
  expect(await check(crl)).toMatchObject({ status: "revoked", reason: "keyCompromise" });
  expect(await check(makeCrl({ issuer, extensions: [someReasons] }))).toMatchObject({ reason: "some-reasons" });
});

test("a delta CRL can revoke a certificate, though it cannot clear it", async () => {
  const makeDelta = (reason: number) =>
    makeCrl({ issuer, entries: [{ serial: "0a1b2c", reason }], extensions: [delta] });
  expect(await check(makeDelta(1))).toMatchObject({ status: "revoked", reason: "keyCompromise" });
  expect(await check(makeDelta(8))).toMatchObject({ status: "unusable", reason: "delta" });
});

const otherIssuerEntry = {
  serial: "05",
  extensions: [{ oid: "2.5.29.29", critical: true, value: Uint8Array.of(0x30, 0) }],
};
test.each([
  ["has another issuer", makeCrl({ issuer: other }), "other-issuer"],
  ["is signed with another key", makeCrl({ issuer, signer: other.key }), "signature"],
  ["is past its nextUpdate", makeCrl({ issuer, nextUpdate: NOW - 1000 }), "stale"],
  ["begins in the future", makeCrl({ issuer, thisUpdate: NOW + 3_600_000 }), "not-yet-valid"],
  ["ends before it begins", makeCrl({ issuer, thisUpdate: NOW, nextUpdate: NOW - 1 }), "stale"],
  ["has no nextUpdate", makeCrl({ issuer, nextUpdate: null }), "no-next-update"],
  ["has a critical number", makeCrl({ issuer, extensions: [number("01", true)] }), "crl-number"],
  ["has a negative number", makeCrl({ issuer, extensions: [number("ff")] }), "crl-number"],
  ["has a number of 21 bytes", makeCrl({ issuer, extensions: [number(`01${"00".repeat(20)}`)] }), "crl-number"],
  ["is a delta CRL", makeCrl({ issuer, extensions: [delta] }), "delta"],
  ["is an indirect CRL", makeCrl({ issuer, extensions: [issuingPoint(null, 4)] }), "indirect"],
  ["has an entry of another issuer", makeCrl({ issuer, entries: [otherIssuerEntry] }), "indirect"],
  ["has an unknown critical extension", makeCrl({ issuer, extensions: [unknown(true)] }), "critical-extension"],
  [
    "has an unknown critical extension in another's entry",
    makeCrl({ issuer, entries: [{ serial: "05", extensions: [unknown(true)] }] }),
    "critical-extension",
  ],
  [
    "is for another distribution point",
    makeCrl({ issuer, extensions: [issuingPoint(`${URL}?2`)] }),
    "other-distribution-point",
  ],
  ["lists attribute certificates only", makeCrl({ issuer, extensions: [issuingPoint(null, 5)] }), "other-certificates"],
  ["has an empty issuing distribution point", makeCrl({ issuer, extensions: [issuingPoint(null)] }), "malformed"],
  [
    "lists users only and attribute certificates only at once",
    makeCrl({ issuer, extensions: [issuingPoint(null, 1, 5)] }),
    "malformed",
  ],
  ["lists users only and CAs only at once", makeCrl({ issuer, extensions: [issuingPoint(null, 1, 2)] }), "malformed"],
  ["is complete and removes the entry", makeCrl({ issuer, entries: [{ serial: "0a1b2c", reason: 8 }] }), "removed"],
])("nothing is known when the CRL %s", async (_, crl, reason) => {
  expect(await check(crl)).toMatchObject({ status: "unusable", reason });
});

test.each([
  ["users", 1, ca],
  ["CAs", 2, leaf],
] as const)(
  "nothing is known when the CRL lists %s only, and the certificate is none of theirs",
  async (kind, flag, certificate) => {
    const crl = makeCrl({ issuer, extensions: [issuingPoint(null, flag)] });
    const message = `it lists certificates of ${kind} only`;
    expect(await check(crl, certificate)).toMatchObject({ status: "unusable", reason: "other-certificates", message });
  },
);

test("nothing is known when the issuer's key usage does not allow signing CRLs", async () => {
  const certificate = makeCertificate({ subject: "PSP", issuer: signerless }).certificate;
  expect(await check(makeCrl({ issuer: signerless }), certificate, signerless)).toMatchObject({
    status: "unusable",
    reason: "issuer-may-not-sign",
  });
});

test("a CRL whose authority key identifier names another key of the issuer is not its", async () => {
  const subjectKey: MadeExtension = { oid: "2.5.29.14", value: Uint8Array.of(4, 1, 7) };
  const identified = makeCertificate({ subject: "CA", extensions: [subjectKey] });
  const certificate = makeCertificate({ subject: "PSP", issuer: identified }).certificate;
  const ask = (byte: number) =>
    check(makeCrl({ issuer: identified, extensions: [keyId(byte)] }), certificate, identified);
  expect(await ask(7)).toMatchObject({ status: "good" });
  expect(await ask(8)).toMatchObject({ status: "unusable", reason: "other-issuer" });
});

test("a certificate that leaves its revocation to another issuer is not cleared by its own", async () => {
  const point = Uint8Array.of(0x30, 6, 0x30, 4, 0xa2, 2, 0x82, 0);
  const indirect = makeCertificate({ subject: "PSP", issuer, extensions: [{ oid: "2.5.29.31", value: point }] });
  expect(await check(makeCrl({ issuer }), indirect.certificate)).toMatchObject({ reason: "indirect" });
});

test("a CRL that another key of the issuer signed counts only when that key is given as a signer", async () => {
  const rolled = makeCertificate({ subject: "CA" });
  const crl = makeCrl({ issuer, signer: rolled.key });
  const ask = { crl, certificate: leaf, issuer: issuer.certificate, now: NOW };
  expect(await checkCrl(ask)).toMatchObject({ reason: "signature" });
  expect(await checkCrl({ ...ask, signers: [rolled.certificate] })).toMatchObject({ status: "good" });
  expect(await checkCrl({ ...ask, signers: [other.certificate] })).toMatchObject({ reason: "signature" });
});

test("a version 2 CRL without a number clears and revokes: RFC 5280 asks for one of issuers only", async () => {
  expect(await check(makeCrl({ issuer, extensions: null }))).toMatchObject({ status: "good" });
  const entries = [{ serial: "0a1b2c", reason: 1 }];
  expect(await check(makeCrl({ issuer, extensions: null, entries }))).toMatchObject({ status: "revoked" });
});

test("PKITS 4.4.14: a certificate of the serial number 255 is revoked by the CRL entry -1, and the exceptions say why", async () => {
  const { certificate } = makeCertificate({ subject: "PSP", issuer, serial: "00ff" });
  expect(await check(makeCrl({ issuer, entries: [{ serial: "ff" }] }), certificate)).toMatchObject({
    status: "revoked",
  });
  expect(exceptions.refused["pkits::4.4.14"]).toContain("sign byte");
});

test("a CRL number of 20 bytes is one", async () => {
  expect(await check(makeCrl({ issuer, extensions: [number(`01${"00".repeat(19)}`)] }))).toMatchObject({
    status: "good",
  });
});

test("a suite may take a CRL without nextUpdate and number as long as its age is bounded", async () => {
  const crl = makeCrl({ issuer, nextUpdate: null, extensions: null });
  const ask = { crl, certificate: leaf, issuer: issuer.certificate, now: NOW };
  expect(await verifyCrlAuthenticity({ ...ask, maxAgeSeconds: 864_000 })).toMatchObject({ status: "good" });
  expect(await verifyCrlAuthenticity({ ...ask, maxAgeSeconds: 86_400 })).toMatchObject({ reason: "stale" });
  expect(await verifyCrlAuthenticity({ ...ask, maxAgeSeconds: null })).toMatchObject({ reason: "no-next-update" });
});

test("every truncation and every changed byte of a CRL gives an answer or a DerError, never good for other bytes", async () => {
  const der = makeCrl({ issuer, entries: [{ serial: "0a1b2c", reason: 1 }] });
  for (let i = 0; i < der.length; i++) {
    const changed = Uint8Array.from(der);
    changed[i] = (changed[i] ?? 0) ^ 0x80;
    expect(
      await verifyCrlAuthenticity({
        crl: changed,
        certificate: leaf,
        issuer: issuer.certificate,
        now: NOW,
        maxAgeSeconds: null,
      }),
    ).toMatchObject({ status: "unusable" });
    expect(() => parseCrl(der.subarray(0, i))).toThrow(DerError);
  }
});

const flag = (n: number, value: number) => encodeDer(context(n, false), Uint8Array.of(value));
const point = (...fields: Uint8Array[]): MadeExtension => ({
  oid: "2.5.29.28",
  critical: true,
  value: sequence(...fields),
});
const names = (...all: Uint8Array[]) => encodeDer(context(0), encodeDer(context(0), ...all));
const directoryName = (...rdns: Uint8Array[]) => encodeDer(context(4), sequence(...rdns));
const text = (form: number, value: string) => encodeDer(context(form, false), Buffer.from(value));
const directory = (...rdns: Uint8Array[]) => names(directoryName(...rdns));
const commonName = (text: string) =>
  encodeDer(Tag.set, sequence(encodeOid("2.5.4.3"), encodeDer(Tag.utf8String, Buffer.from(text))));
const relative = (text: string) =>
  encodeDer(context(0), encodeDer(context(1), readDer(commonName(text), "rdn").content));
const pointed = (name: Uint8Array) =>
  makeCertificate({
    subject: "PSP",
    issuer,
    serial: "0a1b2c",
    extensions: [{ oid: "2.5.29.31", value: sequence(sequence(name)) }],
  }).certificate;

test.each([
  ["a name relative to the issuer, and the certificate the same", relative("1"), pointed(relative("1")), "good"],
  ["a name relative to the issuer, and the certificate another", relative("1"), pointed(relative("2")), "unusable"],
  [
    "a relative name, and the certificate the same in full",
    relative("1"),
    pointed(directory(commonName("CA"), commonName("1"))),
    "good",
  ],
  ["a directory name in another case", directory(commonName("crl 1")), pointed(directory(commonName("CRL 1"))), "good"],
  ["another directory name", directory(commonName("crl 1")), pointed(directory(commonName("crl 2"))), "unusable"],
  ["a directory name, and the certificate a URL", directory(commonName("crl 1")), leaf, "unusable"],
  ["the issuer's own name, and the certificate none", directory(commonName("CA")), bare, "good"],
  ["another's name, and the certificate none", directory(commonName("CB")), bare, "unusable"],
  ["a URL, and the certificate a directory name", names(text(6, URL)), pointed(directory(commonName("1"))), "unusable"],
  [
    "one of several, and the certificate has it among others",
    names(text(6, `${URL}?1`), text(6, URL)),
    pointed(names(text(6, URL), text(6, `${URL}?2`))),
    "good",
  ],
  [
    "several, the issuer's own name among them, and the certificate none",
    names(text(6, URL), directoryName(commonName("CA"))),
    bare,
    "good",
  ],
  ["a DNS name, and the certificate the same", names(text(2, "a.test")), pointed(names(text(2, "a.test"))), "unusable"],
])("when the CRL's distribution point is %s, it speaks for it or does not", async (_, name, certificate, status) => {
  const answer = await check(makeCrl({ issuer, extensions: [point(name)] }), certificate);
  const expected = status === "good" ? { status } : { status, reason: "other-distribution-point" };
  expect(answer).toMatchObject(expected);
});

test.each([
  ["a flag that is FALSE", point(flag(1, 0))],
  ["a flag that is no DER boolean", point(flag(1, 1))],
  ["flags out of order", point(flag(2, 0xff), flag(1, 0xff))],
  ["data after its flags", point(flag(1, 0xff), flag(6, 0xff))],
])("an issuing distribution point with %s is malformed", async (_, extension) => {
  expect(await check(makeCrl({ issuer, extensions: [extension] }))).toMatchObject({ reason: "malformed" });
});

test("a CRL for users only speaks for no certificate of version 1, which cannot say what it is", async () => {
  const old: Certificate = { ...bare, version: 1 };
  expect(await check(makeCrl({ issuer, extensions: [issuingPoint(null, 1)] }), old)).toMatchObject({
    reason: "other-certificates",
  });
});

test("a CRL for one of the certificate's distribution points is for the certificate, whichever it is", async () => {
  const extensions = [crlAt(`${URL}?1`, `${URL}?2`)];
  const certificate = makeCertificate({ subject: "PSP", issuer, extensions }).certificate;
  for (const url of [`${URL}?1`, `${URL}?2`])
    expect(await check(makeCrl({ issuer, extensions: [issuingPoint(url)] }), certificate)).toMatchObject({
      status: "good",
    });
});

test("a CRL that does not speak for a certificate does not revoke it either", async () => {
  const entries = [{ serial: "0a1b2c", reason: 1 }];
  const elsewhere = makeCrl({ issuer, entries, extensions: [issuingPoint(`${URL}?2`)] });
  expect(await check(elsewhere)).toMatchObject({ status: "unusable", reason: "other-distribution-point" });
  const stranger = makeCertificate({ subject: "PSP", issuer: other, serial: "0a1b2c" }).certificate;
  expect(await check(makeCrl({ issuer, entries }), stranger)).toMatchObject({
    status: "unusable",
    reason: "other-issuer",
  });
});

test("a CRL of attribute certificates is authentic for nobody's certificate", async () => {
  const crl = makeCrl({ issuer, extensions: [issuingPoint(null, 5)] });
  const ask = { crl, certificate: null, issuer: issuer.certificate, now: NOW, maxAgeSeconds: null };
  expect(await verifyCrlAuthenticity(ask)).toMatchObject({ reason: "other-certificates" });
});

test("a certificate whose points all cover only some reasons is not cleared", async () => {
  const someReasons = encodeDer(context(1, false), Uint8Array.of(6, 0x40));
  const extension = { oid: "2.5.29.31", value: sequence(sequence(directory(commonName("crl 1")), someReasons)) };
  const certificate = makeCertificate({ subject: "PSP", issuer, extensions: [extension] }).certificate;
  expect(await check(makeCrl({ issuer }), certificate)).toMatchObject({ reason: "some-reasons" });
});

test.each([
  ["of a serial number alone", Uint8Array.of(0x30, 3, 0x82, 1, 8)],
  ["of nothing", sequence()],
])("an authority key identifier %s says nothing about the key", async (_, value) => {
  const identified = makeCertificate({
    subject: "CA",
    extensions: [{ oid: "2.5.29.14", value: Uint8Array.of(4, 1, 7) }],
  });
  const certificate = makeCertificate({ subject: "PSP", issuer: identified }).certificate;
  const crl = makeCrl({ issuer: identified, extensions: [{ oid: "2.5.29.35", value }] });
  expect(await check(crl, certificate, identified)).toMatchObject({ status: "good" });
});
