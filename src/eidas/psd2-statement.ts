/**
 * The PSD2 statement (ETSI TS 119 495 clause 5.1 and Annex A): rolesOfPSP, nCAName, nCAId. Some generators nest it
 * differently: roles are read at any known nesting. Each deviation is a warning; nothing is thrown.
 */

import { canonicalCountry } from "../platform/country.ts";
import { quote } from "../platform/quotation.ts";
import { children, type Der, DerError, expect, Tag } from "../x509/der.ts";
import { readOid, readString } from "../x509/der-values.ts";
import { type AuthorisationNumber, isDirectoryNumber, registeredNumbers } from "./authorisation-number.ts";
import type { WarningCode } from "./every-warning.ts";
import { ROLES_WITHOUT_NCA, type Role, roleRemarks } from "./roles.ts";
import { type Warning, warning, withPlace } from "./warnings.ts";

export const PSD2_STATEMENT = "0.4.0.19495.2";

/** The standard defines nine roles. The limit bounds the work for a hostile certificate. */
const MAX_ROLES = 32;

export interface Psd2Statement {
  readonly roles: readonly Role[];
  readonly ncaName: string | null;
  readonly ncaId: string | null;
  readonly warnings: readonly Warning[];
}

/** The constructed bit of an identifier octet (X.690 section 8.1.2.5). */
const CONSTRUCTED = 0x20;

const WHAT = "QCStatements: PSD2 statement";
const LIST = "list of roles";

export function readPsd2Statement(info: Der | null): Psd2Statement {
  const remarks: Warning[] = [];
  const warn: Warn = (remark, code = "psd2_statement_malformed") => remarks.push(warning(code, remark));
  try {
    const parts = children(expect(info ?? undefined, Tag.sequence, WHAT), WHAT);
    const lists = parts.filter((part) => part.tag === Tag.sequence);
    const [ncaName, ncaId, ...more] = parts.filter((part) => (part.tag & CONSTRUCTED) === 0);
    if (more.length > 0) warn("more than roles, ncaName and ncaId");
    for (const { tag } of parts)
      if (tag & CONSTRUCTED && tag !== Tag.sequence) warn(`an unexpected value of type ${tagName(tag)}`);
    return {
      roles: readRoles(lists, warn),
      ncaName: readName(ncaName, warn),
      ncaId: readText(ncaId, "ncaId", warn),
      warnings: withPlace(WHAT, remarks),
    };
  } catch (error) {
    if (!(error instanceof DerError)) throw error;
    const fault = warning("psd2_statement_malformed", error.message);
    return { roles: [], ncaName: null, ncaId: null, warnings: [...withPlace(WHAT, remarks), fault] };
  }
}

/** The statement is malformed if no code is given. */
type Warn = (remark: string, code?: WarningCode) => void;

function readRoles(lists: readonly Der[], warn: Warn): Role[] {
  const entries = attempt<readonly Der[]>(() => roleEntries(lists, warn), [], warn);
  if (entries.length > MAX_ROLES) warn(`${entries.length} roles; the first ${MAX_ROLES} count`);
  const roles = entries.slice(0, MAX_ROLES).flatMap((entry, i) => {
    const pairs = readPairs(entry, `role entry ${i + 1}`, warn);
    if (pairs.length > 1 && entries !== lists)
      warn(`role entry ${i + 1} contains ${pairs.length} roles instead of one`);
    return pairs;
  });
  if (roles.length > MAX_ROLES) warn(`${roles.length} roles; the first ${MAX_ROLES} count`);
  const counted = roles.slice(0, MAX_ROLES);
  for (const [i, role] of counted.entries()) {
    for (const { code, sentence } of roleRemarks(role)) warn(`role ${i + 1}: ${sentence}`, code);
    if (counted.findIndex((other) => other.oid === role.oid) < i)
      warn(`role ${i + 1}: OID ${role.oid} again`, "role_repeated");
  }
  return counted;
}

function roleEntries(lists: readonly Der[], warn: Warn): readonly Der[] {
  const [first] = lists;
  if (!first) {
    warn("no list of roles", "role_missing");
    return [];
  }
  if (children(first, LIST)[0]?.tag === Tag.oid) {
    const beside = lists.length > 1;
    warn(
      beside
        ? "roles are in the statement without their SEQUENCE OF"
        : "roles are one flat SEQUENCE instead of a SEQUENCE OF RoleOfPSP",
    );
    return lists;
  }
  if (lists.length > 1) warn(`${lists.length} lists of roles`);
  const entries = lists.flatMap((list) => children(list, LIST));
  if (entries.length === 0) warn("the list of roles is empty", "role_missing");
  return entries;
}

