import { describe, expect, test } from "vitest";
import { type MadeExtension, makeCertificate, octets, sequence } from "../../../fixtures/makers/made-pki.ts";
import { dns } from "../../../fixtures/makers/path-extensions.ts";
import { context, encodeDer, encodeOid, Tag } from "../../../src/x509/der.ts";
import { allowsKeyUsage, namesPurpose, Oid, readPathExtensions } from "../../../src/x509/extensions.ts";

const TRUE = encodeDer(Tag.boolean, Uint8Array.of(0xff));
const FALSE = encodeDer(Tag.boolean, Uint8Array.of(0));
const NULL = encodeDer(Tag.null);
const integer = (...bytes: number[]) => encodeDer(Tag.integer, Uint8Array.from(bytes));
const counter = (n: number, ...bytes: number[]) => encodeDer(context(n, false), Uint8Array.from(bytes));
const bitString = (unused: number, ...bytes: number[]) => encodeDer(Tag.bitString, Uint8Array.of(unused, ...bytes));
const policy = (oid: string, ...more: Uint8Array[]) => sequence(encodeOid(oid), ...more);

const having = (...extensions: MadeExtension[]) => makeCertificate({ subject: "PSP", extensions }).certificate;
const reading = (...extensions: MadeExtension[]) => readPathExtensions(having(...extensions));
function read(name: keyof typeof Oid, value: Uint8Array) {
  const all = reading({ oid: Oid[name], value });
  if (!all.ok) throw new Error(all.reason);
  return all.extensions;
}

test("what a certificate does not have is null", () => {
  expect(reading()).toEqual({
    ok: true,
    extensions: {
      basicConstraints: null,
      keyUsage: null,
      extendedKeyUsage: null,
      alternativeNames: null,
      nameConstraints: null,
      policies: null,
      policyMappings: null,
      policyConstraints: null,
      inhibitAnyPolicy: null,
      subjectKeyIdentifier: null,
      authorityKeyIdentifier: null,
      critical: new Set(),
    },
  });
});

describe("an extension is read", () => {
  test.each([
    [sequence(), { ca: false, pathLength: null }],
    [sequence(FALSE), null],
    [sequence(TRUE), { ca: true, pathLength: null }],
    [sequence(TRUE, integer(3)), { ca: true, pathLength: 3 }],
    [sequence(integer(3)), { ca: false, pathLength: 3 }],
  ])("basicConstraints %#", (value, expected) => {
    // DER leaves a default out, but writers do not
    expect(read("basicConstraints", value).basicConstraints).toEqual(expected ?? { ca: false, pathLength: null });
  });

  test.each([
    [[7, 0x80], 1 << 0],
    [[0, 0x01], 1 << 7],
    [[7, 0x00, 0x80], 1 << 8],
    [[7, 0xff, 0x80], 0x1ff],
    [[6, 0x00, 0x40], 0],
    [[2, 0x04], 1 << 5],
  ])("keyUsage %j: bits %i", ([unused = 0, ...bytes], expected) => {
    expect(read("keyUsage", bitString(unused, ...bytes)).keyUsage).toBe(expected);
  });

  test("the others", () => {
    expect(read("extKeyUsage", sequence(encodeOid("1.2.3"), encodeOid("1.2.4"))).extendedKeyUsage).toEqual([
      "1.2.3",
      "1.2.4",
    ]);
    expect(read("subjectAltName", sequence(dns("a.test"))).alternativeNames).toEqual([{ form: "dns", text: "a.test" }]);
    expect(read("certificatePolicies", sequence(policy("1.2.3"), policy("1.2.4", sequence(NULL)))).policies).toEqual(
      new Set(["1.2.3", "1.2.4"]),
    );
    const mapping = sequence(sequence(encodeOid("1.2.3"), encodeOid("1.2.4")));
    expect(read("policyMappings", mapping).policyMappings).toEqual([["1.2.3", "1.2.4"]]);
    expect(read("inhibitAnyPolicy", integer(2)).inhibitAnyPolicy).toBe(2);
    expect(read("subjectKeyIdentifier", octets(Uint8Array.of(1, 2))).subjectKeyIdentifier).toEqual(Uint8Array.of(1, 2));
    expect(read("authorityKeyIdentifier", sequence(counter(0, 9))).authorityKeyIdentifier).toEqual({
      keyIdentifier: Uint8Array.of(9),
    });
    for (const without of [sequence(), sequence(counter(2, 9))])
      expect(read("authorityKeyIdentifier", without).authorityKeyIdentifier).toEqual({ keyIdentifier: null });
  });

  test.each([
    [[counter(0, 1)], 1, null],
    [[counter(1, 2)], null, 2],
    [[counter(0, 1), counter(1, 0)], 1, 0],
  ])("policyConstraints %#", (fields, requireExplicitPolicy, inhibitPolicyMapping) => {
    const { policyConstraints } = read("policyConstraints", sequence(...fields));
    expect(policyConstraints).toEqual({ requireExplicitPolicy, inhibitPolicyMapping });
  });
});

