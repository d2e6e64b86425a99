import { describe, expect, test } from "vitest";
import { name, sequence } from "../../../fixtures/makers/made-pki.ts";
import { DerError, encodeDer, readDer } from "../../../src/x509/der.ts";
import { readName } from "../../../src/x509/name.ts";
import {
  type AlternativeName,
  covers,
  isConstraintBase,
  readAlternativeName,
  readAlternativeNames,
} from "../../../src/x509/name-forms.ts";

const WHAT = "a name";
const read = (tag: number, ...content: Uint8Array[]) =>
  readAlternativeName(readDer(encodeDer(tag, ...content), WHAT), WHAT);
const ascii = (text: string) => Buffer.from(text, "latin1");
const nameOf = (...commonNames: string[]) =>
  readName(readDer(sequence(...commonNames.map((each) => readDer(name(each), WHAT).content)), WHAT), WHAT);

describe("a GeneralName is read by its context tag (RFC 5280 section 4.2.1.6)", () => {
  test.each<[number, Uint8Array, AlternativeName]>([
    [0xa0, sequence(), { form: "other" }],
    [0x81, ascii("a@b.test"), { form: "email", text: "a@b.test" }],
    [0x82, ascii("b.test"), { form: "dns", text: "b.test" }],
    [0xa3, sequence(), { form: "x400" }],
    [0xa4, name("PSP"), { form: "directory", name: nameOf("PSP") }],
    [0xa5, sequence(), { form: "edi-party" }],
    [0x86, ascii("https://b.test/"), { form: "uri", text: "https://b.test/" }],
    [0x87, Uint8Array.of(1, 2, 3, 4), { form: "ip", bytes: Uint8Array.of(1, 2, 3, 4) }],
    [0x88, Uint8Array.of(0x2a, 3), { form: "registered-id" }],
  ])("%i", (tag, content, expected) => {
    expect(read(tag, content)).toEqual(expected);
  });

  test.each([
    ["the tag 9", 0x89],
    ["the universal tag 2", 0x02],
    ["the application tag 2", 0x42],
    ["the private tag 2", 0xc2],
  ])("%s is none", (_, tag) => {
    expect(() => read(tag, ascii("b.test"))).toThrow(new DerError("a name: not a general name"));
  });

  test("text is ASCII up to its last character", () => {
    expect(read(0x82, Uint8Array.of(0x7f))).toEqual({ form: "dns", text: "\x7f" });
    expect(() => read(0x82, Uint8Array.of(0x61, 0x80))).toThrow(new DerError("a name: not an IA5String"));
  });

  test("a list has at least one", () => {
    const listOf = (...names: Uint8Array[]) => readAlternativeNames(readDer(sequence(...names), WHAT), WHAT);
    expect(() => listOf()).toThrow(new DerError("a name: no names"));
    expect(listOf(encodeDer(0x82, ascii("a.test")), encodeDer(0x82, ascii("b.test")))).toEqual([
      { form: "dns", text: "a.test" },
      { form: "dns", text: "b.test" },
    ]);
  });
});

const text = (form: "dns" | "email" | "uri", value: string): AlternativeName => ({ form, text: value });
const ip = (...bytes: number[]): AlternativeName => ({ form: "ip", bytes: Uint8Array.from(bytes) });
const zeros = (length: number) => ip(...new Array<number>(length).fill(0));

