/** Why the service is degraded: one row for each reason, and what is none. */
import { expect, test } from "vitest";
import { findReasons, type SourceStatus } from "../../../src/refresh/reasons.ts";

const NOW = Date.parse("2026-11-22T00:00:00Z");
const refresh = (failures: number) => ({
  ...{ checkedAt: null, nextCheck: "2026-11-22T00:00:00Z", failures, refusedImport: null },
  lastError: failures > 0 ? { at: "2026-11-21T00:00:00Z", message: "no answer" } : null,
});
type ListStatus = SourceStatus & { readonly anchors: number };
const source = (changes: Partial<ListStatus> = {}): ListStatus => ({
  ...{
    source: "eIDAS",
    jurisdiction: "CZ",
    loaded: true,
    fetchedAt: "2026-11-20T00:00:00Z",
    stale: false,
    refresh: null,
    anchors: 12,
  },
  ...{ published: "2026-11-01T00:00:00Z", nextUpdate: "2026-12-01T00:00:00Z" },
  ...changes,
});
type RegisterFacts = Parameters<typeof findReasons>[1][number];
const register = (changes: Partial<RegisterFacts> = {}): RegisterFacts => ({
  ...source({ source: "eba", jurisdiction: "FI", nextUpdate: null }),
  ...{ refused: 0, psps: 100, kept: [] },
  ...changes,
});

test.each<[string, ListStatus[], RegisterFacts[], [string, string][]]>([
  ["all is well", [source()], [register()], []],
  ["failures that a retry may mend", [source({ refresh: refresh(4) })], [register({ refresh: refresh(4) })], []],
  ["no list", [], [register()], [["no_trusted_list", "no trusted list is loaded: no certificate has a QTSP"]]],
  [
    "only a list that is not loaded",
    [source({ loaded: false })],
    [register()],
    [["no_trusted_list", "no trusted list is loaded: no certificate has a QTSP"]],
  ],
  [
    "the list of lists alone, and lists that are not fetched yet",
    [source({ jurisdiction: "EU", anchors: 0 }), source({ loaded: false, anchors: 0 })],
    [register()],
    [["no_trusted_list", "no trusted list is loaded: no certificate has a QTSP"]],
  ],
  ["no register", [source()], [], [["no_register", "no register is loaded: no PSP is authorised"]]],
  [
    "a stale list",
    [source({ stale: true })],
    [register()],
    [["trusted_list_stale", "the trusted list eIDAS CZ is past its nextUpdate of 2026-12-01T00:00:00Z"]],
  ],
  [
    "a stale list of lists, with the day from which no list counts",
    [source(), source({ jurisdiction: "EU", anchors: 0, stale: true })],
    [register()],
    [
      [
        "trusted_list_stale",
        "the trusted list eIDAS EU is past its nextUpdate of 2026-12-01T00:00:00Z: no trusted list counts after 2027-06-03T00:00:00.000Z",
      ],
    ],
  ],
  [
    "a closed list that grants services",
    [source({ stale: true, nextUpdate: null })],
    [register()],
    [["trusted_list_stale", "the trusted list eIDAS CZ is closed (no nextUpdate), but still has granted services"]],
  ],
  [
    "a stale register",
    [source()],
    [register({ stale: true })],
    [["register_stale", "the register eba FI is older than it may be: published 2026-11-01T00:00:00Z"]],
  ],
  [
    "a list that fails and is not loaded, beside one that is",
    [source({ jurisdiction: "FI" }), source({ loaded: false, refresh: refresh(5) })],
    [register()],
    [["trusted_list_failing", "the trusted list eIDAS CZ could not be refreshed 5 times and is not loaded: no answer"]],
  ],
  [
    "a register that is stale because it fails",
    [source()],
    [register({ stale: true, refresh: refresh(9) })],
    [
      ["register_stale", "the register eba FI is older than it may be: published 2026-11-01T00:00:00Z"],
      ["register_failing", "the register eba FI could not be refreshed 9 times: no answer"],
    ],
  ],
  [
    "one malformed record, and two in a hundred",
    [source()],
    [register({ refused: 1, psps: 3 }), register({ refused: 2 })],
    [],
  ],
  [
    "more of them",
    [source()],
    [register({ refused: 3, kept: ["PSDFI-FINFSA-1", "PSDFI-FINFSA-2"] })],
    [
      [
        "register_incomplete",
        "the register eba FI has malformed records of 3 PSPs: as of an earlier file stay PSDFI-FINFSA-1, PSDFI-FINFSA-2",
      ],
    ],
  ],
])("%s", (_, lists, registers, expected) => {
  expect(findReasons(lists, registers, null, [], NOW).map(({ code, message }) => [code, message])).toEqual(expected);
});

test("a task that no scheduled run has looked after for an hour", () => {
  const codes = (dueAt: number) =>
    findReasons([source()], [register()], { task: "events", dueAt }, [], NOW).map(({ code, message }) => [
      code,
      message,
    ]);
  expect(codes(NOW - 3_600_000)).toEqual([]);
  expect(codes(NOW - 3_600_001)).toEqual([
    ["refresh_overdue", expect.stringContaining("no scheduled run has looked after events, which was due 2026-11-2")],
  ]);
});
