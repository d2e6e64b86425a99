/** The reader of bodies beside `JSON.parse`: the same texts, the same values, but for members given twice. */
import { deepStrictEqual } from "node:assert/strict";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseJsonText } from "../../../../src/http/json/body-text.ts";
import { findInvalidUtf8 } from "../../../../src/platform/encoding.ts";
import { anyCharacter } from "../../any-character.ts";

const encoder = new TextEncoder();
const parse = (text: string) => parseJsonText(encoder.encode(text));
const native = (text: string): { value: unknown } | null => {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null;
  }
};
/** As `JSON.parse` decides it, for a text without duplicates. A byte order mark is gone before either sees the text. */
function expectAsNative(text: string): void {
  const own = parse(text);
  // thousands of texts, for which `expect` takes longer than both readers; it tells -0 from 0, too
  deepStrictEqual(own.ok ? { value: own.value } : null, native(text.replace(/^\ufeff/, "")));
}

describe("the same as JSON.parse", () => {
  test("for every value, however it is written", () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: anyCharacter }), fc.constantFrom("", "  ", "\t", "\n"), (value, indent) =>
        expectAsNative(JSON.stringify(value, null, indent)),
      ),
      { numRuns: 1_000 },
    );
  });

  test("for texts with something taken out, put in or put in its place", () => {
    const token = fc.constantFrom(
      ..."{}[],:\"'\\/ \t\n\r\u00a0\u2028\u0000\u001f\u007f\ufeff-+.0123456789eEabtrufalsn_é😀",
      ...[
        "\\u",
        "\\u00",
        "\\ud800",
        "\\x",
        "null",
        "true",
        "NaN",
        "Infinity",
        "1e5",
        "01",
        "-",
        "1.",
        ".5",
        "0x1",
        "//",
      ],
    );
    const edit = fc.tuple(fc.nat(), fc.nat({ max: 3 }), fc.array(token, { maxLength: 3 }));
    const text = fc
      .tuple(fc.jsonValue({ maxDepth: 3 }), fc.array(edit, { minLength: 1, maxLength: 3 }))
      .map(([value, edits]) =>
        edits.reduce((text, [at, length, tokens]) => {
          const from = at % (text.length + 1);
          return text.slice(0, from) + tokens.join("") + text.slice(from + length);
        }, JSON.stringify(value)),
      );
    fc.assert(
      fc.property(text, (text) => {
        const own = parse(text);
        // an edit can make two members of one name
        if (own.ok || own.reason !== "duplicate-member") expectAsNative(text.toWellFormed());
      }),
      { numRuns: 10_000 },
    );
  });

  test.each([
    '{"__proto__":{"a":1},"constructor":2}',
    '{"a":{"__proto__":null}}',
    '"\\ud800"',
    '"\\ud83d\\ude00"',
    '"\\uD83D\\u0041"',
    '"\u2028\u007f"',
    '"\\u0000\\/\\b\\f\\n\\r\\t"',
    "-0",
    "1e999",
    "-1.5E-7",
    "12345678901234567890",
    "[1,2,]",
    "[,1]",
    '{"a":1,}',
    "{'a':1}",
    "{a:1}",
    "nul",
    "truefalse",
    "1 2",
    "\u00a01",
    '"a\tb"',
    '"\\v"',
    '"\\u00g0"',
    "// c\n1",
    "[1]]",
    '{"a" 1}',
    "+1",
    "1.e5",
    "--1",
    "\ufeff\ufeff1",
  ])("for %j", expectAsNative);

  test("a member named __proto__ is a member, not the prototype", () => {
    const own = parse('{"__proto__":{"a":1}}');
    const value = own.ok ? (own.value as object) : {};
    expect([Object.keys(value), Object.getPrototypeOf(value)]).toEqual([["__proto__"], Object.prototype]);
  });

  test("for texts as long as a body may be, of whatever shape, in linear time", () => {
    for (const text of [
      "[".repeat(32_768) + "]".repeat(32_768),
      `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`,
      "[".repeat(65_536),
      `"${"\\n".repeat(32_767)}"`,
      `[${"1,".repeat(32_766)}1]`,
      `${" ".repeat(65_535)}1`,
    ]) {
      const own = parse(text);
      expect(own.ok).toBe(native(text) !== null);
      // compared as text: what compares objects would run out of stack
      if (own.ok) expect(flatten(own.value)).toEqual(flatten(JSON.parse(text)));
    }
  });

  /** All values of nested containers, without recursion. */
  function flatten(value: unknown): unknown[] {
    const found: unknown[] = [];
    for (const open = [value]; open.length > 0; ) {
      const next = open.pop();
      if (typeof next === "object" && next !== null) {
        found.push(Array.isArray(next) ? "[" : "{", ...Object.keys(next).slice(0, 2));
        for (const inner of Object.values(next)) open.push(inner);
      } else found.push(next);
    }
    return found;
  }
});

