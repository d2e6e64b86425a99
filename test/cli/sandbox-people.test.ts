/** The OpenID provider of `npm start`: the service's own sign-in takes what it says, and it refuses what no client may ask. */
import "./in-process.ts";
import { createServer, get, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { requireInstitution } from "../../src/cli/institution/options.ts";
import { makeLocalKey } from "../../src/cli/keys/keys.ts";
import { letPeopleSignIn } from "../../src/cli/start/sandbox-people.ts";
import { withLocalSecrets } from "../../src/cli/webhook/local-deliveries.ts";
import { readRoles } from "../../src/console/sign-in/claims.ts";
import { beginAt, discover, finishAt, makeProof, verifyToken } from "../../src/console/sign-in/provider.ts";
import { openProviderSecret, sealProviderSecrets } from "../../src/grants/provider-secret.ts";
import { findNewestKid, readTokenKeys } from "../../src/grants/token-keys.ts";
import { findProvider, type SignInProvider } from "../../src/institutions/sign-in-provider.ts";
import { memories } from "../../src/platform/memory.ts";
import { withOwnStores } from "./own-stores.ts";
import { json, run } from "./run-here.ts";

const FI = "PSDXX-TEST-FI0001";
const LOCAL = { WEBHOOK_TARGETS: "loopback" } as const;
const ended: string[] = [];
/** In the place of the service: takes the logout. */
const service = createServer(async (request, response) => {
  let text = "";
  for await (const chunk of request) text += chunk;
  ended.push(`${request.url} ${new URLSearchParams(text).get("logout_token")}`);
  response.end();
});
const portOf = (server: Server): number => (server.address() as AddressInfo).port;
const at = (part = "") => `http://127.0.0.1:${portOf(service)}/console/sign-in/${FI}${part}`;

let opened: Server | null = null;
const close = (server: Server | null) => new Promise((resolve) => (server ? server.close(resolve) : resolve(null)));
/** As a start does, after the last one has ended: the service remembers nothing of the provider of before. */
async function start(servicePort = portOf(service)): Promise<SignInProvider> {
  await close(opened);
  return await withOwnStores(async ({ env }) => {
    opened = await letPeopleSignIn(env, servicePort, () => `http://127.0.0.1:${portOf(service)}`);
    const provider = await read();
    for (const what of ["discovery", "keys", "asked"])
      memories.get("signInProviders")?.delete(`${what} ${provider.issuer}`);
    return provider;
  });
}
let fiId = 0;
const read = () =>
  withOwnStores(async ({ env }) => (await findProvider(env.DB, fiId)) ?? expect.unreachable("no provider"));

beforeAll(async () => {
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  await makeLocalKey();
  await json("fi", "add", "--name", "Sandbox Bank", "--reference", FI);
  fiId = await withOwnStores(async ({ env }) => (await requireInstitution(env, FI)).id);
  return () => close(service);
});
afterEach(async () => {
  await close(opened);
  opened = null;
});

/** What a browser does there, up to the way back; `change`: what it asks otherwise. */
async function choose(provider: SignInProvider, role: string, change: Record<string, string> = {}) {
  const proof = makeProof();
  const address = new URL(await beginAt(LOCAL, provider, proof, at("/callback"), Date.now()));
  for (const [name, value] of Object.entries(change)) address.searchParams.set(name, value);
  const body = new URLSearchParams({ role });
  const answer = await fetch(address, { method: "POST", body, redirect: "manual" });
  const callback = URL.parse(answer.headers.get("Location") ?? "");
  return { proof, answer, callback: callback ?? new URL(at("/callback")) };
}
const finish = (provider: SignInProvider, { proof, callback }: Awaited<ReturnType<typeof choose>>) =>
  finishAt(LOCAL, provider, proof, { callback, redirectUri: at("/callback") }, Date.now());

test.each(["auditor", "officer", "administrator"])("somebody signs in as %s, in that role", async (role) => {
  const provider = await start();
  const claims = await finish(provider, await choose(provider, role));
  expect(claims).toMatchObject({ sub: role, name: `Sandbox ${role}`, sid: expect.stringMatching(/^[\w-]{43}$/) });
  expect(readRoles(claims, provider)).toEqual({ ok: true, roles: [role] });
});

test.each([
  ["another client", { client_id: "other" }, 400, null],
  ["an address elsewhere", { redirect_uri: "https://evil.example/callback" }, 400, null],
  ["another port of this machine", { redirect_uri: `http://127.0.0.1:9/console/sign-in/${FI}/callback` }, 400, null],
  ["another part of the service", { redirect_uri: "" }, 400, null],
  ["a token at once", { response_type: "id_token" }, 303, "unsupported_response_type"],
  ["no OpenID", { scope: "profile" }, 303, "invalid_scope"],
  ["no PKCE", { code_challenge: "" }, 303, "invalid_request"],
  ["plain PKCE", { code_challenge_method: "plain" }, 303, "invalid_request"],
  ["no page", { prompt: "none" }, 303, "login_required"],
])("it refuses %s", async (_, change, status, error) => {
  const provider = await start();
  const asked = "redirect_uri" in change && change.redirect_uri === "" ? { redirect_uri: at("/logout") } : change;
  const { answer, callback } = await choose(provider, "officer", asked);
  expect([answer.status, callback.searchParams.get("error"), callback.searchParams.has("code")]).toEqual([
    ...[status, error, false],
  ]);
});

test("the service's other name on this machine is known, too; a role that is none is asked for again", async () => {
  const provider = await start();
  const redirect_uri = at("/callback").replace("127.0.0.1", "localhost");
  expect((await choose(provider, "officer", { redirect_uri })).callback.href).toContain(`${redirect_uri}?code=`);
  const { answer } = await choose(provider, "operator");
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining("Continue as officer")]);
});

