/**
 * Imports a register into KV. Writes only changed entries and removes those that are no longer in the register: entries
 * first, then the manifest, then the index of their hashes. Each PSP is replaced in one write. If an import is interrupted,
 * the next one finishes it, with the same file or another. If the number of writes is limited, as in an invocation of a
 * Worker, the next run continues. While KV may not show what the last import wrote, nothing is imported
 * (stored-register.ts).
 */
import { normaliseAuthorisationNumber } from "../../eidas/authorisation-number.ts";
import { clock } from "../../platform/clock.ts";
import { NO_CHANGE, recordChange, sumChanges } from "../../platform/import-change.ts";
import type { Instant } from "../../platform/instant.ts";
import { commonForms } from "../holes.ts";
import { pspName } from "../keys.ts";
import { listRegisters, MOST_NAMED, type RegisterManifest } from "../manifest.ts";
import { copyLinked, type NumberLink } from "../number-links.ts";
import { findableNumber, type PspRecord } from "../psp-record.ts";
import { AgentRoll, type Register, type RegisterEntry, registerEntries } from "../register.ts";
import { type RegisterSource, SOURCES } from "../sources.ts";
import { countChange, countImport, hashIndex, type ImportCounts, type ImportPlan, planImport } from "./import-plan.ts";
import { runOf, type WriteOptions, writeRegister } from "./register-writes.ts";
import { readImportGround } from "./stored-links.ts";
import {
  type Absence,
  findDrop,
  type ImportRefusal,
  type RegisterStores,
  readKept,
  readStored,
  type StoredRegister,
  settledAt,
  type Unsettled,
  unsettled,
} from "./stored-register.ts";

interface ImportOptions extends WriteOptions {
  readonly now: Instant;
  /** The most entries to write and remove. The manifest is not replaced until none is left. */
  readonly maxWrites?: number;
}

export interface RegisterImportOptions extends ImportOptions {
  /** Import even if the register lacks more than a tenth of the stored PSPs. */
  readonly force: boolean;
  /** Refuse a register from before the one that was imported last. */
  readonly refuseOlder?: boolean;
}

export type ImportResult =
  | ({ readonly ok: true } & ImportCounts)
  | ({ readonly ok: false } & ImportRefusal)
  /** `last`, ISO 8601: when that was published which was imported last, even if its import broke off. */
  | { readonly ok: false; readonly reason: "older"; readonly last: string }
  | Unsettled;

/** The country's links, which the import carries out. */
interface Linked {
  readonly links: readonly NumberLink[];
}

/** Replaces a country's register of one source. Throws only errors of the store. */
export async function importRegister(
  stores: RegisterStores,
  register: Register,
  options: RegisterImportOptions,
): Promise<ImportResult> {
  const { country, source } = register;
  const { runs, links } = await readImportGround(stores.DB, source, country);
  const run = runs[0] ?? null;
  const stored = await readStored(stores.KV, register, run);
  if (!stored.ok) return stored;
  // KV may show the manifest as it was: an import that changed no entry turns nothing else
  const last = run?.published ?? stored.manifest?.published;
  if (options.refuseOlder && last !== undefined && register.published < last)
    return { ok: false, reason: "older", last };
  const drop = options.force ? null : findDrop(stored.index, register, links);
  return drop ? { ok: false, ...drop } : importOver(stores, register, { ...stored, links }, options);
}

/** What a file says of itself, or does not say. */
interface Origin {
  readonly absence: Absence | null;
  readonly marks: Pick<RegisterManifest, "dated" | "sha256">;
}

const WHOLE: Origin = { absence: null, marks: {} };

/** Replaces what is stored, whatever it has. Throws only errors of the store. */
async function importOver(
  stores: RegisterStores,
  register: Register,
  stored: StoredRegister & Linked,
  { now, maxWrites = Number.POSITIVE_INFINITY, ...writing }: ImportOptions,
  { absence, marks }: Origin = WHOLE,
): Promise<({ readonly ok: true } & ImportCounts) | Unsettled> {
  const kept = await readKept(stores.KV, register, stored, absence);
  if (!kept) return unsettled(register, stored.settledAt);
  const contents = withLinks(register, kept.entries, stored);
  const plan = planImport(listEntries(contents), stored.index, stored.unknown, maxWrites);
  const counts = countImport(register, plan, kept);
  const run = runOf(plan, stored, now);
  const manifest = manifestAfter(register, stored, plan, counts, { hash: hashIndex(plan.next), run, now, marks });
  await writeRegister(stores, register, { stored, plan, run, manifest }, listEntries(contents), writing);
  return { ok: true, ...counts };
}

/** Before an import's last run as it was, but for what changed so far; null if there was none. */
function manifestAfter(
  { country, source, published, ncaId, ncaName, newestRecord, lacks, whole, psps: listed, agents }: Register,
  { manifest, index, unknown }: StoredRegister,
  plan: ImportPlan,
  { psps, refused, kept, awaited, undated, left }: ImportCounts,
  {
    hash,
    run,
    now,
    marks,
  }: Pick<Origin, "marks"> & { readonly hash: string; readonly run: string; readonly now: Instant },
): RegisterManifest | null {
  const change = countChange(plan, index, unknown);
  if (left > 0) return manifest && { ...manifest, changeSoFar: sumChanges(manifest.changeSoFar ?? NO_CHANGE, change) };
  return {
    ...{ country, source, ncaId, ncaName, published, newestRecord, fetchedAt: new Date(now).toISOString() },
    ...{ psps, agents: agents.size, refused, hash, run, ...marks },
    ...(lacks && { lacks }),
    ...(whole && { whole }),
    numberForms: commonForms(listed.map(({ authNumber }) => normaliseAuthorisationNumber(authNumber))),
    ...(kept.length > 0 && { kept: kept.slice(0, MOST_NAMED) }),
    ...(awaited.length > 0 && { awaited: awaited.slice(0, MOST_NAMED) }),
    ...(undated.length > 0 && { undated: undated.slice(0, MOST_NAMED) }),
    // of the first import only the PSPs are known that its last run found stored
    ...recordChange(manifest, manifest ? change : { ...NO_CHANGE, added: psps }, now),
  };
}

