/** TS 119 615 clause 4.4.4: tables 2 and 3, cell by cell, and what lists say that cannot be. */
import { describe, expect, test } from "vitest";
import { makeCertificate } from "../../../fixtures/makers/made-pki.ts";
import { policies } from "../../../fixtures/makers/path-extensions.ts";
import type { QcClaims } from "../../../src/eidas/qc-statements.ts";
import { judgeUse, type PspUse } from "../../../src/eidas/qualified-use.ts";
import type { Criterion, Qualification } from "../../../src/trust/anchors.ts";

const { certificate } = makeCertificate({ subject: "PSP", extensions: [policies("1.2.3")] });
const MET: Criterion = { all: [{ policies: ["1.2.3"] }] };
const NOT_MET: Criterion = { all: [{ policies: ["1.2.9"] }] };
const UNKNOWN: Criterion = { all: [{ policies: ["1.2.3"] }, { atLeastOne: [{ unknown: "New" }] }] };

const says = (...qualifiers: string[]): Qualification => ({ qualifiers, criteria: MET, critical: true });
const types = { signature: "0.4.0.1862.1.6.1", seal: "0.4.0.1862.1.6.2", web: "0.4.0.1862.1.6.3" };
const claims = (qcCompliance: boolean, ...of: (keyof typeof types)[]): QcClaims => ({
  qcCompliance,
  qcLegislation: false,
  qcTypes: of.map((type) => types[type]),
});
const judge = (use: PspUse, of: QcClaims, ...qualifications: Qualification[]) =>
  judgeUse({ certificate, claims: of, use, qualifications });
const message = (...args: Parameters<typeof judge>) => {
  const judged = judge(...args);
  return judged.ok ? "ok" : judged.message;
};

/** Columns: no qualifier, NotQualified, QCStatement, the use's own qualifier, the latter two. */
const COLUMNS = (own: string) => [[], ["NotQualified"], ["QCStatement"], [own], ["QCStatement", own]];

describe.each([
  ["web-authentication", "QCForWSA", "web", "seal"],
  ["seal", "QCForESeal", "seal", "web"],
] as const)("the table for %s", (use, own, type, other) => {
  test.each<[row: string, claims: QcClaims, cells: boolean[]]>([
    ["QcCompliance, this type", claims(true, type), [true, false, true, true, true]],
    ["QcCompliance, no type", claims(true), [false, false, false, true, true]],
    ["QcCompliance, the other type", claims(true, other), [false, false, false, true, true]],
    ["QcCompliance, signatures", claims(true, "signature"), [false, false, false, true, true]],
    // the standard's "indeterminate"; several types are judged each
    ["QcCompliance, several types", claims(true, type, other), [true, false, true, true, true]],
    ["no QcCompliance, this type", claims(false, type), [false, false, true, false, true]],
    ["no QcCompliance, no type", claims(false), [false, false, false, false, true]],
    ["no QcCompliance, the other type", claims(false, other), [false, false, false, false, true]],
  ])("%s", (_, of, cells) => {
    const judged = COLUMNS(own).map((qualifiers) => judge(use, of, says(...qualifiers)));
    expect(judged.map(({ ok }) => ok)).toEqual(cells);
    // what the list says that it is for counts before QcType
    expect(judged.map((each) => each.ok && each.typedByList)).toEqual(cells.map((cell, column) => cell && column >= 3));
  });
});

test("qualifiers of several elements count together, those of elements that are not met do not", () => {
  const none = claims(false);
  expect(judge("seal", none, says("QCStatement"), says("QCForESeal"))).toMatchObject({ ok: true });
  const notMet = { ...says("NotQualified"), criteria: NOT_MET };
  expect(judge("seal", claims(true, "seal"), notMet)).toMatchObject({ ok: true });
});

test("qualifiers on the device that holds the key decide nothing, even when they contradict each other", () => {
  const device = says("QCWithQSCD", "QCNoQSCD", "QCQSCDManagedOnBehalf", "QCQSCDStatusAsInCert", "QCForLegalPerson");
  expect(judge("seal", claims(true, "seal"), device, says("QCWithSSCD", "QCNoSSCD"))).toMatchObject({ ok: true });
});

test("qualifiers that contradict each other fail, and say so", () => {
  const web = claims(true, "web");
  const contradiction = "the trusted list contradicts itself on the certificate:";
  expect(message("web-authentication", web, says("NotQualified"), says("QCStatement"))).toBe(
    `${contradiction} NotQualified and QCStatement`,
  );
  expect(message("web-authentication", web, says("QCForWSA", "QCForESeal"))).toBe(
    `${contradiction} QCForWSA and QCForESeal`,
  );
  expect(message("seal", web, says("QCForWSA", "QCForESeal"))).toBe(`${contradiction} QCForWSA and QCForESeal`);
  expect(message("web-authentication", web, says("QCForESig"), says("QCForWSA"))).toBe(
    `${contradiction} QCForESig and QCForWSA`,
  );
});

test("each refusal says whose word it is", () => {
  const web = claims(true, "web");
  expect(judge("web-authentication", web, says("NotQualified"))).toEqual({
    ok: false,
    by: "list",
    message: "the trusted list says that the certificate is not a qualified one (NotQualified)",
  });
  expect(judge("web-authentication", web, says("QCForESig"))).toEqual({
    ok: false,
    by: "list",
    message: "the trusted list says that the certificate is for signature (QCForESig)",
  });
  expect(judge("web-authentication", claims(true))).toMatchObject({ ok: false, by: "certificate" });
  expect(message("seal", claims(true, "signature"))).toBe(
    "the certificate's QcType is neither for website authentication nor for seals",
  );
  expect(judge("web-authentication", claims(false, "web"))).toMatchObject({ ok: false, by: "certificate" });
});

describe("what is not known", () => {
  const web = claims(true, "web");
  const undecided = (critical: boolean, ...qualifiers: string[]): Qualification => ({
    qualifiers,
    criteria: UNKNOWN,
    ...(critical && { critical: true }),
  });

  test("an unknown criterion of a critical extension fails, and is named", () => {
    const reason = "the trusted list qualifies certificates by criteria that are not supported: New";
    for (const qualifier of ["NotQualified", "QCForWSA", "QCWithQSCD"])
      expect(message("web-authentication", web, undecided(true, qualifier))).toBe(reason);
  });

  test("of an extension that is not critical it may be passed over", () => {
    expect(message("web-authentication", web, undecided(false, "NotQualified"))).toBe("ok");
    expect(message("web-authentication", claims(false, "web"), undecided(false, "QCStatement"))).not.toBe("ok");
  });

  test("it does not matter where the known criteria decide", () => {
    const decided = { ...undecided(true, "NotQualified"), criteria: { all: [NOT_MET, UNKNOWN] } };
    expect(message("web-authentication", web, decided)).toBe("ok");
  });

  test("an unknown qualifier that holds for the certificate fails when it is critical", () => {
    expect(message("web-authentication", web, says("QCForgotten"))).toBe(
      "the trusted list has an unknown qualifier for the certificate: QCForgotten",
    );
    expect(message("web-authentication", web, { qualifiers: ["QCForgotten"], criteria: MET })).toBe("ok");
    expect(message("web-authentication", web, { ...says("QCForgotten"), criteria: NOT_MET })).toBe("ok");
  });
});
