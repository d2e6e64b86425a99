/** Rules 1 to 6 of GET /v1/psp/eidas: the register part of the answer, with the interface's field names. Pure. */

import { isOtherByRule } from "../eidas/authorisation-number.ts";
import type { WarningCode } from "../eidas/every-warning.ts";
import { type Warning, warning, writeWarnings } from "../eidas/warnings.ts";
import { readCountry } from "../platform/country.ts";
import type { Instant } from "../platform/instant.ts";
import { CONTRADICTED, explainDifferingNumbers } from "./differing-numbers.ts";
import type { FoundCategory } from "./found-category.ts";
import type { RegisterReading } from "./lookup.ts";
import { isRegisterStale, type RegisterMaxAges } from "./manifest.ts";
import { describeDisagreement } from "./merge.ts";
import { ncaNameOfCountry } from "./nca-names.ts";
import { listPassports, type Passport, passportedServices } from "./passport.ts";
import {
  type AuthorisationStatus,
  type CategoryRecord,
  type LinkOrigin,
  type NumberKind,
  type PaymentServices,
  type PspRecord,
  RULE_SOURCE,
  servicesOf,
} from "./psp-record.ts";
import { statusAt } from "./status.ts";

interface CategoryEntry {
  categoryName: string;
  pspLegalName: string;
  pspAuthStatus: AuthorisationStatus | null;
}

/** By which number the certificate's PSP was found, where the register has another. */
interface FoundBy {
  number: string;
  kind: NumberKind;
  /** Of the file that links the numbers; `rule`: one of this service's. */
  source: string;
  /** A day; null of a rule. */
  as_of: string | null;
  register_number: string;
}

interface HomeCategoryEntry extends CategoryEntry {
  found_by?: FoundBy | undefined;
  pspPaymentServices: PaymentServices;
  passportOut?: { countryCode: string; paymentServices: PaymentServices; ways?: readonly Passport[] } | undefined;
}

interface HostCategoryEntry extends CategoryEntry {
  passportIn?: { countryCode: string } | undefined;
}

interface RegisterAnswer<Type extends "Home" | "Host", Entry> {
  ncaName: string;
  ncaCountryCode: string;
  registerType: Type;
  categoryEntries: Entry[];
  warning?: string[] | undefined;
  /** One for each warning, in the same order. */
  warning_codes?: WarningCode[] | undefined;
}

export type HomeRegister = RegisterAnswer<"Home", HomeCategoryEntry>;
export type HostRegister = RegisterAnswer<"Host", HostCategoryEntry>;

export interface RegisterCheck {
  /** As spelled in the certificate; null if it has none. */
  readonly authNumber: string | null;
  /** Two letters, in upper or lower case. */
  readonly jurisdiction: string;
  /** Null if the home country is unknown. */
  readonly home: RegisterReading | null;
  /** The jurisdiction's register; null if the jurisdiction is the home country. */
  readonly host: RegisterReading | null;
  /** Used as the legal name of a PSP that is not in the home register. */
  readonly subjectName: string | null;
  readonly now: Instant;
  readonly maxAges: RegisterMaxAges;
  readonly codes: boolean;
}

/** The PSP's entries in its home register and, if the jurisdiction is another country, in that country's register. */
export function checkRegisters(check: RegisterCheck): { homeRegister: HomeRegister; hostRegister?: HostRegister } {
  const { authNumber, home, host } = check;
  if (authNumber === null || home === null) return { homeRegister: unknownHome(check) };
  const homeRegister = checkHome(check, authNumber, home);
  if (host === null) return { homeRegister };
  const legalName = home.categories[0]?.record.legalName ?? check.subjectName ?? authNumber;
  return { homeRegister, hostRegister: checkHost(check, authNumber, legalName, host) };
}

/** Also a reason of the decision (psp-check/decision.ts). */
export const NO_AUTHORISATION_NUMBER =
  "the certificate has no authorisation number, so there is no register to look it up in";

/** Without a home country there is no register to read, and no jurisdiction counts as a host. */
const unknownHome = ({ authNumber, codes }: RegisterCheck): HomeRegister => ({
  ncaName: "",
  ncaCountryCode: "",
  registerType: "Home",
  categoryEntries: [],
  ...writeWarnings(
    authNumber === null
      ? [warning("authorisation_number_missing", NO_AUTHORISATION_NUMBER)]
      : [
          absentAtHome(authNumber),
          warning(
            "home_country_unknown",
            `the authorisation number ${authNumber} does not name the PSP's home country`,
          ),
        ],
    codes,
  ),
});

function checkHome(check: RegisterCheck, authNumber: string, home: RegisterReading): HomeRegister {
  const categoryEntries = home.categories.map((category) => ({
    ...categoryEntry(category, check.now),
    pspPaymentServices: servicesOf(category.record),
    ...(check.codes && describeLink(category, authNumber)),
    ...(check.host && { passportOut: passportOut(check, home.country, category) }),
  }));
  const differing = check.codes && !home.ambiguous ? explainDifferingNumbers(home.country) : "";
  const there = check.host && (readCountry(check.jurisdiction) ?? check.jurisdiction);
  return answerOf("Home", home, categoryEntries, absentAtHome(authNumber, differing), authNumber, check, there);
}

/** Absent where the register has the certificate's number, in whatever spelling. */
function describeLink({ psp: { link, authNumber } }: FoundCategory, number: string): { found_by?: FoundBy } {
  const origin = link?.by ?? (isOtherByRule(number, authNumber) ? RULE : null);
  if (!origin) return {};
  const { kind, source, asOf } = origin;
  return { found_by: { number, kind, source, as_of: asOf, register_number: authNumber } };
}

