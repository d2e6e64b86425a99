/** When a country has a hole, and how it is told. */
import { expect, test } from "vitest";
import { commonForms, findHoles, numberForm, type PspCount } from "../../../src/registers/holes.ts";
import type { RegisterManifest } from "../../../src/registers/manifest.ts";

const count = (psps: number, inRegister: 0 | 1, more: Partial<PspCount> = {}): PspCount => ({
  ...{ day: "2026-11-28", country: "DE", inRegister, form: "6 digits", psps },
  ...more,
});
const manifest = (country: string, numberForms?: string[]) =>
  ({ country, ...(numberForms && { numberForms }) }) as unknown as RegisterManifest;

test.each<[what: string, counts: PspCount[], holes: string[]]>([
  ["nobody was seen", [], []],
  ["all were found", [count(40, 1)], []],
  ["four were not found", [count(4, 0)], []],
  ["less than half were not found", [count(5, 0), count(6, 1)], []],
  ["half were not found", [count(5, 0), count(5, 1)], ["DE 5/10"]],
  ["none was found", [count(41, 0)], ["DE 41/41"]],
  ["two days: the worse counts", [count(9, 0), count(12, 0, { day: "2026-11-27" }), count(1, 1)], ["DE 12/12"]],
  ["two countries", [count(9, 0, { country: "PL" }), count(8, 0)], ["DE 8/8", "PL 9/9"]],
  ["two forms of one country", [count(3, 0), count(4, 0, { form: "letters" }), count(2, 1)], ["DE 7/9"]],
])("%s", (_, counts, holes) => {
  const said = findHoles(counts, []).map(({ country, psps, notFound }) => `${country} ${notFound}/${psps}`);
  expect(said).toEqual(holes);
});

test("a hole is told with the commonest form of the certificates and those of its registers", () => {
  const counts = [count(37, 0), count(3, 0, { form: "letters" }), count(4, 1)];
  const [hole] = findHoles(counts, [manifest("DE", ["letters and digits"]), manifest("FR", ["9 digits"])]);
  expect(hole).toMatchObject({ certificateForm: "6 digits", registerForms: ["letters and digits"] });
  expect(hole?.message).toBe(
    "DE: 40 of 44 PSPs were not found on 2026-11-28; certificates have 6 digits, the register has letters and digits",
  );
  // no import since this is kept
  expect(findHoles(counts, [manifest("DE")])[0]?.message).toMatch(/certificates have 6 digits$/);
});

test.each([
  ["PSDDE-BAFIN-106653", "6 digits"],
  ["PSDDE-BAFIN-GNR612D2102", "letters and digits"],
  ["PSDXX-TEST-ABC", "letters"],
])("the form of %s is %s", (number, form) => {
  expect(numberForm(number)).toBe(form);
});

test("of a register's numbers the two commonest forms are kept", () => {
  const numbers = ["1", "2", "A1", "A2", "A3", "AB"].map((reference) => `PSDXX-TEST-${reference}`);
  expect(commonForms(numbers)).toEqual(["letters and digits", "1 digits"]);
});
