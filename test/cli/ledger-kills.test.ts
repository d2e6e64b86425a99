/** What was appended to a ledger outlives a killed process: twice here, 30 times by `npm run node test/cli/ledger-kills.ts`. */
import { expect, test } from "vitest";
import { killUnderLoad } from "./ledger-kills.ts";

test("a process that is killed under load loses no record that was appended, and few that were not", async () => {
  const { answered, kept, heads, brokenHeads, brokenChain, inFlight } = await killUnderLoad(2);
  expect({ brokenHeads, brokenChain }).toEqual({ brokenHeads: 0, brokenChain: null });
  expect(heads).toBeGreaterThan(0);
  const lost = inFlight.reduce((sum, one) => sum + one, 0);
  expect(kept).toBeGreaterThanOrEqual(answered - lost);
  expect(kept).toBeGreaterThan(answered / 2);
});
