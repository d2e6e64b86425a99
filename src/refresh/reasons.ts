/** Why the service is degraded: each reason with a stable code and a sentence. Pure. */
import type { KnownDamage } from "../evidence/ledger/damage.ts";
import type { Instant } from "../platform/instant.ts";
import { SCHEMA_NEWER_TEXT, WRITES_REFUSED_TEXT } from "../platform/schema-version.ts";
import { MOST_NAMED } from "../registers/manifest.ts";
import { countsUntil, LIST_OF_LISTS, TRUSTED_LIST_SOURCE } from "../trust/anchors.ts";

type ReasonCode =
  | "no_trusted_list"
  | "no_register"
  | "trusted_list_stale"
  | "register_stale"
  | "trusted_list_failing"
  | "register_failing"
  | "register_incomplete"
  | "refresh_overdue"
  | "records_damaged"
  | "schema_newer";

export interface Reason {
  readonly code: ReasonCode;
  readonly message: string;
  /** Null if nothing is loaded. */
  readonly source: string | null;
  readonly jurisdiction: string | null;
}

/** Of the first database: it is migrated before all others. */
export const findSchemaReason = (schema: { readonly newer: boolean; readonly writesRefused: boolean }): Reason[] =>
  schema.newer ? [nothing("schema_newer", schema.writesRefused ? WRITES_REFUSED_TEXT : SCHEMA_NEWER_TEXT)] : [];

/** The number of consecutive failures from which a source counts; fewer are expected to recover by a retry. */
const REPEATED_FAILURES = 5;

/** Malformed records of a register from which they count: more than one PSP, and more than one in fifty. */
const MAX_REFUSED = 1;
const MAX_REFUSED_SHARE = 0.02;

/** From when a task that no run has looked after counts. On the first day each of thirty lists takes a run of its own. */
const LONGEST_WAIT_MS = 3_600_000;

type RegisterFacts = SourceStatus & {
  readonly refused: number;
  readonly psps: number;
  readonly kept: readonly string[];
};

/**
 * Empty if nothing is wrong. The order is that of the sources. The list of lists alone has no anchor. `waiting`: the task
 * of the scheduled runs that was due first, if there is any. `damage`: of ledgers; institutions read this, so none is
 * named.
 */
export function findReasons(
  lists: readonly (SourceStatus & { readonly anchors: number })[],
  registers: readonly RegisterFacts[],
  waiting: { readonly task: string; readonly dueAt: Instant } | null,
  damage: readonly KnownDamage[],
  now: Instant,
): Reason[] {
  return [
    ...(waiting !== null && now - waiting.dueAt > LONGEST_WAIT_MS
      ? [
          nothing(
            "refresh_overdue",
            `no scheduled run has looked after ${waiting.task}, which was due ${new Date(waiting.dueAt).toISOString()}: what is loaded ages, and no event is made`,
          ),
        ]
      : []),
    ...(lists.some(({ loaded, anchors }) => loaded && anchors > 0)
      ? []
      : [nothing("no_trusted_list", "no trusted list is loaded: no certificate has a QTSP")]),
    ...(registers.some(({ loaded }) => loaded)
      ? []
      : [nothing("no_register", "no register is loaded: no PSP is authorised")]),
    ...(damage.length === 0 ? [] : [nothing("records_damaged", describeDamage(damage))]),
    ...lists.flatMap((list) => reasonsOf("trusted_list", `the trusted list ${nameOf(list)}`, list)),
    ...registers.flatMap((register) => [
      ...reasonsOf("register", `the register ${nameOf(register)}`, register),
      ...findIncomplete(register),
    ]),
  ];
}

function describeDamage(damage: readonly KnownDamage[]): string {
  const records = damage.reduce((sum, { first_seq, last_seq }) => sum + last_seq - first_seq + 1, 0);
  const [ledgers, files] = [new Set(damage.map(({ fi }) => fi)).size, damage.length];
  return `${records} records in ${files} ${files === 1 ? "file" : "files"} of ${ledgers} ${ledgers === 1 ? "ledger" : "ledgers"} are damaged and cannot be given out`;
}

/** Of a list whose number is lower than that of the issue before. */
export const describeFall = (fellFrom: number): string =>
  `its number is lower than ${fellFrom}, that of the issue before: it counts because it was issued later`;

