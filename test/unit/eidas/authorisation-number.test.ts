import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  normaliseAuthorisationNumber,
  parseAuthorisationNumber,
  registeredNumbers,
} from "../../../src/eidas/authorisation-number.ts";

describe("a flawless number", () => {
  test.each([
    ["PSDFI-FINFSA-2858394-9", "FI", "FINFSA", "PSDFI-FINFSA-28583949"],
    ["PSDXX-TEST-FI0001", "XX", "TEST", "PSDXX-TEST-FI0001"],
    ["PSDXX-OB-TEST-000001", "XX", "OB", "PSDXX-OB-TEST000001"],
    ["PSDGB-OB-Unknown0015800001HQQrZAAX", "GB", "OB", "PSDGB-OB-UNKNOWN0015800001HQQRZAAX"],
    ["PSDDE-FAKENCA-PSDDE-FAKENCA-Invalid TPP", "DE", "FAKENCA", "PSDDE-FAKENCA-PSDDEFAKENCAINVALIDTPP"],
    ["PSDBG-BNB-рег/12 №7", "BG", "BNB", "PSDBG-BNB-рег/12№7"],
  ])("%s is read without a remark", (text, country, nca, pspId) => {
    expect(parseAuthorisationNumber(text)).toEqual({ ok: true, text, country, nca, pspId, deviations: [] });
  });
});

test.each([
  ["psdhr-cnb-12/3-4", ["PSDHR-CNB-12/34", "PSDHR-HNB-12/34"]],
  ["PSDHR-HNB-1", ["PSDHR-CNB-1", "PSDHR-HNB-1"]],
  ["PSDES-BDE-6935", ["PSDES-BDE-6935", "PSDES-BE-6935"]],
  ["PSDIS-FME-1", ["PSDIS-FME-1", "PSDIS-CBI-1"]],
  ["PSDLV-FCMC-1", ["PSDLV-FCMC-1", "PSDLV-LV-1"]],
  ["PSDBE-NBB-0713.629.988", ["PSDBE-NBB-0713.629.988", "PSDBE-NBB-0713629988"]],
  ["PSDBE-NBB-0713629988", ["PSDBE-NBB-0713629988", "PSDBE-NBB-0713.629.988"]],
  ["PSDIT-BI-36058.5", ["PSDIT-BI-36058.5"]],
  ["PSDLU-CSSF-B00000351", ["PSDLU-CSSF-B00000351", "PSDLU-CSSF-LUB00351"]],
  ["psdlu-cssf-lub-00351", ["PSDLU-CSSF-B00000351", "PSDLU-CSSF-LUB00351"]],
  ["PSDLU-CSSF-B00100351", ["PSDLU-CSSF-B00100351"]],
  ["PSDLU-CSSF-W00000351", ["PSDLU-CSSF-W00000351"]],
  // no other country's, no other authority's, and none without a reference
  ["PSDIE-CBI-1", ["PSDIE-CBI-1"]],
  ["PSDHR-HANFA-1", ["PSDHR-HANFA-1"]],
  ["PSDHR-CNB", ["PSDHR-CNB"]],
  // nor of a number that only holds one
  ["PSDBE-NBB-0713.629.988A", ["PSDBE-NBB-0713.629.988A"]],
  ["PSDBE-NBB-07136299881", ["PSDBE-NBB-07136299881"]],
  ["xPSDBE-NBB-0713.629.988", ["xPSDBE-NBB-0713.629.988"]],
  ["xPSDBE-NBB-0713629988", ["xPSDBE-NBB-0713629988"]],
  ["xPSDHR-CNB-1", ["xPSDHR-CNB-1"]],
])("%s may be registered with each abbreviation of its authority", (text, numbers) => {
  expect(registeredNumbers(text)).toEqual(numbers);
});

