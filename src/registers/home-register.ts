/** What a PSP's home register says, remembered by the isolate: for the endpoints that are asked about one PSP often. */
import { parseAuthorisationNumber } from "../eidas/authorisation-number.ts";
import { Memory } from "../memory.ts";
import { reach } from "../store-error.ts";
import { type RegisterReading, readRegister } from "./reading.ts";

/** A PSP that loses its authorisation is refused within this time after the import. KV caches no shorter. */
const REMEMBERED_SECONDS = 30;
const REMEMBERED_PSPS = 10_000;

const remembered = new Memory<RegisterReading>(REMEMBERED_PSPS);

/** At most one round trip to KV. A number that names no country has an empty register. Throws {@link StoreError}. */
export async function readHomeRegister(kv: KVNamespace, authNumber: string, now: number): Promise<RegisterReading> {
  const known = remembered.get(authNumber, now);
  if (known) return known;
  const number = parseAuthorisationNumber(authNumber);
  if (!number.ok) return { country: "", manifests: [], categories: [], ambiguous: false };
  const reading = await reach("register", () => readRegister(kv, number.country, authNumber));
  remembered.set(authNumber, reading, now + REMEMBERED_SECONDS * 1000);
  return reading;
}
