/** QCStatements in encodings by hand, each odd in one way. */
import { describe, expect, test } from "vitest";
import {
  NCA,
  oid,
  psd2,
  qcCompliance,
  qcType,
  readMade,
  role,
  sequence,
  statement,
  utf8,
} from "../../../fixtures/makers/certificate-maker.ts";
import { readQcStatements } from "../../../src/eidas/qc-statements.ts";
import { encodeDer, Tag } from "../../../src/x509/der.ts";
import { sentencesOf } from "./sentences-of.ts";

const number = encodeDer(Tag.integer, Uint8Array.of(1));

describe("QCStatements around it", () => {
  const psd2Statement = psd2(sequence(role(3, "PSP_AI")), ...NCA);
  const web = "0.4.0.1862.1.6.3";
  test.each<[string, Uint8Array | null, string[], number, string[]]>([
    ["absent", null, [], 0, ["QCStatements: the extension is absent, so neither roles nor NCA"]],
    ["not DER", Uint8Array.of(0x30, 0x80, 0, 0), [], 0, ["QCStatements: indefinite length"]],
    [
      "with a byte after them",
      Uint8Array.of(...sequence(psd2Statement), 0),
      [],
      0,
      ["QCStatements: 1 bytes after its end"],
    ],
    ["text", utf8("PSP_PI"), [], 0, ["QCStatements: tag 0xc instead of 0x30"]],
    ["empty", sequence(), [], 0, []],
    ["a bare statement", psd2Statement, [], 1, ["QCStatements: a bare QCStatement without the outer SEQUENCE OF"]],
    [
      "with a broken statement before",
      sequence(number, sequence(), qcCompliance(), qcType(3), psd2Statement),
      [web],
      1,
      ["QCStatements: statement 1: tag 0x2 instead of 0x30", "QCStatements: statement 2: missing"],
    ],
    [
      "a statement of three parts",
      sequence(statement("1.2.3", utf8("a"), utf8("b")), qcCompliance(), qcType(3), psd2Statement),
      [web],
      1,
      ["QCStatements: statement 1: 3 parts instead of two"],
    ],
    [
      "the PSD2 statement twice",
      sequence(qcCompliance(), qcType(3), psd2Statement, psd2(sequence(role(1, "PSP_AS")), ...NCA)),
      [web],
      1,
      ["QCStatements: 0.4.0.19495.2 appears twice; the first counts"],
    ],
    [
      "QcType twice",
      sequence(qcCompliance(), qcType(3), qcType(2), psd2Statement),
      [web, "0.4.0.1862.1.6.2"],
      1,
      ["QCStatements: 0.4.0.1862.1.6 appears twice; each counts"],
    ],
    [
      "QcType twice, once without a type",
      sequence(qcCompliance(), qcType(3), qcType(), psd2Statement),
      [],
      1,
      [
        "QCStatements: 0.4.0.1862.1.6 appears twice; each counts",
        "QCStatements: QcType: empty, so the certificate's purpose is not stated",
      ],
    ],
    [
      "the PSD2 statement without contents",
      sequence(qcCompliance(), qcType(3), statement("0.4.0.19495.2")),
      [web],
      0,
      ["QCStatements: PSD2 statement: missing"],
    ],
    ["a seal", sequence(qcCompliance(), qcType(2), psd2Statement), ["0.4.0.1862.1.6.2"], 1, []],
    [
      "a person's signature",
      sequence(qcCompliance(), qcType(1), psd2Statement),
      ["0.4.0.1862.1.6.1"],
      1,
      ["QCStatements: QcType: for signatures of a person, not for a PSP"],
    ],
    [
      "two types",
      sequence(qcCompliance(), qcType(3, 2), psd2Statement),
      [web, "0.4.0.1862.1.6.2"],
      1,
      ["QCStatements: QcType: 2 types instead of one"],
    ],
    [
      "an unknown type",
      sequence(qcCompliance(), qcType(9), psd2Statement),
      ["0.4.0.1862.1.6.9"],
      1,
      ["QCStatements: QcType: 0.4.0.1862.1.6.9 is unknown"],
    ],
    [
      "no type in QcType",
      sequence(qcCompliance(), qcType(), psd2Statement),
      [],
      1,
      ["QCStatements: QcType: empty, so the certificate's purpose is not stated"],
    ],
    [
      "QcType as a bare OID",
      sequence(qcCompliance(), statement("0.4.0.1862.1.6", oid(web)), psd2Statement),
      [web],
      1,
      ["QCStatements: QcType: a bare OID without the SEQUENCE OF"],
    ],
    [
      "QcType as a number",
      sequence(qcCompliance(), statement("0.4.0.1862.1.6", number), psd2Statement),
      [],
      1,
      ["QCStatements: QcType: tag 0x2 instead of 0x30"],
    ],
    [
      "QcType without contents",
      sequence(qcCompliance(), statement("0.4.0.1862.1.6"), psd2Statement),
      [],
      1,
      ["QCStatements: QcType: missing"],
    ],
  ])("%s", async (_, qcStatements, qcTypes, roles, warnings) => {
    const psp = await readMade({ qcStatements });
    expect(psp.qcTypes).toEqual(qcTypes);
    expect(psp.roles).toHaveLength(roles);
    const aboutAbsence = /no QcCompliance|QcType: absent|no PSD2 statement/;
    expect(sentencesOf(psp).filter((warning) => !aboutAbsence.test(warning))).toEqual(warnings);
    expect(sentencesOf(psp).some((warning) => warning.includes("no QcCompliance"))).toBe(
      qcStatements !== null && !Buffer.from(qcStatements).includes(qcCompliance()),
    );
  });
});

test.each<[string, Uint8Array | null, boolean, boolean]>([
  ["no QCStatements", null, false, false],
  ["QcCompliance", sequence(qcCompliance()), true, false],
  ["QcType without QcCompliance", sequence(qcType(3)), false, false],
  [
    "QcCompliance under the law of GB",
    sequence(qcCompliance(), statement("0.4.0.1862.1.7", sequence(encodeDer(Tag.printableString, Buffer.from("GB"))))),
    true,
    true,
  ],
])(
  "%s: whether it claims to be qualified, and under whose law",
  async (_, qcStatements, qcCompliance, qcLegislation) => {
    expect(await readMade({ qcStatements })).toMatchObject({ qcCompliance, qcLegislation });
  },
);

test("sixty-four statements are read, sixty-five are not", () => {
  const statements = (count: number) => sequence(...Array.from({ length: count }, (_, i) => statement(`1.2.3.${i}`)));
  expect(readQcStatements(statements(64)).statements).toHaveLength(64);
  expect(readQcStatements(statements(65))).toMatchObject({
    statements: [],
    warnings: [{ sentence: "QCStatements: 65 statements" }],
  });
});

test("of thousands of statements none is read, be the first ones as they should", () => {
  const nothing = Array.from({ length: 7_000 }, () => sequence());
  expect(readQcStatements(sequence(qcCompliance(), qcType(3), ...nothing))).toEqual({
    statements: [],
    warnings: [{ code: "qc_statements_malformed", sentence: "QCStatements: 7002 statements" }],
  });
});
