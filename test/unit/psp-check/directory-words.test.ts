/** What is said of certificates of the Open Banking Directory: they are by no QTSP. */
import { describe, expect, test } from "vitest";
import { type CertificateOrigin, USUAL_WORDS, wordsFor } from "../../../src/psp-check/directory-words.ts";
import { FINDINGS } from "../../../src/psp-check/every-reason.ts";

const CODES = Object.keys(FINDINGS) as (keyof typeof FINDINGS)[];
const origin = (more: Partial<CertificateOrigin> = {}): CertificateOrigin => ({
  ...{ source: "eIDAS", issuer: "Luottamus CA", pspId: "PSDFI-FINFSA-1" },
  ...more,
});

describe("a certificate is of the Directory", () => {
  test.each<[what: string, origin: Partial<CertificateOrigin>, byDirectory: boolean]>([
    ["if its CA was loaded as the Directory's", { source: "OBIE" }, true],
    ["or as that of its sandbox", { source: "OBIE-sandbox" }, true],
    [
      "if no path leads to a list, and a CA of the Directory's name issued it",
      { source: null, issuer: "OpenBanking Issuing CA" },
      true,
    ],
    ["or its number is the Directory's", { source: null, pspId: "PSDGB-OB-UNKNOWN001" }, true],
    ["not if a trusted list has its issuer, whatever its number", { pspId: "PSDGB-OB-UNKNOWN001" }, false],
    ["not by a name that only resembles it", { source: null, issuer: "Bank of OpenBanking CA" }, false],
    ["not by another source", { source: "OBIEX" }, false],
    ["not without an issuer's name and number", { source: null, issuer: null, pspId: null }, false],
  ])("%s", (_, more, byDirectory) => {
    expect(wordsFor(origin(more)).byDirectory).toBe(byDirectory);
  });
});

test("no cure for such a certificate names a QTSP or leaves the sentence without who is meant", () => {
  const { cureOf, write } = wordsFor(origin({ source: "OBIE" }));
  expect(CODES.filter((code) => /QTSP| {2}|Directory Directory/.test(cureOf(code)))).toEqual([]);
  expect(write("Ask the PSP's QTSP, or a QTSP.")).toBe(
    "Ask the Open Banking Directory, or the Open Banking Directory.",
  );
  expect(cureOf("qc_statement_repeated")).toContain("The PSP should tell the Open Banking Directory.");
  expect(cureOf("qtsp_invalid")).toContain("(trust import)");
  // said of all other certificates
  expect(CODES.some((code) => USUAL_WORDS.cureOf(code).includes("QTSP"))).toBe(true);
});

test("that no register has a number of the Directory's own is said, and of no other number", () => {
  const cure = (pspId: string) => wordsFor(origin({ source: "OBIE", pspId })).cureOf("not_in_register");
  expect(cure("PSDGB-OB-UNKNOWN001")).toContain("no register has it");
  expect(cure("PSDGB-FCA-1")).toBe(FINDINGS.not_in_register.cure);
});
