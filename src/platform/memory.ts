/**
 * A cache of an isolate that lasts between requests: a map that is bounded in bytes and whose entries expire. When it
 * is full, expired entries are removed first, then the oldest. Codes,
 * tokens and consents are never cached, because their use or revocation must take effect at once; but tokens for an
 * institution that allows some seconds (grants/kept-introspections.ts).
 */
import type { Instant } from "./instant.ts";
import { hashText } from "./node-crypto.ts";

interface Entry<Value> {
  readonly value: Value;
  readonly expiresAt: Instant;
  readonly bytes: number;
}

/** The size of an entry without the key's characters and the value; 150 bytes were measured. */
const ENTRY_BYTES = 256;
/**
 * A full cache is reduced to this part of its size, so that the search for expired entries walks the map once for many
 * new entries, not once for each.
 */
const KEPT_PART = 7 / 8;

export class Memory<Value> {
  readonly #entries = new Map<string, Entry<Value>>();
  readonly #maxBytes: number;
  readonly #weigh: (value: Value) => number;
  #bytes = 0;

  /** `weigh` returns an upper bound of a value's bytes in the heap, as {@link heapBytes} does for plain data. */
  constructor(maxBytes: number, weigh: (value: Value) => number) {
    this.#maxBytes = maxBytes;
    this.#weigh = weigh;
  }

