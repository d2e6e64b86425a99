import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { normaliseAuthorisationNumber, parseAuthorisationNumber } from "../../../src/eidas/authorisation-number.ts";

describe("a flawless number", () => {
  test.each([
    ["PSDFI-FINFSA-2858394-9", "FI", "FINFSA-2858394-9"],
    ["PSDXX-TEST-FI0001", "XX", "TEST-FI0001"],
    ["PSDXX-OB-TEST-000001", "XX", "OB-TEST-000001"],
    ["PSDGB-OB-Unknown0015800001HQQrZAAX", "GB", "OB-Unknown0015800001HQQrZAAX"],
    ["PSDDE-FAKENCA-PSDDE-FAKENCA-Invalid TPP", "DE", "FAKENCA-PSDDE-FAKENCA-Invalid TPP"],
    ["PSDBG-BNB-рег/12 №7", "BG", "BNB-рег/12 №7"],
  ])("%s is read without a remark", (text, country, local) => {
    expect(parseAuthorisationNumber(text)).toMatchObject({ ok: true, text, country, local, deviations: [] });
  });
});

describe("an almost-right number is read, and what is wrong with it is named", () => {
  test.each([
    ["PSDFIN-FINFSA-1234567-8", "FI", ["the country FIN has three letters; read as FI"]],
    ["PSDEST-FI-1", "EE", ["the country EST has three letters; read as EE"]],
    ["PSDEL-BOG-1", "GR", ["the country EL is read as GR"]],
    ["PSDUK-FCA-1", "GB", ["the country UK is read as GB"]],
    ["PSDEU-NCA-1DFD21", "EU", ["EU is not a country"]],
    ["psdfi-FINFSA-1", "FI", ["PSD and the country are not in capitals"]],
    [" PSDFI-FINFSA-1\n", "FI", ["blanks around it"]],
    ["PSDIT-1234567890", "IT", ["no NCA of 2 to 8 capitals and a reference after the country"]],
    ["PSDIT-BI", "IT", ["no NCA of 2 to 8 capitals and a reference after the country"]],
    ["PSDIT-bi-7", "IT", ["no NCA of 2 to 8 capitals and a reference after the country"]],
  ])("%j", (text, country, deviations) => {
    expect(parseAuthorisationNumber(text)).toMatchObject({ ok: true, text, country, deviations });
  });
});

describe("what is not an authorisation number is refused with its reason", () => {
  test.each([
    ["", "empty"],
    [" \t", "empty"],
    ["VATUS+PA-1111111111111", "other-scheme"],
    ["XX:GR-18050", "other-scheme"],
    ["12345987", "other-scheme"],
    ["NTRFI-2858394-9", "other-scheme"],
    ["PSD", "no-country"],
    ["PSDF-FINFSA-1", "no-country"],
    ["PSDFI", "no-country"],
    ["PSDQQQ-FINFSA-1", "no-country"],
    ["PSDZZZZ-FINFSA-1", "no-country"],
    ["PSD12-FINFSA-1", "no-country"],
    ["PSDFI-", "no-reference"],
    ["PSDFI- - -", "no-reference"],
    [`PSDFI-FINFSA-${"1".repeat(128)}`, "too-long"],
  ])("%j: %s", (text, reason) => {
    expect(parseAuthorisationNumber(text)).toMatchObject({ ok: false, reason });
  });
});

describe("two spellings of one number have one normal form", () => {
  test.each([
    ["PSDFI-FINFSA-2858394-9", "PSDFIFINFSA28583949"],
    ["PSDFI_FIN-FSA-2858394-9", "PSDFIFINFSA28583949"],
    ["psdfi-fin fsa-2858394 9", "PSDFIFINFSA28583949"],
    ["PSDFIN-FINFSA-2858394-9", "PSDFIFINFSA28583949"],
    ["PSDFI\u2011FINFSA\u20132858394\u22129", "PSDFIFINFSA28583949"],
    [" PSDEL-BOG-7\n", "PSDGRBOG7"],
    ["PSDUK_FCA-7", "PSDGBFCA7"],
    ["12345987", "12345987"],
  ])("%s -> %s", (text, normal) => {
    expect(normaliseAuthorisationNumber(text)).toBe(normal);
  });

  test.each([
    ["PSDTR-A-ı1", "PSDTR-A-I1"],
    ["PSDDE-A-ß1", "PSDDE-A-SS1"],
    ["PSDFI-A-1.2", "PSDFI-A-12"],
    ["PSDFI-A-1", "PSDFR-A-1"],
  ])("%s and %s stay two", (one, other) => {
    expect(normaliseAuthorisationNumber(one)).not.toBe(normaliseAuthorisationNumber(other));
  });

  test("normalising twice changes nothing more", () => {
    const nearNumber = fc
      .tuple(fc.constantFrom("PSD", "psd", " PSD", ""), fc.constantFrom("FI", "EL", "FIN", "uk", ""), fc.string())
      .map(([scheme, country, rest]) => `${scheme}${country}-${rest}`);
    fc.assert(
      fc.property(fc.oneof(nearNumber, fc.string({ unit: "grapheme" })), (text) => {
        const once = normaliseAuthorisationNumber(text);
        expect(normaliseAuthorisationNumber(once)).toBe(once);
      }),
      { numRuns: 2_000 },
    );
  });
});
