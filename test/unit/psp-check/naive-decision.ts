/**
 * The decision and the register part of an answer once more, from raw files, written from the interface and the README alone:
 * slow, without KV, keys, agents' entries or any function of src.
 */

export interface OwnCategory {
  category: string | null;
  legalName: string;
  status: string | null;
  /** Absent from a file that lacks them. */
  services?: number[];
  passportOut: { country: string; services: number[] }[];
  passportIn?: string | null;
}
export interface OwnFile {
  country: string;
  source: "nca" | "credit-institutions";
  lacks?: ("services" | "passports")[];
  whole?: string[];
  psps: { authNumber: string; agent: boolean; categories: OwnCategory[] }[];
}
export interface EbaRaw {
  CA_OwnerID: string;
  EntityCode: string;
  EntityType: string;
  Properties: Record<string, string | string[]>[];
  Services: Record<string, string[]>[];
  __EBA_EntityVersion: string;
}
export interface World {
  /** The certificate's organizationIdentifier, its roles' names, and whether its four verdicts are true. */
  certificate: { number: string; roles: string[]; good: boolean };
  own: OwnFile[];
  eba: EbaRaw[];
  jurisdiction: string;
  /** Whether the institution accepts a bank's authorisation at home in another state of the EEA. */
  accepts?: boolean | undefined;
  /** ISO 8601. */
  now: string;
}

interface Entry {
  name: string;
  status: string | null;
  services: number[];
  passports: Record<string, number[]>;
  /** What its register does not publish. */
  lacks: string[];
  passportIn: string | null;
}
interface Loaded {
  agent: boolean;
  entries: Entry[];
}
/** What it says in the answer, and whether its registers contradict each other, for a PSP that needs a passport there. */
interface Merged extends Omit<Entry, "lacks"> {
  /** A bank's, of which none of its registers publishes passports. */
  unpublished: boolean;
  disagree: (passportTo: string | null) => boolean;
}
type Found = "not loaded" | "ambiguous" | Merged[];

/** GR for EL, GB for UK; some numbers have three letters. */
const countryOf = (code: string) =>
  ({ EL: "GR", GRC: "GR", UK: "GB", GBR: "GB" })[code.toUpperCase()] ?? code.toUpperCase();

/** Country, NCA and reference; null: no authorisation number. Case of A to Z, blanks and the kind of dash do not count. */
export function partsOf(number: string): [country: string, nca: string, reference: string] | null {
  const plain = [...number.replace(/\s/g, "")]
    .map((c) => (c >= "a" && c <= "z" ? c.toUpperCase() : "‐‑‒–—−_".includes(c) ? "-" : c))
    .join("")
    .replace(/^(PSDFI-+)FIN-+FSA-/, "$1FINFSA-");
  const [head = "", nca = "", ...reference] = plain.split(/-+/);
  if (!/^PSD([A-Z]{2}|GRC|GBR)$/.test(head) || !/[\p{L}\p{N}]/u.test(nca + reference.join(""))) return null;
  const country = countryOf(head.slice(3));
  return [country, country === "ES" && nca === "BE" ? "BDE" : nca, reference.join("")];
}
const isSame = (a: string, b: string): boolean => partsOf(a)?.join("/") === partsOf(b)?.join("/");

const OUTSIDE = ["Excluded from PSD2", "Entitled under national law"];
const REGISTERED = ["Exempt Payment Institution", "Exempt E-Money Institution", "AISP"];
/** As the interface reports it; `said` by the register. */
function report(category: string | null, agent: boolean, said: string | null): string | null {
  if (agent || category === null || ["Branch", ...OUTSIDE].includes(category)) return null;
  return said === "Authorised" && REGISTERED.includes(category) ? "Registered" : said;
}
const servicesIn = (category: string | null, services: number[]) =>
  category === "Credit Institution" ? [1, 2, 3, 4, 5, 6, 7, 8] : [...new Set(services)].sort();

