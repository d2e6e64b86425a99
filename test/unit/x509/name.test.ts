import { expect, test } from "vitest";
import { sequence } from "../../../fixtures/makers/made-pki.ts";
import { encodeDer, encodeOid, readDer, Tag } from "../../../src/x509/der.ts";
import { isEmptyName, type Name, nameKey, readName, sameName } from "../../../src/x509/name.ts";

const CN = "2.5.4.3";
const O = "2.5.4.10";
type Value = [oid: string, text: string, tag?: number];

const attribute = ([oid, text, tag = Tag.utf8String]: Value) => {
  const encoding =
    tag === Tag.bmpString
      ? Buffer.from(text, "utf16le").swap16()
      : Buffer.from(text, tag === Tag.teletexString ? "latin1" : "utf8");
  return sequence(encodeOid(oid), encodeDer(tag, encoding));
};
/** Each array is one RDN. */
const name = (...rdns: Value[][]): Name =>
  readName(readDer(sequence(...rdns.map((rdn) => encodeDer(Tag.set, ...rdn.map(attribute)))), "name"), "name");

const SOME = name([[O, "Some Bank"]], [[CN, "CA 1"]]);

test.each<[string, Name]>([
  ["the very same", name([[O, "Some Bank"]], [[CN, "CA 1"]])],
  ["in capitals", name([[O, "SOME BANK"]], [[CN, "ca 1"]])],
  ["with more spaces", name([[O, "  Some   Bank "]], [[CN, "CA\u00a01"]])],
  ["as PrintableString", name([[O, "Some Bank", Tag.printableString]], [[CN, "CA 1", Tag.printableString]])],
  ["as BMPString", name([[O, "Some Bank", Tag.bmpString]], [[CN, "CA 1", Tag.bmpString]])],
])("a name is the same %s", (_, other) => {
  expect(sameName(SOME, other)).toBe(true);
  expect(nameKey(other)).toBe(nameKey(SOME));
});

test.each<[string, Name]>([
  ["another value", name([[O, "Some Bank"]], [[CN, "CA 2"]])],
  ["another attribute", name([[O, "Some Bank"]], [[O, "CA 1"]])],
  ["another order of RDNs", name([[CN, "CA 1"]], [[O, "Some Bank"]])],
  [
    "one RDN with both",
    name([
      [O, "Some Bank"],
      [CN, "CA 1"],
    ]),
  ],
  ["an RDN more", name([[O, "Some Bank"]], [[CN, "CA 1"]], [[CN, "CA 1"]])],
  ["an RDN less", name([[O, "Some Bank"]])],
  ["a space less", name([[O, "SomeBank"]], [[CN, "CA 1"]])],
  ["nothing", name()],
])("a name is another with %s", (_, other) => {
  expect(sameName(SOME, other)).toBe(false);
  expect(nameKey(other)).not.toBe(nameKey(SOME));
});

test("the attributes of one RDN are a set", () => {
  expect(
    sameName(
      name([
        [O, "A"],
        [CN, "B"],
      ]),
      name([
        [CN, "B"],
        [O, "A"],
      ]),
    ),
  ).toBe(true);
});

test.each([
  ["Straße", "STRASSE"],
  ["Ελληνικός", "ΕΛΛΗΝΙΚΌΣ"],
  ["e\u0301", "\u00e9"],
  ["ﬁnance", "finance"],
])("%s is %s, for the strings are folded as RFC 4518 folds them", (a, b) => {
  expect(sameName(name([[CN, a]]), name([[CN, b]]))).toBe(true);
});

const same = (a: string, b: string) => sameName(name([[CN, a]]), name([[CN, b]]));

test.each([
  ["dotless i and i", "Blınd", "Blind"],
  ["dotless i and I", "BLıND", "BLIND"],
  ["İ and i", "Bİnd", "Bind"],
  ["a byte order mark and a space", "A\ufeffB", "A B"],
  ["an Arabic letter mark, which RFC 4518 does not list, and nothing", "A\u061cB", "AB"],
  ["a space with a combining mark and nothing", " \u0301A", "\u0301A"],
])("names do not compare too widely: %s are two (RFC 4518)", (_, a, b) => {
  expect(same(a, a)).toBe(true);
  expect([same(a, b), same(b, a)]).toEqual([false, false]);
});

test.each([
  ["a byte order mark and nothing", "A\ufeffB", "AB"],
  ["a soft hyphen and nothing", "A\u00adB", "AB"],
  ["NUL and nothing", "A\u0000B", "AB"],
  ["NEL and a space", "A\u0085B", "A B"],
  ["a tabulator and a space", "A\tB", "A B"],
  ["ẞ and ss", "GROẞ", "gross"],
  ["İ and its parts", "Bİnd", "bi\u0307nd"],
  ["both sigmas", "Νίκος", "ΝΊΚΟΣ"],
])("%s are one, as RFC 4518 prepares names", (_, a, b) => {
  expect([same(a, b), same(b, a)]).toEqual([true, true]);
});

