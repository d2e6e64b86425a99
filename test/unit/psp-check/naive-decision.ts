/**
 * The decision and the register part of an answer once more, from raw files, written from the interface and the README alone:
 * slow, without KV, keys, agents' entries or any function of src.
 */

export interface OwnCategory {
  category: string | null;
  legalName: string;
  status: string | null;
  services: number[];
  passportOut: { country: string; services: number[] }[];
  passportIn?: string | null;
}
export interface OwnFile {
  country: string;
  source: "nca" | "credit-institutions";
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
  /** Its register publishes no passports. */
  unpublished?: boolean;
  passportIn: string | null;
}
type Found = "not loaded" | "ambiguous" | Entry[];

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

function findOwn(file: OwnFile, number: string): { agent: boolean; entries: Entry[] } | "ambiguous" | null {
  const all = file.psps.filter(({ authNumber }) => isSame(authNumber, number));
  const institutions = all.filter(({ agent }) => !agent);
  // of the own form, an agent with an institution's number is a second entry for it
  if (all.length > 1) return "ambiguous";
  const [psp] = all;
  if (!psp) return null;
  const entries = psp.categories.map((one) => ({
    name: one.category ?? (psp.agent ? "Agent" : "Not documented"),
    status: report(one.category, psp.agent, one.status),
    services: servicesIn(one.category, one.services),
    passports: Object.fromEntries(
      one.passportOut.map((out) => [countryOf(out.country), [...new Set(out.services)].sort()]),
    ),
    unpublished: file.source === "credit-institutions" && one.category === "Credit Institution",
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

function findEba(
  all: EbaRaw[],
  number: string,
  now: string,
): { agent: boolean; entries: Entry[] } | "ambiguous" | null {
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
    const agent = { name: "Agent", status: null, services: [], passports: {}, passportIn: null };
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
      passportIn: null,
    };
  });
  return { agent: false, entries };
}

/** The PSP in the registers of a country: each category from the first source that has it, in this order. */
function find(world: World, country: string): Found {
  const { number } = world.certificate;
  const eba = world.eba.filter((raw) => ebaCountry(raw) === country);
  const loaded = [
    ...["nca", "credit-institutions"].flatMap((source) =>
      world.own
        .filter((file) => file.source === source && countryOf(file.country) === country)
        .map((file) => findOwn(file, number)),
    ),
    ...(eba.length > 0 ? [findEba(eba, number, world.now)] : []),
  ];
  if (loaded.length === 0) return "not loaded";
  if (loaded.includes("ambiguous")) return "ambiguous";
  const psps = loaded.filter((one) => one !== null && one !== "ambiguous");
  const institutions = psps.filter(({ agent }) => !agent);
  const seen = new Set<string>();
  return (institutions.length > 0 ? institutions : psps).flatMap(({ entries }) => {
    const fresh = entries.filter(({ name }) => !seen.has(name));
    for (const { name } of entries) seen.add(name);
    return fresh;
  });
}

const ROLES: Record<string, number[]> = { PSP_AS: [1, 2, 3, 4, 5, 6, 7, 8], PSP_PI: [7], PSP_AI: [8], PSP_IC: [5] };
/** Rules 3 and 4: an empty list is explained. None of several entries is taken, so that they are as if there were none. */
function explain(found: Found, absent: string): string[] {
  if (found === "not loaded") return ["register_not_loaded"];
  return found === "ambiguous" ? [absent, "register_ambiguous"] : found.length === 0 ? [absent] : [];
}

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
          (world.accepts === true && one.unpublished === true && isEea)),
    );
  const abroad = there === home ? null : find(world, there);
  const atHost = abroad === null || typeof abroad === "string" ? [] : abroad;
  return {
    payments: may(7),
    accounts: may(8),
    home: entries.map(({ name, status, services, passports }) => ({
      ...{ name, status, services },
      ...(abroad !== null && { passportOut: { countryCode: there, paymentServices: abroadOf(passports) } }),
    })),
    homeWarnings: explain(found, "not_in_register"),
    host:
      abroad &&
      atHost.map(({ name, status, passportIn }) => ({
        name,
        status,
        ...(passportIn && { passportIn: { countryCode: passportIn } }),
      })),
    hostWarnings: abroad && explain(abroad, "not_in_host_register"),
  };
}
