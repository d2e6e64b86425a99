/** Encodings by hand: each departs from ETSI TS 119 495 in one way. Real ones are in real-certificates.test.ts. */
import { describe, expect, test } from "vitest";
import { parseCertificate } from "../../../src/eidas/certificate.ts";
import { describeCertificate } from "../../../src/eidas/certificate-description.ts";
import { Tag } from "../../../src/eidas/der.ts";
import { encodeDer } from "../../../src/eidas/der-encode.ts";
import { readPsp } from "../../../src/eidas/psd2.ts";
import {
  type CertificateWish,
  makeCertificate,
  oid,
  psd2,
  qcCompliance,
  qcType,
  role,
  sequence,
  statement,
  utf8,
} from "./certificate-maker.ts";

const read = async (wish: CertificateWish) => readPsp(parseCertificate(await makeCertificate(wish)));
/** With a flawless rest of QCStatements. */
const readStatement = (...parts: Uint8Array[]) =>
  read({ qcStatements: sequence(qcCompliance(), qcType(3), psd2(...parts)) });
const nca = [utf8("Test Authority"), utf8("XX-TEST")];
const number = encodeDer(Tag.integer, Uint8Array.of(1));
const of = (id: number, name: string | null) => ({ oid: `0.4.0.19495.1.${id}`, name });
const PLACE = "QCStatements: PSD2 statement: ";

test("a flawless certificate is read without a warning", async () => {
  expect(await read({})).toEqual({
    pspSubjectName: "Some PSP",
    authNumber: "PSDXX-TEST-000001",
    homeCountry: "XX",
    QTSPCommonName: "Some QTSP CA",
    roles: [of(2, "PSP_PI"), of(3, "PSP_AI")],
    paymentServices: [7, 8],
    ncaName: "Test Authority",
    ncaId: "XX-TEST",
    qcTypes: ["0.4.0.1862.1.6.3"],
    notBefore: Date.UTC(2025, 0, 1),
    notAfter: Date.UTC(2055, 0, 1),
    warnings: [],
  });
});

describe("roles and the payment services that they stand for", () => {
  test.each<[number, string, number[], string[]]>([
    [1, "PSP_AS", [1, 2, 3, 4, 5, 6, 7, 8], []],
    [2, "PSP_PI", [7], []],
    [3, "PSP_AI", [8], []],
    [4, "PSP_IC", [5], []],
    [0, "Unspecified", [], ["role 1: Unspecified gives no payment service"]],
    [5, "PSP_CB", [], ["role 1: PSP_CB gives no payment service"]],
    [6, "PSP_PA", [], ["role 1: PSP_PA gives no payment service"]],
    [51, "VOP_RS", [], ["role 1: VOP_RS gives no payment service"]],
    [52, "VOP_VS", [], ["role 1: VOP_VS gives no payment service"]],
    [2, "PSP_AI", [7], ["role 1: name PSP_AI contradicts OID 0.4.0.19495.1.2 (PSP_PI); the OID counts"]],
    [3, "PSP_PISP", [8], ["role 1: name PSP_PISP is not the one of OID 0.4.0.19495.1.3 (PSP_AI); the OID counts"]],
    [3, "", [8], ['role 1: name "" is not the one of OID 0.4.0.19495.1.3 (PSP_AI); the OID counts']],
    [
      9,
      "PSP_PI",
      [],
      ["role 1: OID 0.4.0.19495.1.9 (name PSP_PI) is not a role of ETSI TS 119 495; it gives no payment service"],
    ],
  ])("OID 0.4.0.19495.1.%i named %s", async (id, name, paymentServices, warnings) => {
    const psp = await readStatement(sequence(role(id, name)), ...nca);
    expect(psp).toMatchObject({ roles: [of(id, name)], paymentServices, ncaId: "XX-TEST" });
    expect(psp.warnings).toEqual(warnings.map((warning) => PLACE + warning));
  });

  test("an unknown role harms those beside it nothing, and is shown by its OID", async () => {
    const unknown = sequence(oid("1.2.3.4"), utf8("PSP_PI"));
    const qcStatements = sequence(
      qcCompliance(),
      qcType(3),
      psd2(sequence(role(3, "PSP_AI"), unknown, role(5, "PSP_CB")), ...nca),
    );
    const description = describeCertificate(parseCertificate(await makeCertificate({ qcStatements })));
    expect(description).toMatchObject({ roles: ["PSP_AI", "1.2.3.4", "PSP_CB"], paymentServices: [8] });
  });

  test("NA is the NCA of a central bank, and of nobody else", async () => {
    const withoutNca = [utf8("NA"), utf8("NA")];
    expect((await readStatement(sequence(role(5, "PSP_CB")), ...withoutNca)).warnings).toHaveLength(1);
    expect((await readStatement(sequence(role(3, "PSP_AI")), ...withoutNca)).warnings).toEqual([
      `${PLACE}ncaId NA is not a country, a dash and 2 to 8 capitals`,
    ]);
  });
});

