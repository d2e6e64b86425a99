/** What is known under a slot's key, by KV and by the isolate's memory, and putting the newest of it into KV. */
import { Buffer } from "node:buffer";
import type { KeyValueStore } from "../key-value-store.ts";
import { heapBytes } from "../memory/heap-bytes.ts";
import { Memory } from "../memory/memory.ts";
import { MEMORY_SHARES } from "../memory/memory-shares.ts";
import type { CacheSlot, SlotProblem } from "./cache-slot.ts";
import type { CachedRevocation } from "./revocation-store.ts";
import { listNewest, type VerifiedAnswer } from "./verified-answer.ts";

/** What KV's listing says of a kept answer without reading it: of the newest, where there are several. */
export interface KeptMetadata {
  readonly thisUpdate: number;
  readonly nextUpdate: number | null;
  /** Absent for an OCSP response, and for a CRL whose URL is too long to be kept here. */
  readonly crlUrl?: string;
}

const MAX_METADATA_BYTES = 1_024;
/** KV keeps nothing for a shorter time. */
const MIN_KV_TTL_MS = 60_000;
/** KV takes at most 25 MiB. */
const MAX_VALUE_BYTES = 24 * 1024 * 1024;

/** What the isolate knows and KV does not is put again, but no more often than KV needs to show what was put. */
const REPEAT_MS = 60_000;
/** By KV key. Exported for the test that fills it. */
export const puts = new Memory<true>(MEMORY_SHARES.revocationPuts, heapBytes);

export interface Learned {
  /** The newest answer of each line, of KV and of the isolate's memory. */
  readonly answers: readonly VerifiedAnswer[];
  /** Why something of KV's value was left out, or null. */
  readonly problem: SlotProblem | null;
  /** KV lacks some of them: a put failed, or an older answer was put over a newer one. */
  readonly isMissingInKv: boolean;
}

/** Verifies what was read of KV under a slot's key, and unites it with what the isolate remembers. */
export async function learn(slot: CacheSlot, cached: CachedRevocation, now: number): Promise<Learned> {
  const { key, memory } = slot;
  const stored = cached.get(key);
  const held = memory.list(key);
  if (stored !== undefined && !(stored instanceof Uint8Array))
    return { answers: listNewest([...held, ...stored], now), problem: null, isMissingInKv: false };
  const { answers: read, problem } = stored ? await slot.read(stored, held, now) : { answers: [], problem: null };
  if (stored) memory.remember(key, read, now, now);
  // the memory is asked again: another request may have brought a newer one meanwhile
  const answers = listNewest([...read, ...held, ...memory.list(key)], now);
  const missing = answers.filter((answer) => !read.includes(answer) && isWorthKeeping(slot, answer, now));
  return { answers, problem, isMissingInKv: missing.length > 0 && !puts.get(key, now) };
}

/**
 * Puts the newest answer of each line: of KV as it is now, of the isolate's memory, and of `fresh`, which verified just
 * now. Answers what is known then.
 *
 * KV has no compare-and-swap and takes up to a minute to show a write elsewhere. So of two locations that put within that
 * minute the later put stays, and it may be the older answer: one that was current at its source when it was verified.
 * That lasts until an isolate that remembers the newer one reads KV (it puts it again) or the next one is fetched, and
 * never past the older one's own nextUpdate.
 */
export async function keep(
  kv: Pick<KeyValueStore, "get" | "put">,
  slot: CacheSlot,
  fresh: readonly VerifiedAnswer[],
  now: number,
): Promise<readonly VerifiedAnswer[]> {
  const { key, memory } = slot;
  puts.set(key, true, now + REPEAT_MS, now);
  const value = await kv.get(key, "arrayBuffer");
  const held = [...memory.list(key), ...fresh];
  const read = value ? (await slot.read(new Uint8Array(value), held, now)).answers : [];
  const known = listNewest([...read, ...held, ...memory.list(key)], now);
  const kept = listThoseThatFit(known.filter((answer) => isWorthKeeping(slot, answer, now)));
  if (kept.every((answer) => read.includes(answer))) return known;
  const expirationTtl = Math.ceil((Math.max(...kept.map(slot.keptUntil)) - now) / 1000);
  await kv.put(key, slot.encode(kept), { expirationTtl, metadata: describe(slot, kept) });
  return known;
}

/** One that ends at once is of no use to anybody. */
const isWorthKeeping = (slot: CacheSlot, answer: VerifiedAnswer, now: number): boolean =>
  slot.keptUntil(answer) - now >= MIN_KV_TTL_MS;

/** Lines that were met first have precedence. */
function listThoseThatFit(answers: readonly VerifiedAnswer[]): VerifiedAnswer[] {
  let bytes = 0;
  return answers.filter(({ der, issuer }) => {
    bytes += der.length + (issuer?.length ?? 0);
    return bytes <= MAX_VALUE_BYTES;
  });
}

function describe({ crlUrl }: CacheSlot, answers: readonly VerifiedAnswer[]): KeptMetadata {
  const thisUpdate = Math.max(...answers.map((answer) => answer.thisUpdate));
  const nextUpdate = answers.find((answer) => answer.thisUpdate === thisUpdate)?.nextUpdate ?? null;
  const all: KeptMetadata = { thisUpdate, nextUpdate, ...(crlUrl !== null && { crlUrl }) };
  return Buffer.byteLength(JSON.stringify(all)) <= MAX_METADATA_BYTES ? all : { thisUpdate, nextUpdate };
}
