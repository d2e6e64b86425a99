/**
 * What each operation waits for. `test/worker/costs/round-trips.test.ts` counts it in workerd and holds it against this table;
 * `npm run paper` lays it over distances.
 */

/** By its binding. Several reads of KV at once are one. */
export type Store = "DB" | "KV" | "AUTHORIZATION_CODE";

/** Stores that are asked at once, then those that are asked when they have answered. */
export type Rounds = readonly (readonly Store[])[];

/**
 * What the isolate knows: caller and PSP (`warm`), the caller only (`unread`), neither (`cold`), or neither while no
 * store is read ahead of the caller's authentication.
 */
export const STATES = ["warm", "unread", "cold", "withoutReadAhead"] as const;
export type State = (typeof STATES)[number];

const [DB, KV, CODE] = ["DB", "KV", "AUTHORIZATION_CODE"] as const;

export const OPERATIONS = {
  check: "PSP check",
  checkAbroad: "PSP check, home and host register",
  code: "authorization code",
  redemption: "code redemption",
  ccgToken: "CCG token",
  consent: "consent",
  consentInformation: "consent information",
  obieCode: "code under a consent",
  obieRedemption: "redemption under a consent",
  tokenInformation: "token information",
  tokenList: "token list",
  introspection: "introspection",
} as const;
export type Operation = keyof typeof OPERATIONS;

export const ROUNDS: Record<Operation, Record<State, Rounds>> = {
  check: { warm: [], unread: [[KV]], cold: [[DB, KV]], withoutReadAhead: [[DB], [KV]] },
  checkAbroad: { warm: [], unread: [[KV]], cold: [[DB, KV]], withoutReadAhead: [[DB], [KV]] },
  code: {
    warm: [[CODE, DB]],
    unread: [[KV], [CODE, DB]],
    cold: [
      [DB, KV],
      [CODE, DB],
    ],
    withoutReadAhead: [[DB], [KV], [CODE, DB]],
  },
  redemption: {
    warm: [[CODE], [DB]],
    unread: [[KV], [CODE], [DB]],
    cold: [[DB, KV], [CODE], [DB]],
    withoutReadAhead: [[DB], [KV], [CODE], [DB]],
  },
  ccgToken: { warm: [], unread: [[KV]], cold: [[DB], [KV]], withoutReadAhead: [[DB], [KV]] },
  consent: { warm: [[DB]], unread: [[KV], [DB]], cold: [[DB, KV], [DB]], withoutReadAhead: [[DB], [KV], [DB]] },
  consentInformation: {
    warm: [[DB]],
    unread: [[DB, KV]],
    cold: [[DB, KV], [DB]],
    withoutReadAhead: [[DB], [DB, KV]],
  },
  obieCode: {
    warm: [[DB], [CODE]],
    unread: [[KV], [DB], [CODE]],
    cold: [[DB, KV], [DB], [CODE]],
    withoutReadAhead: [[DB], [KV], [DB], [CODE]],
  },
  obieRedemption: {
    warm: [[CODE], [DB]],
    unread: [[KV], [CODE], [DB]],
    cold: [[DB, KV], [CODE], [DB]],
    withoutReadAhead: [[DB], [KV], [CODE], [DB]],
  },
  tokenInformation: {
    warm: [[DB]],
    unread: [[DB, KV]],
    cold: [[DB, KV], [DB]],
    withoutReadAhead: [[DB], [DB, KV]],
  },
  tokenList: { warm: [[DB]], unread: [[DB]], cold: [[DB], [DB]], withoutReadAhead: [[DB], [DB]] },
  introspection: { warm: [[DB]], unread: [[DB, KV]], cold: [[DB, KV], [DB]], withoutReadAhead: [[DB], [DB, KV]] },
};