/** Each OID starts a role; the character string after it is the role's name. */
function readPairs(entry: Der, what: string, warn: Warn): Role[] {
  const roles: { oid: string; name: string | null }[] = [];
  const read = () => {
    for (const part of children(expect(entry, Tag.sequence, what), what)) {
      const last = roles.at(-1);
      const name = readString(part);
      if (part.tag === Tag.oid) roles.push({ oid: readOid(part, what), name: null });
      else if (last && last.name === null && name !== null) last.name = name;
      else warn(`${what}: a value of type ${tagName(part.tag)} is neither OID nor name`);
    }
    if (roles.length === 0) warn(`${what}: no OID`);
  };
  attempt(read, undefined, warn);
  return roles;
}

function attempt<T>(read: () => T, substitute: T, warn: Warn): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof DerError)) throw error;
    warn(error.message);
    return substitute;
  }
}

function readText(der: Der | undefined, what: string, warn: Warn): string | null {
  if (!der) {
    warn(`no ${what}`, "nca_missing");
    return null;
  }
  const text = readString(der);
  if (text === null) warn(`${what} is not a character string`);
  else if (der.tag !== Tag.utf8String) warn(`${what} is of type ${tagName(der.tag)} instead of utf8String`);
  return text;
}

/** Annex A: NCAName has SIZE (1..256). The form of ncaId is checked by {@link competentAuthorityRemarks}. */
const MAX_CHARACTERS = 256;

/** An empty one names nobody, as if it were absent. */
function readName(der: Der | undefined, warn: Warn): string | null {
  const name = readText(der, "ncaName", warn);
  if (name?.trim() === "") {
    warn("ncaName is empty", "nca_missing");
    return null;
  }
  const length = [...(name ?? "")].length;
  if (length > MAX_CHARACTERS) warn(`ncaName has ${length} characters instead of at most ${MAX_CHARACTERS}`);
  return name;
}

const tagName = (tag: number): string =>
  Object.entries(Tag).find(([, value]) => value === tag)?.[0] ?? `0x${tag.toString(16)}`;

export function competentAuthorityRemarks(statement: Psd2Statement, number: AuthorisationNumber | null): Warning[] {
  const { ncaId, roles } = statement;
  if (ncaId === null) return [];
  // GEN-5.2.3-5
  if (ncaId === "NA" && roles.some((role) => ROLES_WITHOUT_NCA.has(role.oid))) return [];
  const [, code, nca] = /^([A-Z]{2})-([A-Z]{2,8})$/.exec(ncaId) ?? [];
  if (code === undefined || nca === undefined)
    return [
      warning("nca_id_invalid", `ncaId ${quote(ncaId)} ${formRemark(ncaId, number?.ok ? number.country : null)}`),
    ];
  if (!number?.ok) return [];
  const home = number.country;
  const isOfHome = canonicalCountry(code) === home;
  // the Open Banking Directory is no NCA: it writes the FCA's beside a number of its own, and its own beside the FCA's
  if (isOfHome && (isDirectoryNumber(number.pspId) || isDirectoryNumber(`PSD${home}-${nca}-`))) return [];
  const contradiction = !isOfHome
    ? `of another country than the authorisation number (${home})`
    : !registeredNumbers(number.pspId).some((each) => each.startsWith(`PSD${home}-${nca}-`))
      ? `another NCA than the one in ${quote(number.text)}`
      : null;
  if (contradiction === null) return [];
  return [warning("nca_id_contradicts", `ncaId ${ncaId} is ${contradiction}; the number counts`)];
}

function formRemark(ncaId: string, home: string | null): string {
  const [, code = "", nca = ""] = /^([A-Z]{2})[-_ ]*([A-Z_ -]{2,12})$/i.exec(ncaId) ?? [];
  return home !== null && canonicalCountry(code) === home
    ? `should be ${home}-${nca.replaceAll(/[-_ ]/g, "").toUpperCase()}`
    : "is not a country, a dash and 2 to 8 capitals";
}
