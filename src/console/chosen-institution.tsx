/**
 * The institution that a page is about: an institution's own, whatever the address says; for operators the one that the
 * address or form names as `fi`.
 */

import type { Child } from "hono/jsx";
import {
  type FinancialInstitution,
  INSTITUTION_COLUMNS,
  readInstitution,
  type SelectedInstitution,
} from "../institutions/financial-institutions.ts";
import { callStore } from "../platform/stores.ts";
import { HiddenFields } from "./elements.tsx";
import { FilterForm } from "./fields.tsx";
import { textOf } from "./forms.ts";
import { FormToken, show } from "./frame.tsx";
import type { Reader, Visit } from "./page.ts";
import { pageNotFound } from "./page.ts";

export const CHOSEN_INSTITUTION_STATEMENTS = {
  find: `
    SELECT ${INSTITUTION_COLUMNS} FROM financial_institutions f WHERE fi_reference_id = ?1`,
} as const;
// by its index, as far as the limit
const LIST =
  "SELECT name, fi_reference_id AS fiReferenceId FROM financial_institutions ORDER BY fi_reference_id LIMIT ?1";

/** So many are no list any more: a reference is typed. */
const MAX_SUGGESTED = 200;

export interface Chosen extends FinancialInstitution {
  /** What keeps the choice from page to page: in addresses and forms. Empty for an institution's own. */
  readonly choice: Readonly<Record<string, string>>;
  /** A link that keeps the choice. */
  readonly link: (path: string, query?: Readonly<Record<string, string>>) => string;
}

/** Null: an operator has named none, or one that does not exist. Throws StoreError. */
async function choose({ c, reader, href }: Visit<Reader>, reference: string): Promise<Chosen | null> {
  if (reader.kind === "institution") return withLinks(reader.fi, {}, href);
  if (reference === "") return null;
  const find = c.env.DB.prepare(CHOSEN_INSTITUTION_STATEMENTS.find).bind(reference);
  const row = await callStore("D1", () => find.first<SelectedInstitution>());
  if (!row) return null;
  const fi = readInstitution(row);
  return withLinks(fi, { fi: fi.fiReferenceId }, href);
}

const withLinks = (
  fi: FinancialInstitution,
  choice: Record<string, string>,
  href: (path: string) => string,
): Chosen => ({
  ...fi,
  choice,
  link: (path, query = {}) => {
    const parameters = new URLSearchParams({ ...choice, ...query });
    return href(parameters.size === 0 ? path : `${path}?${parameters}`);
  },
});

type About = (visit: Visit<Reader>, fi: Chosen) => Promise<Response>;

/** A page about one institution: an operator who has named none is asked for it, and led to the same address. */
export const aboutInstitution =
  (title: string, answer: About) =>
  async (visit: Visit<Reader>): Promise<Response> => {
    const { fi: reference = "", ...query } = visit.c.req.query();
    const chosen = await choose(visit, reference.trim());
    return chosen ? await answer(visit, chosen) : await ask(visit, title, query, reference.trim());
  };

/** The institution of a form, in whose ledger its record is. Throws PageProblem. */
export async function requireChosen(visit: Visit<Reader>, form: FormData): Promise<Chosen> {
  const chosen = await actFor(visit, textOf(form, "fi"));
  if (!chosen) throw pageNotFound();
  return chosen;
}

/** The institution for which the reader acts, of this reference; null if there is none of it. Throws StoreError. */
export async function actFor(visit: Visit<Reader>, reference: string): Promise<Chosen | null> {
  const chosen = await choose(visit, reference.trim());
  if (chosen) visit.c.set("fi", chosen);
  return chosen;
}

async function ask(
  visit: Visit<Reader>,
  title: string,
  query: Readonly<Record<string, string>>,
  reference: string,
): Promise<Response> {
  const suggested = await suggestInstitutions(visit.c.env.DB);
  const problem = reference === "" ? null : `No institution has the reference “${reference}”.`;
  const children = (
    <FilterForm action={visit.href(visit.c.req.path)} values={query} problem={problem} button="Show">
      <ReferenceField {...{ label: "Of which institution?", suggested, value: reference, problem: problem !== null }} />
    </FilterForm>
  );
  return await show(visit, { title, children, status: problem === null ? 200 : 400 });
}

interface Suggested {
  readonly name: string;
  readonly fiReferenceId: string;
}

/** The first institutions, by reference; none if there is no institution. Throws StoreError. */
export async function suggestInstitutions(db: D1Database): Promise<readonly Suggested[]> {
  const list = db.prepare(LIST).bind(MAX_SUGGESTED);
  return (await callStore("D1", () => list.all<Suggested>())).results;
}

interface ReferenceFieldProps {
  readonly label: string;
  readonly suggested: readonly Suggested[];
  readonly value: string;
  /** Whether the page's problem is about it. */
  readonly problem: boolean;
}

/** In which an operator chooses an institution; where there are more than a list can hold, by its reference. */
export function ReferenceField({ label, suggested, value, problem }: ReferenceFieldProps) {
  const told = problem ? "problem" : undefined;
  if (suggested.length < MAX_SUGGESTED)
    return (
      <label class="field wide">
        {label}
        <select name="fi" required aria-describedby={told}>
          <option value="">Choose one</option>
          {suggested.map(({ name, fiReferenceId }) => (
            <option value={fiReferenceId} selected={fiReferenceId === value}>
              {name}, {fiReferenceId}
            </option>
          ))}
        </select>
      </label>
    );
  return (
    <label class="field wide">
      {label} <span class="hint">its reference</span>
      <input name="fi" required value={value} spellcheck={false} autocomplete="off" aria-describedby={told} />
    </label>
  );
}

/** Belongs into every form of a page about an institution. */
export const ChosenField = ({ fi: { choice } }: { fi: Chosen }) => <HiddenFields values={choice} />;

/** Whose page it is; nothing for an institution's own, which the frame names. */
export const ChosenName = ({ visit, fi, path }: { visit: Visit<Reader>; fi: Chosen; path: string }) =>
  visit.reader.kind === "institution" ? null : (
    <p>
      Of <b>{fi.name}</b> <code>{fi.fiReferenceId}</code>. <a href={visit.href(path)}>Another institution</a>
    </p>
  );

interface RowActionProps {
  readonly visit: Visit<Reader>;
  readonly fi: Chosen;
  /** Where the form goes, with the row's one field. */
  readonly path: string;
  readonly name: string;
  readonly value: string;
  /** Further fields. */
  readonly more?: Readonly<Record<string, string>>;
  /** Read aloud after the button's text, which every row has. */
  readonly about: string;
  readonly children?: Child;
}

/** The form in a table's row: a button that does one thing with what the row shows. */
export const RowAction = ({ visit, fi, path, name, value, more = {}, about, children }: RowActionProps) => (
  <form method="post" action={visit.href(path)}>
    <FormToken visit={visit} />
    <HiddenFields values={{ ...fi.choice, [name]: value, ...more }} />
    <button type="submit" class="quiet">
      {children} <span class="out">{about}</span>
    </button>
  </form>
);
