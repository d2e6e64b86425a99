/** What the refreshes of registers share: a file is read as a stream within bounds, and imported; the log tells what it has. */
import type { ImportCounts } from "../registers/import/import-plan.ts";
import { importSource, type SourceFile } from "../registers/import/import-register.ts";
import { SOURCES } from "../registers/sources.ts";
import type { StepInput, StepResult } from "./schedule.ts";

/** A Worker may have six simultaneous connections. */
const WRITES_AT_ONCE = 6;
/** In the log. */
const MOST_NAMED = 20;

interface Request {
  readonly url: string;
  readonly init?: Pick<RequestInit, "method" | "headers" | "body">;
  readonly maxBytes: number;
}

type Read<File> = (bytes: AsyncIterable<Uint8Array>, onProgress: (bytes: number) => void) => Promise<File>;

/** Network errors are returned as a reason, not thrown. */
export async function download<File>(
  { url, init, maxBytes }: Request,
  { env, onProgress }: Pick<StepInput, "env" | "onProgress">,
  read: Read<File>,
): Promise<File | { readonly ok: false; readonly reason: string }> {
  const signal = AbortSignal.timeout(env.REFRESH_TIMEOUT_SECONDS * 1000);
  try {
    const response = await fetch(url, { ...init, signal, cache: "no-store" });
    if (response.status !== 200 || !response.body) {
      await response.body?.cancel();
      return { ok: false, reason: `the server answered with status ${response.status}` };
    }
    const length = Number(response.headers.get("Content-Length")) || null;
    return await read(bounded(response.body, maxBytes), (bytes) => onProgress?.(bytes, length));
  } catch (error) {
    if (error instanceof TooLargeError) return { ok: false, reason: error.message };
    // any other error: those of fetch and its stream differ between runtimes. There is no access to a store here
    return {
      ok: false,
      reason: signal.aborted ? "it did not arrive in time" : "the connection failed or was interrupted",
    };
  }
}

class TooLargeError extends Error {}

async function* bounded(body: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > maxBytes) throw new TooLargeError(`it has more than ${maxBytes} bytes`);
    yield chunk;
  }
}

/** What a file says of records that it has, and that are not used. */
interface FileRecords {
  readonly unreadable: readonly string[];
  readonly unknownTypes: Readonly<Record<string, number>>;
  readonly unknownServices?: Readonly<Record<string, number>>;
  readonly unnumbered: { readonly count: number; readonly names: readonly string[] };
}

/**
 * Imports as much of a file as a step may write. `url`: where it is from. `stateAfter`: of a step that has written all; a failed
 * one keeps the state before it.
 */
export async function importFetched(
  { env, stepState, now, maxWrites }: StepInput,
  file: SourceFile & { readonly registers: FileRecords },
  { url, stateAfter }: { readonly url: string; readonly stateAfter: unknown },
): Promise<StepResult> {
  const { title } = SOURCES[file.registers.source];
  const imported = await importSource(env, file, { now, force: false, maxWrites, writesAtOnce: WRITES_AT_ONCE });
  if (!imported.ok && imported.reason === "unsettled") {
    const { country, until } = imported;
    const summary = `Workers KV does not show yet what the last import of ${country} wrote: ${title} waits, until ${new Date(until).toISOString()} at most`;
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
  const { left, countries } = imported;
  const changes = `${sum(countries, "written")} entries written, ${sum(countries, "removed")} removed, ${left} left`;
  const dated = `${file.dated === "fetch" ? "fetched" : "published"} ${file.published}`;
  const summary = [`${title} ${dated}: ${changes}`, ...tellRecords(file.registers, countries)].join("; ");
  return { ok: true, stepState: left > 0 ? {} : stateAfter, unfinished: left > 0, heavy: true, summary };
}

function tellRecords(
  { unreadable, unknownTypes, unknownServices = {}, unnumbered }: FileRecords,
  countries: readonly ImportCounts[],
): string[] {
  const refused = sum(countries, "refused") + unreadable.length;
  const named = (field: "kept" | "leftOut" | "awaited" | "undated" | "ambiguous", what: string) => {
    const numbers = countries.flatMap((counts) => counts[field]);
    return numbers.length === 0 ? [] : `${numbers.length} ${what}: ${numbers.slice(0, MOST_NAMED).join(", ")}`;
  };
  const counted = (counts: Readonly<Record<string, number>>, what: string) =>
    Object.keys(counts).length === 0 ? [] : `${what} ${Object.keys(counts).slice(0, MOST_NAMED).join(", ")}`;
  return [
    refused === 0 ? [] : `${refused} malformed records or PSPs`,
    unnumbered.count === 0 ? [] : `${unnumbered.count} institutions without a number: ${unnumbered.names.join(", ")}`,
    counted(unknownTypes, "unknown types"),
    counted(unknownServices, "unknown services"),
    named("kept", "stay as of an earlier file"),
    named("leftOut", "not in the register"),
    named("awaited", "no longer in it, which stay until a second fetch agrees"),
    named("undated", "withdrawn on a day that cannot be read"),
    named("ambiguous", "with several entries, of which none is used"),
  ].flat();
}

const sum = (countries: readonly ImportCounts[], field: "written" | "removed" | "refused"): number =>
  countries.reduce((total, counts) => total + counts[field], 0);
