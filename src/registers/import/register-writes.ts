/**
 * Carries out a plan: notes what will change, in KV and D1, then writes entries, manifest and index in this order. Whoever
 * comes after a run that broke off finds out from the notes what it may have changed (stored-register.ts).
 */
import { clock } from "../../platform/clock.ts";
import type { Instant } from "../../platform/instant.ts";
import { makeSecret } from "../../platform/secrets.ts";
import { entryKey, indexKey, manifestKey, pendingKey } from "../keys.ts";
import type { RegisterManifest } from "../manifest.ts";
import type { Register, RegisterEntry } from "../register.ts";
import { type ImportPlan, indexAfter } from "./import-plan.ts";
import {
  type IndexMetadata,
  inBatches,
  noteImportRun,
  notePublished,
  type Pending,
  type RegisterStores,
  type StoredRegister,
} from "./stored-register.ts";

export interface WriteOptions {
  /** Concurrent writes. A Worker may have six connections; a store that batches writes needs many more. */
  readonly writesAtOnce?: number;
  /** Called after each entry with the number written so far, and of all that are to be written. */
  readonly onEntries?: (written: number, total: number) => void;
}

const WRITES_AT_ONCE = 16;

/** Whether entries change, or it is to be noted what they are. */
const touchesEntries = ({ written, removed, left }: ImportPlan, { unknown }: StoredRegister): boolean =>
  written.size + removed.length > 0 || (unknown.size > 0 && left === 0);

/** The name of a plan's run: of one that changes no entry the run before. */
export const runOf = (plan: ImportPlan, stored: StoredRegister, now: Instant): string =>
  touchesEntries(plan, stored) || !stored.manifest
    ? `${new Date(now).toISOString()} ${makeSecret(8)}`
    : stored.manifest.run;

export interface RegisterWrites {
  readonly stored: StoredRegister;
  readonly plan: ImportPlan;
  readonly run: string;
  /** After the plan; null: there is none yet. */
  readonly manifest: RegisterManifest | null;
}

/** `entries`: all that the plan was made of; only those that it writes are written. Throws only errors of the store. */
export async function writeRegister(
  { KV: kv, DB }: RegisterStores,
  { country, source, published }: Pick<Register, "country" | "source" | "published">,
  { stored, plan, run, manifest }: RegisterWrites,
  entries: Iterable<RegisterEntry>,
  { writesAtOnce = WRITES_AT_ONCE, onEntries }: WriteOptions,
): Promise<void> {
  const { index, unknown, indexRun } = stored;
  const { next, written, removed, left } = plan;
  const touches = touchesEntries(plan, stored);
  if (touches) {
    const names = [...new Set([...unknown, ...written, ...removed])];
    const pending: Pending = { run, base: indexRun, names };
    await kv.put(pendingKey(country, source), JSON.stringify(pending));
    // after what it names, which then has to show, and before the first change
    await noteImportRun(DB, { source, country, run, published, beganAt: clock.now() });
    let done = 0;
    await inBatches(chosen(entries, written), writesAtOnce, async ([name, value]) => {
      await kv.put(entryKey(country, source, name), value);
      onEntries?.(++done, written.size);
    });
    await inBatches(removed, writesAtOnce, (name) => kv.delete(entryKey(country, source, name)));
  } else if (left === 0) await notePublished(DB, { source, country, published });
  if (manifest && (touches || left === 0)) await kv.put(manifestKey(country, source), JSON.stringify(manifest));
  if (touches) {
    const metadata: IndexMetadata = { run, manifest: manifest?.run ?? null };
    const indexNow = left === 0 ? next : indexAfter(plan, index, unknown);
    await kv.put(indexKey(country, source), JSON.stringify(indexNow), { metadata });
  }
}

function* chosen(entries: Iterable<RegisterEntry>, names: ReadonlySet<string>): Generator<RegisterEntry> {
  for (const entry of entries) if (names.has(entry[0])) yield entry;
}
