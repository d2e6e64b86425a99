/** The check in sentences: they say what the answer says, each with what is to be done. */

import { describe, expect, test } from "vitest";
import type { Validity } from "../../../src/eidas/validity.ts";
import { VERDICT_NAMES } from "../../../src/eidas/verdict-codes.ts";
import { type Warning, warning } from "../../../src/eidas/warnings.ts";
import type { BankPassports } from "../../../src/institutions/financial-institutions.ts";
import type { Grounds } from "../../../src/psp-check/basis.ts";
import { decideOnCheck } from "../../../src/psp-check/decision.ts";
import { FINDINGS } from "../../../src/psp-check/every-reason.ts";
import type { PspCheck } from "../../../src/psp-check/psp-check.ts";
import { describePsp, PAYMENT_SERVICES } from "../../../src/psp-check/psp-report.ts";
import { checkRegisters } from "../../../src/registers/check.ts";
import type { RegisterReading } from "../../../src/registers/lookup.ts";
import { DEFAULT_REGISTER_MAX_AGES_MS, type RegisterManifest } from "../../../src/registers/manifest.ts";
import { ALL_PAYMENT_SERVICES, type CategoryRecord } from "../../../src/registers/psp-record.ts";
import { ALL_TRUE } from "../../all-true.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const DAY = 86_400_000;

const manifest = (more: Partial<RegisterManifest> = {}): RegisterManifest => ({
  ...{ country: "FI", source: "eba", ncaId: "FI-FIN-FSA", ncaName: "FIN-FSA", published: "2026-11-20T12:00:00Z" },
  ...{ fetchedAt: "2026-11-21T11:00:00Z", psps: 1, agents: 0, refused: 0, hash: "", run: "" },
  ...more,
});
const record = (more: Partial<CategoryRecord> = {}): CategoryRecord => ({
  ...{ category: "Payment Institution", legalName: "Esimerkki Oy", status: "Authorised", services: [3, 7, 8] },
  ...{ passportOut: { SE: [7] } },
  ...more,
});
const reading = (country: string, manifests: RegisterManifest[], ...records: CategoryRecord[]): RegisterReading => ({
  ...{ country, manifests, ambiguous: false },
  categories: records.map((one) => ({
    source: "eba",
    psp: { authNumber: "PSDFI-FINFSA-1", agent: false, categories: records },
    record: one,
  })),
});
const HOME = reading("FI", [manifest()], record());

const GROUNDS: Grounds = {
  ...{ form: 1, chain: ["aa"], anchors: "dd", revocation: [], home: null },
  registerMaxAges: { nca: null, eba: null, "credit-institutions": null },
};

function checked(more: Partial<PspCheck> = {}): PspCheck {
  return {
    psp: {
      ...{ pspSubjectName: "Esimerkki Oy", authNumber: "PSDFI-FINFSA-1", pspId: "PSDFI-FINFSA-1", homeCountry: "FI" },
      ...{ QTSPCommonName: "Luottamus CA", paymentServices: [7, 8], ncaName: "FIN-FSA", ncaId: "FI-FINFSA" },
      roles: [
        { oid: "0.4.0.19495.1.2", name: "PSP_PI" },
        { oid: "0.4.0.19495.1.3", name: "PSP_AI" },
      ],
      ...{ notBefore: Date.parse("2026-01-01T00:00:00Z"), notAfter: Date.parse("2027-12-31T23:59:59Z"), warnings: [] },
      ...{ qcCompliance: true, qcLegislation: false, qcTypes: [] },
    },
    validity: ALL_TRUE,
    warnings: [],
    ...{ certificate: "aa", foundIssuers: [], uses: ["web-authentication"], restsOn: GROUNDS, madeAt: NOW },
    evidence: {
      anchor: {
        ...{ source: "eIDAS", jurisdiction: "FI", serviceName: "Luottamus QWAC", periods: [], listSequenceNumber: 12 },
        ...{ listIssuedAt: "2026-11-11T12:00:00.000Z", listNextUpdate: "2026-12-21T12:00:00.000Z" },
      },
      path: [
        { subject: "CN=psp", sha256: "aa" },
        { subject: "CN=middle", sha256: "bb" },
        { subject: "CN=CA", sha256: "cc" },
      ],
      revocation: [
        {
          certificate: "aa",
          source: "OCSP",
          url: null,
          producedAt: "2026-11-21T10:00:00.000Z",
          ...{ crlNumber: null, thisUpdate: "2026-11-21T10:00:00.000Z" },
          nextUpdate: null,
          sha256: "1",
        },
        {
          certificate: "bb",
          source: "CRL",
          url: null,
          producedAt: "2026-11-19T12:00:00.000Z",
          ...{ crlNumber: "7", thisUpdate: "2026-11-19T12:00:00.000Z" },
          nextUpdate: "2026-11-26T12:00:00.000Z",
          sha256: "2",
        },
      ],
      doubts: [],
    },
    home: HOME,
    host: null,
    expiresAt: NOW,
    ...more,
  };
}

