import { describe, expect, test } from "vitest";
import type { LedgerEvent, LedgerRecord } from "../../../src/ledger/record.ts";
import { describeOutcome } from "../../../src/ledger/record-outcome.ts";

const record = (outcome: string, event: LedgerEvent, payments: boolean, accounts: boolean) =>
  ({ outcome, event, checks: [{ decisions: [{ payments, accounts }] }] }) as unknown as LedgerRecord;

describe("the outcome of a record: the tick of a PSP that may do nothing is none", () => {
  test.each([
    ["all", record("ok", "psp.checked", true, true), "yes", "ok"],
    ["payments alone", record("ok", "psp.checked", true, false), "yes", "ok, payments only"],
    ["accounts alone", record("ok", "psp.checked", false, true), "yes", "ok, accounts only"],
    ["nothing", record("ok", "psp.checked", false, false), "warn", "ok, nothing allowed"],
    ["a certificate that is refused", record("qtsp_invalid", "psp.checked", false, false), "no", "qtsp_invalid"],
    ["a code, whose scope was allowed", record("ok", "code.issue", false, true), "yes", "ok"],
    ["a request without a check", { ...record("ok", "psp.checked", true, true), checks: [] }, "yes", "ok"],
  ])("%s", (_, given, state, words) => {
    expect(describeOutcome(given)).toEqual({ state, words });
  });
});
