/**
 * The whole of a PSP check for people: who the PSP is, what its certificate claims beside what its registers give, and
 * how old each source is, with the sentences of sentences.ts. Lines of text, without layout.
 */
import { roleName } from "../eidas/roles.ts";
import { countryName } from "../platform/country.ts";
import type { Instant } from "../platform/instant.ts";
import type { FoundCategory } from "../registers/found-category.ts";
import type { RegisterReading } from "../registers/lookup.ts";
import { mayHaveUnpublishedPassport } from "../registers/passport.ts";
import type { Decision } from "./decision.ts";
import type { PspCheck } from "./psp-check.ts";
import {
  describeDecision,
  describeVerdicts,
  describeWarnings,
  type RegisterAnswers,
  type Remark,
  type ScopeSentence,
  type Verdict,
  wordsOf,
} from "./sentences.ts";
import { listSourceAges, type SourceAge } from "./source-ages.ts";

/** One payment service: on the certificate, in the home register, and by passport in the jurisdiction. */
export interface ServiceRow {
  readonly service: number;
  readonly name: string;
  readonly onCertificate: boolean;
  /** In a category that is Authorised or Registered; null where nobody could look. */
  readonly atHome: boolean | null;
  /** In such a category; null also where passports are published nowhere, and in the home country, which needs none. */
  readonly passported: boolean | null;
}

export interface PspReport {
  readonly identity: readonly string[];
  readonly verdicts: readonly Verdict[];
  readonly decision: readonly ScopeSentence[];
  readonly services: readonly ServiceRow[];
  /** One for each register: its name, and what it says of the PSP. */
  readonly registers: readonly { readonly title: string; readonly lines: readonly string[] }[];
  readonly warnings: readonly Remark[];
  readonly sources: readonly SourceAge[];
}

/** `registers` and `decision`: of the answer in version `latest`. */
export function describePsp(
  check: PspCheck,
  { decision, ...registers }: RegisterAnswers & { readonly decision: Decision },
  jurisdiction: string,
  now: Instant,
): PspReport {
  const { homeRegister, hostRegister } = registers;
  return {
    identity: describeIdentity(check),
    verdicts: describeVerdicts(check),
    decision: describeDecision(decision, jurisdiction, wordsOf(check)),
    services: listServices(check, registers),
    registers: [
      describeRegister(homeRegister, check.home),
      ...(hostRegister ? [describeRegister(hostRegister, check.host)] : []),
    ],
    warnings: describeWarnings(check, registers),
    sources: listSourceAges(check, registers, now),
  };
}

function describeIdentity({ psp }: PspCheck): string[] {
  const name = psp.pspSubjectName ?? "The PSP, which its certificate does not name,";
  const number =
    psp.authNumber === null ? "has no authorisation number" : `has the authorisation number ${psp.authNumber}`;
  const issuer = psp.QTSPCommonName === null ? "an issuer without a name" : psp.QTSPCommonName;
  const nca = psp.ncaName === null && psp.ncaId === null ? null : [psp.ncaName, psp.ncaId && `(${psp.ncaId})`];
  const roles = psp.roles.map(roleName).map((name) => (ROLES[name] ? `${name} (${ROLES[name]})` : name));
  return [
    `${name} ${number}.`,
    ...(psp.homeCountry === null
      ? []
      : [
          `Its home country is ${countryName(psp.homeCountry)}${nca ? `, its NCA ${nca.filter(Boolean).join(" ")}` : ""}.`,
        ]),
    `The certificate is by ${issuer} and has ${roles.length === 0 ? "no role" : `the roles ${roles.join(", ")}`}.`,
  ];
}

const isStanding = (status: string | null): boolean => status === "Authorised" || status === "Registered";

/** The services that any of the three has, and always the two that the decision is about. */
function listServices({ psp, home: read }: PspCheck, { homeRegister, hostRegister }: RegisterAnswers): ServiceRow[] {
  const looked = findUnread(read) === null;
  const standing = homeRegister.categoryEntries.filter(({ pspAuthStatus }) => isStanding(pspAuthStatus));
  const home = new Set(standing.flatMap(({ pspPaymentServices }) => pspPaymentServices));
  const passported = new Set(standing.flatMap(({ passportOut }) => passportOut?.paymentServices ?? []));
  const isUnpublished = read?.categories.some((category) =>
    isUnpublishedIn(category, read, hostRegister?.ncaCountryCode),
  );
  const services = new Set([...psp.paymentServices, ...home, ...passported, 7, 8]);
  return [...services]
    .sort((a, b) => a - b)
    .map((service) => ({
      ...{ service, name: PAYMENT_SERVICES[service] ?? "", onCertificate: psp.paymentServices.includes(service) },
      ...{ atHome: looked ? home.has(service) : null },
      ...{ passported: passported.has(service) || (looked && hostRegister && !isUnpublished ? false : null) },
    }));
}

