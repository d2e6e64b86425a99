/** The last import that changed each register, whether it ended or broke off: in D1, which never shows what was before. */
import { callStore } from "../../platform/stores.ts";
import type { RegisterSource } from "../psp-record.ts";

export interface ImportRun {
  readonly source: RegisterSource;
  readonly country: string;
  /** Unique. */
  readonly run: string;
  /** ISO 8601: of its file. */
  readonly published: string;
  /** Milliseconds since 1970. */
  readonly beganAt: number;
}

const COLUMNS = "source, country, run, published, began_at AS beganAt";
// both by primary key
const LIST = `SELECT ${COLUMNS} FROM register_imports WHERE source = ?1`;
const FIND = `${LIST} AND country = ?2`;
const NOTE = `
  INSERT INTO register_imports (source, country, run, published, began_at) VALUES (?1, ?2, ?3, ?4, ?5)
  ON CONFLICT (source, country) DO UPDATE SET run = ?3, published = ?4, began_at = ?5`;

/** Of all countries. */
export async function listImportRuns(db: D1Database, source: RegisterSource): Promise<ImportRun[]> {
  return (await callStore("D1", () => db.prepare(LIST).bind(source).all<ImportRun>())).results;
}

/** Null: none since this is recorded. */
export const findImportRun = (db: D1Database, source: RegisterSource, country: string): Promise<ImportRun | null> =>
  callStore("D1", () => db.prepare(FIND).bind(source, country).first<ImportRun>());

export async function noteImportRun(db: D1Database, run: ImportRun): Promise<void> {
  const values = [run.source, run.country, run.run, run.published, run.beganAt];
  await callStore("D1", () =>
    db
      .prepare(NOTE)
      .bind(...values)
      .run(),
  );
}
