/** How much room a table and its indexes take in the file of a local D1 database, which may be open elsewhere. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

export interface FilePages {
  /** Of the file, free ones among them. */
  readonly pages: number;
  readonly free: number;
}

/** The files of the databases in the folder that miniflare keeps its state in; it makes one when it is first asked. */
export async function listDatabaseFiles(state: string): Promise<string[]> {
  const folder = join(state, "v3/d1/miniflare-D1DatabaseObject");
  const names = await readdir(folder).catch(() => []);
  const files = names.filter((name) => name.endsWith(".sqlite") && name !== "metadata.sqlite");
  return files.map((name) => join(folder, name));
}

export function readPages(file: string): FilePages {
  return read(file, (db) => ({ pages: pragma(db, "page_count"), free: pragma(db, "freelist_count") }));
}

/** Bytes of the table `name` and of each of its indexes. */
export function readTableBytes(file: string, name: string): Map<string, number> {
  const sizes = `
    SELECT stat.name AS name, sum(pgsize) AS bytes FROM dbstat AS stat
    WHERE stat.name IN (SELECT name FROM sqlite_schema WHERE tbl_name = ?1) GROUP BY 1 ORDER BY 2 DESC`;
  return read(file, (db) => {
    const rows = db.prepare(sizes).all(name) as { name: string; bytes: number }[];
    return new Map(rows.map((row) => [row.name, row.bytes]));
  });
}

const pragma = (db: DatabaseSync, name: string): number => Number(db.prepare(`PRAGMA ${name}`).get()?.[name]);

function read<Result>(file: string, ask: (db: DatabaseSync) => Result): Result {
  const db = new DatabaseSync(file, { readOnly: true, timeout: 10_000 });
  try {
    return ask(db);
  } finally {
    db.close();
  }
}
