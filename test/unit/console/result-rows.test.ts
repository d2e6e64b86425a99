/** Many certificates at once: a row for each file, totals that count a copy once, and each order. */
import { expect, test } from "vitest";
import type { Finding } from "../../../src/console/check/kept-checks.ts";
import { countResults, listRows, readOrder, sortRows, writeOrder } from "../../../src/console/check/result-rows.ts";

const checked = (files: string[], name: string | null, authNumber: string, good: boolean, payments: string): Finding =>
  ({
    ...{ ok: true, from: files.join("; "), files, name, authNumber },
    report: {
      verdicts: [{ good }],
      decision: [
        { scope: "payments", answer: payments },
        { scope: "accounts", answer: "no" },
      ],
    },
  }) as unknown as Finding;

const findings: Finding[] = [
  checked(["psp-10.pem", "copy.pem"], "Oak", "PSDXX-TEST-2", true, "yes"),
  checked(["psp-9.pem"], "Amber", "PSDXX-TEST-10", false, "no"),
  // kept by an earlier release
  { ok: false, from: "note.pem", message: "The file cannot be read." },
  checked(["a.pem"], null, "PSDXX-TEST-1", true, "unknown"),
];
const order = (text: string) => sortRows(listRows({ findings }), readOrder(text)).map(({ file }) => file);

test("a copy has a row of its own, behind its first, and leads to the same report", () => {
  expect(listRows({ findings }).map(({ file, number, copyOf }) => [file, number, copyOf])).toEqual([
    ["psp-10.pem", 1, null],
    ["copy.pem", 1, "psp-10.pem"],
    ["psp-9.pem", 2, null],
    ["note.pem", 3, null],
    ["a.pem", 4, null],
  ]);
});

test("totals are of certificates, and files that were not checked", () => {
  expect(countResults({ findings })).toEqual({
    ...{ files: 5, certificates: 3, valid: 2, payments: 1, accounts: 0, unchecked: 1 },
  });
});

test.each([
  ["", ["psp-10.pem", "copy.pem", "psp-9.pem", "note.pem", "a.pem"]],
  ["unheard-of", ["psp-10.pem", "copy.pem", "psp-9.pem", "note.pem", "a.pem"]],
  ["toString", ["psp-10.pem", "copy.pem", "psp-9.pem", "note.pem", "a.pem"]],
  ["file", ["a.pem", "copy.pem", "note.pem", "psp-9.pem", "psp-10.pem"]],
  ["-file", ["psp-10.pem", "psp-9.pem", "note.pem", "copy.pem", "a.pem"]],
  ["psp", ["note.pem", "a.pem", "psp-9.pem", "psp-10.pem", "copy.pem"]],
  ["number", ["note.pem", "a.pem", "psp-10.pem", "copy.pem", "psp-9.pem"]],
  ["certificate", ["note.pem", "psp-9.pem", "psp-10.pem", "copy.pem", "a.pem"]],
  ["payments", ["psp-9.pem", "note.pem", "a.pem", "psp-10.pem", "copy.pem"]],
])("sorted by %j", (text, files) => {
  expect(order(text)).toEqual(files);
});

test("a column that is sorted by is turned round by its link", () => {
  expect(writeOrder("psp", null)).toBe("psp");
  expect(writeOrder("psp", readOrder("psp"))).toBe("-psp");
  expect(writeOrder("psp", readOrder("-psp"))).toBe("psp");
  expect(writeOrder("file", readOrder("psp"))).toBe("file");
});
