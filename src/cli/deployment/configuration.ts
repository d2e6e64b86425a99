/** What wrangler.toml says of one deployment, and the file for wrangler with the ids of the stores in it. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stringify } from "smol-toml";
import { numberOf } from "../../institutions/databases.ts";
import { ROOT, readConfiguration } from "../configuration.ts";
import { fail } from "../fail.ts";
import type { Environment } from "../target.ts";
import type { StoreIds } from "./deployed-stores.ts";
import type { Wanted } from "./stores.ts";
import { parseTables, type Table } from "./tables.ts";

export interface DeploymentConfiguration {
  readonly worker: string;
  readonly vars: Readonly<Record<string, unknown>>;
  /** Empty: none. */
  readonly jurisdiction: string;
  /** In the order in which they are made. R2 first: an account may lack it, and then nothing else is made. */
  readonly wanted: readonly Wanted[];
  /** Ids that the file has. */
  readonly known: StoreIds;
  readonly crons: readonly string[];
  /** Queues of which the Worker is the consumer. */
  readonly consumed: readonly string[];
  /** For wrangler, with the ids of stores. */
  readonly write: (ids: StoreIds) => string;
}

/** `chosen`: a jurisdiction in the place of the written one. */
export async function readDeploymentConfiguration(
  environment: Environment | null,
  chosen: string | null = null,
): Promise<DeploymentConfiguration> {
  const text = await readConfiguration(join(ROOT, "dist/worker/index.js"));
  const { whole, tables, worker } = parseTables(text, environment);
  const { d1_databases = [], kv_namespaces = [], r2_buckets = [], queues = {} } = tables;
  const jurisdiction = chosen ?? String(tables.vars?.["JURISDICTION"] ?? "");
  const vars = { ...tables.vars, JURISDICTION: jurisdiction };
  const producers = queues.producers ?? [];
  const databases = d1_databases
    .filter(({ binding = "" }) => numberOf(binding) !== null)
    .sort((a, b) => Number(numberOf(a["binding"] ?? "")) - Number(numberOf(b["binding"] ?? "")));
  const wanted = (kind: Wanted["kind"], rows: readonly Table[], titleOf: (row: Table) => string | undefined) =>
    rows.map((row): Wanted => ({ kind, binding: row["binding"] ?? "", title: titleOf(row) ?? "" }));
  const idName = (row: Table) => (d1_databases.includes(row) ? "database_id" : "id");
  const withIds = [...databases, ...kv_namespaces];
  return {
    worker,
    vars,
    jurisdiction,
    wanted: [
      ...wanted("R2 bucket", r2_buckets, (row) => row["bucket_name"]),
      ...wanted("D1 database", databases, (row) => row["database_name"]),
      // the title that wrangler gives to one that it makes
      ...wanted("KV namespace", kv_namespaces, (row) => `${worker}-${row["binding"]?.toLowerCase()}`),
      ...wanted("queue", producers, (row) => row["queue"]),
    ],
    known: new Map(
      withIds.flatMap((row): [string, string][] => {
        const id = row[idName(row)];
        return id === undefined ? [] : [[row["binding"] ?? "", id]];
      }),
    ),
    crons: tables.triggers?.crons ?? whole.triggers?.crons ?? [],
    consumed: (queues.consumers ?? []).flatMap(({ queue }) => queue ?? []),
    write: (ids) => {
      for (const row of withIds) {
        const id = ids.get(row["binding"] ?? "");
        if (id !== undefined) row[idName(row)] = id;
      }
      if (jurisdiction !== "") for (const row of r2_buckets) row["jurisdiction"] = jurisdiction;
      Object.assign(tables, { vars });
      return stringify(whole);
    },
  };
}

/** Writes the files into a folder that only this user may read, and takes it away after `work`. */
export async function withFiles<Result>(
  files: Readonly<Record<string, string>>,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), "psp-gate-deploy-"));
  try {
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text, { mode: 0o600 });
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The text of wrangler.toml with the jurisdiction among the variables of one deployment. */
export function setJurisdiction(text: string, environment: Environment | null, jurisdiction: string): string {
  const head = environment === null ? "[vars]" : `[env.${environment}.vars]`;
  const lines = text.split("\n");
  const start = lines.findIndex((line) => line.startsWith(head));
  const at = lines.findIndex((line, i) => i > start && /^JURISDICTION *=/.test(line));
  if (start < 0 || at < 0) fail(`wrangler.toml has no JURISDICTION in ${head}`);
  return lines.with(at, `JURISDICTION = "${jurisdiction}"`).join("\n");
}
