/**
 * Where `npm start` serves: it notes its address beside its stores, and commands of the same folder find it there. One
 * serves a folder at once: each database has its writer, and the second would answer from what the first has changed.
 */
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { fail } from "../fail.ts";
import { STATE } from "../stores.ts";

export const HOST = "127.0.0.1";
export const DEFAULT_PORT = "8787";

const NOTE = join(STATE, "address");
const LOCK = join(STATE, "lock.sqlite");

/** A lock of the operating system, which ends with the process, however that ends. */
let lock: DatabaseSync | undefined;
/** Of SQLite: SQLITE_BUSY. */
const BUSY = 5;

/** For as long as this process lives. Fails if another one has the folder. */
export async function lockState(): Promise<void> {
  const { DatabaseSync } = await import("node:sqlite");
  await mkdir(STATE, { recursive: true });
  lock = new DatabaseSync(LOCK);
  try {
    lock.exec("BEGIN IMMEDIATE");
  } catch (error) {
    if (Object(error).errcode !== BUSY) throw error;
    fail(await describeOther());
  }
  // of the one before
  await rm(NOTE, { force: true });
}

async function describeOther(): Promise<string> {
  const { address, pid } = await readNote();
  const [where, kill] = pid ? [` at ${address} (process ${pid})`, `, or kill ${pid}`] : ["", ""];
  return `another npm start serves the folder ${STATE}${where}: use that one, or end it (Ctrl-C in its terminal${kill}). A second one needs a folder of its own: STATE_DIR=FOLDER npm start -- --port 9000`;
}

/** After {@link lockState}. */
export const noteLocalAddress = (address: string): Promise<void> => writeFile(NOTE, `${address}\n${process.pid}\n`);

async function readNote(): Promise<{ readonly address: string; readonly pid: string }> {
  const [address = "", pid = ""] = (await readFile(NOTE, "utf8").catch(() => "")).split("\n");
  return { address, pid };
}

/** Of the service that was started last in this folder; else what it would be. */
export const findLocalAddress = async (): Promise<string> =>
  (await readNote()).address || `http://${HOST}:${DEFAULT_PORT}`;