describe("a member given twice is refused, by its name and its place", () => {
  test.each([
    ['{"a":1,"a":1}', '"a" twice: the second is at character 8 (line 1, column 8)'],
    ['{"a":1,"\\u0061":2}', '"a" twice: the second is at character 8 (line 1, column 8)'],
    ['{"":1,\n "":2}', '"" twice: the second is at character 9 (line 2, column 2)'],
    ['{"x":{"a":1,"b":[],"a":{}}}', '"a" twice in "x": the second is at character 20 (line 1, column 20)'],
    ['[1,{"p":[{"a":1,"a":2}]}]', '"a" twice in "[1].p[0]": the second is at character 17 (line 1, column 17)'],
    ['{"__proto__":1,"__proto__":2}', '"__proto__" twice: the second is at character 16 (line 1, column 16)'],
    ['{"toString":1,"toString":2}', '"toString" twice: the second is at character 15 (line 1, column 15)'],
    ['{"0":1,"0":2}', '"0" twice: the second is at character 8 (line 1, column 8)'],
    ['{"😀":1,"\\ud83d\\ude00":2}', '"😀" twice: the second is at character 8 (line 1, column 8)'],
    ['{"\\n":1,"\\n":2}', '"\\u{000a}" twice: the second is at character 9 (line 1, column 9)'],
  ])("%s", (text, message) => {
    expect(parse(text)).toEqual({
      ok: false,
      reason: "duplicate-member",
      message: `The body has the member ${message}`,
    });
  });

  test.each(['{"a":1,"A":1}', '{"toString":1}', '[{"a":1},{"a":1}]', '{"a":{"a":{"a":1}}}', '{"é":1,"e\u0301":1}'])(
    "%s has none",
    (text) => expect(parse(text).ok).toBe(true),
  );

  test("wherever it is in whatever value", () => {
    const members = fc.array(fc.tuple(fc.string(), fc.jsonValue({ maxDepth: 2 })), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(members, fc.nat(), fc.nat(), (members, which, where) => {
        const again = members[which % members.length];
        if (again === undefined) return;
        const all = members.toSpliced(where % (members.length + 1), 0, again);
        const text = `{${all.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(",")}}`;
        expect(parse(`[0,${text}]`)).toMatchObject({ ok: false, reason: "duplicate-member" });
      }),
    );
  });

  test("the message stays short, however long and deep the names are", () => {
    const name = "n".repeat(1_000);
    const text = `${`{"${name}":`.repeat(20)}{"${name}":1,"${name}":2}${"}".repeat(20)}`;
    const own = parse(text);
    expect(own.ok ? "" : own.message).toMatch(/^.{200,330}$/);
  });
});

describe("what is wrong, and where", () => {
  test.each([
    ["", "empty", "The body is empty"],
    [" \r\n\t", "empty", "The body is empty"],
    ["\ufeff", "empty", "The body is empty"],
    ['{"a":', "not-json", "The body is not JSON: at character 6 (line 1, column 6) should be a value; it ends there"],
    [
      '{"a":1\n"b":2}',
      "not-json",
      'The body is not JSON: at character 8 (line 2, column 1) should be "," or "}"; found "\\""',
    ],
    [
      "{'a':1}",
      "not-json",
      'The body is not JSON: at character 2 (line 1, column 2) should be the name of a member, in double quotes; found "\'"',
    ],
    [
      "scope=accounts",
      "not-json",
      'The body is not JSON: at character 1 (line 1, column 1) should be a value; found "s"',
    ],
    [
      '{"é😀":"x\u0007"}',
      "not-json",
      'The body is not JSON: at character 9 (line 1, column 9) should be the string\'s closing quotation mark or an escape; found "\\u{0007}"',
    ],
    [
      "{}}",
      "not-json",
      'The body is not JSON: at character 3 (line 1, column 3) should be the end of the body; found "}"',
    ],
  ])("%j", (text, reason, message) => {
    expect(parse(text)).toEqual({ ok: false, reason, message });
  });

  test("one byte order mark is ignored (RFC 8259 section 8.1)", () => {
    expect(parse('\ufeff{"a":1}')).toEqual({ ok: true, value: { a: 1 } });
  });

  test("no more than one character of a malformed text is shown", () => {
    const own = parse('{"code":"0123456789abcdef0123456789abcdef" secret');
    expect(own.ok ? "" : own.message).toMatch(/found "s"$/);
  });
});

describe("UTF-8", () => {
  test.each([
    [[0x7b, 0xe9, 0x7d], 2, "E9"],
    [[0x22, 0xc3], 2, "C3"],
    [[0x22, 0xc0, 0xaf, 0x22], 2, "C0"],
    [[0x22, 0xed, 0xa0, 0x80, 0x22], 2, "ED"],
    [[0x22, 0xf4, 0x90, 0x80, 0x80, 0x22], 2, "F4"],
    [[0xff, 0xfe, 0x7b, 0x00], 1, "FF"],
  ])("%j is not: byte %i is 0x%s", (bytes, at, hex) => {
    const message = `The body is not UTF-8: byte ${at} is 0x${hex}`;
    expect(parseJsonText(Uint8Array.from(bytes))).toEqual({ ok: false, reason: "not-utf-8", message });
  });

  test("is broken where the platform's decoder says so, and whole before that", () => {
    const decodes = (bytes: Uint8Array) => {
      try {
        return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) !== null;
      } catch {
        return false;
      }
    };
    const byte = fc.oneof(fc.nat({ max: 255 }), fc.constantFrom(0x80, 0xbf, 0xc2, 0xe0, 0xed, 0xef, 0xf0, 0xf4));
    const bytes = fc.oneof(
      fc.array(byte, { maxLength: 8 }).map((values) => Uint8Array.from(values)),
      fc
        .tuple(fc.string({ unit: anyCharacter }), fc.array(byte, { maxLength: 2 }))
        .map(([text, more]) => Uint8Array.from([...encoder.encode(text), ...more])),
    );
    fc.assert(
      fc.property(bytes, (bytes) => {
        const at = findInvalidUtf8(bytes);
        return at === -1 ? decodes(bytes) : !decodes(bytes) && decodes(bytes.subarray(0, at));
      }),
      { numRuns: 20_000 },
    );
  });
});
