/** KV as a file and back: JSON that `wrangler kv bulk put` takes, too. Some entries at a time are in memory. */

import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { createInterface } from "node:readline";
import * as z from "zod";
import type { Instant } from "../../platform/instant.ts";

/** A Worker may have six connections; a local store takes many more. */
const AT_ONCE = 50;
/** Workers KV takes no expiration that is nearer. */
const MIN_LIFE_SECONDS = 60;
const MAX_LIFE_SECONDS = 2 ** 31 - 1;

const ENTRY = z.object({
  key: z.string(),
  value: z.string(),
  base64: z.literal(true),
  /** Seconds since 1970. */
  expiration: z.number().optional(),
  metadata: z.unknown().optional(),
});

/** Writes the file and returns the number of entries. Values are in base64, because some are bytes. */
export async function copyKeyValues(kv: KVNamespace, file: string, onEntries: (done: number) => void): Promise<number> {
  const output = await open(file, "wx", 0o600);
  let done = 0;
  try {
    await output.write("[");
    for await (const keys of listKeys(kv)) {
      const lines = await Promise.all(keys.map((key) => writeEntry(kv, key)));
      for (const line of lines) if (line !== null) await output.write(`${done++ > 0 ? "," : ""}\n${line}`);
      onEntries(done);
    }
    await output.write("\n]\n");
  } finally {
    await output.close();
  }
  return done;
}

type Key = KVNamespaceListKey<unknown>;

/** Null for an entry that has expired since it was listed. */
async function writeEntry(kv: KVNamespace, { name, expiration, metadata }: Key): Promise<string | null> {
  const value = await kv.get(name, "arrayBuffer");
  if (value === null) return null;
  const entry = { key: name, value: Buffer.from(value).toString("base64"), base64: true };
  return JSON.stringify({ ...entry, ...(expiration && { expiration }), ...(metadata !== undefined && { metadata }) });
}

/** Some keys at a time. */
async function* listKeys(kv: KVNamespace, prefix = ""): AsyncGenerator<Key[]> {
  for (let cursor: string | null = null, complete = false; !complete; ) {
    const page: KVNamespaceListResult<unknown> = await kv.list({ prefix, cursor });
    for (let from = 0; from < page.keys.length; from += AT_ONCE) yield page.keys.slice(from, from + AT_ONCE);
    complete = page.list_complete;
    cursor = page.list_complete ? null : page.cursor;
  }
}

/** OCSP answers and CRLs (revocation/). They are of their QTSPs, whatever state the service is set back to. */
const REVOCATION = "revocation/";

/** Of the answers that are stored: when they were made (revocation/kept-answers.ts). */
async function readAnswerTimes(kv: KVNamespace): Promise<ReadonlyMap<string, number>> {
  const times = new Map<string, number>();
  for await (const keys of listKeys(kv, REVOCATION))
    for (const { name, metadata } of keys) times.set(name, timeOf(metadata));
  return times;
}

const timeOf = (metadata: unknown): Instant => Number(Object(metadata).thisUpdate);

/**
 * Replaces all entries, but for a revocation answer that is not older than that of the file, or that the file lacks: a
 * certificate that was revoked since the backup would be good again until the previous answer ends. What has expired
 * meanwhile stays away.
 */
export async function restoreKeyValues(
  kv: KVNamespace,
  file: string,
  now: Instant,
  onEntries: (done: number) => void,
): Promise<void> {
  const kept = new Set<string>();
  const answered = await readAnswerTimes(kv);
  let done = 0;
  for await (const entries of readEntries(file)) {
    await Promise.all(
      entries.map(async ({ key, value, expiration, metadata }) => {
        if ((answered.get(key) ?? Number.NaN) >= timeOf(metadata)) return;
        // the binding takes an instant of 31 bits only; a life of 31 bits is 68 years
        const expirationTtl = expiration && Math.min(expiration - Math.floor(now / 1000), MAX_LIFE_SECONDS);
        if (expirationTtl !== undefined && expirationTtl < MIN_LIFE_SECONDS) return;
        kept.add(key);
        const options = { ...(expirationTtl && { expirationTtl }), ...(metadata !== undefined && { metadata }) };
        await kv.put(key, Buffer.from(value, "base64"), options);
      }),
    );
    done += entries.length;
    onEntries(done);
  }
  for await (const keys of listKeys(kv))
    await Promise.all(
      keys.filter(({ name }) => !kept.has(name) && !answered.has(name)).map(({ name }) => kv.delete(name)),
    );
}

async function* readEntries(file: string): AsyncGenerator<z.output<typeof ENTRY>[]> {
  let entries: z.output<typeof ENTRY>[] = [];
  for await (const line of createInterface({
    input: createReadStream(file, "utf8"),
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    if (!line.startsWith("{")) continue;
    entries.push(ENTRY.parse(JSON.parse(line.replace(/,$/, ""))));
    if (entries.length < AT_ONCE) continue;
    yield entries;
    entries = [];
  }
  if (entries.length > 0) yield entries;
}