/** RFC 4518 section 2.2, its two lists and the sentences around them; the variation selectors with its erratum. */
const TO_NOTHING =
  "00AD, 1806, 034F, 180B-180D, FE00-FE0F, FFFC, 0000-0008, 000E-001F, 007F-0084, 0086-009F, 06DD, 070F, 180E, " +
  "200C-200F, 202A-202E, 2060-2063, 206A-206F, FEFF, FFF9-FFFB, 1D173-1D17A, E0001, E0020-E007F, 200B";
const TO_SPACE = "0009, 000A, 000B, 000C, 000D, 0085, 0020, 00A0, 1680, 2000-200A, 2028-2029, 202F, 205F, 3000";
const inList = (list: string) => {
  const ranges = list.split(", ").map((range) => range.split("-").map((hex) => Number.parseInt(hex, 16)));
  return (code: number) => ranges.some(([from = 0, to = from]) => code >= from && code <= to);
};

test("of all characters of the first two planes and the tags, those of RFC 4518's lists are nothing or a space", () => {
  const [isNothing, isSpace] = [inList(TO_NOTHING), inList(TO_SPACE)];
  const [joined, apart] = [nameKey(name([[CN, "AB"]])), nameKey(name([[CN, "A B"]]))];
  const codes = [...Array(0x20000).keys(), ...Array.from({ length: 0x200 }, (_, i) => 0xe0000 + i)];
  const wrong = codes.filter((code) => {
    if (code >= 0xd800 && code <= 0xdfff) return false;
    const key = nameKey(name([[CN, `A${String.fromCodePoint(code)}B`]]));
    return (key === joined) !== isNothing(code) || (key === apart) !== isSpace(code);
  });
  expect(wrong.map((code) => code.toString(16))).toEqual([]);
});

test("a letter is folded as Unicode folds it: two letters of one case pair are one, the dotless i is none of i's", () => {
  const wrong: string[] = [];
  for (let code = 0; code < 0x20000; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const letter = String.fromCodePoint(code);
    // by the engine's own table of simple folding, where compatibility normalisation changes neither
    const upper = letter.toUpperCase();
    if (upper === letter || upper.length !== letter.length || letter.normalize("NFKC") !== letter) continue;
    if (same(letter, upper) !== new RegExp(`^${upper}$`, "iu").test(letter)) wrong.push(letter);
  }
  expect(wrong).toEqual([]);
});

test.each([
  ["a character for private use", "A\ue000"],
  ["the replacement character", "A\ufffd"],
  ["a code point without a character", "A\u{e0fff}"],
])("a name with %s equals no name that is encoded otherwise", (_, text) => {
  expect(same(text, text)).toBe(true);
  expect(same(text, text.toLowerCase())).toBe(false);
});

test("T.61 is read as Latin-1", () => {
  expect(sameName(name([[CN, "Müller", Tag.teletexString]]), name([[CN, "MÜLLER"]]))).toBe(true);
});

test("values that look like two attributes make no second name", () => {
  expect(
    sameName(
      name([[CN, 'a","2.5.4.3=b']]),
      name([
        [CN, "a"],
        [CN, "b"],
      ]),
    ),
  ).toBe(false);
});

test("values that are not strings are compared as encoded", () => {
  const odd = (...bytes: number[]) =>
    readName(
      readDer(
        sequence(encodeDer(Tag.set, sequence(encodeOid(CN), encodeDer(Tag.bitString, Uint8Array.from(bytes))))),
        "name",
      ),
      "name",
    );
  expect(sameName(odd(0, 1), odd(0, 1))).toBe(true);
  expect(sameName(odd(0, 1), odd(0, 2))).toBe(false);
});

test("a name is normalised once, however often it is compared", () => {
  let readings = 0;
  const counted: Name = {
    der: SOME.der,
    get rdns() {
      readings += 1;
      return SOME.rdns;
    },
  };
  const other = name([[O, "Other Bank"]]);
  expect([sameName(counted, other), sameName(other, counted)]).toEqual([false, false]);
  expect(nameKey(counted)).toBe(nameKey(SOME));
  expect(readings).toBe(1);
});

test("a key is SHA-256 in hex, and an empty name is empty", () => {
  expect(nameKey(SOME)).toMatch(/^[0-9a-f]{64}$/);
  expect(isEmptyName(name())).toBe(true);
  expect(isEmptyName(SOME)).toBe(false);
});
