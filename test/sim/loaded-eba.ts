/** What the stores hold of the EBA's registers when a history begins: what it published the day before. */
import { BANKS_TASK, EBA_TASK } from "../../src/refresh/schedule.ts";
import { readBankFile } from "../../src/registers/import/bank-file.ts";
import { readEbaFile } from "../../src/registers/import/eba-file.ts";
import { importSource } from "../../src/registers/import/import-register.ts";
import { sha256 } from "../refresh/eba-source.ts";
import { firstEbaFile, packFile, publishedAt, writeBanks } from "./eba-publisher.ts";
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
  const fetchedAt = new Date(now).toISOString();
  const banks = await readBankFile(inOnePiece(writeBanks(file)), { fetchedAt });
  if (!banks.ok) throw new Error(`the first banks of the EBA: ${banks.reason}`);
  for (const one of [read, banks]) {
    const imported = await importSource({ DB, KV }, one, { now, force: false });
    if (!imported.ok) throw new Error(`the first file of the EBA: ${imported.reason}`);
  }
  const stepState = JSON.stringify({ sha256: sha256(bytes) });
  const add = "INSERT INTO refreshes (task, due_at, memo) VALUES (?1, ?2, ?3)";
  for (const [task, state] of [
    [EBA_TASK, stepState],
    [BANKS_TASK, "{}"],
  ])
    await DB.prepare(add)
      .bind(task, start + DUE_LATER_MS, state)
      .run();
}
