/** Gathers the EBA's records, which come in any order, into one register per country. Pure. */

import { normaliseAuthorisationNumber } from "../../eidas/authorisation-number.ts";
import { AgentRoll } from "../agent-roll.ts";
import { ncaName } from "../nca-names.ts";
import type { CategoryRecord, PspRecord, RefusedPsp, Register } from "../psp-record.ts";
import { type EbaInstitution, readEbaRecord } from "./eba-record.ts";

interface Gathered {
  /** By type and code, the latest version of each. */
  readonly institutions: Map<string, EbaInstitution>;
  readonly agents: AgentRoll;
  readonly refused: RefusedPsp[];
}

export class EbaRegisters {
  readonly #countries = new Map<string, Gathered>();
  /** Sentences on records that are nobody's: so malformed that it cannot be told whose they are. */
  readonly unreadable: string[] = [];
  records = 0;
  institutions = 0;
  /** The latest version of an institution's record, yyyymmddhhmmssSSS; "" before the first. */
  latestVersion = "";

  /** Takes the next record of the file. */
  add(value: unknown): void {
    const record = readEbaRecord(value);
    this.records++;
    if (record.kind === "other") return;
    if (record.kind === "malformed") {
      const { identity, reason } = record;
      if (identity === null) this.unreadable.push(reason);
      for (const authNumber of identity?.authNumbers ?? []) {
        this.#of(identity?.country ?? "").refused.push({ authNumber, reason });
      }
      return;
    }
    const { institutions, agents } = this.#of(record.country);
    if (record.kind === "agent") {
      for (const authNumber of record.authNumbers) agents.add({ authNumber, legalName: record.legalName });
      return;
    }
    this.institutions++;
    if (record.version > this.latestVersion) this.latestVersion = record.version;
    if (record.version >= (institutions.get(record.key)?.version ?? "")) institutions.set(record.key, record);
  }

  /** The registers of all countries that had a record, in the order of their codes. `published` is an ISO instant. */
  *registers(published: string): Generator<Register> {
    for (const [country, gathered] of [...this.#countries].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const { agents, refused } = gathered;
      const institutions = [...gathered.institutions.values()];
      const owner = mostFrequent(institutions.map((institution) => institution.owner)) ?? `${country}_`;
      yield {
        ...{ country, source: "eba", ncaId: owner.replace("_", "-"), ncaName: ncaName(owner), published },
        ...{ psps: groupByNumber(institutions, refused), agents, refused },
      };
    }
  }

  #of(country: string): Gathered {
    const gathered = this.#countries.get(country) ?? { institutions: new Map(), agents: new AgentRoll(), refused: [] };
    this.#countries.set(country, gathered);
    return gathered;
  }
}

/** One PSP per number with a category per type, but for those of which any record is malformed. */
function groupByNumber(institutions: readonly EbaInstitution[], refused: readonly RefusedPsp[]): PspRecord[] {
  const names = new Map(institutions.map(({ code, legalName }) => [code, legalName]));
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
    // a branch that goes by its parent's reference has none of its own to be found under
    for (const authNumber of branch.authNumbers.filter(isSound)) {
      if (!taken.has(normaliseAuthorisationNumber(authNumber)))
        addCategory(psps, authNumber, toCategory(branch, names));
    }
  }
  return [...psps.values()].flat();
}

/** Two entities of one number and one category are two PSPs, and the number is ambiguous: neither will be found by it. */
function addCategory(psps: Map<string, PspRecord[]>, authNumber: string, record: CategoryRecord): void {
  const same = psps.get(authNumber) ?? [];
  const index = same.findIndex(({ categories }) => categories.every(({ category }) => category !== record.category));
  const found = same[index] ?? { authNumber, agent: false, categories: [] };
  const extended = { ...found, categories: [...found.categories, record] };
  psps.set(authNumber, index === -1 ? [...same, extended] : same.with(index, extended));
}

/** `Services` is home and passports in one: what stands under the home country is done there, the rest is passported. */
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