function report(more: Partial<PspCheck> = {}, jurisdiction = "FI", bankPassports: BankPassports | null = null) {
  const check = checked(more);
  const { home, host, psp } = check;
  const maxAges = DEFAULT_REGISTER_MAX_AGES_MS;
  const { authNumber, pspSubjectName: subjectName } = psp;
  const registers = checkRegisters({
    authNumber,
    jurisdiction,
    home,
    host,
    subjectName,
    now: NOW,
    maxAges,
    codes: true,
  });
  return describePsp(
    check,
    { ...registers, decision: decideOnCheck(check, { jurisdiction, bankPassports }, NOW, maxAges) },
    jurisdiction,
    NOW,
  );
}

const failing = (validity: Partial<Validity>, ...warnings: Warning[]) => ({
  validity: { ...ALL_TRUE, ...validity },
  warnings,
});
const sentences = (list: readonly { readonly sentence: string }[]) => list.map(({ sentence }) => sentence);

test("every warning and every reason has something to be done", () => {
  for (const { cure } of Object.values(FINDINGS)) expect(cure).toMatch(/^[A-Z].{20,}\.$/);
});

test("every payment service has a name", () => {
  expect(Object.keys(PAYMENT_SERVICES).map(Number)).toEqual(ALL_PAYMENT_SERVICES);
});

test("a PSP for which all is well: who it is, four verdicts, two permissions, nothing to be done", () => {
  const { identity, verdicts, decision, warnings } = report();
  expect(identity).toEqual([
    "Esimerkki Oy has the authorisation number PSDFI-FINFSA-1.",
    "Its home country is Finland, its NCA FIN-FSA (FI-FINFSA).",
    "The certificate is by Luottamus CA and has the roles PSP_PI (payment initiation), PSP_AI (account information).",
  ]);
  expect(verdicts.map(({ field, good, reasons }) => [field, good, reasons])).toEqual(
    VERDICT_NAMES.map((field) => [field, true, []]),
  );
  expect(sentences(verdicts)).toEqual([
    "The issuer Luottamus CA is a qualified trust service provider: the eIDAS trusted list of Finland approves its service Luottamus QWAC.",
    "The certificate is genuine: an unbroken path of 3 certificates leads from it to the trusted list.",
    "The certificate is not revoked (OCSP of 2026-11-21, CRL of 2026-11-19).",
    "The certificate is valid from 2026-01-01 to 2027-12-31.",
  ]);
  expect(sentences(decision)).toEqual([
    "The PSP may initiate payments in Finland.",
    "The PSP may read accounts in Finland.",
  ]);
  expect(decision.map(({ answer, reasons }) => [answer, reasons])).toEqual([
    ["yes", []],
    ["yes", []],
  ]);
  expect(warnings).toEqual([]);
});

describe("a false verdict", () => {
  test.each<[keyof Validity, Warning[], string]>([
    [
      "validQTSP",
      [warning("qtsp_invalid", "validQTSP: the issuer is on no list")],
      "No trusted list approves the issuer for such a certificate.",
    ],
    [
      "validSignature",
      [warning("signature_invalid", "validSignature: the issuer is on no list")],
      "The certificate is not proved to be genuine: no valid path leads from it to a trusted list.",
    ],
    [
      "notRevoked",
      [warning("certificate_revoked", "notRevoked: the issuer is on no list")],
      "The certificate is revoked, or counts as revoked.",
    ],
    [
      "notRevoked",
      [warning("revocation_unknown", "notRevoked: the issuer is on no list")],
      "Whether the certificate is revoked could not be found out, so it does not count as valid.",
    ],
    [
      "notExpired",
      [warning("certificate_expired", "notExpired: the issuer is on no list")],
      "The certificate is not valid at this time.",
    ],
  ])("%s has a sentence, its reason and what to do", (field, warnings, sentence) => {
    const { verdicts, decision, warnings: others } = report(failing({ [field]: false }, ...warnings));
    const [one] = warnings;
    const code = one?.code ?? "qtsp_invalid";
    expect(verdicts.filter(({ good }) => !good)).toEqual([
      {
        field,
        good: false,
        sentence,
        reasons: [{ code, sentence: "The issuer is on no list.", cure: FINDINGS[code].cure }],
      },
    ]);
    expect(sentences(decision)).toEqual([
      "The PSP may not initiate payments in Finland: its certificate is not accepted.",
      "The PSP may not read accounts in Finland: its certificate is not accepted.",
    ]);
    // said once, with the verdict
    expect(decision.flatMap(({ reasons }) => reasons)).toEqual([]);
    expect(others).toEqual([]);
  });

  test("that is true keeps no reason of another", () => {
    const { verdicts } = report(failing({ validQTSP: false }, warning("qtsp_invalid", "validQTSP: a; b")));
    expect(verdicts.map(({ reasons }) => sentences(reasons))).toEqual([["A; b."], [], [], []]);
  });
});

