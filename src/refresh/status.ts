/** The loaded data of each source, its age and last error: for the `status` command, GET /status and GET /health. */

import type { LastChange } from "../platform/import-change.ts";
import type { Instant } from "../platform/instant.ts";
import { findHoles, type RegisterHole } from "../registers/holes.ts";
import {
  isRegisterStale,
  listRegisters,
  type RegisterManifest,
  type RegisterMaxAgeVars,
  registerMaxAges,
} from "../registers/manifest.ts";
import { FETCHED_REGISTERS, type RegisterSource, SOURCES } from "../registers/sources.ts";
import { type KeptCrls, summariseCrls } from "../revocation/revocation-store.ts";
import { isStale, listTrustLists, type TrustListManifest } from "../trust/anchors.ts";
import {
  describeFall,
  findReasons,
  findSchemaReason,
  type Reason,
  type RefreshStatus,
  type SourceStatus,
} from "./reasons.ts";
import { type Refresh, readOperation } from "./refreshes.ts";
import { CRL_TASK, isScheduled, registerTask, trustTask } from "./schedule.ts";

interface TrustedListStatus extends SourceStatus {
  readonly sequenceNumber: number | null;
  readonly services: number;
  /** Number of certificates of CA/QC services. */
  readonly anchors: number;
}

interface RegisterStatus extends SourceStatus {
  readonly snapshot: string | null;
  readonly psps: number;
  readonly agents: number;
  /** Number of PSPs whose records are malformed; their records of an earlier snapshot are kept. */
  readonly refused: number;
  /** The numbers of the first PSPs whose records of an earlier snapshot are kept. */
  readonly kept: readonly string[];
  /** The numbers of the first PSPs with a category that was withdrawn, it cannot be read when: it entitles to nothing. */
  readonly undated: readonly string[];
  /** The numbers of the first PSPs that the last fetch lacks, and that stay until a second one agrees. */
  readonly awaited: readonly string[];
  /** What `published` is; null if nothing is loaded. */
  readonly dated: "publication" | "fetch" | null;
}

export interface Status {
  readonly status: "up" | "degraded";
  readonly reasons: readonly Reason[];
  readonly trustedLists: readonly TrustedListStatus[];
  readonly registers: readonly RegisterStatus[];
  /** Countries where many PSPs with good certificates were not found. No reason: what is loaded is as it should be. */
  readonly holes: readonly RegisterHole[];
  readonly crls: KeptCrls & { readonly refresh: RefreshStatus | null };
}

type StatusStores = Pick<Env, "KV" | "DB"> & RegisterMaxAgeVars;

export const readStatus = async (env: StatusStores, now: Instant): Promise<Status> =>
  (await readSources(env, now)).status;

/** By {@link sourceKey}, of each loaded list and register. */
export interface SourceNotes {
  readonly changes: ReadonlyMap<string, LastChange>;
  /** What cannot be used of a list, one sentence each. */
  readonly skipped: ReadonlyMap<string, readonly string[]>;
  /** What is odd about a list that is used, one sentence each. */
  readonly remarks: ReadonlyMap<string, readonly string[]>;
}

/** The status, and what only operators are told. As {@link readStatus}. */
export async function readSources(env: StatusStores, now: Instant): Promise<{ readonly status: Status } & SourceNotes> {
  const [lists, registers, crls, { refreshes, damage, schema, pspCounts }] = await Promise.all([
    listTrustLists(env.KV),
    listRegisters(env.KV),
    summariseCrls(env.KV, now),
    readOperation(env.DB, now),
  ]);
  const byTask = new Map(refreshes.map((refresh) => [refresh.task, describeRefresh(refresh)]));
  const maxAges = registerMaxAges(env);
  const trustedLists = [...lists.map((list) => loadedList(list, byTask, now)), ...missingLists(lists, byTask)];
  const registerStatuses = registers.map((register) =>
    loadedRegister(register, byTask, isRegisterStale(register, maxAges, now)),
  );
  const missing = FETCHED_REGISTERS.filter((each) => !registers.some(({ source }) => source === each));
  // by due time
  const waiting = refreshes.find(({ task }) => isScheduled(task)) ?? null;
  const reasons = [...findSchemaReason(schema), ...findReasons(trustedLists, registerStatuses, waiting, damage, now)];
  const status = {
    status: reasons.length === 0 ? ("up" as const) : ("degraded" as const),
    reasons,
    trustedLists,
    registers: [...registerStatuses, ...missing.flatMap((source) => missingRegister(source, byTask))],
    holes: findHoles(pspCounts, registers),
    crls: { ...crls, refresh: byTask.get(CRL_TASK) ?? null },
  };
  const sources = [...lists, ...registers.map((register) => ({ ...register, jurisdiction: register.country }))];
  const changed = sources.flatMap((one) => (one.lastChange ? [[sourceKey(one), one.lastChange] as const] : []));
  const skipped = lists.flatMap((list) => (list.skipped ? [[sourceKey(list), list.skipped] as const] : []));
  const remarks = lists.map((list) => [sourceKey(list), listRemarks(list)] as const);
  return { status, changes: new Map(changed), skipped: new Map(skipped), remarks: new Map(remarks) };
}

