/** The operator imports the register of XX, in which a PSP has lost its authorisation, or has it again. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readRegisterFile } from "../../src/registers/import/own-form.ts";
import type { Register } from "../../src/registers/register.ts";
import { BANKS, EBA } from "../../src/registers/sources.ts";
import { BY_BANKS, BY_EBA, CHANGING, isChanging, isNoBank, NUMBERS } from "./certificates.ts";
import type { EbaFile, EbaSource } from "./eba-publisher.ts";
import type { Facts, RegisterImport } from "./facts.ts";
import { drawLife } from "./operator.ts";
import type { Random } from "./random.ts";
import type { World } from "./world.ts";

let base: Register | null = null;

export function readBase(): Register {
  if (base) return base;
  const file = readRegisterFile(readFileSync(join(import.meta.dirname, "../../fixtures/registers/XX.json"), "utf8"));
  if (!file.ok) throw new Error("fixtures/registers/XX.json is refused");
  base = { ...file.register, psps: file.register.psps.filter(isNoBank) };
  return base;
}

function makeRegister(authorised: RegisterImport["authorised"], published: number): Register {
  const withdrawn = CHANGING.filter((name) => authorised[name] === false).map((name) => NUMBERS[name]);
  const psps = readBase().psps.map((psp) =>
    withdrawn.includes(psp.authNumber)
      ? { ...psp, categories: psp.categories.map((each) => ({ ...each, status: "Withdrawn" as const })) }
      : psp,
  );
  return { ...readBase(), psps, published: new Date(published).toISOString() };
}

/** KV shows an import everywhere after a minute, and what was read before is used for a minute more. */
export const MEMORY_MS = 120_000;

const TRIES = 3;
const UNCHANGED_SHARE = 0.3;
const KILLED_MS = { from: 5, to: 600 } as const;

export async function changeRegister(world: World, facts: Facts, random: Random): Promise<void> {
  const { scheduler, trace } = world;
  const before = facts.imports.at(-1)?.authorised ?? {};
  const name = random.pick(CHANGING);
  // a register is published again without a change, too
  const authorised = random.chance(UNCHANGED_SHARE) ? before : { ...before, [name]: before[name] === false };
  const change: RegisterImport = {
    ...{ authorised, begunAt: scheduler.now, endedAt: null },
    register: makeRegister(authorised, scheduler.now),
  };
  facts.imports.push(change);
  trace.mark(`the register of XX says of "${name}": ${authorised[name] === false ? "withdrawn" : "authorised"}`);
  for (let tries = TRIES; tries > 0; tries--) {
    if (await importNow(world, change, random, drawLife(world, random, KILLED_MS, 0.3))) return;
    await scheduler.sleep(random.between(1_000, 30_000));
  }
}

/** Whether it was taken. */
export async function importNow(
  world: World,
  change: RegisterImport,
  random: Random,
  livesMs?: number,
): Promise<boolean> {
  const taken = await world.command<boolean>("importFile", [change.register], random, livesMs);
  if (taken) change.endedAt ??= world.scheduler.now;
  // refused: a later file was imported
  return taken !== null;
}

/** What the register may say of a PSP to a request, by imports that had ended `memoryMs` before it, or were under way since. */
export function findPossible(world: World, facts: Facts, name: string, from: number, until: number): Set<boolean> {
  const source = sourceOf(name);
  if (source) return findPossibleByEba(world, facts, source, from, until);
  if (!isChanging(name)) return new Set([true]);
  const { imports } = facts;
  const last = imports.findLastIndex(({ endedAt }) => endedAt !== null && endedAt <= from);
  // no older file is taken after a later one
  const open = imports.slice(last + 1).filter(({ begunAt }) => begunAt <= until);
  return new Set([imports[last], ...open].map((each) => each?.authorised[name] ?? true));
}

/** Whose register tells of the PSP; null: it is not the EBA's. */
export const sourceOf = (name: string): EbaSource | null => (name === BY_EBA ? EBA : name === BY_BANKS ? BANKS : null);

/** Whether a file says anything of the PSP whose register it is. */
export const says = (file: EbaFile | undefined, source: EbaSource): boolean =>
  source === EBA || file?.lacksBank === false;

/** What was loaded, or any later one. An answer without the bank leaves what was there before, whichever that was. */
function findPossibleByEba(
  { network }: World,
  { ebaLoads }: Facts,
  source: EbaSource,
  from: number,
  until: number,
): Set<boolean> {
  const { files } = network.eba;
  const loaded = ebaLoads.filter((one) => one.source === source && one.endedAt <= from).map(({ number }) => number);
  const last = Math.max(0, ...loaded.filter((number) => says(files[number], source)));
  const open = files.filter((file) => file.number >= last && file.uploadedAt <= until && says(file, source));
  return new Set(open.map(({ authorised }) => authorised));
}