/** Why a register without entries says nothing of the PSP; null if it was looked up there. */
function findUnread(reading: RegisterReading | null): string | null {
  if (reading === null) return "nobody looked: the certificate's authorisation number names no register to look in";
  if (reading.manifests.length === 0) return "not loaded, so nobody looked";
  return reading.ambiguous ? "several entries match the PSP's number, so none of them is used" : null;
}

function describeRegister(
  register: RegisterAnswers["homeRegister"] | NonNullable<RegisterAnswers["hostRegister"]>,
  reading: RegisterReading | null,
) {
  const { registerType, ncaName, ncaCountryCode, categoryEntries } = register;
  const place = [ncaCountryCode, ncaName].filter(Boolean).join(", ");
  const lines = categoryEntries.map((entry, i) => {
    const { categoryName, pspLegalName, pspAuthStatus } = entry;
    const given = "pspPaymentServices" in entry ? describeGiven(entry, reading, reading?.categories[i]) : [];
    const facts = [pspAuthStatus ?? "no status", ...given];
    const from = "passportIn" in entry && entry.passportIn ? [`home country ${entry.passportIn.countryCode}`] : [];
    const link = "found_by" in entry && entry.found_by;
    const under = link ? [`registered under ${link.register_number}, as ${link.source} says`] : [];
    return `${categoryName} ${pspLegalName}: ${[...facts, ...from, ...under].join("; ")}`;
  });
  return {
    title: `${registerType} register${place && ` (${place})`}`,
    lines: lines.length > 0 ? lines : [findUnread(reading) ?? "no entry for the PSP"],
  };
}

type HomeEntry = RegisterAnswers["homeRegister"]["categoryEntries"][number];

const isUnpublishedIn = (
  category: FoundCategory,
  { country: home }: RegisterReading,
  country: string | undefined,
): boolean => country !== undefined && mayHaveUnpublishedPassport(category, home, country);

function describeGiven(
  { pspPaymentServices, passportOut }: HomeEntry,
  reading: RegisterReading | null,
  category: FoundCategory | undefined,
): string[] {
  const list = (services: readonly number[]) =>
    services.length === 0
      ? "no payment service"
      : `payment ${services.length === 1 ? "service" : "services"} ${services.join(", ")}`;
  if (!passportOut) return [list(pspPaymentServices)];
  const isUnpublished = reading && category && isUnpublishedIn(category, reading, passportOut.countryCode);
  const none = isUnpublished ? "passports published nowhere" : `no passport to ${passportOut.countryCode}`;
  return [list(pspPaymentServices), ...describeWays(passportOut, none, list)];
}

/** One phrase for each way, where the answer says the ways; `none` without a passport. */
function describeWays(
  { countryCode, paymentServices, ways }: NonNullable<HomeEntry["passportOut"]>,
  none: string,
  list: (services: readonly number[]) => string,
): string[] {
  if (paymentServices.length === 0) return [none];
  if (!ways) return [`passport to ${countryCode} for ${list(paymentServices)}`];
  return ways.map(({ way, paymentServices: services }) =>
    way === "establishment"
      ? `branch in ${countryCode} for ${list(services)}`
      : `passport to ${countryCode} for ${list(services)}`,
  );
}

/** The payment services of PSD2's Annex I, which registers and certificates name by number, in words for people. */
export const PAYMENT_SERVICES: Readonly<Record<number, string>> = {
  1: "placing cash on a payment account",
  2: "withdrawing cash from a payment account",
  3: "executing payments",
  4: "executing payments covered by a credit line",
  5: "issuing payment instruments, acquiring payments",
  6: "money remittance",
  7: "payment initiation",
  8: "account information",
};

/** ETSI TS 119 495 annex A. */
const ROLES: Readonly<Record<string, string>> = {
  PSP_AS: "account servicing",
  PSP_PI: "payment initiation",
  PSP_AI: "account information",
  PSP_IC: "card-based payment instruments",
};
