/** What registers say of a PSP, remembered by the isolate: a PSP that acts is asked about often. */
import { normaliseAuthorisationNumber, parseAuthorisationNumber } from "../eidas/authorisation-number.ts";
import { Memory } from "../memory.ts";
import { reach } from "../store-error.ts";
import { type RegisterReading, readRegister } from "./reading.ts";

/** A PSP that loses its authorisation is refused within this time after the import. KV caches no shorter. */
const REMEMBERED_SECONDS = 30;
const REMEMBERED_READINGS = 10_000;

const remembered = new Memory<RegisterReading>(REMEMBERED_READINGS);

/** `readRegister`, at most one round trip to KV. `now` in milliseconds since 1970. Throws {@link StoreError}. */
export async function findRegister(
  kv: KVNamespace,
  country: string,
  authNumber: string,
  now: number,
): Promise<RegisterReading> {
  const key = `${country} ${normaliseAuthorisationNumber(authNumber)}`;
  const known = remembered.get(key, now);
  if (known) return known;
  const reading = await reach("register", () => readRegister(kv, country, authNumber));
  remembered.set(key, reading, now + REMEMBERED_SECONDS * 1000);
  return reading;
}

/** The PSP's home register. A number that names no country has an empty one. Throws {@link StoreError}. */
export async function findHomeRegister(kv: KVNamespace, authNumber: string, now: number): Promise<RegisterReading> {
  const number = parseAuthorisationNumber(authNumber);
  if (!number.ok) return { country: "", manifests: [], categories: [], ambiguous: false };
  return findRegister(kv, number.country, authNumber, now);
}
