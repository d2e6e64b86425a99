import { expect, test } from "vitest";
import {
  at,
  encodeExtensions,
  enumerated,
  generalizedTime,
  integer,
  type MadeExtension,
  makeCertificate,
  makeCrl,
  sequence,
} from "../../../fixtures/makers/made-pki.ts";
import { findEntry, MAX_CRL_BYTES, parseCrl } from "../../../src/revocation/crl.ts";
import { checkCrl, verifyCrlAuthenticity } from "../../../src/revocation/crl-check.ts";
import { context, DerError, encodeDer, encodeOid, readDer, Tag } from "../../../src/x509/der.ts";

const NOW = at("2026-06-10T00:00:00Z");
const issuer = makeCertificate({ subject: "CA" });
const leaf = makeCertificate({ subject: "PSP", issuer, serial: "0a1b2c" }).certificate;

const NULL = encodeDer(Tag.null);
const DATE = generalizedTime(at("2026-05-01T00:00:00Z"));
const note: MadeExtension = { oid: "1.2.3.4", value: NULL };
const reasonOf = (bytes: Uint8Array): MadeExtension => ({ oid: "2.5.29.21", value: bytes });
const wrapped = (...extensions: MadeExtension[]) => encodeDer(context(0), encodeExtensions(extensions));
const entryOf = (...fields: Uint8Array[]) => sequence(integer("05"), DATE, ...fields);
/** A CRL whose list has this as an entry, between two good ones. */
const withEntry = (entry: Uint8Array) =>
  makeCrl({
    issuer,
    entries: [{ serial: "03" }],
    edit: (fields) => fields.with(5, sequence(sequence(integer("03"), DATE), entry, sequence(integer("07"), DATE))),
  });

test.each([
  ["a fourth part", sequence(readDer(makeCrl({ issuer }), "CRL").content, NULL), "more than three parts"],
  ["bytes after its end", Uint8Array.from([...makeCrl({ issuer }), 0]), "after its end"],
  ["version 1 written out", makeCrl({ issuer, edit: (fields) => fields.with(0, integer("00")) }), "version: not 2"],
  ["version 3", makeCrl({ issuer, edit: (fields) => fields.with(0, integer("02")) }), "version: not 2"],
  [
    "an empty list",
    makeCrl({ issuer, edit: (fields) => fields.toSpliced(5, 0, sequence()) }),
    "revokedCertificates: empty",
  ],
  ["data after its extensions", makeCrl({ issuer, edit: (fields) => [...fields, NULL] }), "data after its extensions"],
  [
    "extensions in version 1",
    makeCrl({ issuer, version: 1, edit: (fields) => [...fields, wrapped(note)] }),
    "in a version 1 CRL",
  ],
  [
    "no extensions in their place",
    makeCrl({ issuer, extensions: null, edit: (fields) => [...fields, wrapped()] }),
    "crlExtensions: malformed",
  ],
  [
    "something beside the extensions",
    makeCrl({
      issuer,
      extensions: null,
      edit: (fields) => [...fields, encodeDer(context(0), encodeExtensions([note]), NULL)],
    }),
    "crlExtensions: malformed",
  ],
  ["an extension twice", makeCrl({ issuer, extensions: [note, note] }), "one of them occurs twice"],
  [
    "entry extensions in version 1",
    makeCrl({ issuer, version: 1, entries: [{ serial: "05", reason: 1 }] }),
    "in a version 1 CRL",
  ],
  ["an entry that is a SET", withEntry(encodeDer(Tag.set, integer("05"), DATE)), "malformed entry"],
  [
    "an entry whose number is a string",
    withEntry(sequence(encodeDer(Tag.octetString, Uint8Array.of(5)), DATE)),
    "malformed entry",
  ],
  ["an entry with an empty number", withEntry(sequence(integer(""), DATE)), "malformed entry"],
  ["an entry without a date", withEntry(sequence(integer("05"), NULL)), "entry without a date"],
  ["an entry of a number alone", withEntry(sequence(integer("05"))), "truncated"],
  [
    "an entry whose number runs over its end",
    withEntry(sequence(Uint8Array.of(2, 9, 5), DATE)),
    "malformed entry|truncated|without a date",
  ],
  [
    "an entry whose date runs over its end",
    withEntry(sequence(integer("05"), Uint8Array.of(0x18, 40, 0x32))),
    "truncated",
  ],
  [
    "an entry with two lists of extensions",
    withEntry(entryOf(encodeExtensions([note]), encodeExtensions([note]))),
    "data after an entry's extensions",
  ],
  ["an entry without extensions in their list", withEntry(entryOf(encodeExtensions([]))), "crlEntryExtensions: empty"],
  ["an entry with an extension twice", withEntry(entryOf(encodeExtensions([note, note]))), "one of them occurs twice"],
])("a CRL with %s is no CRL", (_, der, message) => {
  expect(() => parseCrl(der)).toThrow(DerError);
  expect(() => parseCrl(der)).toThrow(new RegExp(message));
});

