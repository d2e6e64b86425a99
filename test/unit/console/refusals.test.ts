/** Which refusals count against a PSP. */
import { expect, test } from "vitest";
import { countAgainst } from "../../../src/console/psps/refusals.ts";

test("PSPs are not charged with mistakes of the bank's own system, its blocks or our faults", () => {
  const refusal = (psp: string, outcome: string, requests: number) => ({ psp, outcome, requests });
  const against = countAgainst([
    refusal("A", "certificate_expired", 1),
    refusal("A", "nothing_allowed", 4),
    refusal("A", "content_type_invalid", 50),
    refusal("B", "account_id_mismatch", 70),
    refusal("B", "consent_of_another_account", 3),
    refusal("C", "qtsp_invalid", 2),
    refusal("C", "account_blocked", 9),
    refusal("C", "temporarily_unavailable", 8),
  ]);
  expect([...against]).toEqual([
    ["A", 5],
    ["C", 2],
  ]);
});
