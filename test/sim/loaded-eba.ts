/** What the stores hold of the EBA's register when a history begins: its file of the day before. */
import { EBA_TASK } from "../../src/refresh/schedule.ts";
import { readEbaFile } from "../../src/registers/import/eba-file.ts";
import { importSource } from "../../src/registers/import/import-register.ts";
import { sha256 } from "../refresh/eba-source.ts";
import { firstEbaFile, packFile, publishedAt } from "./eba-publisher.ts";
import { DUE_LATER_MS } from "./loaded-lists.ts";

async function* inOnePiece(bytes: Uint8Array) {
  yield bytes;
}

/** Instants in milliseconds since 1970. */
export async function loadEba({ DB, KV }: Pick<Env, "DB" | "KV">, start: number, now: number): Promise<void> {
  const file = firstEbaFile(start);
  const bytes = packFile(file.authorised);
  const published = new Date(publishedAt(file)).toISOString();
  const read = await readEbaFile(inOnePiece(bytes), { sha256: null, published });
  if (!read.ok) throw new Error(`the first file of the EBA: ${read.reason}`);
  const imported = await importSource({ DB, KV }, read, { now, force: false });
  if (!imported.ok) throw new Error(`the first file of the EBA: ${imported.reason}`);
  const stepState = JSON.stringify({ sha256: sha256(bytes) });
  const add = "INSERT INTO refreshes (task, due_at, memo) VALUES (?1, ?2, ?3)";
  await DB.prepare(add)
    .bind(EBA_TASK, start + DUE_LATER_MS, stepState)
    .run();
}
