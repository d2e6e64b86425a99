import { describe, expect, test } from "vitest";
import {
  at,
  crlAt,
  type MadeExtension,
  makeCertificate,
  makeCrl,
  ocspAt,
  sequence,
} from "../../../fixtures/makers/made-pki.ts";
import { checkCrl } from "../../../src/revocation/crl-check.ts";
import { describeSilence, listCrlUrls, listOcspUrls } from "../../../src/revocation/distribution-points.ts";
import { context, encodeDer, encodeOid } from "../../../src/x509/der.ts";

const withExtension = (...extensions: MadeExtension[]) => makeCertificate({ subject: "PSP", extensions }).certificate;
const uri = (text: string) => encodeDer(context(6, false), Buffer.from(text));
const points = (...list: Uint8Array[]) => withExtension({ oid: "2.5.29.31", value: sequence(...list) });
const relative = (attribute: Uint8Array) => encodeDer(context(0), encodeDer(context(1), attribute));
const named = (...names: Uint8Array[]) => encodeDer(context(0), encodeDer(context(0), ...names));

test("a certificate without the extensions names no source", () => {
  expect([listOcspUrls(withExtension()), listCrlUrls(withExtension())]).toEqual([[], []]);
});

test.each([
  ["each point's URL", ["http://a.test/1", "https://a.test/2"], ["http://a.test/1", "https://a.test/2"]],
  ["each URL once", ["http://a.test/1", "http://a.test/1"], ["http://a.test/1"]],
  [
    "only http and https",
    ["ldap://a.test/", "file:///etc/passwd", "ldap://a.test/http://b.test/", "http://a.test/"],
    ["http://a.test/"],
  ],
  ["three at most", ["http://a/", "http://b/", "http://c/", "http://d/"], ["http://a/", "http://b/", "http://c/"]],
])("of CRLs and responders, %s counts", (_, given, expected) => {
  expect(listCrlUrls(withExtension(crlAt(...given)))).toEqual(expected);
  expect(listOcspUrls(withExtension(ocspAt(...given)))).toEqual(expected);
});

test("several names of one point are several places of one CRL", () => {
  const both = points(sequence(named(uri("ldap://a.test/"), uri("http://a.test/1"), uri("http://b.test/1"))));
  expect(listCrlUrls(both)).toEqual(["http://a.test/1", "http://b.test/1"]);
});

test("a point for some reasons, or of another issuer, is no place to look", () => {
  const someReasons = sequence(named(uri("http://a.test/1")), encodeDer(context(1, false), Uint8Array.of(6, 0x40)));
  const indirect = sequence(named(uri("http://a.test/2")), encodeDer(context(2), uri("http://a.test/")));
  const nameless = sequence(encodeDer(context(2), uri("http://a.test/")));
  expect(listCrlUrls(points(someReasons, indirect, nameless))).toEqual([]);
});

describe("a cRLIssuer that names the certificate's own issuer", () => {
  const issuer = makeCertificate({ subject: "CA" });
  const point = (...signers: Uint8Array[]) =>
    sequence(named(uri("http://a.test/1")), encodeDer(context(2), ...signers));
  const called = (name: Uint8Array) => encodeDer(context(4), name);
  const own = called(issuer.certificate.subject.der);
  const issue = (...list: Uint8Array[]) => {
    const extensions = [{ oid: "2.5.29.31", value: sequence(...list) }];
    return makeCertificate({ subject: "PSP", issuer, serial: "0a1b", extensions }).certificate;
  };

  test("says nothing new: its CRL is asked, clears and revokes", async () => {
    const certificate = issue(point(own));
    expect(listCrlUrls(certificate)).toEqual(["http://a.test/1"]);
    const ask = (...entries: { serial: string }[]) =>
      checkCrl({
        crl: makeCrl({ issuer, entries }),
        ...{ certificate, issuer: issuer.certificate, now: at("2026-06-10T00:00:00Z") },
      });
    expect(await ask()).toMatchObject({ status: "good" });
    expect(await ask({ serial: "0a1b" })).toMatchObject({ status: "revoked" });
  });

  test.each([
    ["another's name", point(called(makeCertificate({ subject: "CB" }).certificate.subject.der))],
    ["another's name beside it", point(own, called(makeCertificate({ subject: "CB" }).certificate.subject.der))],
    ["a URL", point(uri("http://a.test/"))],
  ])("is none with %s", (_, other) => {
    expect(listCrlUrls(issue(other))).toEqual([]);
  });
});

