import { expect, test } from "vitest";
import { at, keyUsage, type MadeExtension, makeCertificate } from "../../../fixtures/makers/made-pki.ts";
import {
  alternativeNames,
  basicConstraints,
  caExtensions,
  dns,
  KEY_CERT_SIGN,
  nameConstraints,
  POISON,
  unknownExtension,
} from "../../../fixtures/makers/path-extensions.ts";
import { build, ca, certificates, leaf, middle, root } from "./made-paths.ts";

test.each([
  ["in its first second", "2026-01-01T00:00:00.000Z", true],
  ["before it", "2025-12-31T23:59:59.999Z", "not-yet-valid"],
  ["in its last second", "2026-12-31T00:00:00.999Z", true],
  ["after it", "2026-12-31T00:00:01.000Z", "expired"],
])("the period of validity holds %s: %s", async (_, time, expected) => {
  const result = await build(leaf, [middle], [root], at(time));
  expect(result.ok || result.reason).toBe(expected);
  const told = {
    expired: "expired on 2026-12-31T00:00:00Z",
    "not-yet-valid": "is valid only from 2026-01-01T00:00:00Z",
  };
  if (!result.ok) expect(result.message).toContain(`: it ${told[expected as keyof typeof told]}`);
});

test.each([
  ["the leaf", 0],
  ["an intermediate", 1],
  ["the anchor", 2],
])("when only %s has expired, the failure says so and shows the whole path", async (_, position) => {
  const notAfter = (index: number) => (index === position ? { notAfter: at("2026-02-01T00:00:00Z") } : {});
  const anchor = makeCertificate({ subject: "Root", extensions: caExtensions(), ...notAfter(2) });
  const issuer = makeCertificate({ subject: "CA", issuer: anchor, extensions: caExtensions(), ...notAfter(1) });
  const child = makeCertificate({ subject: "PSP", issuer, ...notAfter(0) });
  const path = certificates(child, issuer, anchor);
  const result = await build(child, [issuer], [anchor]);
  expect(result).toMatchObject({ ok: false, reason: "expired", at: path[position], path, anchored: true });
});

test("a broken rule is told before an expired certificate", async () => {
  const child = makeCertificate({
    subject: "PSP",
    issuer: root,
    notAfter: at("2026-02-01T00:00:00Z"),
    extensions: [unknownExtension(true)],
  });
  expect(await build(child, [], [root])).toMatchObject({ reason: "rule", anchored: true });
});

test("of two failures an expired certificate is nearer to a path than a broken rule", async () => {
  const strict = makeCertificate({
    subject: "Root",
    key: root.key,
    extensions: [...caExtensions(), unknownExtension(true)],
  });
  const old = makeCertificate({
    subject: "Root",
    key: root.key,
    notAfter: at("2026-02-01T00:00:00Z"),
    extensions: caExtensions(),
  });
  expect(await build(leaf, [middle], [strict, old])).toMatchObject({ reason: "expired", at: old.certificate });
  expect(await build(leaf, [middle], [old, strict])).toMatchObject({ reason: "expired", at: old.certificate });
});

test("an expired path gives way to a valid one", async () => {
  const old = makeCertificate({
    subject: "Root",
    key: root.key,
    notAfter: at("2026-02-01T00:00:00Z"),
    extensions: caExtensions(),
  });
  expect(await build(leaf, [middle], [old, root])).toEqual({ ok: true, path: certificates(leaf, middle, root) });
});

const issuerWith = (...extensions: MadeExtension[]) => {
  const issuer = ca("CA", root, extensions);
  return { issuer, child: makeCertificate({ subject: "PSP", issuer }) };
};

