/**
 * The OpenID provider of the sandbox's institution: whoever comes is who they say, so that a sign-in can be tried as it is at a bank.
 * `npm start` alone has it, and no Worker. OpenID Connect Core 1.0 by authorization code with PKCE (RFC 7636) and `iss` (RFC 9207),
 * RP-Initiated Logout 1.0, Back-Channel Logout 1.0. Its keys and codes end with the process.
 */
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { PERSON_ROLES, type PersonRole } from "../../institutions/sign-in-provider.ts";
import type { Instant } from "../../platform/instant.ts";
import { hashSecret, makeSecret, sameSecret } from "../../platform/secrets.ts";

interface Code {
  readonly role: PersonRole;
  readonly sid: string;
  readonly nonce: string | null;
  readonly challenge: string;
  readonly redirectUri: string;
  readonly madeAt: Instant;
}

const CODE_LIFETIME_MS = 60_000;
const TOKEN_LIFETIME_SECONDS = 300;
const MAX_CODES = 1_000;
const LOGOUT_TIMEOUT_MS = 5_000;
const LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout";
/** What each may do, for who chooses. */
const ROLES: Readonly<Record<PersonRole, string>> = {
  auditor: "Reads, proves and exports. Changes nothing.",
  officer: "Checks and watches PSPs. Withdraws and blocks.",
  administrator: "Looks after webhooks, secrets and people.",
};
const isRole = (text: unknown): text is PersonRole => (PERSON_ROLES as readonly unknown[]).includes(text);

/** Answers a request at `now`. `form`: its body, empty without one. */
export type Provider = (request: Request, form: URLSearchParams, now: Instant) => Promise<Response>;

