/** The links of numbers in D1. They are few: a country's are read whole, by each import of one of its registers. */
import { callStore } from "../../platform/stores.ts";
import type { LinkTarget, NumberLink } from "../number-links.ts";
import type { NumberKind } from "../psp-record.ts";
import type { RegisterSource } from "../sources.ts";
import { type ImportRun, selectRuns } from "./stored-register.ts";

interface LinkRow {
  readonly country: string;
  readonly source: string;
  readonly number: string;
  readonly target_kind: LinkTarget["kind"];
  readonly target: string;
  readonly kind: NumberKind;
  readonly as_of: string;
}

const toLink = ({ target_kind: kind, target: number, as_of: asOf, ...rest }: LinkRow): NumberLink => ({
  ...{ country: rest.country, number: rest.number, target: { kind, number }, kind: rest.kind },
  ...{ source: rest.source, asOf },
});

const COLUMNS = "country, source, number, target_kind, target, kind, as_of";
// by the primary key, which begins with the country
const LIST = `SELECT ${COLUMNS} FROM register_numbers ORDER BY country, source, number, target`;
const LIST_OF_COUNTRY = `SELECT ${COLUMNS} FROM register_numbers WHERE country = ?1 ORDER BY source, number, target`;

export async function listLinks(db: D1Database): Promise<NumberLink[]> {
  return (await callStore("D1", () => db.prepare(LIST).bind().all<LinkRow>())).results.map(toLink);
}

/** What an import has to know of D1, in one round trip. */
export interface ImportGround {
  /** The imports that changed the registers last. */
  readonly runs: readonly ImportRun[];
  readonly links: readonly NumberLink[];
}

/** `country`: null for all that the source covers. */
export async function readImportGround(
  db: D1Database,
  source: RegisterSource,
  country: string | null,
): Promise<ImportGround> {
  const ofLinks = country === null ? db.prepare(LIST).bind() : db.prepare(LIST_OF_COUNTRY).bind(country);
  const [runs, links] = await callStore("D1", () => db.batch([selectRuns(db, source, country), ofLinks]));
  return { runs: (runs?.results ?? []) as ImportRun[], links: ((links?.results ?? []) as LinkRow[]).map(toLink) };
}

const DELETE = "DELETE FROM register_numbers WHERE country = ?1 AND source = ?2";
const INSERT = `
  INSERT INTO register_numbers (${COLUMNS})
  SELECT value ->> 'country', value ->> 'source', value ->> 'number', value ->> 'target_kind', value ->> 'target',
    value ->> 'kind', value ->> 'as_of'
  FROM json_each(?1)`;
/** D1 takes a parameter of 2 MB, and a link has at most 0.5 KB. */
const LINKS_AT_ONCE = 2_000;

/** The links of these countries and sources are then those of `links`. In one transaction. */
export async function replaceLinks(
  db: D1Database,
  replaced: readonly Pick<NumberLink, "country" | "source">[],
  links: readonly NumberLink[],
): Promise<void> {
  const rows = links.map(({ target, asOf, country, source, number, kind }): LinkRow => {
    return { country, source, number, target_kind: target.kind, target: target.number, kind, as_of: asOf };
  });
  const statements = replaced.map(({ country, source }) => db.prepare(DELETE).bind(country, source));
  for (let i = 0; i < rows.length; i += LINKS_AT_ONCE)
    statements.push(db.prepare(INSERT).bind(JSON.stringify(rows.slice(i, i + LINKS_AT_ONCE))));
  await callStore("D1", () => db.batch(statements));
}
