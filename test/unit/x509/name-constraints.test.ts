import { expect, test } from "vitest";
import { integer, makeCertificate, name, sequence } from "../../../fixtures/makers/made-pki.ts";
import {
  alternativeNames,
  directory,
  dns,
  email,
  ip,
  nameConstraints,
  other,
  uri,
} from "../../../fixtures/makers/path-extensions.ts";
import { DerError, encodeDer, encodeOid, readDer, Tag } from "../../../src/x509/der.ts";
import { readPathExtensions } from "../../../src/x509/extensions.ts";
import { readName } from "../../../src/x509/name.ts";
import { findForbiddenName, listConstrainedNames, readNameConstraints } from "../../../src/x509/name-constraints.ts";
import { startBudget } from "../../../src/x509/path-budget.ts";

/** What is wrong with a certificate of these alternative names (and the subject CN=PSP), or null. */
function judge(names: Uint8Array[], permitted: Uint8Array[], excluded: Uint8Array[] = []): string | null {
  const { certificate } = makeCertificate({
    subject: "PSP",
    extensions: names.length > 0 ? [alternativeNames(...names)] : [],
  });
  const reading = readPathExtensions(certificate);
  if (!reading.ok) throw new Error(reading.reason);
  const constraints = readNameConstraints(nameConstraints(permitted, excluded).value);
  return findForbiddenName(
    constraints,
    listConstrainedNames(certificate, reading.extensions.alternativeNames),
    startBudget(),
  );
}

type Row = [form: string, base: Uint8Array, name: Uint8Array, permitted: boolean, excluded: boolean];

test.each<Row>([
  ["a host: itself", dns("example.org"), dns("EXAMPLE.org"), true, true],
  ["a host: below it", dns("example.org"), dns("a.b.example.org"), true, true],
  ["a host: one that only ends like it", dns("example.org"), dns("myexample.org"), false, false],
  ["a host: above it", dns("a.example.org"), dns("example.org"), false, false],
  ["a host: a wildcard below it", dns("example.org"), dns("*.example.org"), true, true],
  ["a host: a wildcard that reaches it among others", dns("a.example.org"), dns("*.example.org"), false, true],
  ["a host: a wildcard that cannot reach it", dns("a.b.example.org"), dns("*.example.org"), false, false],
  ["all hosts", dns(""), dns("example.org"), true, true],
  ["a mailbox: itself", email("a@example.org"), email("a@EXAMPLE.org"), true, true],
  ["a mailbox: in other case", email("a@example.org"), email("A@example.org"), false, false],
  ["a mail host: on it", email("example.org"), email("a@example.org"), true, true],
  ["a mail host: below it", email("example.org"), email("a@sub.example.org"), false, false],
  ["a mail domain: below it", email(".example.org"), email("a@sub.example.org"), true, true],
  ["a mail domain: on it", email(".example.org"), email("a@example.org"), false, false],
  ["a URI host: itself", uri("example.org"), uri("https://user@example.org:8443/x?y#z"), true, true],
  ["a URI host: below it", uri("example.org"), uri("https://sub.example.org"), false, false],
  ["a URI domain: below it", uri(".example.org"), uri("https://sub.example.org/"), true, true],
  ["a URI domain: in the path only", uri(".example.org"), uri("https://evil.test/.example.org"), false, false],
  ["an IPv4 range: inside", ip(192, 0, 2, 0, 255, 255, 255, 0), ip(192, 0, 2, 77), true, true],
  ["an IPv4 range: outside", ip(192, 0, 2, 0, 255, 255, 255, 0), ip(192, 0, 3, 1), false, false],
  ["all of IPv4", ip(0, 0, 0, 0, 0, 0, 0, 0), ip(192, 0, 3, 1), true, true],
  ["an IPv4 range: an IPv6 address", ip(0, 0, 0, 0, 0, 0, 0, 0), ip(...new Array(16).fill(0)), false, false],
])("the subtree of %s", (_, base, name, permitted, excluded) => {
  const directoryToo = directory(sequence());
  expect(judge([name], [base, directoryToo]) === null).toBe(permitted);
  expect(judge([name], [], [base]) !== null).toBe(excluded);
});

