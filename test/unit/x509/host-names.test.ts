import { describe, expect, test } from "vitest";
import { coversHost, isHostName, isPreferredHostName } from "../../../src/x509/name-forms.ts";

const LABEL_63 = "a".repeat(63);
/** Four labels and their dots: 253 characters. */
const NAME_253 = [LABEL_63, LABEL_63, LABEL_63, "a".repeat(61)].join(".");

test.each([
  ["a", true, true],
  ["a.test", true, true],
  ["A.Test", true, true],
  ["1a.9b.test", true, true],
  ["a-b.test", true, true],
  ["a--b.test", true, true],
  ["a_b.test", true, false],
  ["_a.test", true, false],
  ["a_.test", true, false],
  ["-a.test", false, false],
  ["a-.test", false, false],
  ["a.-", false, false],
  ["a.test-", false, false],
  ["", false, false],
  [".", false, false],
  ["a..test", false, false],
  [".a.test", false, false],
  ["a.test.", false, false],
  ["a b.test", false, false],
  ["ä.test", false, false],
  ["a.test\n", false, false],
  ["*.a.test", false, true],
  ["*.test", false, true],
  ["*", false, false],
  ["a.*.test", false, false],
  ["*.*.test", false, false],
  ["*a.test", false, false],
  ["*.", false, false],
  ["192.0.2.1", true, false],
  ["1", true, false],
  ["a.12", true, false],
  ["12.a", true, true],
  ["a.12b", true, true],
  ["a.b12", true, true],
  [`${LABEL_63}.test`, true, true],
  [`${LABEL_63}a.test`, false, false],
  [NAME_253, true, true],
  [`${NAME_253}a`, false, false],
])("%s is a host name: %s, in the preferred syntax: %s", (text, valid, preferred) => {
  expect(isHostName(text)).toBe(valid);
  expect(isPreferredHostName(text)).toBe(preferred);
});

describe("a subtree contains a host", () => {
  test.each([
    ["", "a.test", true, true],
    ["a.test", "a.test", true, true],
    ["A.test", "a.TEST", true, true],
    ["a.test", "b.A.test", true, true],
    ["a.test", "ba.test", false, false],
    ["b.a.test", "a.test", false, false],
    // one of the wildcard's hosts is the root
    ["b.a.test", "*.a.test", false, true],
    ["B.a.test", "*.A.test", false, true],
    ["a.test", "*.a.test", true, true],
    // a wildcard stands for one label
    ["c.b.a.test", "*.a.test", false, false],
    ["b.c.test", "*.a.test", false, false],
  ])("%j and %j: permitted %s, excluded %s", (base, name, permitted, excluded) => {
    expect(coversHost(base, name, "permitted")).toBe(permitted);
    expect(coversHost(base, name, "excluded")).toBe(excluded);
  });

  test.each(["", "a..test", "*", "*.*.test", ".test"])("%j is not comparable", (name) => {
    expect(coversHost("", name, "permitted")).toBeNull();
    expect(coversHost("", name, "excluded")).toBeNull();
  });
});
