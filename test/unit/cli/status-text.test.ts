/** What `status` says below the table of trusted lists. */
import { expect, test } from "vitest";
import { PLAIN } from "../../../src/cli/output.ts";
import { describeStatus, type ShownStatus } from "../../../src/cli/status/text.ts";
import { describeFall } from "../../../src/refresh/reasons.ts";
import { madeStatus } from "./made-status.ts";

const NOW = Date.parse("2026-11-28T12:00:00Z");

const list = (more: Partial<ShownStatus["trustedLists"][number]> = {}): ShownStatus["trustedLists"][number] => ({
  ...{ source: "eIDAS", jurisdiction: "FI", loaded: true, sequenceNumber: 7, stale: false, refresh: null },
  ...{ published: "2026-11-01T00:00:00Z", fetchedAt: "2026-11-28T00:00:00Z", nextUpdate: "2027-04-01T00:00:00Z" },
  ...{ services: 1, anchors: 1, skipped: [], remarks: [], ...more },
});
const doubts = (...trustedLists: ShownStatus["trustedLists"]): string[] =>
  describeStatus(madeStatus(NOW, { trustedLists }), NOW, PLAIN)
    .split("\n")
    .filter((line) => line.startsWith("  !"));

test("a list whose number fell is told, with what else is odd, before what is not used", () => {
  const odd = list({ remarks: [describeFall(9), "A: its CA: odd"], skipped: ["B: its CA: left out"] });
  expect(doubts(odd)).toEqual([
    "  ! eIDAS FI: its number is lower than 9, that of the issue before: it counts because it was issued later",
    "  ! eIDAS FI: A: its CA: odd",
    "  ! eIDAS FI: not used: B: its CA: left out",
  ]);
});

test("of a list with nothing odd nothing is told", () => {
  expect(doubts(list())).toEqual([]);
});
