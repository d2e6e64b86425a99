/** D1 over HTTP, on SQLite: developers.cloudflare.com/api/resources/d1/subresources/database/ */
import { createHash, randomUUID } from "node:crypto";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { splitStatements } from "../../src/cli/backup/sql-statements.ts";
import { ApiFault, type ApiRequest, type Route } from "./api.ts";

export interface HeldDatabase {
  readonly uuid: string;
  readonly name: string;
  readonly jurisdiction: string | null;
  readonly sqlite: DatabaseSync;
  /** An import that was uploaded and not yet carried out, and exports that were asked for. */
  readonly files: Map<string, Uint8Array>;
}

interface Statement {
  readonly sql: string;
  readonly params?: readonly SQLInputValue[];
}

export function databaseRoutes(databases: HeldDatabase[]): readonly Route[] {
  const find = (nameOrId: string | undefined): HeldDatabase => {
    const found = databases.find(({ uuid, name }) => uuid === nameOrId || name === nameOrId);
    // the code and words by which wrangler knows it
    if (!found) throw new ApiFault(404, 7404, `The database ${nameOrId} could not be found`);
    return found;
  };
  const run = ({ parts: [id], body }: ApiRequest) => {
    const { sqlite } = find(id);
    const asked = JSON.parse(body.toString()) as Statement | { readonly batch: readonly Statement[] };
    return runStatements(sqlite, "batch" in asked ? asked.batch : splitSql(asked));
  };
  return [
    [
      "GET /d1/database",
      ({ url }) => {
        const name = url.searchParams.get("name");
        const page = Number(url.searchParams.get("page") ?? 1);
        const perPage = Number(url.searchParams.get("per_page") ?? 1000);
        const all = databases.filter((each) => name === null || each.name === name).map(describe);
        const result = all.slice((page - 1) * perPage, page * perPage);
        return { result, info: { count: result.length, page, per_page: perPage, total_count: all.length } };
      },
    ],
    [
      "POST /d1/database",
      ({ body }) => {
        const { name, jurisdiction = null } = JSON.parse(body.toString());
        if (databases.some((each) => each.name === name))
          throw new ApiFault(400, 7502, `A database with that name already exists`);
        const made = { uuid: randomUUID(), name, jurisdiction, sqlite: new DatabaseSync(":memory:"), files: new Map() };
        databases.push(made);
        return { result: describe(made) };
      },
    ],
    ["GET /d1/database/*", ({ parts: [id] }) => ({ result: describe(find(id)) })],
    [
      "DELETE /d1/database/*",
      ({ parts: [id] }) => {
        databases.splice(databases.indexOf(find(id)), 1);
        return { result: null };
      },
    ],
    ["POST /d1/database/*/query", (request) => ({ result: run(request).map(asObjects) })],
    ["POST /d1/database/*/raw", (request) => ({ result: run(request) })],
    [
      "POST /d1/database/*/export",
      ({ parts: [id = ""], origin }) => {
        const { files, sqlite } = find(id);
        files.set("dump.sql", Buffer.from(dump(sqlite)));
        const signed_url = `${origin}/signed/${id}/dump.sql`;
        const result = { filename: "dump.sql", signed_url };
        return {
          result: { success: true, messages: [], type: "export", at_bookmark: BOOKMARK, status: "complete", result },
        };
      },
    ],
    [
      "POST /d1/database/*/import",
      ({ parts: [id = ""], body, origin }) => {
        const { files, sqlite } = find(id);
        const { action, etag, filename } = JSON.parse(body.toString());
        if (action === "init") {
          const name = `${etag}.sql`;
          return { result: { upload_url: `${origin}/signed/${id}/${name}`, filename: name, success: true } };
        }
        if (action === "ingest") {
          const file = files.get(filename);
          if (!file || createHash("md5").update(file).digest("hex") !== etag)
            throw new ApiFault(400, 7500, "The file was not uploaded, or is another one");
          const sql = Buffer.from(file).toString();
          // developers.cloudflare.com/d1/platform/limits/
          if (splitStatements(sql).some((statement) => Buffer.byteLength(statement) > 100_000))
            throw new ApiFault(400, 7500, "statement too long: SQLITE_TOOBIG");
          importDump(sqlite, sql);
        }
        const meta = { served_by: "test", duration: 1, changes: 0, last_row_id: 0, changed_db: true, size_after: 0 };
        const result = { num_queries: 1, final_bookmark: BOOKMARK, meta: { ...meta, rows_read: 0, rows_written: 0 } };
        return {
          result: { success: true, messages: [], type: "import", at_bookmark: BOOKMARK, status: "complete", result },
        };
      },
    ],
    // developers.cloudflare.com/api/resources/d1/subresources/database/subresources/time_travel/
    [
      "GET /d1/database/*/time_travel/bookmark",
      ({ parts: [id] }) => {
        const { files, sqlite } = find(id);
        return { result: { bookmark: keepState(files, sqlite) } };
      },
    ],
    [
      "POST /d1/database/*/time_travel/restore",
      ({ parts: [id], url }) => {
        const { files, sqlite } = find(id);
        const bookmark = url.searchParams.get("bookmark") ?? "";
        const state = files.get(bookmark);
        if (!state) throw new ApiFault(400, 7500, `The bookmark ${bookmark} is not known`);
        const previous_bookmark = keepState(files, sqlite);
        const tables = sqlite
          .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
          .all() as unknown as { name: string }[];
        sqlite.exec("PRAGMA foreign_keys = off");
        importDump(sqlite, tables.map(({ name }) => `DROP TABLE "${name}";`).join("") + Buffer.from(state).toString());
        sqlite.exec("PRAGMA foreign_keys = on");
        return { result: { bookmark, previous_bookmark, message: "Database restored" } };
      },
    ],
    ["GET /signed/*/*", ({ parts: [id, name = ""] }) => ({ raw: find(id).files.get(name) ?? new Uint8Array() })],
    [
      "PUT /signed/*/*",
      ({ parts: [id, name = ""], body }) => {
        find(id).files.set(name, body);
        return { raw: "", headers: { ETag: `"${createHash("md5").update(body).digest("hex")}"` } };
      },
    ],
  ];
}