describe("roles are found however they are nested", () => {
  const pi = [oid("0.4.0.19495.1.2"), utf8("PSP_PI")];
  const ai = [oid("0.4.0.19495.1.3"), utf8("PSP_AI")];
  const both = [of(2, "PSP_PI"), of(3, "PSP_AI")];
  test.each<[string, Uint8Array[], { oid: string; name: string | null }[], string[]]>([
    [
      "one flat SEQUENCE",
      [sequence(...pi, ...ai)],
      both,
      ["roles are one flat SEQUENCE instead of a SEQUENCE OF RoleOfPSP"],
    ],
    ["pairs in one RoleOfPSP", [sequence(sequence(...pi, ...ai))], both, ["role entry 1 holds 2 roles instead of one"]],
    [
      "without their list",
      [sequence(...pi), sequence(...ai)],
      both,
      ["roles stand in the statement without their SEQUENCE OF"],
    ],
    ["in two lists", [sequence(sequence(...pi)), sequence(sequence(...ai))], both, ["2 lists of roles"]],
    ["an empty list", [sequence()], [], ["the list of roles is empty"]],
    ["no list", [], [], ["no list of roles"]],
    [
      "a SET for a list",
      [encodeDer(Tag.set, sequence(...pi))],
      [],
      ["more than roles, ncaName and ncaId", "no list of roles"],
    ],
    ["an empty RoleOfPSP", [sequence(sequence(), sequence(...ai))], [of(3, "PSP_AI")], ["role entry 1: no OID"]],
    [
      "a name alone",
      [sequence(sequence(utf8("PSP_PI")), sequence(...ai))],
      [of(3, "PSP_AI")],
      ["role entry 1: a value of type utf8String is neither OID nor name", "role entry 1: no OID"],
    ],
    [
      "an OID alone",
      [sequence(sequence(oid("0.4.0.19495.1.2")))],
      [of(2, null)],
      ["role 1: no name beside OID 0.4.0.19495.1.2 (PSP_PI)"],
    ],
    [
      "a number for a name",
      [sequence(sequence(oid("0.4.0.19495.1.2"), number))],
      [of(2, null)],
      [
        "role entry 1: a value of type integer is neither OID nor name",
        "role 1: no name beside OID 0.4.0.19495.1.2 (PSP_PI)",
      ],
    ],
    [
      "a number among them",
      [sequence(number, sequence(...ai))],
      [of(3, "PSP_AI")],
      ["role entry 1: tag 0x2 where 0x30 belongs"],
    ],
    [
      "a broken OID",
      [sequence(sequence(encodeDer(Tag.oid, Uint8Array.of(0x80))), sequence(...ai))],
      [of(3, "PSP_AI")],
      ["role entry 1: object identifier not minimal"],
    ],
    [
      "a role twice",
      [sequence(sequence(...pi), sequence(...pi))],
      [of(2, "PSP_PI"), of(2, "PSP_PI")],
      ["role 2: OID 0.4.0.19495.1.2 again"],
    ],
  ])("%s", async (_, lists, roles, warnings) => {
    const psp = await readStatement(...lists, ...nca);
    expect(psp.roles).toEqual(roles);
    expect(psp).toMatchObject({ ncaName: "Test Authority", ncaId: "XX-TEST" });
    expect(psp.warnings).toEqual(warnings.map((warning) => PLACE + warning));
  });

  test("a thousand roles are cut to 32, and their warnings to 32", async () => {
    const thousand = Array.from({ length: 1_000 }, () => sequence(oid("1.2.3"), utf8("X")));
    const psp = await readStatement(sequence(...thousand), ...nca);
    expect(psp.roles).toHaveLength(32);
    expect(psp.warnings).toHaveLength(32);
    expect(psp.warnings[0]).toBe(`${PLACE}1000 roles; the first 32 count`);
    expect(psp.warnings[31]).toBe("33 more warnings");
  });
});

