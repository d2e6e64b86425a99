/** What an act was about, where its record names no PSP: a person, a page, an account by its tag. Pure. */
import type { LedgerEntry } from "../../evidence/ledger/record.ts";
import { CONSOLE_FORMS } from "../../http/endpoints.ts";
import { nameEndpoint } from "../../http/middleware/ledger.ts";
import { nameRecord } from "../evidence/record-words.ts";
import { SCOPE_NAMES } from "../wording.ts";
import { describeActor, isTag, type Names } from "./names.ts";

/** Pages by what their path begins with, the longest first. */
const SECTIONS: readonly (readonly [path: string, name: string])[] = [
  ["/console/people/acts", "Who did what"],
  ["/console/evidence/{id}/proof", "Proof of a record"],
  ["/console/evidence/{id}/documents", "Document of a record"],
  ["/console/evidence/{id}", "A record"],
  ["/console/institutions/rotate", "Rotation of a secret"],
  ["/console/check", "Check a PSP"],
  ["/console/psps", "PSPs"],
  ["/console/permissions", "Permissions"],
  ["/console/evidence", "Evidence"],
  ["/console/events", "Events"],
  ["/console/webhooks", "Webhooks"],
  ["/console/sources", "Sources"],
  ["/console/people", "People"],
  ["/console/traffic", "Traffic"],
  ["/console/institutions", "Institutions"],
  ["/console/sandbox", "Sandbox"],
];

/** With the form's deed where the page is for that alone. */
function describePage(endpoint: string): string {
  const path = endpoint.replace(/^\w+ /, "");
  const form = Object.values(CONSOLE_FORMS).find((one) => one.path === path);
  const section = SECTIONS.find(([start]) => path.startsWith(start))?.[1] ?? "Another page";
  if (!form || path.includes("{") || SECTIONS.some(([start]) => start === path)) return section;
  return `${section}: ${nameRecord({ event: form.event, endpoint: nameEndpoint(form), consent: null })}`;
}

const SHOWN_CHARACTERS = 8;
/** The same account has the same tag in each record. */
export const nameAccount = (tag: string): string => `account ${tag.slice(0, SHOWN_CHARACTERS)}…`;

type About = Pick<LedgerEntry, "event" | "endpoint" | "about" | "scopes"> & Partial<Pick<LedgerEntry, "account">>;

/** Null where the record says no more than what was done. */
export function describeAbout(
  { event, endpoint, about, account = null, scopes = [] }: About,
  names: Names,
): string | null {
  if (about !== undefined) return isTag(about) ? describeActor({ person: about }, names) : about;
  if (event === "act.refused" || event === "evidence.export") return describePage(endpoint);
  if (account === null) return null;
  const blocked = event === "block.change" ? scopes.map((scope) => SCOPE_NAMES[scope]).join(" and ") : "";
  return `${nameAccount(account)}${blocked && `, for ${blocked}`}`;
}
