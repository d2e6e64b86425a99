import { describe, expect, test } from "vitest";
import { HASH } from "../../../fixtures/makers/signature-algorithms.ts";
import { readAlgorithm } from "../../../src/x509/certificate.ts";
import { context, encodeDer, encodeOid, readDer, Tag } from "../../../src/x509/der.ts";
import { isNullOrAbsent, readPss, readSignatureScheme } from "../../../src/x509/signature-scheme.ts";

const NULL = encodeDer(Tag.null);
const sequence = (...parts: Uint8Array[]) => encodeDer(Tag.sequence, ...parts);
const integer = (...bytes: number[]) => encodeDer(Tag.integer, Uint8Array.from(bytes));
const identifier = (oid: string, ...parameters: Uint8Array[]) => sequence(encodeOid(oid), ...parameters);
const der = (bytes: Uint8Array) => readDer(bytes, "test");
const read = (oid: string, ...parameters: Uint8Array[]) =>
  readSignatureScheme(readAlgorithm(der(identifier(oid, ...parameters)), "algorithm"));

test.each([
  ["1.2.840.113549.1.1.5", { family: "rsa-pkcs1", hash: "SHA-1" }],
  ["1.2.840.113549.1.1.11", { family: "rsa-pkcs1", hash: "SHA-256" }],
  ["1.2.840.113549.1.1.12", { family: "rsa-pkcs1", hash: "SHA-384" }],
  ["1.2.840.113549.1.1.13", { family: "rsa-pkcs1", hash: "SHA-512" }],
  ["1.2.840.10045.4.1", { family: "ecdsa", hash: "SHA-1" }],
  ["1.2.840.10045.4.3.2", { family: "ecdsa", hash: "SHA-256" }],
  ["1.2.840.10045.4.3.3", { family: "ecdsa", hash: "SHA-384" }],
  ["1.2.840.10045.4.3.4", { family: "ecdsa", hash: "SHA-512" }],
  ["1.3.101.112", { family: "ed25519" }],
])("%s is %j", (oid, scheme) => {
  expect(read(oid)).toEqual({ ok: true, scheme });
});

test("NULL parameters are read beside RSA only (RFC 4055 section 5, RFC 5758 section 3.2, RFC 8410 section 3)", () => {
  expect(read("1.2.840.113549.1.1.11", NULL)).toMatchObject({ ok: true });
  expect(read("1.2.840.10045.4.3.2", NULL)).toEqual({
    ok: false,
    reason: "1.2.840.10045.4.3.2 has parameters, which ECDSA forbids",
  });
  expect(read("1.3.101.112", NULL)).toEqual({
    ok: false,
    reason: "Ed25519 has parameters, which RFC 8410 forbids",
  });
  expect(read("1.2.840.113549.1.1.11", integer(0))).toEqual({
    ok: false,
    reason: "1.2.840.113549.1.1.11 has parameters other than NULL",
  });
});

test("NULL is the tag without contents", () => {
  expect(isNullOrAbsent(null)).toBe(true);
  expect(isNullOrAbsent(der(NULL))).toBe(true);
  expect(isNullOrAbsent(der(encodeDer(Tag.null, Uint8Array.of(0))))).toBe(false);
  expect(isNullOrAbsent(der(sequence()))).toBe(false);
});

test.each([
  ["1.2.840.113549.1.1.2", "MD2 with RSA"],
  ["1.2.840.113549.1.1.3", "MD4 with RSA"],
  ["1.2.840.113549.1.1.4", "MD5 with RSA"],
  ["1.2.840.113549.1.1.14", "SHA-224 with RSA"],
  ["1.3.14.3.2.29", "SHA-1 with RSA"],
  ["1.2.840.10045.4.3.1", "ECDSA with SHA-224"],
  ["1.2.840.10040.4.3", "DSA with SHA-1"],
  ["2.16.840.1.101.3.4.3.1", "DSA with SHA-224"],
  ["2.16.840.1.101.3.4.3.2", "DSA with SHA-256"],
  ["1.3.101.113", "Ed448"],
  ["1.2.3", "1.2.3"],
  ["2.5.4.3", "2.5.4.3"],
])("%s is refused by its name, %s, without a look at its parameters", (oid, name) => {
  const refusal = { ok: false, reason: `the algorithm ${name} is not accepted` };
  expect(read(oid)).toEqual(refusal);
  expect(read(oid, integer(1))).toEqual(refusal);
});