describe("an almost-right number is read, and what is wrong with it is named", () => {
  test.each([
    ["PSDFIN-FINFSA-1234567-8", "FI", ["the country FIN has three letters; read as FI"]],
    ["PSDEST-FI-1", "EE", ["the country EST has three letters; read as EE"]],
    ["PSDEL-BOG-1", "GR", ["the country EL is read as GR"]],
    ["PSDUK-FCA-1", "GB", ["the country UK is read as GB"]],
    ["PSDEU-NCA-1DFD21", "EU", ["EU is not a country"]],
    ["psdfi-FINFSA-1", "FI", ["PSD and the country are not in capitals"]],
    ["PSDfi-FINFSA-1", "FI", ["PSD and the country are not in capitals"]],
    [" PSDFI-FINFSA-1\n", "FI", ["blanks around it"]],
    ["PSDIT-1234567890", "IT", ["no NCA of 2 to 8 capitals and a reference after the country"]],
    ["PSDIT-BI", "IT", ["no NCA of 2 to 8 capitals and a reference after the country"]],
    ["PSDIT-bi-7", "IT", ["no NCA of 2 to 8 capitals and a reference after the country"]],
    ["PSDIT-bi-BI-7", "IT", ["no NCA of 2 to 8 capitals and a reference after the country"]],
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
    ["xPSDFI-FINFSA-1", "other-scheme"],
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
    ["PSDFI-FINFSA-1".padEnd(129, "1"), "too-long"],
  ])("%j: %s", (text, reason) => {
    expect(parseAuthorisationNumber(text)).toMatchObject({ ok: false, reason });
  });

  test("but 128 characters are, and blanks around them do not count", () => {
    const longest = "PSDFI-FINFSA-1".padEnd(128, "1");
    for (const text of [longest, ` ${longest}  `]) expect(parseAuthorisationNumber(text)).toMatchObject({ ok: true });
  });
});

describe("one PSP has one normal form, however its number is spelled", () => {
  test.each([
    [
      "PSDXX-TEST-000001",
      [
        "psdxx-test-000001",
        "PsdXx-Test-000001",
        "PSDXX-TEST-00-0001",
        "PSDXX-TEST-000001-",
        "PSDXX-TEST-000 001",
        "PSDXX-TEST_000001",
        "PSDXX_TEST_000001",
        "PSDXX--TEST--000001",
        "PSDXX\u2013TEST\u2013000001",
        "PSDXX\u2011TEST\u2212000\u2014001",
        "PSDXX - TEST - 000001",
        " PSDXX-TEST-000001",
        "\u00a0PSDXX-TEST-000001\ufeff\n",
      ],
    ],
    [
      "PSDFI-FINFSA-28583949",
      [
        "PSDFI-FINFSA-2858394-9",
        "PSDFI_FIN-FSA-2858394-9",
        "PSDFI-FIN-FSA-28583949",
        "PSDFI--FIN-_FSA--28583949",
        "PSDFI_FIN_FSA_28583949",
        "psdfi-fin fsa-2858394 9",
        "PSDFIN-FINFSA-2858394-9",
        "PSDFI\u2011FIN\u2013FSA\u20132858394\u22129",
      ],
    ],
    // the whole NCA, and Finland's only
    ["PSDFI-XFIN-FSA1", ["PSDFI-XFIN-FSA-1"]],
    ["PSDSE-FIN-FSA1", ["PSDSE-FIN-FSA-1"]],
    ["PSDGR-BOG-7", [" PSDEL-BOG-7\n", "PSDGRC-BOG-7"]],
    ["PSDGB-FCA-7", ["PSDUK_FCA-7", "PSDGBR-FCA-7", "PSDUK-FCA-7", "xPSDUK-FCA-7".slice(1)]],
    ["PSDGR-BOG-12/3.4!5", ["PSDEL-BOG-12/3.4!5", "PSDEL-BOG-12/3.4-!5"]],
    // what does not begin like a number is left alone
    ["xPSDUK-FCA-7", []],
    ["PSDXX", []],
    ["PSDXX-", []],
    ["PSDXXXX-TEST-1", []],
    ["PSDMT-MFSA-A12345", ["PSDMT-MFSA-A 12345"]],
    ["PSDXX-OB-TEST000001", ["PSDXX-OB-TEST-000001", "psdxx-ob-test-000001"]],
    ["PSDIT-1234567890", ["PSDIT-1234567890-", "psdit--1234567890"]],
    ["12345987", []],
  ])("%s", (normal, spellings) => {
    for (const text of [normal, ...spellings])
      expect([text, normaliseAuthorisationNumber(text)]).toEqual([text, normal]);
  });

  test("it is the normal form that is read from a certificate's number", () => {
    expect(parseAuthorisationNumber(" psdfi\u2013fin-fsa-2858394-9")).toMatchObject({
      ok: true,
      country: "FI",
      nca: "FINFSA",
      pspId: "PSDFI-FINFSA-28583949",
      deviations: [
        "blanks around it",
        "PSD and the country are not in capitals",
        "no NCA of 2 to 8 capitals and a reference after the country",
      ],
    });
  });
});

