/** `status` for people: what is wrong first, then the sources as tables, then the root of trust. */

import { type CopyFault, findCopyFaults } from "../../institutions/institution-placement.ts";
import { relativeTime } from "../../platform/clock.ts";
import type { Instant } from "../../platform/instant.ts";
import { callStore } from "../../platform/stores.ts";
import { readListOfLists } from "../../refresh/published-list.ts";
import {
  describeAwaited,
  describeFailures,
  describeRefused,
  describeUndated,
  type SourceStatus,
} from "../../refresh/reasons.ts";
import { type RootOfTrust, readRootOfTrust } from "../../refresh/root-of-trust.ts";
import { isFetched } from "../../refresh/schedule.ts";
import { readSources as readSourceStatus, type Status, sourceKey } from "../../refresh/status.ts";
import { type DatabaseReading, drawDatabases, readDatabases } from "../database/database.ts";
import { drawTable, grouped, type Style } from "../output.ts";
import {
  countDeliveries,
  cureOf,
  type DeliveryCounts,
  describeFailing,
  describeRotating,
  type FailingWebhook,
  MOST_NAMED,
  needsCare,
} from "../webhook/reading.ts";

export interface ShownStatus extends Status {
  /** `skipped`: what cannot be used of the list, one sentence each; `remarks`: what is odd about it, though it is used. */
  readonly trustedLists: readonly (Status["trustedLists"][number] & {
    readonly skipped: readonly string[];
    readonly remarks: readonly string[];
  })[];
  readonly version: string;
  readonly rootOfTrust: RootOfTrust;
  readonly databases: readonly DatabaseReading[];
  readonly copyFaults: readonly CopyFault[];
  readonly deliveries: DeliveryCounts;
  /** Of the configuration. */
  readonly warnings: readonly string[];
}

export function describeStatus(status: ShownStatus, now: Instant, style: Style): string {
  const {
    version,
    reasons,
    trustedLists,
    registers,
    holes,
    crls,
    rootOfTrust,
    warnings,
    databases,
    copyFaults,
    deliveries,
  } = status;
  const head = status.status === "up" ? style.good("✓ up") : style.bad("✗ degraded");
  const crlRefresh = crls.refresh ? `, checked ${relativeTime(crls.refresh.checkedAt, now)}` : "";
  const crlEnd = crls.nextUpdate === null ? "" : `, the first ends ${relativeTime(crls.nextUpdate, now)}`;
  return [
    `${head}   psp-gate ${version}`,
    ...reasons.map(({ code, message }) => `  ${style.bad("✗")} ${message} ${style.faint(`(${code})`)}`),
    ...warnings.map((warning) => `  ${style.doubtful("!")} ${warning}`),
    ...copyFaults.map((fault) => `  ${style.bad("✗")} ${describeCopyFault(fault)}`),
    ...section("Databases", style, [drawDatabases(databases, style)]),
    ...section("Trusted lists", style, [
      drawSources(trustedLists, ["number", "anchors"], (list) => [list.sequenceNumber, list.anchors], now, style),
      ...trustedLists.flatMap(({ source, jurisdiction, skipped, remarks }) =>
        [...remarks, ...skipped.map((sentence) => `not used: ${sentence}`)].map(
          (sentence) => `  ${style.doubtful("!")} ${source} ${jurisdiction}: ${sentence}`,
        ),
      ),
    ]),
    ...section("Registers", style, [
      drawSources(
        registers,
        ["PSPs", "agents", "unreadable"],
        (one) => [one.psps, one.agents, one.refused],
        now,
        style,
      ),
      ...registers
        .filter(({ refused }) => refused > 0)
        .map((one) => `  ${style.doubtful("!")} ${one.source} ${one.jurisdiction}: ${describeRefused(one)}`),
      ...registers
        .filter(({ undated }) => undated.length > 0)
        .map((one) => `  ${style.doubtful("!")} ${one.source} ${one.jurisdiction}: ${describeUndated(one.undated)}`),
      ...holes.map(({ message }) => `  ${style.doubtful("!")} ${message}`),
      ...registers
        .filter(({ awaited }) => awaited.length > 0)
        .map((one) => `  ${style.doubtful("!")} ${one.source} ${one.jurisdiction}: ${describeAwaited(one.awaited)}`),
    ]),
    ...section("Kept CRLs", style, [`  ${grouped(crls.loaded)} loaded${crlEnd}${crlRefresh}`]),
    ...section("Webhooks", style, [
      `  ${describeDeliveries(deliveries, style)}`,
      ...drawFailing(deliveries.failing, now, style),
      ...deliveries.rotating.map((webhook) => `  ${style.doubtful("!")} ${describeRotating(webhook, now)}`),
    ]),
    ...section("Root of trust", style, describeRoot(rootOfTrust, now, style)),
  ].join("\n");
}

/** For `status` and `doctor`. */
export function describeCopyFault({ fi_reference_id, binding, fault }: CopyFault): string {
  switch (fault) {
    case "no binding":
      return `${fi_reference_id} is placed in ${binding}, which this deployment does not have: its requests get 503`;
    case "missing":
      return `${fi_reference_id} has no row in its database ${binding}: it gets no token and no consent`;
    case "different":
      return `${fi_reference_id} is in ${binding} other than in the first database, which counts`;
    case "orphaned":
      return `${binding} has a row of ${fi_reference_id}, which is not placed there`;
  }
}

