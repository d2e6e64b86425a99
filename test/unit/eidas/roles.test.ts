/** Roles in encodings by hand; the real ones are in real-certificates.test.ts. */
import { describe, expect, test } from "vitest";
import {
  makeCertificate,
  NCA,
  oid,
  PLACE,
  psd2,
  qcCompliance,
  qcType,
  readStatement,
  role,
  roleOf,
  sequence,
  utf8,
} from "../../../fixtures/makers/certificate-maker.ts";
import { describeCertificate } from "../../../src/eidas/psd2.ts";
import { readPsd2Statement } from "../../../src/eidas/psd2-statement.ts";
import { parseCertificate } from "../../../src/x509/certificate.ts";
import { encodeDer, readDer, Tag } from "../../../src/x509/der.ts";
import { sentencesOf } from "./sentences-of.ts";

const number = encodeDer(Tag.integer, Uint8Array.of(1));

describe("roles and the payment services that they stand for", () => {
  test.each<[number, string, number[], string[]]>([
    [1, "PSP_AS", [1, 2, 3, 4, 5, 6, 7, 8], []],
    [2, "PSP_PI", [7], []],
    [3, "PSP_AI", [8], []],
    [4, "PSP_IC", [5], []],
    [0, "Unspecified", [], ["role 1: Unspecified gives no payment service"]],
    [5, "PSP_CB", [], ["role 1: PSP_CB gives no payment service"]],
    [6, "PSP_PA", [], ["role 1: PSP_PA gives no payment service"]],
    [51, "VOP_RS", [], ["role 1: VOP_RS gives no payment service"]],
    [52, "VOP_VS", [], ["role 1: VOP_VS gives no payment service"]],
    [2, "PSP_AI", [7], ["role 1: name PSP_AI contradicts OID 0.4.0.19495.1.2 (PSP_PI); the OID counts"]],
    [3, "PSP_PISP", [8], ["role 1: name PSP_PISP is not the one of OID 0.4.0.19495.1.3 (PSP_AI); the OID counts"]],
    [3, "", [8], ['role 1: name "" is not the one of OID 0.4.0.19495.1.3 (PSP_AI); the OID counts']],
    [
      9,
      "PSP_PI",
      [],
      ["role 1: OID 0.4.0.19495.1.9 (name PSP_PI) is not a role of ETSI TS 119 495; it gives no payment service"],
    ],
  ])("OID 0.4.0.19495.1.%i named %s", async (id, name, paymentServices, warnings) => {
    const psp = await readStatement(sequence(role(id, name)), ...NCA);
    expect(psp).toMatchObject({ roles: [roleOf(id, name)], paymentServices, ncaId: "XX-TEST" });
    expect(sentencesOf(psp)).toEqual(warnings.map((warning) => PLACE + warning));
  });

  test("an unknown role harms those beside it nothing, and is shown by its OID", async () => {
    const unknown = sequence(oid("1.2.3.4"), utf8("PSP_PI"));
    const qcStatements = sequence(
      qcCompliance(),
      qcType(3),
      psd2(sequence(role(3, "PSP_AI"), unknown, role(5, "PSP_CB"), role(2, "PSP_PI")), ...NCA),
    );
    const description = describeCertificate(parseCertificate(await makeCertificate({ qcStatements })));
    const roles = ["PSP_AI", "1.2.3.4", "PSP_CB", "PSP_PI"];
    expect(description).toMatchObject({ roles, paymentServices: [7, 8] });
    expect(description.warnings.join()).toContain("OID 1.2.3.4 (name PSP_PI) is not a role");
  });

  test("NA is the NCA of a central bank, and of nobody else", async () => {
    const withoutNca = [utf8("NA"), utf8("NA")];
    for (const roles of [[role(5, "PSP_CB")], [role(3, "PSP_AI"), role(5, "PSP_CB")]])
      expect((await readStatement(sequence(...roles), ...withoutNca)).warnings).toHaveLength(1);
    expect((await readStatement(sequence(role(5, "PSP_CB")), utf8("A"), utf8("TEST"))).warnings).toHaveLength(2);
    expect(sentencesOf(await readStatement(sequence(role(3, "PSP_AI")), ...withoutNca))).toEqual([
      `${PLACE}ncaId NA is not a country, a dash and 2 to 8 capitals`,
    ]);
  });
});

