/** Which certificate is the holder's own, in every order that several can be sent in. */
import { describe, expect, test } from "vitest";
import { type Holder, makeCertificate } from "../../../fixtures/makers/made-pki.ts";
import {
  authorityKeyIdentifier,
  basicConstraints,
  caExtensions,
  subjectKeyIdentifier,
} from "../../../fixtures/makers/path-extensions.ts";
import type { Certificate } from "../../../src/x509/certificate.ts";
import { findOwn } from "../../../src/x509/chain-order.ts";
import { ca, leaf, middle, root } from "./made-paths.ts";

const own = (...holders: Holder[]): Certificate | null => findOwn(holders.map(({ certificate }) => certificate));

function orders<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, i) => orders(items.toSpliced(i, 1)).map((rest) => [item, ...rest]));
}

test("the one that issued none of the others is found in every order", () => {
  for (const order of orders([leaf, middle, root])) expect(own(...order)).toBe(leaf.certificate);
  for (const order of orders([middle, root])) expect(own(...order)).toBe(middle.certificate);
});

test("where a link is missing, a CA's certificate is not taken for the PSP's", () => {
  for (const order of orders([leaf, root, ca("Other")])) expect(own(...order)).toBe(leaf.certificate);
});

describe("a name is not enough where key identifiers tell two keys apart", () => {
  const issuer = ca("CA", undefined, [...caExtensions(), subjectKeyIdentifier(1)]);
  const child = makeCertificate({ subject: "PSP", issuer, extensions: [authorityKeyIdentifier(1)] });
  // bears the PSP's name as its issuer's, but names another key
  const stranger = makeCertificate({
    subject: "Stranger",
    issuer: child,
    extensions: [basicConstraints(true), authorityKeyIdentifier(9)],
  });
  const identified = makeCertificate({
    subject: "PSP",
    issuer,
    extensions: [authorityKeyIdentifier(1), subjectKeyIdentifier(2)],
  });

  test("a certificate of another key's is no child", () => {
    for (const order of orders([identified, issuer, stranger])) expect(own(...order)).toBe(identified.certificate);
  });

  test("without identifiers the name decides", () => {
    for (const order of orders([child, issuer, stranger])) expect(own(...order)).toBe(stranger.certificate);
  });
});

test("where nothing tells, the first stays the first", () => {
  const one = makeCertificate({ subject: "One", issuer: root });
  const two = makeCertificate({ subject: "Two", issuer: root });
  expect(own(one, two, root)).toBe(one.certificate);
  expect(own(two, one, root)).toBe(two.certificate);
  expect(own(root, two, one)).toBe(two.certificate);
  expect(own(one, one, root)).toBe(one.certificate);
});

test("of CAs that issued each other the first is taken", () => {
  const a = ca("A");
  const b = ca("B", a);
  const again = makeCertificate({ subject: "A", key: a.key, issuer: b, extensions: caExtensions() });
  expect(own(again, b)).toBe(again.certificate);
  expect(own(b, again)).toBe(b.certificate);
});

test("a root alone is itself, and nothing is nothing", () => {
  expect(own(root)).toBe(root.certificate);
  expect(own()).toBeNull();
});
