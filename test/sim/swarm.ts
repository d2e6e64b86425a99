/** Which world a history has: another mix of faults and actors for each, since a mix of everything hides most of it. */

import { CHANGING, PSPS } from "./certificates.ts";
import { CLOCKS, type Clocks } from "./clocks.ts";
import { CLOUDFLARE, type InvocationLimits } from "./invocation.ts";
import { EBA_KINDS, EVENT_KINDS, FLOOD_KINDS, KINDS, type Kind, LIST_KINDS, RARE_KINDS } from "./kinds.ts";
import { SOURCE_FATES, type Sources } from "./network.ts";
import { CERTIFICATE_NAMES } from "./qtsp.ts";
import type { Random } from "./random.ts";
import { START } from "./seed.ts";
import { DRAWN_THEMES, THEMES, type Theme, type ThemeName } from "./themes.ts";
import { FATES, type Outage, STORES, type Store } from "./travel.ts";
import { RECEIVER_FATES, type Receivers } from "./webhook-receivers.ts";

const LOCATIONS = ["FRA", "SIN", "GRU"] as const;

/** One thing that an actor does, or a fault at an instant. `seed`: of what it draws itself. */
interface Entry {
  /** Milliseconds after the beginning. */
  readonly at: number;
  readonly kind: Kind | "an isolate dies" | "an object is reset";
  readonly seed: string;
}

export interface Swarm {
  readonly locations: readonly string[];
  readonly isolatesEach: number;
  readonly clocks: Clocks;
  readonly outages: readonly Outage[];
  readonly strayShare: number;
  readonly lostAnswers: number;
  /** Which of the banks act. */
  readonly banks: readonly number[];
  /** The share of requests whose client leaves soon. */
  readonly hangUps: number;
  /** Of a request: those of the platform, or less where it is short of something. */
  readonly limits: InvocationLimits;
  /** The share of runs of alarms in which their object is reset. */
  readonly failingAlarms: number;
  readonly accounts: number;
  /** Names of certificates. */
  readonly psps: readonly string[];
  readonly sources: Sources;
  /** Whether registers change, the cron trigger fires, and webhooks are delivered. */
  readonly events: boolean;
  /** Whether trusted lists change and are refreshed, by the cron trigger and the operator. */
  readonly lists: boolean;
  /** Whether the EBA's registers change, and are refreshed in the same way. */
  readonly eba: boolean;
  /** Of one address in five minutes. */
  readonly requestLimit: number;
  readonly activeMs: number;
  /** Whether some isolates are of the next release. */
  readonly deploying: boolean;
  readonly receivers: Receivers;
  /** The share of messages of the queue that come twice. */
  readonly sentTwice: number;
  readonly entries: readonly Entry[];
  /** Nothing fails: every lawful request succeeds. */
  readonly calm: boolean;
}

/** As wrangler.toml has it, and one that can be exceeded. */
const REQUEST_LIMIT = { usual: 15_000, flooded: 300 } as const;
const WINDOW_MS = 10_000;
/** Whether the cron trigger fires. */
export const isScheduled = ({ events, lists, eba }: Pick<Swarm, "events" | "lists" | "eba">): boolean =>
  events || lists || eba;

/** When actors and faults end, in milliseconds after the beginning: with events after what they wait for. */
const ACTIVE_MS = { usual: 180_000, events: 420_000 } as const;

const EARLY_MS = 60_000;
const EARLY_EVENTS: Theme["early"] = [
  ["watch", EARLY_MS],
  ["watch", EARLY_MS],
  ["register change", EARLY_MS],
];

