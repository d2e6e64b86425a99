/** What the parser never sees, or does not survive. */
import { describe, expect, test } from "vitest";
import { MAX_LIST_BYTES, parseXml, readDocument, surveyDocument } from "../../../src/trusted-lists/document.ts";
import { ListRefused } from "../../../src/trusted-lists/refusal.ts";
import { bytesOf } from "./signed-list.ts";

function outcome(read: () => unknown): string {
  try {
    read();
    return "read";
  } catch (error) {
    if (error instanceof ListRefused) return error.reason;
    throw error;
  }
}

const utf16 = (text: string, littleEndian: boolean) => {
  const view = new DataView(new ArrayBuffer(text.length * 2));
  for (let i = 0; i < text.length; i++) view.setUint16(i * 2, text.charCodeAt(i), littleEndian);
  return new Uint8Array(view.buffer);
};

describe("bytes", () => {
  test.each<[what: string, bytes: Uint8Array, expected: string]>([
    ["a plain document is read", bytesOf("<a/>"), "read"],
    ["a byte order mark of UTF-8 is read over", bytesOf("\ufeff<a/>"), "read"],
    ["a declaration of UTF-8 is read", bytesOf(`<?xml version='1.0' encoding="UTF-8" standalone="yes" ?><a/>`), "read"],
    ["no bytes are refused", new Uint8Array(), "empty"],
    ["more bytes than allowed are refused", new Uint8Array(MAX_LIST_BYTES + 1), "too large"],
    ["bytes that are not UTF-8 are refused", Uint8Array.of(0x3c, 0x61, 0x3e, 0xff), "not UTF-8"],
    ["an overlong encoding is refused", Uint8Array.of(0x3c, 0x61, 0x3e, 0xc0, 0xbc), "not UTF-8"],
    ["UTF-16 is refused", utf16("\ufeff<a/>", true), "not UTF-8"],
    ["UTF-16, big-endian, is refused", utf16("\ufeff<a/>", false), "not UTF-8"],
    ["UTF-16 without a mark is refused", utf16("<a/>", false), "not well-formed"],
    ["another declared encoding is refused", bytesOf('<?xml version="1.0" encoding="UTF-7"?><a/>'), "not UTF-8"],
    ["XML 1.1 is refused", bytesOf('<?xml version="1.1"?><a/>'), "not UTF-8"],
    ["HTML instead of XML is refused", bytesOf("<!doctype html><html><p>Down<br></html>"), "document type"],
  ])("%s", (_what, bytes, expected) => {
    expect(outcome(() => readDocument(bytes))).toBe(expected);
  });
});

describe("text", () => {
  test.each<[what: string, text: string, expected: string]>([
    ["a document type is refused", "<!DOCTYPE a><a/>", "document type"],
    [
      "an entity that expands into many is refused before it is parsed",
      '<!DOCTYPE a [<!ENTITY x "ha"><!ENTITY y "&x;&x;&x;">]><a>&y;</a>',
      "document type",
    ],
    [
      "an external entity is refused",
      '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
      "document type",
    ],
    ["a document type in a comment's shadow is refused", "<!-- --><!DOCTYPE a><a/>", "document type"],
    ["an entity that nobody declared is refused", "<a>&x;</a>", "not well-formed"],
    ["HTML's entities are refused", "<a>&nbsp;</a>", "not well-formed"],
    ["XML's own five entities are read", "<a>&lt;&gt;&amp;&quot;&apos;</a>", "read"],
    ["two roots are refused", "<a/><b/>", "not well-formed"],
    ["text after the root is refused", "<a/>x", "not well-formed"],
    ["text before the root is refused", "x<a/>", "not well-formed"],
    ["an open element is refused", "<a><b></a>", "not well-formed"],
    ["an element that never closes is refused", "<a>", "not well-formed"],
    ["an attribute given twice is refused", '<a b="1" b="2"/>', "not well-formed"],
    ["an attribute without quotes is refused", "<a b=1/>", "not well-formed"],
    ["an attribute without a value is refused", "<a b/>", "not well-formed"],
    ["a prefix that nobody declared is refused", "<x:a/>", "not well-formed"],
    ["a NUL is refused", "<a>\u0000</a>", "not well-formed"],
    ["an empty text is refused", " ", "not well-formed"],
    ["a comment alone is refused", "<!-- -->", "not well-formed"],
  ])("%s", (_what, text, expected) => {
    expect(outcome(() => parseXml(text))).toBe(expected);
  });

  test("line ends become line feeds, and Unicode's other ones stay as they are signed", () => {
    expect(parseXml("<a>1\r\n2\r3\u20284\u00855</a>").documentElement?.textContent).toBe("1\n2\n3\u20284\u00855");
  });
});

describe("the survey", () => {
  const survey = (text: string) => {
    const root = parseXml(text).documentElement;
    if (!root) throw new Error("no root");
    return surveyDocument(root);
  };

  test("nesting is bounded, and 100,000 levels neither hang nor overflow", () => {
    const nested = (levels: number) => "<a>".repeat(levels) + "</a>".repeat(levels);
    expect(outcome(() => survey(nested(64)))).toBe("read");
    expect(outcome(() => survey(nested(65)))).toBe("too deep");
    expect(outcome(() => survey(nested(100_000)))).toBe("too deep");
  });

  test("attributes of one element are bounded", () => {
    const wide = (count: number) => `<a ${Array.from({ length: count }, (_, i) => `b${i}=""`).join(" ")}/>`;
    expect(outcome(() => survey(wide(32)))).toBe("read");
    expect(outcome(() => survey(wide(33)))).toBe("too deep");
  });

  test("every spelling of an identifier counts", () => {
    const { ids } = survey('<a Id="1"><b ID="1"/><c id="1"/><d xml:id="1"/><e Id="2"/></a>');
    expect(Object.fromEntries(ids)).toEqual({ 1: 4, 2: 1 });
  });
});
