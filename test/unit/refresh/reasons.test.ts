/** Why the service is degraded: one row for each reason, and what is none. */
import { expect, test } from "vitest";
import { findReasons } from "../../../src/refresh/reasons.ts";
import type { SourceStatus } from "../../../src/refresh/source-status.ts";

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
const register = (changes: Partial<SourceStatus> = {}) =>
  source({ source: "eba", jurisdiction: "FI", nextUpdate: null, ...changes });

test.each<[string, ListStatus[], SourceStatus[], [string, string][]]>([
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
])("%s", (_, lists, registers, expected) => {
  expect(findReasons(lists, registers).map(({ code, message }) => [code, message])).toEqual(expected);
});
