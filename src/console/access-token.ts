/**
 * The assertion that Cloudflare Access adds to a request which it let through: a JWT (RFC 7519) in the header
 * `Cf-Access-Jwt-Assertion`, signed with RS256 by the team. It must be verified, for whoever reaches the Worker past
 * Access can send any header. Pure: the keys and the instant are arguments.
 */
import { fromBase64, toBase64Url } from "../platform/encoding.ts";
import { hashSecret } from "../platform/secrets.ts";

/** A public key of the team: RFC 7517, with the members that RS256 needs. */
export interface AccessKey {
  readonly kid: string;
  readonly kty: string;
  readonly n: string;
  readonly e: string;
}

interface Operator {
  readonly email: string;
  /** Names this assertion, for the operator's forms: its hash, base64url. */
  readonly assertion: string;
}

export type AccessVerdict =
  | { readonly ok: true; readonly operator: Operator }
  | {
      readonly ok: false;
      readonly reason:
        | "malformed"
        | "other algorithm"
        | "unknown key"
        | "wrong signature"
        | "other issuer"
        | "other audience"
        | "expired"
        | "not yet valid"
        | "no person";
    };

/** Clocks of the team's keys and of the Worker may differ by so much. */
const LEEWAY_SECONDS = 30;
/** Far above the size of an assertion with many groups. */
const MAX_CHARACTERS = 16 * 1024;

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

const refuse = (reason: Extract<AccessVerdict, { ok: false }>["reason"]) => ({ ok: false, reason }) as const;

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
  const { exp, nbf, iat, email } = claims;
  const seconds = now / 1000;
  if (typeof exp !== "number" || seconds >= exp + LEEWAY_SECONDS) return refuse("expired");
  for (const begin of [nbf, iat])
    if (begin !== undefined && !(typeof begin === "number" && seconds >= begin - LEEWAY_SECONDS))
      return refuse("not yet valid");
  // a service token of Access has a common_name instead: the console is for people
  if (typeof email !== "string" || email === "") return refuse("no person");
  return { ok: true, operator: { email, assertion: hashSecret(assertion) } };
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
