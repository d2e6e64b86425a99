import { expect, test } from "vitest";
import { sequence } from "../../../fixtures/makers/made-pki.ts";
import { readDer, Tag } from "../../../src/x509/der.ts";
import { encodeDer, encodeOid } from "../../../src/x509/der-encode.ts";
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