const nothing = (code: ReasonCode, message: string): Reason => ({ code, message, source: null, jurisdiction: null });

const nameOf = ({ source, jurisdiction }: SourceStatus): string => [source, jurisdiction].filter(Boolean).join(" ");

function findIncomplete(register: RegisterFacts): Reason[] {
  const { source, jurisdiction, refused, psps } = register;
  if (refused <= Math.max(MAX_REFUSED, psps * MAX_REFUSED_SHARE)) return [];
  const message = `the register ${nameOf(register)} has ${describeRefused(register)}`;
  return [{ code: "register_incomplete", message, source, jurisdiction }];
}

export const describeRefused = ({ refused, kept }: Pick<RegisterFacts, "refused" | "kept">): string => {
  const others = kept.length < Math.min(refused, MOST_NAMED) ? "" : ", perhaps others";
  const stay = kept.length === 0 ? "none stays" : `as of an earlier file stay ${kept.join(", ")}${others}`;
  return `malformed records of ${refused} PSPs: ${stay}`;
};

export const describeUndated = (numbers: readonly string[]): string =>
  `withdrawn on a day that cannot be read, so of no known status: ${numbers.join(", ")}${numbers.length < MOST_NAMED ? "" : ", perhaps others"}`;

export const describeAwaited = (numbers: readonly string[]): string =>
  `no longer in it, and as of an earlier fetch until a second one agrees: ${numbers.join(", ")}${numbers.length < MOST_NAMED ? "" : ", perhaps others"}`;

function reasonsOf(kind: "trusted_list" | "register", name: string, status: SourceStatus): Reason[] {
  const { source, jurisdiction, stale, nextUpdate, published, dated, loaded, refresh } = status;
  const about = { source, jurisdiction };
  const ageless =
    kind === "trusted_list"
      ? "closed (no nextUpdate), but still has granted services"
      : `older than it may be: ${dated === "fetch" ? "fetched" : "published"} ${published}`;
  const namesLists = source === TRUSTED_LIST_SOURCE && jurisdiction === LIST_OF_LISTS && nextUpdate !== null;
  const until = namesLists ? `: no trusted list counts after ${new Date(countsUntil(nextUpdate)).toISOString()}` : "";
  const age = nextUpdate === null ? ageless : `past its nextUpdate of ${nextUpdate}${until}`;
  const failing = refresh !== null && refresh.failures >= REPEATED_FAILURES ? refresh : null;
  return [
    ...(stale ? [{ code: `${kind}_stale`, message: `${name} is ${age}`, ...about } as const] : []),
    ...(failing
      ? [
          {
            code: `${kind}_failing`,
            message: `${name} could not be refreshed ${failing.failures} times${loaded ? "" : " and is not loaded"}: ${failing.lastError?.message ?? "the reason is not known"}`,
            ...about,
          } as const,
        ]
      : []),
  ];
}

/** What `status` says of a source: what is loaded, and how its refresh goes. */
export interface SourceStatus {
  readonly source: string;
  /** ISO 3166 country, or "EU"; null for a source of many countries if none is loaded. */
  readonly jurisdiction: string | null;
  readonly loaded: boolean;
  /** This and the next two: ISO 8601; null if the source does not state it, or nothing is loaded. */
  readonly published: string | null;
  readonly fetchedAt: string | null;
  readonly nextUpdate: string | null;
  /** What `published` is, of a register. */
  readonly dated?: "publication" | "fetch" | null;
  /** Older than its publisher or the configuration allows: answers that use it contain a warning. */
  readonly stale: boolean;
  readonly refresh: RefreshStatus | null;
}

export interface RefreshStatus {
  /** ISO 8601: when the loaded data was last found to be the source's current data. */
  readonly checkedAt: string | null;
  /** ISO 8601. */
  readonly nextCheck: string;
  readonly failures: number;
  readonly lastError: { readonly at: string; readonly message: string } | null;
  /** The operator's last import, if it was refused; null after a success of whatever kind. */
  readonly refusedImport: { readonly at: string; readonly message: string } | null;
}

/** Before how long ago the last one was. */
export const describeFailures = (failures: number): string =>
  failures === 1 ? "1 refresh failed" : `${failures} refreshes in a row failed, the last`;
