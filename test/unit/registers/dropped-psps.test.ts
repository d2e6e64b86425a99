import { expect, test } from "vitest";
import { findDrop } from "../../../src/registers/import/stored-register.ts";
import { pspName } from "../../../src/registers/keys.ts";
import { AgentRoll, type Register } from "../../../src/registers/register.ts";

const numbers = Array.from({ length: 10 }, (_, i) => `PSDXX-TEST-${i}`);
const index = Object.fromEntries([...numbers.map(pspName), "agents/1"].map((name) => [name, "hash"]));
const registerOf = (kept: number): Register => ({
  ...{ country: "XX", source: "nca", ncaId: "XX-TEST", ncaName: "XX Authority", published: "2026-11-01T00:00:00Z" },
  psps: numbers.slice(0, kept).map((authNumber) => ({ authNumber, agent: false, categories: [] })),
  ...{ agents: new AgentRoll(), refused: [] },
});

test("a register may lack a tenth of the stored PSPs, and no more", () => {
  expect(findDrop(index, registerOf(9))).toBeNull();
  const refusal = { reason: "drops-too-many", country: "XX", source: "nca", stored: 10, dropped: 2 };
  expect(findDrop(index, registerOf(8))).toEqual(refusal);
});

test("a PSP with a withdrawal that cannot be dated counts as missing: a source that writes its days anew is broken", () => {
  expect(findDrop(index, { ...registerOf(10), undated: numbers.slice(0, 1) })).toBeNull();
  expect(findDrop(index, { ...registerOf(10), undated: numbers.slice(0, 2) })).toMatchObject({ dropped: 2 });
});

test("one PSP may always go, so that a country with few does not stop the others' refresh", () => {
  const few = Object.fromEntries(numbers.slice(0, 3).map((number) => [pspName(number), "hash"]));
  expect(findDrop(few, registerOf(2))).toBeNull();
  expect(findDrop(few, registerOf(1))).toMatchObject({ stored: 3, dropped: 2 });
});
