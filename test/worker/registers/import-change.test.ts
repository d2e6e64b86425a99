/** What a register's manifest says of the last change: counted in PSPs, over all runs of an import. */
import { env } from "cloudflare:workers";
import { afterEach, expect, test } from "vitest";
import { importRegister } from "../../../src/registers/import/import-register.ts";
import { listRegisters } from "../../../src/registers/manifest.ts";
import { AgentRoll, type Register } from "../../../src/registers/register.ts";
import { emptyStores } from "./empty-stores.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");

afterEach(emptyStores);

const register = (names: Readonly<Record<number, string>>): Register => ({
  ...{ country: "XX", source: "nca", ncaId: "XX-TEST", ncaName: "XX Authority", published: "2026-11-01T00:00:00Z" },
  ...{ agents: new AgentRoll(), refused: [] },
  psps: Object.entries(names).map(([number, legalName]) => ({
    authNumber: `PSDXX-TEST-${number}`,
    agent: false,
    categories: [{ category: "AISP", legalName, status: "Registered", services: [8], passportOut: {} }],
  })),
});
const first = register({ 1: "A", 2: "B", 3: "C" });
const second = register({ 1: "A", 2: "New", 4: "D", 5: "E" });
const lastChange = async () => (await listRegisters(env.KV))[0]?.lastChange;
const at = (time: number) => new Date(time).toISOString();

test("the same register again leaves the last change as it was", async () => {
  await importRegister(env, first, { now: NOW, force: true });
  await importRegister(env, first, { now: NOW + 1000, force: true });
  expect(await lastChange()).toEqual({ at: at(NOW), added: 3, changed: 0, removed: 0 });
  await importRegister(env, second, { now: NOW + 2000, force: true });
  expect(await lastChange()).toEqual({ at: at(NOW + 2000), added: 2, changed: 1, removed: 1 });
});

test("an import in several runs counts all of them, the first of a register too", async () => {
  const all = async (one: Register, now: number) => {
    for (let run = 0; run < 10; run++) {
      const done = await importRegister(env, one, { now, force: true, maxWrites: 1 });
      if (!done.ok || done.left === 0) break;
    }
  };
  await all(first, NOW);
  expect(await lastChange()).toEqual({ at: at(NOW), added: 3, changed: 0, removed: 0 });
  await all(second, NOW + 1000);
  expect(await lastChange()).toEqual({ at: at(NOW + 1000), added: 2, changed: 1, removed: 1 });
  expect((await listRegisters(env.KV))[0]).not.toHaveProperty("changeSoFar");
});
