/** Cloudflare's API with the operator's login: developers.cloudflare.com/api/ */
import { parse } from "smol-toml";
import { readConfiguration } from "../configuration.ts";
import { ApiFailure, EXIT, fail } from "../fail.ts";
import { wrangler } from "../wrangler.ts";

/** wrangler's own variable, by which tests put an API of theirs in the place of Cloudflare's. */
const readBase = (): string => process.env["CLOUDFLARE_API_BASE_URL"] ?? "https://api.cloudflare.com/client/v4";
/** Of one call; a statement of D1 ends after 30 s, and a bulk write of KV is up to 100 MB. */
const TIMEOUT_MS = 120_000;

export interface Account {
  readonly id: string;
  readonly token: string;
}

interface Envelope {
  readonly success: boolean;
  readonly errors: readonly { readonly code: number; readonly message: string }[];
  readonly result: unknown;
  readonly result_info?: { readonly cursor?: string };
}

/** What Cloudflare answered instead of a result. `codes`: its error codes, such as 10007 of a Worker that does not exist. */
export class ApiRefusal extends ApiFailure {
  readonly status: number;
  readonly codes: readonly number[];
  constructor(status: number, errors: Envelope["errors"]) {
    super(errors.map(({ code, message }) => `${message} [code: ${code}]`).join("; ") || `status ${status}`);
    this.status = status;
    this.codes = errors.map(({ code }) => code);
  }
}

/** The account of CLOUDFLARE_ACCOUNT_ID or wrangler.toml, else the only one that the login reaches. Fails with a sentence. */
export async function findAccount(): Promise<Account> {
  const token = process.env["CLOUDFLARE_API_TOKEN"] || (await readLogin());
  const { account_id: written } = parse(await readConfiguration());
  const chosen = process.env["CLOUDFLARE_ACCOUNT_ID"] || written;
  if (typeof chosen === "string") return { id: chosen, token };
  const { result } = await readEnvelope(await send(token, "GET", "/accounts"));
  const accounts = result as readonly { id: string; name: string }[];
  const [only, ...others] = accounts;
  if (only && others.length === 0) return { id: only.id, token };
  const names = accounts.map(({ id, name }) => `${id} (${name})`).join(", ") || "none";
  return fail(`set CLOUDFLARE_ACCOUNT_ID to the account of the service: the login reaches ${names}`, EXIT.unknown);
}

/** Of `npx wrangler login`, which wrangler renews. */
async function readLogin(): Promise<string> {
  const { code, output } = await wrangler(["auth", "token", "--json"]);
  const [json] = /\{[\s\S]*\}/.exec(output) ?? [];
  const token: unknown = code === 0 && json !== undefined ? Object(JSON.parse(json)).token : null;
  if (typeof token === "string") return token;
  return fail("not signed in to Cloudflare: run npx wrangler login, or set CLOUDFLARE_API_TOKEN", EXIT.unknown);
}

/** `path`: below the account. `body` is sent as JSON. Throws {@link ApiRefusal}, and {@link ApiFailure} without a whole answer. */
export const callAccount = async (
  { id, token }: Account,
  method: string,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
): Promise<Envelope> => readEnvelope(await send(token, method, `/accounts/${id}${path}`, body, headers));

async function readEnvelope(response: Answer): Promise<Envelope> {
  const envelope = parseEnvelope(response.bytes);
  if (response.ok && envelope?.success) return envelope;
  throw new ApiRefusal(response.status, envelope?.errors ?? []);
}

function parseEnvelope(bytes: ArrayBuffer): Envelope | null {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as Envelope | null;
  } catch {
    return null;
  }
}

/** A value of KV, which is answered without an envelope; null: 404. */
export async function readRaw({ id, token }: Account, path: string): Promise<ArrayBuffer | null> {
  const response = await send(token, "GET", `/accounts/${id}${path}`);
  if (response.status === 404) return null;
  if (!response.ok) throw new ApiRefusal(response.status, []);
  return response.bytes;
}

interface Answer extends Pick<Response, "ok" | "status"> {
  readonly bytes: ArrayBuffer;
}

async function send(
  token: string,
  method: string,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
): Promise<Answer> {
  const isJson = body !== undefined;
  try {
    const response = await fetch(`${readBase()}${path}`, {
      method,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: { Authorization: `Bearer ${token}`, ...headers, ...(isJson && { "Content-Type": "application/json" }) },
      ...(isJson && { body: JSON.stringify(body) }),
    });
    return { ok: response.ok, status: response.status, bytes: await response.arrayBuffer() };
  } catch (error) {
    // fetch says "fetch failed", and its cause why
    const { message, cause } = error as Error;
    throw new ApiFailure(`no answer (${cause instanceof Error ? cause.message || cause.name : message})`);
  }
}
