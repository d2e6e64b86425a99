/**
 * What KV holds of a register before an import. KV may show a location what was before, for a minute and more: an import
 * that relied on it would leave for ever what it does not know to be there. So D1 names the import that changed the register
 * last, and what KV shows counts only if it is as that import left it.
 */

import { normaliseAuthorisationNumber } from "../../eidas/authorisation-number.ts";
import { clock } from "../../platform/clock.ts";
import type { Instant } from "../../platform/instant.ts";
import { bindNamed } from "../../platform/statements.ts";
import { callStore } from "../../platform/stores.ts";
import { entryKey, indexKey, manifestKey, pendingKey, pspName } from "../keys.ts";
import type { RegisterManifest } from "../manifest.ts";
import { type NumberLink, sharedSpelling } from "../number-links.ts";
import type { PspRecord } from "../psp-record.ts";
import { type RefusedPsp, type Register, type StoredPsps, withoutCopies } from "../register.ts";
import type { RegisterSource } from "../sources.ts";
import { type Index, isPspEntry, shortSha256, UNKNOWN_HASH } from "./import-plan.ts";

export type RegisterStores = Pick<Env, "KV" | "DB">;
export type RegisterName = Pick<Register, "country" | "source">;

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
  /** From then on KV shows every entry as it is. */
  readonly settledAt: Instant;
}

/** KV does not show yet what the last import wrote. */
export interface Unsettled extends RegisterName {
  readonly ok: false;
  readonly reason: "unsettled";
  /** Then what it shows counts, whatever it is. */
  readonly until: Instant;
}

/** KV's documentation says a minute "or more"; an import of one country writes for less than another one. */
export const SETTLE_MS = 3 * 60_000;

export const settledAt = (last: ImportRun | null): Instant => (last === null ? 0 : last.beganAt + SETTLE_MS);