function describeDeliveries({ queue, webhooks, disabled, pending, dead }: DeliveryCounts, style: Style): string {
  const way = queue ? "" : "; there is no queue: the scheduled run makes the deliveries";
  const ended = disabled === 0 ? "" : style.bad(`, ${grouped(disabled)} of them disabled (410)`);
  const given = dead === 0 ? "" : style.bad(`, ${grouped(dead)} given up`);
  return `${grouped(webhooks)}${ended}; ${grouped(pending)} deliveries pending${given}${way}`;
}

const drawFailing = (failing: readonly FailingWebhook[], now: Instant, style: Style): string[] => [
  ...failing
    .slice(0, MOST_NAMED)
    .flatMap((webhook) => [
      `  ${needsCare(webhook, now) ? style.bad("✗") : style.doubtful("!")} ${describeFailing(webhook, now)}`,
      `    → ${cureOf(webhook, (words) => words)}`,
    ]),
  ...(failing.length > MOST_NAMED ? [`  ${style.bad("✗")} and ${failing.length - MOST_NAMED} more`] : []),
];

const section = (title: string, style: Style, lines: readonly string[]): string[] => [
  "",
  style.strong(title),
  ...lines,
];

function drawSources<Source extends SourceStatus>(
  sources: readonly Source[],
  counted: readonly string[],
  countsOf: (source: Source) => readonly (number | null)[],
  now: Instant,
  style: Style,
): string {
  if (sources.length === 0) return `  ${style.bad("none")}`;
  const rows = sources.map((source) => [
    `  ${source.source}`,
    source.jurisdiction ?? "",
    standing(source, style),
    ...countsOf(source).map((count) => (count === null ? "" : grouped(count))),
    source.published === null
      ? ""
      : `${relativeTime(source.published, now)}${source.dated === "fetch" ? " (fetch)" : ""}`,
    source.nextUpdate === null ? "" : relativeTime(source.nextUpdate, now),
    source.refresh === null ? "" : relativeTime(source.refresh.checkedAt, now),
    isFetched(source.source) && source.refresh ? relativeTime(source.refresh.nextCheck, now) : "by hand",
  ]);
  const head = ["  source", "for", "", ...counted, "published", "next update", "checked", "next check"];
  return [drawTable(head, rows, style), ...sources.flatMap((source) => problemsOf(source, now, style))].join("\n");
}

function standing({ loaded, stale, refresh }: SourceStatus, style: Style): string {
  if (!loaded) return style.bad("✗ not loaded");
  if (stale) return style.bad("✗ stale");
  return refresh !== null && refresh.failures > 0 ? style.doubtful("! loaded") : style.good("✓ loaded");
}

function problemsOf({ source, jurisdiction, refresh }: SourceStatus, now: Instant, style: Style): string[] {
  const name = [source, jurisdiction].filter(Boolean).join(" ");
  const { lastError = null, refusedImport = null, failures = 0 } = refresh ?? {};
  return [
    ...(lastError === null
      ? []
      : [
          `  ${style.doubtful("!")} ${name}: ${describeFailures(failures)} ${relativeTime(lastError.at, now)}: ${lastError.message}`,
        ]),
    ...(refusedImport === null
      ? []
      : [
          `  ${style.doubtful("!")} ${name}: an import by hand was refused ${relativeTime(refusedImport.at, now)}: ${refusedImport.message}`,
        ]),
  ];
}

function describeRoot({ signers, listOfLists, announced, advice }: RootOfTrust, now: Instant, style: Style): string[] {
  const drawn = (list: RootOfTrust["signers"]) =>
    list.map(({ subject, validUntil, sha256 }) => {
      const ended = Date.parse(validUntil) < now;
      const until = `until ${validUntil.slice(0, 10)} (${relativeTime(validUntil, now)})`;
      return `    ${shorten(subject)}, ${ended ? style.faint(until) : until}, ${style.faint(`SHA-256 ${sha256.slice(0, 16)}…`)}`;
    });
  const heading = (text: string) => `  ${announced.length === 0 ? text : style.doubtful(text)}`;
  return [
    `  list of lists: ${listOfLists === null ? "none loaded" : `number ${listOfLists}`}`,
    `  pinned signers, one of which must have signed it (src/trust/lists/pinned-signers.ts):`,
    ...drawn(signers),
    heading(`signers that it announces and that are not pinned: ${countAnnounced(listOfLists, announced)}`),
    ...drawn(announced),
    ...(advice === null ? [] : [`  ${style.doubtful("!")} ${advice}`]),
  ];
}

/** What is not loaded announces nothing, and denies nothing. */
const countAnnounced = (listOfLists: number | null, { length }: RootOfTrust["announced"]): string =>
  listOfLists === null ? "unknown" : length === 0 ? "none" : `${length}`;

/** The common name, else the name as it is. */
const shorten = (subject: string): string => /(?:^|[,+])CN=((?:\\.|[^,+\\])+)/.exec(subject)?.[1] ?? subject;

/** Throws StoreError. */
export async function readSources(env: Env, now: Instant) {
  const [{ status, skipped, remarks }, databases, copies, listOfLists, deliveries] = await Promise.all([
    readSourceStatus(env, now),
    callStore("D1", () => readDatabases(env, now)),
    findCopyFaults(env),
    callStore("KV", () => readListOfLists(env.KV)),
    countDeliveries(env),
  ]);
  return {
    ...status,
    trustedLists: status.trustedLists.map((list) => ({
      ...list,
      skipped: skipped.get(sourceKey(list)) ?? [],
      remarks: remarks.get(sourceKey(list)) ?? [],
    })),
    databases,
    copyFaults: copies.faults,
    deliveries,
    rootOfTrust: readRootOfTrust(listOfLists, now, { fetchedFrom: env.LOTL_URL }),
  };
}