// were such a CRL none, an older one, which says good, would count
test.each([
  ["a reason that does not exist", enumerated(7)],
  ["a reason of two bytes", encodeDer(Tag.enumerated, Uint8Array.of(1, 1))],
  ["no reason in its place", encodeDer(Tag.enumerated)],
  ["a reason that is an INTEGER, 8 (removeFromCRL)", integer("08")],
  ["a reason that is no DER", Uint8Array.of(10, 5, 1)],
])("an entry with %s revokes its certificate, and no other", async (_, reason) => {
  const { certificate } = makeCertificate({ subject: "PSP", issuer, serial: "05" });
  const crl = withEntry(entryOf(encodeExtensions([reasonOf(reason)])));
  const ask = { crl, issuer: issuer.certificate, now: NOW };
  const revoked = { status: "revoked", revokedAt: at("2026-05-01T00:00:00Z"), reason: null };
  expect(await checkCrl({ ...ask, certificate })).toMatchObject(revoked);
  expect(await checkCrl({ ...ask, certificate: leaf })).toMatchObject({ status: "good" });
});

test("an entry whose date cannot be read revokes its certificate, since the CRL's own date at the latest", async () => {
  const { certificate } = makeCertificate({ subject: "PSP", issuer, serial: "05" });
  const undated = encodeDer(Tag.generalizedTime, Buffer.from("20260501000000.5Z"));
  const crl = withEntry(sequence(integer("05"), undated));
  const answer = await checkCrl({ crl, certificate, issuer: issuer.certificate, now: NOW });
  expect(answer).toMatchObject({ status: "revoked", revokedAt: parseCrl(crl).thisUpdate });
});

test("a CRL of ten megabytes is read, and none of a byte more", () => {
  expect(() => parseCrl(new Uint8Array(MAX_CRL_BYTES))).toThrow("bytes after its end");
  expect(() => parseCrl(new Uint8Array(MAX_CRL_BYTES + 1))).toThrow(`of ${MAX_CRL_BYTES + 1} bytes`);
});

test("every entry is found by its whole number, and those with lengths of several bytes too", () => {
  const long: MadeExtension = { oid: "1.2.3.4", value: encodeDer(Tag.octetString, new Uint8Array(300)) };
  const entries = [
    { serial: "0500", reason: 4, extensions: [long] },
    { serial: "05", reason: 1 },
    { serial: "01".repeat(20), reason: 1 },
  ];
  const crl = parseCrl(makeCrl({ issuer, entries }));
  expect(crl.scan).toEqual({ count: 3, namesOtherIssuer: false, unknownCritical: null });
  const reasons = ["05", "0500", "01".repeat(20), "00", "0501"].map(
    (serial) => findEntry(crl.entries, Uint8Array.from(Buffer.from(serial, "hex")))?.reason,
  );
  expect(reasons).toEqual(["keyCompromise", "superseded", "keyCompromise", undefined, undefined]);
});

