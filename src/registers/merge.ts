/**
 * What a country's registers say of one PSP, taken together. Pure.
 *
 * - Of a category that one source has, this source alone counts.
 * - Of a category in several, each counts for what it publishes (sources.ts): one without services says nothing of services.
 *   A status that a source does not document is a statement: unknown is never yes.
 * - Where they contradict each other, the stricter counts: a status that entitles to nothing before one that does, and the
 *   services and passports that all of them give.
 * - A source that lacks a PSP says nothing of it, unless it is whole for the category.
 * - A change of legal form is no withdrawal. Where the source that ends one full licence has the PSP with another, and
 *   publishes no services, another source's licence stays until it follows.
 */
import type { Instant } from "../platform/instant.ts";
import type { FoundCategory, Statement } from "./found-category.ts";
import { servicesAbroad, WAYS, type Way } from "./passport.ts";
import {
  type AuthorisationStatus,
  type CategoryRecord,
  type PaymentServices,
  type PspRecord,
  servicesOf,
} from "./psp-record.ts";
import { type Lacking, type Published, type RegisterSource, SOURCES } from "./sources.ts";
import { isStanding, statusAt } from "./status.ts";

export interface SourceReading extends Published {
  readonly source: RegisterSource;
  /** Null: the number finds none in it. */
  readonly psp: PspRecord | null;
  /** Whether it is there under another number: then it is not missing. */
  readonly linked: boolean;
}

export interface MergedRegister {
  readonly country: string;
  /** Whether it is the country of the PSP: of others a register is never whole. */
  readonly isHome: boolean;
  readonly now: Instant;
}

/** Each category once. Agent entries are ignored if the PSP is an institution. `sources`: in order of precedence. */
export function mergeCategories(sources: readonly SourceReading[], register: MergedRegister): FoundCategory[] {
  const found = sources.flatMap(({ psp, ...rest }) => (psp ? [{ ...rest, psp }] : []));
  const institutions = found.filter(({ psp }) => !psp.agent);
  const counting = institutions.length > 0 ? institutions : found;
  const missing =
    register.isHome && institutions.length > 0 ? sources.filter(({ psp, linked }) => !psp && !linked) : [];
  return counting.flatMap((first, i) =>
    first.psp.categories.flatMap((record): FoundCategory[] => {
      const inEach = counting.flatMap((one) => {
        const its = one === first ? record : one.psp.categories.find(({ category }) => category === record.category);
        return its ? [{ ...one, record: its }] : [];
      });
      if (counting.slice(0, i).some(({ psp }) => psp.categories.some(({ category }) => category === record.category)))
        return [];
      const unpublished = inEach.every((one) => isUnpublished(one, "passports"));
      const category: FoundCategory = {
        ...{ source: first.source, psp: first.psp, record },
        ...(unpublished && { passports: "not published" }),
      };
      const notListed = missing.filter(({ whole = [] }) => whole.some((one) => one === record.category));
      return [inEach.length + notListed.length === 1 ? category : merge(category, inEach, notListed, register)];
    }),
  );
}

interface OneOfSeveral extends Published {
  readonly source: RegisterSource;
  readonly psp: PspRecord;
  readonly record: CategoryRecord;
}

function merge(
  category: FoundCategory,
  inEach: readonly OneOfSeveral[],
  notListed: readonly SourceReading[],
  register: MergedRegister,
): FoundCategory {
  const isChange = inEach.map((one) => isChangeOfForm(one, register.now));
  const statements = [
    // where all of them ended it, it is ended
    ...inEach.map((one, i) => stateOf(one, isChange[i] === true && isChange.includes(false), register)),
    ...notListed.map((one): Statement => ({ source: one.source, status: "Not listed" })),
  ];
  const passports = inEach.filter((one) => !isUnpublished(one, "passports"));
  const { record } = category;
  const merged: CategoryRecord = {
    ...record,
    status: strictest(statements) ?? null,
    services: commonServices(statements.flatMap(({ services }) => (services ? [services] : []))) ?? record.services,
    ...(passports.length > 0 && mergePassports(passports.map((one) => one.record))),
  };
  const agree = LEVELS.every((level) => new Set(statements.flatMap((one) => shown(one[level]))).size < 2);
  return { ...category, record: merged, ...(!agree && { statements }) };
}

