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
  /** Of a new isolate until it can answer, and how it was measured. */
  readonly start: {
    readonly milliseconds: number;
    readonly command: string;
    readonly date: string;
    readonly load: number;
  };
}

const SEEN = "seen certificate";
const NEW = "new certificate, revocation cached";
const BARE = "bare: a JSON route";

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
 * one without any. A certificate that the isolate does not remember costs what a new one costs above a seen one.
 */
export function processorMs(times: ProcessorTimes, operation: Operation, state: State): number {
  const of = (name: string): number => {
    const microseconds = times.microseconds[name];
    if (microseconds === undefined)
      throw new Error(`processor-times.json has no time of "${name}": npm run simulate -- --bench FILE takes it`);
    return microseconds / 1000;
  };
  const { route, bare } = MEASURED[operation];
  const checked = state !== "warm" && CHECKING.includes(operation) ? of(NEW) - of(SEEN) : 0;
  return of(route) - (of(bare) - of(BARE)) + checked;
}

/** Keeps what `npm run bench -- --json FILE` wrote; the start of an isolate stays as it was measured. */
export async function keepReports(paths: readonly string[]): Promise<ProcessorTimes> {
  const reports = await Promise.all(
    paths.map(async (path): Promise<Report> => JSON.parse(await readFile(path, "utf8"))),
  );
  const { start } = await readProcessorTimes();
  const used = new Set([...Object.values(MEASURED).flatMap(({ route, bare }) => [route, bare]), NEW, BARE]);
  const routes = reports.flatMap(({ groups }) => groups.flatMap((group) => group.routes));
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
