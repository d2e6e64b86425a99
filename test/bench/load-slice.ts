/** What the banks of the mixed load are given, how often they do what, and what was counted. Plain data, sent between processes. */

/** Actions in a hundred. A flow and a consent are several requests each. */
export const MIX = {
  ...{ "PSP check": 70, "token information": 10, "code-to-token flow": 10, consent: 5, "hostile input": 5 },
} as const;
export type Kind = keyof typeof MIX;
export const KINDS = Object.keys(MIX) as readonly Kind[];

export interface MixTask {
  readonly url: string;
  /** The file of the contract's validators. */
  readonly contract: string;
  /** Certificates that are faulty as faultOf says, in base64. */
  readonly leaves: readonly string[];
  /** Of the sandbox: the certificate, the jurisdiction, and the whole answer in version 1. */
  readonly scenarios: readonly { readonly eidas: string; readonly jurisdiction: string; readonly answer: unknown }[];
  readonly connections: number;
  readonly seed: number;
  /** Nothing but certificates that were never seen, each in a header of 8 KB, in the place of the mix. */
  readonly largeHeaders: boolean;
}

/** What was counted in some seconds. */
export interface MixSlice {
  wrong: number;
  serverErrors: number;
  readonly firstWrong: string[];
  /** Milliseconds. */
  readonly latencies: Record<Kind, number[]>;
  readonly actions: Record<Kind, number>;
}

export const SHOWN_WRONG_ANSWERS = 10;
const ofEachKind = <Value>(make: () => Value) =>
  Object.fromEntries(KINDS.map((kind) => [kind, make()])) as Record<Kind, Value>;
export const emptySlice = (): MixSlice => ({
  ...{ wrong: 0, serverErrors: 0, firstWrong: [] },
  ...{ latencies: ofEachKind(() => []), actions: ofEachKind(() => 0) },
});
export function addSlice(to: MixSlice, other: MixSlice): void {
  to.wrong += other.wrong;
  to.serverErrors += other.serverErrors;
  to.firstWrong.push(...other.firstWrong.slice(0, SHOWN_WRONG_ANSWERS - to.firstWrong.length));
  for (const kind of KINDS) {
    to.latencies[kind] = to.latencies[kind].concat(other.latencies[kind]);
    to.actions[kind] += other.actions[kind];
  }
}
