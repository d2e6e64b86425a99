/** What registers say of a PSP, remembered by the isolate: a PSP that acts is asked about often. */
import { normaliseAuthorisationNumber, parseAuthorisationNumber } from "../eidas/authorisation-number.ts";
import { heapBytes } from "../memory/heap-bytes.ts";
import { Memory, memoryKey } from "../memory/memory.ts";
import { MEMORY_SHARES } from "../memory/memory-shares.ts";
import { reach } from "../store-error.ts";
import { type RegisterReading, readRegister } from "./reading.ts";

/** A PSP that loses its authorisation is refused within this time after the import. KV caches no shorter. */
const REMEMBERED_SECONDS = 30;

/** By country and authorisation number. Exported for the test that fills it. */
export const knownRegisters = new Memory<RegisterReading>(MEMORY_SHARES.registers, heapBytes);

/** `readRegister`, at most one round trip to KV. `now` in milliseconds since 1970. Throws {@link StoreError}. */
export async function findRegister(
  kv: KVNamespace,
  country: string,
  authNumber: string,
  now: number,
): Promise<RegisterReading> {
  // a number on a certificate may be as long as it likes
  const key = memoryKey(`${country} ${normaliseAuthorisationNumber(authNumber)}`);
  const known = knownRegisters.get(key, now);
  if (known) return known;
  // a copy: a name cut out of the agents' entry would keep all of that text alive
  const reading = structuredClone(await reach("register", () => readRegister(kv, country, authNumber)));
  knownRegisters.set(key, reading, now + REMEMBERED_SECONDS * 1000, now);
  return reading;
}

/** The PSP's home register. A number that names no country has an empty one. Throws {@link StoreError}. */
export async function findHomeRegister(kv: KVNamespace, authNumber: string, now: number): Promise<RegisterReading> {
  const number = parseAuthorisationNumber(authNumber);
  if (!number.ok) return { country: "", manifests: [], categories: [], ambiguous: false };
  return findRegister(kv, number.country, authNumber, now);
}
