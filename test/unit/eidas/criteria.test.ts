/** Which certificates a trusted list's qualification is about. */
import { describe, expect, test } from "vitest";
import { keyUsage, type MadeExtension, makeCertificate } from "../../../fixtures/makers/made-pki.ts";
import { extendedKeyUsage, policies, unknownExtension } from "../../../fixtures/makers/path-extensions.ts";
import { meets } from "../../../src/eidas/qualified-use.ts";
import type { Criterion } from "../../../src/trust/anchors.ts";

const SIGN = 1;
const REPUDIATE = 1 << 1;
const COMMON_NAME = "2.5.4.3";

const certificate = (...extensions: MadeExtension[]) => makeCertificate({ subject: "PSP", extensions }).certificate;
const usual = certificate(keyUsage(0), policies("1.2.3", "1.2.4"), extendedKeyUsage("1.3.1", "1.3.2"));
const bare = certificate();

const YES: Criterion = { policies: ["1.2.3"] };
const NO: Criterion = { policies: ["1.2.9"] };
const UNKNOWN: Criterion = { unknown: "New" };

describe("a criterion", () => {
  test.each<[what: string, criterion: Criterion, usual: boolean | null, bare: boolean | null]>([
    ["a bit that is set", { keyUsage: { set: SIGN, clear: 0 } }, true, false],
    ["a bit that is not set", { keyUsage: { set: 0, clear: REPUDIATE } }, true, true],
    ["one set and one not", { keyUsage: { set: SIGN, clear: REPUDIATE } }, true, false],
    ["two set, of which it has one", { keyUsage: { set: SIGN | REPUDIATE, clear: 0 } }, false, false],
    ["a bit not set that it has", { keyUsage: { set: 0, clear: SIGN } }, false, true],
    ["a policy", { policies: ["1.2.4"] }, true, false],
    ["two policies", { policies: ["1.2.4", "1.2.3"] }, true, false],
    ["two policies, of which it has one", { policies: ["1.2.4", "1.2.5"] }, false, false],
    ["a purpose", { purposes: ["1.3.2"] }, true, false],
    ["two purposes, of which it has one", { purposes: ["1.3.2", "1.3.3"] }, false, false],
    ["an attribute of the subject", { subject: [COMMON_NAME] }, true, true],
    ["two attributes, of which it has one", { subject: [COMMON_NAME, "2.5.4.97"] }, false, false],
    ["what is not known", UNKNOWN, null, null],
  ])("%s", (_, criterion, ofUsual, ofBare) => {
    expect([meets(usual, criterion), meets(bare, criterion)]).toEqual([ofUsual, ofBare]);
  });

  test("an empty attribute of the subject is none", () => {
    expect(meets(makeCertificate({ subject: "" }).certificate, { subject: [COMMON_NAME] })).toBe(false);
  });

  test("of extensions that cannot be read is not told, of the subject all the same", () => {
    const unreadable = certificate(unknownExtension(true), policies("1.2.3"));
    expect([meets(unreadable, YES), meets(unreadable, { subject: [COMMON_NAME] })]).toEqual([null, true]);
  });
});

describe("a list is decided by what is known of it, where that suffices", () => {
  test.each<[criteria: Criterion[], all: boolean | null, atLeastOne: boolean | null, none: boolean | null]>([
    [[YES, YES], true, true, false],
    [[YES, NO], false, true, false],
    [[NO, NO], false, false, true],
    [[YES, UNKNOWN], null, true, false],
    [[UNKNOWN, NO], false, null, null],
    [[UNKNOWN], null, null, null],
  ])("%j", (criteria, ...expected) => {
    const lists: Criterion[] = [{ all: criteria }, { atLeastOne: criteria }, { none: criteria }];
    expect(lists.map((list) => meets(usual, list))).toEqual(expected);
  });

  test("lists in lists", () => {
    const list = (inner: Criterion): Criterion => ({ all: [YES, { atLeastOne: [NO, { none: [inner] }] }] });
    expect([meets(usual, list(NO)), meets(usual, list(YES)), meets(usual, list(UNKNOWN))]).toEqual([true, false, null]);
  });
});