describe("a certificate is refused", () => {
  test.each<[string, keyof typeof Oid, Uint8Array, string]>([
    [
      "data after basicConstraints",
      "basicConstraints",
      sequence(TRUE, integer(1), NULL),
      "basicConstraints: malformed",
    ],
    ["a length before the CA flag", "basicConstraints", sequence(integer(1), TRUE), "basicConstraints: malformed"],
    ["no purposes", "extKeyUsage", sequence(), "extKeyUsage: empty"],
    ["no policies", "certificatePolicies", sequence(), "certificatePolicies: empty"],
    ["a policy of nothing", "certificatePolicies", sequence(sequence()), "certificatePolicies: empty"],
    ["no mappings", "policyMappings", sequence(), "policyMappings: empty"],
    [
      "a mapping of three",
      "policyMappings",
      sequence(sequence(encodeOid("1.2.3"), encodeOid("1.2.4"), encodeOid("1.2.5"))),
      "policyMappings: malformed",
    ],
    ["empty policyConstraints", "policyConstraints", sequence(), "policyConstraints: empty"],
    ["a third counter", "policyConstraints", sequence(counter(0, 1), counter(2, 1)), "policyConstraints: malformed"],
    [
      "counters out of order",
      "policyConstraints",
      sequence(counter(1, 1), counter(0, 1)),
      "policyConstraints: malformed",
    ],
    ["alternative names that are none", "subjectAltName", sequence(NULL), "subjectAltName: not a general name"],
  ])("with %s", (_, name, value, reason) => {
    expect(reading({ oid: Oid[name], value })).toEqual({
      ok: false,
      reason: `its extensions are malformed (${reason})`,
    });
  });

  test("with an extension twice, even a harmless one", () => {
    const harmless = { oid: "1.2.3.4", value: NULL };
    expect(reading(harmless)).toMatchObject({ ok: true });
    expect(reading(harmless, harmless)).toEqual({ ok: false, reason: "it has the extension 1.2.3.4 twice" });
  });

  test("with a critical extension that is not known, and which are critical is kept", () => {
    const unknown = { oid: "1.2.3.4", critical: true, value: NULL };
    expect(reading(unknown)).toEqual({ ok: false, reason: "its critical extension 1.2.3.4 is not known" });
    const known = { oid: Oid.basicConstraints, critical: true, value: sequence(TRUE) };
    const all = reading(known, { oid: Oid.inhibitAnyPolicy, value: integer(0) });
    expect(all.ok && all.extensions.critical).toEqual(new Set([Oid.basicConstraints]));
  });
});

const CPS = "1.3.6.1.5.5.7.2.1";
const qualified = (...qualifiers: string[]) =>
  sequence(policy("1.2.3", sequence(...qualifiers.map((oid) => sequence(encodeOid(oid), NULL)))), policy("1.2.4"));
const statements = (...oids: string[]) => sequence(...oids.map((oid) => sequence(encodeOid(oid))));
const QC = ["0.4.0.1862.1.1", "0.4.0.1862.1.6", "0.4.0.19495.2", "1.3.6.1.5.5.7.11.2"];

describe("unknown parts of critical extensions are refused", () => {
  test.each<[string, keyof typeof Oid, Uint8Array, string]>([
    [
      "a qualifier",
      "certificatePolicies",
      qualified(CPS, "1.2.9"),
      "its critical qualifier 1.2.9 of certificatePolicies is not known",
    ],
    [
      "a statement",
      "qcStatements",
      statements(...QC, "1.2.9"),
      "its critical statement 1.2.9 of qcStatements is not known",
    ],
    [
      "qualifiers that cannot be read",
      "certificatePolicies",
      sequence(policy("1.2.3", NULL)),
      "its extensions are malformed (certificatePolicies: ",
    ],
    [
      "more than qualifiers",
      "certificatePolicies",
      sequence(policy("1.2.3", sequence(sequence(encodeOid(CPS))), NULL)),
      "its extensions are malformed (certificatePolicies: malformed)",
    ],
    ["statements that cannot be read", "qcStatements", NULL, "its extensions are malformed (qcStatements: "],
  ])("%s", (_, name, value, reason) => {
    expect(reading({ oid: Oid[name], critical: true, value })).toMatchObject({
      ok: false,
      reason: expect.stringContaining(reason),
    });
    // what is not critical may be passed over
    expect(reading({ oid: Oid[name], value })).toMatchObject({ ok: true });
  });

  test("known ones are not: the qualifiers of RFC 5280, the statements of RFC 3739, EN 319 412-5 and TS 119 495", () => {
    const known = [1, 2, 3, 4, 5, 6, 7].map((n) => `0.4.0.1862.1.${n}`);
    expect(
      reading(
        { oid: Oid.certificatePolicies, critical: true, value: qualified(CPS, "1.3.6.1.5.5.7.2.2") },
        { oid: Oid.qcStatements, critical: true, value: statements(...QC, ...known, "1.3.6.1.5.5.7.11.1") },
      ),
    ).toMatchObject({ ok: true });
  });
});

test("a key without keyUsage may do everything, else what one of its bits says", () => {
  const signing = having({ oid: Oid.keyUsage, value: bitString(6, 0x40) });
  expect(allowsKeyUsage(having(), 1)).toBe(true);
  expect(allowsKeyUsage(signing, 0b01)).toBe(false);
  expect(allowsKeyUsage(signing, 0b10)).toBe(true);
  expect(allowsKeyUsage(signing, 0b11)).toBe(true);
});

test("a purpose is named only where it stands among the purposes", () => {
  const purposes = having({ oid: Oid.extKeyUsage, value: sequence(encodeOid("2.5.29.37.0"), encodeOid("1.2.3")) });
  expect(namesPurpose(purposes, "1.2.3")).toBe(true);
  expect(namesPurpose(purposes, "1.2.4")).toBe(false);
  expect(namesPurpose(having(), "1.2.3")).toBe(false);
});
