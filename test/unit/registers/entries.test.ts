import { expect, test } from "vitest";
import type { PspRecord } from "../../../src/registers/psp-record.ts";
import { AgentRoll, registerEntries } from "../../../src/registers/register.ts";

const psp = (authNumber: string): PspRecord => ({ authNumber, agent: false, categories: [] });
const entriesOf = (...numbers: string[]) => [...registerEntries({ psps: numbers.map(psp), agents: new AgentRoll() })];

test("the order of a register's PSPs changes nothing, those that share an entry are in order of their numbers", () => {
  // in the order of code units, which is that of no alphabet: a dash, a digit, a capital, a small letter
  const twins = ["PSDXX-TEST- 1", "PSDXX-TEST--1", "PSDXX-TEST-1", "PSDXX-Test-1"];
  const others = ["PSDXX-TEST-2", "PSDXX-TEST-3"];
  const entries = entriesOf(...twins, ...others);
  expect(entries).toHaveLength(3);
  expect(JSON.parse(entries[0]?.[1] ?? "")).toEqual(twins.map(psp));
  expect(entriesOf(...others, ...twins.toReversed())).toEqual(entries);
  const [a = "", b = "", c = "", d = ""] = twins;
  expect(entriesOf(c, a, others[1] ?? "", d, b, others[0] ?? "")).toEqual(entries);
});

test("PSPs of the very same number keep the order of their register", () => {
  const named = (category: "AISP" | "Payment Institution"): PspRecord => ({
    ...psp("PSDXX-TEST-1"),
    categories: [{ category, legalName: "Amber", status: [], services: [], passportOut: {} }],
  });
  const twins = [named("Payment Institution"), named("AISP")];
  const [entry] = registerEntries({ psps: twins, agents: new AgentRoll() });
  expect(JSON.parse(entry?.[1] ?? "")).toEqual(twins);
});