function findOwn(file: OwnFile, number: string): Loaded | "ambiguous" | null {
  const all = file.psps.filter(({ authNumber }) => isSame(authNumber, number));
  const institutions = all.filter(({ agent }) => !agent);
  // of the own form, an agent with an institution's number is a second entry for it
  if (all.length > 1) return "ambiguous";
  const [psp] = all;
  if (!psp) return null;
  const entries = psp.categories.map((one) => ({
    name: one.category ?? (psp.agent ? "Agent" : "Not documented"),
    status: report(one.category, psp.agent, one.status),
    services: servicesIn(one.category, one.services ?? []),
    passports: Object.fromEntries(
      one.passportOut.map((out) => [countryOf(out.country), [...new Set(out.services)].sort()]),
    ),
    lacks: file.source === "credit-institutions" ? ["services", "passports"] : (file.lacks ?? []),
    passportIn: one.passportIn ? countryOf(one.passportIn) : null,
  }));
  return { agent: institutions.length === 0, entries };
}

const EBA_TYPES: Record<string, string> = {
  ...{ PSD_PI: "Payment Institution", PSD_EPI: "Exempt Payment Institution", PSD_EMI: "E-Money Institution" },
  ...{ PSD_EEMI: "Exempt E-Money Institution", PSD_AISP: "AISP", PSD_BR: "Branch" },
  ...{ PSD_EXC: "Excluded from PSD2", PSD_ENL: "Entitled under national law" },
};
const valuesOf = (raw: EbaRaw, key: string): string[] => raw.Properties.flatMap((one) => one[key] ?? []);
const ebaCountry = ({ CA_OwnerID }: EbaRaw) => countryOf(CA_OwnerID.slice(0, 2));

/** Each reference that the NCA gave makes a number. */
function ebaNumbers(raw: EbaRaw): string[] {
  const nca = raw.CA_OwnerID.slice(3).replace("-", "");
  return [...new Set(valuesOf(raw, "ENT_NAT_REF_COD"))].map((reference) => `PSD${ebaCountry(raw)}-${nca}-${reference}`);
}

const ZONES: Readonly<Record<string, string>> = { FI: "Europe/Helsinki", GR: "Europe/Athens", GB: "Europe/London" };

/** Days alternately give and withdraw, each from its beginning where the authority is. */
function ebaStatus(days: string[], country: string, now: string): string | null | "malformed" {
  const readable = days.every((day, i) => /^\d{4}-\d\d-\d\d$/.test(day) && (i === 0 || day >= (days[i - 1] ?? "")));
  if (!readable) return days.length % 2 === 0 ? null : "malformed";
  const today = new Intl.DateTimeFormat("sv-SE", { timeZone: ZONES[country] ?? "Europe/Madrid" }).format(
    Date.parse(now),
  );
  const past = days.filter((day) => day <= today).length;
  if (days.length === 0) return null;
  return past === 0 ? "Unauthorised" : past % 2 === 1 ? "Authorised" : "Withdrawn";
}

