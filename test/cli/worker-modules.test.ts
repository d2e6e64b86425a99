/** The Worker as `npm run deploy` sends it: its modules find each other in workerd, and what is loaded later is. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { unstable_getMiniflareWorkerOptions, unstable_readConfig } from "wrangler";
import { buildWorkerModules } from "../../src/cli/build/worker-modules.ts";
import { findPending, migrate } from "../../src/cli/database/migrations.ts";
import { VERDICTS } from "../../src/eidas/verdicts.ts";
import { ENTRIES } from "../../src/http/errors/every-code.ts";
import { findStartModules } from "../checks/start-modules.ts";

const CONFIGURATION = join(import.meta.dirname, "../../wrangler.toml");

/** As far as it is used; the package is wrangler's, not ours. */
interface Runtime {
  readonly dispatchFetch: (url: string) => Promise<Response>;
  readonly getD1Database: (binding: string) => Promise<D1Database>;
  readonly getWorker: () => Promise<{ scheduled: (options: object) => Promise<{ outcome: string }> }>;
  readonly dispose: () => Promise<void>;
}
const { Miniflare, convertV4MiniflareOptions } = createRequire(createRequire(import.meta.url).resolve("wrangler"))(
  "miniflare",
) as { Miniflare: new (options: object) => Runtime; convertV4MiniflareOptions: (options: object) => object };

