/** The 26 certificates of shared/data/certificates read as their index says. */
import { describe, expect, test } from "vitest";
import { describeCertificate, readPsp } from "../../../src/eidas/psd2.ts";
import { fromBase64 } from "../../../src/platform/encoding.ts";
import { parseCertificate } from "../../../src/x509/certificate.ts";
import { readShared, sharedData } from "../../shared-data.ts";
import { sentencesOf } from "./sentences-of.ts";

interface Reading {
  file: string;
  sha256: string;
  subject: { O: string[]; C: string[]; organizationIdentifier: string[] };
  issuer: { CN: string[] };
  notBefore: string;
  notAfter: string;
  roles: { oid: string; name: string }[];
  roleEncoding: "sequence" | "flat" | "pairs-in-one-sequence" | null;
  bareStatement: boolean;
  ncaName: string | null;
  ncaId: string | null;
  qcType: string[] | null;
  precertificatePoison: boolean;
}

const readings: Reading[] = sharedData ? JSON.parse(readShared("certificates/index.json")) : [];

const readCertificate = (file: string) =>
  parseCertificate(
    fromBase64(readShared(`certificates/${file}`).replaceAll(/-----[^-]+-----|\s/g, "")) ?? new Uint8Array(),
  );

/** organizationIdentifiers that are not in the standard's form; the others are, and their country is characters 4-5. */
const ODD_NUMBERS: Record<string, { authNumber: string | null; homeCountry: string | null }> = {
  "PSDFIN-FINFSA-1234567-8": { authNumber: "PSDFIN-FINFSA-1234567-8", homeCountry: "FI" },
  "VATUS+PA-1111111111111": { authNumber: null, homeCountry: null },
  "XX:GR-18050": { authNumber: null, homeCountry: null },
  "12345987": { authNumber: null, homeCountry: null },
};

const STANDARD_NAMES: Record<string, string> = {
  "0.4.0.19495.1.1": "PSP_AS",
  "0.4.0.19495.1.2": "PSP_PI",
  "0.4.0.19495.1.3": "PSP_AI",
  "0.4.0.19495.1.4": "PSP_IC",
};

describe.runIf(sharedData)("each certificate reads as the index says", () => {
  test("there are 26", () => expect(readings).toHaveLength(26));

  test.each(readings)("$file", (reading) => {
    const certificate = readCertificate(reading.file);
    const psp = readPsp(certificate);
    const description = describeCertificate(certificate);
    const [identifier] = reading.subject.organizationIdentifier;
    const number =
      identifier === undefined
        ? { authNumber: null, homeCountry: null }
        : (ODD_NUMBERS[identifier] ?? { authNumber: identifier, homeCountry: identifier.slice(3, 5) });
    expect(psp).toMatchObject({
      ...number,
      roles: reading.roles,
      ncaName: reading.ncaName,
      ncaId: reading.ncaId,
      qcTypes: reading.qcType ?? [],
    });
    expect(description).toMatchObject({
      ...number,
      fingerprint: reading.sha256,
      pspSubjectName: reading.subject.O[0] ?? null,
      QTSPCommonName: reading.issuer.CN[0] ?? null,
      roles: reading.roles.map(({ oid }) => STANDARD_NAMES[oid]),
      ncaName: reading.ncaName,
      ncaId: reading.ncaId,
      qcTypes: reading.qcType,
    });
    expect(description.notBefore.slice(0, 10)).toBe(reading.notBefore);
    expect(description.notAfter.slice(0, 10)).toBe(reading.notAfter);
  });

  test.each(readings)("$file gets the warnings that its oddities deserve, and no other of their kind", (reading) => {
    const sentences = sentencesOf(readPsp(readCertificate(reading.file)));
    const has = (part: string) => sentences.some((sentence) => sentence.includes(part));
    expect(has("a bare QCStatement without the outer SEQUENCE OF")).toBe(reading.bareStatement);
    expect(has("roles instead of one")).toBe(reading.roleEncoding === "pairs-in-one-sequence");
    expect(has("the list of roles is empty")).toBe(reading.roleEncoding === "flat");
    expect(has("so neither roles nor NCA")).toBe(reading.roleEncoding === null);
    expect(has("CT poison extension")).toBe(reading.precertificatePoison);
    expect(has("QcType: absent")).toBe(reading.qcType === null && !has("the extension is absent"));
    expect(has("is not a PSD2 authorisation number")).toBe(
      reading.subject.organizationIdentifier.some((identifier) => !identifier.startsWith("PSD")),
    );
    expect(has("the OID counts")).toBe(reading.roles.some(({ oid, name }) => STANDARD_NAMES[oid] !== name));
  });

  test.each([
    ["pkilint__peaks-b-v-nca-id-badstructure.pem", "QCStatements: PSD2 statement: ncaId NLDNB should be NL-DNB"],
    [
      "pkilint__moneymonk-b-v-psp-role-mismatch.pem",
      "QCStatements: PSD2 statement: role 1: name PSP_AS contradicts OID 0.4.0.19495.1.3 (PSP_AI); the OID counts",
    ],
    [
      "tppverifier__some-company-name.pem",
      "organizationIdentifier PSDFIN-FINFSA-1234567-8: the country FIN has three letters; read as FI",
    ],
    [
      "pkilint__homesend-scrl-subject-orgid-vat-with-state.pem",
      "organizationIdentifier VATUS+PA-1111111111111 is not a PSD2 authorisation number: it does not begin with PSD",
    ],
    ["obp-api__tesobe-gmbh.pem", "organizationIdentifier: absent, so there is no authorisation number"],
    ["xs2a__example-tpp.pem", "organizationIdentifier PSDEU-NCA-1DFD21: EU is not a country"],
  ])("%s: %s", (file, warning) => {
    expect(sentencesOf(readPsp(readCertificate(file)))).toContain(warning);
  });

  test("a real bank's and a QTSP's certificate get no warning at all", () => {
    for (const file of ["dss__banka-creditas-a-s.pem", "dss__against-the-wind-payment-institution-s.pem"])
      expect(sentencesOf(readPsp(readCertificate(file)))).toEqual([]);
  });
});
