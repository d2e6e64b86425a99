/** The D1 bindings of wrangler.toml: which there are, and the text with one more. Pure. */
import { bindingOf, MAX_DATABASES, numberOf } from "../institutions/databases.ts";

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
