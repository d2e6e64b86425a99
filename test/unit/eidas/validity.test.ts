/** The four verdicts, on chains made for each case. Dates lie in 2026, when the made certificates are valid. */

import { describe, expect, test } from "vitest";
import { at, type Holder, makeCertificate } from "../../../fixtures/makers/made-pki.ts";
import { caExtensions, policies } from "../../../fixtures/makers/path-extensions.ts";
import type { QcClaims } from "../../../src/eidas/qc-statements.ts";
import { toBase64 } from "../../../src/platform/encoding.ts";
import { REASONS } from "../../../src/psp-check/every-reason.ts";
import type { RevocationStatus } from "../../../src/revocation/revocation-status.ts";
import type { CertificateUse, KnownAnchor, Qualification, StatusPeriod } from "../../../src/trust/anchors.ts";
import { EIDAS_APPLIES } from "../../../src/trust/service-status.ts";
import { type PathBudget, startBudget } from "../../../src/x509/path-budget.ts";
import { ALL_TRUE } from "../../all-true.ts";
import { ca, leaf, middle, NOW, root } from "../x509/made-paths.ts";
import { checkValidity, type Input } from "./check-validity.ts";
import { sentencesOf } from "./sentences-of.ts";

const WEB = "0.4.0.1862.1.6.3";
const SEAL = "0.4.0.1862.1.6.2";
const SIGNATURE = "0.4.0.1862.1.6.1";
const LIST_END = "2026-12-01T00:00:00.000Z";

/** Of a qualified certificate of these types. */
const claims = (...qcTypes: string[]): QcClaims => ({ qcCompliance: true, qcLegislation: false, qcTypes });

const period = (status: string, uses: CertificateUse[] | null = null): StatusPeriod => ({
  status,
  from: "2017-01-01T00:00:00Z",
  uses,
});
const granted = (...uses: CertificateUse[]) => period("granted", uses.length > 0 ? uses : null);
const listed = ({ certificate }: Holder, ...periods: StatusPeriod[]): KnownAnchor => ({
  certificate,
  listed: {
    certificate: toBase64(certificate.der),
    source: "eIDAS",
    jurisdiction: "XX",
    qtspName: "QTSP",
    serviceName: "CA",
    periods,
    ...{ listSequenceNumber: 1, listIssuedAt: "2026-06-01T00:00:00Z", listNextUpdate: LIST_END },
  },
});

const status = (of: RevocationStatus["status"], validUntil = at("2027-12-31T00:00:00Z")): RevocationStatus => ({
  status: of,
  source: "CRL",
  proof: null,
  thisUpdate: NOW,
  nextUpdate: validUntil,
  validUntil,
  revokedAt: null,
  reason: null,
  message: of === "good" ? "" : `it is ${of}`,
  said: [],
});

const NO_STATEMENTS: QcClaims = { qcCompliance: false, qcLegislation: false, qcTypes: [] };

const check = (anchors: KnownAnchor[], more: Partial<Input> = {}) =>
  checkValidity({
    leaf: leaf.certificate,
    issuers: [middle.certificate],
    claims: claims(WEB),
    anchors,
    now: NOW,
    revocation: async (path) => path.slice(1).map(() => status("good")),
    ...more,
  });

const verdicts = async (...args: Parameters<typeof check>) => (await check(...args)).validity;

test("all four hold for a path to a granted service, with nothing to warn of", async () => {
  const result = await check([listed(root, granted("web-authentication"))]);
  expect(result).toMatchObject({ validity: ALL_TRUE, warnings: [] });
  expect(result.anchor?.serviceName).toBe("CA");
  expect(result.path).toEqual([leaf, middle, root].map(({ certificate }) => certificate));
  expect(result.revocation).toHaveLength(2);
});

