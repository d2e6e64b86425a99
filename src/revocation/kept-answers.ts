/** Combines the stored answers of a slot from KV and from the isolate's memory, and writes the newest ones to KV. */
import { Buffer } from "node:buffer";
import type { Instant } from "../platform/instant.ts";
import { memoryOf } from "../platform/memory.ts";
import type { KeyValueStore } from "../platform/stores.ts";
import { callStore, LONG_STORE_TIMEOUT_MS } from "../platform/stores.ts";
import type { AnswerMemory } from "./answer-memory.ts";
import { listNewest, type Problem, type VerifiedAnswer } from "./verified-answer.ts";

/** KV metadata of the newest answer, available from a listing without reading the value. */
export interface KeptMetadata {
  readonly thisUpdate: Instant;
  readonly nextUpdate: Instant | null;
  /** Absent for an OCSP response, and when the URL is too long for the metadata. */
  readonly crlUrl?: string;
}

const MAX_METADATA_BYTES = 1_024;
/** KV's shortest time to live. */
const MIN_KV_TTL_MS = 60_000;
/** KV's limit is 25 MiB. */
const MAX_VALUE_BYTES = 24 * 1024 * 1024;

/** Answers missing in KV are written again, but not within the time that KV may take to show the last write. */
const REPEAT_MS = 60_000;
/** By KV key. */
const puts = memoryOf<true>("revocationPuts");

/** By KV key: a value from KV, or the isolate's memory of a value read within the last 30 seconds. */
export type CachedRevocation = ReadonlyMap<string, Uint8Array | readonly VerifiedAnswer[]>;

export interface Learned {
  /** The newest answer of each line, from KV and the isolate's memory. */
  readonly answers: readonly VerifiedAnswer[];
  readonly problem: Problem | null;
  /** True when KV lacks some of the answers: a write failed, or an older answer overwrote a newer one. */
  readonly isMissingInKv: boolean;
}

/** Verifies a slot's value from KV and merges it with the isolate's memory. */
export async function learn(slot: CacheSlot, cached: CachedRevocation, now: Instant): Promise<Learned> {
  const { key, memory } = slot;
  const stored = cached.get(key);
  const held = memory.list(key);
  if (stored !== undefined && !(stored instanceof Uint8Array))
    return { answers: listNewest([...held, ...stored], now), problem: null, isMissingInKv: false };
  const { answers: read, problem } = stored ? await slot.read(stored, held, now) : { answers: [], problem: null };
  if (stored) memory.add(key, read, now, now);
  // The memory is read again, because another request may have added a newer answer meanwhile.
  const answers = listNewest([...read, ...held, ...memory.list(key)], now);
  const missing = answers.filter((answer) => !read.includes(answer) && isWorthKeeping(slot, answer, now));
  return { answers, problem, isMissingInKv: missing.length > 0 && !puts.get(key, now) };
}

/**
 * Writes the newest answer of each line: from KV, the isolate's memory, and `fresh`. Returns everything known
 * afterwards. KV has no compare-and-swap, so of two writes within a minute the older answer may stay, never beyond its
 * nextUpdate: an isolate that holds the newer one writes it again.
 */
export async function keep(
  kv: Pick<KeyValueStore, "get" | "put">,
  slot: CacheSlot,
  fresh: readonly VerifiedAnswer[],
  now: Instant,
): Promise<readonly VerifiedAnswer[]> {
  const { key, memory } = slot;
  puts.set(key, true, now + REPEAT_MS, now);
  const value = await callStore("KV", () => kv.get(key, "arrayBuffer"));
  const held = [...memory.list(key), ...fresh];
  const read = value ? (await slot.read(new Uint8Array(value), held, now)).answers : [];
  const known = listNewest([...read, ...held, ...memory.list(key)], now);
  const kept = listThoseThatFit(known.filter((answer) => isWorthKeeping(slot, answer, now)));
  if (kept.every((answer) => read.includes(answer))) return known;
  const expirationTtl = Math.ceil((Math.max(...kept.map(slot.keptUntil)) - now) / 1000);
  const options = { expirationTtl, metadata: describe(slot, kept) };
  await callStore("KV", () => kv.put(key, slot.encode(kept), options), LONG_STORE_TIMEOUT_MS);
  return known;
}

const isWorthKeeping = (slot: CacheSlot, answer: VerifiedAnswer, now: Instant): boolean =>
  slot.keptUntil(answer) - now >= MIN_KV_TTL_MS;

function listThoseThatFit(answers: readonly VerifiedAnswer[]): VerifiedAnswer[] {
  let bytes = 0;
  return answers.filter(({ der, issuer }) => {
    bytes += der.length + (issuer?.length ?? 0);
    return bytes <= MAX_VALUE_BYTES;
  });
}

function describe({ crlUrl }: CacheSlot, answers: readonly VerifiedAnswer[]): KeptMetadata {
  const { thisUpdate, nextUpdate } = answers.reduce((a, b) => (b.thisUpdate > a.thisUpdate ? b : a));
  const all: KeptMetadata = { thisUpdate, nextUpdate, ...(crlUrl !== null && { crlUrl }) };
  return Buffer.byteLength(JSON.stringify(all)) <= MAX_METADATA_BYTES ? all : { thisUpdate, nextUpdate };
}

export interface CacheSlot {
  readonly key: string;
  readonly memory: AnswerMemory;
  /** The URL from which refresh/crls.ts fetches the CRL before it expires; null for an OCSP response. */
  readonly crlUrl: string | null;
  /** Decodes and verifies a KV value. Answers in `held` (the isolate's memory) are not verified a second time. */
  readonly read: (value: Uint8Array, held: readonly VerifiedAnswer[], now: Instant) => Promise<SlotReading>;
  readonly encode: (answers: readonly VerifiedAnswer[]) => Uint8Array;
  /** KV keeps the answer until then. */
  readonly keptUntil: (answer: VerifiedAnswer) => number;
}

export interface SlotReading {
  readonly answers: readonly VerifiedAnswer[];
  readonly problem: Problem | null;
}

/** The longest period of a CA's CRL (CA/Browser Forum Baseline Requirements 4.9.7): no older one can be replayed. */
export const LONGEST_SPAN_MS = 366 * 86_400_000;

/** Compares bytes. `sameBytes` calls a function per byte, which is slow for megabytes. */
export const isSameAnswer = (a: Uint8Array, b: Uint8Array): boolean =>
  a === b || (a.length === b.length && Buffer.compare(a, b) === 0);
