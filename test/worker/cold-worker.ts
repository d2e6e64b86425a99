/**
 * Runs before each test file. Starting a runtime costs two seconds of processor time, so the files share a few: each begins
 * with empty stores and with our modules loaded anew, which is a cold isolate.
 */
import { reset, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, vi } from "vitest";
import { migrate } from "./migrate.ts";

/** vitest's own record of a module, as far as its resetModules clears it. */
interface EvaluatedModule {
  readonly evaluated: boolean;
  readonly promise?: unknown;
  readonly exports?: unknown;
}
interface VitestWorker {
  readonly evaluatedModules: { readonly idToModuleMap: ReadonlyMap<string, EvaluatedModule> };
}
/** vite's runner of modules: which module a URL stands for, as it was fetched. */
interface ModuleRunner {
  readonly evaluatedModules: { getModuleByUrl(url: string): { readonly meta?: unknown } | undefined };
  cachedModule(url: string, importer?: string): Promise<unknown>;
}
/** Without them all modules are loaded anew, each by requests. */
const { __vitest_worker__: worker, __vitest_mocker__: mocker } = globalThis as {
  __vitest_worker__?: VitestWorker;
  __vitest_mocker__?: { readonly moduleRunner?: ModuleRunner };
};

/** Packages, and the compiled document (megabytes): they remember nothing of a test, and are most of what a file loads. */
const KEPT = /\/node_modules\/|virtual:contract$/;

/** Of a test file. */
const MOST_INSTITUTIONS = 100;

// that of a file that stood at another date
vi.useRealTimers();
findFetchedModules();
resetOwnModules();
await emptyStores();
await migrate(env.DB);

/**
 * What the file before left running can hold a store open while it is deleted, and then its rows are still there: on a
 * loaded machine, seldom.
 */
async function emptyStores(): Promise<void> {
  for (let attempt = 0; attempt < 20; attempt++) {
    await reset();
    if (await areStoresEmpty()) return;
  }
  throw new Error("the stores of the file before could not be emptied");
}

async function areStoresEmpty(): Promise<boolean> {
  const databases = Object.entries(env).flatMap(([name, binding]) => (/^DB(_\d+)?$/.test(name) ? [binding] : []));
  // _cf_ tables are D1's own
  const tables = "SELECT count(*) AS tables FROM sqlite_schema WHERE name NOT LIKE '\\_cf\\_%' ESCAPE '\\'";
  const counts = databases.map((db) => (db as D1Database).prepare(tables).first<number>("tables"));
  // those of the sandbox: other institutions have ids of their own in each file
  const ledgers = [1, 2].map((fiId) =>
    runInDurableObject(
      env.LEDGER.getByName(String(fiId)),
      (_, { storage }) => storage.sql.exec(tables).one()["tables"],
    ),
  );
  // all are awaited: the next reset would end those that still run, and nobody would catch their failure
  const [{ keys }, { objects }, ...found] = await Promise.all([
    env.KV.list({ limit: 1 }),
    env.EVIDENCE.list({ limit: 1 }),
    ...counts,
    ...ledgers,
  ]);
  return keys.length + objects.length === 0 && found.every((count) => count === 0);
}

/**
 * The pool makes a request to its Durable Object for each import of each file, also of a module that it has: some thousand for a
 * file. Objects that import one at the same moment share the promise of that request, which workerd forbids: ledgers that
 * /metrics asks at once all load theirs (evidence/ledger/ledger.ts). No file mocks a module that it has imported.
 */
function findFetchedModules(): void {
  const runner = mocker?.moduleRunner;
  if (!runner) return;
  const fetchModule = runner.cachedModule;
  runner.cachedModule = async (url, importer) => {
    const module = runner.evaluatedModules.getModuleByUrl(url);
    return module?.meta ? module : fetchModule.call(runner, url, importer);
  };
  afterAll(() => {
    runner.cachedModule = fetchModule;
  });
}

/** As vi.resetModules, but for what is kept: see KEPT. */
function resetOwnModules(): void {
  const modules = worker?.evaluatedModules.idToModuleMap ?? new Map<string, EvaluatedModule>();
  const keptModules = [...modules].filter(([path, { evaluated }]) => evaluated && KEPT.test(path));
  const kept = keptModules.map(([, module]) => [module, { ...module }] as const);
  vi.resetModules();
  for (const [module, { promise, exports, evaluated }] of kept) Object.assign(module, { promise, exports, evaluated });
}

// the reserved names of RFC 2606 cannot be reached: the runtime would ask the machine's resolver, and print its failure
const connect = globalThis.fetch;
globalThis.fetch = async (input, init) => {
  const { hostname } = new URL(input instanceof Request ? input.url : input);
  if (/\.(invalid|test)$/.test(hostname)) throw new Error("Network connection lost.");
  return connect(input, init);
};
afterAll(async () => {
  globalThis.fetch = connect;
  await forgetRecords();
  await endWrites();
});

/** What this file keeps in R2 would arrive in the bucket of the next one. A bucket of a test may never answer. */
async function endWrites(): Promise<void> {
  const { writing } = await import("../../src/evidence/ledger/kept-documents.ts");
  const end = performance.now() + 2_000;
  while (writing.requests > 0 && performance.now() < end) await scheduler.wait(5);
}

/** What this file has recorded, and its ledgers have not: it would arrive in those of the next file. */
async function forgetRecords(): Promise<void> {
  const { waitingRecords } = await import("../../src/evidence/ledger/recorder.ts");
  for (let fiId = 1; fiId <= MOST_INSTITUTIONS; fiId++) {
    const queue = waitingRecords.queueOf(fiId);
    // whoever drives it finds that another has taken over
    Object.assign(queue, { driver: { since: Number.POSITIVE_INFINITY }, sending: null, waitingBytes: 0 });
    queue.waiting.length = 0;
  }
}
