/** What an act was about, where its record names no PSP: a person, a page, an account by its tag. Pure. */
import type { LedgerEntry } from "../../evidence/ledger/record.ts";
import { CONSOLE_FORMS } from "../../http/endpoints.ts";
import { nameEndpoint } from "../../http/middleware/ledger.ts";
import { nameRecord } from "../evidence/record-words.ts";
import { capital, SCOPE_NAMES } from "../wording.ts";
import { describeActor, isTag, type Names } from "./names.ts";

/** Of the menu, where it is not the path's. */
const SECTIONS: Readonly<Record<string, string>> = { check: "Check a PSP", psps: "PSPs" };

/** The place in the menu; with what a form does, where it has a page for that alone. */
function describePage(endpoint: string): string {
  const path = endpoint.replace(/^\w+ /, "");
  const [, , first = "", ...rest] = path.split("/");
  const section = SECTIONS[first] ?? capital(first);
  const form = Object.values(CONSOLE_FORMS).find((one) => one.path === path);
  if (!form || rest.length === 0 || rest[0] === "{id}") return section;
  return `${section}: ${nameRecord({ event: form.event, endpoint: nameEndpoint(form), consent: null })}`;
}

/** The same account has the same tag in each record. */
const nameAccount = (tag: string): string => `account ${tag.slice(0, 8)}…`;

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
