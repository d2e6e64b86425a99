import { describe, expect, test } from "vitest";
import {
  makeCertificate,
  PLACE,
  readMade,
  readStatement,
  role,
  roleOf,
  sequence,
  utf8,
} from "../../../fixtures/makers/certificate-maker.ts";
import { makeCertificate as makeDer } from "../../../fixtures/makers/made-pki.ts";
import { describeCertificate, readPsp } from "../../../src/eidas/psd2.ts";
import { parseCertificate } from "../../../src/x509/certificate.ts";
import { encodeDer, encodeOid, Tag } from "../../../src/x509/der.ts";
import { sentencesOf } from "./sentences-of.ts";

test("a flawless certificate is read without a warning", async () => {
  expect(await readMade({})).toEqual({
    pspSubjectName: "Some PSP",
    authNumber: "PSDXX-TEST-000001",
    pspId: "PSDXX-TEST-000001",
    homeCountry: "XX",
    QTSPCommonName: "Some QTSP CA",
    roles: [roleOf(2, "PSP_PI"), roleOf(3, "PSP_AI")],
    paymentServices: [7, 8],
    ncaName: "Test Authority",
    ncaId: "XX-TEST",
    qcCompliance: true,
    qcLegislation: false,
    qcTypes: ["0.4.0.1862.1.6.3"],
    notBefore: Date.UTC(2025, 0, 1),
    notAfter: Date.UTC(2055, 0, 1),
    warnings: [],
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
    [
      "one number in two spellings",
      "2.5.4.97=PSDXX-TEST-1 2, 2.5.4.97=PSDXX-TEST-1-2, O=PSP",
      "PSDXX-TEST-1 2",
      "XX",
      [],
    ],
    [
      "numbers of two NCAs that only the border tells apart",
      "2.5.4.97=PSDXX-TEST-12, 2.5.4.97=PSDXX-TES-T12, O=PSP",
      null,
      null,
      ["organizationIdentifier: several different ones, so none is used"],
    ],
    [
      "two numbers",
      "2.5.4.97=PSDXX-TEST-1, 2.5.4.97=PSDXX-TEST-2, O=PSP",
      null,
      null,
      ["organizationIdentifier: several different ones, so none is used"],
    ],
    [
      "another country in C",
      "2.5.4.97=PSDXX-TEST-1, O=PSP, C=XY",
      "PSDXX-TEST-1",
      "XX",
      ["subject: countryName XY contradicts the authorisation number (XX); the number counts"],
    ],
    [
      "three letters in C",
      "2.5.4.97=PSDXX-TEST-1, O=PSP, C=XXX",
      "PSDXX-TEST-1",
      "XX",
      ["subject: countryName XXX is not a two-letter code"],
    ],
    [
      "Greece as GR in C and EL in the number",
      "2.5.4.97=PSDEL-TEST-1, O=PSP, C=GR",
      "PSDEL-TEST-1",
      "GR",
      ["organizationIdentifier PSDEL-TEST-1: the country EL is read as GR"],
    ],
    ["the United Kingdom as UK in C", "2.5.4.97=PSDGB-TEST-1, O=PSP, C=UK", "PSDGB-TEST-1", "GB", []],
    [
      "no organizationName",
      "2.5.4.97=PSDXX-TEST-1, CN=psp.example",
      "PSDXX-TEST-1",
      "XX",
      ["subject: no organizationName"],
    ],
  ])("%s", async (_, subject, authNumber, homeCountry, warnings) => {
    const psp = await readMade({ subject });
    expect(psp).toMatchObject({ authNumber, homeCountry });
    expect(sentencesOf(psp).filter((sentence) => !sentence.startsWith("QCStatements"))).toEqual(warnings);
  });

  test("an organizationIdentifier that is no text is passed over, and named", () => {
    const odd = encodeDer(Tag.set, sequence(encodeOid("2.5.4.97"), encodeDer(Tag.bitString, Uint8Array.of(0, 1))));
    const text = encodeDer(Tag.set, sequence(encodeOid("2.5.4.97"), utf8("PSDXX-TEST-1")));
    const warning = {
      code: "authorisation_number_invalid",
      sentence: "organizationIdentifier: not a character string",
    };
    const alone = readPsp(makeDer({ subject: sequence(odd) }).certificate);
    expect(alone).toMatchObject({ authNumber: null, pspId: null, homeCountry: null });
    expect(alone.warnings).toContainEqual(warning);
    const before = readPsp(makeDer({ subject: sequence(odd, text) }).certificate);
    expect(before).toMatchObject({ authNumber: "PSDXX-TEST-1", homeCountry: "XX" });
    expect(before.warnings).toContainEqual(warning);
  });

  test("another spelling of its number is the same PSP, and the answer still shows the certificate's own", async () => {
    const subject = "2.5.4.97=psdxx-test-00–00 01, O=PSP";
    expect(await readMade({ subject })).toMatchObject({
      authNumber: "psdxx-test-00–00 01",
      pspId: "PSDXX-TEST-000001",
    });
  });

  test("a common name is no substitute for the organization's", async () => {
    expect((await readMade({ subject: "2.5.4.97=PSDXX-TEST-1, CN=psp.example" })).pspSubjectName).toBeNull();
  });

  test("hostile text is shown harmless in a warning, and as it is in the data", async () => {
    const ncaId = `‮
"${"A".repeat(200)}`;
    const psp = await readStatement(sequence(role(3, "PSP_AI")), utf8("A"), utf8(ncaId));
    expect(psp.ncaId).toBe(ncaId);
    expect(sentencesOf(psp)).toEqual([
      `${PLACE}ncaId "\\u{202e}\\u{000a}\\"${"A".repeat(77)}…" is not a country, a dash and 2 to 8 capitals`,
    ]);
  });
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
