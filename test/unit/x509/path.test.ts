import { sign } from "node:crypto";
import { describe, expect, test } from "vitest";
import { type Holder, makeCertificate, name, sequence } from "../../../fixtures/makers/made-pki.ts";
import {
  authorityKeyIdentifier,
  caExtensions,
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

test("a certificate for some purposes only is for all: nobody asks about them", async () => {
  const child = makeCertificate({ subject: "PSP", issuer: root, extensions: [extendedKeyUsage("1.3.6.1.5.5.7.3.2")] });
  expect(await build(child, [], [root])).toMatchObject({ ok: true });
});

describe("an anchor without authority key identifier", () => {
  const identified = [...caExtensions(), subjectKeyIdentifier(1)];
  const bare = (options: Omit<Parameters<typeof makeCertificate>[0], "subject">) =>
    makeCertificate({ subject: "Anchor", extensions: identified, bare: true, ...options });
  const from = (anchor: Holder, budget = startBudget()) => {
    const leaf = makeCertificate({ subject: "PSP", issuer: anchor }).certificate;
    return buildPath({ leaf, issuers: [], anchors: [anchor.certificate], now: NOW, budget });
  };
  const renamed = bare({ edit: (fields) => fields.with(3, name("Other")) });

  test("is taken where it signed itself, by its name or by its key", async () => {
    expect(await from(bare({}))).toMatchObject({ ok: true });
    // a root that its next key signed anew
    expect(await from(bare({ issuer: bare({}) }))).toMatchObject({ ok: true });
    expect(await from(renamed)).toMatchObject({ ok: true });
  });

  test("is refused where another CA signed it", async () => {
    expect(await from(bare({ issuer: ca("Above") }))).toMatchObject({
      reason: "rule",
      message: expect.stringContaining("it is a CA without authority key identifier"),
    });
  });

  test("costs a signature of the budget only where its names differ", async () => {
    const withOneLeft = () => {
      const budget = startBudget();
      budget.spend("signatures", PATH_LIMITS.signatures - 1);
      return budget;
    };
    expect(await from(bare({}), withOneLeft())).toMatchObject({ ok: true });
    expect(await from(renamed, withOneLeft())).toMatchObject({ ok: false, reason: "budget" });
    expect(await build(leaf, [], [middle])).toMatchObject({ ok: true });
  });
});