test.each([
  ["it names neither an OCSP responder nor a CRL", withExtension()],
  [
    "it names no OCSP responder, and its CRLs are another issuer's (indirect), which is not supported",
    points(sequence(named(uri("http://a.test/1")), encodeDer(context(2), uri("http://a.test/")))),
  ],
  [
    "it names no OCSP responder, and its CRLs cover only some reasons of revocation, which is not supported",
    points(sequence(named(uri("http://a.test/1")), encodeDer(context(1, false), Uint8Array.of(6, 0x40)))),
  ],
  [
    "its OCSP responder has no http address, and its CRLs have no http address",
    withExtension(crlAt("ldap://a.test/"), ocspAt("ldap://a.test/")),
  ],
  ["its OCSP responder has no http address, and it names no CRL", withExtension(ocspAt("ldap://a.test/"))],
  ["it names no OCSP responder, and its list of CRLs cannot be read (cRLDistributionPoints: empty)", points()],
])("what is said of a certificate without a source to ask is true: %s", (sentence, certificate) => {
  expect(describeSilence(certificate)).toBe(sentence);
});

test("a name relative to the CRL's issuer is no place to look", () => {
  const place = relative(sequence(encodeOid("2.5.4.3"), uri("x")));
  const certificate = points(sequence(place), sequence(named(uri("http://a.test/1"))));
  expect(listCrlUrls(certificate)).toEqual(["http://a.test/1"]);
});

test("an access description of another method, or without an address on the web, is no responder", () => {
  const access = (...list: Uint8Array[]) => withExtension({ oid: "1.3.6.1.5.5.7.1.1", value: sequence(...list) });
  const describe = (method: string, place: Uint8Array) => sequence(encodeOid(method), place);
  const issuers = describe("1.3.6.1.5.5.7.48.2", uri("http://a.test/ca.cer"));
  const dns = describe("1.3.6.1.5.5.7.48.1", encodeDer(context(2, false), Buffer.from("http://a.test/")));
  expect(listOcspUrls(access(issuers, dns, describe("1.3.6.1.5.5.7.48.1", uri("http://a.test/ocsp"))))).toEqual([
    "http://a.test/ocsp",
  ]);
  for (const odd of [access(sequence(encodeOid("1.2.3"))), access(sequence(encodeOid("1.2.3"), uri("x"), uri("x")))]) {
    expect(listOcspUrls(odd)).toEqual([]);
    expect(listOcspUrls(odd)).toEqual([]);
  }
});

test("malformed points are none for who only looks for sources", () => {
  expect(listCrlUrls(points())).toEqual([]);
});

test.each([
  ["no points", points()],
  [
    "two names in one point",
    points(
      sequence(
        encodeDer(
          context(0),
          encodeDer(context(0), uri("http://a.test/")),
          encodeDer(context(0), uri("http://b.test/")),
        ),
      ),
    ),
  ],
  ["a name that is not in its list", points(sequence(encodeDer(context(0), uri("http://a.test/"))))],
  ["a name of no kind", points(sequence(encodeDer(context(0))))],
  ["a relative name that is no attribute", points(sequence(encodeDer(context(0), encodeDer(context(1), sequence()))))],
  ["a relative name without a value", points(sequence(relative(sequence(encodeOid("2.5.4.3")))))],
  ["a relative name of two values", points(sequence(relative(sequence(encodeOid("2.5.4.3"), uri("x"), uri("y")))))],
  ["a point without anything", points(sequence())],
  ["something behind a point", points(sequence(named(uri("http://a.test/")), uri("x")))],
])("%s is malformed", (_, certificate) => {
  expect(listCrlUrls(certificate)).toEqual([]);
});
