/**
 * The life of one service, as a process beside its operator's commands: sign-in by Access, an event by the queue, a restart, the erasure of an account, a key that is
 * live without a restart, a backup, the loss of everything, and the restored service.
 */
import "./own-state.ts";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eidasHeader, endService, SANDBOX_FI, startService } from "../spec/service.ts";
import { testAudit } from "./audited.ts";
import { testErasure } from "./erasure.ts";
import { startTeam, stopTeam, testOperatorAccess } from "./operator-access.ts";
import { life, live } from "./own-service.ts";
import { STATE_DIR } from "./own-state.ts";
import { testPeopleSignIn, testSandboxPeople } from "./people-sign-in.ts";
import { testRestart } from "./restart.ts";
import { json, run } from "./run-here.ts";
import { startReceiving, stopReceiving, testWebhookQueue } from "./webhook-queue.ts";

const ACCOUNT = "life-account";
const REDIRECT_URI = "https://psp.example/callback";

let backups: string;
beforeAll(async () => {
  backups = await mkdtemp(join(tmpdir(), "psp-gate-backups-"));
  const vars = { ...(await startTeam()), ...(await startReceiving()) };
  live(await startService({ state: STATE_DIR, vars }));
});
afterAll(async () => {
  stopTeam();
  await stopReceiving();
  await endService(life());
  await rm(backups, { recursive: true, force: true });
});

async function call(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
  const response = await fetch(life().url + path, {
    method,
    headers: { ...SANDBOX_FI, "Content-Type": "application/json", ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  return { status: response.status, body: (await response.json()) as any };
}
const psp = async () => ({ eidas: await eidasHeader("scenario-1") });
async function obtainCode(): Promise<string> {
  const query = { response_type: "code", redirect_uri: REDIRECT_URI, scope: "accounts", state: "a" };
  const body = { account_id: ACCOUNT, client_request_query_parameters: query };
  const answer = await call("POST", "/v1/oauth2/authorization_codes", body, await psp());
  return answer.body.data.redirect_uri.parameters.code;
}
async function redeem(code: string) {
  const query = { grant_type: "authorization_code", code, redirect_uri: REDIRECT_URI };
  return await call(
    "POST",
    "/v1/oauth2/tokens",
    { account_id: ACCOUNT, client_request_query_parameters: query },
    await psp(),
  );
}
const obtainToken = async (): Promise<string> => (await redeem(await obtainCode())).body.data.access_token;
const isActive = async (token: string) => (await call("GET", `/v1/oauth2/tokens/${token}`)).body.data?.active;
const kidOf = (token: string) => token.split(".")[0];

testOperatorAccess();
testWebhookQueue();
testRestart();
testErasure();
testAudit();
testSandboxPeople();
testPeopleSignIn();

test("`key rotate` is live in the running service: new tokens have the new key, old ones go on", async () => {
  const before = await obtainToken();
  const { kid } = await json("key", "rotate");
  // it is reloaded meanwhile, and may refuse a connection for a moment
  await expect
    .poll(async () => kidOf(await obtainToken().catch(() => "")), { timeout: 60_000, interval: 500 })
    .toBe(kid);
  expect(kidOf(before)).not.toBe(kid);
  expect(await isActive(before)).toBe(true);
  const health = await fetch(`${life().url}/health`);
  expect(await health.json()).toMatchObject({
    status: "up",
    reasons: [],
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
  });
});

test("what was backed up and lost is restored: tokens answer, used and open codes are refused, secrets are named", async () => {
  const used = await obtainCode();
  const token = (await redeem(used)).body.data.access_token;
  const open = await obtainCode();
  const registers = await json("register", "list");
  const devVars = await readFile(join(STATE_DIR, ".dev.vars"), "utf8");
  const secrets = devVars
    .trim()
    .split("\n")
    .map((line) => line.split("=") as [name: string, value: string]);
  const names = ["TOKEN_KEY_", "SIGNING_KEY_"].flatMap((kind) =>
    secrets.map(([name]) => name).filter((name) => name.startsWith(kind)),
  );

  const directory = join(backups, "one");
  expect(await json("backup", directory)).toMatchObject({ secrets_needed: names });
  const files = await readdir(directory);
  expect(files.sort()).toEqual(["backup.json", "d1.sql", "kv.json"]);
  for (const file of files) {
    expect((await stat(join(directory, file))).mode & 0o777).toBe(0o600);
    const text = await readFile(join(directory, file), "utf8");
    const leaked = [...secrets.map(([, value]) => value), token, used, open].filter((secret) => text.includes(secret));
    expect(leaked).toEqual([]);
  }
  expect(await run("backup", directory)).toMatchObject({ code: 1, stderr: expect.stringContaining("is not empty") });

  await life().stop();
  for (const entry of await readdir(STATE_DIR)) await rm(join(STATE_DIR, entry), { recursive: true });
  expect(await json("restore", directory)).toMatchObject({ secrets_missing: names });
  expect(await run("restore", directory)).toMatchObject({ code: 1, stderr: expect.stringContaining("Say --yes") });
  // over what is stored: the same
  await writeFile(join(STATE_DIR, ".dev.vars"), devVars, { mode: 0o600 });
  expect(await json("restore", directory, "--yes")).toMatchObject({ secrets_missing: [] });
  expect(await json("register", "list")).toEqual(registers);

  live(await startService({ state: STATE_DIR }));
  expect(await isActive(token)).toBe(true);
  for (const code of [used, open])
    expect(await redeem(code)).toMatchObject({ status: 403, body: { errors: [{ code: "code_unknown" }] } });
  // a replay that cannot be told from an invented code revokes nothing
  expect(await isActive(token)).toBe(true);
});
