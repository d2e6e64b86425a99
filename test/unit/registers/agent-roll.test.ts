import { expect, test } from "vitest";
import { agentsName, entryNumber } from "../../../src/registers/keys.ts";
import { AgentRoll, findAgents } from "../../../src/registers/register.ts";

test("an agent of several institutions is stored once, under the first of its names", () => {
  const agent = (legalName: string) => ({ authNumber: "PSDXX-TEST-1", legalName });
  const roll = AgentRoll.of([agent("B"), agent("A"), agent("A")]);
  const [[, stored = ""] = []] = [...roll.entries()];
  expect(findAgents(stored, "PSDXX-TEST-1")).toEqual([agent("A")]);
  expect(stored.split("\n")).toEqual(["", expect.stringMatching(/^\w+\tPSDXX-TEST-1\tA$/), ""]);
  expect(roll.size).toBe(3);
});

test("of many agents each is found, whatever its name, in one line", () => {
  const names = ["A", "Ärzte GmbH", "株式会社 第一", "𝔄 & 𝔅 plc", "L".repeat(700)];
  const agents = Array.from({ length: 20_000 }, (_, i) => ({
    ...{ authNumber: `PSDXX-TEST-${i}`, legalName: names[i % names.length] ?? "" },
  }));
  const stored = new Map(
    AgentRoll.of(agents.map((agent) => ({ ...agent, legalName: ` ${agent.legalName}\n` }))).entries(),
  );
  // several in each entry
  expect(stored.size).toBeLessThan(agents.length / 10);
  const found = agents.flatMap(({ authNumber }) => {
    return findAgents(stored.get(agentsName(entryNumber(authNumber))) ?? "", authNumber);
  });
  expect(found).toEqual(agents);
  expect([...AgentRoll.of([{ authNumber: " PSDXX-TEST-1 ", legalName: "A\t\n B" }]).entries()].join()).toContain(
    "\tPSDXX-TEST-1\tA B\n",
  );
});
