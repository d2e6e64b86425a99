import { expect, test } from "vitest";
import { AgentRoll, findAgents } from "../../../src/registers/agent-roll.ts";

test("an agent of several institutions is stored once, under the first of its names", () => {
  const agent = (legalName: string) => ({ authNumber: "PSDXX-TEST-1", legalName });
  const roll = AgentRoll.of([agent("B"), agent("A"), agent("A")]);
  const [[, stored = ""] = []] = [...roll.entries()];
  expect(findAgents(stored, "PSDXX-TEST-1")).toEqual([agent("A")]);
  expect(stored.split("\n")).toEqual(["", expect.stringMatching(/^\w+\tPSDXX-TEST-1\tA$/), ""]);
  expect(roll.size).toBe(3);
});
