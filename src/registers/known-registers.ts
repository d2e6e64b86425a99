/** Register readings of PSPs, cached in the isolate: an active PSP is checked often. */
import { normaliseAuthorisationNumber, parseAuthorisationNumber } from "../eidas/authorisation-number.ts";
import { heapBytes } from "../memory/heap-bytes.ts";
import { Memory, memoryKey } from "../memory/memory.ts";
import { MEMORY_SHARES } from "../memory/memory-shares.ts";
import { callStore } from "../store-error.ts";
import { type RegisterReading, readRegister } from "./reading.ts";

/** After an import, a withdrawn authorisation takes effect within this time. KV's own cache allows no shorter one. */
const REMEMBERED_SECONDS = 30;

/** By country and authorisation number. Exported for the test that fills it. */
export const knownRegisters = new Memory<RegisterReading>(MEMORY_SHARES.registers, heapBytes);

/** As `readRegister`; at most one round trip to KV. `now`: milliseconds since 1970. Throws {@link StoreError}. */
export async function findRegister(
  kv: KVNamespace,
  country: string,
  authNumber: string,
  now: number,
): Promise<RegisterReading> {
  // digested: the length of a number on a certificate is not limited
  const key = memoryKey(`${country} ${normaliseAuthorisationNumber(authNumber)}`);
  const known = knownRegisters.get(key, now);
  if (known) return known;
  // a copy: in V8 a substring of the agents' entry would keep the whole text in memory
  const reading = structuredClone(await callStore("register", () => readRegister(kv, country, authNumber)));
  knownRegisters.set(key, reading, now + REMEMBERED_SECONDS * 1000, now);
  return reading;
}

/**
 * The PSP's home register; an empty one if the number has no country. `now`: milliseconds since 1970. Throws
 * {@link StoreError}.
 */
export async function findHomeRegister(kv: KVNamespace, authNumber: string, now: number): Promise<RegisterReading> {
  const number = parseAuthorisationNumber(authNumber);
  if (!number.ok) return { country: "", manifests: [], categories: [], ambiguous: false };
  return findRegister(kv, number.country, authNumber, now);
}
