/** /console/sources/search: what the loaded registers have of a PSP, by name, number or LEI. */
import { parseAuthorisationNumber } from "../../eidas/authorisation-number.ts";
import { readCountry } from "../../platform/country.ts";
import {
  type DescribedEntry,
  describeEntry,
  MIN_SOUGHT_CHARACTERS,
  MOST_FOUND,
  searchRegisters,
} from "../../registers/search.ts";
import { SOURCES } from "../../registers/sources.ts";
import { longCountryName } from "../check/jurisdictions.ts";
import { Code, Fact, Mark } from "../elements.tsx";
import { FilterForm, TextField } from "../fields.tsx";
import { show } from "../frame.tsx";
import { AsFile, readFormat, sendList } from "../list-file.tsx";
import type { Page, Reader, Visit } from "../page.ts";
import { addressOfPsp } from "../psps/addresses.ts";
import { READ } from "../roles.ts";
import { showForeignText, writeLength } from "../wording.ts";
import { entryList } from "./entry-list.ts";

const PATH = "/console/sources/search";

export const registerSearchPage: Page = { path: PATH, menu: null, roles: READ, get: showSearch };

async function showSearch(visit: Visit<Reader>): Promise<Response> {
  const { c, now, reader, href } = visit;
  const given = c.req.query();
  const { q = "", country = "" } = given;
  const problem = findProblem(q.trim(), country);
  const isSearch = problem === null && q.trim() !== "";
  const searched = [c.env.KV, q.trim(), country === "" ? null : readCountry(country)] as const;
  const format = readFormat(given);
  const own = reader.kind === "institution" ? reader.fi : null;
  if (format && isSearch) return await sendList(visit, own, entryList(...searched, now), format);
  const search = isSearch ? await searchRegisters(...searched) : null;
  const children = (
    <>
      <RegisterSearchForm action={href(PATH)} given={given} problem={problem} />
      {search && (
        <section class="card" aria-labelledby="found">
          <h2 id="found">{search.more ? `The first ${MOST_FOUND} PSPs` : writeLength(search.entries.length, "PSP")}</h2>
          {search.entries.length === 0 && (
            <p>
              {search.searched.length === 0
                ? "No register is loaded there."
                : "None: look whether its country's register is loaded, and whether its authority has another number there."}
            </p>
          )}
          {search.more && (
            <p class="muted">
              There are more: {country === "" ? "name the country, or more" : "give more"} of the name.
            </p>
          )}
          {search.entries.length > 0 && (
            <AsFile
              link={(as) => href(`${PATH}?${new URLSearchParams({ q, country, ...as })}`)}
              what="PSPs"
              goesOn={search.more}
            />
          )}
        </section>
      )}
      {search?.entries.map((entry) => (
        <RegisterEntry entry={describeEntry(entry, now)} link={(psp) => href(addressOfPsp(psp))} />
      ))}
    </>
  );
  return await show(visit, { title: "Registers", children });
}

function findProblem(sought: string, country: string): string | null {
  if (country.trim() !== "" && readCountry(country) === null)
    return `${showForeignText(country)} is no country: give its two letters, such as DE, or leave it empty`;
  return sought === "" || sought.length >= MIN_SOUGHT_CHARACTERS
    ? null
    : `Give at least ${MIN_SOUGHT_CHARACTERS} characters of a name, a number or an LEI`;
}

interface FormProps {
  readonly action: string;
  readonly given?: Readonly<Record<string, string>>;
  readonly problem?: string | null;
}

export const RegisterSearchForm = ({ action, given = {}, problem = null }: FormProps) => (
  <FilterForm action={action} problem={problem}>
    <TextField
      {...{
        label: "Find a PSP in the registers",
        hint: "a part of its name, its number, or its LEI",
        name: "q",
        given,
      }}
      required
      told={problem !== null}
    />
    <label class="field">
      Country <span class="hint">two letters; empty: all</span>
      <input name="country" maxlength={2} size={4} autocomplete="off" value={given["country"]} />
    </label>
  </FilterForm>
);

const WAY_WORDS = { services: "without a branch", establishment: "by a branch" } as const;

const list = (services: readonly number[]): string => services.join(", ") || "none";

interface EntryProps {
  readonly entry: DescribedEntry;
  /** To the PSP's page; without: that is this page. */
  readonly link?: (pspId: string) => string;
}

/** An entry of a register with its names, numbers, and ways into other countries. */
export function RegisterEntry({ entry, link }: EntryProps) {
  const own = longCountryName(entry.country);
  const [name = entry.authorisation_number, ...others] = entry.names;
  return (
    <section class="card">
      <h2>
        {link && parseAuthorisationNumber(entry.psp_id).ok ? (
          <a href={link(entry.psp_id)}>{showForeignText(name)}</a>
        ) : (
          showForeignText(name)
        )}{" "}
        <span class="muted">{entry.authorisation_number}</span>
      </h2>
      <dl class="facts">
        <Fact name="Register">
          {own}, {SOURCES[entry.source].title} <Code>{entry.source}</Code>
        </Fact>
        {others.length > 0 && <Fact name="Other names">{others.map(showForeignText).join("; ")}</Fact>}
        {entry.numbers.length > 0 && (
          <Fact name="Other numbers">{entry.numbers.map(({ kind, number }) => `${kind} ${number}`).join("; ")}</Fact>
        )}
        {entry.linked.length > 0 && (
          <Fact name="Found by">
            {entry.linked.map(({ number, kind, source }) => `${number} (${kind}, ${source})`).join("; ")}
          </Fact>
        )}
        {entry.categories.map(({ category, status, services, from, abroad }) => (
          <Fact name={category}>
            <Mark state={status === "Authorised" || status === "Registered" ? "yes" : "no"}>
              {status ?? "No status"}
            </Mark>
            <br />
            Payment services {from === null ? "at home" : `in ${own}, from ${longCountryName(from)}`}: {list(services)}
            {abroad.map(({ country, ways }) => (
              <>
                <br />
                In {longCountryName(country)}:{" "}
                {ways.map(({ way, paymentServices }) => `${list(paymentServices)} ${WAY_WORDS[way]}`).join("; ")}
              </>
            ))}
          </Fact>
        ))}
      </dl>
    </section>
  );
}
