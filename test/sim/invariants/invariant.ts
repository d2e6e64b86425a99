/** What is promised, and looked at in every history. */
import type { Facts } from "../facts.ts";
import type { Exchange } from "../requests.ts";
import type { Store } from "../travel.ts";
import type { World } from "../world.ts";

export interface Judged {
  readonly world: World;
  readonly facts: Facts;
  /** Throws nothing: what is broken is told. */
  readonly broken: (promise: string, how: string) => void;
  /** The promise had something to say. */
  readonly occurred: (promise: string) => void;
}

export interface Invariant {
  /** As a failure calls it. */
  readonly name: string;
  /** After each step of a store. */
  readonly onStep?: (judged: Judged, store: Store) => void;
  /** When a client has its answer, or knows that none comes. */
  readonly onAnswer?: (judged: Judged, exchange: Exchange) => void;
  /** When all is quiet, and faults have ended. */
  readonly atEnd?: (judged: Judged) => Promise<void>;
  /** So long after the beginning `atEnd` has to be done; an hour without it. */
  readonly patienceMs?: number;
}
