/**
 * What KV holds of a register before an import. KV may show a location what was before, for a minute and more: an import
 * that relied on it would leave for ever what it does not know to be there. So D1 names the import that changed the register
 * last, and what KV shows counts only if it is as that import left it.
 */
import { clock } from "../../platform/clock.ts";
import { entryKey, indexKey, manifestKey, pendingKey } from "../keys.ts";
import type { RegisterManifest } from "../manifest.ts";
import type { Register } from "../register.ts";
import { type Index, UNKNOWN_HASH } from "./import-plan.ts";
import type { ImportRun } from "./import-runs.ts";

export type RegisterStores = Pick<Env, "KV" | "DB">;
type RegisterName = Pick<Register, "country" | "source">;

/** Names that an import will change, stored before its first change. Obsolete once the index is of the same run. */
export interface Pending {
  readonly run: string;
  /** Of the index that it began with; null if that had none. */
  readonly base: string | null;
  readonly names: readonly string[];
}

/** The metadata of the index, which an import writes last. */
export interface IndexMetadata {
  readonly run: string;
  /** The run of the manifest beside it; null: there is none, before the end of a first import in several runs. */
  readonly manifest: string | null;
}

export interface StoredRegister {
  readonly ok: true;
  readonly manifest: RegisterManifest | null;
  readonly index: Index;
  readonly indexRun: string | null;
  /** Entries of which it is not known what they hold, or whether they are there. */
  readonly unknown: ReadonlySet<string>;
  /** Milliseconds since 1970: from then on KV shows every entry as it is. */
  readonly settledAt: number;
}

/** KV does not show yet what the last import wrote. */
export interface Unsettled extends RegisterName {
  readonly ok: false;
  readonly reason: "unsettled";
  /** Milliseconds since 1970: then what it shows counts, whatever it is. */
  readonly until: number;
}

/** KV's documentation says a minute "or more"; an import of one country writes for less than another one. */
const SETTLE_MS = 3 * 60_000;

export const settledAt = (last: ImportRun | null): number => (last === null ? 0 : last.beganAt + SETTLE_MS);

export const unsettled = ({ country, source }: RegisterName, until: number): Unsettled => ({
  ...{ ok: false, reason: "unsettled", country, source, until },
});

/** `last`: the import that changed the register last. */
export async function readStored(
  kv: KVNamespace,
  register: RegisterName,
  last: ImportRun | null,
): Promise<StoredRegister | Unsettled> {
  const { country, source } = register;
  const [manifest, { value, metadata }, pending] = await Promise.all([
    kv.get<RegisterManifest>(manifestKey(country, source), "json"),
    kv.getWithMetadata<Index, IndexMetadata>(indexKey(country, source), "json"),
    kv.get<Pending>(pendingKey(country, source), "json"),
  ]);
  const index = value ?? {};
  const indexRun = metadata?.run ?? null;
  const until = settledAt(last);
  const stored = { ok: true, manifest, index, indexRun, settledAt: until } as const;
  const manifestRun = manifest?.run ?? null;
  if (last && indexRun === last.run && manifestRun === metadata?.manifest) return { ...stored, unknown: new Set() };
  // it broke off, or its index does not show yet: whichever of its changes were made
  if (last && pending?.run === last.run && pending.base === indexRun)
    return { ...stored, unknown: new Set(pending.names) };
  if (clock.now() < until) return unsettled(register, until);
  // KV has lost it, or another release wrote it: what lies there is looked up, and all of it written again
  const names = await listNames(kv, register);
  const found = Object.fromEntries(names.map((name) => [name, UNKNOWN_HASH]));
  return { ...stored, index: { ...found, ...index }, unknown: new Set([...names, ...Object.keys(index)]) };
}

/** Of the entries that are there. */
async function listNames(kv: KVNamespace, { country, source }: RegisterName): Promise<string[]> {
  const prefix = entryKey(country, source, "");
  const beside = [indexKey(country, source), pendingKey(country, source)];
  const names: string[] = [];
  for (let cursor: string | null = null, complete = false; !complete; ) {
    const page: KVNamespaceListResult<unknown> = await kv.list({ prefix, cursor });
    names.push(...page.keys.map(({ name }) => name).filter((name) => !beside.includes(name)));
    complete = page.list_complete;
    cursor = page.list_complete ? null : page.cursor;
  }
  return names.map((name) => name.slice(prefix.length));
}