function findEba(all: EbaRaw[], number: string, now: string): Loaded | "ambiguous" | null {
  const its = all.filter((raw) => ebaNumbers(raw).some((one) => isSame(one, number)));
  const stated = its.map((raw) => ({
    raw,
    category: EBA_TYPES[raw.EntityType] ?? null,
    spelled: ebaNumbers(raw).filter((one) => isSame(one, number)),
  }));
  const agents = new Set(stated.filter(({ raw }) => raw.EntityType === "PSD_AG").flatMap(({ spelled }) => spelled));
  const institutions = stated.filter(({ raw }) => raw.EntityType !== "PSD_AG");
  const isBroken = institutions.some(
    ({ raw }) => ebaStatus(valuesOf(raw, "ENT_AUT"), ebaCountry(raw), now) === "malformed",
  );
  const own = institutions.filter(({ category }) => category !== "Branch");
  const found = isBroken ? [] : own.length > 0 ? own : institutions;
  if (found.length === 0) {
    if (agents.size > 1) return "ambiguous";
    const agent = { name: "Agent", status: null, services: [], passports: {}, lacks: [], passportIn: null };
    return agents.size === 0 ? null : { agent: true, entries: [agent] };
  }
  // one PSP has one spelling, and each category once
  const spellings = new Set(found.flatMap(({ spelled }) => spelled));
  const categories = new Set(found.map(({ category }) => category));
  if (spellings.size > 1 || categories.size < found.length) return "ambiguous";
  const entries = found.map(({ raw, category }) => {
    const services = (country: string) =>
      raw.Services.flatMap((one) => Object.entries(one))
        .filter(([code]) => countryOf(code) === country)
        .flatMap(([, codes]) => codes)
        .filter((code) => code.startsWith("PS_0"))
        .map((code) => Number(code.charAt(4)));
    const abroad = raw.Services.flatMap((one) => Object.keys(one))
      .map(countryOf)
      .filter((one) => one !== ebaCountry(raw));
    return {
      name: category ?? "Not documented",
      status: report(category, false, ebaStatus(valuesOf(raw, "ENT_AUT"), ebaCountry(raw), now)),
      services: servicesIn(category, services(ebaCountry(raw))),
      passports: Object.fromEntries(abroad.map((one) => [one, [...new Set(services(one))].sort()])),
      lacks: [],
      passportIn: null,
    };
  });
  return { agent: false, entries };
}

const STRICT = ["Withdrawn", "Unauthorised", null, "Authorised", "Registered"];
const LICENCES = ["Payment Institution", "E-Money Institution", "Credit Institution"];
const stands = (status: string | null) => status === "Authorised" || status === "Registered";
const both = (lists: number[][]) => [1, 2, 3, 4, 5, 6, 7, 8].filter((one) => lists.every((list) => list.includes(one)));
const differ = (said: unknown[]) => new Set(said.map((one) => JSON.stringify(one))).size > 1;

/** The PSP in the registers of a country: of a category that several have, what is stricter of what each publishes. */
function find(world: World, country: string): Found {
  const { number } = world.certificate;
  const eba = world.eba.filter((raw) => ebaCountry(raw) === country);
  const own = ["nca", "credit-institutions"].flatMap((source) =>
    world.own.filter((file) => file.source === source && countryOf(file.country) === country),
  );
  const inOwn = own.map((file) => findOwn(file, number));
  const loaded = [...inOwn, ...(eba.length > 0 ? [findEba(eba, number, world.now)] : [])];
  if (loaded.length === 0) return "not loaded";
  if (loaded.includes("ambiguous")) return "ambiguous";
  const psps = loaded.filter((one) => one !== null && one !== "ambiguous");
  const institutions = psps.filter(({ agent }) => !agent);
  const isAtHome = partsOf(number)?.[0] === country;
  // a register that has every PSP of a category, and not this one
  const denied = own
    .filter((_, i) => inOwn[i] === null && isAtHome && institutions.length > 0)
    .flatMap(({ whole = [] }) => whole);
  const counting = institutions.length > 0 ? institutions : psps;
  const names = [...new Set(counting.flatMap(({ entries }) => entries.map(({ name }) => name)))];
  return names.map((name) => mergeEntries(name, counting, denied.includes(name)));
}

