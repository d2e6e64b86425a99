/** The keys with which the team's Cloudflare Access signs, as it publishes them; kept for an hour. */
import { heapBytes, MEMORY_SHARES, Memory } from "../platform/memory.ts";
import { StoreError } from "../platform/stores.ts";
import { fetchOnce, findBackOff, recordFailure, type Waiting } from "../revocation/source-attempts.ts";
import type { AccessKey } from "./access.ts";

interface KnownKeys {
  readonly keys: readonly AccessKey[];
  /** Milliseconds since 1970. */
  readonly readAt: number;
}

const LIFETIME_MS = 3_600_000;
/** An unknown key is looked for again after this time: Access replaces its keys every six weeks. */
const PAUSE_MS = 60_000;
/** For one request, with all that it waits for. */
const TIMEOUT_MS = 5_000;
const MAX_BYTES = 64 * 1024;

/** By the team's address. Exported for the test of its memory limit. */
export const knownAccessKeys = new Memory<KnownKeys>(MEMORY_SHARES.accessKeys, heapBytes);

/**
 * The team's address as ACCESS_TEAM_DOMAIN names it, with or without https:// and a slash at its end; null if it is
 * empty or no such address. Plain http is for a loopback address only, where tests have a team of their own.
 */
export function readTeam(configured: string): string | null {
  if (configured === "") return null;
  const url = URL.parse(configured.includes("://") ? configured : `https://${configured}`);
  if (url?.pathname !== "/" || url.search || url.hash || url.username || url.password) return null;
  const local = url.protocol === "http:" && (url.hostname === "127.0.0.1" || url.hostname === "localhost");
  return url.protocol === "https:" || local ? url.origin : null;
}

/**
 * The team's keys at `now` (milliseconds since 1970), read again if the one with `kid` is not among them. Requests that
 * need them at the same time share one fetch, and a team that failed is left alone for some seconds (fetchOnce). Throws
 * {@link StoreError} if they cannot be read.
 */
export async function findAccessKeys(
  ctx: Waiting["ctx"],
  team: string,
  kid: string | null,
  now: number,
): Promise<readonly AccessKey[]> {
  const known = knownAccessKeys.get(team, now);
  if (known && (known.keys.some((key) => key.kid === kid) || now < known.readAt + PAUSE_MS)) return known.keys;
  const url = `${team}/cdn-cgi/access/certs`;
  // of answers that are no keys; what is not answered at all fetchOnce knows
  const unusable = `${url} as a JWK set`;
  const failed = findBackOff(unusable, now);
  if (failed !== null) throw new StoreError(`${url} ${failed}`);
  const waiting = { ctx, now, signal: AbortSignal.timeout(TIMEOUT_MS) };
  const answer = await fetchOnce(url, { url, method: "GET", maxBytes: MAX_BYTES }, waiting, async (bytes) => {
    const keys = parseKeys(bytes);
    if (keys) knownAccessKeys.set(team, { keys, readAt: now }, now + LIFETIME_MS, now);
    else recordFailure(unusable, NO_KEYS, now);
  });
  if (!answer.ok) throw new StoreError(`${url} ${answer.message}`);
  const keys = parseKeys(answer.bytes);
  if (!keys) throw new StoreError(`${url} ${NO_KEYS}`);
  return keys;
}

const NO_KEYS = "is not a JWK set";

/** RFC 7517 section 5: keys that are not understood are passed over. Null for what is no JWK set. */
function parseKeys(bytes: Uint8Array): AccessKey[] | null {
  let set: { keys?: unknown } | null;
  try {
    set = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return null;
  }
  if (!Array.isArray(set?.keys)) return null;
  return set.keys.flatMap(({ kid, kty, n, e }: Record<string, unknown>) =>
    [kid, kty, n, e].every((member) => typeof member === "string") ? [{ kid, kty, n, e } as unknown as AccessKey] : [],
  );
}
