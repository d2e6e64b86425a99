/** D1's export, import and Time Travel over Cloudflare's API: developers.cloudflare.com/api/resources/d1/subresources/database/ */
import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as wait } from "node:timers/promises";
import type { Database } from "../../institutions/databases.ts";
import { ApiFailure, fail } from "../fail.ts";
import type { DeployedDatabase } from "./deployed-stores.ts";

/** Of an export or import: D1 stops an export that nobody asks about. */
const POLL_MS = 1000;

interface Progress {
  readonly success: boolean;
  readonly status?: "complete" | "error" | "active";
  readonly error?: string;
  readonly at_bookmark?: string;
  readonly result?: { readonly signed_url?: string };
  readonly upload_url?: string;
  readonly filename?: string;
}

type Ask = DeployedDatabase["call"];
type Named = Pick<Database, "binding" | "db">;
const askerOf = ({ db }: Named): Ask => (db as DeployedDatabase).call;

/** Until D1 has carried it out. */
async function follow(ask: Ask, path: string, first: object, repeat: object): Promise<Progress> {
  let progress = (await ask("POST", path, first)) as Progress;
  while (progress.success && progress.status === "active") {
    await wait(POLL_MS);
    progress = (await ask("POST", path, { ...repeat, current_bookmark: progress.at_bookmark })) as Progress;
  }
  if (progress.success && progress.status !== "error") return progress;
  throw new Error(progress.error ?? "D1 gives no reason");
}

/** Fails with a sentence that begins with `what`. */
async function orFail<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    // fetch says "fetch failed", and its cause why
    const { message, cause } = error as Error;
    if (error instanceof ApiFailure || error instanceof TypeError || (error as Error).name === "Error")
      return fail(`${what}: ${cause instanceof Error ? cause.message : message}`);
    throw error;
  }
}

/** D1 answers nothing else meanwhile. */
export async function exportDeployed(database: Named, file: string): Promise<void> {
  const ask = askerOf(database);
  await orFail(`D1 could not export ${database.binding}`, async () => {
    const asked = { output_format: "polling" };
    const { result } = await follow(ask, "export", asked, asked);
    const response = await fetch(result?.signed_url ?? "");
    if (!response.ok || !response.body) throw new Error(`its file was answered with ${response.status}`);
    await pipeline(response.body as unknown as AsyncIterable<Uint8Array>, createWriteStream(file, { mode: 0o600 }));
  });
}

/** `open`: begins the SQL anew. It is read twice, because its digest and length are sent before it. */
export async function importDeployed(database: Named, open: () => AsyncIterable<Uint8Array>): Promise<void> {
  const ask = askerOf(database);
  await orFail(`D1 could not restore ${database.binding}`, async () => {
    const digest = createHash("md5");
    let bytes = 0;
    for await (const chunk of open()) {
      digest.update(chunk);
      bytes += chunk.length;
    }
    const etag = digest.digest("hex");
    const begun = (await ask("POST", "import", { action: "init", etag })) as Progress;
    const poll = { action: "poll" };
    // D1 has this file already, and began to read it
    if (begun.upload_url === undefined) {
      await follow(ask, "import", { ...poll, current_bookmark: begun.at_bookmark }, poll);
      return;
    }
    const uploaded = await fetch(begun.upload_url, {
      ...{ method: "PUT", headers: { "Content-Length": `${bytes}` }, duplex: "half" },
      body: Readable.from(open(), { objectMode: false }),
    } as unknown as RequestInit);
    if (uploaded.headers.get("etag")?.replaceAll('"', "") !== etag) throw new Error("the file did not arrive whole");
    await follow(ask, "import", { action: "ingest", etag, filename: begun.filename }, poll);
  });
}

/** A point in time to which D1 can go back for 30 days. `at`: ISO 8601; null: the current one. */
export async function readBookmark(database: Named, at: string | null): Promise<string> {
  const ask = askerOf(database);
  const query = at === null ? "" : `?${new URLSearchParams({ timestamp: at })}`;
  return await orFail(`D1 gave no bookmark of ${database.binding}`, async () => {
    const { bookmark } = (await ask("GET", `time_travel/bookmark${query}`)) as { readonly bookmark: string };
    return bookmark;
  });
}

/** Returns the bookmark of the state that was replaced. */
export async function returnToBookmark(database: Named, bookmark: string): Promise<string> {
  const ask = askerOf(database);
  return await orFail(`D1 did not return ${database.binding} to the bookmark`, async () => {
    const answer = await ask("POST", `time_travel/restore?${new URLSearchParams({ bookmark })}`);
    return (answer as { readonly previous_bookmark: string }).previous_bookmark;
  });
}
