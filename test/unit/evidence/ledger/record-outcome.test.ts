import { describe, expect, test } from "vitest";
import type { LedgerEvent, LedgerRecord } from "../../../../src/evidence/ledger/record.ts";
import { describeOutcome } from "../../../../src/evidence/ledger/record.ts";

const record = (outcome: string, event: LedgerEvent, payments: boolean, accounts: boolean) =>
  ({ outcome, event, checks: [{ decisions: [{ payments, accounts }] }] }) as unknown as LedgerRecord;

const [BOTH, PAYMENTS] = [
  { payments: true, accounts: true },
  { payments: true, accounts: false },
];
const [ACCOUNTS, NONE] = [
  { payments: false, accounts: true },
  { payments: false, accounts: false },
];
/** Of POST /v1/psp/checks: the decisions of each certificate. */
const several = (...checks: { payments: boolean; accounts: boolean }[][]) =>
  ({
    outcome: "ok",
    event: "psps.checked",
    checks: checks.map((decisions) => ({ decisions })),
  }) as unknown as LedgerRecord;

describe("the outcome of a record: the tick of a PSP that may do nothing is none", () => {
  test.each([
    ["all", record("ok", "psp.checked", true, true), "yes", "ok"],
    ["payments alone", record("ok", "psp.checked", true, false), "yes", "ok, payments only"],
    ["accounts alone", record("ok", "psp.checked", false, true), "yes", "ok, accounts only"],
    ["nothing", record("ok", "psp.checked", false, false), "warn", "ok, nothing allowed"],
    ["a certificate that is refused", record("qtsp_invalid", "psp.checked", false, false), "no", "qtsp_invalid"],
    ["a code, whose scope was allowed", record("ok", "code.issue", false, true), "yes", "ok"],
    ["a request without a check", { ...record("ok", "psp.checked", true, true), checks: [] }, "yes", "ok"],
    ["several, all", several([BOTH, BOTH], [BOTH]), "yes", "ok"],
    ["several, payments alone", several([PAYMENTS], [PAYMENTS]), "yes", "ok, payments only"],
    ["several, accounts alone", several([ACCOUNTS, ACCOUNTS]), "yes", "ok, accounts only"],
    ["several, some", several([BOTH, NONE], [PAYMENTS]), "yes", "ok, payments 2 of 3, accounts 1 of 3"],
    ["several, some payments", several([PAYMENTS], [NONE]), "yes", "ok, payments 1 of 2, accounts 0 of 2"],
    ["several, nothing", several([NONE], [NONE, NONE]), "warn", "ok, nothing allowed"],
    ["several, each refused", several(), "warn", "ok, nothing allowed"],
    ["several, in no country there is", several([]), "warn", "ok, nothing allowed"],
    ["several, refused as a whole", { ...several(), outcome: "checks_missing" }, "no", "checks_missing"],
  ])("%s", (_, given, state, words) => {
    expect(describeOutcome(given)).toEqual({ state, words });
  });
});
