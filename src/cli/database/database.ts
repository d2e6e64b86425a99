/** `database add | list`: over how many D1 databases the tokens and consents are spread. */
import { readFile } from "node:fs/promises";
import type { Command } from "commander";
import { bindingOf, listDatabases, MAX_DATABASE_BYTES, MAX_DATABASES, numberOf } from "../../institutions/databases.ts";
import { clock } from "../../platform/clock.ts";
import type { Instant } from "../../platform/instant.ts";
import { CONFIGURATION, replaceConfiguration } from "../configuration.ts";
import { EXIT, fail } from "../fail.ts";
import { addOutputOptions, drawTable, grouped, type OutputOptions, print, type Style } from "../output.ts";
import { withStores } from "../stores.ts";
import { type Common, commandsOf, targetOf } from "../target.ts";

const AFTER_ADD = `
It changes wrangler.toml only: commit it. npm start makes the local database, npm run deploy those of production and
staging (once for each); until then commands with --remote know the others only. Institutions stay where they are;
\`fi add\` places new ones in the least loaded database, or in the one that --database names.`;

export function addDatabaseCommands(program: Command): void {
  const database = program.command("database").description("the D1 databases of tokens and consents");

  addOutputOptions(database.command("add").description("add the next database to wrangler.toml"))
    .addHelpText("after", AFTER_ADD)
    .action(async (options: OutputOptions) => {
      const added = addDatabase(await readFile(CONFIGURATION, "utf8"));
      if (!added.ok) fail(`nothing was added: ${added.message}`);
      await replaceConfiguration(added.configuration);
      const { number, names } = added;
      print({ number, binding: bindingOf(number), database_names: names }, options, (style) =>
        [
          `${style.good("added")} ${bindingOf(number)} to wrangler.toml (${names.join(", ")})`,
          "Now: npm run types, commit both files, npm run deploy; npm start makes the local one.",
        ].join("\n"),
      );
    });

  commandsOf(database)("list", "show whether each answers, and how full it is").action(async (options: Common) => {
    const databases = await withStores(targetOf(options), ({ env }) => readDatabases(env, clock.now()));
    print(databases, options, (style) => drawDatabases(databases, style));
    if (databases.some(({ error }) => error !== null)) process.exitCode = EXIT.no;
  });
}

export function drawDatabases(databases: readonly DatabaseReading[], style: Style): string {
  const rows = databases.map(({ binding, institutions, held, error }) => [
    `  ${binding}`,
    error === null ? style.good("✓ answers") : style.bad("✗ no answer"),
    grouped(institutions),
    held ? grouped(held.live_tokens) : "",
    held
      ? `${(held.size_bytes / 1e6).toFixed(1)} MB, ${((100 * held.size_bytes) / MAX_DATABASE_BYTES).toFixed(1)} %`
      : "",
  ]);
  const errors = databases.flatMap(({ binding, error }) =>
    error === null ? [] : [`  ${style.bad("✗")} ${binding}: ${error}`],
  );
  return [drawTable(["  database", "", "institutions", "live tokens", "size"], rows, style), ...errors].join("\n");
}