let folder: string;
let runtime: Runtime;
/** A source that has nothing: the refresh is to fail there, and not to leave the machine. */
const source = createServer((_, response) => response.writeHead(404).end());
let modules: { readonly entry: string | null; readonly atStart: boolean; readonly path: string }[];
let built: ReturnType<typeof findStartModules>;
/** Their code. */
const read = async (some: typeof modules): Promise<string> =>
  (await Promise.all(some.map(({ path }) => readFile(join(folder, path), "utf8")))).join("");

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "psp-gate-modules-"));
  built = findStartModules(await buildWorkerModules(folder), "src/index.ts");
  modules = built.map(({ entry, atStart, file }) => ({ entry, atStart, path: file.slice(folder.length + 1) }));
  await new Promise<void>((resolve) => source.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(source.address() as AddressInfo).port}`;
  const { assets: _, bindings, ...options } = unstable_getMiniflareWorkerOptions(CONFIGURATION).workerOptions;
  const entryFirst = modules.toSorted((a, b) => Number(b.path === "index.js") - Number(a.path === "index.js"));
  const contents = await Promise.all(
    entryFirst.map(async ({ path }) => ({
      ...{ type: "ESModule", path },
      contents: await readFile(join(folder, path), "utf8"),
    })),
  );
  const sources = {
    LOTL_URL: `${url}/lotl.xml`,
    EBA_METADATA_URL: `${url}/eba`,
    EBA_FILES_URL: url,
    EBA_SEARCH_URL: url,
  };
  runtime = new Miniflare(
    convertV4MiniflareOptions({ ...options, bindings: { ...(bindings as object), ...sources }, modules: contents }),
  );
  const database = await runtime.getD1Database("DB");
  await migrate(database, (await findPending(database)).migrations);
});

afterAll(async () => {
  await runtime?.dispose();
  source.close();
  await rm(folder, { recursive: true, force: true });
});

test("each module is one that the rules of wrangler.toml send", () => {
  const { rules = [] } = unstable_readConfig({ config: CONFIGURATION });
  expect(rules).toEqual([{ type: "ESModule", globs: ["modules/*.js"] }]);
  expect(modules.map(({ path }) => path).filter((path) => !/^modules\/[^/]+\.js$/.test(path))).toEqual(["index.js"]);
});

test("what few requests need is in modules of their own, which a start does not evaluate", () => {
  const later = modules.filter(({ atStart }) => !atStart).flatMap(({ entry }) => entry ?? []);
  expect(later.sort()).toEqual([
    "src/console/console.ts",
    "src/console/sign-in/provider.ts",
    "src/eidas/sandbox-issuer.ts",
    "src/eidas/stranger.ts",
    "src/events/deliver.ts",
    "src/events/met-psps.ts",
    "src/events/observed-facts.ts",
    "src/events/queue.ts",
    "src/events/used-code.ts",
    "src/evidence/ledger/institution-ledger.ts",
    "src/evidence/signatures/answer-signature.ts",
    "src/http/errors/error-response.ts",
    "src/http/errors/lost-path.ts",
    "src/http/errors/query-names.ts",
    "src/http/middleware/json-body.ts",
    "src/institutions/operator-pass.ts",
    "src/psp-check/issuer-search.ts",
    "src/psp-check/kept-issuers.ts",
    "src/refresh/scheduled.ts",
    "src/revocation/sent-instead.ts",
    "src/routes/access.ts",
    "src/routes/accounts/block.ts",
    "src/routes/accounts/permissions.ts",
    "src/routes/audit.ts",
    "src/routes/events.ts",
    "src/routes/introspect.ts",
    "src/routes/metrics.ts",
    "src/routes/oauth2/authorization_codes.ts",
    "src/routes/oauth2/tokens.ts",
    "src/routes/obie/account_access_consents.ts",
    "src/routes/obie/authorization_codes.ts",
    "src/routes/obie/ccg_tokens.ts",
    "src/routes/obie/payment_order_consents.ts",
    "src/routes/obie/tokens.ts",
    "src/routes/operation.ts",
    "src/routes/psp/checks.ts",
    "src/routes/psp/signatures.ts",
    "src/routes/site.ts",
    "src/routes/v1_6/older-form.ts",
    "src/sandbox/make-pem.ts",
  ]);
});

test("the library that makes a sandbox's certificates is in the module of their page's form alone", () => {
  const holds = built.filter(({ inputs }) => inputs.some((input) => /@peculiar|asn1js|reflect-metadata/.test(input)));
  expect(holds.map(({ entry, atStart }) => ({ entry, atStart }))).toEqual([
    { entry: "src/sandbox/make-pem.ts", atStart: false },
  ]);
});

test("nothing that only a command has is in the Worker, such as the OpenID provider of npm start", () => {
  expect(built.flatMap(({ inputs }) => inputs).filter((input) => input.startsWith("src/cli/"))).toEqual([]);
  expect(built.flatMap(({ inputs }) => inputs)).toContain("src/console/sign-in/local-readers.tsx");
});

test("a request to the API is answered without them, one to the console by its module", async () => {
  const api = await runtime.dispatchFetch("http://gate.example/v1/psp/eidas?jurisdiction=xx");
  expect([api.status, ((await api.json()) as { errors: unknown[] }).errors.length]).toEqual([401, 1]);
  const page = await runtime.dispatchFetch("http://gate.example/console/sign-in");
  expect([page.status, page.headers.get("Content-Type")]).toEqual([200, "text/html; charset=UTF-8"]);
});

test("of the error catalogue a start has next to nothing, an error answer the titles, the console the cures, and nothing has the other texts", async () => {
  const start = await read(modules.filter(({ atStart }) => atStart));
  const later = await read(modules.filter(({ atStart }) => !atStart));
  // as JavaScript spells it the same in any quotes
  const isPlain = (text: string) => /^[\w ,.:;()/=-]+$/.test(text);
  // the console has the table of verdicts, whole
  const ofVerdicts = new Set<string>(Object.values(VERDICTS).map(({ warnings: [{ code }] }) => code));
  const entries = Object.entries(ENTRIES).filter(([code]) => !ofVerdicts.has(code));
  const inPart = (member: "title" | "rule" | "cause" | "cure") => {
    const texts = entries.flatMap(([, entry]) => (isPlain(entry[member]) ? [entry[member]] : []));
    const rate = (code: string) => texts.filter((text) => code.includes(text)).length / texts.length;
    expect(texts.length).toBeGreaterThan(50);
    return { start: rate(start), later: rate(later) };
  };
  expect(inPart("title").later).toBe(1);
  // a few are what the pipeline says by itself
  expect(inPart("title").start).toBeLessThan(0.1);
  expect(inPart("cure")).toEqual({ start: 0, later: 1 });
  expect(inPart("rule")).toEqual({ start: 0, later: 0 });
  expect(inPart("cause")).toEqual({ start: 0, later: 0 });
});

test("a scheduled run loads the refresh, which writes what it found", async () => {
  const { outcome } = await (await runtime.getWorker()).scheduled({ cron: "* * * * *" });
  expect(outcome).toBe("ok");
  const failed = await (await runtime.getD1Database("DB"))
    .prepare("SELECT task, error FROM refreshes WHERE failures > 0")
    .all<{ task: string; error: string }>();
  expect(failed.results.map(({ error }) => error.includes("404"))).toContain(true);
});