  /** The estimated size of all entries; never more than `maxBytes`. */
  get bytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** The value, or undefined if it has expired or is absent. */
  get(key: string, now: Instant): Value | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    if (now < entry.expiresAt) return entry.value;
    this.delete(key);
    return undefined;
  }

  /** `key` must be short: use {@link memoryKey} for untrusted text. A value that is too large for the cache is not stored. */
  set(key: string, value: Value, expiresAt: Instant, now: Instant): void {
    this.delete(key);
    const bytes = ENTRY_BYTES + 2 * key.length + this.#weigh(value);
    if (bytes > this.#maxBytes * KEPT_PART) return;
    this.#entries.set(key, { value, expiresAt, bytes });
    this.#bytes += bytes;
    if (this.#bytes > this.#maxBytes) this.#makeRoom(now);
  }

  delete(key: string): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0;
    this.#entries.delete(key);
  }

  #makeRoom(now: Instant): void {
    for (const [key, { expiresAt }] of this.#entries) if (expiresAt <= now) this.delete(key);
    // a Map iterates in insertion order: oldest first
    for (const key of this.#entries.keys()) {
      if (this.#bytes <= this.#maxBytes * KEPT_PART) return;
      this.delete(key);
    }
  }
}

/** A key for text of any length: its SHA-256 in base64url. */
export const memoryKey = (text: string): string => hashText("sha256", text, "base64url");

/**
 * The maximum size of each cache of an isolate, in bytes. The platform limits an isolate to 128 MB: a quarter is for
 * caches, the rest for code, active requests and refreshes.
 */
const KIB = 1024;
const MIB = 1024 * KIB;

export const MEMORY_SHARES = {
  /** CRLs and their parsed form: must fit the largest accepted CRL, 10 MiB (revocation/answer-memory.ts). */
  crls: 11 * MIB,
  /** OCSP responses: about 4 KiB each. */
  ocspResponses: 1 * MIB,
  /** PSP checks by certificate and jurisdiction: 10 to 90 KiB each (psp-check/psp-check.ts). */
  checks: 6.125 * MIB,
  /** Active tokens of institutions that allow some seconds: 2 KiB each (grants/kept-introspections.ts). */
  introspections: 384 * KIB,
  /** Answers to PSP checks: 4 to 30 KiB each (psp-check/kept-answers.ts). */
  answers: 1.25 * MIB,
  /** Documents that are known to be kept: half a KiB each. */
  keptDocuments: 256 * KIB,
  /** Request counts of each IP in the last five minutes: 1 to 20 KiB each (http/middleware/rate-limit.ts). */
  sources: 3 * MIB,
  /** Trust anchors by name: about 30 KiB each. */
  anchors: 3 * MIB,
  /** Certificates of issuers that PSPs did not send: 1 to 2 KiB each (psp-check/kept-issuers.ts). */
  issuers: 192 * KIB,
  /** Headers with certificates, as they were sent: 4 to 16 KiB each (http/middleware/certificate.ts). */
  headers: 1.625 * MIB,
  /** The certificates of texts in bodies, and of long headers: half a KiB each (http/middleware/certificate.ts). */
  texts: 256 * KIB,
  /** Register readings of PSPs: 3 to 30 KiB each (registers/lookup.ts). */
  registers: 1.5 * MIB,
  /** Records that no ledger has confirmed yet: 1 to 3 KiB each (evidence/ledger/waiting-records.ts). */
  records: 768 * KIB,
  /** Verified credentials: less than 1 KiB each (http/middleware/financial-institution.ts). */
  credentials: 0.5 * MIB,
  /** Clients for which store reads start before authentication (http/middleware/read-ahead-gate.ts). */
  clients: 256 * KIB,
  /** Revocation sources that failed, and certificates whose revocation data was just refreshed (revocation/). */
  revocationFailures: 256 * KIB,
  revocationRefreshes: 256 * KIB,
  revocationPuts: 128 * KIB,
  /** Certificates that were shown, and PSPs with a grant: less than half a KiB each (events/observations.ts). */
  observations: 128 * KIB,
  /** A word and some codes. */
  health: 2 * KIB,
  /** The keys of the operators' Cloudflare Access: 2 KiB. */
  accessKeys: 64 * KIB,
  /** What the providers of institutions publish of themselves: about 6 KiB each (console/sign-in/provider.ts). */
  signInProviders: 112 * KIB,
} as const;

export const MAX_MEMORY_BYTES = 32 * MIB;

type Share = keyof typeof MEMORY_SHARES;

/** What the modules that are loaded remember, by share. */
export const memories = new Map<Share, Pick<Memory<unknown>, "bytes" | "size" | "set" | "delete">>();

/** The memory of a share. `weigh` as of {@link Memory}. */
export function memoryOf<Value>(share: Share, weigh: (value: Value) => number = heapBytes): Memory<Value> {
  const memory = new Memory<Value>(MEMORY_SHARES[share], weigh);
  memories.set(share, memory);
  return memory;
}

/** Header and length; V8 allocates in words of eight bytes. */
const STRING_BYTES = 32;
/** Most strings need one byte for each character, but strings with characters beyond U+00FF need two. */
const BYTES_PER_CHARACTER = 2;
/** The object and its array of elements, with spare capacity. */
const ARRAY_BYTES = 64;
const ELEMENT_BYTES = 8;
const OBJECT_BYTES = 64;
/** The value's slot; in an object with many properties also its hash table entry and the key's string. */
const PROPERTY_BYTES = 64;
/** V8 stores a number that is not a small integer as a heap object. */
const NUMBER_BYTES = 16;
const MAX_SMALL_INTEGER = 2 ** 30 - 1;

/** An object that occurs several times is counted once. */
export function heapBytes(value: unknown): number {
  return weigh(value, new Set());
}

function weigh(value: unknown, counted: Set<object>): number {
  if (typeof value === "string") return STRING_BYTES + BYTES_PER_CHARACTER * value.length;
  if (typeof value === "number")
    return Number.isInteger(value) && Math.abs(value) <= MAX_SMALL_INTEGER ? 0 : NUMBER_BYTES;
  if (typeof value !== "object" || value === null || counted.has(value)) return 0;
  counted.add(value);
  let bytes = 0;
  if (Array.isArray(value)) {
    for (const element of value) bytes += ELEMENT_BYTES + weigh(element, counted);
    return ARRAY_BYTES + bytes;
  }
  // not their entries, which would be an array for each
  for (const key of Object.keys(value))
    bytes += PROPERTY_BYTES + BYTES_PER_CHARACTER * key.length + weigh(Reflect.get(value, key), counted);
  return OBJECT_BYTES + bytes;
}

/**
 * Returns a function that makes the value by its first call, and gives the same from then on. For what a start of the Worker
 * would wait for and few requests use. If `make` throws, the next call makes it again.
 */
export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