/** `issuer`: an origin of this machine. `signInAddress`: of the institution at the service, which is the one client. */
export async function makeProvider(
  issuer: string,
  [clientId, clientSecret]: readonly [string, string],
  signInAddress: () => string,
): Promise<Provider> {
  const { privateKey, publicKey } = await generateKeyPair("ES256");
  const key = { ...(await exportJWK(publicKey)), kid: makeSecret(8), alg: "ES256", use: "sig" };
  const codes = new Map<string, Code>();
  // a cookie of one port is sent to all of the host
  const cookie = `psp-gate-provider-${new URL(issuer).port}`;
  const cookies = new RegExp(`(?:^|; )${cookie}=([\\w-]+)`);
  const setCookie = (value: string, more = "") => ({
    "Set-Cookie": `${cookie}=${value}; Path=/; HttpOnly; SameSite=Lax${more}`,
  });

  const sign = (claims: JWTPayload, now: Instant, typ: string): Promise<string> => {
    const iat = Math.floor(now / 1000);
    return new SignJWT({ ...claims, iss: issuer, aud: clientId, iat, exp: iat + TOKEN_LIFETIME_SECONDS })
      .setProtectedHeader({ alg: key.alg, kid: key.kid, typ })
      .sign(privateKey);
  };
  /** By either name of this machine. */
  const isOfService = (address: string, part: string): boolean =>
    ["127.0.0.1", "localhost"].some((hostname) => {
      const known = new URL(`${signInAddress()}${part}`);
      known.hostname = hostname;
      return known.href === address;
    });

  function authorize(query: URLSearchParams, role: string | null, now: Instant): Response {
    const redirectUri = query.get("redirect_uri") ?? "";
    if (query.get("client_id") !== clientId || !isOfService(redirectUri, "/callback"))
      return show(400, "No sign-in of this service", "<p>Begin again in the console.</p>");
    const back = (answer: Record<string, string>, headers = {}) =>
      redirect(redirectUri, { ...answer, state: query.get("state"), iss: issuer }, headers);
    const challenge = query.get("code_challenge") ?? "";
    if (query.get("response_type") !== "code") return back({ error: "unsupported_response_type" });
    if (!query.get("scope")?.split(" ").includes("openid")) return back({ error: "invalid_scope" });
    if (query.get("code_challenge_method") !== "S256" || challenge === "") return back({ error: "invalid_request" });
    if (query.get("prompt") === "none") return back({ error: "login_required" });
    if (!isRole(role)) return show(200, "Who are you?", CHOICE);
    const [code, sid] = [makeSecret(), makeSecret()];
    codes.set(code, { role, sid, nonce: query.get("nonce"), challenge, redirectUri, madeAt: now });
    for (const oldest of codes.keys()) if (codes.size > MAX_CODES) codes.delete(oldest);
    return back({ code }, setCookie(sid));
  }

  async function redeem(form: URLSearchParams, now: Instant): Promise<Response> {
    if (form.get("client_id") !== clientId || !sameSecret(form.get("client_secret") ?? "", clientSecret))
      return json(401, { error: "invalid_client" });
    if (form.get("grant_type") !== "authorization_code") return json(400, { error: "unsupported_grant_type" });
    const known = codes.get(form.get("code") ?? "");
    codes.delete(form.get("code") ?? "");
    const isProven =
      known?.challenge === hashSecret(form.get("code_verifier") ?? "") &&
      known.redirectUri === form.get("redirect_uri");
    if (!known || !isProven || now >= known.madeAt + CODE_LIFETIME_MS) return json(400, { error: "invalid_grant" });
    const { role, sid, nonce, madeAt } = known;
    const person = { sub: role, name: `Sandbox ${role}`, groups: [role], sid, ...(nonce !== null && { nonce }) };
    const idToken = await sign({ ...person, auth_time: Math.floor(madeAt / 1000) }, now, "JWT");
    // of no use here: what is known of the person is in the id token
    const access = { access_token: makeSecret(), token_type: "Bearer", expires_in: TOKEN_LIFETIME_SECONDS };
    return json(200, { ...access, scope: "openid", id_token: idToken });
  }

  async function endSession(request: Request, query: URLSearchParams, now: Instant): Promise<Response> {
    // who is led here by a page of another site has not asked for it
    if (request.method !== "POST") return show(200, "Sign out of the Sandbox Bank?", END);
    const [, sid] = cookies.exec(request.headers.get("Cookie") ?? "") ?? [];
    if (sid !== undefined && !(await tellService(sid, now).catch(() => false)))
      return show(502, "The service does not answer", "<p>You may be signed in there still. Try again.</p>");
    const [uri, state] = [query.get("post_logout_redirect_uri") ?? "", query.get("state")];
    const ended = setCookie("", "; Max-Age=0");
    const isKnown = query.get("client_id") === clientId && isOfService(uri, "");
    return isKnown ? redirect(uri, { state }, ended) : show(200, "You are signed out", "", ended);
  }

  async function tellService(sid: string, now: Instant): Promise<boolean> {
    const claims = { sid, jti: makeSecret(), events: { [LOGOUT_EVENT]: {} } };
    const body = new URLSearchParams({ logout_token: await sign(claims, now, "logout+jwt") });
    const signal = AbortSignal.timeout(LOGOUT_TIMEOUT_MS);
    return (await fetch(`${signInAddress()}/logout`, { method: "POST", body, signal })).ok;
  }

  const discovery = {
    ...{ issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` },
    ...{ jwks_uri: `${issuer}/jwks`, end_session_endpoint: `${issuer}/end-session` },
    ...{ response_types_supported: ["code"], grant_types_supported: ["authorization_code"] },
    ...{ subject_types_supported: ["public"], id_token_signing_alg_values_supported: [key.alg] },
    ...{ token_endpoint_auth_methods_supported: ["client_secret_post"], code_challenge_methods_supported: ["S256"] },
    ...{ scopes_supported: ["openid", "profile"], authorization_response_iss_parameter_supported: true },
    ...{ backchannel_logout_supported: true, backchannel_logout_session_supported: true },
  };

  return async (request, form, now) => {
    const { origin, pathname, searchParams } = new URL(request.url);
    // with the origin: a name of another site that was made to lead here has nothing
    switch (`${request.method} ${origin}${pathname}`) {
      case `GET ${issuer}/.well-known/openid-configuration`:
        return json(200, discovery);
      case `GET ${discovery.jwks_uri}`:
        return json(200, { keys: [key] });
      case `GET ${discovery.authorization_endpoint}`:
      case `POST ${discovery.authorization_endpoint}`:
        return authorize(searchParams, form.get("role"), now);
      case `POST ${discovery.token_endpoint}`:
        return await redeem(form, now);
      case `GET ${discovery.end_session_endpoint}`:
      case `POST ${discovery.end_session_endpoint}`:
        return await endSession(request, searchParams, now);
      default:
        return json(404, { error: "not_found" });
    }
  };
}

const CHOICE = `<p>This is the sign-in of the Sandbox Bank. It asks for no password, and is on your own machine only.</p>
<form method="post">${PERSON_ROLES.map((role) => `<button name="role" value="${role}" aria-describedby="${role}">Continue as ${role}</button><p id="${role}">${ROLES[role]}</p>`).join("")}</form>`;
const END = `<p>The console is told, and ends your session there.</p><form method="post"><button>Sign out</button></form>`;
const STYLE = `:root{color-scheme:light dark;font:1rem/1.5 system-ui,sans-serif}main{max-width:26rem;margin:3rem auto;padding:0 1rem}
button{font:inherit;width:100%;min-height:2.75rem;margin-top:1rem}p{margin:.25rem 0}`;

const PAGE_HEADERS = {
  ...{ "Content-Type": "text/html; charset=UTF-8", "Cache-Control": "no-store" },
  "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
};

/** Nothing of a request is in it. */
const show = (status: number, heading: string, text: string, headers = {}): Response =>
  new Response(
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${heading}</title><style>${STYLE}</style></head><body><main><h1>${heading}</h1>${text}</main></body></html>`,
    { status, headers: { ...PAGE_HEADERS, ...headers } },
  );

const json = (status: number, body: object): Response =>
  Response.json(body, { status, headers: { "Cache-Control": "no-store" } });

/** `answer`: without what is null. */
function redirect(to: string, answer: Readonly<Record<string, string | null>>, headers: object): Response {
  const url = new URL(to);
  for (const [name, value] of Object.entries(answer)) if (value !== null) url.searchParams.set(name, value);
  return new Response(null, { status: 303, headers: { Location: url.href, ...headers } });
}