describe("two PSPs never have one normal form", () => {
  test.each([
    ["another NCA, by the border between NCA and reference", "PSDXX-TEST-000001", "PSDXX-TES-T000001"],
    ["another NCA, by the border between NCA and reference", "PSDXX-TEST-000001", "PSDXX-TEST0-00001"],
    ["another NCA, by the dash that ends it", "PSDXX-OB-TEST-000001", "PSDXX-OBTEST-000001"],
    ["no NCA at all", "PSDXX-TEST-000001", "PSDXX-TEST000001"],
    ["no NCA at all", "PSDIT-BI-7", "PSDIT-BI7"],
    ["another NCA of Finland", "PSDFI-FINFSA-1", "PSDFI-FIN-FSA1"],
    ["another NCA of another country", "PSDFI-FINFSA-1", "PSDSE-FIN-FSA-1"],
    ["another country", "PSDFI-A-1", "PSDFR-A-1"],
    ["another country, by the border to the NCA", "PSDFI-NB-1", "PSDFIN-B-1"],
    ["a letter that upper case makes ASCII", "PSDTR-A-ı1", "PSDTR-A-I1"],
    ["a letter that upper case makes two", "PSDDE-A-ß1", "PSDDE-A-SS1"],
    ["a letter that case folding makes ASCII", "PSDFI-FIN-F\u017fA-1", "PSDFI-FINFSA-1"],
    ["a full stop", "PSDFI-A-1.2", "PSDFI-A-12"],
    ["a leading zero", "PSDFI-A-012", "PSDFI-A-12"],
    ["an invisible character that is no blank", "PSDFI-A-12", "PSDFI-A-1\u200b2"],
  ])("%s: %s and %s", (_, one, other) => {
    expect(normaliseAuthorisationNumber(one)).not.toBe(normaliseAuthorisationNumber(other));
  });

  test("whatever they are called, NCA and reference stay apart", () => {
    const nca = fc.string({ unit: fc.constantFrom(..."ABTES"), minLength: 1, maxLength: 8 });
    const reference = fc.string({ unit: fc.constantFrom(..."ABTESbt01-_ \u2013/"), minLength: 1, maxLength: 12 });
    const plain = (text: string) => text.replaceAll(/[-_ \u2013]/g, "").toUpperCase();
    const number = fc.tuple(
      fc.constantFrom("XX", "FI"),
      nca,
      reference.filter((text) => plain(text) !== ""),
    );
    const normal = ([country, authority, rest]: [string, string, string]) =>
      normaliseAuthorisationNumber(`PSD${country}-${authority}-${rest}`);
    fc.assert(
      fc.property(number, number, (one, other) => {
        const same = one[0] === other[0] && one[1] === other[1] && plain(one[2]) === plain(other[2]);
        expect(normal(one) === normal(other)).toBe(same);
      }),
      { numRuns: 5_000 },
    );
  });

  test("normalising twice changes nothing more", () => {
    const part = fc.string({ unit: fc.constantFrom(..."FINSAinb01-_ \u2013\u2212ſıé/"), maxLength: 12 });
    const nearNumber = fc
      .tuple(
        fc.constantFrom("PSD", "psd", " PSD", "P SD", ""),
        fc.constantFrom("FI", "EL", "FIN", "uk", ""),
        fc.constantFrom("-", "_", "\u2013", ""),
        fc.oneof(part, fc.string({ unit: "grapheme" })),
      )
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(fc.oneof(nearNumber, fc.string({ unit: "grapheme" })), (text) => {
        const once = normaliseAuthorisationNumber(text);
        expect(normaliseAuthorisationNumber(once)).toBe(once);
        const [one, other] = [parseAuthorisationNumber(text), parseAuthorisationNumber(once)];
        if (one.ok) expect(other).toMatchObject({ ok: true, country: one.country, nca: one.nca, pspId: once });
      }),
      { numRuns: 5_000 },
    );
  });
});
