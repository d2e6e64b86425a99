import { describe, expect, test } from "vitest";
import { makeCertificate, sequence } from "../../../fixtures/makers/made-pki.ts";
import {
  keepBetter,
  noteAnchoredFault,
  noteBudget,
  noteDeadEnd,
  type PathFailure,
} from "../../../src/x509/path-failure.ts";
import { certificates, leaf, middle, root } from "./made-paths.ts";

const [psp, ca, top] = [leaf.certificate, middle.certificate, root.certificate];
const refusal = (fit: "fits" | "unknown" | "differs", reason: string) => ({
  candidate: { certificate: top, anchor: false, fit },
  reason,
});

describe("a path that goes no further", () => {
  test("lacks an issuer, of the certificate or of one above it", () => {
    const failure = { ok: false, anchored: false, reason: "no-anchor" };
    expect(noteDeadEnd([psp], [], [top])).toEqual({
      ...failure,
      at: psp,
      message: "no trusted issuer of the certificate is known",
      path: [psp],
    });
    expect(noteDeadEnd([psp, ca], [], [])).toEqual({
      ...failure,
      at: ca,
      message: 'no trusted issuer of the issuer\'s certificate "Middle" is known',
      path: [psp, ca],
    });
  });

  test("has a signature that does not verify, unless the key identifier says that it is another's", () => {
    const failure = noteDeadEnd(
      [psp, ca],
      [refusal("differs", "no"), refusal("unknown", "bad key"), refusal("fits", "no")],
      [],
    );
    expect(failure).toEqual({
      ok: false,
      anchored: false,
      reason: "signature",
      at: ca,
      message: 'the signature on the issuer\'s certificate "Middle" does not verify: bad key',
      path: [psp, ca, top],
    });
    expect(noteDeadEnd([psp], [refusal("differs", "no")], [])).toMatchObject({ reason: "no-anchor", path: [psp] });
  });

  test("begins with an anchor that nobody issued", () => {
    expect(noteDeadEnd([top], [], [ca, top])).toMatchObject({
      reason: "rule",
      message: "the certificate is itself a trust anchor, and no path leads to it",
      path: [top],
    });
    expect(noteDeadEnd([top, ca], [], [top])).toMatchObject({ reason: "no-anchor" });
    expect(noteDeadEnd([], [], [top])).toMatchObject({ reason: "no-anchor", at: null });
  });

  test("is too long above ten intermediates", () => {
    const long = (intermediates: number) => [psp, ...new Array<typeof ca>(intermediates).fill(ca)];
    expect(noteDeadEnd(long(9), [], []).message).toMatch(/^no trusted issuer/);
    expect(noteDeadEnd(long(10), [], []).message).toBe("the path has more than 10 intermediate certificates");
  });
});

describe("who is at fault is named", () => {
  const named = (subject: string | Uint8Array) =>
    noteAnchoredFault([psp, makeCertificate({ subject }).certificate], {
      reason: "rule",
      at: makeCertificate({ subject }).certificate,
      message: "it is odd",
    }).message;

  test("by its name, shortened, or as an issuer's", () => {
    expect(named("Some CA")).toBe('the issuer\'s certificate "Some CA" cannot be relied on: it is odd');
    expect(named("a".repeat(101))).toBe(`the issuer's certificate "${"a".repeat(100)}" cannot be relied on: it is odd`);
    expect(named(sequence())).toBe("an issuer's certificate cannot be relied on: it is odd");
  });

  test("as the certificate itself", () => {
    expect(noteAnchoredFault([psp, ca], { reason: "expired", at: psp, message: "it is odd" })).toEqual({
      ok: false,
      reason: "expired",
      at: psp,
      message: "the certificate cannot be relied on: it is odd",
      path: [psp, ca],
      anchored: true,
    });
  });
});

test("a search that was given up says so, and keeps the path that came furthest", () => {
  const best = noteAnchoredFault([psp, ca], { reason: "rule", at: ca, message: "" });
  expect(noteBudget("signatures", best)).toEqual({
    ok: false,
    reason: "budget",
    at: null,
    message: "the search for a path was given up: too many signatures",
    path: [psp, ca],
    anchored: true,
  });
});

describe("of two failures the one that came further is kept", () => {
  const failure = (reason: PathFailure["reason"], length: number, anchored = false): PathFailure => ({
    ok: false,
    reason,
    at: null,
    message: "",
    path: certificates(...new Array<typeof leaf>(length).fill(leaf)),
    anchored,
  });
  const inOrder = [
    failure("no-anchor", 1),
    failure("signature", 2),
    failure("no-anchor", 2),
    failure("signature", 3),
    failure("no-anchor", 11),
    failure("rule", 2, true),
    failure("expired", 2, true),
  ];
  test.each(inOrder.slice(1).map((better, i) => [better.reason, inOrder[i]?.reason, better, inOrder[i]] as const))(
    "%s before %s",
    (_, __, better, worse) => {
      if (!worse) throw new Error("two");
      expect(keepBetter(worse, better)).toBe(better);
      expect(keepBetter(better, worse)).toBe(better);
    },
  );

  test.each([
    [failure("expired", 2, true), failure("not-yet-valid", 3, true)],
    [failure("not-yet-valid", 2, true), failure("expired", 3, true)],
    [failure("rule", 2, true), failure("rule", 3, true)],
    [failure("no-anchor", 2), failure("no-anchor", 2)],
  ])("the first of two that came as far (%#)", (first, second) => {
    expect(keepBetter(first, second)).toBe(first);
    expect(keepBetter(second, first)).toBe(second);
  });
});
