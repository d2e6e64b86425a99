import { expect, test } from "vitest";
import { makeCertificate, sequence } from "../../../fixtures/makers/made-pki.ts";
import { describeFailure, nameOf } from "../../../src/eidas/sought-issuers.ts";
import { MAX_INTERMEDIATES } from "../../../src/x509/path-budget.ts";
import type { PathFailure } from "../../../src/x509/path-failure.ts";
import { certificates, leaf, middle, root } from "../x509/made-paths.ts";

const failure = (more: Partial<PathFailure> = {}): PathFailure => ({
  ok: false,
  reason: "no-anchor",
  at: leaf.certificate,
  message: "no issuer",
  path: certificates(leaf),
  anchored: false,
  ...more,
});
const missing = (issuer: string) =>
  `no issuer: its issuer, ${issuer}, is neither on a trusted list nor among the certificates sent; ` +
  "an intermediate CA's certificate can be sent after the PSP's";

test("a missing issuer is named, and how to send it", () => {
  expect(describeFailure(failure())).toBe(missing(nameOf(middle.certificate.subject) ?? ""));
  expect(nameOf(middle.certificate.subject)).toContain("Middle");
  const nameless = makeCertificate({ subject: sequence() });
  expect(nameOf(nameless.certificate.subject)).toBeNull();
  const below = makeCertificate({ subject: "PSP", issuer: nameless }).certificate;
  expect(describeFailure(failure({ at: below }))).toBe(missing("which has no name"));
});

test("nobody else can send a self-issued certificate's issuer", () => {
  expect(describeFailure(failure({ at: root.certificate }))).toBe(
    "no issuer: it is self-issued and not on a trusted list",
  );
});

test("any other failure, and a path that is too long, stands for itself", () => {
  expect(describeFailure(failure({ reason: "signature" }))).toBe("no issuer");
  expect(describeFailure(failure({ at: null }))).toBe("no issuer");
  const long = (length: number) => certificates(...new Array<typeof leaf>(length).fill(leaf));
  expect(describeFailure(failure({ path: long(MAX_INTERMEDIATES + 1) }))).toBe("no issuer");
  expect(describeFailure(failure({ path: long(MAX_INTERMEDIATES) }))).not.toBe("no issuer");
});