describe("validQTSP", () => {
  test.each<[string, StatusPeriod, string[], boolean]>([
    ["granted for the claimed use", granted("web-authentication"), [WEB], true],
    ["granted for one of two claimed uses only", granted("web-authentication"), [WEB, SEAL], false],
    ["granted for both claimed uses", granted("web-authentication", "seal"), [WEB, SEAL], true],
    ["granted for another use", granted("seal"), [WEB], false],
    ["a certificate for signatures only is no PSD2 certificate", granted("signature"), [SIGNATURE], false],
    ["withdrawn", period("withdrawn"), [WEB], false],
  ])("%s", async (_, service, qcTypes, expected) => {
    const given = { claims: claims(...qcTypes) };
    expect(await verdicts([listed(root, service)], given)).toEqual({ ...ALL_TRUE, validQTSP: expected });
  });

  const both = granted("web-authentication", "seal");
  test.each<[string, QcClaims, string]>([
    [
      "without QCStatements",
      NO_STATEMENTS,
      "the certificate has no QcCompliance, so it does not claim to be qualified",
    ],
    [
      "without QcCompliance",
      { ...claims(WEB), qcCompliance: false },
      "the certificate has no QcCompliance, so it does not claim to be qualified",
    ],
    ["without QcType", claims(), "the certificate has no QcType, so its purpose is not stated"],
    [
      "qualified under another law",
      { ...claims(SEAL), qcLegislation: true },
      "the certificate is qualified under a law other than EU law (QcCClegislation)",
    ],
  ])(
    "a certificate %s is no qualified one under a trusted list, and nobody asks elsewhere",
    async (_, given, fault) => {
      const { validity, warnings } = await check([listed(root, both)], { claims: given });
      expect(validity).toEqual({ ...ALL_TRUE, validQTSP: false });
      expect(sentencesOf({ warnings })).toEqual([`validQTSP: ${fault}`]);
      expect(await verdicts([listed(root, granted())], { claims: given })).toEqual(ALL_TRUE);
    },
  );

  test("the status of a listed service is named before what the certificate lacks", async () => {
    const withdrawn = { ...both, status: "withdrawn" };
    const { validity, warnings } = await check([listed(root, withdrawn)], { claims: NO_STATEMENTS });
    expect(validity).toEqual({ ...ALL_TRUE, validQTSP: false });
    expect(sentencesOf({ warnings })).toEqual([
      "validQTSP: when the certificate was issued, the QTSP's service had the status withdrawn",
    ]);
  });

  test("a certificate for signatures is for no PSP elsewhere either", async () => {
    const given = { claims: claims(SIGNATURE) };
    expect(await verdicts([listed(root, granted())], given)).toEqual({ ...ALL_TRUE, validQTSP: false });
  });

  test("a service may have stated no uses when the certificate was issued, and state them now", async () => {
    const { validity, warnings } = await check([
      listed(root, granted(), { ...both, from: "2026-06-01T00:00:00Z", qualifications: [] }),
    ]);
    expect([validity.validQTSP, warnings]).toEqual([true, []]);
  });

  test("before eIDAS applied, certificates were qualified for signatures only", async () => {
    const old = makeCertificate({ subject: "PSP", issuer: middle, notBefore: at("2016-06-01T00:00:00Z") });
    const accredited: StatusPeriod = { status: "accredited", from: "2010-01-01T00:00:00Z", uses: null };
    const since = { ...both, from: new Date(EIDAS_APPLIES).toISOString() };
    const first = makeCertificate({ subject: "PSP", issuer: middle, notBefore: EIDAS_APPLIES });
    expect(await verdicts([listed(root, accredited, since)], { leaf: first.certificate })).toEqual(ALL_TRUE);
    const { warnings } = await check([listed(root, accredited, both)], { leaf: old.certificate });
    expect(sentencesOf({ warnings })).toEqual([
      "validQTSP: the certificate was issued before qualified certificates existed for anything but signatures",
    ]);
  });

  test.each<[string, StatusPeriod]>([
    ["under a trusted list", granted("web-authentication", "seal")],
    ["where a source says nothing of uses", granted()],
  ])("a CA's own certificate is no PSP's, %s", async (_, service) => {
    const own = { leaf: middle.certificate, issuers: [] };
    const { validity, warnings } = await check([listed(root, service)], own);
    expect(validity).toEqual({ ...ALL_TRUE, validQTSP: false });
    expect(sentencesOf({ warnings })).toEqual([
      "validQTSP: the certificate is a CA's (Middle), not a PSP's: send the PSP's own certificate",
    ]);
  });

  test("one certificate may stand for several services: one that is granted for the use is enough", async () => {
    const anchors = [listed(root, granted("signature")), listed(root, granted("web-authentication"))];
    expect(await verdicts(anchors)).toEqual(ALL_TRUE);
    expect(await verdicts(anchors.toReversed())).toEqual(ALL_TRUE);
  });

  test("a service is its name and key, whichever of its certificates the path goes by", async () => {
    const renewed = makeCertificate({ subject: "Root", key: root.key, serial: "7f", extensions: caExtensions() });
    const anchors = [listed(root, period("withdrawn")), listed(renewed, granted())];
    expect(await verdicts(anchors)).toEqual(ALL_TRUE);
    expect(await verdicts(anchors.toReversed())).toEqual(ALL_TRUE);
  });

  test("a withdrawn service is not passed over by way of whoever certified it", async () => {
    const expired = makeCertificate({
      subject: "Middle",
      key: middle.key,
      issuer: root,
      serial: "7e",
      notAfter: at("2026-02-01T00:00:00Z"),
      extensions: caExtensions(),
    });
    const anchors = [listed(expired, period("withdrawn")), listed(root, granted())];
    expect(await verdicts(anchors)).toMatchObject({ validQTSP: false, validSignature: true });
  });

  test("no service, no path: nothing can be verified, and each false says why", async () => {
    const { validity, warnings, path, revocation } = await check([listed(ca("Other"), granted())]);
    expect([path, revocation]).toEqual([[], []]);
    expect(validity).toEqual({ ...ALL_TRUE, validQTSP: false, validSignature: false, notRevoked: false });
    const unknown =
      'no trusted issuer of the issuer\'s certificate "Middle" is known: its issuer, Root, is neither on a trusted list ' +
      "nor among the certificates sent; an intermediate CA's certificate can be sent after the PSP's";
    expect(sentencesOf({ warnings })).toEqual([
      `validQTSP: ${unknown}`,
      `validSignature: the signature cannot be verified: ${unknown}`,
      "notRevoked: revocation cannot be checked without a valid certificate path",
    ]);
  });
});

