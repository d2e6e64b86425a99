/** The package as a bank gets it: packed, installed into an empty project, compiled and run there, by its README. */
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import { GUIDES, readGuide } from "../../../src/reference/guides.ts";
import { ROOT } from "../service.ts";
import { BASE_URL } from "./bank.ts";

const run = promisify(execFile);
let project = "";
let packed = "";

/** What a bank would do with the modules of the README, and print. */
const PROGRAM = `
import { readFile } from "node:fs/promises";
import { PspGateError } from "psp-gate-client";
import { findObjection } from "./check.js";
import { authorize, exchange, findAccount } from "./core-flow.js";
import { gate, latest } from "./gate.js";
import { refuse } from "./gateway.js";
import { findProblems } from "./signed-request.js";
import { proven } from "./proven.js";
import { receive } from "./webhook.js";
import { authorizeConsent, createConsent, exchangeCode, identify, withdrawAll } from "./open-banking-flow.js";

const psp = await readFile("scenario-1.pem", "utf8");
const accountsOnly = await readFile("accounts-only.pem", "utf8");
const account = "client-package-" + crypto.randomUUID();
const codeOf = (uri: string) => new URL(uri).searchParams.get("code") ?? "";
const request = (scope: string) =>
  new URLSearchParams({ redirect_uri: "https://psp.example/callback", scope, state: "s-1" });

const seen: Record<string, unknown> = {};
seen["objections"] = [
  await findObjection(psp),
  await findObjection(await readFile("scenario-2.pem", "utf8")),
  await findObjection(await readFile("scenario-3.pem", "utf8")),
].map((objection) => objection !== null);
const uri = await authorize(psp, account, request("accounts"));
seen["state"] = new URL(uri).searchParams.get("state");
const { access_token } = await exchange(psp, account, codeOf(uri), "https://psp.example/callback");
seen["account"] = (await findAccount(psp, access_token)) === account;
seen["passes"] = [await refuse(psp, \`Bearer \${access_token}\`), (await refuse(accountsOnly, access_token))?.status];
seen["unsigned"] = await findProblems(new Request("https://bank.test/v1/accounts?a=b", { method: "POST", body: "{}" }));
seen["stolen"] = await findAccount(accountsOnly, access_token);
seen["refused"] = new URL(await authorize(accountsOnly, account, request("payments"))).searchParams.get("error");

const ccg = await identify(psp, "accounts");
const consent = await createConsent(ccg);
const code = codeOf(await authorizeConsent(ccg, consent, account));
const token = await exchangeCode(ccg, code);
seen["token"] = typeof token;
seen["replay"] = await exchangeCode(ccg, code);
await withdrawAll(account, () => true);
seen["permissions"] = (await gate.accounts.listPermissions({ account_id: account, status: "active" })).data.length;

const { decision } = await latest.psp.check({ eidas: accountsOnly, jurisdiction: "XX" });
seen["decision"] = [decision.accounts.allowed, decision.payments.reasons.map(({ code }) => code)];
const error = await gate.oauth2.getToken({ token: "unknown" }).catch((error: unknown) => error);
if (error instanceof PspGateError && error.code === "token_not_found") seen["error"] = error.whose;
seen["proven"] = (await proven.psp.check({ eidas: psp, jurisdiction: "XX" })).eIDAS.validity.notRevoked;
seen["webhooks"] = (await Promise.all(DELIVERIES.map(({ body, headers }) =>
  receive(new Request("https://bank.test", { method: "POST", body, headers }), SECRET)))).map(({ status }) => status);
console.log(JSON.stringify(seen));
`;

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/** A delivery by the library of Standard Webhooks, and the same to another receiver. */
function makeDeliveries(now: Date): string {
  const body = JSON.stringify({ id: "evt_1", type: "webhook.test", timestamp: now, data: { psp_id: null } });
  const headers = { "webhook-id": "evt_1", "webhook-timestamp": String(Math.floor(now.getTime() / 1000)) };
  const deliveries = [SECRET, "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"].map((secret) => ({
    body,
    headers: { ...headers, "webhook-signature": new Webhook(secret).sign("evt_1", now, body) },
  }));
  return `const SECRET = ${JSON.stringify(SECRET)};\nconst DELIVERIES = ${JSON.stringify(deliveries)};\n`;
}

/** What must not compile. */
const MISTAKES = `
import { PspGate, type PspGateError } from "psp-gate-client";
declare const gate: PspGate;
declare const error: PspGateError;
// @ts-expect-error no certificate
void gate.psp.check({ jurisdiction: "FI" });
// @ts-expect-error a name of version 1.6
void gate.introspect({ token: "t", "x-eidas": "MIIE" });
// @ts-expect-error no such scope
void gate.obie.createCcgToken({ eIDAS: "MIIE", scope: "account" });
// @ts-expect-error the decision needs version latest
void gate.psp.check({ eidas: "MIIE", jurisdiction: "FI" }).then((check) => check.decision);
// @ts-expect-error whether it is active is asked first
void gate.introspect({ token: "t" }).then((token) => token.account_id);
// @ts-expect-error a refusal has no code
void gate.oauth2.createAuthorizationCode({} as never).then(({ redirect_uri }) => redirect_uri.parameters.code);
// @ts-expect-error the constructor asks for all credentials
new PspGate({ baseUrl: "https://gate.test", clientId: "a", clientSecret: "b" });
const retry: "never" | "now" | "after" = error.retry;
void retry;
`;

