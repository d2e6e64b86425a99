/** A register as an importer reads it from a file, ready to be stored. */
import type { AgentRoll } from "./agent-roll.ts";
import type { CategoryRecord, PspRecord, RegisterSource } from "./psp-record.ts";

/** One country's register by one source, read and valid, ready to be stored. */
export interface Register {
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
