/**
 * The agents of one country's register: three hundred thousand of them all over Europe, so they are kept as lines of text
 * rather than as objects, already by the entries that they are stored in.
 */
import { agentsName, entryNumber } from "./keys.ts";

export interface Agent {
  /** As the register spells it, or as it is composed from what the register says. */
  readonly authNumber: string;
  readonly legalName: string;
}

/** Value of an agents' entry: lines of entry number, number and legal name, a line feed before and after each. */
export type StoredAgents = string;

const FIRST_BUFFER_BYTES = 512;
/** UTF-8 of one UTF-16 code unit takes at most so many bytes. */
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

  /** How often {@link add} was called. */
  get size(): number {
    return this.#size;
  }

  add({ authNumber, legalName }: Agent): void {
    const line = `${oneLine(authNumber)}\t${oneLine(legalName)}\n`;
    const bucket = this.#roomFor(agentsName(entryNumber(authNumber)), line.length * MAX_BYTES_PER_CODE_UNIT);
    bucket.length += ENCODER.encodeInto(line, bucket.bytes.subarray(bucket.length)).written;
    this.#size++;
  }

  /** Name of each KV entry and its value; equal rolls give equal values, in whatever order their agents came. */
  *entries(): Generator<readonly [name: string, StoredAgents]> {
    for (const [name, { bytes, length }] of this.#buckets) {
      const lines = new TextDecoder().decode(bytes.subarray(0, length)).split("\n").slice(0, -1).sort();
      // an agent of several institutions stands in the register several times
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

/** The agents of an entry that stand under this number's entry number: perhaps another NCA's too. */
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
