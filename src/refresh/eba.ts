/**
 * Refreshes the EBA's register: fetches its metadata and, if they name a file that is not loaded, imports that file as
 * a stream. A step that reaches its limit of writes leaves the rest to the next, which reads the file again.
 */
import * as z from "zod";
import { fetchLimited } from "../platform/fetch-limited.ts";
import { boundedInstant } from "../platform/instant.ts";
import { type EbaFile, readEbaFile } from "../registers/import/eba-file.ts";
import type { ImportCounts } from "../registers/import/import-plan.ts";
import { importEba } from "../registers/import/import-register.ts";
import { listImportRuns } from "../registers/import/stored-register.ts";
import { listRegisters } from "../registers/manifest.ts";
import { EBA } from "../registers/sources.ts";
import { forgetStepState } from "./refreshes.ts";
import { EBA_TASK, type RefreshEnv, type Step, type StepInput } from "./schedule.ts";

const STEP_STATE = z.object({ sha256: z.string() });

/** Ten times the size of the file in 2026. */
const MAX_FILE_BYTES = 200 * 1024 * 1024;
/** A Worker may have six simultaneous connections. */
const WRITES_AT_ONCE = 6;
/** In the log. */
const MOST_NAMED = 20;

export const refreshEba: Step = async (input) => {
  const { env, stepState, now, maxWrites } = input;
  const metadata = await fetchEbaMetadata(env);
  if (!metadata.ok) return { ...metadata, light: true };
  const { url, sha256 } = metadata;
  const loaded = (await listRegisters(env.KV)).filter(({ source }) => source === EBA);
  // KV may not show a newer one yet, or an import of it broke off
  const known = [...loaded, ...(await listImportRuns(env.DB, EBA))];
  // none is loaded: KV has lost it, as with a new namespace. Published again later, it is imported again: else one from between
  // would pass for a newer one
  const isNoted = loaded.length > 0 && known.some(({ published }) => published >= metadata.published);
  if (isNoted && STEP_STATE.safeParse(stepState).data?.sha256 === sha256)
    return { ok: true, stepState, unfinished: false, heavy: false, summary: "the EBA's register is unchanged" };
  // a cache on the way may still have the metadata of a day before: that file would undo withdrawals
  const newer = known.find((one) => one.published > metadata.published && Date.parse(one.published) <= now);
  if (newer)
    return { ok: false, message: `${url} was published ${metadata.published}, and ${newer.published} is loaded` };
  const file = await download(metadata, input);
  if (!file.ok) return { ok: false, message: `${url}: ${file.reason}` };
  // if it is killed, what was loaded is no longer loaded
  await forgetStepState(env.DB, EBA_TASK);
  const imported = await importEba(env, file, { now, force: false, maxWrites, writesAtOnce: WRITES_AT_ONCE });
  if (!imported.ok && imported.reason === "unsettled") {
    const { country, until } = imported;
    const summary = `Workers KV does not show yet what the last import of ${country} wrote: the EBA's register waits, until ${new Date(until).toISOString()} at most`;
    return { ok: true, stepState: {}, unfinished: true, heavy: true, waits: true, summary };
  }
  if (!imported.ok) {
    const drops = imported.drops.map(({ country, dropped, stored }) => `${country} ${dropped} of ${stored}`).join(", ");
    return {
      ok: false,
      message: `${url} drops too many PSPs (${drops}): if that is right, import it with --force`,
      stepState,
    };
  }
  const { left } = imported;
  const refused = sum(imported.countries, "refused") + file.registers.unreadable.length;
  const named = (field: "kept" | "leftOut" | "undated" | "ambiguous", what: string) => {
    const numbers = imported.countries.flatMap((counts) => counts[field]);
    return numbers.length === 0 ? [] : `${numbers.length} ${what}: ${numbers.slice(0, MOST_NAMED).join(", ")}`;
  };
  const { unknownTypes, unknownServices, unnumbered } = file.registers;
  const counted = (counts: Readonly<Record<string, number>>, what: string) =>
    Object.keys(counts).length === 0 ? [] : `${what} ${Object.keys(counts).slice(0, MOST_NAMED).join(", ")}`;
  const told = [
    refused === 0 ? [] : `${refused} malformed records or PSPs`,
    unnumbered.count === 0 ? [] : `${unnumbered.count} institutions without a number: ${unnumbered.names.join(", ")}`,
    counted(unknownTypes, "unknown types"),
    counted(unknownServices, "unknown services"),
    named("kept", "stay as of an earlier file"),
    named("leftOut", "not in the register"),
    named("undated", "withdrawn on a day that cannot be read"),
    named("ambiguous", "with several entries, of which none is used"),
  ].flat();
  const summary = `the EBA's register published ${file.published}: ${sum(imported.countries, "written")} entries written, ${sum(imported.countries, "removed")} removed, ${left} left${told.map((one) => `; ${one}`).join("")}`;
  return { ok: true, stepState: left > 0 ? {} : { sha256 }, unfinished: left > 0, heavy: true, summary };
};

