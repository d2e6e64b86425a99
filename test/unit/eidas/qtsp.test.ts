import { describe, expect, test } from "vitest";
import { at, type Holder, makeCertificate, sequence } from "../../../fixtures/makers/made-pki.ts";
import { caExtensions } from "../../../fixtures/makers/path-extensions.ts";
import type { QcClaims } from "../../../src/eidas/qc-statements.ts";
import { judgeQtsp, type QtspQuestion } from "../../../src/eidas/qtsp.ts";
import { toBase64 } from "../../../src/platform/encoding.ts";
import type { CertificateUse, KnownAnchor, StatusPeriod } from "../../../src/trust/anchors.ts";
import type { PathResult } from "../../../src/x509/path.ts";
import { ca, certificates, leaf, middle, NOW, root } from "../x509/made-paths.ts";

const WEB = "0.4.0.1862.1.6.3";
const SEAL = "0.4.0.1862.1.6.2";
const SIGNATURE = "0.4.0.1862.1.6.1";

const claims = (...qcTypes: string[]): QcClaims => ({ qcCompliance: true, qcLegislation: false, qcTypes });
const period = (status: string, uses: CertificateUse[] | null = null, from = "2017-01-01T00:00:00Z"): StatusPeriod => ({
  status,
  from,
  uses,
});

/** A service named after its status, or as `serviceName` says. */
const listed = ({ certificate }: Holder, serviceName: string, ...periods: StatusPeriod[]): KnownAnchor => ({
  certificate,
  listed: {
    certificate: toBase64(certificate.der),
    source: "OBIE",
    jurisdiction: "GB",
    qtspName: "QTSP",
    serviceName,
    periods,
    ...{ listSequenceNumber: 1, listIssuedAt: "2026-06-01T00:00:00Z", listNextUpdate: null },
  },
});
const granted = (holder: Holder, serviceName = "granted") => listed(holder, serviceName, period("granted"));

const whole: PathResult = { ok: true, path: certificates(leaf, middle, root) };
const failed = (
  reason: "no-anchor" | "signature" | "rule" | "expired" | "not-yet-valid" | "budget",
  anchored: boolean,
) =>
  ({
    ok: false,
    reason,
    at: null,
    message: `for ${reason}`,
    path: certificates(leaf, middle, root),
    anchored,
  }) as const;

const judge = (anchors: KnownAnchor[], more: Partial<QtspQuestion> = {}) => {
  const question = { leaf: leaf.certificate, claims: claims(WEB), built: whole, anchors, now: NOW, ...more };
  const { fault, anchor } = judgeQtsp(question);
  return [fault, anchor?.serviceName ?? null];
};

describe("the service that decides", () => {
  test("is the one on the path that is nearest to the certificate", () => {
    expect(judge([granted(root, "above"), granted(middle, "near")])).toEqual([null, "near"]);
    expect(judge([granted(root, "above"), listed(middle, "near", period("withdrawn"))])).toEqual([
      "when the certificate was issued, the issuer's service had the status withdrawn",
      "near",
    ]);
  });

  test("is none for a certificate that is itself listed", () => {
    expect(judge([granted(leaf)])).toEqual(["the path does not end at a listed service", null]);
  });

  test("has its name and its key", () => {
    const sameName = makeCertificate({ subject: "Root", extensions: caExtensions() });
    const sameKey = makeCertificate({ subject: "Other", key: root.key, extensions: caExtensions() });
    expect(judge([granted(sameName), granted(sameKey)])).toEqual(["the path does not end at a listed service", null]);
    const renewed = makeCertificate({ subject: "ROOT", key: root.key, serial: "09", extensions: caExtensions() });
    expect(judge([granted(renewed)])).toEqual([null, "granted"]);
  });

  test.each([
    ["expired", true, null],
    ["not-yet-valid", true, null],
    ["rule", true, "for rule"],
    ["budget", true, "for budget"],
    ["signature", false, "for signature"],
    ["expired", false, "for expired"],
  ] as const)("stands on a path refused for %s, anchored %s: %j", (reason, anchored, fault) => {
    expect(judge([granted(root)], { built: failed(reason, anchored) })).toEqual([
      fault,
      fault === null ? "granted" : null,
    ]);
  });

  test("is the first entitled one of several, else the first", () => {
    const withdrawn = listed(root, "withdrawn", period("withdrawn"));
    const other = listed(root, "other", period("supervisionceased"));
    expect(judge([withdrawn, granted(root), granted(root, "second")])).toEqual([null, "granted"]);
    expect(judge([other, withdrawn])).toEqual([
      "when the certificate was issued, the issuer's service had the status supervisionceased",
      "other",
    ]);
  });

  test("of a trusted list comes before one of another source", () => {
    const ofList = listed(root, "list", period("granted", ["web-authentication"]));
    expect(judge([granted(root), ofList])).toEqual([null, "list"]);
    const withdrawn = listed(root, "list", period("granted", ["seal"], "2010-01-01T00:00:00Z"), period("withdrawn"));
    expect(judge([granted(root), withdrawn])).toEqual([null, "granted"]);
    const alsoWithdrawn = listed(root, "other", period("withdrawn"));
    expect(judge([alsoWithdrawn, withdrawn])[1]).toBe("list");
  });
});

describe("a source that does not state uses", () => {
  const FOR_NEITHER = "the certificate's QcType is neither for website authentication nor for seals";
  test.each([
    [[], null],
    [[WEB], null],
    [[SEAL], null],
    [[SIGNATURE, SEAL], null],
    [[SIGNATURE], FOR_NEITHER],
    [["1.2.3"], FOR_NEITHER],
  ])("serves for the QcTypes %j: %j", (qcTypes, fault) => {
    expect(judge([granted(root)], { claims: claims(...qcTypes) })[0]).toBe(fault);
  });

  test("is asked at the issue of the certificate and now", () => {
    const later = "2026-06-01T00:00:00Z";
    expect(judge([listed(root, "new", period("granted", null, later))])[0]).toBe(
      "when the certificate was issued, the issuer's service had no status on the trusted list",
    );
    expect(judge([listed(root, "gone", period("granted"), period("withdrawn", null, later))])[0]).toBe(
      "the issuer's service has the status withdrawn now",
    );
    const before = { now: at(later) - 1 };
    expect(judge([listed(root, "going", period("granted"), period("withdrawn", null, later))], before)[0]).toBeNull();
  });
});

describe("a CA's own certificate", () => {
  const built: PathResult = { ok: true, path: certificates(middle, root) };
  test("is refused by its name, and keeps the service above it as evidence", () => {
    expect(judge([granted(root)], { leaf: middle.certificate, built })).toEqual([
      "the certificate is a CA's (Middle), not a PSP's: send the PSP's own certificate",
      "granted",
    ]);
    expect(judge([], { leaf: middle.certificate, built })[1]).toBeNull();
  });

  test("may have no name", () => {
    const { certificate } = makeCertificate({ subject: sequence(), issuer: root, extensions: caExtensions() });
    expect(judge([], { leaf: certificate, built })[0]).toBe(
      "the certificate is a CA's, not a PSP's: send the PSP's own certificate",
    );
  });
});

test("without a path the fault is the path's", () => {
  expect(judge([granted(ca("Other"))], { built: failed("no-anchor", false) })).toEqual(["for no-anchor", null]);
});
