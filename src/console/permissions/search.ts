/** What the page is asked for, from the query of its address. Pure. */
import { parseAuthorisationNumber } from "../../eidas/authorisation-number.ts";
import { isRecordId } from "../../grants/record-order.ts";
import { accountId, consentId } from "../../routes/parameters.ts";

export const SEARCHED = ["account", "psp", "consent"] as const;
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
  /** `problem`: a sentence; null if nothing was asked. */
  | { readonly ok: false; readonly problem: string | null };

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
    const number = parseAuthorisationNumber(value);
    if (!number.ok) return refuse(`“${shorten(value)}” is not a PSD2 authorisation number: ${number.message}.`);
    return { ok: true, by: searched, value: number.pspId, ...rest };
  }
  const read = (searched === "account" ? accountId : consentId)().safeParse(value);
  if (!read.success) return refuse(`The ${NAMES[searched]} ${read.error.issues[0]?.message}.`);
  return { ok: true, by: searched, value: read.data, ...rest };
}

const NAMES: Readonly<Record<Searched, string>> = {
  account: "account",
  psp: "PSP's authorisation number",
  consent: "consent or permission id",
};

const SHOWN_CHARACTERS = 60;
const shorten = (text: string): string =>
  text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