test.each<[string, MadeExtension[], string | null]>([
  ["has no extensions", [], "it is not a CA"],
  ["is no CA", [basicConstraints(false)], "it is not a CA"],
  ["is a CA and says no more", [basicConstraints(true)], null],
  ["is a CA by constraints that are not critical", [basicConstraints(true, 0, false)], null],
  [
    "may not sign certificates",
    [basicConstraints(true), keyUsage(6)],
    "its key usage does not allow signing certificates",
  ],
  ["has an extension twice", [...caExtensions(), ...caExtensions()], "it has the extension 2.5.29.19 twice"],
  ["has an unknown extension", [...caExtensions(), unknownExtension(false)], null],
  [
    "has an unknown critical one",
    [...caExtensions(), unknownExtension(true)],
    "its critical extension 1.2.3.4 is not known",
  ],
  [
    "has malformed constraints",
    [{ oid: "2.5.29.19", value: Uint8Array.of(1) }],
    "its extensions are malformed (basicConstraints: truncated)",
  ],
])("an intermediate that %s", async (_, extensions, problem) => {
  const { issuer, child } = issuerWith(...extensions);
  const result = await build(child, [issuer], [root]);
  const message = `the issuer's certificate "CA" cannot be relied on: ${problem}`;
  if (problem === null) expect(result).toMatchObject({ ok: true });
  else expect(result).toMatchObject({ ok: false, reason: "rule", at: issuer.certificate, message });
});

// RFC 5280 section 6.1.4 (k)
test("a certificate of version 1 issues nothing", async () => {
  const old = makeCertificate({ subject: "Old", issuer: root, edit: (fields) => fields.slice(1) });
  expect(await build(makeCertificate({ subject: "PSP", issuer: old }), [old], [root])).toMatchObject({
    reason: "rule",
    message: 'the issuer\'s certificate "Old" cannot be relied on: it is of version 1, which cannot be a CA',
  });
});

test("a precertificate is no certificate", async () => {
  const child = makeCertificate({ subject: "PSP", issuer: root, extensions: [POISON] });
  expect(await build(child, [], [root])).toMatchObject({
    reason: "rule",
    message: expect.stringContaining(POISON.oid),
  });
});

test.each([
  [{ root: 0 }, false],
  [{ root: 1 }, true],
  [{ root: 1, first: 0 }, true],
  [{ root: 0, first: 5 }, false],
  [{ root: 5, leaf: 0 }, true],
])("path lengths %j: %s", async (lengths: { root?: number; first?: number; leaf?: number }, ok) => {
  const anchor = ca("Root", undefined, caExtensions(lengths.root));
  const first = ca("First", anchor, caExtensions(lengths.first));
  const child = ca("PSP", first, lengths.leaf === undefined ? [] : caExtensions(lengths.leaf));
  expect((await build(child, [first], [anchor])).ok).toBe(ok);
});

// RFC 5280 section 6.1.4 (l) and (m)
test.each<[first: number | undefined, second: number | undefined, selfIssued: boolean, ok: boolean]>([
  [0, undefined, false, false],
  [0, undefined, true, true],
  [1, undefined, false, true],
  [1, 0, false, true],
  [0, 5, false, false],
  [0, 5, true, true],
])("path length %s of an intermediate above one of %s (self-issued: %s): %s", async (one, two, selfIssued, ok) => {
  const first = ca("First", root, caExtensions(one));
  const second = ca(selfIssued ? "First" : "Second", first, caExtensions(two));
  const child = makeCertificate({ subject: "PSP", issuer: second });
  expect((await build(child, [first, second], [root])).ok).toBe(ok);
});

test("what a self-issued CA leaves of the path length counts below it", async () => {
  const anchor = ca("Root", undefined, caExtensions(1));
  const renewed = ca("Root", anchor, caExtensions(0));
  const third = ca("Third", renewed, caExtensions());
  const child = makeCertificate({ subject: "PSP", issuer: third });
  expect(await build(child, [renewed, third], [anchor])).toMatchObject({
    at: third.certificate,
    message: expect.stringContaining("it makes the path longer than its issuers allow"),
  });
});