describe("what the trusted list says of single certificates", () => {
  const psp = makeCertificate({ subject: "PSP", issuer: middle, extensions: [policies("1.2.3")] }).certificate;
  const says = (...qualifiers: string[]): Qualification => ({
    qualifiers,
    criteria: { all: [{ policies: ["1.2.3"] }] },
    critical: true,
  });
  const both = granted("web-authentication", "seal");
  const saying = (...qualifiers: string[]): StatusPeriod => ({ ...both, qualifications: [says(...qualifiers)] });
  const ask = (periods: StatusPeriod[], given: QcClaims = claims(WEB)) =>
    check([listed(root, ...periods)], { leaf: psp, claims: given });
  const valid = async (...args: Parameters<typeof ask>) => (await ask(...args)).validity.validQTSP;

  test("NotQualified makes a certificate that claims to be qualified none, and only the one that it is about", async () => {
    const { validity, warnings } = await ask([saying("NotQualified")]);
    expect(validity).toEqual({ ...ALL_TRUE, validQTSP: false });
    expect(sentencesOf({ warnings })).toEqual([
      "validQTSP: the trusted list says that the certificate is not a qualified one (NotQualified), as of its issue",
    ]);
    expect(await verdicts([listed(root, saying("NotQualified"))])).toEqual(ALL_TRUE);
  });

  test("QCStatement makes one that does not claim it a qualified one", async () => {
    expect(await valid([saying("QCStatement")], { ...claims(WEB), qcCompliance: false })).toBe(true);
    expect(await valid([saying("QCStatement")], NO_STATEMENTS)).toBe(false);
    expect(await valid([saying("QCStatement", "QCForWSA")], NO_STATEMENTS)).toBe(true);
  });

  test.each<[string, string[], string, boolean]>([
    ["QCForWSA, where there is no QcType", [], "QCForWSA", true],
    ["QCForESeal, where there is no QcType", [], "QCForESeal", true],
    ["QCForESig, where there is no QcType", [], "QCForESig", false],
    ["QCForWSA before the QcType for signatures", [SIGNATURE], "QCForWSA", true],
    ["QCForESeal before the QcType for websites", [WEB], "QCForESeal", true],
    ["QCForESig before the QcType for websites", [WEB], "QCForESig", false],
  ])("%s", async (_, qcTypes, qualifier, expected) => {
    expect(await valid([saying(qualifier)], claims(...qcTypes))).toBe(expected);
  });

  test("what the list says that it is for, the service has to be granted for", async () => {
    const service = { ...granted("seal"), qualifications: [says("QCForWSA")] };
    expect(await valid([service], claims(SEAL))).toBe(false);
    expect(await valid([{ ...service, qualifications: [says("QCForESeal")] }], claims(WEB))).toBe(true);
  });

  test("it has to hold both as of the issue and now", async () => {
    const later = (service: StatusPeriod): StatusPeriod => ({ ...service, from: "2026-06-01T00:00:00Z" });
    expect(await valid([saying("NotQualified"), later(both)])).toBe(false);
    const { warnings } = await ask([both, later(saying("NotQualified"))]);
    expect(warnings[0]?.sentence).toMatch(/\(NotQualified\), as of now$/);
    expect(await valid([saying("QCForWSA"), later(both)], claims())).toBe(false);
    expect(await valid([both, later(saying("QCForWSA"))], claims())).toBe(false);
    expect(await valid([saying("QCForWSA"), later(saying("QCForWSA"))], claims())).toBe(true);
    expect(await valid([saying("QCForWSA"), later(saying("QCForESeal"))], claims())).toBe(false);
  });

  test("two services of a name and key are judged together, where both are granted for the use", async () => {
    const ask2 = (...services: StatusPeriod[]) =>
      verdicts(
        services.map((service) => listed(root, service)),
        { leaf: psp },
      );
    expect(await ask2(both, saying("NotQualified"))).toMatchObject({ validQTSP: false });
    expect(await ask2(saying("NotQualified"), both)).toMatchObject({ validQTSP: false });
    // table 4: for websites by its QcType at one, for seals by the list's word at the other
    const ofSeals = { ...granted("seal"), qualifications: [says("QCForESeal")] };
    expect(await ask2(granted("web-authentication"), ofSeals)).toMatchObject({ validQTSP: false });
    expect(await ask2(ofSeals)).toEqual(ALL_TRUE);
    const ofSignatures = { ...granted("signature"), qualifications: [says("NotQualified")] };
    expect(await ask2(both, ofSignatures)).toEqual(ALL_TRUE);
  });
});

