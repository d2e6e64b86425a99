/**
 * `npm run bench -- --only refresh`: what each step of the scheduled refresh takes in workerd, time and time of the processor,
 * from sources on loopback: the lists of the shared data and a generated EBA register of the full size. workerd also runs the
 * local KV and D1 here. Beside them the smallest heap in which the same work is done by Node, which has the same V8.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { buildSite } from "../../src/cli/build/site.ts";
import { readConfiguration } from "../../src/cli/configuration.ts";
import { Sources } from "../refresh/sources.ts";
import { readShared, sharedData } from "../shared-data.ts";
import { FULL_SIZE_RECORDS, writeEba } from "./eba-file.ts";
import { processorNanoseconds } from "./process-usage.ts";
import { bundle, startRuntime } from "./runtime.ts";
import { migrateAll, withStores } from "./stores.ts";

const WORKER = join(import.meta.dirname, "refresh-worker.ts");
const HEAPS_MEGABYTES = [16, 24, 32, 48, 64, 80, 96, 112, 128];
/** As the list of lists spells them, the smallest first. */
const TERRITORIES = ["IE", "SE", "FI", "AT", "EL", "BE", "CZ"];
const EBA_STEPS_SHOWN = 2;

const listPath = (territory: string) => join(sharedData ?? "", `trusted-lists/${territory}.xml`);

export async function measureRefreshSteps(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "psp-gate-refresh-"));
  const sources = await Sources.start();
  try {
    const register = await publishAll(sources, folder);
    const config = await configure(folder, sources.url);
    await buildSite({ sandbox: false });
    const tables = (await readFile(config, "utf8")).split(/^(?=\[)/m);
    const stores = join(folder, "stores.toml");
    await writeFile(
      stores,
      tables.filter((table) => !/^\[+(env\.|durable_objects|exports|assets)\b/.test(table)).join(""),
    );
    await withStores(stores, folder, ({ DB }) => migrateAll(DB));
    const built = await bundle(config, WORKER, join(folder, "built"));
    const { urls, pid, stop } = await startRuntime([{ name: "refresh", built }], folder, folder);
    try {
      console.log("\nSteps of the scheduled refresh, beside a Worker's limits");
      console.table(await measureAll(urls["refresh"] ?? "", pid, register));
    } finally {
      await stop();
    }
  } finally {
    await sources.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function publishAll(sources: Sources, folder: string): Promise<string> {
  for (const [path, file] of [["eu-lotl", "EU-LOTL"], ...TERRITORIES.map((territory) => [territory, territory])])
    sources.file(`/${path}.xml`, new TextEncoder().encode(readShared(`trusted-lists/${file}.xml`)));
  const register = join(folder, "register.zip");
  await writeEba(createWriteStream(register), FULL_SIZE_RECORDS, true);
  const zip = await readFile(register);
  sources.file("/eba/register.zip", zip);
  const metadata = {
    latest_version_relative_zip_path: "register.zip",
    sha256_hash: createHash("sha256").update(zip).digest("hex"),
    timestamp: "Mon Aug 24 16:00:29 UTC 2026",
    golden_copy_path_context: "https://euclid.eba.europa.eu/register/downloads/PSDMD/",
  };
  sources.file("/filemetadata.json", Buffer.from(JSON.stringify(metadata)));
  return register;
}

async function configure(folder: string, url: string): Promise<string> {
  const path = join(folder, "wrangler.toml");
  const vars: Record<string, string> = {
    LOTL_URL: `${url}/eu-lotl.xml`,
    TRUSTED_LIST_URL_TEMPLATE: `${url}/{territory}.xml`,
    EBA_METADATA_URL: `${url}/filemetadata.json`,
    EBA_FILES_URL: `${url}/eba/`,
    EBA_SEARCH_URL: `${url}/search`,
  };
  let text = await readConfiguration(WORKER);
  for (const [name, value] of Object.entries(vars))
    text = text.replace(new RegExp(`^${name} = .*$`, "m"), `${name} = ${JSON.stringify(value)}`);
  await writeFile(path, text);
  return path;
}

async function measureAll(url: string, pid: number, register: string) {
  const rows: object[] = [];
  const run = async (step: string, task: string, work: readonly string[] | null) => {
    const [began, processorBegan] = [performance.now(), await processorNanoseconds(pid)];
    const response = await fetch(`${url}/?task=${task}`);
    const result = (await response.json()) as { ok: boolean; message?: string; unfinished?: boolean };
    if (!result.ok) throw new Error(`${step}: ${result.message}`);
    rows.push({
      step,
      seconds: ((performance.now() - began) / 1000).toFixed(1),
      "processor s (limit 30)": (((await processorNanoseconds(pid)) - processorBegan) / 1e9).toFixed(1),
      "smallest heap in MB (limit 128)": work && (await findSmallestHeap(work)),
    });
    return result.unfinished === true;
  };
  await run("list of lists", "trust/eIDAS/EU", ["list", listPath("EU-LOTL")]);
  for (const territory of TERRITORIES)
    await run(`list of ${territory}`, `trust/eIDAS/${territory === "EL" ? "GR" : territory}`, [
      "list",
      listPath(territory),
    ]);
  await run("list of CZ, unchanged", "trust/eIDAS/CZ", null);
  for (let step = 1, unfinished = true; unfinished && step <= EBA_STEPS_SHOWN; step++)
    unfinished = await run(
      `EBA, step ${step} of the first load`,
      "register/eba",
      step === 1 ? ["eba", register] : null,
    );
  return rows;
}

/** Megabytes; none of those tried may be enough. */
async function findSmallestHeap(work: readonly string[]): Promise<number> {
  for (const megabytes of HEAPS_MEGABYTES) {
    const flags = [`--max-old-space-size=${megabytes}`, "--max-semi-space-size=1"];
    const ended = promisify(execFile)(process.execPath, [
      ...flags,
      join(import.meta.dirname, "refresh-heap.ts"),
      ...work,
    ]);
    if (
      await ended.then(
        () => true,
        () => false,
      )
    )
      return megabytes;
  }
  return Number.POSITIVE_INFINITY;
}