test("a self-issued certificate does not count for the path length", async () => {
  const anchor = ca("Root", undefined, caExtensions(0));
  const renewed = makeCertificate({ subject: "Root", issuer: anchor, extensions: caExtensions(0) });
  const child = makeCertificate({ subject: "PSP", issuer: renewed });
  expect(await build(child, [renewed], [anchor])).toEqual({ ok: true, path: certificates(child, renewed, anchor) });
});

test("an anchor's name constraints bind", async () => {
  const anchor = ca("Root", undefined, [...caExtensions(), nameConstraints([dns("example.org")])]);
  const child = (host: string) =>
    makeCertificate({ subject: "PSP", issuer: anchor, extensions: [alternativeNames(dns(host))] });
  expect(await build(child("psp.example.org"), [], [anchor])).toMatchObject({ ok: true });
  expect(await build(child("psp.example.com"), [], [anchor])).toMatchObject({
    reason: "rule",
    message: 'the certificate cannot be relied on: the name "psp.example.com" is not permitted by the name constraints',
  });
});

// RFC 5280 section 6.1.4 (g): what each CA permits is intersected, what each excludes is united
test.each<[host: string, ok: boolean]>([
  ["psp.b.example.org", true],
  ["psp.example.org", false],
  ["psp.b.example.com", false],
  ["psp.c.b.example.org", false],
])("the name constraints of both CAs above bind %s: %s", async (host, ok) => {
  const upper = ca("Upper", root, [...caExtensions(), nameConstraints([dns("example.org")], [dns("c.b.example.org")])]);
  const lower = ca("Lower", upper, [...caExtensions(), nameConstraints([dns("b.example.org"), dns("example.com")])]);
  const child = makeCertificate({ subject: "PSP", issuer: lower, extensions: [alternativeNames(dns(host))] });
  expect((await build(child, [lower, upper], [root])).ok).toBe(ok);
});

test("name constraints spare self-issued issuers, but no leaf", async () => {
  const anchor = ca("Root", undefined, [...caExtensions(), nameConstraints([dns("example.org")])]);
  const elsewhere = alternativeNames(dns("example.com"));
  const renewed = ca("Root", anchor, [...caExtensions(), elsewhere]);
  const child = makeCertificate({ subject: "PSP", issuer: renewed });
  expect(await build(child, [renewed], [anchor])).toMatchObject({ ok: true });
  expect(await build(renewed, [], [anchor])).toMatchObject({ reason: "rule", at: renewed.certificate });
});

// RFC 5280 section 4: path-profile.test.ts has the rules one by one
test.each<[string, number]>([
  ["the leaf", 0],
  ["an intermediate", 1],
  ["the anchor", 2],
])("what issuers must write, and no listed CA leaves out, is asked of %s", async (_, broken) => {
  const serial = (position: number) => (position === broken ? "01".repeat(21) : "01");
  const anchor = makeCertificate({ subject: "Root", extensions: caExtensions(), serial: serial(2) });
  const issuer = makeCertificate({ subject: "CA", issuer: anchor, extensions: caExtensions(), serial: serial(1) });
  const child = makeCertificate({ subject: "PSP", issuer, serial: serial(0) });
  expect(await build(child, [issuer], [anchor])).toMatchObject({
    reason: "rule",
    at: certificates(child, issuer, anchor)[broken],
    message: expect.stringContaining("its serial number is longer than 20 bytes"),
  });
});

test("a rule of section 6 is told before one of section 4", async () => {
  const { issuer, child } = issuerWith(basicConstraints(false), keyUsage(KEY_CERT_SIGN));
  expect(await build(child, [issuer], [root])).toMatchObject({ message: expect.stringContaining("it is not a CA") });
});

test("keyCertSign is bit 5", async () => {
  const { issuer, child } = issuerWith(basicConstraints(true), keyUsage(KEY_CERT_SIGN));
  expect(await build(child, [issuer], [root])).toMatchObject({ ok: true });
});
