/**
 * The restore drill: a deployment is used, everything is lost but a backup and the keeper's identity, and all comes back. The Worker
 * itself runs on workerd (`npm start`), with the stores and the secrets that the platform holds.
 */
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import "./in-process.ts";
import { afterAll, expect, test, vi } from "vitest";
import { verifyHead } from "../../src/evidence/ledger/head.ts";
import { type Bank, makeBank } from "../raw-bank.ts";
import { SANDBOX_CREDENTIALS } from "../sandbox-fis.ts";
import { eidasHeader, ROOT, startService } from "../spec/service.ts";
import { type Platform, startPlatform } from "./platform.ts";

const FI = SANDBOX_CREDENTIALS.fiReferenceId;
const REDIRECT_URI = "https://psp.example/callback";
const folder = await mkdtemp(join(tmpdir(), "psp-gate-drill-"));
const at = (name: string): string => join(folder, name);
const platforms: Platform[] = [];
afterAll(async () => {
  for (const platform of platforms) await platform.close();
  await rm(folder, { recursive: true });
});

const identity = await generateX25519Identity();
const recipient = await identityToRecipient(identity);

/** An account with a deployment, and the operator's machine. */
async function deployAnew(name: string) {
  const platform = await startPlatform();
  platforms.push(platform);
  const machine = at(name);
  await mkdir(machine);
  await cp(join(ROOT, "wrangler.toml"), join(machine, "wrangler.toml"));
  const environment = {
    ...platform.environment,
    ...{ STATE_DIR: machine, CONFIGURATION: join(machine, "wrangler.toml") },
  };
  const inEnvironment = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
    try {
      return await work();
    } finally {
      vi.unstubAllEnvs();
    }
  };
  const { run, deployHere } = await inEnvironment(loadCommands);
  const deployed = await inEnvironment(() => deployHere(null, { recipient }));
  expect(deployed).toMatchObject({ code: 0 });
  /** What a command prints as JSON. */
  const command = async (...args: string[]) => {
    const { code, stdout, stderr } = await inEnvironment(() => run(...args));
    expect({ args, code, stderr }).toMatchObject({ args, code: 0 });
    return JSON.parse(stdout);
  };
  const remote = (...args: string[]) => command(...args, "--remote");
  /** What `doctor` finds to do. Its clock asks servers of the internet. */
  const examine = async (): Promise<object[]> => {
    const { stdout } = await inEnvironment(() => run("doctor", "--remote"));
    const findings: { readonly area: string; readonly state: string }[] = JSON.parse(stdout).findings;
    return findings.filter(({ area, state }) => area !== "clock" && !["good", "note"].includes(state));
  };
  const secrets = () => platform.account.scripts.get("psp-gate")?.secrets ?? new Map<string, string>();
  /** Serves what the platform holds while `work` runs, and gives it back what was written. */
  const serve = async (work: (url: string, ask: Bank) => Promise<void>) => {
    await remote("backup", at(`${name}-down`), "--yes");
    await command("restore", at(`${name}-down`), "--yes");
    await writeFile(join(machine, ".dev.vars"), [...secrets()].map((pair) => `${pair.join("=")}\n`).join(""));
    const service = await startService({ state: machine });
    try {
      await work(service.url, makeBank(fetch, service.url, SANDBOX_CREDENTIALS));
    } finally {
      await service.stop();
    }
    await command("backup", at(`${name}-up`));
    await remote("restore", at(`${name}-up`), "--yes");
  };
  const sealedPath = (name = "") => join(machine, "keys/production", `${name}.age`);
  return { machine, command, remote, examine, secrets, serve, sealedPath };
}

/** For another machine: they read the environment when they are loaded. */
async function loadCommands() {
  const { endWrangler } = await import("./kept-wrangler.ts");
  await endWrangler();
  vi.resetModules();
  const [{ run }, { deployHere }] = await Promise.all([import("../cli/run-here.ts"), import("./deploy-here.ts")]);
  return { run, deployHere };
}

const identityFile = at("identity.txt");
/** Tokens and the like that were made before the losses. */
const kept: Record<string, string> = {};
/** Names of the first deployment's secrets, and of those that the second one made. */
let lost: string[] = [];
let made: string[] = [];
let second: Awaited<ReturnType<typeof deployAnew>>;

