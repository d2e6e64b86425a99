/** A register as KV entries: one per PSP, and a fixed number of entries that the agents share. */
import { agentsName, normaliseNumber, pspName } from "./keys.ts";
import type { Agent, PspRecord, Register } from "./psp-record.ts";

/** Value of a PSP's entry: mostly one; several when numbers differ in nothing but blanks, dashes or case. */
export type StoredPsps = readonly PspRecord[];

/** Value of an agents' entry: normalised number -> [number, legal name] of each agent that bears it. */
export type StoredAgents = Readonly<Record<string, readonly (readonly [string, string])[]>>;

/** Name -> JSON of every entry of the register. Equal registers give equal texts, in whatever order they came. */
export function registerEntries(register: Pick<Register, "psps" | "agents">): Map<string, string> {
  const entries = new Map<string, string>();
  const psps = [...register.psps].sort((a, b) => compare(a.authNumber, b.authNumber));
  for (const [normalised, stored] of Map.groupBy(psps, (psp) => normaliseNumber(psp.authNumber))) {
    entries.set(pspName(normalised), JSON.stringify(stored satisfies StoredPsps));
  }
  const agents = distinctAgents(register.agents).map((agent) => ({
    agent,
    normalised: normaliseNumber(agent.authNumber),
  }));
  for (const [name, bucket] of Map.groupBy(agents, ({ normalised }) => agentsName(normalised))) {
    const stored: Record<string, [string, string][]> = {};
    for (const { agent, normalised } of bucket) {
      stored[normalised] = [...(stored[normalised] ?? []), [agent.authNumber, agent.legalName]];
    }
    entries.set(name, JSON.stringify(stored satisfies StoredAgents));
  }
  return entries;
}

/** An agent of several institutions stands in the register several times, and once here: under its first name. */
function distinctAgents(agents: Iterable<Agent>): Agent[] {
  const sorted = [...agents].sort((a, b) => compare(a.authNumber, b.authNumber) || compare(a.legalName, b.legalName));
  return sorted.filter((agent, i) => agent.authNumber !== sorted[i - 1]?.authNumber);
}

/** By code unit: the same on every machine, whatever its language. */
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
