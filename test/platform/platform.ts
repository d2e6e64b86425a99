/**
 * Cloudflare's API as far as wrangler and the operator's commands use it, on this machine. What it holds is real: D1 is
 * SQLite, the rest is what was sent. README.md says what it assumes.
 */
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { type ApiAnswer, ApiFault, type Route } from "./api.ts";
import { databaseRoutes, type HeldDatabase } from "./databases.ts";
import { type HeldScript, scriptRoutes } from "./scripts.ts";
import { type HeldStores, storeRoutes } from "./stores.ts";

const ACCOUNT = "0123456789abcdef0123456789abcdef";

/** What the account has. */
export interface Account {
  readonly databases: HeldDatabase[];
  readonly stores: HeldStores;
  readonly scripts: Map<string, HeldScript>;
}

/**
 * `before`: a call is refused and takes no effect; `after`: it takes effect and is answered with a refusal. `lost`: it takes
 * effect, and the connection ends without an answer. `gone`: as `lost`, and so does every later one, without effect.
 */
export const FAULTS = ["before", "after", "lost", "gone"] as const;

/** A call that fails. */
export interface Fault {
  /** From 1, or the first whose `METHOD path` begins so. `times`: how many of these fail, from then on. */
  readonly call: number | string;
  readonly times?: number;
  readonly when: (typeof FAULTS)[number];
}

export interface Platform {
  readonly account: Account;
  /** Puts another account in the place of this one. */
  readonly load: (account: Account) => void;
  /** For the environment of a command. */
  readonly environment: Readonly<Record<string, string>>;
  /** `METHOD path` of each call since the last `fail`, without the account. */
  readonly calls: string[];
  /** From now on calls are counted anew; null: none fails. */
  readonly fail: (fault: Fault | null) => void;
  readonly close: () => Promise<void>;
}

const PREFIX = `/accounts/${ACCOUNT}`;

export const makeAccount = (): Account => ({
  databases: [],
  stores: { namespaces: [], buckets: new Set(), queues: [], hasR2: true },
  scripts: new Map(),
});

const routesOf = ({ databases, stores, scripts }: Account): readonly Route[] => [
  ...databaseRoutes(databases),
  ...storeRoutes(stores),
  ...scriptRoutes(scripts),
  ...ABOUT_THE_USER,
];

export async function startPlatform(): Promise<Platform> {
  let account = makeAccount();
  let routes = routesOf(account);
  const calls: string[] = [];
  let fault: Fault | null = null;
  let met = 0;
  const server = createServer(async (request, response) => {
    const { port } = server.address() as AddressInfo;
    const origin = `http://127.0.0.1:${port}`;
    const url = new URL(request.url ?? "/", origin);
    const path = url.pathname.replace(PREFIX, "");
    const body = await buffer(request);
    calls.push(`${request.method} ${path}`);
    const isMeant = typeof fault?.call === "number" || `${request.method} ${path}`.startsWith(fault?.call ?? " ");
    if (isMeant) met++;
    const first = typeof fault?.call === "number" ? fault.call : 1;
    const fails = isMeant && met >= first && met < first + (fault?.times ?? 1) ? fault : null;
    if (fails?.when === "before") return sendFault(response, UNAVAILABLE);
    const isGone = fault?.when === "gone" && met > first;
    if (isGone) return void request.socket.destroy();
    try {
      const found = findRoute(routes, `${request.method} ${path}`);
      if (!found) throw new ApiFault(404, 7003, `No route for ${request.method} ${path}`);
      const [answer, parts] = found;
      const answered = await answer({
        ...{ method: request.method ?? "", url, headers: request.headers, body, parts, origin },
      });
      if (fails?.when === "after") return sendFault(response, UNAVAILABLE);
      if (fails) return void request.socket.destroy();
      send(response, answered);
    } catch (error) {
      sendFault(response, error);
    }
  });
  // a command in the test's own process may keep it waiting
  server.keepAliveTimeout = 600_000;
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return {
    get account() {
      return account;
    },
    load: (next) => {
      account = next;
      routes = routesOf(next);
    },
    calls,
    environment: {
      CLOUDFLARE_API_BASE_URL: `http://127.0.0.1:${port}`,
      ...{ CLOUDFLARE_API_TOKEN: "a-token", CLOUDFLARE_ACCOUNT_ID: ACCOUNT },
    },
    fail: (next) => {
      calls.length = 0;
      [fault, met] = [next, 0];
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Repeated by nobody: wrangler repeats what is a 5xx, so a call that fails once would succeed. */
const UNAVAILABLE = new ApiFault(
  400,
  10_013,
  "An unknown error has occurred. If this error persists, contact support.",
);

/** developers.cloudflare.com/api/resources/user/ and /accounts/ */
const ABOUT_THE_USER: readonly Route[] = [
  ["GET /user", () => ({ result: { id: "user", email: "operator@bank.example" } })],
  ["GET /memberships", () => ({ result: [{ account: { id: ACCOUNT, name: "A bank" } }] })],
  ["GET /accounts", () => ({ result: [{ id: ACCOUNT, name: "A bank" }] })],
];

function findRoute(routes: readonly Route[], call: string): [Route[1], string[]] | null {
  for (const [pattern, answer] of routes) {
    const [names, segments] = [pattern.split("/"), call.split("/")];
    if (names.length !== segments.length) continue;
    if (names.every((name, i) => name === "*" || name === segments[i]))
      return [answer, segments.filter((_, i) => names[i] === "*").map(decodeURIComponent)];
  }
  return null;
}

function send(response: ServerResponse, answer: ApiAnswer): void {
  if ("raw" in answer) return void response.writeHead(200, answer.headers).end(answer.raw);
  const { result, info } = answer;
  const envelope = { success: true, errors: [], messages: [], result, ...(info && { result_info: info }) };
  response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(envelope));
}

function sendFault(response: ServerResponse, error: unknown): void {
  const { status, code, message } = error instanceof ApiFault ? error : new ApiFault(500, 10_000, String(error));
  const envelope = { success: false, errors: [{ code, message }], messages: [], result: null };
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(envelope));
}
