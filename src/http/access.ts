/**
 * The assertion that Cloudflare Access adds to a request which it let through: a JWT (RFC 7519) in the header
 * `Cf-Access-Jwt-Assertion`, signed with RS256 by the team. It is verified, since whoever reaches the Worker past Access
 * can send any header. The team's keys are kept for an hour.
 */

import { fromBase64, toBase64Url } from "../platform/encoding.ts";
import { heapBytes, MEMORY_SHARES, Memory } from "../platform/memory.ts";
import { hashSecret } from "../platform/secrets.ts";
import { StoreError } from "../platform/stores.ts";
import { fetchOnce, findBackOff, recordFailure, type Waiting } from "../revocation/source-attempts.ts";

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
function readTeam(configured: string): string | null {
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
  return set.keys.flatMap((key: Record<string, unknown> | null) => {
    const { kid, kty, n, e } = key ?? {};
    const isComplete = [kid, kty, n, e].every((member) => typeof member === "string");
    return isComplete ? [{ kid, kty, n, e } as AccessKey] : [];
  });
}

/** A public key of the team: RFC 7517, with the members that RS256 needs. */
export interface AccessKey {
  readonly kid: string;
  readonly kty: string;
  readonly n: string;
  readonly e: string;
}

/** `ok`: whom Access let in. */
export type AccessVerdict =
  | {
      readonly ok: true;
      /** Null for a service token: it has a name instead. */
      readonly email: string | null;
      /** Names this assertion, for the operator's forms: its hash, base64url. */
      readonly assertion: string;
    }
  | { readonly ok: false; readonly reason: keyof typeof ACCESS_REFUSALS };

/** Why an assertion is refused, in words. */
export const ACCESS_REFUSALS = {
  malformed: "it is not a JWT",
  "other algorithm": "it is not signed with RS256",
  "unknown key": "it is signed with a key that the team of ACCESS_TEAM_DOMAIN does not publish",
  "wrong signature": "its signature does not verify",
  "other issuer": "its issuer is not ACCESS_TEAM_DOMAIN",
  "other audience": "its audience is not ACCESS_AUDIENCE",
  expired: "it has expired; ask again",
  "not yet valid": "it is not valid yet",
  "no name": "it names neither a person nor a service token",
} as const;

/** The team's address and the application, as the deployment names them; null where it has no Access. */
export function readAccess({
  ACCESS_TEAM_DOMAIN,
  ACCESS_AUDIENCE: audience,
}: Pick<Env, "ACCESS_TEAM_DOMAIN" | "ACCESS_AUDIENCE">): { readonly issuer: string; readonly audience: string } | null {
  const issuer = readTeam(ACCESS_TEAM_DOMAIN);
  return issuer === null || audience === "" ? null : { issuer, audience };
}

/** Judges the assertion of a request at `now` (milliseconds since 1970). Throws {@link StoreError} as {@link findAccessKeys}. */
export async function judgeAssertion(
  assertion: string,
  access: { readonly issuer: string; readonly audience: string },
  ctx: Waiting["ctx"],
  now: number,
): Promise<AccessVerdict> {
  const keys = await findAccessKeys(ctx, access.issuer, readKeyId(assertion), now);
  return await verifyAccessToken(assertion, { keys, ...access }, now);
}

/** Clocks of the team's keys and of the Worker may differ by so much. */
const LEEWAY_SECONDS = 30;
/** Far above the size of an assertion with many groups. */
const MAX_CHARACTERS = 16 * 1024;

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

const refuse = (reason: keyof typeof ACCESS_REFUSALS) => ({ ok: false, reason }) as const;

/** The `kid` of an assertion's header, by which its key is found; null if it is no JWT. */
export function readKeyId(assertion: string): string | null {
  const kid = readPart(assertion.split(".")[0])?.["kid"];
  return typeof kid === "string" ? kid : null;
}

/**
 * Verifies an assertion at `now` (milliseconds since 1970). `issuer`: the team's address without a slash at its end;
 * `audience`: the AUD tag of the application.
 */
export async function verifyAccessToken(
  assertion: string,
  expected: { readonly keys: readonly AccessKey[]; readonly issuer: string; readonly audience: string },
  now: number,
): Promise<AccessVerdict> {
  const [head, body, signature, ...more] = assertion.length > MAX_CHARACTERS ? [] : assertion.split(".");
  const [header, claims, signed] = [readPart(head), readPart(body), fromBase64(signature ?? "")];
  if (!header || !claims || !signed || more.length > 0) return refuse("malformed");
  // RFC 8725 section 3.1: the algorithm is not the sender's choice
  if (header["alg"] !== "RS256") return refuse("other algorithm");
  const key = expected.keys.find(({ kid, kty }) => kid === header["kid"] && kty === "RSA");
  if (!key) return refuse("unknown key");
  if (!(await isSignedBy(key, signed, `${head}.${body}`))) return refuse("wrong signature");
  if (claims["iss"] !== expected.issuer) return refuse("other issuer");
  const audiences = [claims["aud"]].flat();
  if (!audiences.includes(expected.audience)) return refuse("other audience");
  const { exp, nbf, iat, email, common_name: service } = claims;
  const seconds = now / 1000;
  if (typeof exp !== "number" || seconds >= exp + LEEWAY_SECONDS) return refuse("expired");
  for (const begin of [nbf, iat])
    if (begin !== undefined && !(typeof begin === "number" && seconds >= begin - LEEWAY_SECONDS))
      return refuse("not yet valid");
  const named = [email, service].map((name) => typeof name === "string" && name !== "");
  if (!named.includes(true)) return refuse("no name");
  return { ok: true, email: named[0] ? String(email) : null, assertion: hashSecret(assertion) };
}

async function isSignedBy({ kty, n, e }: AccessKey, signature: Uint8Array<ArrayBuffer>, text: string) {
  const algorithm = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
  try {
    const key = await crypto.subtle.importKey("jwk", { kty, n, e }, algorithm, false, ["verify"]);
    return await crypto.subtle.verify(algorithm, key, signature, new TextEncoder().encode(text));
  } catch {
    // the team's key is not one of RSA
    return false;
  }
}

/** A JSON object in base64url; null for anything else. */
function readPart(part: string | undefined): Record<string, unknown> | null {
  const bytes = part === undefined || part === "" || part.length > MAX_CHARACTERS ? null : fromBase64(part);
  // RFC 7515 section 2: base64url without padding
  if (!bytes || toBase64Url(bytes) !== part) return null;
  try {
    const value: unknown = JSON.parse(utf8.decode(bytes));
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
