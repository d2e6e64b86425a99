/** An OpenID provider as the tests of attacks need it: it answers by `fetch`, and does wrong what a test asks it to. */
import { env } from "cloudflare:workers";
import { createHash } from "node:crypto";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { vi } from "vitest";
import { setProvider } from "../../../src/institutions/sign-in-provider.ts";
import { memories } from "../../../src/platform/memory.ts";
import { idOf } from "../evidence/ledger/records.ts";

export const ISSUER = "https://login.bank.example";
export const CLIENT_ID = "psp-gate";
const GROUPS = { auditor: ["audit"], officer: ["officers"], administrator: ["admins"] };

type Key = Awaited<ReturnType<typeof generateKeyPair>>;
const makeKey = () => generateKeyPair("ES256", { extractable: true });

/** What one sign-in does otherwise than it should. */
export interface Mistakes {
  readonly discovery?: (document: Record<string, unknown>) => Response | Promise<Response>;
  readonly keys?: () => Response;
  /** Changes the claims of the id token; null leaves out a claim. */
  readonly claims?: Record<string, unknown>;
  readonly token?: (idToken: string) => Promise<unknown> | unknown;
  /** Of the token endpoint. */
  readonly status?: number;
}

export class OpenIdProvider {
  #key: Key | null = null;
  #kid = 0;
  mistakes: Mistakes = {};
  /** The person's session there. */
  readonly sid = crypto.randomUUID();
  readonly asked: string[] = [];
  readonly #codes = new Map<string, { readonly nonce: string; readonly challenge: string }>();
  #now = () => Math.floor(Date.now() / 1000);

  async rotate(): Promise<void> {
    this.#key = await makeKey();
    this.#kid++;
  }

  /** Sets it as the provider of the sandbox's institution, and answers in the place of the network. */
  async listen(more: object = {}): Promise<void> {
    if (!this.#key) await this.rotate();
    const settings = {
      issuer: ISSUER,
      clientId: CLIENT_ID,
      authMethod: "client_secret_basic",
      secret: "s",
      kid: null,
    } as const;
    const row = { ...settings, claim: "groups", groups: GROUPS, credentials: true, ...more };
    await setProvider(env.DB, await idOf(), row, Date.now()).run();
    for (const what of ["discovery", "keys", "asked"]) memories.get("signInProviders")?.delete(`${what} ${ISSUER}`);
    vi.spyOn(globalThis, "fetch").mockImplementation((input, init) => this.#answer(String(input), init ?? {}));
  }

  async #answer(url: string, init: RequestInit): Promise<Response> {
    this.asked.push(url);
    const path = url.slice(ISSUER.length);
    if (path === "/.well-known/openid-configuration") return await this.#discovery();
    if (path === "/keys") return this.mistakes.keys?.() ?? Response.json({ keys: [await this.#jwk()] });
    if (path === "/token") return await this.#token(new URLSearchParams(String(init.body)));
    throw new Error(`${url} is not the provider's`);
  }

  async #discovery(): Promise<Response> {
    const at = (path: string) => `${ISSUER}${path}`;
    const document = {
      ...{
        issuer: ISSUER,
        authorization_endpoint: at("/authorize"),
        token_endpoint: at("/token"),
        jwks_uri: at("/keys"),
      },
      ...{ end_session_endpoint: at("/end"), id_token_signing_alg_values_supported: ["ES256"] },
      authorization_response_iss_parameter_supported: true,
    };
    return (await this.mistakes.discovery?.(document)) ?? Response.json(document);
  }

  async #jwk() {
    return { ...(await exportJWK((this.#key as Key).publicKey)), kid: `key-${this.#kid}`, alg: "ES256", use: "sig" };
  }

  /** Where the person comes back to who has said who they are at this address. */
  comeBack(address: string, code = crypto.randomUUID()): URL {
    const asked = new URL(address).searchParams;
    this.#codes.set(code, { nonce: asked.get("nonce") ?? "", challenge: asked.get("code_challenge") ?? "" });
    const callback = new URL(asked.get("redirect_uri") ?? "");
    for (const [name, value] of Object.entries({ code, state: asked.get("state") ?? "", iss: ISSUER }))
      callback.searchParams.set(name, value);
    return callback;
  }

  async #token(body: URLSearchParams): Promise<Response> {
    const code = body.get("code") ?? "";
    const known = this.#codes.get(code);
    this.#codes.delete(code);
    const verifier = createHash("sha256")
      .update(body.get("code_verifier") ?? "")
      .digest("base64url");
    if (known?.challenge !== verifier) return Response.json({ error: "invalid_grant" }, { status: 400 });
    const now = this.#now();
    const usual = { nonce: known.nonce, sub: "alice", name: "Alice Example", groups: ["officers"], sid: this.sid };
    const times = { iss: ISSUER, aud: CLIENT_ID, iat: now, exp: now + 300, auth_time: now };
    const idToken = await this.sign({ ...usual, ...times, ...this.mistakes.claims });
    const { token = (text: string) => text, status = 200 } = this.mistakes;
    return Response.json({ access_token: "a", token_type: "Bearer", id_token: await token(idToken) }, { status });
  }

  async sign(claims: Record<string, unknown>, key: Key["privateKey"] = (this.#key as Key).privateKey): Promise<string> {
    const kept = Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== null));
    return await new SignJWT(kept as JWTPayload)
      .setProtectedHeader({ alg: "ES256", kid: `key-${this.#kid}` })
      .sign(key);
  }

  async signOut(claims: Record<string, unknown> = {}): Promise<string> {
    const now = this.#now();
    const events = { "http://schemas.openid.net/event/backchannel-logout": {} };
    const usual = { iss: ISSUER, aud: CLIENT_ID, iat: now, exp: now + 120, jti: crypto.randomUUID(), sid: this.sid };
    return await this.sign({ ...usual, events, ...claims });
  }
}

export const strangersKey = async () => (await makeKey()).privateKey;