const listRemarks = ({ remarks = [], fellFrom }: TrustListManifest): string[] => [
  ...(fellFrom === undefined ? [] : [describeFall(fellFrom)]),
  ...remarks,
];

export const sourceKey = ({ source, jurisdiction }: Pick<SourceStatus, "source" | "jurisdiction">): string =>
  `${source}/${jurisdiction}`;

type RefreshesByTask = ReadonlyMap<string, RefreshStatus>;

const loadedList = (list: TrustListManifest, refreshes: RefreshesByTask, now: Instant): TrustedListStatus => ({
  source: list.source,
  jurisdiction: list.jurisdiction,
  loaded: true,
  sequenceNumber: list.sequenceNumber,
  published: list.issuedAt,
  fetchedAt: list.fetchedAt,
  nextUpdate: list.nextUpdate,
  services: list.services,
  anchors: list.anchors,
  stale: isStale(list, now),
  refresh: refreshes.get(trustTask(list.source, list.jurisdiction)) ?? null,
});

const NOT_LOADED = { loaded: false, published: null, fetchedAt: null, nextUpdate: null, stale: false } as const;

/** Lists that have a refresh task but are not loaded: refused, or not yet fetched. */
function missingLists(lists: readonly TrustListManifest[], refreshes: RefreshesByTask): TrustedListStatus[] {
  const loaded = new Set(lists.map(({ source, jurisdiction }) => trustTask(source, jurisdiction)));
  return [...refreshes].flatMap(([task, refresh]) => {
    const [kind, source = "", jurisdiction = ""] = task.split("/");
    if (kind !== "trust" || loaded.has(task)) return [];
    return [{ source, jurisdiction, ...NOT_LOADED, sequenceNumber: null, services: 0, anchors: 0, refresh }];
  });
}

const loadedRegister = (
  { source, country, published, fetchedAt, psps, agents, refused, hash, ...more }: RegisterManifest,
  refreshes: RefreshesByTask,
  stale: boolean,
): RegisterStatus => ({
  ...{ source, published, fetchedAt, psps, agents, refused },
  ...{ kept: more.kept ?? [], undated: more.undated ?? [], awaited: more.awaited ?? [] },
  dated: more.dated ?? "publication",
  jurisdiction: country,
  loaded: true,
  snapshot: hash,
  nextUpdate: null,
  stale,
  refresh: refreshes.get(registerTask(source, isOfOneCountry(source, more.newestRecord) ? country : null)) ?? null,
});

/** Of the files of all countries each says which record is the newest. */
const isOfOneCountry = (source: RegisterSource, newestRecord: string | undefined): boolean =>
  SOURCES[source].ownForm && newestRecord === undefined;

/** Of all countries; none if it has no refresh task. */
function missingRegister(source: RegisterSource, refreshes: RefreshesByTask): RegisterStatus[] {
  const refresh = refreshes.get(registerTask(source, null));
  if (!refresh) return [];
  const none = { snapshot: null, psps: 0, agents: 0, refused: 0, kept: [], undated: [], awaited: [], dated: null };
  return [{ source, jurisdiction: null, ...NOT_LOADED, ...none, refresh }];
}

const describeRefresh = ({
  checkedAt,
  dueAt,
  failures,
  failedAt,
  error,
  refusedAt,
  refusal,
}: Refresh): RefreshStatus => ({
  checkedAt: checkedAt === null ? null : iso(checkedAt),
  nextCheck: iso(dueAt),
  failures,
  lastError: failedAt === null || error === null ? null : { at: iso(failedAt), message: error },
  refusedImport: refusedAt === null || refusal === null ? null : { at: iso(refusedAt), message: refusal },
});

const iso = (time: Instant): string => new Date(time).toISOString();
