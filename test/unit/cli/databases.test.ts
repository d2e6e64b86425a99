/** The bindings of wrangler.toml, and where the next institution is placed. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { unstable_readConfig } from "wrangler";
import { addDatabase, type DatabaseReading, findLeastLoaded } from "../../../src/cli/database/database.ts";
import { parseDeploymentTables } from "../../../src/cli/deployment/tables.ts";
import { findDatabases } from "../../../src/cli/doctor/examination.ts";
import { bindingOf, databaseOf, listDatabases, numberOf } from "../../../src/institutions/databases.ts";

const OURS = readFileSync(join(import.meta.dirname, "../../../wrangler.toml"), "utf8");
const folder = mkdtempSync(join(tmpdir(), "psp-gate-bindings-"));
afterAll(() => rmSync(folder, { recursive: true }));

const add = (text: string): string => {
  const added = addDatabase(text);
  if (!added.ok) throw new Error(added.message);
  return added.configuration;
};
function databasesOf(text: string, env?: string) {
  const config = join(folder, "wrangler.toml");
  writeFileSync(config, text);
  const { d1_databases } = unstable_readConfig({ config, ...(env !== undefined && { env }) }) as {
    d1_databases: { binding: string; database_name: string; migrations_dir: string; database_id?: string }[];
  };
  return d1_databases.map(({ binding, database_name, migrations_dir }) => [binding, database_name, migrations_dir]);
}

/** With the line ends of Windows, with comments, and without blanks around the equals signs of bindings. */
const inAnotherForm = (text: string): string =>
  text
    .replaceAll(/^(\[\[.*d1_databases\]\])$/gm, "$1 # D1")
    .replaceAll(/^binding = /gm, "binding=")
    .replaceAll("\n", "\r\n");

describe("a command with --remote", () => {
  test.each([
    ["ours", OURS, ["DB"]],
    ["in another form", inAnotherForm(add(OURS)), ["DB", "DB_2"]],
  ])("finds each binding and variable of the deployment: %s", (_, text, databases) => {
    const production = parseDeploymentTables(text, null);
    const staging = parseDeploymentTables(text, "staging");
    expect([production.worker, staging.worker]).toEqual(["psp-gate", "psp-gate-staging"]);
    for (const tables of [production, staging]) {
      expect([Object.keys(tables.databases), Object.keys(tables.keyValues)]).toEqual([databases, ["KV"]]);
      expect(tables.vars).toMatchObject({ REGISTER_MAX_AGE_HOURS_EBA: 48 });
    }
  });
});

describe("database add", () => {
  test("adds the next database to production and to staging, as wrangler reads it, and changes nothing else", () => {
    const text = add(add(OURS));
    const named = (name: string) => [
      ["DB", name, "src/migrations"],
      ["DB_2", `${name}-2`, "src/migrations"],
      ["DB_3", `${name}-3`, "src/migrations"],
    ];
    expect(databasesOf(text)).toEqual(named("psp-gate"));
    expect(databasesOf(text, "staging")).toEqual(named("psp-gate-staging"));
    const table = /^\[\[(env\.staging\.)?d1_databases\]\]\nbinding = "DB_\d"\n.*\n.*\n\n/gm;
    expect(text.replaceAll(table, "")).toBe(OURS);
  });

  test("a table with an id, at the end of the file, in another order", () => {
    const table = 'binding = "DB"\nmigrations_dir = "src/migrations"\ndatabase_name = "gate"';
    const text = add(`name = "gate"\n\n[[d1_databases]]\n${table}\ndatabase_id = "1234"`);
    expect(databasesOf(text)).toEqual([
      ["DB", "gate", "src/migrations"],
      ["DB_2", "gate-2", "src/migrations"],
    ]);
    expect(text.match(/database_id/g)).toHaveLength(1);
  });

  test.each([
    ["", "wrangler.toml has no [[d1_databases]]"],
    ['[[d1_databases]]\nbinding = "OTHER"\n', "wrangler.toml has no [[d1_databases]]"],
    ['[[d1_databases]]\nbinding = "DB"\n', "has no name"],
    ['[[d1_databases]]\nbinding = "DB"\n\n[[d1_databases]]\nbinding = "DB_999"\n', "there are 999 databases"],
  ])("%j is not changed", (text, message) => {
    expect(addDatabase(text)).toEqual({ ok: false, message: expect.stringContaining(message) });
  });
});

test.each([
  ["DB", 1],
  ["DB_2", 2],
  ["DB_999", 999],
  ["DB_1", null],
  ["DB_0", null],
  ["DB_02", null],
  ["DB_1000", null],
  ["DB2", null],
  ["KV", null],
])("the binding %s is of database %s", (binding, number) => {
  expect(numberOf(binding)).toBe(number);
  if (number !== null) expect(bindingOf(number)).toBe(binding);
});

test("databases are listed by number, and one that is not bound is named", () => {
  const db = (name: string) => name as unknown as D1Database;
  const env = { KV: {}, DB_10: db("ten"), DB_2: db("two"), DB: db("one") };
  expect(listDatabases(env).map(({ binding }) => binding)).toEqual(["DB", "DB_2", "DB_10"]);
  expect(databaseOf(env, { database: 10 })).toBe("ten");
  expect(() => databaseOf(env, { database: 3 })).toThrow("no binding DB_3: put it back into wrangler.toml and deploy");
});

const MB = 1024 * 1024;
const reading = (number: number, size_bytes: number | null, institutions = 0): DatabaseReading => ({
  ...{ number, binding: bindingOf(number), institutions },
  held: size_bytes === null ? null : { live_tokens: 0, size_bytes },
  error: size_bytes === null ? "D1_ERROR: gone" : null,
});

test.each([
  ["the only one", [reading(1, 5 * MB, 7)], 1],
  ["the smallest", [reading(1, 50 * MB), reading(2, 5 * MB, 9), reading(3, 6 * MB)], 2],
  [
    "of empty ones that with the fewest institutions",
    [reading(1, 0.3 * MB, 2), reading(2, 0.2 * MB, 1), reading(3, 0.1 * MB, 1)],
    2,
  ],
  ["none that does not answer", [reading(1, 50 * MB), reading(2, null)], 1],
])("a new institution is placed in %s", (_, databases, number) => {
  expect(findLeastLoaded(databases)).toBe(number);
});

describe("the doctor", () => {
  const command = (words: string) => `npm run admin -- ${words}`;

  test("says nothing of one database, and that several are well", () => {
    expect(findDatabases([reading(1, MB)], [], command)).toEqual([]);
    expect(findDatabases([reading(1, MB), reading(2, MB)], [], command)).toMatchObject([{ state: "good" }]);
  });

  test("says what is silent, what is full, and whose copy is wrong", () => {
    const faults = (["no binding", "missing", "different", "orphaned"] as const).map((fault) => {
      return { fi_reference_id: "PSDXX-TEST", binding: "DB_2", fault };
    });
    const found = findDatabases([reading(1, 9_000 * MB), reading(2, null)], faults, command);
    expect(found.map(({ state, todo }) => [state, todo])).toEqual([
      ["unknown", expect.stringContaining("look at D1")],
      ["to do", "npm run admin -- database add"],
      ["to do", "put DB_2 back into wrangler.toml and deploy"],
      ["to do", expect.stringContaining("npm run admin -- fi enable --reference PSDXX-TEST")],
      ["to do", expect.stringContaining("npm run admin -- fi enable --reference PSDXX-TEST")],
      ["to do", expect.stringContaining("delete the row in DB_2")],
    ]);
  });
});
