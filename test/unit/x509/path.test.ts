import { sign } from "node:crypto";
import { expect, test } from "vitest";
import { type Holder, makeCertificate, sequence } from "../../../fixtures/makers/made-pki.ts";
import {
  alternativeNames,
  authorityKeyIdentifier,
  caExtensions,
  dns,
  extendedKeyUsage,
  subjectKeyIdentifier,
} from "../../../fixtures/makers/path-extensions.ts";
import { parseCertificate } from "../../../src/x509/certificate.ts";
import { encodeDer, encodeOid, Tag } from "../../../src/x509/der.ts";
import { buildPath } from "../../../src/x509/path.ts";
import { PATH_LIMITS, type PathBudget, startBudget } from "../../../src/x509/path-budget.ts";
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

test("a search without any budget left says so, and of what", async () => {
  const budget = startBudget();
  budget.spend("candidates", PATH_LIMITS.candidates);
  const input = { leaf: leaf.certificate, issuers: [], anchors: [middle.certificate], now: NOW };
  expect(await buildPath({ ...input, budget })).toMatchObject({
    reason: "budget",
    message: "the search for a path was given up: too many candidates",
    path: certificates(leaf),
  });
});

test("a link that two paths share is verified once", async () => {
  const issuer = ca("Issuer", root);
  const broken = makeCertificate({ subject: "Twin", issuer });
  const twin = makeCertificate({ subject: "Twin", key: broken.key, issuer, extensions: caExtensions() });
  const child = makeCertificate({ subject: "PSP", issuer: twin });
  const inner = startBudget();
  let signatures = 0;
  const budget: PathBudget = {
    spend(work, amount) {
      if (work === "signatures") signatures++;
      return inner.spend(work, amount);
    },
    get exhausted() {
      return inner.exhausted;
    },
  };
  const input = { leaf: child.certificate, issuers: certificates(broken, twin, issuer), anchors: [root.certificate] };
  const found = await buildPath({ ...input, now: NOW, budget });
  expect(found).toEqual({ ok: true, path: certificates(child, twin, issuer, root) });
  // both twins' signatures on the leaf, the issuer's on both, and the root's on the issuer, which both paths need
  expect(signatures).toBe(5);
});

test("a certificate for some purposes only is for all that nobody asks about", async () => {
  const child = makeCertificate({ subject: "PSP", issuer: root, extensions: [extendedKeyUsage("1.3.6.1.5.5.7.3.2")] });
  const input = { leaf: child.certificate, issuers: [], anchors: [root.certificate], now: NOW };
  expect(await buildPath(input)).toMatchObject({ ok: true });
  expect(await buildPath({ ...input, purposes: ["1.3.6.1.5.5.7.3.2"] })).toMatchObject({ ok: true });
  expect(await buildPath({ ...input, purposes: ["1.3.6.1.5.5.7.3.1"] })).toMatchObject({ reason: "rule" });
});

test("a strict search lets an anchor do without its issuer's key only where it signed itself", async () => {
  const anchor = ca("Anchor", undefined, [...caExtensions(), subjectKeyIdentifier(1)]);
  const lower = ca("Lower", anchor, [...caExtensions(), subjectKeyIdentifier(2)]);
  const strictly = (issuer: Holder) => {
    const extensions = [authorityKeyIdentifier(1), alternativeNames(dns("psp.example"))];
    const child = makeCertificate({ subject: "PSP", issuer, extensions });
    return buildPath({ leaf: child.certificate, issuers: [], anchors: [issuer.certificate], now: NOW, strict: true });
  };
  expect(await strictly(anchor)).toMatchObject({ ok: true });
  // its own name as its issuer's is enough: a root that was signed anew by its next key
  const renewed = ca("Anchor", ca("Anchor"), [...caExtensions(), subjectKeyIdentifier(1)]);
  expect(await strictly(renewed)).toMatchObject({ ok: true });
  expect(await strictly(lower)).toMatchObject({
    reason: "rule",
    message: expect.stringContaining("it has no authority key identifier"),
  });
});