const BOOKMARK = "00000000-0000000a-00004e2b-1d2c3b4a59687f6e5d4c3b2a19080706";

/** A state to which the database can go back, under its bookmark. */
function keepState(files: Map<string, Uint8Array>, sqlite: DatabaseSync): string {
  const bookmark = `${BOOKMARK.slice(0, -12)}${randomUUID().slice(-12)}`;
  files.set(bookmark, Buffer.from(dump(sqlite)));
  return bookmark;
}

const describe = ({ uuid, name, jurisdiction }: HeldDatabase) => ({
  ...{ uuid, name, jurisdiction, version: "production", num_tables: 0, file_size: 0 },
  created_at: "2026-11-23T00:00:00.000Z",
});

/** One transaction, as D1 runs what is sent at once. */
function runStatements(sqlite: DatabaseSync, statements: readonly Statement[]) {
  sqlite.exec("BEGIN");
  try {
    const answers = statements.map(({ sql, params = [] }) => {
      const statement = sqlite.prepare(sql);
      statement.setReturnArrays(true);
      const rows = statement.all(...params) as unknown as unknown[][];
      const columns = statement.columns().map(({ name }) => name);
      const { changes, last_row_id } = sqlite
        .prepare("SELECT changes() AS changes, last_insert_rowid() AS last_row_id")
        .get() as { changes: number; last_row_id: number };
      const meta = { changes, last_row_id, duration: 0, rows_read: 0, rows_written: 0, size_after: 0 };
      return { success: true, meta, results: { columns, rows: rows.map((row) => row.map(asJson)) } };
    });
    sqlite.exec("COMMIT");
    return answers;
  } catch (error) {
    if (sqlite.isTransaction) sqlite.exec("ROLLBACK");
    throw new ApiFault(400, 7500, `${error instanceof Error ? error.message : error}: SQLITE_ERROR`);
  }
}

const asJson = (value: unknown) => (value instanceof Uint8Array ? [...value] : value);

const asObjects = ({ results: { columns, rows }, ...rest }: ReturnType<typeof runStatements>[number]) => ({
  ...rest,
  results: rows.map((row) => Object.fromEntries(columns.map((name, i) => [name, row[i]]))),
});

/** Statements without parameters may be several. */
function splitSql({ sql, params }: Statement): Statement[] {
  if (params !== undefined && params.length > 0) return [{ sql, params }];
  const ends: number[] = [];
  let [inTrigger, inCase] = [false, 0];
  for (const { 0: token, index } of sql.matchAll(TOKEN)) {
    if (/^create/i.test(token)) inTrigger = true;
    else if (/^case$/i.test(token)) inCase++;
    else if (/^end$/i.test(token) && inCase > 0) inCase--;
    else if (/^end$/i.test(token)) inTrigger = false;
    else if (token === ";" && !inTrigger) ends.push(index + 1);
  }
  return [0, ...ends]
    .map((from, i) => sql.slice(from, ends[i]))
    .filter((one) => one.replaceAll(/--.*|\/\*[\s\S]*?\*\/|[\s;]/g, "") !== "")
    .map((one) => ({ sql: one }));
}

/** Texts, names and comments are passed over. */
const TOKEN =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|;|\bCREATE\s+(?:TEMP\s+|TEMPORARY\s+)?TRIGGER\b|\bCASE\b|\bEND\b/gi;

/** As SQLite's shell writes it: the schema of tables with their rows, then indexes and triggers. */
export function dump(sqlite: DatabaseSync): string {
  const schema = sqlite
    .prepare(
      "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY rowid",
    )
    .all() as unknown as { type: string; name: string; sql: string }[];
  const lines = ["PRAGMA defer_foreign_keys=TRUE;"];
  for (const { name, sql } of schema.filter(({ type }) => type === "table")) {
    lines.push(`${sql};`);
    const columns = sqlite.prepare(`PRAGMA table_info("${name}")`).all() as unknown as { name: string }[];
    const names = columns.map((column) => `"${column.name}"`).join(",");
    const quoted = columns.map((column) => `quote("${column.name}")`).join(" || ',' || ");
    const rows = sqlite.prepare(`SELECT ${quoted} AS row FROM "${name}"`).all() as unknown as { row: string }[];
    for (const { row } of rows) lines.push(`INSERT INTO "${name}" (${names}) VALUES(${row});`);
  }
  for (const { sql } of schema.filter(({ type }) => type !== "table")) lines.push(`${sql};`);
  return `${lines.join("\n")}\n`;
}

export function importDump(sqlite: DatabaseSync, sql: string): void {
  try {
    sqlite.exec("BEGIN");
    sqlite.exec(sql);
    sqlite.exec("COMMIT");
  } catch (error) {
    if (sqlite.isTransaction) sqlite.exec("ROLLBACK");
    throw new ApiFault(400, 7500, String(error));
  }
}
