/** Where `npm start` serves: it notes its address beside its stores, and commands of the same folder find it there. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { STATE } from "./stores.ts";

export const HOST = "127.0.0.1";
export const DEFAULT_PORT = "8787";

const NOTE = join(STATE, "address");

export async function noteLocalAddress(port: number): Promise<void> {
  await mkdir(STATE, { recursive: true });
  await writeFile(NOTE, `http://${HOST}:${port}\n`);
}

/** Of the service that was started last in this folder; else what it would be. */
export const findLocalAddress = async (): Promise<string> =>
  (await readFile(NOTE, "utf8").catch(() => `http://${HOST}:${DEFAULT_PORT}`)).trim();