function mergeEntries(name: string, psps: Loaded[], denied: boolean): Merged {
  const its = psps.flatMap(({ entries }) => {
    const entry = entries.find((one) => one.name === name);
    return entry ? [{ entry, others: entries }] : [];
  });
  // a licence that another one has replaced, where the register does not say for which services
  const changed = its.map(
    ({ entry, others }) =>
      entry.status === "Withdrawn" &&
      entry.lacks.includes("services") &&
      LICENCES.includes(name) &&
      others.some((one) => LICENCES.includes(one.name) && stands(one.status)),
  );
  const heard = its.filter((_, i) => !(changed[i] && changed.includes(false))).map(({ entry }) => entry.status);
  const statuses = denied ? [...heard, "Unauthorised"] : heard;
  const services = its.filter(({ entry }) => !entry.lacks.includes("services")).map(({ entry }) => entry.services);
  const passports = its.filter(({ entry }) => !entry.lacks.includes("passports")).map(({ entry }) => entry.passports);
  const countries = [...new Set(passports.flatMap((one) => Object.keys(one)))];
  return {
    ...{ name, passportIn: its[0]?.entry.passportIn ?? null },
    status: STRICT.find((status) => statuses.includes(status)) ?? null,
    // where nobody publishes them, what the first has all the same
    services: services.length > 0 ? both(services) : (its[0]?.entry.services ?? []),
    passports:
      passports.length > 0
        ? Object.fromEntries(countries.map((one) => [one, both(passports.map((each) => each[one] ?? []))]))
        : (its[0]?.entry.passports ?? {}),
    unpublished: name === "Credit Institution" && passports.length === 0,
    disagree: (passportTo) =>
      differ(denied ? [...heard, "not listed"] : heard) ||
      differ(services) ||
      (passportTo !== null && differ(passports.map((one) => one[passportTo] ?? []))),
  };
}

const ROLES: Record<string, number[]> = { PSP_AS: [1, 2, 3, 4, 5, 6, 7, 8], PSP_PI: [7], PSP_AI: [8], PSP_IC: [5] };
/** Rules 3 and 4: an empty list is explained. None of several entries is taken, so that they are as if there were none. */
function explain(found: Found, absent: string): string[] {
  if (found === "not loaded") return ["register_not_loaded"];
  return found === "ambiguous" ? [absent, "register_ambiguous"] : found.length === 0 ? [absent] : [];
}

const contradictions = (entries: Merged[], passportTo: string | null): string[] =>
  entries.filter(({ disagree }) => disagree(passportTo)).map(() => "sources_disagree");

export function decideNaively(world: World) {
  const { certificate, jurisdiction } = world;
  const [home = null] = partsOf(certificate.number) ?? [];
  if (home === null) return null;
  const there = countryOf(jurisdiction);
  const found = find(world, home);
  const entries = typeof found === "string" ? [] : found;
  // between the United Kingdom and the EEA there are none since 2021
  const abroadOf = (passports: Record<string, number[]>) =>
    [home, there].includes("GB") ? [] : (passports[there] ?? []);
  const isEea = [home, there].every((country) => ["GR", "FI", "ES"].includes(country));
  const may = (service: number): boolean =>
    certificate.good &&
    certificate.roles.some((role) => ROLES[role]?.includes(service)) &&
    entries.some(
      (one) =>
        (one.status === "Authorised" || one.status === "Registered") &&
        one.services.includes(service) &&
        (there === home ||
          abroadOf(one.passports).includes(service) ||
          (world.accepts === true && one.unpublished && isEea)),
    );
  const abroad = there === home ? null : find(world, there);
  const passportTo = abroad === null || (home === "GB") !== (there === "GB") ? null : there;
  const atHost = abroad === null || typeof abroad === "string" ? [] : abroad;
  return {
    payments: may(7),
    accounts: may(8),
    home: entries.map(({ name, status, services, passports }) => ({
      ...{ name, status, services },
      ...(abroad !== null && { passportOut: { countryCode: there, paymentServices: abroadOf(passports) } }),
    })),
    homeWarnings: [...explain(found, "not_in_register"), ...contradictions(entries, passportTo)],
    host:
      abroad &&
      atHost.map(({ name, status, passportIn }) => ({
        name,
        status,
        ...(passportIn && { passportIn: { countryCode: passportIn } }),
      })),
    hostWarnings: abroad && [...explain(abroad, "not_in_host_register"), ...contradictions(atHost, null)],
  };
}
