/** What wrangler.toml says of one deployment, read without wrangler, whose load takes most of a second. */
import { readFileSync } from "node:fs";
import { parse } from "smol-toml";
import { CONFIGURATION } from "../configuration.ts";
import type { Environment } from "../target.ts";

export interface DeploymentTables {
  /** Name of the Worker. */
  readonly worker: string;
  readonly compatibilityDate: string;
  /** Of any type, and perhaps absent in an older file. */
  readonly vars: Readonly<Record<string, unknown>>;
  /** Ids by binding, by which wrangler names the local files: one for previews goes before the store's own. */
  readonly databases: Readonly<Record<string, string>>;
  readonly keyValues: Readonly<Record<string, string>>;
  /** Bindings. */
  readonly buckets: readonly string[];
}

export type Table = Record<string, string>;
interface Tables {
  readonly name?: string;
  readonly vars?: Readonly<Record<string, unknown>>;
  readonly d1_databases?: readonly Table[];
  readonly kv_namespaces?: readonly Table[];
  readonly r2_buckets?: readonly Table[];
  readonly queues?: { readonly producers?: readonly Table[]; readonly consumers?: readonly Table[] };
  readonly triggers?: { readonly crons?: readonly string[] };
}
interface Configuration extends Tables {
  readonly compatibility_date: string;
  readonly env?: Readonly<Record<string, Tables>>;
}

/** Of the configuration file; `environment` null: production, whose tables the local stores have, too. */
export const readDeploymentTables = (environment: Environment | null): DeploymentTables =>
  parseDeploymentTables(readFileSync(CONFIGURATION, "utf8"), environment);

/** An environment takes no store and no variable from production, as wrangler has it. Throws on what is not TOML. */
export function parseTables(text: string, environment: Environment | null) {
  const whole = parse(text) as unknown as Configuration;
  const tables = environment === null ? whole : (whole.env?.[environment] ?? {});
  return { whole, tables, worker: tables.name ?? `${whole.name}${environment === null ? "" : `-${environment}`}` };
}

export function parseDeploymentTables(text: string, environment: Environment | null): DeploymentTables {
  const { whole, tables, worker } = parseTables(text, environment);
  const idsOf = (rows: readonly Table[] = [], ...names: readonly string[]) =>
    Object.fromEntries(
      rows.map((row) => {
        const binding = row["binding"] ?? "";
        return [binding, names.map((name) => row[name]).find((id) => id !== undefined) ?? binding];
      }),
    );
  return {
    worker,
    compatibilityDate: whole.compatibility_date,
    vars: tables.vars ?? {},
    databases: idsOf(tables.d1_databases, "preview_database_id", "database_id"),
    keyValues: idsOf(tables.kv_namespaces, "preview_id", "id"),
    buckets: (tables.r2_buckets ?? []).map(({ binding = "" }) => binding),
  };
}