describe("a decision", () => {
  test("against a scope names who can change it", () => {
    const withdrawn = reading("FI", [manifest()], record({ status: "Withdrawn" }));
    const { decision } = report({ home: withdrawn });
    expect(decision[0]).toMatchObject({
      ...{ scope: "payments", answer: "no", sentence: "The PSP may not initiate payments in Finland." },
      reasons: [
        {
          code: "authorisation_withdrawn",
          whose: "the NCA of the PSP's home country",
          cure: FINDINGS.authorisation_withdrawn.cure,
        },
      ],
    });
  });

  test("that only this service's data stands against is unknown", () => {
    const { decision } = report({ home: reading("FI", []) });
    expect(decision.map(({ answer }) => answer)).toEqual(["unknown", "unknown"]);
    expect(decision[1]?.sentence).toBe(
      "Whether the PSP may read accounts in Finland could not be found out, which counts as a no.",
    );
    expect(decision[1]?.reasons.map(({ whose }) => whose)).toEqual(["the operator of this service"]);
  });

  test("with a reason of each kind is a no", () => {
    const { decision } = report({ home: reading("FI", []), psp: { ...checked().psp, paymentServices: [7] } });
    expect(decision.map(({ answer }) => answer)).toEqual(["unknown", "no"]);
  });
});

test("a bank abroad: what is known, whose the choice is, and that a yes rests on it", () => {
  const bank = record({ category: "Credit Institution", services: [], passportOut: {} });
  const read = reading("FI", [manifest({ source: "credit-institutions" })], bank);
  const home = {
    ...read,
    categories: read.categories.map((one) => ({
      ...one,
      ...({ source: "credit-institutions", passports: "not published" } as const),
    })),
  };
  const abroad = { home, host: reading("ES", []) };
  const refused = report(abroad, "ES");
  expect(refused.decision.map(({ answer }) => answer)).toEqual(["unknown", "unknown"]);
  expect(refused.decision[1]?.reasons).toMatchObject([
    { code: "passport_not_published", whose: "the operator of this service", cure: expect.stringMatching(/fi set/) },
  ]);
  const known =
    "PSP PSDFI-FINFSA-1 is a credit institution in its home register, and passports of these are published nowhere: whether it has one to ES for payment service 8, which scope accounts needs, is not known";
  const accepted = report(abroad, "ES", "accept");
  expect(accepted.decision[1]).toEqual({
    ...{ scope: "accounts", answer: "yes", reasons: [] },
    sentence: `The PSP may read accounts in Spain. ${known}; the institution accepts its authorisation at home.`,
  });
  // nobody knows of a passport, whatever is chosen
  for (const { services, registers } of [refused, accepted]) {
    expect(new Set(services.map(({ passported }) => passported))).toEqual(new Set([null]));
    expect(registers[0]?.lines[0]).toMatch(/; passports published nowhere$/);
  }
  const branch = {
    ...home,
    categories: home.categories.map((one) => ({ ...one, record: { ...bank, established: { ES: [8] } } })),
  };
  const there = report({ home: branch, host: reading("ES", []) }, "ES");
  expect(there.services.filter(({ passported }) => passported).map(({ service }) => service)).toEqual([8]);
  expect(there.registers[0]?.lines[0]).toMatch(/; branch in ES for payment service 8$/);
});

