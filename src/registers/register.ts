/** A register as an importer reads it from a file, ready to be stored. */

import { agentsName, entryNumber, pspName } from "./keys.ts";
import { type CategoryRecord, findableNumber, type PspRecord } from "./psp-record.ts";
import type { Published, RegisterSource } from "./sources.ts";

/** One country's register by one source, read and valid, ready to be stored. */
export interface Register extends Published {
  readonly country: string;
  readonly source: RegisterSource;
  readonly ncaId: string;
  readonly ncaName: string;
  /** ISO instant. */
  readonly published: string;
  /** In the EBA's file: the latest version of its records, yyyymmddhhmmssSSS. */
  readonly newestRecord?: string;
  readonly psps: readonly PspRecord[];
  /** Agents, where there are too many for a record each: they have a name and nothing else. */
  readonly agents: AgentRoll;
  /** PSPs whose records are malformed: what is stored of them stays, as of its snapshot. */
  readonly refused: readonly RefusedPsp[];
  /** The numbers of PSPs with a category that was withdrawn, it cannot be read when: its status is null. */
  readonly undated?: readonly string[];
}

export interface RefusedPsp {
  readonly authNumber: string;
  readonly reason: string;
  /** Of the malformed record. */
  readonly category: CategoryRecord["category"];
  /** What other records of the PSP say, which can be read: they count. */
  readonly readable?: readonly CategoryRecord[];
}

export interface Agent {
  /** As spelled in the register, or composed from the NCA and the reference there. */
  readonly authNumber: string;
  readonly legalName: string;
}

/**
 * The value of an agents' entry. Each line has entry number, authorisation number and legal name, separated by tabs,
 * with a line feed before and after it.
 */
export type StoredAgents = string;

const FIRST_BUFFER_BYTES = 512;
/** The most bytes that UTF-8 needs for one UTF-16 code unit. */
const MAX_BYTES_PER_CODE_UNIT = 3;

const ENCODER = new TextEncoder();

interface Bucket {
  bytes: Uint8Array;
  length: number;
}

export class AgentRoll {
  readonly #buckets = new Map<string, Bucket>();
  #size = 0;

  static of(agents: Iterable<Agent>): AgentRoll {
    const roll = new AgentRoll();
    for (const agent of agents) roll.add(agent);
    return roll;
  }

  /** The number of calls of {@link add}: agents that occur several times are counted several times. */
  get size(): number {
    return this.#size;
  }

  add({ authNumber, legalName }: Agent): void {
    const line = `${oneLine(authNumber)}\t${oneLine(legalName)}\n`;
    const bucket = this.#roomFor(agentsName(entryNumber(authNumber)), line.length * MAX_BYTES_PER_CODE_UNIT);
    bucket.length += ENCODER.encodeInto(line, bucket.bytes.subarray(bucket.length)).written;
    this.#size++;
  }

  /** The name and value of each KV entry. The values do not depend on the order in which the agents were added. */
  *entries(): Generator<readonly [name: string, StoredAgents]> {
    for (const [name, { bytes, length }] of this.#buckets) {
      const lines = new TextDecoder().decode(bytes.subarray(0, length)).split("\n").slice(0, -1).sort();
      // an agent of several institutions occurs several times in the register
      const distinct = lines.filter((line, i) => !lines[i - 1]?.startsWith(line.slice(0, line.indexOf("\t") + 1)));
      const stored = distinct.map((line) => `\n${entryNumber(line.slice(0, line.indexOf("\t")))}\t${line}`);
      yield [name, `${stored.join("")}\n`];
    }
  }

  #roomFor(name: string, bytes: number): Bucket {
    const bucket = this.#buckets.get(name) ?? { bytes: new Uint8Array(FIRST_BUFFER_BYTES), length: 0 };
    this.#buckets.set(name, bucket);
    if (bucket.length + bytes > bucket.bytes.length) {
      const grown = new Uint8Array(bucket.bytes.length * 2 + bytes);
      grown.set(bucket.bytes.subarray(0, bucket.length));
      bucket.bytes = grown;
    }
    return bucket;
  }
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

/** The agents of an entry with the entry number of `authNumber`; these may include an agent of another NCA. */
export function findAgents(stored: StoredAgents, authNumber: string): Agent[] {
  const agents: Agent[] = [];
  const before = `\n${entryNumber(authNumber)}\t`;
  for (let at = stored.indexOf(before); at !== -1; at = stored.indexOf(before, at + 1)) {
    const line = stored.slice(at + before.length, stored.indexOf("\n", at + 1));
    const [spelled = "", legalName = ""] = line.split("\t");
    agents.push({ authNumber: spelled, legalName });
  }
  return agents;
}

/** The value of an entry: usually one PSP; several if their numbers differ only in blanks, dashes or case. Copies come last. */
export type StoredPsps = readonly PspRecord[];

/** `copy`: it has nothing but copies that links made: no PSP of the register. */
export type RegisterEntry = readonly [name: string, value: string, copy: boolean];

/**
 * The name and JSON of every entry of the register. A generator, because a country's entries would need too much memory
 * together. The result does not depend on the order of the PSPs.
 */
export function* registerEntries(register: Pick<Register, "psps" | "agents">): Generator<RegisterEntry> {
  const psps = [...register.psps].sort(
    (a, b) => Number(isCopy(a)) - Number(isCopy(b)) || compare(findableNumber(a), findableNumber(b)),
  );
  for (const [name, stored] of Map.groupBy(psps, (psp) => pspName(findableNumber(psp)))) {
    yield [name, JSON.stringify(stored satisfies StoredPsps), stored.every(isCopy)];
  }
  for (const [name, agents] of register.agents.entries()) yield [name, JSON.stringify(agents), false];
}

/** What the register itself has of an entry. */
export const withoutCopies = (stored: StoredPsps): PspRecord[] => stored.filter((psp) => !isCopy(psp));

const isCopy = ({ link }: PspRecord): boolean => link !== undefined;

/** Compares by UTF-16 code unit, so that the order does not depend on the machine's locale. */
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
