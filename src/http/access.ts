/**
 * The assertion that Cloudflare Access adds to a request which it let through: a JWT (RFC 7519) in the header
 * `Cf-Access-Jwt-Assertion`, signed with RS256 by the team. It is verified, since whoever reaches the Worker past Access
 * can send any header. The team's keys are kept for an hour.
 */

import type { JWTPayload } from "jose";
import { JOSEError, JWKSNoMatchingKey, JWTClaimValidationFailed } from "jose/errors";
import { jwtVerify } from "jose/jwt/verify";
import type { Instant } from "../platform/instant.ts";
import { memoryOf } from "../platform/memory.ts";
import { hashSecret } from "../platform/secrets.ts";
import { StoreError } from "../platform/stores.ts";
import { fetchOnce, findBackOff, recordFailure, type Waiting } from "../revocation/source-attempts.ts";

interface KnownKeys {
  readonly keys: readonly AccessKey[];
  readonly readAt: Instant;
}

const LIFETIME_MS = 3_600_000;
/** An unknown key is looked for again after this time: Access replaces its keys every six weeks. */
const PAUSE_MS = 60_000;
/** For one request, with all that it waits for. */
const TIMEOUT_MS = 5_000;
const MAX_BYTES = 64 * 1024;

/** By the team's address. */
const knownAccessKeys = memoryOf<KnownKeys>("accessKeys");

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
 * The team's keys at `now`, read again if the one with `kid` is not among them. Requests that need them at the same time
 * share one fetch, and a team that failed is left alone for some seconds (fetchOnce). Throws {@link StoreError} if they
 * cannot be read.
 */
export async function findAccessKeys(
  ctx: Waiting["ctx"],
  team: string,
  kid: string | null,
  now: Instant,
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

/** Judges the assertion of a request at `now`. Throws {@link StoreError} as {@link findAccessKeys}. */
export const judgeAssertion = (
  assertion: string,
  access: { readonly issuer: string; readonly audience: string },
  ctx: Waiting["ctx"],
  now: Instant,
): Promise<AccessVerdict> =>
  verifyAssertion(assertion, { ...access, keysOf: (kid) => findAccessKeys(ctx, access.issuer, kid, now) }, now);

interface Expected {
  /** The team's address without a slash at its end. */
  readonly issuer: string;
  /** The AUD tag of the application. */
  readonly audience: string;
  /** The team's keys, among them the one with this id if the team publishes it. */
  readonly keysOf: (kid: string | null) => Promise<readonly AccessKey[]>;
}

/** Clocks of the team's keys and of the Worker may differ by so much. */
const LEEWAY_SECONDS = 30;
/** Far above the size of an assertion with many groups. */
const MAX_CHARACTERS = 16 * 1024;

const refuse = (reason: keyof typeof ACCESS_REFUSALS) => ({ ok: false, reason }) as const;

/** Verifies an assertion at `now`. Throws what `keysOf` does. */
export async function verifyAssertion(assertion: string, expected: Expected, now: Instant): Promise<AccessVerdict> {
  if (assertion.length > MAX_CHARACTERS) return refuse("malformed");
  const claims = await readClaims(assertion, expected, now);
  if (typeof claims === "string") return refuse(claims);
  const { iat, email, common_name: service } = claims;
  // jose does not ask this of an assertion that may be of any age
  if (iat !== undefined && iat > now / 1000 + LEEWAY_SECONDS) return refuse("not yet valid");
  const named = [email, service].map((name) => typeof name === "string" && name !== "");
  if (!named.includes(true)) return refuse("no name");
  return { ok: true, email: named[0] ? String(email) : null, assertion: hashSecret(assertion) };
}

async function readClaims(
  assertion: string,
  { issuer, audience, keysOf }: Expected,
  now: Instant,
): Promise<JWTPayload | keyof typeof ACCESS_REFUSALS> {
  const findKey = async ({ kid }: { readonly kid?: string }) => {
    const key = (await keysOf(kid ?? null)).find((each) => each.kid === kid && each.kty === "RSA");
    if (!key) throw new JWKSNoMatchingKey();
    return { kty: key.kty, n: key.n, e: key.e };
  };
  // RFC 8725 section 3.1: the algorithm is not the sender's choice
  const rules = { algorithms: ["RS256"], issuer, audience, requiredClaims: ["exp"], clockTolerance: LEEWAY_SECONDS };
  try {
    return (await jwtVerify(assertion, findKey, { ...rules, currentDate: new Date(now) })).payload;
  } catch (error) {
    if (error instanceof StoreError) throw error;
    if (error instanceof JWTClaimValidationFailed) return REFUSED_CLAIMS[error.claim] ?? "malformed";
    // what else it throws: the team's key is none that verifies
    return (error instanceof JOSEError && REFUSED_FORMS[error.code]) || "wrong signature";
  }
}

const REFUSED_CLAIMS: Readonly<Record<string, keyof typeof ACCESS_REFUSALS>> = {
  ...{ iss: "other issuer", aud: "other audience", exp: "expired", nbf: "not yet valid", iat: "not yet valid" },
};

/** By the codes of jose's errors. */
const REFUSED_FORMS: Readonly<Record<string, keyof typeof ACCESS_REFUSALS>> = {
  ERR_JWS_INVALID: "malformed",
  ERR_JWT_INVALID: "malformed",
  // RFC 7515 section 4.1.11: its header demands what is not known here
  ERR_JOSE_NOT_SUPPORTED: "malformed",
  ERR_JOSE_ALG_NOT_ALLOWED: "other algorithm",
  ERR_JWKS_NO_MATCHING_KEY: "unknown key",
  ERR_JWT_EXPIRED: "expired",
};