describe("ncaName and ncaId", () => {
  const text = (tag: number, value: string) => encodeDer(tag, new TextEncoder().encode(value));
  const roles = sequence(role(3, "PSP_AI"));
  const readAuthority = (...parts: Uint8Array[]) => readStatement(roles, ...parts);

  test.each<[string, Uint8Array[], string | null, string | null, string[]]>([
    ["neither", [], null, null, ["no ncaName", "no ncaId"]],
    ["no ncaId", [utf8("A")], "A", null, ["no ncaId"]],
    [
      "PrintableString",
      [text(Tag.printableString, "A"), text(Tag.printableString, "XX-TEST")],
      "A",
      "XX-TEST",
      [
        "ncaName is of type printableString instead of utf8String",
        "ncaId is of type printableString instead of utf8String",
      ],
    ],
    ["a number", [number, utf8("XX-TEST")], null, "XX-TEST", ["ncaName is not a character string"]],
    [
      "broken UTF-8",
      [encodeDer(Tag.utf8String, Uint8Array.of(0xc3, 0x28)), utf8("XX-TEST")],
      null,
      "XX-TEST",
      ["ncaName is not a character string"],
    ],
    ["a third text", [...nca, utf8("more")], "Test Authority", "XX-TEST", ["more than roles, ncaName and ncaId"]],
  ])("%s", async (_, parts, ncaName, ncaId, warnings) => {
    const psp = await readAuthority(...parts);
    expect(psp).toMatchObject({ ncaName, ncaId, roles: [of(3, "PSP_AI")] });
    expect(psp.warnings).toEqual(warnings.map((warning) => PLACE + warning));
  });

  test.each([
    ["XX-TEST", "PSDXX-TEST-000001", []],
    ["XX-OB", "PSDXX-OB-TEST-000001", []],
    [
      "XX-OTHER",
      "PSDXX-TEST-000001",
      ["ncaId XX-OTHER is another NCA than the one in PSDXX-TEST-000001; the number counts"],
    ],
    [
      "XY-TEST",
      "PSDXX-TEST-000001",
      ["ncaId XY-TEST is of another country than the authorisation number (XX); the number counts"],
    ],
    ["XXTEST", "PSDXX-TEST-000001", ["ncaId XXTEST should be XX-TEST"]],
    ["XX_TEST", "PSDXX-TEST-000001", ["ncaId XX_TEST should be XX-TEST"]],
    ["xx-test", "PSDXX-TEST-000001", ["ncaId xx-test should be XX-TEST"]],
    ["XX-TE-ST", "PSDXX-TEST-000001", ["ncaId XX-TE-ST should be XX-TEST"]],
    ["TEST", "PSDXX-TEST-000001", ["ncaId TEST is not a country, a dash and 2 to 8 capitals"]],
    ["", "PSDXX-TEST-000001", ['ncaId "" is not a country, a dash and 2 to 8 capitals']],
    ["EL-BOG", "PSDGR-BOG-1", []],
    ["GB-FCA", "PSDUK-FCA-1", ["organizationIdentifier PSDUK-FCA-1: the country UK is read as GB"]],
  ])("%s beside %s", async (ncaId, authNumber, remarks) => {
    const qcStatements = sequence(qcCompliance(), qcType(3), psd2(roles, utf8("A"), utf8(ncaId)));
    const psp = await read({ qcStatements, subject: `2.5.4.97=${authNumber}, O=Some PSP` });
    expect(psp.ncaId).toBe(ncaId);
    expect(psp.warnings.map((warning) => warning.replace(PLACE, ""))).toEqual(remarks);
  });
});

