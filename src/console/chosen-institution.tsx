/**
 * The institution that a page is about: an institution's own, whatever the address says; for operators the one that the
 * address or form names as `fi`.
 */
import { callStore } from "../store-error.ts";
import { textOf } from "./form-body.ts";
import { show } from "./frame.tsx";
import type { Visit } from "./page.ts";
import { pageNotFound } from "./page-problem.ts";
import { Problem } from "./problem.tsx";
import type { Reader } from "./reader.ts";

export const CHOSEN_INSTITUTION_STATEMENTS = {
  find: `
    SELECT id, name, fi_reference_id AS fiReferenceId, database FROM financial_institutions WHERE fi_reference_id = ?1`,
} as const;
// by its index, as far as the limit
const LIST =
  "SELECT name, fi_reference_id AS fiReferenceId FROM financial_institutions ORDER BY fi_reference_id LIMIT ?1";

/** Suggestions; every reference can be typed. */
const MAX_SUGGESTED = 200;

interface Institution {
  readonly id: number;
  readonly name: string;
  readonly fiReferenceId: string;
  readonly database: number;
}

export interface Chosen extends Institution {
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
  const fi = await callStore("D1", () => find.first<Institution>());
  return fi && withLinks(fi, { fi: fi.fiReferenceId }, href);
}

const withLinks = (fi: Institution, choice: Record<string, string>, href: (path: string) => string): Chosen => ({
  ...{ id: fi.id, name: fi.name, fiReferenceId: fi.fiReferenceId, database: fi.database, choice },
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

/** The institution of a form. Throws PageProblem. */
export async function requireChosen(visit: Visit<Reader>, form: FormData): Promise<Chosen> {
  const chosen = await choose(visit, textOf(form, "fi"));
  if (!chosen) throw pageNotFound();
  return chosen;
}

async function ask(
  visit: Visit<Reader>,
  title: string,
  query: Readonly<Record<string, string>>,
  reference: string,
): Promise<Response> {
  const list = visit.c.env.DB.prepare(LIST).bind(MAX_SUGGESTED);
  const { results } = await callStore("D1", () => list.all<Pick<Institution, "name" | "fiReferenceId">>());
  const children = (
    <>
      <Problem>{reference === "" ? null : `No institution has the reference “${reference}”.`}</Problem>
      <search>
        <form action={visit.href(visit.c.req.path)} class="card row">
          {Object.entries(query).map(([name, value]) => (
            <input type="hidden" name={name} value={value} />
          ))}
          <label class="field wide">
            Of which institution? <span class="hint">its reference</span>
            <input
              name="fi"
              required
              list="institutions"
              value={reference}
              spellcheck={false}
              autocomplete="off"
              aria-describedby={reference === "" ? undefined : "problem"}
            />
          </label>
          <datalist id="institutions">
            {results.map(({ name, fiReferenceId }) => (
              <option value={fiReferenceId}>{name}</option>
            ))}
          </datalist>
          <button type="submit">Show</button>
        </form>
      </search>
    </>
  );
  return await show(visit, { title, children, status: reference === "" ? 200 : 400 });
}

/** Belongs into every form of a page about an institution. */
export const ChosenField = ({ fi: { choice } }: { fi: Chosen }) => (
  <>
    {Object.entries(choice).map(([name, value]) => (
      <input type="hidden" name={name} value={value} />
    ))}
  </>
);

/** Whose page it is; nothing for an institution's own, which the frame names. */
export const ChosenName = ({ visit, fi, path }: { visit: Visit<Reader>; fi: Chosen; path: string }) =>
  visit.reader.kind === "institution" ? null : (
    <p>
      Of <b>{fi.name}</b> <code>{fi.fiReferenceId}</code>. <a href={visit.href(path)}>Another institution</a>
    </p>
  );
