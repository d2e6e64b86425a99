/** What is asked of the page of permissions: its form, and what an address says. */
import { isRecordId } from "../../grants/record-order.ts";
import { accountId, consentId } from "../../routes/parameters.ts";
import { ChoiceField, FilterForm, TextField } from "../fields.tsx";
import { readPspNumber } from "../filters.ts";

interface SearchFormProps {
  readonly action: string;
  readonly query: Readonly<Record<string, string>>;
  readonly search: Search;
}

const CHOICES = [
  ["account", "Account"],
  ["psp", "PSP"],
  ["consent", "Consent"],
] as const;

export function SearchForm({ action, query, search }: SearchFormProps) {
  const problem = search.ok ? null : search.problem;
  const hint = "account id, three letters of a PSP or its number, or consent id";
  return (
    <FilterForm action={action} problem={problem}>
      <ChoiceField label="Search by" name="by" given={query} choices={CHOICES} />
      <TextField label="Which one" hint={hint} name="q" given={query} required told={problem !== null} />
      <label class="choice">
        <input type="checkbox" name="active" value="1" checked={query["active"] !== undefined} /> Active ones only
      </label>
    </FilterForm>
  );
}

const SEARCHED = ["account", "psp", "consent"] as const;
type Searched = (typeof SEARCHED)[number];

export type Search =
  | {
      readonly ok: true;
      readonly by: Searched;
      /** As the stores spell it: of a PSP the normal form of its authorisation number. */
      readonly value: string;
      readonly onlyOpen: boolean;
      /** The id after which the page begins; null: the newest. */
      readonly after: string | null;
    }
  /** `problem`: a sentence; null if nothing was asked. `name`: what may be a part of a PSP's name. */
  | { readonly ok: false; readonly problem: string | null; readonly name?: string };

const refuse = (problem: string | null): Search => ({ ok: false, problem });

export function readSearch(query: Readonly<Record<string, string>>): Search {
  const { by = "account", q = "", active, after } = query;
  const asked = q.trim();
  const searched = SEARCHED.find((one) => one === by);
  if (!searched) return refuse("Search by account, PSP or consent.");
  if (asked === "") return refuse(query["q"] === undefined ? null : `Say which ${NAMES[searched]}.`);
  // an account's id is the bank's own: blanks around it may be part of it
  const value = searched === "account" ? q : asked;
  const rest = { onlyOpen: active !== undefined, after: after !== undefined && isRecordId(after) ? after : null };
  if (searched === "psp") {
    const number = readPspNumber(value);
    if (number.ok) return { ok: true, by: searched, value: number.pspId ?? value, ...rest };
    const problem = `${number.problem} No PSP that was met here has it in its name, which takes three letters at least.`;
    return { ok: false, problem, name: value };
  }
  const read = (searched === "account" ? accountId : consentId)().safeParse(value);
  if (!read.success) return refuse(`The ${NAMES[searched]} ${read.error.issues[0]?.message}.`);
  return { ok: true, by: searched, value: read.data, ...rest };
}

const NAMES: Readonly<Record<Searched, string>> = {
  account: "account",
  psp: "PSP",
  consent: "consent or permission id",
};
