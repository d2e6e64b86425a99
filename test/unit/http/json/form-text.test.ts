/** Forms as bodies: what is read, and what a lenient decoder would read in another way is refused. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseFormText } from "../../../../src/http/json/body-text.ts";

const parse = (text: string) => parseFormText(new TextEncoder().encode(text));

test.each([
  ["", {}],
  ["token=abc", { token: "abc" }],
  ["token=abc&token_type_hint=access_token", { token: "abc", token_type_hint: "access_token" }],
  ["&&token=abc&", { token: "abc" }],
  ["token=", { token: "" }],
  ["token", { token: "" }],
  ["=abc", { "": "abc" }],
  ["token=a=b==", { token: "a=b==" }],
  ["to%6ben=%61", { token: "a" }],
  ["token=a+b%2Bc%20d", { token: "a b+c d" }],
  ["token=%C3%BC&%C3%BC=ü", { token: "ü", ü: "ü" }],
  ["token=%00%0a", { token: "\u0000\n" }],
  ["token=%7B%7D", { token: "{}" }],
  ["\ufefftoken=abc", { token: "abc" }],
])("%j", (text, value) => {
  expect(parse(text)).toEqual({ ok: true, value });
});

test("__proto__ is a parameter as any other", () => {
  const form = parse("__proto__=x&constructor=y");
  expect(form.ok && Object.entries(form.value)).toEqual([
    ["__proto__", "x"],
    ["constructor", "y"],
  ]);
  expect(form.ok && Object.getPrototypeOf(form.value)).toBe(Object.prototype);
});

test.each([
  ["token=a&token=b", 'The body has the parameter "token" twice'],
  ["token=a&x=1&tok%65n=a", 'The body has the parameter "token" twice'],
  ["a=%zz", "Parameter 1 of the body is not percent-encoded UTF-8"],
  ["a=1&b=100%", "Parameter 2 of the body is not percent-encoded UTF-8"],
  ["a=1&&b%ff=1", "Parameter 3 of the body is not percent-encoded UTF-8"],
  ["token=%ed%a0%80", "Parameter 1 of the body is not percent-encoded UTF-8"],
  ['{"token":"a"}', "The body is JSON, but Content-Type is that of a form: send application/json"],
  ['\n {"token":"a"}', "The body is JSON, but Content-Type is that of a form: send application/json"],
])("%j is refused", (text, message) => {
  expect(parse(text)).toEqual({ ok: false, message });
});

test("bytes that are not UTF-8 are refused as in JSON", () => {
  const form = parseFormText(Uint8Array.of(0x61, 0x3d, 0xe9));
  expect(form).toMatchObject({ ok: false, message: "The body is not UTF-8: byte 3 is 0xE9" });
});

test("a secret in the place of a name is not repeated as a whole", () => {
  const form = parse("s3cret-s3cret-s3cret-s3cret=&s3cret-s3cret-s3cret-s3cret=");
  expect(form).toEqual({ ok: false, message: 'The body has the parameter "s3cret-s3cret-s3cret…" twice' });
});

test("what URLSearchParams writes is read as it was; nothing throws", () => {
  const parameters = fc.dictionary(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }));
  fc.assert(
    fc.property(parameters, (value) => {
      const text = new URLSearchParams(value).toString();
      expect(parse(text)).toEqual({ ok: true, value: { ...value } });
    }),
  );
  fc.assert(fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => typeof parseFormText(bytes).ok === "boolean"));
});