interface Contents {
  readonly kept: readonly PspRecord[];
  readonly others: readonly PspRecord[];
  readonly agents: AgentRoll;
}

/** The register's PSPs but for those that stay, with the copies that links make of all of them. */
function withLinks(
  { psps, agents }: Register,
  kept: ReadonlyMap<string, readonly PspRecord[]>,
  { links }: Linked,
): Contents {
  const isKept = (psp: PspRecord) => kept.has(pspName(findableNumber(psp)));
  const stay = [...kept.values()].flat();
  const others = psps.filter((psp) => !isKept(psp));
  const copies = links.length === 0 ? [] : copyLinked([...stay, ...others], links);
  return {
    kept: [...stay, ...copies.filter(isKept)],
    others: [...others, ...copies.filter((copy) => !isKept(copy))],
    agents,
  };
}

/** Those that stay first, as what they are is to be certain again soon. */
function* listEntries({ kept, others, agents }: Contents): Generator<RegisterEntry> {
  yield* registerEntries({ psps: kept, agents: new AgentRoll() });
  yield* registerEntries({ psps: others, agents });
}

/** A file of a source with the registers of all its countries. */
export interface SourceFile {
  readonly registers: { readonly source: RegisterSource; registers(published: string): Iterable<Register> };
  /** ISO 8601. */
  readonly published: string;
  /** Set if that is the instant of a fetch. */
  readonly dated?: "fetch";
  /** SHA-256 in lower-case hex. */
  readonly sha256?: string;
}

export type SourceImport =
  | {
      readonly ok: true;
      readonly countries: readonly ImportCounts[];
      /** Entries of all countries left for the next run because of `maxWrites`. */
      readonly left: number;
    }
  /** Countries that would lose more than a tenth of their PSPs. Nothing was written. */
  | { readonly ok: false; readonly reason: "drops-too-many"; readonly drops: readonly ImportRefusal[] }
  /** A country of which KV does not show yet what the last import wrote. Those before it may be imported. */
  | Unsettled;

/**
 * Replaces a source's register of every country that is in the file or stored. If it is interrupted, the next import
 * finishes it, because that is true of each country's import (import-register.ts). A finished country then costs one
 * write. Nothing is written before what is stored was read of all; that is held meanwhile, some 0.1 KB for each PSP.
 */
export async function importSource(
  stores: RegisterStores,
  file: SourceFile,
  options: Omit<RegisterImportOptions, "refuseOlder"> & { readonly onCountry?: (done: number, total: number) => void },
): Promise<SourceImport> {
  const { source: its } = file.registers;
  const registers = [...file.registers.registers(file.published)];
  const { runs, links } = await readImportGround(stores.DB, its, null);
  const linksOf = Map.groupBy(links, ({ country }) => country);
  const manifests = (await listRegisters(stores.KV)).filter(({ source }) => source === its);
  const inFile = new Set(registers.map(({ country }) => country));
  const shown = new Set(manifests.map(({ country }) => country));
  // imported, and not in the list of KV: it may not show it yet
  const hidden = runs.find(({ country }) => !inFile.has(country) && !shown.has(country));
  if (hidden && clock.now() < settledAt(hidden)) return unsettled(hidden, settledAt(hidden));
  const gone = manifests.filter(({ country }) => !inFile.has(country));
  const all = [...registers, ...gone.map((manifest) => withoutPsps(manifest, file.published))];
  const countriesRead = await Promise.all(
    all.map(async (register) => {
      const last = runs.find(({ country }) => country === register.country) ?? null;
      return { register, stored: await readStored(stores.KV, register, last) };
    }),
  );
  const settled: { register: Register; stored: StoredRegister & Linked }[] = [];
  for (const { register, stored } of countriesRead) {
    if (!stored.ok) return stored;
    settled.push({ register, stored: { ...stored, links: linksOf.get(register.country) ?? [] } });
  }
  const drops = options.force
    ? []
    : settled.flatMap(({ register, stored }) => findDrop(stored.index, register, stored.links) ?? []);
  if (drops.length > 0) return { ok: false, reason: "drops-too-many", drops };
  const { dated, sha256, published } = file;
  const origin: Origin = {
    absence: SOURCES[its].namesWithdrawn || options.force ? null : { fetchedAt: dated ? published : null },
    marks: dated ? { dated, ...(sha256 && { sha256 }) } : {},
  };
  const countries: ImportCounts[] = [];
  let writesLeft = options.maxWrites ?? Number.POSITIVE_INFINITY;
  for (const { register, stored } of settled) {
    const result = await importOver(stores, register, stored, { ...options, maxWrites: writesLeft }, origin);
    if (!result.ok) return result;
    countries.push(result);
    writesLeft -= result.written + result.removed;
    options.onCountry?.(countries.length, all.length);
  }
  return { ok: true, countries, left: countries.reduce((sum, { left }) => sum + left, 0) };
}

/** The register of a country of which the file has nothing. */
const withoutPsps = ({ country, source, ncaId, ncaName }: RegisterManifest, published: string): Register => ({
  ...{ country, source, ncaId, ncaName, published },
  ...{ psps: [], agents: new AgentRoll(), refused: [] },
});