/** Of a project that is CommonJS, as most of Nest and of older Express are. */
const COMMON_JS = `
import { PspGate, PspGateError, verifyAnswer, type PspCheck } from "psp-gate-client";
const gate = new PspGate({ baseUrl: "https://gate.test", clientId: "a", clientSecret: "b", fiReferenceId: "c" });
const check: Promise<PspCheck> = gate.psp.check({ eidas: "MIIE", jurisdiction: "FI" });
check.catch((error: unknown) => console.log(typeof require, error instanceof PspGateError, (error as Error).name, typeof verifyAnswer));
`;

/** What the guides have in TypeScript compiles as strictly; guides.test.ts runs it. */
const readGuidePrograms = (): Promise<[string, string][]> =>
  Promise.all(
    GUIDES.map(async (guide) => {
      const blocks = [...(await readGuide(guide)).matchAll(/^```ts Node\n([\s\S]*?)^```$/gm)];
      return [`guide-${guide.name}.ts`, [...blocks.map(([, text]) => text), "export {};"].join("\n")];
    }),
  );

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), "psp-gate-bank-"));
  const { stdout } = await run(process.execPath, ["src/client/package/pack.ts", "--out", join(project, "out")], {
    cwd: ROOT,
  });
  packed = stdout.trim();
  await writeFile(join(project, "package.json"), JSON.stringify({ name: "bank", private: true, type: "module" }));
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund", packed], { cwd: project });
  // as a bank's project on Node has them
  await mkdir(join(project, "node_modules/@types"), { recursive: true });
  for (const types of ["@types/node", "undici-types"])
    await symlink(join(ROOT, "node_modules", types), join(project, "node_modules", types));
  const compilerOptions = {
    ...{ strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true, skipLibCheck: false },
    ...{ target: "es2022", lib: ["es2022"], module: "nodenext", types: ["node"], outDir: "js" },
  };
  const readme = await readFile(join(project, "node_modules/psp-gate-client/README.md"), "utf8");
  const modules = [...readme.matchAll(/```ts\n\/\/ ([\w-]+\.ts)\n([\s\S]*?)```/g)].map(
    ([, name = "", text = ""]) => [name, text] as const,
  );
  const files = Object.fromEntries<string>([
    ...modules,
    ["main.ts", makeDeliveries(new Date()) + PROGRAM],
    ["mistakes.ts", MISTAKES],
    ...(await readGuidePrograms()),
  ]);
  await writeFile(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: Object.keys(files) }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(project, name), text);
  for (const name of ["scenario-1", "scenario-2", "scenario-3", "accounts-only"])
    await cp(join(ROOT, `fixtures/certificates/${name}.pem`), join(project, `${name}.pem`));
});

afterAll(() => rm(project, { recursive: true, force: true }));

test("the package has the repo's version, no dependency, and nothing of the service", async () => {
  const installed = join(project, "node_modules/psp-gate-client");
  const { version } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  const described = JSON.parse(await readFile(join(installed, "package.json"), "utf8"));
  expect(described).toMatchObject({ name: "psp-gate-client", version, license: "MIT", type: "module" });
  expect(described).not.toHaveProperty("dependencies");
  expect(basename(packed)).toBe(`psp-gate-client-${version}.tgz`);
  const { stdout } = await run("tar", ["tzf", packed]);
  const unexpected = stdout
    .trim()
    .split("\n")
    .filter((file) => !/^package\/(index\.c?js|[\w-]+\.d\.c?ts|package\.json|README\.md|LICENSE)$/.test(file));
  expect(unexpected).toEqual([]);
  for (const file of ["index.js", "index.cjs"])
    expect(await readFile(join(installed, file), "utf8")).not.toMatch(/^import |require\(|\bBuffer\b|\bprocess\./m);
});

test("the README's modules compile strictly against its types, and mistakes do not; both flows run", async () => {
  const compiled = await run(join(ROOT, "node_modules/.bin/tsc"), ["-p", project]).catch((error) => error);
  expect(compiled.stdout).toBe("");
  const { stdout } = await run(process.execPath, [join(project, "js/main.js")], {
    cwd: project,
    env: { ...process.env, GATE_URL: BASE_URL },
  }).catch((error) => error);
  expect(JSON.parse(stdout || "null")).toEqual({
    // of scenario 2 the register says Unauthorised, scenario 3 has other services
    objections: [false, true, true],
    state: "s-1",
    account: true,
    passes: [null, 401],
    unsigned: ["signature_missing"],
    stolen: null,
    refused: "invalid_scope",
    token: "string",
    replay: null,
    permissions: 0,
    decision: [true, ["role_not_on_certificate", "service_not_in_register"]],
    error: "caller",
    proven: true,
    webhooks: [204, 400],
  });
});

test.each(["node16", "nodenext"])("a project in CommonJS compiles and runs with it: module %s", async (module) => {
  const folder = join(project, `common-${module}`);
  await mkdir(folder);
  await writeFile(join(folder, "package.json"), JSON.stringify({ name: "older", private: true }));
  const compilerOptions = { strict: true, skipLibCheck: false, target: "es2022", module, types: ["node"] };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["main.ts"] }));
  await writeFile(join(folder, "main.ts"), COMMON_JS);
  const compiled = await run(join(ROOT, "node_modules/.bin/tsc"), ["-p", folder]).catch((error) => error);
  expect(compiled.stdout).toBe("");
  const { stdout } = await run(process.execPath, [join(folder, "main.js")]);
  expect(stdout).toBe("function false NetworkError function\n");
});