/** Reads the file as a stream. Network errors are returned as a reason, not thrown. */
async function download(
  { url, sha256, published }: EbaMetadata,
  { env, onProgress }: Pick<StepInput, "env" | "onProgress">,
): Promise<EbaFile> {
  const signal = AbortSignal.timeout(env.REFRESH_TIMEOUT_SECONDS * 1000);
  try {
    const response = await fetch(url, { signal, cache: "no-store" });
    if (response.status !== 200 || !response.body) {
      await response.body?.cancel();
      return { ok: false, reason: `the server answered with status ${response.status}` };
    }
    const length = Number(response.headers.get("Content-Length")) || null;
    return await readEbaFile(bounded(response.body), {
      ...{ sha256, published },
      onProgress: (bytes) => onProgress?.(bytes, length),
    });
  } catch {
    // any error: those of fetch and its stream differ between runtimes. There is no access to a store here
    return {
      ok: false,
      reason: signal.aborted ? "it did not arrive in time" : "the connection failed or was interrupted",
    };
  }
}

async function* bounded(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > MAX_FILE_BYTES) throw new RangeError(`more than ${MAX_FILE_BYTES} bytes`);
    yield chunk;
  }
}

const sum = (countries: readonly ImportCounts[], field: "written" | "removed" | "refused"): number =>
  countries.reduce((total, counts) => total + counts[field], 0);

interface EbaMetadata {
  readonly url: string;
  /** Of the ZIP, in lower-case hex. */
  readonly sha256: string;
  /** ISO 8601. */
  readonly published: string;
}

const FORM = z.object({
  latest_version_relative_zip_path: z.string().min(1),
  sha256_hash: z.string().regex(/^[0-9a-fA-F]{64}$/),
  // "Mon Aug 24 16:00:29 UTC 2026"
  timestamp: z.string().refine((text) => boundedInstant(Date.parse(text)) !== null),
  golden_copy_path_context: z.string(),
});

const MAX_METADATA_BYTES = 64 * 1024;

/** Does not throw: every failure is a result. */
async function fetchEbaMetadata({
  EBA_METADATA_URL: url,
  EBA_FILES_URL: filesUrl,
  REFRESH_TIMEOUT_SECONDS,
}: RefreshEnv): Promise<({ ok: true } & EbaMetadata) | { ok: false; message: string }> {
  const timeoutMs = REFRESH_TIMEOUT_SECONDS * 1000;
  const fetched = await fetchLimited({ url, method: "GET", maxBytes: MAX_METADATA_BYTES, timeoutMs });
  if (!fetched.ok) return { ok: false, message: `${url} ${fetched.message}` };
  const parsed = FORM.safeParse(parseJson(new TextDecoder().decode(fetched.bytes)));
  if (!parsed.success) return { ok: false, message: `${url}: not the metadata of the EBA's register` };
  const { latest_version_relative_zip_path: path, sha256_hash, timestamp, golden_copy_path_context } = parsed.data;
  const zip = URL.parse(path, filesUrl || golden_copy_path_context);
  if (!zip) return { ok: false, message: `${url}: does not contain the file's URL` };
  const published = new Date(timestamp).toISOString();
  return { ok: true, url: zip.href, sha256: sha256_hash.toLowerCase(), published };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