const LEVELS = ["status", "services", "passports"] as const;
const shown = (said: unknown): string[] => (said === undefined ? [] : [JSON.stringify(said)]);

/** `changed`: its withdrawal is a change of legal form, and says nothing here. */
function stateOf(one: OneOfSeveral, changed: boolean, { country, now }: MergedRegister): Statement {
  const { source, psp, record } = one;
  return {
    source,
    ...(!changed && { status: statusAt(psp, record, now) }),
    ...(!isUnpublished(one, "services") && { services: servicesOf(record) }),
    ...(!isUnpublished(one, "passports") && { passports: servicesAbroad(record, country, now) }),
  };
}

const isUnpublished = ({ source, lacks = [] }: OneOfSeveral, what: Lacking): boolean =>
  SOURCES[source][what] === "not published" || lacks.includes(what);

/** Licences of the same reach: an institution that changes from one to another loses none of its services by that. */
const FULL_LICENCES: readonly CategoryRecord["category"][] = [
  "Payment Institution",
  "E-Money Institution",
  "Credit Institution",
];

function isChangeOfForm(one: OneOfSeveral, now: Instant): boolean {
  const { psp, record } = one;
  const isFull = ({ category }: CategoryRecord) => FULL_LICENCES.includes(category);
  if (!isUnpublished(one, "services") || !isFull(record) || statusAt(psp, record, now) !== "Withdrawn") return false;
  return psp.categories.some((other) => isFull(other) && isStanding(statusAt(psp, other, now)));
}

const STRICTEST = ["Withdrawn", "Unauthorised", null, "Authorised", "Registered"] as const;

const strictest = (statements: readonly Statement[]): AuthorisationStatus | null | undefined =>
  STRICTEST.find((status) =>
    statements.some((one) => (one.status === "Not listed" ? "Unauthorised" : one.status) === status),
  );

/** Null if nobody says. */
const commonServices = (each: readonly PaymentServices[]): PaymentServices | null =>
  each.length === 0 ? null : each.reduce((common, services) => common.filter((one) => services.includes(one)));

const byCountry = ({ passportOut, established = {} }: CategoryRecord, way: Way) =>
  way === "services" ? passportOut : established;

/** Of each country the services that all give there, in whichever way; of each way those of them that one source has. */
function mergePassports(records: readonly CategoryRecord[]): Pick<CategoryRecord, "passportOut" | "established"> {
  const servicesIn = (record: CategoryRecord, way: Way, country: string): PaymentServices => {
    const all = byCountry(record, way);
    return Object.hasOwn(all, country) ? (all[country] ?? []) : [];
  };
  const countries = new Set(records.flatMap((record) => WAYS.flatMap((way) => Object.keys(byCountry(record, way)))));
  const [passportOut = {}, established = {}] = WAYS.map((way) =>
    Object.fromEntries(
      [...countries].flatMap((country) => {
        const common = commonServices(
          records.map((record) => [...new Set(WAYS.flatMap((one) => servicesIn(record, one, country)))]),
        );
        const services = (common ?? []).filter((one) =>
          records.some((record) => servicesIn(record, way, country).includes(one)),
        );
        return services.length === 0 ? [] : [[country, services.sort()]];
      }),
    ),
  );
  return { passportOut, ...(Object.keys(established).length > 0 && { established }) };
}

/**
 * How the sources contradict each other on a category, as a half-sentence for each: `nca says Withdrawn`. Empty if they
 * agree on what matters here: the status, the services, and the passports to `jurisdiction` (null: none is needed).
 */
export function describeDisagreement(statements: readonly Statement[], jurisdiction: string | null): string[] {
  const levels = [
    (one: Statement) => (one.status === undefined ? null : (one.status ?? "no status")),
    (one: Statement) => one.services && `services ${listOf(one.services)}`,
    (one: Statement) =>
      jurisdiction !== null && one.passports
        ? `passport to ${jurisdiction} for ${listOf(one.passports[jurisdiction] ?? [])}`
        : null,
  ].filter((say) => new Set(statements.flatMap((one) => say(one) ?? [])).size > 1);
  return statements.flatMap((one) => {
    const said = levels.flatMap((say) => say(one) ?? []);
    return said.length === 0 ? [] : [`${one.source} says ${said.join(", ")}`];
  });
}

const listOf = (services: PaymentServices): string => (services.length === 0 ? "none" : services.join(", "));