describe("what time does", () => {
  test("an expired certificate breaks its path and counts as revoked; its QTSP stays what it is", async () => {
    const now = at("2026-12-31T00:00:01Z");
    const { validity, warnings, validUntil } = await check([listed(root, granted())], { now });
    expect(validity).toMatchObject({ validSignature: false, notRevoked: false, notExpired: false });
    expect(warnings.map(({ code }) => code)).toEqual([
      ...["signature_invalid", "certificate_revoked", "certificate_expired", "trusted_list_stale"],
    ]);
    expect(validUntil).toBeGreaterThan(now);
  });

  test("an OCSP answer whose responder was not looked at counts, with a warning of its own", async () => {
    const caution = "the responder could not be checked";
    const revocation = async () => [{ ...status("good"), caution }];
    const { validity, warnings } = await check([listed(root, granted())], { revocation });
    expect(validity).toEqual(ALL_TRUE);
    expect(warnings).toEqual([{ code: "ocsp_responder_unchecked", sentence: caution }]);
  });

  test("a list past its next update says so, and takes nothing back", async () => {
    expect(await check([listed(root, granted())], { now: at(LIST_END) })).toMatchObject({
      ...{ warnings: [], validUntil: at(LIST_END) + 1 },
    });
    const { validity, warnings } = await check([listed(root, granted())], { now: at(LIST_END) + 1 });
    expect(validity).toEqual(ALL_TRUE);
    expect(sentencesOf({ warnings })).toEqual([
      `the eIDAS trusted list of XX is stale: its next update was due at ${LIST_END}`,
    ]);
  });

  test.each([
    ["eIDAS", ["the eIDAS trusted list of XX is closed: no update of it will come"]],
    // it merely does not state it
    ["OBIE", []],
  ])("a list of %s without a next update takes nothing back", async (source, said) => {
    const open = listed(root, granted());
    const closed = { ...open, listed: { ...open.listed, source, listNextUpdate: null } };
    const { validity, warnings } = await check([closed]);
    expect(validity).toEqual(ALL_TRUE);
    expect(sentencesOf({ warnings })).toEqual(said);
  });

  describe("by a list of lists past its next update", () => {
    // up to the last of the half year after it, in which an issue has to be replaced
    const [END, LAST] = ["2026-03-01T00:00:00Z", "2026-09-01T00:00:00.000Z"];
    const named = (source = "eIDAS"): KnownAnchor => {
      const open = listed(root, granted());
      const listNextUpdate = "2030-01-01T00:00:00Z";
      return { ...open, listed: { ...open.listed, source, listNextUpdate, listOfListsNextUpdate: END } };
    };
    const own = { ...named(), listed: { ...listed(root, granted()).listed, source: "OBIE" } };
    const says = `the list of lists, which names the eIDAS trusted list of XX, is stale: its next update was due at ${END}, and no trusted list counts after ${LAST}`;
    const ended = `validQTSP: the eIDAS trusted list of XX counts no longer: the next update of the list of lists, which names it, was due at ${END}`;

    test.each<[what: string, now: number, valid: boolean, said: string[]]>([
      ["at it nothing is said", at(END), true, []],
      ["a moment later each answer says so, and the list counts", at(END) + 1, true, [says]],
      ["half a year later it still does", at(LAST), true, [says]],
      ["a moment after that the list counts no longer", at(LAST) + 1, false, [ended]],
    ])("%s", async (_, now, valid, said) => {
      const { validity, warnings } = await check([named()], { now });
      expect(validity.validQTSP).toBe(valid);
      expect(sentencesOf({ warnings })).toEqual(said);
    });

    test("the source is to blame, not the PSP or its QTSP, so whether it may is unknown and not no", async () => {
      const checked = await check([named()], { now: at(LAST) + 1 });
      expect(checked.warnings.map(({ code }) => code)).toEqual(["list_of_lists_expired"]);
      expect(checked).toMatchObject({ uses: [], anchor: { jurisdiction: "XX" } });
      expect(REASONS.list_of_lists_expired.whose).toBe("source");
    });

    test("without one that is loaded no published list counts", async () => {
      const unnamed = { ...named(), listed: { ...named().listed, listOfListsNextUpdate: null } };
      const { validity, warnings } = await check([unnamed], { now: at(END) });
      expect(validity.validQTSP).toBe(false);
      expect(warnings.map(({ code }) => code)).toEqual(["list_of_lists_expired"]);
      expect(sentencesOf({ warnings })).toEqual([
        "validQTSP: the eIDAS trusted list of XX does not count: the list of lists, which names it, is not loaded",
      ]);
    });

    test("a list of the operator's own that has the service goes on to count", async () => {
      const { validity, anchor } = await check([named(), own], { now: at(LAST) + 1 });
      expect([validity.validQTSP, anchor?.source]).toEqual([true, "OBIE"]);
    });

    test("the check is good until the next of its turns", async () => {
      const until = async (now: number) => (await check([named()], { now })).validUntil;
      expect([await until(at(END)), await until(at(END) + 1)]).toEqual([at(END) + 1, at(LAST) + 1]);
    });
  });

  test("the check is good until the first of certificates, list and revocation ends", async () => {
    const anchors = [listed(root, granted())];
    expect((await check(anchors)).validUntil).toBe(at(LIST_END) + 1);
    const revocation = async () => [status("good"), status("good", at("2026-07-01T00:00:00Z"))];
    expect((await check(anchors, { revocation })).validUntil).toBe(at("2026-07-01T00:00:00Z"));
    expect((await check(anchors, { now: at(LIST_END) + 1 })).validUntil).toBe(at("2026-12-31T00:00:01Z"));
  });
});

