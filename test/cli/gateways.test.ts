/**
 * The configurations of docs/examples/gateways, as the guide shows them, run by the real servers: a gateway with mutual TLS
 * in front of a protected page. Only addresses and folders are replaced.
 */
import "./own-state.ts";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { request } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Scope } from "../../src/registers/entitlement.ts";
import { findFreePort } from "../free-port.ts";
import { endService, ROOT, SANDBOX_FI, type Service, startService } from "../spec/service.ts";
import { findTool, type ToolName } from "../tools.ts";
import { testFirstHour } from "./first-hour.ts";
import { ATTACKS, attack, findHarm, type Seen } from "./gateway-attacks.ts";
import { testGatewayGuide } from "./gateway-guide.ts";
import { type GatewayPki, makeGatewayPki } from "./gateway-pki.ts";
import { STATE_DIR } from "./own-state.ts";
import { run } from "./run-here.ts";
import { testSignedRequests } from "./signed-requests-guide.ts";

const EXAMPLES = join(ROOT, "docs/examples/gateways");
const AMBER = "PSDXX-TEST-000001";

interface Gateway {
  readonly name: ToolName;
  /** The files of the example, of which the first is the configuration. */
  readonly files: readonly [string, ...string[]];
  readonly args: (configuration: string, folder: string) => string[];
}

const GATEWAYS: readonly Gateway[] = [
  {
    name: "nginx",
    files: ["nginx.conf"],
    args: (file, folder) => ["-p", folder, "-e", "stderr", "-c", file, "-g", `daemon off; pid ${folder}/nginx.pid;`],
  },
  {
    name: "caddy",
    files: ["Caddyfile"],
    args: (file) => ["run", "--config", file, "--adapter", "caddyfile"],
  },
  {
    name: "haproxy",
    files: ["haproxy.cfg", "access.lua"],
    args: (file) => ["-db", "-f", file],
  },
  {
    name: "apache2",
    files: ["apache.conf", "apache-access.lua"],
    args: (file, folder) => [
      ...["-D", "FOREGROUND", "-d", folder, "-f", file, "-C", `DefaultRuntimeDir ${folder}`],
      ...["-C", `PidFile ${folder}/pid`, "-C", `ErrorLog ${folder}/error.log`],
    ],
  },
];

// where any user can read: servers give up root's rights
const folder = mkdtempSync("/tmp/psp-gate-gateways-");
chmodSync(folder, 0o755);
let pki: GatewayPki;
let service: Service;
let page: Server;
let pageUrl: string;
/** What the protected page was asked and told. */
const served: (Seen & { readonly headers: Record<string, string | string[] | undefined> })[] = [];

beforeAll(async () => {
  pki = await makeGatewayPki(folder, { amber: AMBER, iris: "PSDXX-TEST-000009" });
  page = createServer(({ url = "", rawHeaders, headers }, response) => {
    served.push({ url, rawHeaders, headers });
    response.end("the balance");
  });
  await new Promise<void>((resolve) => page.listen(0, "127.0.0.1", resolve));
  pageUrl = `127.0.0.1:${(page.address() as AddressInfo).port}`;
  service = await startService({ state: STATE_DIR });
  expect(await run("trust", "import", pki.trust)).toMatchObject({ code: 0 });
});
afterAll(async () => {
  await endService(service);
  await pki.close();
  page.close();
  rmSync(folder, { recursive: true, force: true });
});

testFirstHour(() => service);
testSignedRequests(() => service);
testGatewayGuide(
  () => service,
  GATEWAYS.map(({ name }) => name),
);

interface Running {
  readonly port: number;
  readonly stop: () => Promise<void>;
}

