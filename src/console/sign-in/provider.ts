/**
 * The OpenID provider of an institution, asked by OpenID Connect Core 1.0: authorization code with PKCE (RFC 7636), `state`, `nonce`,
 * `iss` (RFC 9207) and `max_age`. The library does the protocol; what it leaves to its caller is here: that the id token's signature
 * is verified, that it is not of the future, that a key which was rotated a moment ago counts, and that what is fetched is bounded.
 */
import { createLocalJWKSet, type JSONWebKeySet, type JWTPayload } from "jose";
import { JWKSNoMatchingKey } from "jose/errors";
import { jwtVerify } from "jose/jwt/verify";
import * as oauth from "oauth4webapi";
import type { SignInProvider } from "../../institutions/sign-in-provider.ts";
import type { Instant } from "../../platform/instant.ts";
import { memoryOf } from "../../platform/memory.ts";
import { fetchWithin } from "./capped-fetch.ts";

/** A person has shown the provider who they are within this time. A session lives as long at most (sessions.ts). */
export const MAX_AGE_SECONDS = 12 * 3600;
const CLOCK_TOLERANCE_SECONDS = 30;
const DISCOVERY_LIFETIME_MS = 10 * 60_000;
const KEYS_LIFETIME_MS = 5 * 60_000;
/** Anybody may send a token with a key that nobody has: the provider is not asked for its keys each time. */
const FRESH_KEYS_PAUSE_MS = 5_000;
/** No MAC, and nothing unsigned: the keys are the provider's public ones. */
const ALGORITHMS = ["RS256", "PS256", "ES256", "ES384", "RS384", "PS384", "RS512", "PS512", "EdDSA", "Ed25519"];

type Settings = Partial<Pick<Env, "WEBHOOK_TARGETS">>;
/** Of a provider, what its protocol needs. */
export type AskedProvider = Pick<SignInProvider, "issuer" | "clientId" | "authMethod" | "secret">;

const known = memoryOf<oauth.AuthorizationServer | JSONWebKeySet>("signInProviders");

/** Only the machine itself may be asked without TLS, and only of `npm start` (capped-fetch.ts). */
const mayBePlain = ({ WEBHOOK_TARGETS }: Settings): boolean =>
  WEBHOOK_TARGETS === "loopback" || WEBHOOK_TARGETS === "any";
const fetchOptions = (env: Settings) => ({
  [oauth.customFetch]: fetchWithin(env),
  [oauth.allowInsecureRequests]: mayBePlain(env),
});

/** What the provider publishes of itself. Throws an Error that says why it cannot be used. */
export async function discover(env: Settings, issuer: string, now: Instant): Promise<oauth.AuthorizationServer> {
  const kept = known.get(`discovery ${issuer}`, now);
  if (kept) return kept as oauth.AuthorizationServer;
  const identifier = new URL(issuer);
  const answer = await oauth.discoveryRequest(identifier, fetchOptions(env));
  const server = await oauth.processDiscoveryResponse(identifier, answer);
  for (const name of ["authorization_endpoint", "token_endpoint", "jwks_uri"] as const)
    if (!server[name]) throw new Error(`${issuer} names no ${name}`);
  known.set(`discovery ${issuer}`, server, now + DISCOVERY_LIFETIME_MS, now);
  return server;
}

/** `fresh`: not the kept ones, unless the last fresh ones are seconds old. Throws an Error that says why they cannot be used. */
export async function readKeys(
  env: Settings,
  { issuer, jwks_uri: address = "" }: oauth.AuthorizationServer,
  now: Instant,
  fresh = false,
): Promise<JSONWebKeySet> {
  const kept = known.get(`keys ${issuer}`, now);
  const mayAsk = fresh && known.get(`asked ${issuer}`, now) === undefined;
  if (kept && !mayAsk) return kept as JSONWebKeySet;
  if (fresh) known.set(`asked ${issuer}`, { keys: [] }, now + FRESH_KEYS_PAUSE_MS, now);
  const answer = await fetchWithin(env)(address, { headers: { Accept: "application/json" } });
  const keys = answer.status === 200 ? ((await answer.json()) as JSONWebKeySet) : null;
  if (!Array.isArray(keys?.keys)) throw new Error(`${address} is not a JWK set`);
  known.set(`keys ${issuer}`, keys, now + KEYS_LIFETIME_MS, now);
  return keys;
}