describe("notRevoked", () => {
  test.each(["revoked", "unknown"] as const)("a certificate of the path that is %s makes it false", async (of) => {
    const revocation = async () => [status("good"), status(of)];
    const { validity, warnings } = await check([listed(root, granted())], { revocation });
    expect(validity).toEqual({ ...ALL_TRUE, notRevoked: false });
    expect(sentencesOf({ warnings })).toEqual([`notRevoked: it is ${of}`]);
    expect(warnings[0]?.code).toBe(of === "revoked" ? "certificate_revoked" : "revocation_unknown");
  });
});

describe("a certificate that was sent before the PSP's", () => {
  const anchors = [listed(root, granted())];
  const refused = { ...ALL_TRUE, validQTSP: false, validSignature: false, notRevoked: false };

  test.each<[string, Holder[], Holder]>([
    ["its issuer", [middle], middle],
    ["the listed one above its issuer", [root, middle], root],
  ])("may be %s", async (_, issuers, first) => {
    const sent = { issuers: issuers.map(({ certificate }) => certificate), first: first.certificate };
    expect((await check(anchors, sent)).validity).toEqual(ALL_TRUE);
  });

  test("may be the one that issued the listed one, by what the list has of it", async () => {
    const sent = { issuers: [root.certificate, middle.certificate], first: root.certificate };
    expect((await check([listed(middle, granted())], sent)).validity).toEqual(ALL_TRUE);
  });

  test("is a stranger's although it certified the key of the PSP's issuer, which anybody can", async () => {
    const stranger = ca("Stranger");
    const { key } = middle;
    const crossed = makeCertificate({
      ...{ subject: middle.certificate.subject.der, issuer: stranger, key },
      extensions: caExtensions(),
    }).certificate;
    const first = stranger.certificate;
    for (const service of [root, middle]) {
      const issuers = [first, crossed, middle.certificate];
      expect((await check([listed(service, granted())], { issuers })).validity).toEqual(ALL_TRUE);
      expect((await check([listed(service, granted())], { issuers, first })).validity).toEqual(refused);
    }
  });

  test("an expired issuer is told as such", async () => {
    const notAfter = at("2026-02-01T00:00:00Z");
    const old = makeCertificate({ subject: "Old", issuer: root, notAfter, extensions: caExtensions() });
    const psp = makeCertificate({ subject: "PSP", issuer: old });
    const sent = { leaf: psp.certificate, issuers: [old.certificate], first: old.certificate };
    const { warnings } = await check(anchors, sent);
    expect(sentencesOf({ warnings }).join()).toContain("a path with an expired certificate counts as broken");
  });

  test("is a stranger's before an expired issuer, too; without a path to rely on nothing is said of it", async () => {
    const first = ca("Stranger").certificate;
    const sent = { issuers: [first, middle.certificate], first };
    const expired = at("2026-12-31T00:00:01Z");
    expect(await verdicts(anchors, { ...sent, now: expired })).toEqual({ ...refused, notExpired: false });
    const { warnings } = await check([listed(ca("Other"), granted())], sent);
    expect(warnings[0]?.sentence).toMatch(/^validQTSP: no trusted issuer /);
  });

  test.each<[string, Holder]>([
    ["a CA of their own", ca("Stranger")],
    [
      "one with the issuer's name",
      makeCertificate({ subject: middle.certificate.subject.der, extensions: caExtensions() }),
    ],
    ["one that the PSP's issuer issued, too", ca("Sister", middle)],
  ])("is a stranger's if it is %s: no key of the PSP's was proven", async (_, { certificate }) => {
    const issuers = [certificate, middle.certificate];
    expect((await check(anchors, { issuers })).validity).toEqual(ALL_TRUE);
    const { validity, warnings, path } = await check(anchors, { issuers, first: certificate });
    expect([validity, path]).toEqual([refused, []]);
    const sentence =
      "the certificate that was sent first is neither the PSP's nor one of its issuers': send the PSP's first";
    expect(sentencesOf({ warnings }).slice(0, 2)).toEqual([`validQTSP: ${sentence}`, `validSignature: ${sentence}`]);
  });
});

