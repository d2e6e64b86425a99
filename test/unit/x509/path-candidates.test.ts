import { describe, expect, test } from "vitest";
import { type Holder, makeCertificate } from "../../../fixtures/makers/made-pki.ts";
import {
  authorityKeyIdentifier,
  caExtensions,
  subjectKeyIdentifier,
  unknownExtension,
} from "../../../fixtures/makers/path-extensions.ts";
import { fitKeyIdentifier, listCandidates } from "../../../src/x509/chain-order.ts";
import { MAX_INTERMEDIATES } from "../../../src/x509/path-budget.ts";
import { certificates } from "./made-paths.ts";

const issuerWith = (...ids: number[]) =>
  makeCertificate({ subject: "CA", extensions: [...caExtensions(), ...ids.map(subjectKeyIdentifier)], bare: true });
const childWith = (...ids: number[]) =>
  makeCertificate({ subject: "PSP", issuer: plain, extensions: ids.map(authorityKeyIdentifier) });

const plain = issuerWith();
const right = issuerWith(1);
const wrong = issuerWith(2);
const stranger = makeCertificate({ subject: "Other CA", extensions: caExtensions() });
const child = childWith(1).certificate;

describe("a key identifier", () => {
  const broken = makeCertificate({ subject: "CA", extensions: [unknownExtension(true), subjectKeyIdentifier(1)] });
  test.each<[string, Holder, Holder, string]>([
    ["that is the issuer's", childWith(1), right, "fits"],
    ["of another", childWith(1), wrong, "differs"],
    ["that the issuer does not have", childWith(1), plain, "unknown"],
    ["that the certificate does not name", childWith(), right, "unknown"],
    ["of a certificate whose extensions cannot be read", childWith(1), broken, "unknown"],
  ])("%s", (_, child, issuer, fit) => {
    expect(fitKeyIdentifier(child.certificate, issuer.certificate)).toBe(fit);
    if (fit === "unknown") return;
    const unread = makeCertificate({ subject: "PSP", extensions: [unknownExtension(true), authorityKeyIdentifier(1)] });
    expect(fitKeyIdentifier(unread.certificate, issuer.certificate)).toBe("unknown");
  });
});

describe("the possible issuers", () => {
  const list = (anchors: Holder[], issuers: Holder[], path = [child]) =>
    listCandidates(child, path, { anchors: certificates(...anchors), issuers: certificates(...issuers) });

  test("have the name, best key identifier first, anchors before others", () => {
    const otherRight = issuerWith(1);
    expect(list([wrong, plain, right, stranger], [stranger, otherRight, plain])).toEqual([
      { certificate: right.certificate, anchor: true, fit: "fits" },
      { certificate: otherRight.certificate, anchor: false, fit: "fits" },
      { certificate: plain.certificate, anchor: true, fit: "unknown" },
      { certificate: plain.certificate, anchor: false, fit: "unknown" },
      { certificate: wrong.certificate, anchor: true, fit: "differs" },
    ]);
    expect(list([], [])).toEqual([]);
  });

  test("are none of the path: not the same certificate, and of intermediates not the same name and key", () => {
    const renewed = makeCertificate({ subject: "CA", key: right.key, serial: "09", extensions: caExtensions() });
    const sameKey = makeCertificate({ subject: "CA", key: stranger.key, serial: "09", extensions: caExtensions() });
    const path = certificates({ ...right, certificate: child }, right, stranger);
    expect(list([right], [right], path)).toEqual([]);
    expect(list([renewed], [renewed], path).map(({ anchor }) => anchor)).toEqual([true]);
    // a key of the path under another name, a name of the path with another key
    expect(list([], [sameKey], path)).toHaveLength(1);
    expect(list([], [wrong], path)).toHaveLength(1);
  });

  test("of a path that is full are anchors only", () => {
    const filling = makeCertificate({ subject: "Filling" }).certificate;
    const full = [child, ...new Array<typeof filling>(MAX_INTERMEDIATES).fill(filling)];
    expect(list([right], [plain], full).map(({ anchor }) => anchor)).toEqual([true]);
    expect(list([right], [plain], full.slice(1)).map(({ anchor }) => anchor)).toEqual([true, false]);
  });
});
