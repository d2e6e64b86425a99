import { expect, test } from "vitest";
import {
  at,
  encodeExtensions,
  enumerated,
  generalizedTime,
  integer,
  type MadeExtension,
  makeCertificate,
  makeOcspResponse,
  octets,
  sequence,
  wrapBasic,
} from "../../../fixtures/makers/made-pki.ts";
import { checkOcspResponse } from "../../../src/revocation/ocsp.ts";
import { MAX_OCSP_BYTES, parseOcspResponse } from "../../../src/revocation/ocsp-response.ts";
import { context, DerError, encodeDer, Tag } from "../../../src/x509/der.ts";

const issuer = makeCertificate({ subject: "CA" });
const { certificate } = makeCertificate({ subject: "PSP", issuer, serial: "0a1b2c" });
const single = { certificate, issuer: issuer.certificate };

const NULL = encodeDer(Tag.null);
const TIME = generalizedTime(at("2026-06-01T00:00:00Z"));
const UTC_TIME = encodeDer(Tag.utcTime, Buffer.from("260601000000Z"));
const note: MadeExtension = { oid: "1.2.3.4", value: NULL };
type Edit = (fields: Uint8Array[]) => Uint8Array[];
/** Fields of the ResponseData: responder, time, answers, extensions. */
const withData = (edit: Edit) => makeOcspResponse({ responder: issuer, singles: [single], edit });
/** Fields of the one answer in it: id, status, thisUpdate, nextUpdate. */
const withSingle = (edit: Edit) => makeOcspResponse({ responder: issuer, singles: [{ ...single, edit }] });
const extended = (...extensions: MadeExtension[]) => encodeDer(context(1), encodeExtensions(extensions));
const hash = octets(new Uint8Array(20));
const idOf = (...fields: Uint8Array[]) => sequence(sequence(encodeDer(Tag.oid, Uint8Array.of(42, 3))), ...fields);

test("what the rows below change is an answer as it is", async () => {
  const response = withData((fields) => fields);
  const ask = { response, certificate, issuer: issuer.certificate };
  const good = await checkOcspResponse({ ...ask, now: at("2026-06-10T00:00:00Z") });
  expect(good).toMatchObject({ status: "good" });
  expect(good).not.toHaveProperty("revokedAt");
});

test.each([
  ["version 1 written out", withData((fields) => [encodeDer(context(0), integer("00")), ...fields])],
  ["an extension that is not critical", withData((fields) => [...fields, extended(note)])],
  ["two extensions", withData((fields) => [...fields, extended(note, { ...note, oid: "1.2.3.5" })])],
  ["an extension of its single answer", withSingle((fields) => [...fields, extended(note)])],
  [
    "a status by an id of another kind of digest",
    withSingle((fields) => fields.with(0, idOf(hash, hash, integer("05")))),
  ],
])("an answer with %s can be read", (_, response) => {
  expect(parseOcspResponse(response)).toMatchObject({ status: "successful" });
});

// were such an answer none, a CRL of before would count, which says good
test.each<[string, Uint8Array, Uint8Array[]]>([
  ["for a reason that does not exist", generalizedTime(at("2026-05-01T00:00:00Z")), [enumerated(7)]],
  ["for a reason that is none", generalizedTime(at("2026-05-01T00:00:00Z")), [integer("01")]],
  ["with fractions of a second", encodeDer(Tag.generalizedTime, Buffer.from("20260501000000.5Z")), []],
])("a revocation %s is one", async (_, time, reason) => {
  const status = encodeDer(context(1), time, ...reason.map((code) => encodeDer(context(0), code)));
  const response = withSingle((fields) => fields.with(1, status));
  const ask = { response, certificate, issuer: issuer.certificate };
  const answer = await checkOcspResponse({ ...ask, now: at("2026-06-10T00:00:00Z") });
  expect(answer).toMatchObject({ status: "revoked", revokedAt: expect.any(Number), reason: null });
});

