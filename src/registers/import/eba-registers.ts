/** Collects the EBA's records, in any order, into one register for each country. Pure. */

import { normaliseAuthorisationNumber } from "../../eidas/authorisation-number.ts";
import { MOST_NAMED } from "../manifest.ts";
import { ncaName } from "../nca-names.ts";
import type { CategoryRecord, PaymentServices, PspRecord } from "../psp-record.ts";
import { AgentRoll, type RefusedPsp, type Register } from "../register.ts";
import { EBA } from "../sources.ts";
import { type EbaInstitution, readEbaRecord } from "./eba-record.ts";
import { countOne, mostFrequent, type Names } from "./euclid-entity.ts";

interface Gathered {
  /** The latest version of each, by type and code. */
  readonly institutions: Map<string, EbaInstitution>;
  readonly agents: AgentRoll;
  readonly refused: RefusedPsp[];
  /** Type and code of the institutions that have a malformed record. */
  readonly malformed: Set<string>;
}

export class EbaRegisters {
  readonly source = EBA;
  readonly #countries = new Map<string, Gathered>();
  /** One reason for each malformed record that is an agent's or whose entity cannot be identified. */
  readonly unreadable: string[] = [];
  records = 0;
  institutions = 0;
  /** Types and codes of services that the EBA's code list does not have, with the number of their records. */
  readonly unknownTypes: Record<string, number> = {};
  readonly unknownServices: Record<string, number> = {};
  /** The names of the first institutions without a reference, which no number finds, and how many they are. */
  readonly unnumbered = { count: 0, names: [] as string[] };
  /** The latest version (yyyymmddhhmmssSSS) of all institutions' records; "" before the first. */
  latestVersion = "";

