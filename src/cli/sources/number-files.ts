/** `register numbers import | remove | list`: the numbers of certificates that are not those of the registers. */
import { applyLinks } from "../../registers/import/apply-links.ts";
import { describeProblem } from "../../registers/import/form-fields.ts";
import { readNumbersFile } from "../../registers/import/numbers-file.ts";
import { listLinks, replaceLinks } from "../../registers/import/stored-links.ts";
import { readStoredPsps } from "../../registers/import/stored-psps.ts";
import {
  findImportRun,
  listImportRuns,
  type RegisterName,
  readStored,
} from "../../registers/import/stored-register.ts";
import { listRegisters, MOST_NAMED } from "../../registers/manifest.ts";
import {
  joinOutcomes,
  type LinkOutcome,
  type NumberLink,
  resolveLinks,
  sharedSpelling,
} from "../../registers/number-links.ts";
import { REGISTER_SOURCES } from "../../registers/sources.ts";
import { fail, readInput } from "../fail.ts";
import { makeProgressBar } from "../output.ts";
import type { LeasedWork } from "./lease.ts";
import { whenSettled } from "./settled-import.ts";

type Stores = Pick<Env, "KV" | "DB">;

/** Entries that are written at once into a KV whose writes travel together. */
const BULK = 10_000;
const MOST_PROBLEMS = 50;

/** Fails with the reasons for a file that is refused: the numbers stay as they were. */
export async function importNumbers(
  stores: Stores,
  path: string,
  { bulk, asOf }: { readonly bulk: boolean; readonly asOf: string | null },
  leased: LeasedWork,
) {
  const content = (await readInput(path)).toString("utf8");
  const file = readNumbersFile(content, await listLinks(stores.DB), asOf);
  if (!file.ok) {
    const told = file.problems.slice(0, MOST_PROBLEMS).map(describeProblem);
    const more = file.problems.length - told.length;
    fail(`${path} is refused:\n${[...told, ...(more > 0 ? [`and ${more} more`] : [])].join("\n")}`);
  }
  const { links, leftOut } = file;
  const pairs = new Map(links.map(({ country, source }) => [`${country} ${source}`, { country, source }]));
  await replaceLinks(stores.DB, [...pairs.values()], links);
  leased.left = "the numbers are stored, and not yet in all registers: the same command does the rest";
  const countries = [...new Set(links.map(({ country }) => country))].sort();
  const registers = await applyTo(stores, countries, { bulk });
  return { ok: true, numbers: links.length, ...(leftOut && { leftOut }), registers };
}

/** Removes what the files of a source said of a country. */
export async function removeNumbers(
  stores: Stores,
  pair: { readonly country: string; readonly source: string },
  { bulk }: { readonly bulk: boolean },
  leased: LeasedWork,
) {
  const links = await listLinks(stores.DB);
  const gone = links.filter(({ country, source }) => country === pair.country && source === pair.source);
  if (gone.length === 0) fail(`no numbers of ${pair.country} have the source ${pair.source}: nothing was changed`);
  await replaceLinks(stores.DB, [pair], []);
  leased.left = "the numbers are removed, and still in some registers: the next import of each does the rest";
  return { ok: true, numbers: gone.length, registers: await applyTo(stores, [pair.country], { bulk }) };
}

/** What became of the numbers in each loaded register. */
async function applyTo({ KV, DB }: Stores, countries: readonly string[], { bulk }: { readonly bulk: boolean }) {
  const links = Map.groupBy(await listLinks(DB), ({ country }) => country);
  const registers = (await listLoaded({ KV, DB })).filter(({ country }) => countries.includes(country));
  const bar = makeProgressBar("writing");
  const applied = [];
  for (const register of registers) {
    const options = { onEntries: bar.show, ...(bulk && { writesAtOnce: BULK }) };
    const { country, source, written, removed, numbers } = await whenSettled(() =>
      applyLinks({ KV, DB }, register, links.get(register.country) ?? [], options),
    );
    applied.push({ country, source, written, removed, ...numbers });
  }
  bar.clear();
  return applied;
}

/** Also those that KV does not show yet, and those that an older release imported. */
async function listLoaded({ KV, DB }: Stores): Promise<RegisterName[]> {
  const noted = await Promise.all(REGISTER_SOURCES.map((source) => listImportRuns(DB, source)));
  const names = [...noted.flat(), ...(await listRegisters(KV))].map(({ country, source }) => ({ country, source }));
  return [...new Map(names.map((name) => [`${name.country} ${name.source}`, name])).values()];
}

/** Of a country, a source of numbers and a kind. */
export interface CountedNumbers extends Readonly<Record<LinkOutcome, number>> {
  readonly country: string;
  readonly source: string;
  readonly kind: string;
  readonly numbers: number;
  /** The first that find nothing: with no entry, and with links that lead to several. */
  readonly noEntry: readonly string[];
  readonly several: readonly string[];
}

/** What is stored, by what it finds in the loaded registers. */
export async function countNumbers(stores: Stores): Promise<CountedNumbers[]> {
  const links = await listLinks(stores.DB);
  const outcomes = new Map<string, LinkOutcome>();
  const loaded = await listLoaded(stores);
  for (const [country, its] of Map.groupBy(links, (link) => link.country))
    for (const register of loaded.filter((one) => one.country === country))
      for (const { number, outcome } of resolveLinks(await readPsps(stores, register), its))
        outcomes.set(number, joinOutcomes(outcomes.get(number) ?? "no_entry", outcome));
  const outcomeOf = ({ number }: NumberLink) => outcomes.get(sharedSpelling(number)) ?? "no_entry";
  return [...Map.groupBy(links, ({ country, source, kind }) => [country, source, kind].join("\n")).values()].map(
    (its) => {
      const withOutcome = (outcome: LinkOutcome) =>
        its.filter((link) => outcomeOf(link) === outcome).map(({ number }) => number);
      const [none, several] = [withOutcome("no_entry"), withOutcome("contradicted")];
      const { country = "", source = "", kind = "" } = its[0] ?? {};
      return {
        ...{ country, source, kind, numbers: its.length, found: withOutcome("found").length },
        ...{ own_entry: withOutcome("own_entry").length, no_entry: none.length, contradicted: several.length },
        ...{ noEntry: none.slice(0, MOST_NAMED), several: several.slice(0, MOST_NAMED) },
      };
    },
  );
}

async function readPsps({ KV, DB }: Stores, register: RegisterName) {
  const stored = await whenSettled(async () =>
    readStored(KV, register, await findImportRun(DB, register.source, register.country)),
  );
  return (await readStoredPsps(KV, register, stored)).psps;
}
