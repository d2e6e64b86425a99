/**
 * The sandbox's registers in the stores: read whole, and replaced by an import like any register's. What a PSP's change
 * means for institutions is told at once: the scheduled run would wait until KV shows it everywhere.
 */
import { SWEEP_START, type SweepScope, sweepSome } from "../events/sweep.ts";
import type { Instant } from "../platform/instant.ts";
import { recordSuccess } from "../refresh/refreshes.ts";
import { registerTask } from "../refresh/schedule.ts";
import { importRegister } from "../registers/import/import-register.ts";
import { readStoredPsps } from "../registers/import/stored-psps.ts";
import { findImportRun, readStored, type Unsettled } from "../registers/import/stored-register.ts";
import type { PspRecord } from "../registers/psp-record.ts";
import { AgentRoll } from "../registers/register.ts";
import { authorityOf, SANDBOX_COUNTRIES, type SandboxCountry } from "./sandbox-number.ts";
import type { SandboxRegisters } from "./sandbox-psps.ts";

type Stores = Pick<Env, "DB" | "KV">;

const SOURCE = "nca";

export type ReadRegisters = { readonly ok: true; readonly registers: SandboxRegisters } | Unsettled;

export async function readSandboxRegisters(stores: Stores): Promise<ReadRegisters> {
  const registers: Record<SandboxCountry, readonly PspRecord[]> = { XX: [], XY: [] };
  for (const country of SANDBOX_COUNTRIES) {
    const read = await readOne(stores, country);
    if (!("psps" in read)) return read;
    registers[country] = read.psps;
  }
  return { ok: true, registers };
}

async function readOne({ DB, KV }: Stores, country: SandboxCountry) {
  const run = await findImportRun(DB, SOURCE, country);
  const stored = await readStored(KV, { country, source: SOURCE }, run);
  if (!stored.ok) return stored;
  return { psps: (await readStoredPsps(KV, { country, source: SOURCE }, stored)).psps };
}

/** Replaces the register of one country. */
export async function writeSandboxRegister(
  { DB, KV }: Stores,
  country: SandboxCountry,
  psps: readonly PspRecord[],
  now: Instant,
) {
  const head = { country, source: SOURCE, ...authorityOf(country), published: new Date(now).toISOString() } as const;
  const register = { ...head, psps, agents: new AgentRoll(), refused: [] };
  const result = await importRegister({ DB, KV }, register, { now, force: true });
  if (result.ok) await recordSuccess(DB, registerTask(SOURCE, country), {}, now);
  return result;
}

/** A sandbox has few institutions, and they have few PSPs. */
const BOUNDS = { pages: 200, psps: 5_000 };

/** Compares at once what institutions know of PSPs with what is loaded. `new`: learns only what they do not know yet. */
export async function tellChanges(stores: Stores, now: Instant, scope: SweepScope): Promise<number> {
  let changed = 0;
  for (let place: typeof SWEEP_START | null = SWEEP_START; place; ) {
    const step = await sweepSome(stores, place, now, BOUNDS, scope);
    changed += step.changed;
    place = step.place;
  }
  return changed;
}