describe("certificates that were joined by commas, as those of two senders are", () => {
  const anchors = [listed(root, granted())];
  const joined = true;

  test.each<[string, Holder]>([
    ["up to the listed one", root],
    ["up to the one that issued the listed one", middle],
  ])("are read if they are the PSP's and its issuers' %s", async (_, service) => {
    const issuers = [middle.certificate, root.certificate];
    expect(await verdicts([listed(service, granted())], { issuers, joined })).toEqual(ALL_TRUE);
    const reversed = { issuers: issuers.toReversed(), first: root.certificate, joined };
    expect(await verdicts([listed(service, granted())], reversed)).toEqual(ALL_TRUE);
  });

  test("cost no further signature if they are those of the path", async () => {
    const spent = async (more: Partial<Input>) => {
      const [budget, work] = [startBudget(), { signatures: 0 }];
      const spend: PathBudget["spend"] = (kind, amount) => {
        if (kind === "signatures") work.signatures++;
        return budget.spend(kind, amount);
      };
      await check(anchors, {
        issuers: [middle.certificate, root.certificate],
        budget: { spend, exhausted: null },
        ...more,
      });
      return work.signatures;
    };
    expect([await spent({}), await spent({ joined })]).toEqual([2, 2]);
  });

  test.each<[string, Holder]>([
    ["a stranger's, which anybody can make a CA's", ca("Stranger")],
    [
      "one with the issuer's name",
      makeCertificate({ subject: middle.certificate.subject.der, extensions: caExtensions() }),
    ],
    ["one that the PSP's issuer issued, too", ca("Sister", middle)],
  ])("are refused if one of them is %s: a proxy may have added it to the client's own header", async (_, other) => {
    for (const issuers of [
      [middle.certificate, other.certificate],
      [middle.certificate, other.certificate, root.certificate],
    ]) {
      expect(await verdicts(anchors, { issuers })).toEqual(ALL_TRUE);
      const { validity, warnings, path } = await check(anchors, { issuers, joined });
      expect([validity, path]).toEqual([
        { ...ALL_TRUE, validQTSP: false, validSignature: false, notRevoked: false },
        [],
      ]);
      expect(sentencesOf({ warnings })).toContain(
        "validSignature: of the certificates that are joined by commas one is neither the PSP's nor one of its issuers': send no other",
      );
    }
  });
});

test("a search that was given up leaves the signature unproved, and says why", async () => {
  const chain: Holder[] = [root];
  for (let n = 0; n < 50; n++)
    chain.push(makeCertificate({ subject: "CA", issuer: chain[n] ?? root, extensions: caExtensions() }));
  const psp = makeCertificate({ subject: "PSP", issuer: chain[50] ?? root });
  const issuers = chain.slice(1).map(({ certificate }) => certificate);
  const { validity, warnings } = await check([listed(root, granted())], { leaf: psp.certificate, issuers });
  expect(validity).toEqual({ ...ALL_TRUE, validQTSP: false, validSignature: false, notRevoked: false });
  const given = "validSignature: the search for a path was given up: too many signatures";
  expect(warnings).toContainEqual({ code: "signature_invalid", sentence: given });
});