describe("the base of a constraint", () => {
  test.each<[AlternativeName, boolean]>([
    [text("dns", ""), true],
    [text("dns", "a.test"), true],
    [text("dns", ".a.test"), false],
    [text("uri", ""), true],
    [text("uri", "a.test"), true],
    [text("uri", ".a.test"), true],
    [text("uri", "..a.test"), false],
    [text("uri", "a..test"), false],
    [text("uri", "a.test."), false],
    [text("uri", "https://a.test"), false],
    [text("uri", "a@b.test"), false],
    [text("email", ""), true],
    [text("email", "a.test"), true],
    [text("email", ".a.test"), true],
    [text("email", "..a.test"), false],
    [text("email", "a..test"), false],
    [text("email", "a.test."), false],
    [text("email", "a@b.test"), true],
    [text("email", "a@b..test"), false],
    [text("email", "a@.b.test"), false],
    [text("email", "@b.test"), false],
    [text("email", "a@"), false],
    [text("email", "a b@c.test"), false],
    [text("email", '"a"@c.test'), false],
    [text("email", "a@c.test\n"), false],
    [{ form: "directory", name: nameOf() }, true],
    [{ form: "registered-id" }, true],
  ])("%j: %s", (base, valid) => {
    expect(isConstraintBase(base)).toBe(valid);
  });

  test.each<[string, AlternativeName, boolean]>([
    ["an IPv4 range", ip(192, 0, 2, 0, 255, 255, 255, 0), true],
    ["an IPv4 range that ends within a byte", ip(10, 0, 0, 0, 255, 240, 0, 0), true],
    ["one IPv4 address", ip(192, 0, 2, 1, 255, 255, 255, 255), true],
    ["all of IPv4", zeros(8), true],
    ["all of IPv6", zeros(32), true],
    ["a mask that has a hole between bytes", ip(10, 0, 0, 0, 255, 0, 255, 0), false],
    ["a mask that has a hole within a byte", ip(10, 0, 0, 0, 255, 0b1011_0000, 0, 0), false],
    ["a mask that begins with zeros", ip(10, 0, 0, 0, 0b0111_1111, 255, 255, 255), false],
    ["a mask of a byte that begins with a zero", ip(10, 0, 0, 0, 255, 1, 0, 0), false],
    ["an IPv6 address without a mask", zeros(16), false],
    ["seven bytes", zeros(7), false],
    ["31 bytes", zeros(31), false],
  ])("%s", (_, base, valid) => {
    expect(isConstraintBase(base)).toBe(valid);
  });
});

