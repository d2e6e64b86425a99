/** Results as lines for people: every field is shown, and what is inside stands below its name. */
import { expect, test } from "vitest";
import { describeFields, PLAIN } from "../../../src/cli/output.ts";

test("each field has its line, aligned; what is inside is indented; nothing, yes and no are told apart", () => {
  const value = {
    name: "Amber",
    paymentServices: [7, 8],
    warnings: [],
    absent: null,
    left: undefined,
    decision: {
      payments: { allowed: true, reasons: [] },
      accounts: { allowed: false, reasons: [{ code: "withdrawn" }] },
    },
    roles: ["PSP_PI", "PSP_AI"],
    entries: [{ id: 1, legalName: "Amber Ltd" }, { id: 2 }],
  };
  expect(describeFields(value, PLAIN).split("\n")).toEqual([
    "name             Amber",
    "paymentServices  7, 8",
    "warnings         –",
    "absent           –",
    "decision",
    "  payments",
    "    allowed  ✓ yes",
    "    reasons  –",
    "  accounts",
    "    allowed  ✗ no",
    "    reasons",
    "      - code  withdrawn",
    "roles",
    "  - PSP_PI",
    "  - PSP_AI",
    "entries",
    "  - id         1",
    "    legalName  Amber Ltd",
    "  - id  2",
  ]);
});