test("a reason is read behind other extensions of its entry, and all of them may be critical", async () => {
  const { certificate } = makeCertificate({ subject: "PSP", issuer, serial: "05" });
  const extensions = [
    { oid: "2.5.29.24", critical: true, value: DATE },
    { oid: "2.5.29.23", critical: true, value: encodeOid("1.2.840.10040.2.2") },
    { ...reasonOf(enumerated(6)), critical: true },
  ];
  const crl = makeCrl({ issuer, entries: [{ serial: "05", extensions }] });
  expect(await checkCrl({ crl, certificate, issuer: issuer.certificate, now: NOW })).toMatchObject({
    ...{ status: "revoked", reason: "certificateHold" },
  });
});

test("an entry's date may be a UTCTime", () => {
  const crl = parseCrl(withEntry(sequence(integer("05"), encodeDer(Tag.utcTime, Buffer.from("260501000000Z")))));
  expect(findEntry(crl.entries, Uint8Array.of(5))).toEqual({ revokedAt: at("2026-05-01T00:00:00Z"), reason: null });
});

test("an entry of indefinite length is refused, for DER has none", () => {
  const body = Buffer.concat([integer("05"), DATE, wrapped(note), Buffer.alloc(128)]).subarray(0, 128);
  expect(() => parseCrl(withEntry(Buffer.concat([Buffer.of(0x30, 0x80), body])))).toThrow(DerError);
});

test("the octet 80 is no length of 128 bytes, though the contents of an entry fill them", () => {
  const room = 128 - entryOf(encodeExtensions([{ oid: "1.2.3.4", value: new Uint8Array(0) }])).length + 2;
  const entry = entryOf(encodeExtensions([{ oid: "1.2.3.4", value: new Uint8Array(room) }]));
  expect(entry.subarray(0, 3)).toEqual(Uint8Array.of(0x30, 0x81, 0x80));
  expect(parseCrl(withEntry(entry)).scan.count).toBe(3);
  expect(() => parseCrl(withEntry(Buffer.concat([Buffer.of(0x30, 0x80), entry.subarray(3)])))).toThrow(
    "indefinite length",
  );
});

test("a CRL may have its times as UTCTime, as one before 2050 must (RFC 5280 section 5.1.2.4)", () => {
  const utc = (text: string) => encodeDer(Tag.utcTime, Buffer.from(text));
  const times = [utc("260601000000Z"), utc("260630000000Z")] as const;
  const crl = parseCrl(makeCrl({ issuer, edit: (fields) => fields.with(3, times[0]).with(4, times[1]) }));
  expect([crl.thisUpdate, crl.nextUpdate]).toEqual([at("2026-06-01T00:00:00Z"), at("2026-06-30T00:00:00Z")]);
});

test("extensions that repeat from entry to entry are judged in each that differs", () => {
  const entries = [1, 1, 4, 1].map((reason, i) => ({ serial: `0${i + 1}`, reason }));
  const critical = { serial: "09", extensions: [{ ...note, critical: true }] };
  expect(parseCrl(makeCrl({ issuer, entries })).scan.unknownCritical).toBeNull();
  expect(parseCrl(makeCrl({ issuer, entries: [...entries, critical] })).scan.unknownCritical).toBe("1.2.3.4");
});

test("a CRL whose signature algorithm is said in two ways is refused", async () => {
  const sha384 = sequence(encodeOid("1.2.840.10045.4.3.3"));
  const crl = makeCrl({ issuer, edit: (fields) => fields.with(1, sha384) });
  const ask = { certificate: leaf, issuer: issuer.certificate, now: NOW };
  expect(await checkCrl({ ...ask, crl })).toMatchObject({
    reason: "signature",
    message: expect.stringContaining("differ"),
  });
  expect(await verifyCrlAuthenticity({ ...ask, crl, maxAgeSeconds: null })).toMatchObject({ reason: "signature" });
});