describe("the subject", () => {
  test.each<[string, string, string | null, string | null, string[]]>([
    [
      "no organizationIdentifier",
      "C=XX, O=PSP",
      null,
      null,
      ["organizationIdentifier: absent, so there is no authorisation number"],
    ],
    [
      "a VAT number",
      "2.5.4.97=VATUS\\+PA-1, O=PSP",
      null,
      null,
      ["organizationIdentifier VATUS+PA-1 is not a PSD2 authorisation number: it does not begin with PSD"],
    ],
    [
      "a VAT number before the authorisation number",
      "2.5.4.97=VATXX-1, 2.5.4.97=PSDXX-TEST-1, O=PSP",
      "PSDXX-TEST-1",
      "XX",
      ["organizationIdentifier VATXX-1 is not a PSD2 authorisation number: it does not begin with PSD"],
    ],
    ["one number in two spellings", "2.5.4.97=PSDXX-TEST-1, 2.5.4.97=PSDXX-TEST-1, O=PSP", "PSDXX-TEST-1", "XX", []],
    [
      "two numbers",
      "2.5.4.97=PSDXX-TEST-1, 2.5.4.97=PSDXX-TEST-2, O=PSP",
      null,
      null,
      ["organizationIdentifier: several that differ, so none counts"],
    ],
    [
      "another country in C",
      "2.5.4.97=PSDXX-TEST-1, O=PSP, C=XY",
      "PSDXX-TEST-1",
      "XX",
      ["subject: countryName XY contradicts the authorisation number (XX); the number counts"],
    ],
    [
      "Greece as GR in C and EL in the number",
      "2.5.4.97=PSDEL-TEST-1, O=PSP, C=GR",
      "PSDEL-TEST-1",
      "GR",
      ["organizationIdentifier PSDEL-TEST-1: the country EL is read as GR"],
    ],
    [
      "no organizationName",
      "2.5.4.97=PSDXX-TEST-1, CN=psp.example",
      "PSDXX-TEST-1",
      "XX",
      ["subject: no organizationName"],
    ],
  ])("%s", async (_, subject, authNumber, homeCountry, warnings) => {
    const psp = await read({ subject });
    expect(psp).toMatchObject({ authNumber, homeCountry });
    expect(psp.warnings.filter((warning) => !warning.startsWith("QCStatements"))).toEqual(warnings);
  });

  test("a common name is no substitute for the organization's", async () => {
    expect((await read({ subject: "2.5.4.97=PSDXX-TEST-1, CN=psp.example" })).pspSubjectName).toBeNull();
  });

  test("hostile text is shown harmless in a warning, and as it is in the data", async () => {
    const ncaId = `‮
"${"A".repeat(200)}`;
    const psp = await readStatement(sequence(role(3, "PSP_AI")), utf8("A"), utf8(ncaId));
    expect(psp.ncaId).toBe(ncaId);
    expect(psp.warnings).toEqual([
      `${PLACE}ncaId "\\u{202e}\\u{000a}\\"${"A".repeat(77)}…" is not a country, a dash and 2 to 8 capitals`,
    ]);
  });
});

