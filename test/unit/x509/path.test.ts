import { sign } from "node:crypto";
import { expect, test } from "vitest";
import { makeCertificate, sequence } from "../../../fixtures/makers/made-pki.ts";
import {
  authorityKeyIdentifier,
  caExtensions,
  subjectKeyIdentifier,
} from "../../../fixtures/makers/path-extensions.ts";
import { parseCertificate } from "../../../src/x509/certificate.ts";
import { Tag } from "../../../src/x509/der.ts";
import { encodeDer, encodeOid } from "../../../src/x509/der-encode.ts";
import { buildPath } from "../../../src/x509/path.ts";
import { PATH_LIMITS, startBudget } from "../../../src/x509/path-budget.ts";
import { build, ca, certificates, leaf, middle, NOW, root } from "./made-paths.ts";

test("a path runs from the leaf over given issuers to an anchor", async () => {
  expect(await build(leaf, [middle], [root])).toEqual({ ok: true, path: certificates(leaf, middle, root) });
});

test("an anchor need not be a root, and ends the path", async () => {
  expect(await build(leaf, [], [middle])).toEqual({ ok: true, path: certificates(leaf, middle) });
});

test("an anchor that says nothing of being a CA may issue, because the trusted list says so", async () => {
  const bare = makeCertificate({ subject: "Bare" });
  expect(await build(makeCertificate({ subject: "PSP", issuer: bare }), [], [bare])).toMatchObject({ ok: true });
});

test("given issuers are not trusted", async () => {
  expect(await build(leaf, [middle, root], [])).toEqual({
    ok: false,
    reason: "no-anchor",
    at: root.certificate,
    message: 'no trusted issuer of the issuer\'s certificate "Root" is known',
    path: certificates(leaf, middle, root),
    anchored: false,
  });
});

test("without any issuer the leaf itself is at fault", async () => {
  expect(await build(leaf, [], [root])).toMatchObject({
    reason: "no-anchor",
    at: leaf.certificate,
    path: [leaf.certificate],
  });
});

test("a leaf that is itself an anchor has no path by that alone", async () => {
  const message = "the certificate is itself a trust anchor, and no path leads to it";
  expect(await build(root, [], [root])).toMatchObject({ ok: false, reason: "rule", message });
  expect(await build(middle, [], [middle, root])).toEqual({ ok: true, path: certificates(middle, root) });
});

test("a self-signed leaf is not its own issuer", async () => {
  expect(await build(root, [root], [middle])).toMatchObject({ ok: false, reason: "no-anchor" });
});

test("an issuer's namesake with another key does not make the signature verify", async () => {
  const namesake = ca("Root");
  expect(await build(middle, [], [namesake])).toMatchObject({
    ok: false,
    reason: "signature",
    at: middle.certificate,
    path: certificates(middle, namesake),
    anchored: false,
  });
  expect(await build(middle, [], [namesake, root])).toMatchObject({ ok: true });
});

test("a namesake whose key identifier is another is no wrong signature but an unknown issuer", async () => {
  const child = makeCertificate({ subject: "PSP", issuer: root, extensions: [authorityKeyIdentifier(1)] });
  const namesake = ca("Root", undefined, [...caExtensions(), subjectKeyIdentifier(2)]);
  expect(await build(child, [], [namesake])).toMatchObject({ reason: "no-anchor", path: [child.certificate] });
});

test("a wrong key identifier does not spoil a right signature", async () => {
  const anchor = ca("Root", undefined, [...caExtensions(), subjectKeyIdentifier(2)]);
  const child = makeCertificate({ subject: "PSP", issuer: anchor, extensions: [authorityKeyIdentifier(1)] });
  expect(await build(child, [], [anchor])).toMatchObject({ ok: true });
});

test("a leaf whose bytes were altered is refused", async () => {
  const der = Uint8Array.from(leaf.certificate.der);
  const end = der.length - 1;
  der[end] = (der[end] ?? 0) ^ 1;
  const altered = { ...leaf, certificate: parseCertificate(der) };
  expect(await build(altered, [middle], [root])).toMatchObject({ reason: "signature", anchored: false });
});

test("the algorithm that is signed must be the one outside", async () => {
  const { tbs } = leaf.certificate;
  const sha384 = sequence(encodeOid("1.2.840.10045.4.3.3"));
  const signature = encodeDer(Tag.bitString, Uint8Array.of(0), sign("sha384", tbs, middle.key));
  const odd = { ...leaf, certificate: parseCertificate(sequence(tbs, sha384, signature)) };
  const message = "the certificate cannot be relied on: its two signature algorithms differ";
  expect(await build(odd, [middle], [root])).toMatchObject({ reason: "rule", message, anchored: true });
});

test("a strict search whose budget ends at the anchor's own signature ends without a path", async () => {
  const search = (signaturesLeft: number) => {
    const budget = startBudget();
    budget.spend("signatures", PATH_LIMITS.signatures - signaturesLeft);
    return buildPath({
      leaf: leaf.certificate,
      issuers: [],
      anchors: [middle.certificate],
      now: NOW,
      strict: true,
      budget,
    });
  };
  expect(await search(1)).toMatchObject({ ok: false, reason: "budget" });
  expect(await search(2)).not.toMatchObject({ reason: "budget" });
});