describe("RSASSA-PSS-params (RFC 4055 section 3.1)", () => {
  const MGF1 = "1.2.840.113549.1.1.8";
  const hash = (oid: string, ...parameters: Uint8Array[]) => encodeDer(context(0), identifier(oid, ...parameters));
  const mask = (oid: string, ...parameters: Uint8Array[]) =>
    encodeDer(context(1), identifier(MGF1, identifier(oid, ...parameters)));
  const salt = (...bytes: number[]) => encodeDer(context(2), integer(...bytes));
  const trailer = (...bytes: number[]) => encodeDer(context(3), integer(...bytes));
  const pss = (...fields: Uint8Array[]) => readPss(der(sequence(...fields)));
  const of = (name: string, saltLength: number) => ({
    ok: true,
    scheme: { family: "rsa-pss", hash: name, saltLength },
  });

  test.each([
    ["SHA-1", HASH.sha1],
    ["SHA-256", HASH.sha256],
    ["SHA-384", HASH.sha384],
    ["SHA-512", HASH.sha512],
  ])("%s for the digest and for the mask, with NULL or without", (name, oid) => {
    expect(pss(hash(oid), mask(oid), salt(32))).toEqual(of(name, 32));
    expect(pss(hash(oid, NULL), mask(oid, NULL), salt(32))).toEqual(of(name, 32));
  });

  test("what is absent is SHA-1, a mask by SHA-1, a salt of 20 bytes, the trailer 1", () => {
    expect(pss()).toEqual(of("SHA-1", 20));
    expect(pss(hash(HASH.sha1))).toEqual(of("SHA-1", 20));
    expect(pss(mask(HASH.sha1))).toEqual(of("SHA-1", 20));
    expect(pss(encodeDer(context(1), identifier(MGF1)))).toEqual(of("SHA-1", 20));
    expect(pss(hash(HASH.sha256), mask(HASH.sha256))).toEqual(of("SHA-256", 20));
    expect(pss(hash(HASH.sha256), mask(HASH.sha256), salt(0))).toEqual(of("SHA-256", 0));
    expect(pss(salt(10), trailer(1))).toEqual(of("SHA-1", 10));
  });

  const refusals: [string, Uint8Array[], string][] = [
    ["another hash", [hash("1.2.3")], "RSASSA-PSS with another hash than SHA-1, 256, 384 or 512 is not accepted"],
    [
      "a mask by another hash that nobody knows",
      [mask("1.2.3")],
      "RSASSA-PSS with another hash than SHA-1, 256, 384 or 512 is not accepted",
    ],
    [
      "a mask by the default hash beside SHA-256",
      [hash(HASH.sha256)],
      "RSASSA-PSS with SHA-256 and a mask by SHA-1 is not accepted",
    ],
    [
      "the default hash beside a mask by SHA-256",
      [mask(HASH.sha256)],
      "RSASSA-PSS with SHA-1 and a mask by SHA-256 is not accepted",
    ],
    [
      "another mask function",
      [encodeDer(context(1), identifier("1.2.3", identifier(HASH.sha1)))],
      "RSASSA-PSS with the mask 1.2.3 is not accepted",
    ],
    ["another trailer", [trailer(2)], "RSASSA-PSS with another trailer is not accepted"],
    ["fields out of order", [salt(20), mask(HASH.sha1)], "RSASSA-PSS parameters: data after them"],
    ["a fifth field", [encodeDer(context(4), integer(1))], "RSASSA-PSS parameters: data after them"],
    [
      "a hash with parameters",
      [hash(HASH.sha1, integer(0))],
      "RSASSA-PSS parameters: the hash has parameters other than NULL",
    ],
    [
      "a mask's hash with parameters",
      [mask(HASH.sha1, integer(0))],
      "RSASSA-PSS parameters: the hash has parameters other than NULL",
    ],
  ];
  test.each(refusals)("%s is refused", (_, fields, reason) => {
    expect(pss(...fields)).toEqual({ ok: false, reason });
  });

  test("no parameters at all, another type, and broken fields are refused", () => {
    expect(readPss(null)).toEqual({ ok: false, reason: "RSASSA-PSS has no parameters" });
    expect(read("1.2.840.113549.1.1.10")).toEqual({ ok: false, reason: "RSASSA-PSS has no parameters" });
    expect(read("1.2.840.113549.1.1.10", sequence())).toEqual(of("SHA-1", 20));
    for (const odd of [
      NULL,
      encodeDer(Tag.set),
      sequence(encodeDer(context(2))),
      sequence(salt()),
      sequence(salt(0x80)),
    ])
      expect(readPss(der(odd))).toMatchObject({ ok: false });
  });
});