test.each([
  ["a status of two bytes", sequence(encodeDer(Tag.enumerated, Uint8Array.of(1, 1))), "no such status"],
  ["an empty status", sequence(encodeDer(Tag.enumerated)), "no such status"],
  ["success, and nothing with it", sequence(enumerated(0)), "responseBytes: missing"],
  ["data after its bytes", sequence(enumerated(3), NULL, NULL), "no such status"],
  [
    "two sets of bytes",
    sequence(enumerated(0), encodeDer(context(0), sequence(), sequence())),
    "not exactly one value",
  ],
  ["something beside the response", wrapBasic(octets(new Uint8Array(0)), NULL), "not a basic response"],
  [
    "another type of response",
    sequence(enumerated(0), encodeDer(context(0), sequence(encodeDer(Tag.oid, Uint8Array.of(42, 3)), hash))),
    "not a basic response",
  ],
  [
    "a fifth part",
    makeOcspResponse({ responder: issuer, singles: [single], certificates: [certificate], more: [NULL] }),
    "more than four parts",
  ],
  ["version 2", withData((fields) => [encodeDer(context(0), integer("01")), ...fields]), "version: not 1"],
  ["data after its extensions", withData((fields) => [...fields, extended(note), NULL]), "data after its extensions"],
  ["an extension twice", withData((fields) => [...fields, extended(note, note)]), "one of them occurs twice"],
  [
    "a responder of an unknown kind",
    withData((fields) => fields.with(0, encodeDer(context(3), hash))),
    "responderID: tag",
  ],
  ["a time of two digits for the year", withData((fields) => fields.with(1, UTC_TIME)), "producedAt: tag"],
  [
    "an answer with data after its extensions",
    withSingle((fields) => [...fields, extended(note), NULL]),
    "data after its extensions",
  ],
  ["an answer with UTCTime", withSingle((fields) => fields.with(2, UTC_TIME)), "thisUpdate: tag"],
  [
    "an answer with two ends",
    withSingle((fields) => fields.with(3, encodeDer(context(0), TIME, TIME))),
    "nextUpdate: not exactly one value",
  ],
  ["an answer of an id alone", withSingle((fields) => fields.slice(0, 1)), "certStatus: missing"],
  [
    "a good status with contents",
    withSingle((fields) => fields.with(1, encodeDer(context(0, false), NULL))),
    "certStatus: tag",
  ],
  [
    "an unknown status with contents",
    withSingle((fields) => fields.with(1, encodeDer(context(2, false), NULL))),
    "certStatus: tag",
  ],
  [
    "a revocation without a time",
    withSingle((fields) => fields.with(1, encodeDer(context(1)))),
    "revocationTime: missing",
  ],
  [
    "a revocation with data after its reason",
    withSingle((fields) => fields.with(1, encodeDer(context(1), TIME, encodeDer(context(0), enumerated(1)), NULL))),
    "data after the reason",
  ],
  [
    "an id with a fifth part",
    withSingle((fields) => fields.with(0, idOf(hash, hash, integer("05"), NULL))),
    "certID: more than four parts",
  ],
  ["an id without a number", withSingle((fields) => fields.with(0, idOf(hash, hash))), "serialNumber: missing"],
  [
    "a number that is not minimal",
    withSingle((fields) => fields.with(0, idOf(hash, hash, integer("0005")))),
    "integer not minimal",
  ],
])("an answer with %s is no OCSP answer", (_, response, message) => {
  expect(() => parseOcspResponse(response)).toThrow(DerError);
  expect(() => parseOcspResponse(response)).toThrow(message);
});

test("an answer of 64 KiB is read, and none of a byte more", () => {
  expect(() => parseOcspResponse(new Uint8Array(MAX_OCSP_BYTES))).toThrow("bytes after its end");
  expect(() => parseOcspResponse(new Uint8Array(MAX_OCSP_BYTES + 1))).toThrow(`of ${MAX_OCSP_BYTES + 1} bytes`);
});