describe("a subtree and a name", () => {
  const both = (base: AlternativeName, inside: AlternativeName) => [
    covers(base, inside, "permitted"),
    covers(base, inside, "excluded"),
  ];

  test.each<[AlternativeName, AlternativeName]>([
    [text("dns", "a.test"), text("email", "x@a.test")],
    [text("email", "a.test"), text("dns", "a.test")],
    [text("email", "a.test"), text("uri", "https://a.test")],
    [text("uri", "a.test"), text("dns", "a.test")],
    [text("dns", "a.test"), text("uri", "https://a.test")],
    [text("email", "a.test"), text("dns", "x@a.test")],
    [text("uri", "a.test"), text("dns", "https://a.test")],
    [ip(1, 2, 3, 4, 255, 255, 255, 255), text("dns", "1.2.3.4")],
    [text("dns", ""), ip(1, 2, 3, 4)],
    [{ form: "directory", name: nameOf("a") }, text("dns", "a")],
    [text("dns", "a"), { form: "directory", name: nameOf("a") }],
    [{ form: "other" }, { form: "other" }],
  ])("%j says nothing of %j", (base, inside) => {
    expect(both(base, inside)).toEqual([null, null]);
  });

  test.each<[base: string, mailbox: string, covered: boolean | null]>([
    ["", "x@a.test", true],
    ["a.test", "x@a.test", true],
    ["a.test", "xy@a.test", true],
    ["A.test", "x@a.TEST", true],
    ["a.test", "x@b.test", false],
    [".test", "x@a.test", true],
    [".TEST", "x@a.test", true],
    [".test", "x@test", false],
    ["x@a.test", "x@A.test", true],
    ["x@A.test", "x@a.test", true],
    ["x@a.test", "y@a.test", false],
    ["x@a.test", "x@b.test", false],
    ["", "a.test", null],
    ["", "x@", null],
    ["", "@a.test", null],
    ["", "x@a..test", null],
    ["", "x@y@a.test", null],
    ["", "x y@a.test", null],
    ["", '"x"@a.test', null],
  ])("mailbox: %j and %j: %s", (base, mailbox, covered) => {
    expect(both(text("email", base), text("email", mailbox))).toEqual([covered, covered]);
  });

  test.each<[base: string, uri: string, covered: boolean | null]>([
    ["", "https://a.test", true],
    ["a.test", "https://a.test", true],
    ["a.TEST", "HTTPS://A.test", true],
    ["a.test", "x+y.z-1://a.test", true],
    ["a.test", "https://a.test?x", true],
    ["a.test", "https://a.test#x", true],
    ["a.test", "https://a.test:", true],
    ["a.test", "https://a.test:8443", true],
    ["a.test", "https://b:c@a.test:8443/x", true],
    ["a.test", "https://@a.test", true],
    ["a.test", "https://b.test/a.test", false],
    ["a.test", "https://b.test?@a.test", false],
    ["a.test", "https://b.test#@a.test", false],
    ["a.test", "https://b.test/@a.test", false],
    ["a1.test1x", "https://a1.test1x", true],
    ["1.test", "https://1.test", true],
    ["", "https://1", null],
    ["", "https://a.12", null],
    ["", "https://192.0.2.1:80/", null],
    ["", "https://[2001:db8::1]/", null],
    ["", "https:///x", null],
    ["", "https://a..test", null],
    ["", "https://a.test:x", null],
    ["", "https://a.test:80x", null],
    ["", "https://b@c@a.test", null],
    ["", "https:a.test", null],
    ["", "1https://a.test", null],
    ["", "://a.test", null],
    ["", " https://a.test", null],
    ["", "a.test", null],
  ])("URI: %j and %j: %s", (base, uri, covered) => {
    expect(both(text("uri", base), text("uri", uri))).toEqual([covered, covered]);
  });

  const ipv6 = (...end: number[]) => [...new Array<number>(16 - end.length).fill(0x20), ...end];
  test.each<[string, number[], number[], boolean | null]>([
    ["inside", [10, 128, 0, 0, 255, 128, 0, 0], [10, 200, 1, 2], true],
    ["outside by a bit within a byte", [10, 128, 0, 0, 255, 128, 0, 0], [10, 127, 1, 2], false],
    ["outside by the last bit", [10, 0, 0, 1, 255, 255, 255, 255], [10, 0, 0, 0], false],
    ["inside, though the base has bits beyond the mask", [10, 0, 0, 9, 255, 0, 0, 0], [10, 1, 2, 3], true],
    ["IPv6, inside", [...ipv6(1), ...new Array<number>(16).fill(255)], ipv6(1), true],
    ["IPv6, outside", [...ipv6(1), ...new Array<number>(16).fill(255)], ipv6(2), false],
    ["IPv6 in a range of IPv4", [0, 0, 0, 0, 0, 0, 0, 0], ipv6(), false],
    ["IPv4 in a range of IPv6", new Array<number>(32).fill(0), [1, 2, 3, 4], false],
    ["eight bytes", new Array<number>(16).fill(0), new Array<number>(8).fill(0), null],
    ["no bytes", [], [], null],
  ])("address: %s", (_, base, address, covered) => {
    expect(both(ip(...base), ip(...address))).toEqual([covered, covered]);
  });

  test.each<[string[], string[], boolean]>([
    [[], ["a"], true],
    [[], [], true],
    [["a"], ["A", "b"], true],
    [["a", "b"], ["a", "b"], true],
    [["a", "b"], ["a"], false],
    [["b"], ["a", "b"], false],
    [["a", "c"], ["a", "b"], false],
  ])("directory: %j and %j: %s", (base, inside, covered) => {
    const directory = (names: string[]): AlternativeName => ({ form: "directory", name: nameOf(...names) });
    expect(both(directory(base), directory(inside))).toEqual([covered, covered]);
  });
});