test("a code counts once, for its client, its verifier and its address, and for a minute", async () => {
  const provider = await start();
  const { token_endpoint: endpoint = "" } = await discover(LOCAL, provider.issuer, Date.now());
  const redeem = async (change: Record<string, string>) => {
    const { proof, callback } = await choose(provider, "officer");
    const client = { client_id: provider.clientId, client_secret: provider.secret };
    const code = { code: callback.searchParams.get("code") ?? "", code_verifier: proof.verifier };
    const usual = { ...client, ...code, grant_type: "authorization_code", redirect_uri: at("/callback") };
    const ask = async (more: object) => {
      const answer = await fetch(endpoint, { method: "POST", body: new URLSearchParams({ ...usual, ...more }) });
      return ((await answer.json()) as { error?: string }).error;
    };
    return [await ask(change), await ask({})];
  };
  expect(await redeem({})).toEqual([undefined, "invalid_grant"]);
  expect(await redeem({ client_secret: "wrong" })).toEqual(["invalid_client", undefined]);
  expect(await redeem({ client_id: "wrong" })).toEqual(["invalid_client", undefined]);
  expect(await redeem({ grant_type: "refresh_token" })).toEqual(["unsupported_grant_type", undefined]);
  expect(await redeem({ code: "wrong" })).toEqual(["invalid_grant", undefined]);
  expect(await redeem({ code_verifier: "wrong" })).toEqual(["invalid_grant", "invalid_grant"]);
  expect(await redeem({ redirect_uri: at("/logout") })).toEqual(["invalid_grant", "invalid_grant"]);
  const late = await choose(provider, "officer");
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
  await expect(finish(provider, late)).rejects.toMatchObject({ error: "invalid_grant" });
  vi.useRealTimers();
});

test("who signs out there is signed out at the service, and comes back to its sign-in only", async () => {
  const provider = await start();
  const begun = await choose(provider, "officer");
  const { sid } = await finish(provider, begun);
  const [cookie = ""] = begun.answer.headers.get("Set-Cookie")?.split(";") ?? [];
  const server = await discover(LOCAL, provider.issuer, Date.now());
  const leave = (method: string, back: string, headers: Record<string, string>) => {
    const query = new URLSearchParams({ client_id: provider.clientId, post_logout_redirect_uri: back });
    return fetch(`${server.end_session_endpoint}?${query}`, { method, headers, redirect: "manual" });
  };
  expect((await leave("GET", at(), { Cookie: cookie })).status).toBe(200);
  expect((await leave("POST", at(), {})).headers.get("Location")).toBe(at());
  expect(ended).toEqual([]);
  const left = await leave("POST", at(), { Cookie: cookie });
  expect([left.headers.get("Location"), left.headers.get("Set-Cookie")]).toEqual([
    ...[at(), expect.stringMatching(/=; .*Max-Age=0$/)],
  ]);
  const [path, token = ""] = ended.splice(0)[0]?.split(" ") ?? [];
  const claims = await verifyToken(LOCAL, server, token, provider.clientId, Date.now());
  expect([path, claims["sid"], "nonce" in claims]).toEqual([`/console/sign-in/${FI}/logout`, sid, false]);
  expect((await leave("POST", "https://evil.example/", { Cookie: cookie })).status).toBe(200);
});

test("a start keeps what was set, with new keys; somebody else has the port: it is set anew", async () => {
  const first = await start();
  expect(await start()).toEqual(first);
  await finish(first, await choose(first, "officer"));
  // as a scheduled run leaves it
  await withOwnStores(async ({ env }) => {
    const keys = await withLocalSecrets(env);
    await sealProviderSecrets(env.DB, findNewestKid(keys), () => readTokenKeys(keys));
  });
  const sealed = await start();
  expect([sealed.version, sealed.secret === first.secret]).toEqual([first.version, false]);
  const secret = await withOwnStores(async ({ env }) =>
    openProviderSecret({ fiId, ...sealed }, readTokenKeys(await withLocalSecrets(env))),
  );
  expect(secret).toBe(first.secret);
  await finish({ ...sealed, secret: first.secret }, await choose(sealed, "officer"));

  await json("fi", "sign-in", "set", "--reference", FI, "--credentials", "off");
  const port = Number(new URL(first.issuer).port);
  const moved = await start(port);
  expect(moved).toMatchObject({ clientId: first.clientId, credentials: false });
  expect([moved.issuer === first.issuer, moved.version === first.version]).toEqual([false, false]);
  await finish(moved, await choose(moved, "officer"));
  await close(opened);
  const other = createServer().listen(Number(new URL(moved.issuer).port), "127.0.0.1");
  await new Promise((resolve) => other.once("listening", resolve));
  expect((await start()).issuer).not.toBe(moved.issuer);
  await close(other);
});

test("it opens nothing where the institution has a provider of its own; a request by another name is refused", async () => {
  const { issuer } = await start();
  const askBy = (host: string) =>
    new Promise((resolve) =>
      get(`${issuer}/.well-known/openid-configuration`, { headers: { host }, agent: false }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      }),
    );
  expect([await askBy("evil.example"), await askBy(new URL(issuer).host)]).toEqual([404, 200]);
  expect(await run("fi", "sign-in", "test", "--reference", FI)).toMatchObject({ code: 0 });
  await json("fi", "sign-in", "set", "--reference", FI, "--client-id", "own", "--issuer", "https://login.bank.example");
  expect(await start()).toMatchObject({ clientId: "own", issuer: "https://login.bank.example" });
  expect(opened).toBe(null);
});