/** Of numbers that follow from each other: eidas/authorisation-number.ts. */
const RULE: LinkOrigin = { kind: "supervisor_number", source: RULE_SOURCE, asOf: null };

function checkHost(check: RegisterCheck, authNumber: string, legalName: string, host: RegisterReading): HostRegister {
  const absent = `PSP ${legalName} could not be found in the ${ncaNameOf(host) || host.country} register`;
  const categoryEntries = host.categories.map((category) => ({
    ...categoryEntry(category, check.now),
    ...(category.record.passportIn !== undefined && { passportIn: { countryCode: category.record.passportIn } }),
  }));
  return answerOf("Host", host, categoryEntries, warning("not_in_host_register", absent), authNumber, check);
}

/**
 * `absent`: said of a PSP without an entry, unless no register is loaded: that has a warning of its own. `passportTo`: the
 * country of which the passports matter.
 */
function answerOf<Type extends "Home" | "Host", Entry>(
  registerType: Type,
  reading: RegisterReading,
  categoryEntries: Entry[],
  absent: Warning,
  authNumber: string,
  check: RegisterCheck,
  passportTo: string | null = null,
): RegisterAnswer<Type, Entry> {
  const isAbsent = reading.manifests.length > 0 && reading.categories.length === 0;
  const warnings = [
    ...(isAbsent ? [absent] : []),
    ...doubts(reading, authNumber, check),
    ...findDisagreements(reading, authNumber, passportTo),
  ];
  return {
    ...{ ncaName: ncaNameOf(reading), ncaCountryCode: reading.country, registerType, categoryEntries },
    ...writeWarnings(warnings, check.codes),
  };
}

const findDisagreements = ({ country, categories }: RegisterReading, authNumber: string, passportTo: string | null) =>
  categories.flatMap(({ psp, record, statements = [] }) => {
    const said = describeDisagreement(statements, passportTo);
    if (said.length === 0) return [];
    const whose = `the registers of ${country} disagree on the category ${nameCategory(psp, record)} of PSP ${authNumber}`;
    return [warning("sources_disagree", `${whose}: ${said.join("; ")}. The stricter counts`)];
  });

const absentAtHome = (authNumber: string, differing = ""): Warning =>
  warning("not_in_register", `could not find a register entry for PSP ${authNumber}${differing}`);

/**
 * The interface requires this field whenever the jurisdiction differs from home. For a PSP without a passport to the
 * jurisdiction it is therefore present, with an empty list.
 */
function passportOut({ jurisdiction, now, codes }: RegisterCheck, home: string, { record }: FoundCategory) {
  const countryCode = readCountry(jurisdiction) ?? jurisdiction;
  const ways = listPassports(record, home, countryCode, now);
  return { countryCode, paymentServices: passportedServices(ways), ...(codes && { ways }) };
}

const categoryEntry = ({ psp, record }: FoundCategory, now: Instant): CategoryEntry => ({
  categoryName: nameCategory(psp, record),
  pspLegalName: record.legalName,
  pspAuthStatus: statusAt(psp, record, now),
});

const nameCategory = ({ agent }: PspRecord, { category }: CategoryRecord): string =>
  category ?? (agent ? "Agent" : "Not documented");

/** The interface requires a string: "" for a country without a loaded register and without a known NCA. */
const ncaNameOf = ({ manifests, country }: RegisterReading): string =>
  manifests[0]?.ncaName ?? ncaNameOfCountry(country);

function doubts(
  reading: RegisterReading,
  authNumber: string,
  { now, maxAges }: Pick<RegisterCheck, "now" | "maxAges">,
): Warning[] {
  const { country, manifests, ambiguous, contradicted } = reading;
  return [
    ...(manifests.length === 0 ? [warning("register_not_loaded", `no register of ${country} is loaded`)] : []),
    ...(ambiguous
      ? [
          warning(
            "register_ambiguous",
            contradicted
              ? `the numbers that were imported for ${country} contradict each other on ${authNumber}: ${CONTRADICTED}`
              : `several entries of the ${country} registers match ${authNumber}, so none of them is used`,
          ),
        ]
      : []),
    ...findStale(reading, maxAges, now),
  ];
}

/**
 * A warning for each source that is older than it may be, and for an entry that stays because the source's later record of
 * the PSP cannot be read. They are used all the same.
 */
export const findStale = (
  { country, manifests, categories }: RegisterReading,
  maxAges: RegisterMaxAges,
  now: Instant,
): Warning[] =>
  manifests.flatMap((manifest) => {
    const { source, published, fetchedAt, dated } = manifest;
    const register = `the ${source} register of ${country}`;
    const of = dated === "fetch" ? "fetched" : "published";
    // a reading of an older record has it with the category alone
    const ofCategory = categories.find((found) => found.source === source && found.psp.asOf !== undefined)?.psp;
    const stays = manifest.stays ?? ofCategory;
    if (stays)
      return [
        warning(
          "register_stale",
          `the entry of ${stays.authNumber} in ${register} is that ${of} ${published}: ${stays.absentSince === undefined ? "its record in a later file cannot be read" : `the fetch of ${stays.absentSince} has none, and a second one is to confirm it`}`,
        ),
      ];
    if (!isRegisterStale(manifest, maxAges, now)) return [];
    return [
      warning(
        "register_stale",
        `${register} is older than ${(maxAges[source] ?? 0) / 3_600_000} hours: it was ${dated === "fetch" ? "" : `published ${published} and `}fetched ${fetchedAt}`,
      ),
    ];
  });