/** Throws an Error where the signature, a time, the issuer or the audience is wrong. */
export async function verifyToken(
  env: Settings,
  server: oauth.AuthorizationServer,
  token: string,
  clientId: string,
  now: Instant,
): Promise<JWTPayload> {
  const verify = async (keys: JSONWebKeySet) => {
    const options = {
      ...{ issuer: server.issuer, audience: clientId, algorithms: ALGORITHMS, requiredClaims: ["iat", "exp"] },
      ...{ currentDate: new Date(now), clockTolerance: CLOCK_TOLERANCE_SECONDS },
    };
    return (await jwtVerify(token, createLocalJWKSet(keys), options)).payload;
  };
  const payload = await verify(await readKeys(env, server, now)).catch(async (error) => {
    if (!(error instanceof JWKSNoMatchingKey)) throw error;
    return await verify(await readKeys(env, server, now, true));
  });
  if ((payload.iat ?? Number.POSITIVE_INFINITY) * 1000 > now + CLOCK_TOLERANCE_SECONDS * 1000)
    throw new Error("the token was made in the future");
  return payload;
}

/** What a sign-in remembers until the provider sends the person back. */
export interface Proof {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export const makeProof = (): Proof => ({
  state: oauth.generateRandomState(),
  nonce: oauth.generateRandomNonce(),
  verifier: oauth.generateRandomCodeVerifier(),
});

/** Where the person is sent. Throws as {@link discover}. */
export async function beginAt(
  env: Settings,
  { issuer, clientId }: AskedProvider,
  { state, nonce, verifier }: Proof,
  redirectUri: string,
  now: Instant,
): Promise<string> {
  const server = await discover(env, issuer, now);
  const address = new URL(server.authorization_endpoint ?? "");
  oauth.checkProtocol(address, !fetchOptions(env)[oauth.allowInsecureRequests]);
  const parameters = {
    ...{ response_type: "code", client_id: clientId, redirect_uri: redirectUri, scope: "openid profile email" },
    ...{
      state,
      nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    },
    max_age: String(MAX_AGE_SECONDS),
  };
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  return address.href;
}

/** The claims of the person whom the provider sent back to `callback`. Throws an Error that says what was wrong. */
export async function finishAt(
  env: Settings,
  { issuer, clientId, ...provider }: AskedProvider,
  { state, nonce, verifier }: Proof,
  { callback, redirectUri }: { readonly callback: URL; readonly redirectUri: string },
  now: Instant,
): Promise<JWTPayload> {
  const server = await discover(env, issuer, now);
  const client = { client_id: clientId, [oauth.clockTolerance]: CLOCK_TOLERANCE_SECONDS };
  const parameters = oauth.validateAuthResponse(server, client, callback, state);
  const answer = await oauth.authorizationCodeGrantRequest(
    ...([server, client, await authenticate(provider), parameters, redirectUri, verifier] as const),
    fetchOptions(env),
  );
  const expected = { expectedNonce: nonce, maxAge: MAX_AGE_SECONDS, requireIdToken: true };
  const { id_token: token = "" } = await oauth.processAuthorizationCodeResponse(server, client, answer, expected);
  return await verifyToken(env, server, token, clientId, now);
}

async function authenticate({ authMethod, secret }: Pick<AskedProvider, "authMethod" | "secret">) {
  switch (authMethod) {
    case "client_secret_basic":
      return oauth.ClientSecretBasic(secret);
    case "client_secret_post":
      return oauth.ClientSecretPost(secret);
    case "private_key_jwt": {
      const { kid, ...jwk } = JSON.parse(secret) as JsonWebKey & { kid?: string };
      const algorithm =
        jwk.kty === "EC" ? { name: "ECDSA", namedCurve: "P-256" } : { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
      const key = await crypto.subtle.importKey("jwk", jwk, algorithm, false, ["sign"]);
      return oauth.PrivateKeyJwt({ key, ...(kid !== undefined && { kid }) });
    }
  }
}

/** Where a person who has signed out here signs out there; null: the provider names no such address, or cannot be asked. */
export async function findSignOut(env: Settings, issuer: string, now: Instant): Promise<string | null> {
  const server = await discover(env, issuer, now).catch(() => null);
  const address = URL.parse(server?.end_session_endpoint ?? "");
  const isSafe = address?.protocol === "https:" || (address?.protocol === "http:" && mayBePlain(env));
  return isSafe ? address.href : null;
}