test.each<Row>([
  ["a host that is none", dns("example.org"), dns(".example.org"), false, true],
  ["two hosts in one", dns("example.org"), dns("a..example.org"), false, true],
  ["a mailbox with two @", email("example.org"), email("a@b@example.org"), false, true],
  ["a URI without host", uri("example.org"), uri("urn:example.org"), false, true],
  ["a URI of an address", uri("example.org"), uri("https://192.0.2.1/"), false, true],
  ["an address of five bytes", ip(0, 0, 0, 0, 0, 0, 0, 0), ip(1, 2, 3, 4, 5), false, true],
  ["a form that nobody can compare", other(), other(), false, true],
])("%s is refused on either side", (_, base, name, permitted, excluded) => {
  expect(judge([name], [base]) === null).toBe(permitted);
  expect(judge([name], [], [base]) !== null).toBe(excluded);
});

test("a constraint binds names of its own form only", () => {
  expect(judge([dns("example.org")], [], [ip(0, 0, 0, 0, 0, 0, 0, 0), other()])).toBeNull();
  expect(judge([dns("example.org")], [email("example.com")])).toBeNull();
});

test("a host is permitted and one below it excluded", () => {
  expect(judge([dns("a.example.org")], [dns("example.org"), directory(sequence())], [dns("b.example.org")])).toBeNull();
  expect(judge([dns("b.example.org")], [dns("example.org"), directory(sequence())], [dns("b.example.org")])).toBe(
    'the name "b.example.org" is excluded by the name constraints',
  );
  // as many of one as of the other, so that neither is taken for none
  expect(readNameConstraints(nameConstraints([dns("a.test")], [dns("b.test")]).value)).toEqual({
    permitted: [{ form: "dns", text: "a.test" }],
    excluded: [{ form: "dns", text: "b.test" }],
  });
});

test("one of several permitted subtrees suffices, and an excluded one outweighs it", () => {
  const hosts = [dns("example.com"), dns("example.org")];
  expect(judge([dns("a.example.org")], hosts)).toBeNull();
  expect(judge([dns("a.example.org")], hosts, [dns("a.example.org")])).toContain("excluded");
  expect(judge([dns("example.org"), dns("example.net")], hosts)).toContain("example.net");
});

test("the subject is a directory name", () => {
  expect(judge([], [directory(name("psp"))])).toBeNull();
  expect(judge([], [directory(name("other"))])).toBe(
    "a name of the form directory is not permitted by the name constraints",
  );
  expect(judge([], [], [directory(name("PSP"))])).toBe(
    "a name of the form directory is excluded by the name constraints",
  );
  expect(judge([], [directory(sequence())])).toBeNull();
});

const subjectOf = (...attributes: Uint8Array[]) =>
  readName(readDer(sequence(encodeDer(Tag.set, ...attributes)), "subject"), "subject");
const mail = (value: Uint8Array) => sequence(encodeOid("1.2.840.113549.1.9.1"), value);
const commonName = sequence(encodeOid("2.5.4.3"), encodeDer(Tag.utf8String, Buffer.from("PSP")));

test("e-mail addresses in the subject count when no alternative name is one", () => {
  const subject = subjectOf(commonName, mail(encodeDer(Tag.ia5String, Buffer.from("a@example.org"))));
  const certificate = { ...makeCertificate({ subject: "PSP" }).certificate, subject };
  const directoryName = { form: "directory", name: subject } as const;
  const inSubject = { form: "email", text: "a@example.org" } as const;
  const alternative = { form: "email", text: "b@example.org" } as const;
  expect(listConstrainedNames(certificate, null)).toEqual([directoryName, inSubject]);
  expect(listConstrainedNames(certificate, [alternative])).toEqual([directoryName, alternative]);
  const host = { form: "dns", text: "example.org" } as const;
  expect(listConstrainedNames(certificate, [host])).toEqual([directoryName, host, inSubject]);
});

