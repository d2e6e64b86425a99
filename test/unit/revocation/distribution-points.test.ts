import { expect, test } from "vitest";
import { crlAt, type MadeExtension, makeCertificate, ocspAt, sequence } from "../../../fixtures/makers/made-pki.ts";
import { readCrlUrls, readOcspUrls } from "../../../src/revocation/distribution-points.ts";
import { context, DerError } from "../../../src/x509/der.ts";
import { encodeDer } from "../../../src/x509/der-encode.ts";

const withExtension = (...extensions: MadeExtension[]) => makeCertificate({ subject: "PSP", extensions }).certificate;
const uri = (text: string) => encodeDer(context(6, false), Buffer.from(text));
const points = (...list: Uint8Array[]) => withExtension({ oid: "2.5.29.31", value: sequence(...list) });
const named = (...names: Uint8Array[]) => encodeDer(context(0), encodeDer(context(0), ...names));

test("a certificate without the extensions names no source", () => {
  expect([readOcspUrls(withExtension()), readCrlUrls(withExtension())]).toEqual([[], []]);
});

test.each([
  ["each point's URL", ["http://a.test/1", "https://a.test/2"], ["http://a.test/1", "https://a.test/2"]],
  ["each URL once", ["http://a.test/1", "http://a.test/1"], ["http://a.test/1"]],
  ["only http and https", ["ldap://a.test/", "file:///etc/passwd", "http://a.test/"], ["http://a.test/"]],
  ["three at most", ["http://a/", "http://b/", "http://c/", "http://d/"], ["http://a/", "http://b/", "http://c/"]],
])("of CRLs and responders, %s counts", (_, given, expected) => {
  expect(readCrlUrls(withExtension(crlAt(...given)))).toEqual(expected);
  expect(readOcspUrls(withExtension(ocspAt(...given)))).toEqual(expected);
});

test("several names of one point are several places of one CRL", () => {
  const both = points(sequence(named(uri("ldap://a.test/"), uri("http://a.test/1"), uri("http://b.test/1"))));
  expect(readCrlUrls(both)).toEqual(["http://a.test/1", "http://b.test/1"]);
});

test("a point for some reasons, or of another issuer, is no place to look", () => {
  const someReasons = sequence(named(uri("http://a.test/1")), encodeDer(context(1, false), Uint8Array.of(6, 0x40)));
  const indirect = sequence(named(uri("http://a.test/2")), encodeDer(context(2), uri("http://a.test/")));
  expect(readCrlUrls(points(someReasons, indirect))).toEqual([]);
});

test.each([
  ["no points", points()],
  ["a point without anything", points(sequence())],
  ["something behind a point", points(sequence(named(uri("http://a.test/")), uri("x")))],
])("%s is malformed", (_, certificate) => {
  expect(() => readCrlUrls(certificate)).toThrow(DerError);
});