describe("roles are found however they are nested", () => {
  const pi = [oid("0.4.0.19495.1.2"), utf8("PSP_PI")];
  const ai = [oid("0.4.0.19495.1.3"), utf8("PSP_AI")];
  const both = [roleOf(2, "PSP_PI"), roleOf(3, "PSP_AI")];
  test.each<[string, Uint8Array[], { oid: string; name: string | null }[], string[]]>([
    [
      "one flat SEQUENCE",
      [sequence(...pi, ...ai)],
      both,
      ["roles are one flat SEQUENCE instead of a SEQUENCE OF RoleOfPSP"],
    ],
    [
      "pairs in one RoleOfPSP",
      [sequence(sequence(...pi, ...ai))],
      both,
      ["role entry 1 contains 2 roles instead of one"],
    ],
    [
      "without their list",
      [sequence(...pi), sequence(...ai)],
      both,
      ["roles are in the statement without their SEQUENCE OF"],
    ],
    ["in two lists", [sequence(sequence(...pi)), sequence(sequence(...ai))], both, ["2 lists of roles"]],
    ["an empty list", [sequence()], [], ["the list of roles is empty"]],
    ["no list", [], [], ["no list of roles"]],
    [
      "a SET for a list",
      [encodeDer(Tag.set, sequence(...pi))],
      [],
      ["an unexpected value of type set", "no list of roles"],
    ],
    ["an empty RoleOfPSP", [sequence(sequence(), sequence(...ai))], [roleOf(3, "PSP_AI")], ["role entry 1: no OID"]],
    ["a list that is no DER", [encodeDer(Tag.sequence, Uint8Array.of(0x30, 0x7f))], [], ["list of roles: truncated"]],
    [
      "a name alone",
      [sequence(sequence(utf8("PSP_PI")), sequence(...ai))],
      [roleOf(3, "PSP_AI")],
      ["role entry 1: a value of type utf8String is neither OID nor name", "role entry 1: no OID"],
    ],
    [
      "an OID alone",
      [sequence(sequence(oid("0.4.0.19495.1.2")))],
      [roleOf(2, null)],
      ["role 1: no name for OID 0.4.0.19495.1.2 (PSP_PI)"],
    ],
    [
      "a number for a name",
      [sequence(sequence(oid("0.4.0.19495.1.2"), number))],
      [roleOf(2, null)],
      [
        "role entry 1: a value of type integer is neither OID nor name",
        "role 1: no name for OID 0.4.0.19495.1.2 (PSP_PI)",
      ],
    ],
    [
      "a number among them",
      [sequence(number, sequence(...ai))],
      [roleOf(3, "PSP_AI")],
      ["role entry 1: tag 0x2 instead of 0x30"],
    ],
    [
      "a broken OID",
      [sequence(sequence(encodeDer(Tag.oid, Uint8Array.of(0x80))), sequence(...ai))],
      [roleOf(3, "PSP_AI")],
      ["role entry 1: object identifier not minimal"],
    ],
    [
      "a role twice",
      [sequence(sequence(...pi), sequence(...pi))],
      [roleOf(2, "PSP_PI"), roleOf(2, "PSP_PI")],
      ["role 2: OID 0.4.0.19495.1.2 again"],
    ],
  ])("%s", async (_, lists, roles, warnings) => {
    const psp = await readStatement(...lists, ...NCA);
    expect(psp.roles).toEqual(roles);
    expect(psp).toMatchObject({ ncaName: "Test Authority", ncaId: "XX-TEST" });
    expect(sentencesOf(psp)).toEqual(warnings.map((warning) => PLACE + warning));
  });

  test("a thousand roles are cut to 32, and their warnings to 32", async () => {
    const thousand = Array.from({ length: 1_000 }, () => sequence(oid("1.2.3"), utf8("X")));
    const psp = await readStatement(sequence(...thousand), ...NCA);
    expect(psp.roles).toHaveLength(32);
    expect(sentencesOf(psp)).toHaveLength(32);
    expect(sentencesOf(psp)[0]).toBe(`${PLACE}1000 roles; the first 32 count`);
    expect(sentencesOf(psp)[31]).toBe("33 more warnings");
  });

  test("32 roles are all read, in one list or in one entry", async () => {
    const tooMany = (sentence: string) => sentence.includes("the first 32 count");
    for (const count of [32, 33]) {
      const pairs = Array.from({ length: count }, (_, i) => [oid(`1.2.3.${i}`), utf8("X")]);
      for (const list of [sequence(...pairs.map((pair) => sequence(...pair))), sequence(sequence(...pairs.flat()))]) {
        const psp = await readStatement(list, ...NCA);
        expect(psp.roles).toHaveLength(32);
        expect(sentencesOf(psp).filter(tooMany)).toHaveLength(count - 32);
      }
    }
  });

  test("32 warnings are all told, 33 are not", async () => {
    const unknown = (count: number) => Array.from({ length: count }, (_, i) => sequence(oid(`1.2.3.${i}`), utf8("X")));
    const told = async (...roles: Uint8Array[]) => sentencesOf(await readStatement(sequence(...roles), ...NCA));
    const all = await told(...unknown(32));
    expect(all).toHaveLength(32);
    expect(all.at(-1)).toContain("1.2.3.31");
    const more = await told(...unknown(31), sequence(oid("1.2.3.30"), utf8("X")));
    expect(more).toHaveLength(32);
    expect(more.at(-1)).toBe("2 more warnings");
  });

  test("of thousands that are none, the reader looks at 32", () => {
    const nothing = Array.from({ length: 7_000 }, () => encodeDer(Tag.null));
    const { roles, warnings } = readPsd2Statement(readDer(sequence(sequence(...nothing), ...NCA), "statementInfo"));
    expect(roles).toEqual([]);
    expect(warnings).toHaveLength(1 + 32);
  });
});
