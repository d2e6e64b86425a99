/**
 * Carries out the links of numbers in a register that is loaded, without its file: reads its entries, and writes what the
 * links change. When it was published and fetched stays. What breaks off is found by the next import, or by the same
 * command again. Each later import carries the links out itself (import-register.ts).
 */
import { clock } from "../../platform/clock.ts";
import { isPsp } from "../keys.ts";
import { copyLinked, type LinkOutcome, type NumberLink, resolveLinks } from "../number-links.ts";
import { AgentRoll, registerEntries } from "../register.ts";
import type { RegisterSource } from "../sources.ts";
import { hashIndex, type Index, planImport, UNKNOWN_HASH } from "./import-plan.ts";
import { runOf, type WriteOptions, writeRegister } from "./register-writes.ts";
import { readStoredPsps, type StoredContents } from "./stored-psps.ts";
import {
  findImportRun,
  type RegisterName,
  type RegisterStores,
  readStored,
  type StoredRegister,
  type Unsettled,
  unsettled,
} from "./stored-register.ts";

export type AppliedLinks =
  | {
      readonly ok: true;
      readonly country: string;
      readonly source: RegisterSource;
      readonly written: number;
      readonly removed: number;
      /** Numbers, by what became of them. */
      readonly numbers: Readonly<Record<LinkOutcome, number>>;
    }
  | Unsettled;

/** `links`: all of the country. Of a register that is not loaded, or not yet whole, nothing is written. */
export async function applyLinks(
  stores: RegisterStores,
  register: RegisterName,
  links: readonly NumberLink[],
  options: WriteOptions = {},
): Promise<AppliedLinks> {
  const run = await findImportRun(stores.DB, register.source, register.country);
  const stored = await readStored(stores.KV, register, run);
  if (!stored.ok) return stored;
  const { manifest } = stored;
  const contents = await readContents(stores.KV, register, stored);
  if (!contents) return unsettled(register, stored.settledAt);
  const { psps, doubtful } = contents;
  const result = { ok: true, ...register, numbers: countOutcomes(psps, links) } as const;
  if (!manifest) return { ...result, written: 0, removed: 0 };
  const entries = [...registerEntries({ psps: [...psps, ...copyLinked(psps, links)], agents: new AgentRoll() })];
  const { ofPsps, ofAgents } = partIndex(stored);
  const unknown = new Set([...[...stored.unknown].filter(isPsp), ...doubtful]);
  const plan = planImport(entries, ofPsps, unknown, Number.POSITIVE_INFINITY);
  if (plan.written.size + plan.removed.length === 0) return { ...result, written: 0, removed: 0 };
  const whole = { ...plan, next: { ...ofAgents, ...plan.next } };
  const published = run?.published ?? manifest.published;
  const named = runOf(whole, stored, clock.now());
  const changed = { ...manifest, hash: hashIndex(whole.next), run: named };
  const writes = { stored, plan: whole, run: named, manifest: changed };
  await writeRegister(stores, { ...register, published }, writes, entries, options);
  return { ...result, written: plan.written.size, removed: plan.removed.length };
}

/** Null while KV may show an entry as it was before. */
async function readContents(
  kv: KVNamespace,
  register: RegisterName,
  stored: StoredRegister,
): Promise<StoredContents | null> {
  const contents = await readStoredPsps(kv, register, stored);
  return contents.doubtful.size > 0 && clock.now() < stored.settledAt ? null : contents;
}

function countOutcomes(
  psps: StoredContents["psps"],
  links: readonly NumberLink[],
): Readonly<Record<LinkOutcome, number>> {
  const counts = { found: 0, own_entry: 0, no_entry: 0, contradicted: 0 };
  for (const { outcome } of resolveLinks(psps, links)) counts[outcome]++;
  return counts;
}

/** What is not known of the agents' entries stays so: the next import writes them. */
function partIndex({ index, unknown }: StoredRegister): { readonly ofPsps: Index; readonly ofAgents: Index } {
  const unknownAgents = [...unknown].filter((name) => !isPsp(name)).map((name) => [name, UNKNOWN_HASH] as const);
  const parts = Map.groupBy(Object.entries(index), ([name]) => isPsp(name));
  return {
    ofPsps: Object.fromEntries(parts.get(true) ?? []),
    ofAgents: Object.fromEntries([...(parts.get(false) ?? []), ...unknownAgents]),
  };
}