/** The tables of a binding, in production and in each environment: up to the next empty line or table. */
const TABLE = /^\[\[((?:env\.\w+\.)?)d1_databases\]\]\n(?:(?!\[|\n).*\n?)*/gm;

interface Table {
  readonly text: string;
  /** `env.staging.`, or empty for production. */
  readonly environment: string;
  readonly number: number;
}

function listTables(configuration: string): Table[] {
  return [...configuration.matchAll(TABLE)].flatMap(([text, environment = ""]) => {
    const number = numberOf(/^binding = "(.*)"$/m.exec(text)?.[1] ?? "");
    return number === null ? [] : [{ text, environment, number }];
  });
}

export type Added =
  | { readonly ok: true; readonly configuration: string; readonly number: number; readonly names: readonly string[] }
  | { readonly ok: false; readonly message: string };

/**
 * The configuration with the next database in production and in each environment: a copy of the table of `DB` with the
 * next number in the binding and in the database's name, behind the last. Whatever else is in the file stays.
 */
export function addDatabase(configuration: string): Added {
  const tables = listTables(configuration);
  const firsts = tables.filter(({ number }) => number === 1);
  if (!firsts.some(({ environment }) => environment === ""))
    return { ok: false, message: 'wrangler.toml has no [[d1_databases]] with binding = "DB"' };
  const number = Math.max(...tables.map((table) => table.number)) + 1;
  if (number > MAX_DATABASES)
    return { ok: false, message: `there are ${MAX_DATABASES} databases: no more can be named` };
  const names: string[] = [];
  let text = configuration;
  for (const { environment, text: first } of firsts) {
    const name = /^database_name = "(.*)"$/m.exec(first)?.[1];
    if (name === undefined) return { ok: false, message: `wrangler.toml: [[${environment}d1_databases]] has no name` };
    names.push(`${name}-${number}`);
    const table = first
      .trimEnd()
      .split("\n")
      // an id is that of the first
      .filter((line) => !/^(preview_)?database_id = /.test(line))
      .join("\n")
      .replace(/^binding = ".*"$/m, `binding = "${bindingOf(number)}"`)
      .replace(/^database_name = ".*"$/m, `database_name = "${name}-${number}"`);
    const last = tables.filter((one) => one.environment === environment).at(-1)?.text ?? first;
    text = text.replace(last, () => `${last.trimEnd()}\n\n${table}\n`);
  }
  return { ok: true, configuration: text, number, names };
}

/** For people and as JSON. */
export interface DatabaseReading {
  readonly number: number;
  readonly binding: string;
  /** Placed in it, by the first database. */
  readonly institutions: number;
  /** Of it: null if it does not answer. */
  readonly held: { readonly live_tokens: number; readonly size_bytes: number } | null;
  /** Why it does not answer. */
  readonly error: string | null;
}

const PLACED = "SELECT database, count(*) AS institutions FROM financial_institutions GROUP BY database";
// index: tokens_by_expiry
const LIVE_TOKENS = "SELECT count(*) AS tokens FROM tokens WHERE expires_at > ?1 AND revoked_at IS NULL";

/** Throws if the first database does not answer. */
export async function readDatabases(env: Pick<Env, "DB">, now: Instant): Promise<DatabaseReading[]> {
  const { results } = await env.DB.prepare(PLACED).all<{ database: number; institutions: number }>();
  const placed = new Map(results.map(({ database, institutions }) => [database, institutions]));
  return await Promise.all(
    listDatabases(env).map(async ({ number, binding, db }) => {
      const reading = { number, binding, institutions: placed.get(number) ?? 0 };
      try {
        const { results, meta } = await db.prepare(LIVE_TOKENS).bind(now).all<{ tokens: number }>();
        const held = { live_tokens: results[0]?.tokens ?? 0, size_bytes: meta.size_after ?? 0 };
        return { ...reading, held, error: null };
      } catch (error) {
        return { ...reading, held: null, error: error instanceof Error ? error.message : String(error) };
      }
    }),
  );
}

const MIB = 1024 * 1024;

/**
 * The number of the database for the next institution: of those that answer the smallest, because its size is what a
 * database runs out of (D1: 10 GB); of some of one size, in whole MiB, that with the fewest institutions.
 */
export function findLeastLoaded(databases: readonly DatabaseReading[]): number {
  const loads = databases.flatMap(({ number, institutions, held }) =>
    held ? [{ number, load: [Math.floor(held.size_bytes / MIB), institutions, number] }] : [],
  );
  const [least] = loads.sort((a, b) => a.load.map((part, i) => part - (b.load[i] ?? 0)).find(Boolean) ?? 0);
  return least?.number ?? 1;
}
