/** Collects the records of the EBA's register of credit institutions, in any order, into one register for each country. Pure. */

import { normaliseAuthorisationNumber } from "../../eidas/authorisation-number.ts";
import { MOST_NAMED } from "../manifest.ts";
import { ncaName } from "../nca-names.ts";
import { ALL_PAYMENT_SERVICES, type PaymentServices, type PspRecord } from "../psp-record.ts";
import { AgentRoll, type RefusedPsp, type Register } from "../register.ts";
import { BANKS } from "../sources.ts";
import { type Bank, readBankRecord } from "./bank-record.ts";
import { countOne, mostFrequent } from "./euclid-entity.ts";

export class BankRegisters {
  readonly source = BANKS;
  /** The latest version of each, by type and code. */
  readonly #banks = new Map<string, Bank>();
  readonly #refused = new Map<string, RefusedPsp[]>();
  /** One reason for each malformed record that is nobody's who could be stored. */
  readonly unreadable: string[] = [];
  records = 0;
  /** Banks, without branches. */
  institutions = 0;
  /** Types that this register does not have, with the number of their records. */
  readonly unknownTypes: Record<string, number> = {};
  /** The names of the first banks without a reference, which no number finds, and how many they are. */
  readonly unnumbered = { count: 0, names: [] as string[] };
  /** The latest version (yyyymmddhhmmssSSS) of all records; "" before the first. */
  latestVersion = "";

  add(value: unknown): void {
    const record = readBankRecord(value);
    this.records++;
    if (record.kind === "other") {
      countOne(this.unknownTypes, record.type);
      return;
    }
    if (record.kind === "malformed") {
      const { country, authNumbers, reason } = record;
      if (country === null || authNumbers.length === 0) this.unreadable.push(reason);
      if (country === null) return;
      const its = authNumbers.map((authNumber) => ({ authNumber, reason, category: "Credit Institution" }) as const);
      this.#refused.set(country, [...(this.#refused.get(country) ?? []), ...its]);
      return;
    }
    if (record.branch === null) this.institutions++;
    if (record.branch === null && record.authNumbers.length === 0) {
      this.unnumbered.count++;
      if (this.unnumbered.names.length < MOST_NAMED) this.unnumbered.names.push(record.names.legalName);
    }
    if (record.version > this.latestVersion) this.latestVersion = record.version;
    if (record.version >= (this.#banks.get(record.key)?.version ?? "")) this.#banks.set(record.key, record);
  }

  /** The registers of all countries with a record, in the order of the country codes. `published`: ISO 8601. */
  *registers(published: string): Generator<Register> {
    const established = findEstablished([...this.#banks.values()], published.slice(0, "2026-01-01".length));
    const byCountry = Map.groupBy(this.#banks.values(), ({ country }) => country);
    for (const country of [...new Set([...byCountry.keys(), ...this.#refused.keys()])].sort()) {
      const banks = byCountry.get(country) ?? [];
      const refused = this.#refused.get(country) ?? [];
      const owner = mostFrequent(banks.map((bank) => bank.owner)) ?? `${country}_`;
      yield {
        ...{ country, source: BANKS, ncaId: owner.replace("_", "-"), ncaName: ncaName(owner), published },
        newestRecord: this.latestVersion,
        ...{ psps: listPsps(banks, refused, established), agents: new AgentRoll(), refused },
        undated: banks.filter(({ days }) => days === null).flatMap(({ authNumbers }) => authNumbers),
      };
    }
  }
}

type Established = ReadonlyMap<Bank, Readonly<Record<string, PaymentServices>>>;

/**
 * One PSP for each number. Two banks with one number stay two: the number is ambiguous, and neither is found. A branch with the
 * number of a bank is not found, as that number is the bank's. Of a bank outside the EEA a branch is authorised by national law
 * alone, which this register does not describe: it is a "Branch" without a status, and gets no yes.
 */
function listPsps(banks: readonly Bank[], refused: readonly RefusedPsp[], established: Established): PspRecord[] {
  const broken = new Set(refused.map(({ authNumber }) => normaliseAuthorisationNumber(authNumber)));
  const psps = (some: readonly Bank[], without: ReadonlySet<string>) =>
    some.flatMap((bank) =>
      bank.authNumbers
        .filter((authNumber) => !without.has(normaliseAuthorisationNumber(authNumber)))
        .map((authNumber) => describe(bank, authNumber, established)),
    );
  const own = psps(
    banks.filter(({ branch }) => branch === null),
    broken,
  );
  const taken = new Set(own.map(({ authNumber }) => normaliseAuthorisationNumber(authNumber)));
  return [
    ...own,
    ...psps(
      banks.filter(({ branch }) => branch !== null),
      new Set([...broken, ...taken]),
    ),
  ];
}

function describe(bank: Bank, authNumber: string, established: Established): PspRecord {
  const { names, numbers, branch, days } = bank;
  const { legalName, otherNames } = names;
  const services = established.get(bank);
  return {
    ...{ authNumber, ...(numbers.length > 0 && { numbers }), agent: false },
    categories: [
      {
        ...{ category: branch ? "Branch" : "Credit Institution", legalName },
        ...(otherNames.length > 0 && { otherNames }),
        ...{ status: branch ? null : days, services: [], passportOut: {} },
        ...(services && { established: services }),
      },
    ],
  };
}

/**
 * What branches give their banks: in the country of each all services, as at home. The authority of either country may have
 * entered it, so that its bank may be in another country's register. `today`: YYYY-MM-DD.
 */
function findEstablished(banks: readonly Bank[], today: string): Established {
  const byCode = Map.groupBy(
    banks.filter(({ branch }) => branch === null),
    ({ code }) => code,
  );
  const established = new Map<Bank, Record<string, PaymentServices>>();
  for (const { branch, days } of banks) {
    // on a day to come it is not yet there
    if (!branch?.active || branch.country === null || (days?.at(-1) ?? "") > today) continue;
    const [parent, ...more] = byCode.get(branch.parent.code ?? "") ?? [];
    if (!parent || more.length > 0 || parent.country === branch.country) continue;
    if (branch.parent.country !== null && branch.parent.country !== parent.country) continue;
    established.set(parent, { ...established.get(parent), [branch.country]: ALL_PAYMENT_SERVICES });
  }
  return established;
}