describe("payment services", () => {
  const rows = (more: Partial<PspCheck> = {}, jurisdiction = "FI") =>
    report(more, jurisdiction).services.map(({ service, onCertificate, atHome, passported }) => [
      service,
      onCertificate,
      atHome,
      passported,
    ]);

  test("at home are on the certificate and in the register", () => {
    expect(rows()).toEqual([
      [3, false, true, null],
      [7, true, true, null],
      [8, true, true, null],
    ]);
    expect(report().services.map(({ name }) => name)).toEqual([
      "executing payments",
      "payment initiation",
      "account information",
    ]);
  });

  test("abroad are those of the passport, too", () => {
    const abroad = { host: reading("SE", []) };
    expect(rows(abroad, "SE")).toEqual([
      [3, false, true, false],
      [7, true, true, true],
      [8, true, true, false],
    ]);
  });

  test("of a category that is not authorised are none, and the two of the decision are always listed", () => {
    const home = reading("FI", [manifest()], record({ status: "Withdrawn" }));
    expect(rows({ home, host: reading("SE", []), psp: { ...checked().psp, paymentServices: [] } }, "SE")).toEqual([
      [7, false, false, false],
      [8, false, false, false],
    ]);
    const registered = reading("FI", [manifest()], record({ category: "AISP", status: "Registered", services: [8] }));
    expect(rows({ home: registered })).toEqual([
      [7, true, false, null],
      [8, true, true, null],
    ]);
  });
});

test("registers say category, name, status, services and passport", () => {
  const host = reading(
    "SE",
    [manifest({ country: "SE", ncaName: "FI Sverige" })],
    record({ passportIn: "FI", status: null }),
  );
  const home = reading(
    "FI",
    [manifest()],
    record(),
    record({ category: "AISP", status: "Registered", services: [], passportOut: {} }),
  );
  expect(report({ home, host }, "SE").registers).toEqual([
    {
      title: "Home register (FI, FIN-FSA)",
      lines: [
        "Payment Institution Esimerkki Oy: Authorised; payment services 3, 7, 8; passport to SE for payment service 7",
        "AISP Esimerkki Oy: Registered; no payment service; no passport to SE",
      ],
    },
    {
      title: "Host register (SE, FI Sverige)",
      lines: ["Payment Institution Esimerkki Oy: no status; home country FI"],
    },
  ]);
  expect(report({ home: reading("FI", [manifest()]) }).registers).toEqual([
    { title: "Home register (FI, FIN-FSA)", lines: ["no entry for the PSP"] },
  ]);
});

describe("where nobody could look, no register is said to lack an entry", () => {
  const noNumber = { ...checked().psp, authNumber: null, pspId: null, homeCountry: null };
  test.each<[string, Partial<PspCheck>, string]>([
    ["the home register is not loaded", { home: reading("FI", []) }, "not loaded, so nobody looked"],
    [
      "the certificate names no register",
      { home: null, psp: noNumber },
      "nobody looked: the certificate's authorisation number names no register to look in",
    ],
    [
      "several entries match",
      { home: { ...reading("FI", [manifest()]), ambiguous: true } },
      "several entries match the PSP's number, so none of them is used",
    ],
  ])("%s", (_, more, line) => {
    const { registers, services } = report(more);
    expect(registers.map(({ lines }) => lines)).toEqual([[line]]);
    expect(new Set(services.map(({ atHome }) => atHome))).toEqual(new Set([null]));
  });

  test("the host register is not loaded", () => {
    const { registers, services } = report({ host: reading("SE", []) }, "SE");
    expect(registers[1]?.lines).toEqual(["not loaded, so nobody looked"]);
    expect(services.map(({ passported }) => passported)).not.toContain(null);
  });

  test("nor a passport to be missing", () => {
    const { services } = report({ home: reading("FI", []), host: reading("SE", [manifest()]) }, "SE");
    expect(new Set(services.map(({ passported }) => passported))).toEqual(new Set([null]));
  });
});

test("warnings of the certificate and of both registers are sentences, each once", () => {
  const unusual = warning("role_name_unusual", "QCStatements: PSD2 statement: no name for OID 1");
  const { warnings } = report(
    { warnings: [unusual, unusual, warning("organisation_missing", "subject: none")], host: reading("SE", []) },
    "SE",
  );
  expect(warnings).toEqual([
    {
      code: "role_name_unusual",
      sentence: "QCStatements: PSD2 statement: no name for OID 1.",
      cure: FINDINGS.role_name_unusual.cure,
    },
    { code: "organisation_missing", sentence: "subject: none.", cure: FINDINGS.organisation_missing.cure },
    { code: "register_not_loaded", sentence: "No register of SE is loaded.", cure: FINDINGS.register_not_loaded.cure },
  ]);
});

