import { expect, test } from "vitest";
import { keyUsage, type MadeExtension, makeCertificate, sequence } from "../../../fixtures/makers/made-pki.ts";
import {
  alternativeNames,
  authorityKeyIdentifier,
  basicConstraints,
  caExtensions,
  dns,
  inhibitAnyPolicy,
  ip,
  KEY_CERT_SIGN,
  nameConstraints,
  policyConstraints,
  subjectKeyIdentifier,
} from "../../../fixtures/makers/path-extensions.ts";
import type { Certificate } from "../../../src/x509/certificate.ts";
import { readDer } from "../../../src/x509/der.ts";
import { readPathExtensions } from "../../../src/x509/extensions.ts";
import { type Name, readName } from "../../../src/x509/name.ts";
import { findProfileProblem } from "../../../src/x509/path-profile.ts";

const AKI = authorityKeyIdentifier(1);
const SKI = subjectKeyIdentifier(1);
const CA = [...caExtensions(), AKI, SKI];
const EMPTY: Name = readName(readDer(sequence(), "name"), "name");
const critical = (extension: MadeExtension, value: boolean): MadeExtension => ({ ...extension, critical: value });

const LEAF_ROLE = { anchor: false, selfSigned: false };
const ROOT_ROLE = { anchor: true, selfSigned: true };

const judge = (extensions: MadeExtension[], role = LEAF_ROLE, change: Partial<Certificate> = {}, serial = "01") => {
  const { certificate } = makeCertificate({ subject: "PSP", serial, extensions, bare: true });
  const reading = readPathExtensions(certificate);
  if (!reading.ok) throw new Error(reading.reason);
  return findProfileProblem({ ...certificate, ...change }, reading.extensions, role);
};

test.each<[string, MadeExtension[], string | null]>([
  ["a leaf with an authority key identifier", [AKI], null],
  // 11 of 26 PSD2 certificates by other projects
  ["a leaf without", [], null],
  ["a CA without authority key identifier", [...caExtensions(), SKI], "it is a CA without authority key identifier"],
  [
    "a CA that names its issuer's key otherwise",
    [...caExtensions(), SKI, { oid: "2.5.29.35", value: sequence() }],
    "it is a CA without authority key identifier",
  ],
  ["a CA with all that it needs", CA, null],
  ["a CA without subject key identifier", [...caExtensions(), AKI], "it is a CA without subject key identifier"],
  [
    // 4 of 299 CA/QC certificates on seven lists
    "a CA whose constraints are not critical",
    [basicConstraints(true, 0, false), AKI, SKI],
    null,
  ],
  [
    "no CA, but keyCertSign",
    [AKI, keyUsage(KEY_CERT_SIGN)],
    "it may sign certificates by its key usage, but is not a CA",
  ],
  ["alternative names without a name", [AKI, alternativeNames()], "its alternative names are empty"],
  ["a critical AKI", [critical(AKI, true)], "its authorityKeyIdentifier is critical"],
  ["a critical SKI", [AKI, critical(SKI, true)], "its subjectKeyIdentifier is critical"],
  // as in PKITS' valid paths
  ["policy constraints that are not", [...CA, critical(policyConstraints(0), false)], null],
  [
    "an inhibitAnyPolicy that is not",
    [...CA, critical(inhibitAnyPolicy(0), false)],
    "its inhibitAnyPolicy is not critical",
  ],
  // 54 of 299
  ["name constraints that are not", [...CA, critical(nameConstraints([dns("a.test")]), false)], null],
  ["name constraints of no CA", [AKI, nameConstraints([dns("a.test")])], "it has name constraints, but is not a CA"],
  ["a host name", [AKI, alternativeNames(dns("psp.example"), dns("*.psp.example"))], null],
  [
    "an underscore",
    [AKI, alternativeNames(dns("a_b.example"))],
    'its alternative name "a_b.example" is not a host name',
  ],
  [
    "an address as a host",
    [AKI, alternativeNames(dns("192.0.2.1"))],
    'its alternative name "192.0.2.1" is not a host name',
  ],
  ["a wildcard alone", [AKI, alternativeNames(dns("*"))], 'its alternative name "*" is not a host name'],
  [
    "a wildcard inside",
    [AKI, alternativeNames(dns("a.*.example"))],
    'its alternative name "a.*.example" is not a host name',
  ],
  [
    "an address of five bytes",
    [AKI, alternativeNames(ip(1, 2, 3, 4, 5))],
    "its alternative name 0102030405 is not an IP address",
  ],
])("%s", (_, extensions, problem) => {
  expect(judge(extensions)).toBe(problem);
});

test("only a self-signed certificate may lack the authority key identifier", () => {
  expect(judge([...caExtensions(), SKI], ROOT_ROLE)).toBeNull();
  expect(judge([...caExtensions(), SKI], { anchor: true, selfSigned: false })).toBe(
    "it is a CA without authority key identifier",
  );
});

test("an anchor need not say that it is a CA", () => {
  expect(judge([AKI, SKI], ROOT_ROLE)).toBeNull();
});

test.each([
  ["01", null],
  ["7f".repeat(20), null],
  [`00${"ff".repeat(20)}`, null],
  ["7f".repeat(21), "its serial number is longer than 20 bytes"],
  // only a zero before it does not count
  [`${"7f".repeat(10)}00${"7f".repeat(10)}`, "its serial number is longer than 20 bytes"],
  ["00", "its serial number is not positive"],
  ["ff", "its serial number is not positive"],
])("the serial number %s", (serial, problem) => {
  expect(judge([AKI], LEAF_ROLE, {}, serial)).toBe(problem);
});

test("a root's serial number may be zero", () => {
  expect(judge(CA, ROOT_ROLE, {}, "00")).toBeNull();
});

test("names may be empty only for a subject that has critical alternative names", () => {
  const names = alternativeNames(dns("psp.example"));
  const absent = "its subject is empty, and its alternative names are absent or not critical";
  expect(judge([AKI], LEAF_ROLE, { issuer: EMPTY })).toBe("its issuer is empty");
  expect(judge(CA, LEAF_ROLE, { subject: EMPTY })).toBe("its subject is empty, though it is a CA");
  expect(judge([AKI], LEAF_ROLE, { subject: EMPTY })).toBe(absent);
  expect(judge([AKI, names], LEAF_ROLE, { subject: EMPTY })).toBe(absent);
  expect(judge([AKI, critical(names, true)], LEAF_ROLE, { subject: EMPTY })).toBeNull();
});