/** `gate`: host and port of the service. */
async function start({ name, files, args }: Gateway, gate: string): Promise<Running> {
  const port = await findFreePort();
  const inner = `127.0.0.1:${await findFreePort()}`;
  const home = join(folder, `${name}-${port}`);
  mkdirSync(home);
  for (const file of files) {
    const text = readFileSync(join(EXAMPLES, file), "utf8");
    const own = text
      .replaceAll("127.0.0.1:8787", gate)
      .replaceAll("127.0.0.1:8081", pageUrl)
      .replaceAll("127.0.0.1:8788", inner)
      .replaceAll(/(?<=listen |bind |VirtualHost |https:\/\/)([:*]*)443\b/gi, `$1${port}`)
      .replaceAll("/etc/psp-gate", folder);
    writeFileSync(join(files[0] === file ? home : folder, file), own);
  }
  const child = spawn(findTool(name) ?? name, args(join(home, files[0]), home), {
    env: { ...process.env, HOME: home },
    cwd: home,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += text));
  await waitFor(port, child, () => output);
  return {
    port,
    stop: async () => {
      const ended = once(child, "exit");
      child.kill();
      await ended;
    },
  };
}

async function waitFor(port: number, child: ChildProcess, output: () => string): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}: ${output()}`);
    if ((await ask(port, null, "").catch(() => null)) !== null) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

interface Answer {
  readonly status: number | undefined;
  readonly challenge: string | undefined;
  readonly body: string;
}

/** A request of the PSP of this name, with the certificate that it has proven; null: it shows none. */
function ask(port: number, psp: string | null, token: string, more: Record<string, string> = {}): Promise<Answer> {
  const shown = psp && {
    cert: readFileSync(join(folder, `${psp}.pem`)),
    key: readFileSync(join(folder, `${psp}.key`)),
  };
  const options = {
    ...{ host: "127.0.0.1", port, servername: "localhost", path: "/accounts/1/balances", agent: false as const },
    ...{ ...shown, rejectUnauthorized: false },
    headers: { Host: `localhost:${port}`, ...more, ...(token !== "" && { Authorization: `Bearer ${token}` }) },
  };
  return new Promise((resolve, reject) => {
    const sent = request(options, (response) => {
      let body = "";
      response.on("data", (text) => (body += text));
      response.on("error", reject);
      response.on("end", () => {
        const challenges = response.headers["www-authenticate"];
        resolve({ status: response.statusCode, challenge: challenges, body });
      });
    });
    sent.on("error", reject).end();
  });
}

const eidasOf = (psp: string): string =>
  readFileSync(join(folder, `${psp}.pem`), "utf8").replaceAll(/-----[^-]+-----|\s/g, "");

async function call(method: string, path: string, headers: Record<string, string>, body?: object) {
  const response = await fetch(service.url + path, {
    method,
    headers: { ...SANDBOX_FI, "Content-Type": "application/json", ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${text}`);
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  return (text === "" ? null : JSON.parse(text)) as any;
}

const creditor_account = { scheme_name: "IBAN", identification: "XX07", name: "Acme Ltd" };
const initiation = {
  ...{ instruction_identification: "1", end_to_end_identification: "2", creditor_account },
  instructed_amount: { amount: "1.00", currency: "EUR" },
};
const CONSENTS: Readonly<Record<Scope, [kind: string, data: object]>> = {
  accounts: ["account_access_consents", { permissions: ["ReadAccountsBasic", "ReadBalances"] }],
  payments: ["payment_order_consents", { initiation }],
};

/** A token of the PSP under a consent. */
async function obtainToken(account: string, scope: Scope = "accounts"): Promise<string> {
  const { access_token: ccg_token } = await call("POST", "/v1/obie/ccg_tokens", {}, { eIDAS: eidasOf("amber"), scope });
  const [kind, data] = CONSENTS[scope];
  const consent = await call("POST", `/v1/obie/${kind}`, { ccg_token }, { data });
  const redirect_uri = "https://psp.example/callback";
  const { consent_id } = consent.data;
  const asked = { consent_id, psu_account_id: account, redirect_uri, scope, response_type: "code" };
  const code = await call("POST", "/v1/obie/authorization_codes", { ccg_token }, asked);
  const auth_code = code.data.redirect_uri.parameters.code;
  return (await call("POST", "/v1/obie/tokens", { ccg_token }, { auth_code, redirect_uri })).data.access_token;
}

