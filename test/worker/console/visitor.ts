/** A browser as the tests of the console play it: one cookie jar, forms with their tokens. */
import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { Hono } from "hono";
import { app } from "../../../src/app.ts";
import { replaceByPerson } from "../../../src/console/sessions.ts";
import type { AppEnv } from "../../../src/http/context.ts";
import { findProvider, type PersonRole } from "../../../src/institutions/sign-in-provider.ts";
import { idOf } from "../evidence/ledger/records.ts";

export const ORIGIN = "http://localhost";

export const CREDENTIALS = {
  sandbox: { client_id: "sandbox-fi", client_secret: "sandbox-secret", fi_reference_id: "PSDXX-TEST-FI0001" },
  other: { client_id: "other-fi", client_secret: "other-secret", fi_reference_id: "PSDXX-TEST-FI0002" },
};

export interface Shown {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly bytes: Uint8Array;
}

type Fields = Readonly<Record<string, string | Blob>>;

/** What a browser of 2026 sends with a request that a page of the service itself caused. */
const OWN = { "Sec-Fetch-Site": "same-origin", Origin: ORIGIN };

let addresses = 0;

export class Visitor {
  readonly #env: Cloudflare.Env;
  /** Its own, because sign-ins of one client id are limited by address. */
  readonly #address =
    `2001:db8:${crypto.getRandomValues(new Uint16Array(1))[0]?.toString(16)}:${(addresses++).toString(16)}::1`;
  readonly cookies = new Map<string, string>();

  /** The session's, as a browser has it. */
  get cookie(): string | null {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ") || null;
  }
  set cookie(text: string | null) {
    this.cookies.clear();
    for (const part of text?.split("; ") ?? []) this.#keep(part);
  }

  #keep(text: string): void {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
    if (/Max-Age=0/.test(text)) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }

  constructor(bindings: Cloudflare.Env = env) {
    this.#env = bindings;
  }

  async send(
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body?: BodyInit,
    { origin } = { origin: ORIGIN },
  ): Promise<Shown> {
    const request = new Request(`${origin}${path}`, {
      method,
      redirect: "manual",
      headers: { "CF-Connecting-IP": this.#address, ...(this.cookie !== null && { Cookie: this.cookie }), ...headers },
      ...(body !== undefined && { body }),
    });
    const response = await app.fetch(request, this.#env, createExecutionContext());
    for (const set of response.headers.getSetCookie()) this.#keep(set);
    const bytes = new Uint8Array(await response.arrayBuffer());
    return { status: response.status, headers: response.headers, text: new TextDecoder().decode(bytes), bytes };
  }

  get(path: string, headers: Record<string, string> = {}, at = { origin: ORIGIN }): Promise<Shown> {
    return this.send("GET", path, { "Sec-Fetch-Site": "same-origin", ...headers }, undefined, at);
  }

  /** The form as it is sent, without the reader's token. */
  post(path: string, fields: Fields, headers: Record<string, string> = OWN, at = { origin: ORIGIN }): Promise<Shown> {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    return this.send("POST", path, headers, form, at);
  }

  /** The form of a page, with the token in it. */
  async submit(page: string, path: string, fields: Fields = {}): Promise<Shown> {
    return this.post(path, { ...fields, form_token: tokenOf((await this.get(page)).text) });
  }

  /** As a person of the sandbox's institution, whose provider has just said so (sign-in.test.ts has what leads there). */
  static async withRole(role: PersonRole, more: Partial<Cloudflare.Env> = {}) {
    const visitor = new Visitor({ ...env, CONSOLE_LOCAL_OPERATOR: "on", ...more });
    const fiId = await idOf();
    const person = {
      fiId,
      issuer: "https://login.sandbox.example",
      subject: role,
      name: `Sandbox ${role}`,
      roles: [role],
    };
    const signedIn = new Hono<AppEnv>().get("/", async (c) => {
      const providerVersion = (await findProvider(env.DB, fiId))?.version ?? null;
      await replaceByPerson(c, person, { providerVersion, providerSid: null }, Date.now());
      return c.body(null);
    });
    for (const set of (await signedIn.request("/", {}, env)).headers.getSetCookie()) visitor.#keep(set);
    return visitor;
  }

  signIn(who: keyof typeof CREDENTIALS = "sandbox"): Promise<Shown> {
    return this.post("/console/sign-in", CREDENTIALS[who]);
  }
}

/** Both institutions of the sandbox by their credentials, and the operator of `npm start`, each signed in. */
export async function openReaders() {
  const [sandbox, other] = [new Visitor(), new Visitor()];
  const operator = new Visitor({ ...env, CONSOLE_LOCAL_OPERATOR: "on" });
  await sandbox.signIn();
  await other.signIn("other");
  await operator.post("/console/sign-in/operator", {});
  return { sandbox, other, operator };
}

/** A page as it is read: without the instants that its times have for programs. */
export const asRead = (page: string): string => page.replaceAll(/<\/?time\b[^>]*>/g, "");

/** The token in a page's forms; "" without one. */
export const tokenOf = (page: string): string => /name="form_token" value="([^"]+)"/.exec(page)?.[1] ?? "";
