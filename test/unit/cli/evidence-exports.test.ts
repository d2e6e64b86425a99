/** What `doctor` says of ledgers that lie in one account: when the last export was made, and which months are in no archive. */
import { expect, test } from "vitest";
import { type ExportState, findExports } from "../../../src/cli/evidence/exports.ts";

const at = (text: string): number => Date.parse(text);
const NOW = at("2026-11-27T12:00:00Z");
const command = (words: string) => `npm run admin -- ${words} --remote`;
const find = (now: number, ...institutions: ExportState[]) => findExports(institutions, command, now);
const one = (until: string, exportedAt: string | null, reference = "PSDFI-FINFSA-0001"): ExportState => ({
  ...{ reference, until: at(until) },
  exportedAt: exportedAt === null ? null : at(exportedAt),
});

test("without an institution there is nothing to say", () => expect(find(NOW)).toEqual([]));

test("in the month in which it was added nothing is missing", () => {
  expect(find(NOW, one("2026-11-03T09:00:00Z", null))).toMatchObject([
    { state: "good", message: "no evidence was exported yet; no month that has ended is missing" },
  ]);
});

test("once its months are exported, doctor says when that was", () => {
  expect(find(NOW, one("2026-11-01T00:00:00Z", "2026-11-03T12:00:00Z"))).toMatchObject([
    {
      ...{ area: "records", state: "good", todo: null },
      message: "evidence was last exported 24 days ago; no month that has ended is missing",
    },
  ]);
});

test("a month that nobody has exported a week after its end is named, with the command", () => {
  const late = one("2026-10-01T00:00:00Z", "2026-10-03T12:00:00Z");
  expect(find(at("2026-11-07T23:59:59Z"), late)).toMatchObject([{ state: "good" }]);
  expect(find(at("2026-11-08T00:00:00Z"), late)).toEqual([
    {
      ...{ area: "records", state: "to do" },
      message:
        "evidence was last exported 35 days ago; these records are in this account alone: of PSDFI-FINFSA-0001 since 2026-10-01",
      todo: "npm run admin -- evidence export FILE --reference PSDFI-FINFSA-0001 --from 2026-10-01 --to 2026-11-01 --remote; docs/examples/evidence-export.yml does so each month",
    },
  ]);
});

test("of many institutions some are named", () => {
  const all = ["A", "B", "C", "D", "E"].map((name) => one("2026-01-05T10:00:00Z", null, `PSDFI-${name}`));
  const [finding] = find(NOW, one("2026-11-01T00:00:00Z", null, "PSDFI-ALL"), ...all);
  expect(finding?.message).toBe(
    "no evidence was exported yet; these records are in this account alone: of PSDFI-A since 2026-01-05, PSDFI-B since 2026-01-05, PSDFI-C since 2026-01-05 and of 2 more",
  );
});