describe("sources", () => {
  const ages = (more: Partial<PspCheck> = {}, jurisdiction = "FI") =>
    report(more, jurisdiction).sources.map(({ name, sentence, stale }) => [name, sentence, stale]);

  test("have their ages, in the order in which they were asked", () => {
    expect(ages()).toEqual([
      ["eIDAS trusted list of FI", "number 12, issued 10 days ago, next update in 30 days", false],
      ["OCSP on the certificate", "made 2 h ago", false],
      ["CRL on its issuer 1", "made 2 days ago, next update in 5 days", false],
      ["eba register of FI", "published 24 h ago, fetched 60 min ago", false],
    ]);
  });

  test("that are stale are marked, and no other", () => {
    const old = new Date(NOW - 3 * DAY).toISOString();
    const home = reading("FI", [manifest({ source: "nca", published: old }), manifest({ published: old })], record());
    const stale = ages({ home, warnings: [warning("trusted_list_stale", "the list is stale")] });
    expect(stale.map(([name, , isStale]) => [name, isStale])).toEqual([
      ["eIDAS trusted list of FI", true],
      ["OCSP on the certificate", false],
      ["CRL on its issuer 1", false],
      ["nca register of FI", false],
      ["eba register of FI", true],
    ]);
  });

  test("of a list without number or dates, closed, and of no list", () => {
    const { evidence } = checked();
    const unknown = evidence.anchor && {
      ...evidence.anchor,
      listSequenceNumber: null,
      listIssuedAt: null,
      listNextUpdate: null,
    };
    expect(ages({ evidence: { ...evidence, anchor: unknown, revocation: [] }, home: null })).toEqual([
      ["eIDAS trusted list of FI", "closed", false],
    ]);
    const own = unknown && { ...unknown, source: "OBIE" };
    expect(ages({ evidence: { ...evidence, anchor: own, revocation: [] }, home: null })).toEqual([
      ["OBIE trusted list of FI", "", false],
    ]);
    expect(ages({ evidence: { anchor: null, path: [], revocation: [], doubts: [] }, home: null })).toEqual([]);
  });
});

describe("a certificate of the Open Banking Directory", () => {
  const { psp, evidence } = checked();
  const ofDirectory = (more: Partial<PspCheck> = {}) =>
    report({
      psp: {
        ...psp,
        QTSPCommonName: "OpenBanking Issuing CA",
        authNumber: "PSDGB-OB-1",
        pspId: "PSDGB-OB-1",
        homeCountry: "GB",
      },
      evidence: { ...evidence, anchor: evidence.anchor && { ...evidence.anchor, source: "OBIE", jurisdiction: "GB" } },
      home: reading("GB", [manifest({ country: "GB" })]),
      ...more,
    });
  const texts = ({ verdicts, decision, warnings }: ReturnType<typeof report>) =>
    JSON.stringify([verdicts, decision.map(({ reasons }) => reasons), warnings]).replaceAll(
      /"(?:field|code)":"\w+"/g,
      "",
    );

  test("is said to be by the Directory, and no sentence or cure names a QTSP", () => {
    const good = ofDirectory();
    expect(good.verdicts[0]?.sentence).toBe(
      "The issuer OpenBanking Issuing CA is a CA of the Open Banking Directory, which the operator of this service loaded (OBIE: Luottamus QWAC).",
    );
    const warned = [warning("qc_type_missing", "no QcType"), warning("organisation_missing", "no organizationName")];
    const refused = ofDirectory({
      validity: { ...ALL_TRUE, validQTSP: false, notRevoked: false },
      warnings: [
        warning("qtsp_invalid", "validQTSP: none"),
        warning("revocation_unknown", "notRevoked: none"),
        ...warned,
      ],
    });
    for (const one of [good, refused]) expect(texts(one)).not.toMatch(/QTSP|qualified trust/);
    expect(refused.decision[0]?.reasons.map(({ code, cure }) => [code, cure.slice(0, 51)])).toEqual([
      ["not_in_register", "The number is the Open Banking Directory's own, and"],
    ]);
  });
});

test("a certificate that names nobody is described as that", () => {
  const nobody = { pspSubjectName: null, authNumber: null, pspId: null, homeCountry: null, QTSPCommonName: null };
  const { identity } = report({
    psp: { ...checked().psp, ...nobody, ncaName: null, ncaId: null, roles: [] },
    home: null,
  });
  expect(identity).toEqual([
    "The PSP, which its certificate does not name, has no authorisation number.",
    "The certificate is by an issuer without a name and has no role.",
  ]);
});
