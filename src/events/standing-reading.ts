/** Reads what a PSP may do now, from the registers and the trusted lists. */
import { parseAuthorisationNumber } from "../eidas/authorisation-number.ts";
import { shareReads } from "../psp-check/shared-reads.ts";
import { type RegisterReading, readRegister } from "../registers/lookup.ts";
import { type ReadIssuers, readIssuers } from "./issuers.ts";
import { digestStanding, type PspStanding, readRegisterStanding } from "./standing.ts";

/** Null if no register of the PSP's country is loaded: then nothing is known, and nothing has changed. */
export function makeStanding(
  reading: RegisterReading | null,
  { issuers }: ReadIssuers,
  now: number,
): PspStanding | null {
  const register = reading && readRegisterStanding(reading, now);
  return register && { register, issuers };
}

/** Past the isolate's memory of readings, which may be older than the change. */
export async function readHomeRegister(kv: KVNamespace, pspId: string): Promise<RegisterReading | null> {
  const number = parseAuthorisationNumber(pspId);
  return number.ok ? await readRegister(kv, number.country, pspId) : null;
}

/** The PSP's standing now, as an institution that begins to watch it knows it; null if no register is loaded. */
export async function readStanding(env: Pick<Env, "DB" | "KV">, pspId: string, now: number) {
  const kv = shareReads(env.KV);
  const [reading, [issued = { issuers: [], evidence: new Map() }]] = await Promise.all([
    readHomeRegister(kv, pspId),
    readIssuers(env.DB, kv, [pspId], now),
  ]);
  const standing = makeStanding(reading, issued, now);
  if (standing === null) return null;
  const text = JSON.stringify(standing);
  return { digest: digestStanding(text), standing: text };
}