test("an e-mail address in the subject that is no text is in no subtree", () => {
  const certificate = { ...makeCertificate({ subject: "PSP" }).certificate, subject: subjectOf(mail(integer("01"))) };
  const names = listConstrainedNames(certificate, null);
  const find = (...subtrees: Parameters<typeof nameConstraints>) =>
    findForbiddenName(readNameConstraints(nameConstraints(...subtrees).value), names, startBudget());
  expect(find([email("example.org")])).toBe('the name "" is not permitted by the name constraints');
  expect(find([], [email("example.org")])).toBe('the name "" is not comparable with the name constraints');
});

// RFC 5280 section 4.1.2.6: with alternative names alone the subject is empty
test("an empty subject is no name", () => {
  const subject = readName(readDer(sequence(), "subject"), "subject");
  const certificate = { ...makeCertificate({ subject: "PSP" }).certificate, subject };
  expect(listConstrainedNames(certificate, null)).toEqual([]);
});

test("each comparison is charged before it is made", () => {
  const spent: number[] = [];
  const budget = { spend: (_: string, amount = 1) => spent.push(amount) < 2, exhausted: null };
  const constraints = readNameConstraints(
    nameConstraints([dns("a.test"), dns("b.test"), ip(0, 0, 0, 0, 0, 0, 0, 0)], [dns("c.test"), dns("d.test")]).value,
  );
  const host = { form: "dns", text: "x.a.test" } as const;
  // of the second nothing is compared, though it is not permitted
  const names = [host, { form: "dns", text: "e.test" } as const];
  expect(findForbiddenName(constraints, names, budget)).toBeNull();
  expect(spent).toEqual([4, 4]);
});

test("of a long name the first hundred characters are told", () => {
  const start = `${"a".repeat(60)}.${"b".repeat(39)}`;
  expect(judge([dns(`${start}.test`)], [dns("example.org"), directory(sequence())])).toBe(
    `the name "${start}" is not permitted by the name constraints`,
  );
});

const permitted = (...subtrees: Uint8Array[]) => encodeDer(0xa0, ...subtrees);
test.each([
  ["no subtrees at all", sequence()],
  ["an empty list of subtrees", sequence(permitted())],
  ["nothing permitted", sequence(permitted(), encodeDer(0xa1, sequence(dns("a.test"))))],
  ["nothing excluded", sequence(permitted(sequence(dns("a.test"))), encodeDer(0xa1))],
  ["a subtree without base", sequence(permitted(sequence()))],
  [
    "the excluded before the permitted",
    sequence(encodeDer(0xa1, sequence(dns("a.test"))), permitted(sequence(dns("a.test")))),
  ],
  ["a minimum", sequence(permitted(sequence(dns("a.test"), encodeDer(0x80, Uint8Array.of(1)))))],
  ["a maximum", sequence(permitted(sequence(dns("a.test"), encodeDer(0x81, Uint8Array.of(1)))))],
  ["a host with a leading dot", sequence(permitted(sequence(dns(".a.test"))))],
  ["a wildcard", sequence(permitted(sequence(dns("*.a.test"))))],
  ["two @", sequence(permitted(sequence(email("a@b@c.test"))))],
  ["an address without mask", sequence(permitted(sequence(ip(1, 2, 3, 4))))],
  ["a mask with holes", sequence(permitted(sequence(ip(1, 2, 3, 4, 255, 0, 255, 0))))],
  ["text that is not ASCII", sequence(permitted(sequence(dns("ä.test"))))],
  ["something else after them", sequence(permitted(sequence(dns("a.test"))), integer("01"))],
])("constraints with %s are malformed", (_, value) => {
  expect(() => readNameConstraints(value)).toThrow(DerError);
});