test("a deployment is lost whole: old tokens, revocations, consents and evidence are those of the backup", async () => {
  const first = await deployAnew("first");
  lost = [...first.secrets().keys()].sort();
  expect(lost).toHaveLength(2);
  expect((await readdir(join(first.machine, "keys/production"))).sort()).toEqual(lost.map((name) => `${name}.age`));

  await first.serve(async (url, ask) => {
    const eidas = await eidasHeader("scenario-1");
    const answer = await ask("POST", "/v1/obie/ccg_tokens", { body: { eIDAS: eidas, scope: "accounts" } });
    const ccg_token = Object(answer.body).access_token;
    const data = { permissions: ["ReadAccountsBasic"], expiration_date_time: null };
    const times = { transaction_from_date_time: null, transaction_to_date_time: null };
    const consent = await ask("POST", "/v1/obie/account_access_consents", {
      ...{ headers: { ccg_token }, body: { data: { ...data, ...times } } },
    });
    const { consent_id } = Object(consent.body).data;
    const obtain = async () => {
      const query = { response_type: "code", redirect_uri: REDIRECT_URI, scope: "accounts", state: "s" };
      const asked = { account_id: "an-account", client_request_query_parameters: query };
      const coded = await ask("POST", "/v1/oauth2/authorization_codes", { headers: { eidas }, body: asked });
      const { code } = Object(coded.body).data.redirect_uri.parameters;
      const grant = { grant_type: "authorization_code", code, redirect_uri: REDIRECT_URI };
      const token = await ask("POST", "/v1/oauth2/tokens", {
        ...{ headers: { eidas }, body: { account_id: "an-account", client_request_query_parameters: grant } },
      });
      return Object(token.body).data.access_token as string;
    };
    const [live, revoked] = [await obtain(), await obtain()];
    expect(await ask("DELETE", `/v1/oauth2/tokens/${revoked}`)).toMatchObject({ status: 204 });
    Object.assign(kept, { ccg_token, consent_id, live, revoked });
    // the records of the seven requests follow their answers
    const readHead = async () => (await ask("GET", "/v1/audit/head", { headers: { version: "latest" } })).body;
    await expect.poll(async () => Object(await readHead()).data.seq, { timeout: 60_000 }).toBe(7);
    const range = ["--from", "2026-01-01T00:00:00Z", "--to", "2100-01-01T00:00:00Z"];
    await first.command("evidence", "export", at("evidence.zip"), "--fi", FI, "--url", url, ...range);
    await writeFile(at("head.json"), JSON.stringify(await readHead()));
  });
  await first.remote("backup", at("backup"), "--yes");

  // all is lost but the backup, the keeper's identity, and what the bank kept
  await platforms[0]?.close();
  await rm(first.machine, { recursive: true });

  second = await deployAnew("second");
  made = [...second.secrets().keys()].sort();
  expect(await second.remote("restore", at("backup"))).toMatchObject({ secrets_missing: lost.toReversed() });
  await writeFile(identityFile, identity);
  const files = lost.map((name) => join(at("backup"), "keys", `${name}.age`));
  expect(await second.remote("key", "import", ...files, "--identity", identityFile)).toEqual([
    { name: lost[0], did: "set without its private part", sealed: second.sealedPath(lost[0]) },
    { name: lost[1], did: "set", sealed: second.sealedPath(lost[1]) },
  ]);
  expect(await second.examine()).toEqual([]);
  // beside those of the second deployment, which sign
  expect([...second.secrets().keys()].sort()).toEqual([...lost, ...made].sort());
  expect(await second.remote("key", "list")).toMatchObject([
    { kid: lost[1]?.slice("TOKEN_KEY_".length), signs: false, deployed: true, live_tokens: 1 },
    { kid: made[1]?.slice("TOKEN_KEY_".length), signs: true, deployed: true, custody: true },
  ]);

  await second.serve(async (url, ask) => {
    const introspect = async (token = "") => (await ask("POST", "/v1/introspect", { body: { token } })).body;
    expect(await introspect(kept["live"])).toMatchObject({ active: true, account_id: "an-account" });
    expect(await introspect(kept["revoked"])).toEqual({ active: false });
    // a CCG token is in no table: its key alone says that it is one
    const headers = { ccg_token: kept["ccg_token"] ?? "" };
    expect(await ask("GET", `/v1/obie/account_access_consents/${kept["consent_id"]}`, { headers })).toMatchObject({
      ...{ status: 200, body: { data: { consent_id: kept["consent_id"] } } },
    });

    const keys = ["--keys", `${url}/.well-known/jwks.json`];
    const proven = await second.command("evidence", "verify", at("evidence.zip"), ...keys);
    const signed = lost[0]?.split("_")[2];
    expect(proven).toMatchObject({ proven: true, keys: "given", kid: signed, fi: FI, replays: { different: [] } });
    const { data } = JSON.parse(await readFile(at("head.json"), "utf8"));
    const published = Object(await (await fetch(keys[1] ?? "")).json()).keys;
    expect(verifyHead(data.jws, published)).toMatchObject({ ok: true, head: { fi: FI, seq: proven.last.seq } });
    expect(data.hash).toBe(proven.last.hash);
  });
});

test("after a second loss the backup that was made since still has the keys of the first deployment", async () => {
  expect(await second.remote("backup", at("second-backup"), "--yes")).toMatchObject({ secrets_unsealed: [] });
  await platforms[1]?.close();
  await rm(second.machine, { recursive: true });

  const third = await deployAnew("third");
  expect(await third.remote("restore", at("second-backup"))).toMatchObject({
    secrets_missing: expect.arrayContaining([...lost, ...made]),
  });
  const all = (await readdir(join(at("second-backup"), "keys"))).map((file) => join(at("second-backup"), "keys", file));
  await third.remote("key", "import", ...all, "--identity", identityFile);
  expect(await third.examine()).toEqual([]);
  await third.serve(async (_, ask) => {
    const introspect = async (token = "") => (await ask("POST", "/v1/introspect", { body: { token } })).body;
    expect(await introspect(kept["live"])).toMatchObject({ active: true, account_id: "an-account" });
    expect(await introspect(kept["revoked"])).toEqual({ active: false });
  });
});