const LACKING = { status: 403, challenge: 'Bearer error="insufficient_scope"' };
const INVALID = { status: 401, challenge: 'Bearer error="invalid_token"' };

describe.each(GATEWAYS.filter(({ name }) => findTool(name)))("$name", (gateway) => {
  let running: Running;
  beforeAll(async () => {
    running = await start(gateway, new URL(service.url).host);
  });
  afterAll(() => running.stop());

  test("lets pass what is allowed, and tells the page for whom", async () => {
    const token = await obtainToken("account-4711");
    served.length = 0;
    expect(await ask(running.port, "amber", token)).toMatchObject({ status: 200, body: "the balance" });
    const told = { "psp-id": AMBER, "account-id": "account-4711", permissions: "ReadAccountsBasic ReadBalances" };
    expect(served).toMatchObject([{ headers: told }]);
  });

  test("a PSP chooses neither what the page is told of it, nor another page", async () => {
    const token = await obtainToken("account-4712");
    const shown = { ...SANDBOX_FI, access_token: token, eidas: eidasOf("amber") };
    const { headers: right } = await fetch(`${service.url}/v1/access?scope=accounts`, { headers: shown });
    expect(right.get("account-id")).toBe("account-4712");
    const [cert, key] = ["pem", "key"].map((kind) => readFileSync(join(folder, `amber.${kind}`)));
    const harms: string[] = [];
    for (const sent of ATTACKS) {
      served.length = 0;
      const status = await attack(sent, token, { host: "127.0.0.1", port: running.port, cert, key });
      for (const harm of served.flatMap((seen) => findHarm(seen, right) ?? [])) harms.push(`${sent.name}: ${harm}`);
      if (served.length === 0 && status !== null && status < 400) harms.push(`${sent.name}: answered with ${status}`);
    }
    expect(harms).toEqual([]);
  });

  test("hands the challenge on: revoked, withdrawn, another PSP's certificate or none, a header of the PSP's", async () => {
    const revoked = await obtainToken("revoked");
    await call("DELETE", `/v1/oauth2/tokens/${revoked}`, {});
    const withdrawn = await obtainToken("withdrawn");
    expect((await ask(running.port, "amber", withdrawn)).status).toBe(200);
    await call("DELETE", "/v1/accounts/withdrawn/permissions?by=customer", {});
    const token = await obtainToken("stolen");
    served.length = 0;
    expect(await ask(running.port, "amber", revoked)).toMatchObject(INVALID);
    expect(await ask(running.port, "amber", withdrawn)).toMatchObject(INVALID);
    expect(await ask(running.port, "iris", token)).toMatchObject(INVALID);
    expect(await ask(running.port, null, token)).toMatchObject(INVALID);
    for (const psp of ["iris", null])
      expect(await ask(running.port, psp, token, { eidas: eidasOf("amber"), access_token: token })).toMatchObject(
        INVALID,
      );
    expect(await ask(running.port, "amber", "")).toMatchObject({
      status: 401,
      challenge: expect.stringMatching(/^Bearer realm=/),
    });
    const payments = await obtainToken("payments", "payments");
    expect(await ask(running.port, "amber", payments)).toMatchObject(LACKING);
    expect(served).toEqual([]);
  });

  test("fails closed: the service is down, or refuses the gateway itself; the PSP is told neither", async () => {
    const token = await obtainToken("down");
    const nobody = `127.0.0.1:${await findFreePort()}`;
    const misconfigured = createServer((_, response) =>
      response.writeHead(401, { "WWW-Authenticate": 'Basic realm="financial institution"' }).end(),
    );
    await new Promise<void>((resolve) => misconfigured.listen(0, "127.0.0.1", resolve));
    const refusing = `127.0.0.1:${(misconfigured.address() as AddressInfo).port}`;
    served.length = 0;
    for (const gate of [nobody, refusing]) {
      const gone = await start(gateway, gate);
      expect(await ask(gone.port, "amber", token)).toMatchObject({ status: 503, challenge: undefined });
      await gone.stop();
    }
    misconfigured.close();
    expect(served).toEqual([]);
  });
});
