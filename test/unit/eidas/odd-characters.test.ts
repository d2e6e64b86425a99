import { describe, expect, test } from "vitest";
import { sequence } from "../../../fixtures/makers/certificate-maker.ts";
import { makeCertificate } from "../../../fixtures/makers/made-pki.ts";
import { describeOddCharacters } from "../../../src/eidas/odd-characters.ts";
import { readPsp } from "../../../src/eidas/psd2.ts";
import { encodeDer, encodeOid, Tag } from "../../../src/x509/der.ts";

/** What is read from a certificate with this organizationIdentifier. */
const readNumber = (text: string) => {
  const attribute = sequence(encodeOid("2.5.4.97"), encodeDer(Tag.utf8String, Buffer.from(text)));
  return readPsp(makeCertificate({ subject: sequence(encodeDer(Tag.set, attribute)) }).certificate);
};

describe("an authorisation number with invisible or non-Latin characters gets a warning that names them", () => {
  test.each([
    ["NUL", "PSDXX-TEST-0000\u000001", "U+0000 (NUL)"],
    ["a zero-width space", "PSDXX-TEST-0000\u200b01", "U+200B (zero-width space)"],
    ["a right-to-left override", "PSDXX-TEST-\u202e000001", "U+202E (right-to-left override)"],
    ["a soft hyphen", "PSDXX-TEST-0000\u00ad01", "U+00AD (soft hyphen)"],
    ["a byte order mark, which is read as a blank", "PSDXX-TEST-0000\ufeff01", "U+FEFF (byte order mark)"],
    ["a no-break space, which is read as a blank", "PSDXX-TEST-0000\u00a001", "U+00A0 (no-break space)"],
    ["a control character without a name here", "PSDXX-TEST-0000\u008501", "U+0085 (control character)"],
    ["a format character without a name here", "PSDXX-TEST-0000\u206a01", "U+206A (invisible character)"],
    ["a Hangul filler, which is a letter", "PSDXX-TEST-0000\u316401", "U+3164 (invisible character)"],
    ["a tag", "PSDXX-TEST-0000\u{e0031}01", "U+E0031 (invisible character)"],
    ["full-width digits", "PSDXX-TEST-0000０１", "U+FF10 (full-width digit), U+FF11 (full-width digit)"],
    ["a full-width letter", "PSDXX-TEST-Ａ00001", "U+FF21 (full-width letter)"],
    ["Cyrillic", "PSDXX-TEST-А00001", "U+0410 (Cyrillic letter)"],
    ["Greek in the NCA", "PSDXX-ΤEST-000001", "U+03A4 (Greek letter)"],
    ["Arabic digits", "PSDXX-TEST-0000٠1", "U+0660 (Arabic digit)"],
    ["the Kelvin sign", "PSDXX-TEST-\u212a00001", "U+212A (letter in another form)"],
    ["a combining mark", "PSDXX-TEST-e\u030100001", "U+0301 (combining mark)"],
    ["a dash of another kind", "PSDXX-TEST-00\u20130001", "U+2013 (dash)"],
  ])("%s", (_, text, named) => {
    const { authNumber, warnings } = readNumber(text);
    // the number itself is read as before
    expect(authNumber).toBe(text);
    const unusual = warnings.filter(({ code }) => code === "authorisation_number_unusual");
    expect(unusual.map(({ sentence }) => sentence).filter((sentence) => sentence.includes("U+"))).toEqual([
      expect.stringMatching(/^organizationIdentifier "PSDXX-.*": it has U\+/),
    ]);
    expect(unusual.map(({ sentence }) => sentence).join("\n")).toContain(`: it has ${named}`);
    // no warning has the character itself where it cannot be seen
    expect(unusual.every(({ sentence }) => !/[\p{Cc}\p{Cf}]/u.test(sentence))).toBe(true);
  });

  test("also one that such a character keeps from being read", () => {
    expect(readNumber("РSDXX-TEST-000001").warnings).toContainEqual({
      code: "authorisation_number_invalid",
      sentence:
        'organizationIdentifier "РSDXX-TEST-000001" is not a PSD2 authorisation number: it does not begin with PSD; it has U+0420 (Cyrillic letter)',
    });
    expect(
      readNumber("\u200bPSDXX-TEST-000001")
        .warnings.map(({ sentence }) => sentence)
        .join(),
    ).toContain("it has U+200B (zero-width space)");
  });

  test("printed ASCII and Latin letters get none", () => {
    for (const text of ["PSDXX-TEST-000001", "PSDXX-TEST-Ä1é/2.ß!", "PSDXX-TEST-00 0001"])
      expect([text, describeOddCharacters(text)]).toEqual([text, null]);
    expect(readNumber("PSDXX-TEST-000001").warnings.map(({ code }) => code)).not.toContain(
      "authorisation_number_unusual",
    );
  });

  test("each is named once, and of many the first eight", () => {
    expect(describeOddCharacters("\u200b\u200b\u200b")).toBe("it has U+200B (zero-width space)");
    expect(describeOddCharacters("абвгдежзиклм")).toMatch(
      /^it has (?:U\+04\w\w \(Cyrillic letter\)(?:, | )){8}and 4 more$/,
    );
  });
});
