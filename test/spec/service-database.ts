/** The D1 file of the service that all tests of the interface speak to: for what only days of its life would leave there. */
import { globSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { inject } from "vitest";

type Run = (sql: string, ...values: (string | number)[]) => void;

/** Runs statements in one transaction, beside the service. */
export function inDatabase(work: (run: Run) => void): void {
  const files = globSync(join(inject("serviceState"), "**/d1/**/*.sqlite"));
  const [file = ""] = files.filter((path) => !path.endsWith("metadata.sqlite"));
  const database = new DatabaseSync(file);
  try {
    database.exec("PRAGMA busy_timeout = 30000; BEGIN IMMEDIATE");
    work((sql, ...values) => void database.prepare(sql).run(...values));
    database.exec("COMMIT");
  } finally {
    database.close();
  }
}
