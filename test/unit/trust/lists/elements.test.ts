import type { Element } from "@xmldom/xmldom";
import { describe, expect, test } from "vitest";
import { parseXml } from "../../../../src/trust/lists/document.ts";
import {
  childrenNamed,
  childText,
  elementsIn,
  findChild,
  Namespace,
  preferEnglish,
  readCount,
  readInstant,
  requireChild,
  textOf,
} from "../../../../src/trust/lists/elements.ts";

function element(content: string): Element {
  return parseXml(`<E xmlns="${Namespace.list}" xmlns:q="${Namespace.qualifications}">${content}</E>`);
}

describe("children", () => {
  test("are those of the name and the namespace, not deeper ones", () => {
    const parent = element("<A>1</A><B/><q:A>2</q:A><C><A>3</A></C>text<A>4</A>");
    expect(childrenNamed(parent, "A").map(textOf)).toEqual(["1", "4"]);
    expect(childrenNamed(parent, "A", Namespace.qualifications).map(textOf)).toEqual(["2"]);
    expect(childrenNamed(parent, "D")).toEqual([]);
  });

  test("of which there is one at most are not found where there are two", () => {
    const parent = element("<A>1</A><B>2</B><B>3</B>");
    expect(childText(parent, "A")).toBe("1");
    expect(findChild(parent, "C")).toBeNull();
    expect(() => findChild(parent, "B")).toThrow("E has two B");
    expect(() => requireChild(parent, "C")).toThrow("E has no C");
  });

  test("that are elements are told from text and comments", () => {
    expect(elementsIn(element("<A/>"))).toHaveLength(1);
    expect(elementsIn(element("text<!-- <A/> --><A/>"))).toHaveLength(1);
    expect(elementsIn(element("text<!-- <A/> -->"))).toHaveLength(0);
    expect(elementsIn(element(""))).toHaveLength(0);
  });
});

describe("text", () => {
  test("is joined around comments, with CDATA, and trimmed", () => {
    expect(textOf(element(" a<!-- x -->b<![CDATA[<c> ]]>d\n"))).toBe("ab<c> d");
    expect(textOf(element(""))).toBe("");
  });

  test.each(["a<A/>", "a<?pi b?>", "<A>a</A>"])("is none in %s", (content) => {
    expect(() => textOf(element(content))).toThrow("E contains more than text");
  });

  test("is the English one, else the first", () => {
    const names = (...languages: string[]) =>
      element(languages.map((language) => `<Name xml:lang="${language}">${language}!</Name>`).join(""));
    expect(preferEnglish(names("de", "en"), "Name")).toBe("en!");
    expect(preferEnglish(names("de", "EN"), "Name")).toBe("EN!");
    expect(preferEnglish(names("de", "fr"), "Name")).toBe("de!");
    expect(preferEnglish(element("<Name>a</Name><Name>b</Name>"), "Name")).toBe("a");
    expect(preferEnglish(element("<Other>a</Other>"), "Name")).toBeNull();
    expect(preferEnglish(null, "Name")).toBeNull();
  });
});

test.each([
  ["0", 0],
  ["007", 7],
  ["999999999999999", 999_999_999_999_999],
  [" 12 ", 12],
  ["1000000000000000", null],
  ["12a", null],
  ["a12", null],
  ["-1", null],
  ["1.5", null],
  ["1e3", null],
  ["", null],
])("the number %j is %s", (text, value) => {
  if (value === null) expect(() => readCount(element(text))).toThrow(`E: not a number: ${text}`);
  else expect(readCount(element(text))).toBe(value);
});

test.each([
  ["2026-06-01T12:00:00Z", "2026-06-01T12:00:00Z"],
  ["2026-06-01T12:00:00.000Z", "2026-06-01T12:00:00Z"],
  ["2026-06-01T12:00:00.5Z", "2026-06-01T12:00:00.500Z"],
  ["2026-06-01T12:00:00.123456789Z", "2026-06-01T12:00:00.123Z"],
  ["2026-06-01T12:00:00+02:00", "2026-06-01T10:00:00Z"],
  ["2026-06-01T12:00:00-02:30", "2026-06-01T14:30:00Z"],
  [" 2026-06-01T12:00:00Z ", "2026-06-01T12:00:00Z"],
  ["2026-06-01T12:00:00.1234567890Z", null],
  ["2026-06-01T12:00:00.Z", null],
  ["2026-06-01T12:00:00", null],
  ["2026-06-01T12:00Z", null],
  ["2026-06-01", null],
  ["2026-13-01T12:00:00Z", null],
  ["2026-06-01T25:00:00Z", null],
  ["x2026-06-01T12:00:00Z", null],
  ["2026-06-01T12:00:00Zx", null],
  ["2026-06-01 12:00:00Z", null],
  ["12026-06-01T12:00:00Z", null],
  ["", null],
])("the time %j is %s", (text, value) => {
  if (value === null) expect(() => readInstant(element(text))).toThrow(`E: not a date and time: ${text.trim()}`);
  else expect(readInstant(element(text))).toBe(value);
});
