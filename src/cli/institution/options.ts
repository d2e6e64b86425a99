/** What the `fi` commands share: their options, and how they draw institutions and credentials. */
import { databaseOf } from "../../institutions/databases.ts";
import { BANK_PASSPORTS, type BankPassports } from "../../institutions/financial-institutions.ts";
import type { Institution } from "../../institutions/institution-list.ts";
import { relativeTime } from "../../platform/clock.ts";
import type { Instant } from "../../platform/instant.ts";
import { EXIT, fail } from "../fail.ts";
import { drawTable, grouped, type Style } from "../output.ts";
import type { Common } from "../target.ts";

export interface OfInstitution extends Common {
  reference: string;
}
export interface OfCredential extends Common {
  client: string;
}

export const REFERENCE = ["--fi, --reference <reference>", "its fi_reference_id"] as const;
/** It stands in tables and headings; \p{C} has line breaks, and what turns the text around it. */
const readName = (text: string): string =>
  text.trim() !== "" && text.length <= 200 && !/\p{C}/u.test(text)
    ? text
    : fail("--name: 1 to 200 characters without line breaks, not only blanks", EXIT.usage);
export const NAME = ["--name <name>", "the institution's name", readName] as const;
export const CLIENT = ["--client <client id>", "as `fi list` shows it"] as const;

export const noSuchInstitution = (reference: string): string => `${reference}: no such institution`;

/** Whether an answer leaves only when its record is kept (http/middleware/ledger.ts), or before. */
export type LedgerMode = "required" | "default";
const readLedgerMode = (text: string): LedgerMode =>
  text === "required" || text === "default" ? text : fail(`--ledger: ${text} is not required or default`, EXIT.usage);
export const LEDGER = [
  "--ledger <mode>",
  "required: an answer leaves only when its record is kept, else it is 503; default: its record follows it",
  readLedgerMode,
] as const;

const readBankPassports = (text: string): BankPassports =>
  BANK_PASSPORTS.find((one) => one === text) ?? fail(`--bank-passports: ${text} is not accept or refuse`, EXIT.usage);
export const BANK_PASSPORTS_OPTION = [
  "--bank-passports <choice>",
  "accept: a bank's authorisation in another EEA state is enough, since its passports are published nowhere; refuse: it is not",
  readBankPassports,
] as const;

/** Of an institution, and then of each of its credentials. */
const HEAD = ["reference", "name", "status", "added", "live tokens"];
const CREDENTIAL_HEAD = ["client id", "secret made", "old secret"];

/** One line for each credential, the institution on the first. */
export function describeInstitutions(institutions: readonly Institution[], now: Instant, style: Style): string {
  if (institutions.length === 0) return "no institution: fi add --name 'My Bank' --reference PSDFI-FINFSA-0001";
  // of interest only where there is a second one
  const waits = institutions.some(({ ledger }) => ledger !== "default");
  const chose = institutions.some(({ bank_passports }) => bank_passports !== null);
  const placed = institutions.some(({ database }) => database !== 1);
  const rows = institutions.flatMap((fi) => {
    const status = fi.status === "active" ? style.good("✓ active") : style.bad("✗ disabled");
    const tokens = fi.live_tokens === null ? style.bad("no answer") : grouped(fi.live_tokens);
    const place = placed ? [`${fi.database}`] : [];
    const ledger = waits ? [fi.ledger] : [];
    const banks = chose ? [fi.bank_passports ?? style.doubtful("never chosen")] : [];
    const settings = [...place, ...ledger, ...banks];
    const own = [fi.fi_reference_id, fi.name, status, relativeTime(fi.created_at, now), tokens, ...settings];
    const credentials = fi.credentials.map(({ client_id, secret_made_at, old_secret_until }) => [
      client_id,
      relativeTime(secret_made_at, now),
      old_secret_until === null ? "" : style.doubtful(`ends ${relativeTime(old_secret_until, now)}`),
    ]);
    const [first = [style.doubtful("none: fi link")], ...more] = credentials;
    return [[...own, ...first], ...more.map((credential) => [...own.map(() => ""), ...credential])];
  });
  const more = [...(placed ? ["database"] : []), ...(waits ? ["ledger"] : []), ...(chose ? ["bank passports"] : [])];
  return drawTable([...HEAD, ...more, ...CREDENTIAL_HEAD], rows, style);
}

/** The client id, and of a new credential its secret, which nothing can show again. */
export function describeCredential(
  { client_id, client_secret }: { readonly client_id: string; readonly client_secret?: string },
  style: Style,
): string {
  const secret =
    client_secret === undefined
      ? []
      : [`  client_secret  ${client_secret}   ${style.doubtful("shown this once only")}`];
  return [`  client_id      ${client_id}`, ...secret].join("\n");
}

const FIND = "SELECT id, database FROM financial_institutions WHERE fi_reference_id = ?1";

/** The institution that a command names, and its database. */
export async function requireInstitution(env: Pick<Env, "DB">, reference: string) {
  const fi = await env.DB.prepare(FIND).bind(reference).first<{ id: number; database: number }>();
  if (!fi) return fail(noSuchInstitution(reference));
  return { id: fi.id, db: databaseOf(env, fi) };
}
