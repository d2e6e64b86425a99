/** Processor times as the bench measured them, in `processor-times.json` with their date and the machine's load. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Report } from "../bench/report.ts";
import type { Operation, State } from "./rounds.ts";

const FILE = join(import.meta.dirname, "processor-times.json");

export interface ProcessorTimes {
  /** What was measured when, under which load. */
  readonly runs: readonly (Pick<Report, "date" | "version" | "processor" | "load"> & { readonly groups: string[] })[];
  /** Of workerd for one request, with its local stores and HTTP, by the bench's name of the route. */
  readonly microseconds: Readonly<Record<string, number>>;
  /** Of a new isolate until it can answer, and of its first request above the bare route with the same calls; how it was measured. */
  readonly start: {
    readonly milliseconds: number;
    readonly firstMilliseconds: { readonly check: number; readonly redemption: number };
    readonly command: string;
    readonly date: string;
    readonly load: number;
  };
}

const SEEN = "seen certificate";
const NEW = "new certificate, revocation cached";
const BARE = "bare: a JSON route";
/** A bare check of a new certificate; and one that writes as much to R2, which locally is JavaScript in the same process. */
const VERIFY = "bare: parse, and the same two signatures";
const KEPT = "bare: the same, and one object of R2";

interface Measured {
  readonly route: string;
  /** The bare route that does no more than ask the same stores, which are no part of a Worker on the platform. */
  readonly bare: string;
}
const issue: Measured = { route: "code issue", bare: "bare: one DO write" };
const redemption: Measured = {
  route: "redemption with token insert",
  bare: "bare: one DO read and write, one D1 insert",
};
const information: Measured = { route: "token information", bare: "bare: one D1 read" };

/** An operation that the bench does not measure takes the time of the one that is most like it. */
const MEASURED: Record<Operation, Measured> = {
  check: { route: SEEN, bare: BARE },
  checkAbroad: { route: SEEN, bare: BARE },
  code: issue,
  redemption,
  ccgToken: { route: "CCG token", bare: BARE },
  consent: { route: "consent create", bare: "bare: one D1 insert" },
  consentInformation: { route: "consent read", bare: "bare: one D1 read" },
  obieCode: issue,
  obieRedemption: redemption,
  tokenInformation: information,
  tokenList: { route: "token list of 20", bare: "bare: one D1 read of 20 rows" },
  introspection: { route: "introspection", bare: "bare: one D1 read" },
};
const CHECKING: readonly Operation[] = ["check", "checkAbroad", "code", "redemption", "ccgToken", "introspection"];

export const readProcessorTimes = async (): Promise<ProcessorTimes> => JSON.parse(await readFile(FILE, "utf8"));

/**
 * Of one request, without the local stores: of the route, less what the bare route with the same stores takes above a bare
 * one without any. A certificate that the isolate does not remember costs what a new one costs above a seen one, less the
 * local R2. The local ledger is not taken off: its object's part of a seen check is no more than 0.1 ms.
 */
export function processorMs(times: ProcessorTimes, operation: Operation, state: State): number {
  const of = (name: string): number => {
    const microseconds = times.microseconds[name];
    if (microseconds === undefined)
      throw new Error(`processor-times.json has no time of "${name}": npm run simulate -- --bench FILE takes it`);
    return microseconds / 1000;
  };
  const { route, bare } = MEASURED[operation];
  // times of 0.3.0, which wrote nothing to R2, have none of it
  const writing = KEPT in times.microseconds ? of(KEPT) - of(VERIFY) : 0;
  const checked = state !== "warm" && CHECKING.includes(operation) ? of(NEW) - writing - of(SEEN) : 0;
  return of(route) - (of(bare) - of(BARE)) + checked;
}

/** Of a first request above a later one. What is not a check is taken as a redemption. */
export const firstMs = ({ start }: ProcessorTimes, operation: Operation): number =>
  start.firstMilliseconds[operation === "check" || operation === "checkAbroad" ? "check" : "redemption"];

/**
 * Keeps what `npm run bench -- --json FILE` wrote; the start of an isolate stays as it was measured. Throws if a route is
 * missing there, before anything is kept.
 */
export async function keepReports(paths: readonly string[]): Promise<ProcessorTimes> {
  const reports = await Promise.all(
    paths.map(async (path): Promise<Report> => JSON.parse(await readFile(path, "utf8"))),
  );
  const { start } = await readProcessorTimes();
  const used = new Set([
    ...Object.values(MEASURED).flatMap(({ route, bare }) => [route, bare]),
    NEW,
    BARE,
    VERIFY,
    KEPT,
  ]);
  const routes = reports.flatMap(({ groups }) => groups.flatMap((group) => group.routes));
  const missing = [...used].filter((name) => !routes.some((route) => route.name === name));
  if (missing.length > 0)
    throw new Error(`not measured: ${missing.join("; ")}. npm run bench -- --json FILE without --only`);
  const kept: ProcessorTimes = {
    runs: reports.map(({ date, version, processor, load, groups }) => {
      const titles = groups.map(({ title }) => title);
      return { date, version, processor, load, groups: titles };
    }),
    microseconds: Object.fromEntries(
      routes.filter(({ name }) => used.has(name)).map((route) => [route.name, Math.round(route.microseconds.median)]),
    ),
    start,
  };
  await writeFile(FILE, `${JSON.stringify(kept, null, 2)}\n`);
  return kept;
}
