/** The service's public keys, from a file or an address: what a verification trusts. */
import type { PublicSigningKey } from "../evidence/signatures/signing-keys.ts";
import { isProtected } from "./audit-service.ts";
import { EXIT, fail } from "./fail.ts";
import { readInput } from "./input-file.ts";

const KEYS_TIMEOUT_MS = 10_000;

/** Of a set in the form of RFC 7517 those that are of this service's kind. */
export async function readKeys(place: string): Promise<PublicSigningKey[]> {
  const address = /^https?:/.test(place) ? URL.parse(place) : null;
  // whoever could change the keys on the way could prove anything by them
  if (address && !isProtected(address)) fail(`--keys: ${place} is neither https nor on this machine`, EXIT.usage);
  const text = address ? await download(place) : new TextDecoder().decode(await readInput(place));
  try {
    const { keys } = JSON.parse(text) as { keys: unknown };
    if (Array.isArray(keys)) return keys.filter(({ crv }) => crv === "Ed25519");
  } catch {}
  return fail(`${place}: expected is a set of keys such as {"keys": [...]} (RFC 7517)`, EXIT.unknown);
}

async function download(address: string): Promise<string> {
  const lost = (error: Error) => fail(`${address} could not be read: ${error.message}`, EXIT.unknown);
  const signal = AbortSignal.timeout(KEYS_TIMEOUT_MS);
  const answer = await fetch(address, { signal, redirect: "error" }).catch(lost);
  if (!answer.ok) fail(`${address} answered ${answer.status}`, EXIT.unknown);
  return await answer.text().catch(lost);
}