/** `named`: a theme that it has in any case. */
export function drawSwarm(random: Random, named: ThemeName | null = null): Swarm {
  const calm = named === null && random.chance(0.15);
  const drawn = !calm && random.chance(0.5) ? random.pick(DRAWN_THEMES) : null;
  // by numbers of its own: what other seeds draw stays as it is
  const isOfPeople = drawn !== null && random.fork("people").chance(1 / 12);
  const theme = named === null ? (isOfPeople ? THEMES.people : drawn) : THEMES[named];
  // what one location shows and another does not yet
  const count = theme?.sources ? 2 : random.between(1, theme ? 2 : LOCATIONS.length);
  const events = theme ? theme.events : random.chance(0.35);
  const lists = theme ? theme.lists : events && random.chance(0.2);
  const eba = theme ? theme.eba : events && random.chance(0.2);
  const floods = theme?.floods ?? false;
  const isDrawn = (kind: Kind) =>
    (events || !EVENT_KINDS.includes(kind)) &&
    (lists || !LIST_KINDS.includes(kind)) &&
    (eba || !EBA_KINDS.includes(kind)) &&
    (floods || !FLOOD_KINDS.includes(kind));
  const most = (kind: Kind) => (random.chance(0.2) || !isDrawn(kind) ? 0 : RARE_KINDS.includes(kind) ? 0.07 : 1);
  const weights = theme
    ? (Object.entries(theme.kinds) as [Kind, number][])
    : KINDS.map((kind) => [kind, most(kind) * random.next()] as const);
  const acts = theme ? theme.acts : random.between(30, 60);
  const activeMs = ACTIVE_MS[isScheduled({ events, lists, eba }) || floods || theme?.sources ? "events" : "usual"];
  const draw = drawInstants(random, activeMs);
  const entries: Entry[] = [];
  const add = (kind: Entry["kind"]) => entries.push({ at: draw(), kind, seed: String(random.word()) });
  for (let i = 0; i < acts; i++) add(weighed(random, weights));
  if (!calm) {
    for (let i = random.pick([0, 0, 1, 3]); i > 0; i--) add("an isolate dies");
    // a report that is broken off is made again with the next request
    for (let i = floods ? 0 : random.pick([0, 0, 2, 6]); i > 0; i--) add("an object is reset");
  }
  for (const [kind, untilMs] of [...(events ? EARLY_EVENTS : []), ...(theme?.early ?? [])])
    entries.push({ at: random.between(0, untilMs), kind, seed: String(random.word()) });
  const stores = random.chance(0.3) ? [random.pick(["D1", "object"] as const)] : OUTAGES;
  const outages = calm
    ? []
    : Array.from({ length: random.pick(theme ? [0, theme.outages, theme.outages] : [0, 2, 4, 8]) }, () =>
        drawOutage(random, draw(), theme ?? { ...USUAL_OUTAGE, stores }),
      );
  return {
    calm,
    locations: LOCATIONS.slice(0, count),
    isolatesEach: random.between(1, 2),
    clocks: calm ? "right" : random.pick(theme?.clocks ?? CLOCKS),
    outages,
    strayShare: calm || theme ? 0 : random.pick([0, 0, 0.01, 0.04]),
    lostAnswers: calm ? 0 : random.pick([0, 0, 0.03, 0.1]),
    banks: random.pick([[0, 1], [0, 1], [0], [1]]),
    hangUps: calm ? 0 : random.pick([0, 0, 0.05, 0.15]),
    limits: {
      connections: calm ? CLOUDFLARE.connections : random.pick([1, 2, CLOUDFLARE.connections]),
      extendedMs: calm || floods ? CLOUDFLARE.extendedMs : random.pick([500, 3_000, CLOUDFLARE.extendedMs]),
    },
    failingAlarms: calm || floods ? 0 : random.pick([0, 0, 0.5, 1]),
    accounts: theme ? 1 : random.between(1, 4),
    psps: drawPsps(random, events, theme),
    sources: {
      ...drawFates(random, calm, SOURCE_FATES, theme?.sources ?? null),
      // an older one that still lasts may contradict a newer one
      lastsTimes: theme?.sources ? random.pick([1, 3, 6]) : 1,
    },
    events,
    lists,
    eba,
    requestLimit: REQUEST_LIMIT[floods ? "flooded" : "usual"],
    activeMs,
    deploying: random.chance(0.2),
    receivers: drawFates(random, calm, RECEIVER_FATES),
    sentTwice: calm ? 0 : random.pick([0, 0.1, 0.3]),
    entries: entries.sort((a, b) => a.at - b.at),
  };
}

/**
 * Milliseconds after the beginning: of some histories most lie in a few windows of seconds, where acts meet each other and an
 * outage.
 */
function drawInstants(random: Random, activeMs: number): () => number {
  const windows = Array.from({ length: random.pick([0, 0, 1, 3]) }, () => random.between(0, activeMs - WINDOW_MS));
  return () =>
    windows.length > 0 && random.chance(0.7)
      ? random.pick(windows) + random.between(0, WINDOW_MS)
      : random.between(0, activeMs);
}

function weighed(random: Random, weights: readonly (readonly [Kind, number])[]): Kind {
  const sum = weights.reduce((total, [, weight]) => total + weight, 0);
  let left = random.next() * sum;
  for (const [kind, weight] of weights) {
    left -= weight;
    if (left < 0) return kind;
  }
  return "core grant";
}

/** D1 and the objects decide what a code gives: most outages are theirs. */
const OUTAGES: readonly Store[] = ["D1", "D1", "object", "object", ...STORES];

const USUAL_OUTAGE = { fates: FATES, shares: [0.5, 0.8, 1], outageMs: { from: 2_000, to: 20_000 } } as const;

type OutageForm = Pick<Theme, "stores" | "fates" | "shares" | "outageMs">;

function drawOutage(random: Random, at: number, { stores, fates, shares, outageMs }: OutageForm): Outage {
  const from = START + at;
  const some = fates.filter(() => random.chance(0.5));
  return {
    store: random.pick(stores),
    location: random.chance(0.7) ? null : random.pick(LOCATIONS),
    from,
    until: from + random.between(outageMs.from, outageMs.to),
    fates: some.length === 0 ? fates : some,
    share: random.pick(shares),
    ofWrites: random.chance(0.5),
  };
}

/** In some histories most of them by the QTSP that is asked over the network. */
function drawPsps(random: Random, events: boolean, theme: Theme | null): string[] {
  if (theme?.psps) return Array.from({ length: random.between(1, 2) }, () => random.pick(theme.psps ?? []));
  const asked = CERTIFICATE_NAMES.filter(() => random.chance(0.5));
  const cleared = asked.length > 0 && random.chance(0.5) ? [random.pick(PSPS)] : PSPS;
  return [...cleared, ...asked, ...(events ? CHANGING : [])];
}

/** Of what answers from outside. */
function drawFates<Each>(random: Random, calm: boolean, all: readonly Each[], wanted: readonly Each[] | null = null) {
  const share = random.pick(wanted ? [0.3, 0.5, 0.7] : [0, 0.1, 0.3, 0.7]);
  const from = wanted ?? all;
  const fates = from.filter(() => random.chance(0.5));
  return { share: calm ? 0 : share, fates: fates.length === 0 ? from : fates };
}
