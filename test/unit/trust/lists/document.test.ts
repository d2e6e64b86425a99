/** What the parser never sees, or does not survive. */
import { describe, expect, test } from "vitest";
import { bytesOf } from "../../../../fixtures/makers/signed-list.ts";
import { MAX_LIST_BYTES, parseXml, readDocument, surveyDocument } from "../../../../src/trust/lists/document.ts";
import { ListRefused } from "../../../../src/trust/lists/elements.ts";

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
    [
      "a declaration with blanks wherever they may be is read",
      bytesOf("<?xml  version  =  '1.0'  encoding  =  'utf-8'  standalone  =  'no'  ?><a/>"),
      "read",
    ],
    ["a declaration of the version alone is read", bytesOf('<?xml version="1.0"?><a/>'), "read"],
    ["a declaration without encoding is read", bytesOf('<?xml version="1.0" standalone="no"?><a/>'), "read"],
    ["a declaration of no version is refused", bytesOf('<?xml encoding="utf-8"?><a/>'), "not UTF-8"],
    ["a declaration that is not closed is refused", bytesOf('<?xml version="1.0" <a/>'), "not UTF-8"],
    ["an unknown standalone is refused", bytesOf('<?xml version="1.0" standalone="maybe"?><a/>'), "not UTF-8"],
    ["quotes that do not match are refused", bytesOf(`<?xml version="1.0'?><a/>`), "not UTF-8"],
    ["attributes run together are refused", bytesOf('<?xml version="1.0"encoding="utf-8"?><a/>'), "not UTF-8"],
    ["no bytes are refused", new Uint8Array(), "empty"],
    ["as many bytes as allowed are decoded", new Uint8Array(MAX_LIST_BYTES).fill(0xff), "not UTF-8"],
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
    expect(parseXml("<a>1\r\n2\r3\u20284\u00855</a>").textContent).toBe("1\n2\n3\u20284\u00855");
  });
});

const OPAQUE = `<a>${"<b c='>'/><!--<b>--><![CDATA[<b>]]><?c <b>?>".repeat(100)}</a>`;

describe("nesting", () => {
  const nested = (levels: number, start = "<a>") => start.repeat(levels) + "</a>".repeat(levels);

  test.each<[what: string, text: string, expected: string]>([
    ["64 levels are read", nested(64), "read"],
    ["65 levels are refused", nested(65), "too deep"],
    ["100,000 levels are refused before they are parsed", nested(100_000, '<a xmlns:b="urn:b">'), "too deep"],
    ["empty elements do not nest", `<a>${"<b/>".repeat(1000)}</a>`, "read"],
    ["what quotes, comments, CDATA and instructions hold does not nest", OPAQUE, "read"],
    ["levels between them do", `<!-- </a> -->${"<a b='/>'><![CDATA[</a>]]><?c </a>?>".repeat(65)}`, "too deep"],
    ["a tag that never ends is refused", "<a><b", "not well-formed"],
    ["a quote that never ends is refused", `<a b="${"<".repeat(100_000)}`, "not well-formed"],
    ["a comment that never ends is refused", `<a>${"<!--".repeat(100_000)}`, "not well-formed"],
  ])("%s", (_what, text, expected) => {
    expect(outcome(() => parseXml(text))).toBe(expected);
  });
});

describe("the survey", () => {
  const survey = (text: string) => {
    return surveyDocument(parseXml(text));
  };

  test("namespaces in scope are bounded", () => {
    const declare = (from: number, count: number) =>
      `<a ${Array.from({ length: count }, (_, i) => `xmlns:n${from + i}="urn:n"`).join(" ")}>`;
    expect(outcome(() => survey(`${declare(0, 32)}${declare(32, 32)}</a></a>`))).toBe("read");
    expect(outcome(() => survey(`${declare(0, 32)}${declare(32, 33)}</a></a>`))).toBe("too deep");
    expect(outcome(() => survey(`<a>${declare(0, 64)}</a>${declare(0, 64)}</a></a>`))).toBe("read");
  });

  test("every spelling of an identifier counts", () => {
    const { ids } = survey('<a Id="1"><b ID="1"/><c id="1"/><d xml:id="1"/><e Id="2"/></a>');
    expect(Object.fromEntries(ids)).toEqual({ 1: 4, 2: 1 });
  });
});
