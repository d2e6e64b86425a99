/**
 * Half of the histories have a theme: a few kinds of acts, on one account, and the trouble that they are written against. In a
 * mix of everything these meet too seldom.
 */

import { BY_BANKS, BY_EBA } from "./certificates.ts";
import type { Clocks } from "./clocks.ts";
import type { Kind } from "./kinds.ts";
import type { SourceFate } from "./network.ts";
import { CERTIFICATE_NAMES } from "./qtsp.ts";
import type { Fate, Store } from "./travel.ts";

export interface Theme {
  /** With their weights. */
  readonly kinds: Partial<Readonly<Record<Kind, number>>>;
  readonly acts: number;
  /** What is done in its first seconds besides, and in how many milliseconds. */
  readonly early: readonly (readonly [kind: Kind, untilMs: number])[];
  /** Of its outages. */
  readonly stores: readonly Store[];
  readonly fates: readonly Fate[];
  readonly outages: number;
  /** Of calls meanwhile. */
  readonly shares: readonly number[];
  readonly outageMs: { readonly from: number; readonly to: number };
  /** Names of certificates, of which one or two act; null: any. */
  readonly psps: readonly string[] | null;
  /** Null: any. */
  readonly sources: readonly SourceFate[] | null;
  readonly events: boolean;
  readonly clocks: readonly Clocks[];
  readonly lists: boolean;
  /** Whether the EBA publishes. */
  readonly eba: boolean;
  /** Whether an address sends too much. */
  readonly floods: boolean;
}

/** Short: what comes after a late call finds the store well again. */
const USUAL = {
  ...{ outages: 12, shares: [0.2, 0.4, 0.8], outageMs: { from: 500, to: 6_000 } },
  ...{ early: [], psps: null, sources: null, events: false, lists: false, eba: false, floods: false },
  // where they differ by much, less is promised
  clocks: ["right", "close", "close", "seconds"],
} as const satisfies Partial<Theme>;

/** Isolates that have heard nothing yet are asked at once: one hears of a revocation, another is answered as before it. */
const FIRST_ASKED: Theme["early"] = [
  ["revocation of a certificate", 5_000],
  ["revocation of a certificate", 10_000],
  ...Array.from({ length: 12 }, () => ["PSP check", 20_000] as const),
];

export const THEMES = {
  // what ends and allows comes late, when its opposite has been answered
  late: {
    ...USUAL,
    kinds: { block: 4, "core grant": 2, "withdrawal of all": 2, introspection: 2, "revocation of a token": 1 },
    ...{ acts: 24, stores: ["D1"], fates: ["late"] },
  },
  // a customer agrees, regrets, and agrees again
  regret: {
    ...USUAL,
    kinds: {
      ...{ "core grant": 6, "consent grant": 2, "withdrawal of all": 3, introspection: 4 },
      ...{ "list of permissions": 2, "deletion of a consent": 1 },
    },
    ...{ acts: 30, stores: ["D1"], fates: ["late", "mute"] },
  },
  // redemptions whose attempts overtake each other
  redemptions: {
    ...USUAL,
    kinds: { "core grant": 6, "payment grant": 1, introspection: 1 },
    ...{ acts: 30, stores: ["object", "object", "D1"], fates: ["late", "late", "mute", "unanswered"] },
  },
  // two officers
  officers: {
    ...USUAL,
    kinds: { "status of an institution": 1 },
    ...{ acts: 12, stores: ["D1"], fates: ["late"] },
  },
  // what a QTSP says, again and again
  QTSPs: {
    ...USUAL,
    kinds: { "PSP check": 16, "revocation of a certificate": 1 },
    ...{ acts: 70, early: FIRST_ASKED, stores: ["KV"], fates: ["refused"], outages: 1 },
    ...{ psps: CERTIFICATE_NAMES, sources: ["older", "older", "older", "unknown", "error"] },
  },
  // a revocation is heard once, and long after it has ended old answers come to isolates that were not there
  silence: {
    ...USUAL,
    kinds: { "PSP check": 1 },
    ...{ acts: 6, early: [["revocation of a certificate", 15_000], ...Array(3).fill(["PSP check", 60_000])] },
    ...{ stores: ["KV"], fates: ["refused"], outages: 0, psps: CERTIFICATE_NAMES, sources: ["older"] },
    clocks: ["right", "close"],
  },
  // events that follow each other closely
  events: {
    ...USUAL,
    kinds: { "register change": 3, watch: 1, "PSP check": 1 },
    ...{ acts: 16, stores: ["D1", "D1", "queue"], fates: ["late", "mute", "unanswered"], events: true },
    ...{ outages: 8, outageMs: { from: 2_000, to: 20_000 } },
    // by one that is ahead a run's lease has ended
    clocks: ["close", "seconds", "hour"],
  },
  // news of revoked certificates, for banks that have granted their PSPs something
  news: {
    ...USUAL,
    kinds: { "core grant": 4, "PSP check": 8, "revocation of a certificate": 2 },
    ...{ acts: 50, stores: ["D1"], fates: ["late", "mute", "unanswered"], events: true, psps: CERTIFICATE_NAMES },
    // a run writes much before it tells of anything
    ...{ outages: 24, shares: [0.1, 0.2], outageMs: { from: 5_000, to: 20_000 } },
  },
  // a publisher of trusted lists grants and withdraws, and somebody forges
  lists: {
    ...USUAL,
    kinds: { "PSP check": 10, "change of lists": 4, "refresh of lists": 8 },
    ...{ acts: 60, stores: ["KV", "D1"], fates: ["refused", "unanswered"], outages: 2, lists: true },
    ...{ psps: CERTIFICATE_NAMES, sources: ["older", "older", "forged", "forged", "broken", "silent", "error"] },
  },
  // the EBA withdraws and gives authorisations, and a cache has older files
  EBA: {
    ...USUAL,
    kinds: { "PSP check": 10, watch: 1, "publication by the EBA": 1, "refresh of the EBA's register": 6 },
    ...{ acts: 50, stores: ["KV", "D1"], fates: ["refused", "unanswered"], outages: 2, eba: true, events: true },
    early: Array(3).fill(["publication by the EBA", 90_000]),
    ...{ psps: [BY_EBA, BY_BANKS], sources: ["older", "older", "older", "forged", "error"] },
  },
  // what isolates hear of each other
  floods: {
    ...USUAL,
    kinds: { flood: 8, "core grant": 1 },
    ...{ acts: 26, stores: ["object"], fates: ["refused", "unanswered", "late"], outages: 2, floods: true },
    clocks: ["right", "close"],
  },
  // sessions that somebody ends
  people: {
    ...USUAL,
    kinds: { "end of sessions": 1 },
    ...{ acts: 8, stores: ["D1"], fates: ["late", "mute", "unanswered"], outages: 8 },
  },
} as const satisfies Readonly<Record<string, Theme>>;

/** Of which a history without a named one may have one; that of people is drawn apart from them (swarm.ts). */
export const DRAWN_THEMES: readonly Theme[] = Object.values<Theme>(THEMES).filter((theme) => theme !== THEMES.people);

export type ThemeName = keyof typeof THEMES;

/** Of a command's option: undefined is none. */
export function readTheme(name: string | undefined): ThemeName | null {
  if (name === undefined) return null;
  const found = (Object.keys(THEMES) as ThemeName[]).find((each) => each === name);
  if (!found) throw new Error(`--theme ${name}: there are ${Object.keys(THEMES).join(", ")}`);
  return found;
}