  add(value: unknown): void {
    const record = readEbaRecord(value, (code) => countOne(this.unknownServices, code));
    this.records++;
    if (record.kind === "other") {
      if (record.type !== null) countOne(this.unknownTypes, record.type);
      return;
    }
    if (record.kind === "malformed") {
      const { identity, reason } = record;
      // one without a number is nobody's, too
      if (identity === null || identity.authNumbers.length === 0) this.unreadable.push(reason);
      if (identity === null) return;
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
    if (record.category === null) countOne(this.unknownTypes, record.type);
    else if (record.branch === null) this.institutions++;
    if (record.authNumbers.length === 0 && record.branch === null) {
      this.unnumbered.count++;
      if (this.unnumbered.names.length < MOST_NAMED) this.unnumbered.names.push(record.names?.legalName ?? record.code);
    }
    if (record.version > this.latestVersion) this.latestVersion = record.version;
    if (record.version >= (institutions.get(record.key)?.version ?? "")) institutions.set(record.key, record);
  }

  /** The registers of all countries with a record, in the order of the country codes. `published`: ISO 8601. */
  *registers(published: string): Generator<Register> {
    for (const [country, gathered] of [...this.#countries].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const { agents } = gathered;
      const institutions = [...gathered.institutions.values()];
      const describe = describer(institutions);
      const refused = withReadable(gathered, institutions, describe);
      const undated = institutions.filter(({ days }) => days === null).flatMap(({ authNumbers }) => authNumbers);
      const owner = mostFrequent(institutions.map((institution) => institution.owner)) ?? `${country}_`;
      yield {
        ...{ country, source: EBA, ncaId: owner.replace("_", "-"), ncaName: ncaName(owner), published },
        newestRecord: this.latestVersion,
        ...{ psps: groupByNumber(institutions, refused, describe), agents, refused, undated },
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
function withReadable(
  { refused, malformed }: Gathered,
  institutions: readonly EbaInstitution[],
  describe: Describe,
): RefusedPsp[] {
  if (refused.length === 0) return [];
  const readable = new Map<string, CategoryRecord[]>(
    refused.map(({ authNumber }) => [normaliseAuthorisationNumber(authNumber), []]),
  );
  for (const one of institutions) {
    if (malformed.has(one.key) || one.category === "Branch") continue;
    for (const number of new Set(one.authNumbers.map(normaliseAuthorisationNumber)))
      readable.get(number)?.push(describe(one));
  }
  return refused.map((one) => {
    const its = readable.get(normaliseAuthorisationNumber(one.authNumber)) ?? [];
    return { ...one, ...(its.length > 0 && { readable: its }) };
  });
}

/** One PSP for each number, with a category for each type. PSPs with any malformed record are left out. */
function groupByNumber(
  institutions: readonly EbaInstitution[],
  refused: readonly RefusedPsp[],
  describe: Describe,
): PspRecord[] {
  const broken = new Set(refused.map(({ authNumber }) => normaliseAuthorisationNumber(authNumber)));
  const isSound = (authNumber: string) => !broken.has(normaliseAuthorisationNumber(authNumber));
  const psps = new Map<string, PspRecord[]>();
  for (const institution of institutions.filter(({ category }) => category !== "Branch")) {
    for (const authNumber of institution.authNumbers.filter(isSound)) {
      addCategory(psps, authNumber, describe(institution));
    }
  }
  const taken = new Set([...psps.keys()].map(normaliseAuthorisationNumber));
  for (const branch of institutions.filter(({ category }) => category === "Branch")) {
    // a branch with its parent's reference cannot be found: that number is the parent's
    for (const authNumber of branch.authNumbers.filter(isSound)) {
      if (!taken.has(normaliseAuthorisationNumber(authNumber))) addCategory(psps, authNumber, describe(branch));
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

/** Writes an institution's category, with what its active branches add. */
type Describe = (institution: EbaInstitution) => CategoryRecord;

function describer(institutions: readonly EbaInstitution[]): Describe {
  const byCode = Map.groupBy(institutions, ({ code }) => code);
  const branches = new Map<EbaInstitution, EbaInstitution[]>();
  for (const one of institutions) {
    const parent = one.branch?.active ? findParent(one, byCode.get(one.branch.parent.code ?? "") ?? []) : null;
    if (parent) branches.set(parent, [...(branches.get(parent) ?? []), one]);
  }
  return (institution) => {
    const { category, names, branch, code, days, services, country } = institution;
    const { legalName, otherNames } = names ?? nameOf(byCode.get(branch?.parent.code ?? "") ?? []) ?? unnamed(code);
    const established = servicesByEstablishment(branches.get(institution) ?? []);
    return {
      ...{ category, legalName, status: days },
      ...(otherNames.length > 0 && { otherNames }),
      // the EBA's `Services` combines home and passports
      services: services.get(country) ?? [],
      passportOut: Object.fromEntries([...services].filter(([abroad]) => abroad !== country)),
      ...(Object.keys(established).length > 0 && { established }),
    };
  };
}

const unnamed = (code: string): Names => ({ legalName: code, otherNames: [] });
const nameOf = (institutions: readonly EbaInstitution[]): Names | null =>
  institutions.find(({ names, branch }) => names !== null && branch === null)?.names ?? null;

/** The only institution with the code and, where the branch says it, the type of its parent. */
function findParent({ branch }: EbaInstitution, withCode: readonly EbaInstitution[]): EbaInstitution | null {
  const type = branch?.parent.type ?? null;
  const parents = withCode.filter((one) => one.branch === null && (type === null || one.type === type));
  return parents.length === 1 ? (parents[0] ?? null) : null;
}

/** Of each branch only what it does in its own country. */
function servicesByEstablishment(branches: readonly EbaInstitution[]): Record<string, PaymentServices> {
  const established: Record<string, PaymentServices> = {};
  for (const { branch, services, country } of branches) {
    const there = branch?.country ?? country;
    const its = services.get(there) ?? [];
    if (there !== country && its.length > 0)
      established[there] = [...new Set([...(established[there] ?? []), ...its])].sort();
  }
  return established;
}