describe("QCStatements around it", () => {
  const psd2Statement = psd2(sequence(role(3, "PSP_AI")), ...nca);
  const web = "0.4.0.1862.1.6.3";
  test.each<[string, Uint8Array | null, string[], number, string[]]>([
    ["absent", null, [], 0, ["QCStatements: the extension is absent, so neither roles nor NCA"]],
    ["not DER", Uint8Array.of(0x30, 0x80, 0, 0), [], 0, ["QCStatements: indefinite length"]],
    [
      "with a byte after them",
      Uint8Array.of(...sequence(psd2Statement), 0),
      [],
      0,
      ["QCStatements: 1 bytes after its end"],
    ],
    ["text", utf8("PSP_PI"), [], 0, ["QCStatements: tag 0xc where 0x30 belongs"]],
    ["empty", sequence(), [], 0, []],
    ["a bare statement", psd2Statement, [], 1, ["QCStatements: a bare QCStatement without the outer SEQUENCE OF"]],
    [
      "with a broken statement before",
      sequence(number, sequence(), qcCompliance(), qcType(3), psd2Statement),
      [web],
      1,
      ["QCStatements: statement 1: tag 0x2 where 0x30 belongs", "QCStatements: statement 2: missing"],
    ],
    [
      "a statement of three parts",
      sequence(statement("1.2.3", utf8("a"), utf8("b")), qcCompliance(), qcType(3), psd2Statement),
      [web],
      1,
      ["QCStatements: statement 1: 3 parts where two belong"],
    ],
    [
      "the PSD2 statement twice",
      sequence(qcCompliance(), qcType(3), psd2Statement, psd2(sequence(role(1, "PSP_AS")), ...nca)),
      [web],
      1,
      ["QCStatements: 0.4.0.19495.2 appears twice; the first counts"],
    ],
    [
      "the PSD2 statement without contents",
      sequence(qcCompliance(), qcType(3), statement("0.4.0.19495.2")),
      [web],
      0,
      ["QCStatements: PSD2 statement: missing"],
    ],
    ["a seal", sequence(qcCompliance(), qcType(2), psd2Statement), ["0.4.0.1862.1.6.2"], 1, []],
    [
      "a person's signature",
      sequence(qcCompliance(), qcType(1), psd2Statement),
      ["0.4.0.1862.1.6.1"],
      1,
      ["QCStatements: QcType: for signatures of a person, not for a PSP"],
    ],
    [
      "two types",
      sequence(qcCompliance(), qcType(3, 2), psd2Statement),
      [web, "0.4.0.1862.1.6.2"],
      1,
      ["QCStatements: QcType: 2 types where one belongs"],
    ],
    [
      "an unknown type",
      sequence(qcCompliance(), qcType(9), psd2Statement),
      ["0.4.0.1862.1.6.9"],
      1,
      ["QCStatements: QcType: 0.4.0.1862.1.6.9 is unknown"],
    ],
    [
      "no type in QcType",
      sequence(qcCompliance(), qcType(), psd2Statement),
      [],
      1,
      ["QCStatements: QcType: empty, so the certificate does not say what it is for"],
    ],
    [
      "QcType as a bare OID",
      sequence(qcCompliance(), statement("0.4.0.1862.1.6", oid(web)), psd2Statement),
      [web],
      1,
      ["QCStatements: QcType: a bare OID without the SEQUENCE OF"],
    ],
    [
      "QcType as a number",
      sequence(qcCompliance(), statement("0.4.0.1862.1.6", number), psd2Statement),
      [],
      1,
      ["QCStatements: QcType: tag 0x2 where 0x30 belongs"],
    ],
    [
      "QcType without contents",
      sequence(qcCompliance(), statement("0.4.0.1862.1.6"), psd2Statement),
      [],
      1,
      ["QCStatements: QcType: missing"],
    ],
  ])("%s", async (_, qcStatements, qcTypes, roles, warnings) => {
    const psp = await read({ qcStatements });
    expect(psp.qcTypes).toEqual(qcTypes);
    expect(psp.roles).toHaveLength(roles);
    const aboutAbsence = /no QcCompliance|QcType: absent|no PSD2 statement/;
    expect(psp.warnings.filter((warning) => !aboutAbsence.test(warning))).toEqual(warnings);
    expect(psp.warnings.some((warning) => warning.includes("no QcCompliance"))).toBe(
      qcStatements !== null && !Buffer.from(qcStatements).includes(qcCompliance()),
    );
  });

  test("what is absent is null in the description, and lists are empty", async () => {
    const bare = { subject: "CN=x", issuer: "O=y", qcStatements: null };
    expect(describeCertificate(parseCertificate(await makeCertificate(bare)))).toMatchObject({
      pspSubjectName: null,
      authNumber: null,
      homeCountry: null,
      QTSPCommonName: null,
      roles: [],
      paymentServices: [],
      ncaName: null,
      ncaId: null,
      qcTypes: null,
      notBefore: "2025-01-01T00:00:00Z",
      notAfter: "2055-01-01T00:00:00Z",
    });
  });
});