export const unsettled = ({ country, source }: RegisterName, until: Instant): Unsettled => ({
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

export interface ImportRun {
  readonly source: RegisterSource;
  readonly country: string;
  readonly run: string;
  /** ISO 8601: of its file. */
  readonly published: string;
  readonly beganAt: Instant;
}

const COLUMNS = "source, country, run, published, began_at AS beganAt";
// both by primary key
const LIST = `SELECT ${COLUMNS} FROM register_imports WHERE source = ?1`;
const FIND = `${LIST} AND country = ?2`;
const NOTE = `
  INSERT INTO register_imports (source, country, run, published, began_at) VALUES (:source, :country, :run, :published, :beganAt)
  ON CONFLICT (source, country) DO UPDATE SET run = :run, published = :published, began_at = :beganAt`;

const PUBLISHED = "UPDATE register_imports SET published = ?3 WHERE source = ?1 AND country = ?2";

/** For a batch. `country`: null for all. */
export const selectRuns = (db: D1Database, source: RegisterSource, country: string | null): D1PreparedStatement =>
  country === null ? db.prepare(LIST).bind(source) : db.prepare(FIND).bind(source, country);

export async function listImportRuns(db: D1Database, source: RegisterSource): Promise<ImportRun[]> {
  return (await callStore("D1", () => selectRuns(db, source, null).all<ImportRun>())).results;
}

/** Null: none since this is recorded. */
export const findImportRun = (db: D1Database, source: RegisterSource, country: string): Promise<ImportRun | null> =>
  callStore("D1", () => selectRuns(db, source, country).first<ImportRun>());

export async function noteImportRun(db: D1Database, run: ImportRun): Promise<void> {
  await callStore("D1", () => bindNamed(db, NOTE, { ...run }).run());
}

/** Of an import that changes nothing that is stored. */
export async function notePublished(
  db: D1Database,
  { source, country, published }: Pick<Register, "source" | "country" | "published">,
): Promise<void> {
  await callStore("D1", () => db.prepare(PUBLISHED).bind(source, country, published).run());
}

const READS_AT_ONCE = 16;

/** Of a snapshot whose source no longer has who is withdrawn. */
export interface Absence {
  /** ISO 8601: of the fetch; null for a file of which nobody knows when it was fetched: it confirms nothing. */
  readonly fetchedAt: string | null;
}

/** Between two fetches that agree on who is missing: a shorter trouble of the source, or a cache, passes for no second one. */
const AGREEMENT_MS = 12 * 3_600_000;

export interface Kept {
  /** The entries by their names. */
  readonly entries: ReadonlyMap<string, readonly PspRecord[]>;
  /** The numbers of those that the snapshot lacks. */
  readonly awaited: readonly string[];
}

/**
 * With the publication that they are as of: what is kept of an earlier snapshot is not to pass for this one's. Null while KV may
 * show one as it was before. One that then is not what the index says is not kept. `absence`: null where the snapshot counts
 * for whom it lacks.
 */
export async function readKept(
  kv: KVNamespace,
  { country, source, refused, psps }: Register,
  { manifest, index, unknown, settledAt }: StoredRegister,
  absence: Absence | null,
): Promise<Kept | null> {
  const nameOf = ({ authNumber }: Pick<PspRecord, "authNumber">) => pspName(authNumber);
  const malformed = new Set(refused.map(nameOf));
  const present = new Set(psps.map(nameOf));
  const isKept = (name: string) =>
    malformed.has(name) || (absence !== null && isPspEntry(name, index[name] ?? UNKNOWN_HASH) && !present.has(name));
  const names = [...new Set([...Object.keys(index), ...unknown])].filter(isKept);
  const byNumber = Map.groupBy(refused, ({ authNumber }) => normaliseAuthorisationNumber(authNumber));
  const settled = clock.now() >= settledAt;
  const entries = new Map<string, readonly PspRecord[]>();
  const awaited: string[] = [];
  let certain = true;
  await inBatches(names, READS_AT_ONCE, async (name) => {
    const stored = await kv.get<StoredPsps>(entryKey(country, source, name), "json");
    const isUnknown = unknown.has(name) || index[name] === UNKNOWN_HASH;
    const isAsIndexed = !isUnknown && stored !== null && shortSha256(JSON.stringify(stored)) === index[name];
    if (!settled && !(manifest && isAsIndexed)) certain = false;
    if (!manifest || !stored || !(isUnknown || isAsIndexed)) return;
    const asOf = (psp: PspRecord): PspRecord => ({ ...psp, asOf: psp.asOf ?? manifest.published });
    // a copy under another number goes with the link that made it
    const own = withoutCopies(stored);
    const stays = malformed.has(name)
      ? own.map(({ absentSince: _, ...psp }) => asOf(withReadable(psp, byNumber)))
      : own.flatMap((psp) => awaitSecond(psp, absence).map(asOf));
    if (!stays.some(({ categories }) => categories.length > 0)) return;
    entries.set(name, stays);
    if (!malformed.has(name)) awaited.push(...stays.map(({ authNumber }) => authNumber));
  });
  return certain ? { entries, awaited: awaited.sort() } : null;
}

/** Empty if a second fetch agrees that there is none. */
function awaitSecond(psp: PspRecord, absence: Absence | null): PspRecord[] {
  const fetchedAt = absence?.fetchedAt ?? null;
  if (fetchedAt === null) return [psp];
  const { absentSince = fetchedAt } = psp;
  return Date.parse(fetchedAt) - Date.parse(absentSince) >= AGREEMENT_MS ? [] : [{ ...psp, absentSince }];
}

/**
 * What the new snapshot says counts, whatever of the PSP's other records cannot be read. Of what is stored only the categories
 * stay whose record is malformed: another one that the snapshot has no more is gone.
 */
function withReadable(psp: PspRecord, byNumber: ReadonlyMap<string, readonly RefusedPsp[]>): PspRecord {
  const its = byNumber.get(normaliseAuthorisationNumber(psp.authNumber)) ?? [];
  // the first of a number, as its others have the same
  const [first] = its;
  // another NCA's PSP in the same entry
  if (!first) return psp;
  const { readable = [] } = first;
  const older = psp.categories.filter(
    ({ category }) =>
      its.some((one) => one.category === category) && !readable.some((one) => one.category === category),
  );
  return { ...psp, categories: [...readable, ...older] };
}

const MAX_DROPPED_SHARE = 0.1;

/** Why a register is not imported without `force`. */
export interface ImportRefusal {
  readonly reason: "drops-too-many";
  readonly country: string;
  readonly source: Register["source"];
  readonly stored: number;
  /** Number of stored PSPs that are missing, malformed or undated in the register. */
  readonly dropped: number;
}

/** `links`: an entry of which nothing is known but that a link made it under this name is no PSP that is missing. */
export function findDrop(
  index: Index,
  register: Register,
  links: readonly Pick<NumberLink, "number">[] = [],
): ImportRefusal | null {
  const { country, source } = register;
  const sound = new Set(register.psps.map((psp) => pspName(psp.authNumber)));
  // a source that writes its days in another way is broken, too
  for (const authNumber of register.undated ?? []) sound.delete(pspName(authNumber));
  const linked = new Set(links.map(({ number }) => pspName(sharedSpelling(number))));
  const stored = Object.entries(index).filter(
    ([name, hash]) => isPspEntry(name, hash) && !(hash === UNKNOWN_HASH && linked.has(name)),
  );
  const dropped = stored.filter(([name]) => !sound.has(name)).length;
  // one may always go: in a country with less than ten PSPs it is more than a tenth
  if (dropped <= Math.max(1, stored.length * MAX_DROPPED_SHARE)) return null;
  return { reason: "drops-too-many", country, source, stored: stored.length, dropped };
}

/** Work on many things, so many at a time: of a batch with one that fails no other is begun, unlike in lanes (platform/stores.ts). */
export async function inBatches<Item>(items: Iterable<Item>, size: number, work: (item: Item) => Promise<void>) {
  let underWay: Promise<void>[] = [];
  for (const item of items) {
    underWay.push(work(item));
    if (underWay.length < size) continue;
    await Promise.all(underWay);
    underWay = [];
  }
  await Promise.all(underWay);
}
