/** Collects the EBA's records, in any order, into one register for each country. Pure. */

import { normaliseAuthorisationNumber } from "../../eidas/authorisation-number.ts";
import { ncaName } from "../nca-names.ts";
import type { CategoryRecord, PspRecord } from "../psp-record.ts";
import { AgentRoll, type RefusedPsp, type Register } from "../register.ts";
import { EBA } from "../sources.ts";
import { type EbaInstitution, readEbaRecord } from "./eba-record.ts";

interface Gathered {
  /** The latest version of each, by type and code. */
  readonly institutions: Map<string, EbaInstitution>;
  readonly agents: AgentRoll;
  readonly refused: RefusedPsp[];
  /** Type and code of the institutions that have a malformed record. */
  readonly malformed: Set<string>;
}

export class EbaRegisters {
  readonly #countries = new Map<string, Gathered>();
  /** One reason for each malformed record that is an agent's or whose entity cannot be identified. */
  readonly unreadable: string[] = [];
  records = 0;
  institutions = 0;
  /** The latest version (yyyymmddhhmmssSSS) of all institutions' records; "" before the first. */
  latestVersion = "";

  add(value: unknown): void {
    const record = readEbaRecord(value);
    this.records++;
    if (record.kind === "other") return;
    if (record.kind === "malformed") {
      const { identity, reason } = record;
      if (identity === null) {
        this.unreadable.push(reason);
        return;
      }
      const { refused, malformed } = this.#gatheredOf(identity.country);
      malformed.add(identity.key);
      for (const authNumber of identity.authNumbers) refused.push({ authNumber, reason, category: identity.category });
      return;
    }
    const { institutions, agents } = this.#gatheredOf(record.country);
    if (record.kind === "agent") {
      for (const authNumber of record.authNumbers) agents.add({ authNumber, legalName: record.legalName });
      return;
    }
    this.institutions++;
    if (record.version > this.latestVersion) this.latestVersion = record.version;
    if (record.version >= (institutions.get(record.key)?.version ?? "")) institutions.set(record.key, record);
  }

  /** The registers of all countries with a record, in the order of the country codes. `published`: ISO 8601. */
  *registers(published: string): Generator<Register> {
    for (const [country, gathered] of [...this.#countries].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const { agents } = gathered;
      const institutions = [...gathered.institutions.values()];
      const refused = withReadable(gathered, institutions);
      const undated = institutions.filter(({ days }) => days === null).flatMap(({ authNumbers }) => authNumbers);
      const owner = mostFrequent(institutions.map((institution) => institution.owner)) ?? `${country}_`;
      yield {
        ...{ country, source: EBA, ncaId: owner.replace("_", "-"), ncaName: ncaName(owner), published },
        newestRecord: this.latestVersion,
        ...{ psps: groupByNumber(institutions, refused), agents, refused, undated },
      };
    }
  }

  #gatheredOf(country: string): Gathered {
    const gathered = this.#countries.get(country) ?? {
      ...{ institutions: new Map(), agents: new AgentRoll(), refused: [], malformed: new Set<string>() },
    };
    this.#countries.set(country, gathered);
    return gathered;
  }
}

/** With what can be read: not of an institution of which another version cannot, and may be the later one. */
function withReadable({ refused, malformed }: Gathered, institutions: readonly EbaInstitution[]): RefusedPsp[] {
  if (refused.length === 0) return [];
  const names = namesOf(institutions);
  const readable = new Map<string, CategoryRecord[]>(
    refused.map(({ authNumber }) => [normaliseAuthorisationNumber(authNumber), []]),
  );
  for (const one of institutions) {
    if (malformed.has(one.key) || one.category === "Branch") continue;
    for (const number of new Set(one.authNumbers.map(normaliseAuthorisationNumber)))
      readable.get(number)?.push(toCategory(one, names));
  }
  return refused.map((one) => {
    const its = readable.get(normaliseAuthorisationNumber(one.authNumber)) ?? [];
    return { ...one, ...(its.length > 0 && { readable: its }) };
  });
}

const namesOf = (institutions: readonly EbaInstitution[]): ReadonlyMap<string, string | null> =>
  new Map(institutions.map(({ code, legalName }) => [code, legalName]));

/** One PSP for each number, with a category for each type. PSPs with any malformed record are left out. */
function groupByNumber(institutions: readonly EbaInstitution[], refused: readonly RefusedPsp[]): PspRecord[] {
  const names = namesOf(institutions);
  const broken = new Set(refused.map(({ authNumber }) => normaliseAuthorisationNumber(authNumber)));
  const isSound = (authNumber: string) => !broken.has(normaliseAuthorisationNumber(authNumber));
  const psps = new Map<string, PspRecord[]>();
  for (const institution of institutions.filter(({ category }) => category !== "Branch")) {
    for (const authNumber of institution.authNumbers.filter(isSound)) {
      addCategory(psps, authNumber, toCategory(institution, names));
    }
  }
  const taken = new Set([...psps.keys()].map(normaliseAuthorisationNumber));
  for (const branch of institutions.filter(({ category }) => category === "Branch")) {
    // a branch with its parent's reference cannot be found: that number is the parent's
    for (const authNumber of branch.authNumbers.filter(isSound)) {
      if (!taken.has(normaliseAuthorisationNumber(authNumber)))
        addCategory(psps, authNumber, toCategory(branch, names));
    }
  }
  return [...psps.values()].flat();
}

/** Two entities with the same number and category become two PSPs: the number is ambiguous, and neither is found. */
function addCategory(psps: Map<string, PspRecord[]>, authNumber: string, record: CategoryRecord): void {
  const same = psps.get(authNumber) ?? [];
  const index = same.findIndex(({ categories }) => categories.every(({ category }) => category !== record.category));
  const psp = same[index] ?? { authNumber, agent: false, categories: [] };
  const extended = { ...psp, categories: [...psp.categories, record] };
  psps.set(authNumber, index === -1 ? [...same, extended] : same.with(index, extended));
}

/** The EBA's `Services` combines home and passports: the home country's entry is `services`, the others passports. */
function toCategory(institution: EbaInstitution, names: ReadonlyMap<string, string | null>): CategoryRecord {
  const { category, legalName, parentCode, code, days, services, country } = institution;
  return {
    category,
    legalName: legalName ?? names.get(parentCode ?? "") ?? code,
    status: days,
    services: services.get(country) ?? [],
    passportOut: Object.fromEntries([...services].filter(([abroad]) => abroad !== country)),
  };
}

function mostFrequent(values: readonly string[]): string | null {
  const counted = [...Map.groupBy(values, (value) => value)].sort(([, a], [, b]) => b.length - a.length);
  return counted[0]?.[0] ?? null;
}
