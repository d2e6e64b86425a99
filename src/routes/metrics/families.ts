/** The metrics of the service by name, from what was read. Pure. docs/monitoring/README.md lists them. */
import type { LedgerTotals } from "../../evidence/ledger/institution-ledger.ts";
import { addLatencies, LATENCY_BOUNDS_MS } from "../../evidence/ledger/traffic.ts";
import { readSigningKeys } from "../../evidence/signatures/signing-keys.ts";
import { listTokenKeyIds, madeAt } from "../../grants/token-keys.ts";
import type { Instant } from "../../platform/instant.ts";
import { bucketsOf, type Family, type Sample } from "../../platform/open-metrics.ts";
import { VERSION } from "../../platform/version.ts";
import type { SourceStatus } from "../../refresh/reasons.ts";
import type { Status } from "../../refresh/status.ts";
import type { DatabaseState, FirstDatabase } from "./databases.ts";

export interface AskedLedger {
  /** The institution's `fi_reference_id`. */
  readonly reference: string;
  /** Null: it does not answer. */
  readonly totals: LedgerTotals | null;
}

export interface Measured {
  readonly env: object;
  readonly status: Status;
  readonly first: FirstDatabase;
  readonly databases: readonly DatabaseState[];
  readonly ledgers: readonly AskedLedger[];
  /** Institutions whose ledgers were not asked. */
  readonly leftOut: number;
}

type Labels = Sample["labels"];
const sample = (value: number, labels: Labels = {}): Sample => ({ labels, value });
const flag = (value: boolean, labels: Labels = {}): Sample => sample(value ? 1 : 0, labels);
const seconds = (ms: number): number => ms / 1000;
/** None for what is not known. */
const instant = (ms: Instant | null, labels: Labels = {}): Sample[] =>
  ms === null || Number.isNaN(ms) ? [] : [sample(seconds(ms), labels)];
const age = (since: Instant | null, now: Instant): number => (since === null ? 0 : Math.max(0, seconds(now - since)));

const gauge = (name: string, help: string, samples: readonly Sample[]): Family => ({
  ...{ name: `psp_gate_${name}`, type: "gauge", help, samples },
});
const counter = (name: string, help: string, samples: readonly Sample[]): Family => ({
  ...{ name: `psp_gate_${name}`, type: "counter", help, samples },
});

export const describeMetrics = (measured: Measured, now: Instant): Family[] => [
  gauge("build_info", "The release that answers", [sample(1, { version: VERSION })]),
  ...ofSources(measured.status),
  ...ofRefreshes(measured.first, now),
  ...ofLedgers(measured),
  ...ofDatabases(measured.databases, now),
  gauge("notices_waiting", "News that not all institutions have, at most 10000", [
    sample(measured.first.notices.waiting),
  ]),
  gauge("notices_oldest_age_seconds", "Age of the oldest of them; 0 if there is none", [
    sample(age(measured.first.notices.oldest, now)),
  ]),
  ...ofSecrets(measured),
];

function ofSources({ status, reasons, trustedLists, registers, holes, crls }: Status): Family[] {
  const labelsOf = (kind: string, { source, jurisdiction }: SourceStatus): Labels => ({
    ...{ kind, source, jurisdiction: jurisdiction ?? "" },
  });
  const sources = [
    ...trustedLists.map((list) => [labelsOf("trusted_list", list), list] as const),
    ...registers.map((register) => [labelsOf("register", register), register] as const),
  ];
  const codes = [...new Set(reasons.map(({ code }) => code))];
  return [
    gauge("degraded", "1 if /health says degraded", [flag(status === "degraded")]),
    gauge(
      "degraded_reason",
      "A reason of /health that holds",
      codes.map((reason) => sample(1, { reason })),
    ),
    gauge(
      "source_loaded",
      "1 if the source is loaded",
      sources.map(([labels, { loaded }]) => flag(loaded, labels)),
    ),
    gauge(
      "source_stale",
      "1 if it is older than it may be",
      sources.map(([labels, { stale }]) => flag(stale, labels)),
    ),
    gauge(
      "source_published_timestamp_seconds",
      "When the loaded state of the source was published; fetched, where it has no date",
      sources.flatMap(([labels, { published }]) => instant(published === null ? null : Date.parse(published), labels)),
    ),
    gauge(
      "register_psps",
      "PSPs of a loaded register",
      registers.filter(({ loaded }) => loaded).map((one) => sample(one.psps, labelsOf("register", one))),
    ),
    gauge(
      "register_hole_psps",
      "PSPs seen in a country where most were not found",
      holes.map(({ psps, country }) => sample(psps, { jurisdiction: country })),
    ),
    gauge(
      "register_hole_not_found",
      "Those of them that were not found",
      holes.map(({ notFound, country }) => sample(notFound, { jurisdiction: country })),
    ),
    gauge(
      "trusted_list_services",
      "CA/QC services of a loaded trusted list",
      trustedLists.filter(({ loaded }) => loaded).map((one) => sample(one.services, labelsOf("trusted_list", one))),
    ),
    gauge("crls", "CRLs that are kept and have not ended", [sample(crls.loaded)]),
  ];
}

function ofRefreshes({ refreshes }: FirstDatabase, now: Instant): Family[] {
  const samplesOf = (read: (task: FirstDatabase["refreshes"][number]) => number): Sample[] =>
    refreshes.map((each) => sample(read(each), { task: each.task }));
  return [
    gauge(
      "refresh_failures",
      "Failures in a row of a refresh task",
      samplesOf(({ failures }) => failures),
    ),
    gauge(
      "refresh_import_refused",
      "1 if the operator's last import was refused",
      samplesOf(({ refused }) => refused),
    ),
    gauge(
      "refresh_overdue_seconds",
      "For how long the task has been due",
      samplesOf(({ dueAt }) => age(dueAt, now)),
    ),
    gauge(
      "refresh_success_timestamp_seconds",
      "When the loaded data was last found to be current",
      refreshes.flatMap(({ task, checkedAt }) => instant(checkedAt, { task })),
    ),
  ];
}

function ofLedgers({ ledgers, leftOut, first }: Measured): Family[] {
  const answered = ledgers.flatMap(({ reference: fi, totals }) => (totals ? [{ fi, totals }] : []));
  const samplesOf = (read: (totals: LedgerTotals) => number): Sample[] =>
    answered.map(({ fi, totals }) => sample(read(totals), { fi }));
  const damaged = new Map(first.institutions.map(({ reference }) => [reference, 0]));
  for (const { fi, records } of first.damage) damaged.set(fi, records);
  return [
    counter(
      "requests",
      "Recorded requests since midnight UTC, by endpoint and outcome: ok or the first error code",
      answered.flatMap(({ fi, totals }) =>
        totals.outcomes.map(({ endpoint, outcome, requests }) => sample(requests, { fi, endpoint, outcome })),
      ),
    ),
    {
      name: "psp_gate_request_duration_seconds",
      type: "histogram",
      help: "Their duration in the Worker, of all outcomes",
      samples: answered.flatMap(({ fi, totals }) => durationsOf(fi, totals)),
    },
    counter(
      "ledger_records",
      "Records that an institution's ledger was given",
      samplesOf(({ seq }) => seq),
    ),
    gauge(
      "ledger_unsigned_records",
      "Records that no signed head covers",
      samplesOf(({ unsigned }) => unsigned),
    ),
    gauge(
      "ledger_waiting_segments",
      "Closed segments that R2 does not have",
      samplesOf(({ waiting }) => waiting.segments),
    ),
    gauge(
      "ledger_waiting_bytes",
      "Their size",
      samplesOf(({ waiting }) => waiting.bytes),
    ),
    gauge(
      "ledger_head_timestamp_seconds",
      "When the newest head of the ledger was made",
      answered.flatMap(({ fi, totals }) => instant(totals.headAt, { fi })),
    ),
    gauge(
      "ledger_up",
      "1 if the ledger answered",
      ledgers.map(({ reference: fi, totals }) => flag(totals !== null, { fi })),
    ),
    gauge("ledgers_left_out", "Institutions beyond the first 50, whose ledgers were not asked", [sample(leftOut)]),
    gauge(
      "ledger_damaged_records",
      "Records that were kept and cannot be read",
      [...damaged].map(([fi, records]) => sample(records, { fi })),
    ),
  ];
}

const BOUNDS_SECONDS = LATENCY_BOUNDS_MS.map(seconds);

const durationsOf = (fi: string, { outcomes }: LedgerTotals): Sample[] =>
  [...Map.groupBy(outcomes, ({ endpoint }) => endpoint)].flatMap(([endpoint, counts]) =>
    bucketsOf({ fi, endpoint }, BOUNDS_SECONDS, counts.map(({ ms }) => ms).reduce(addLatencies)),
  );

function ofDatabases(databases: readonly DatabaseState[], now: Instant): Family[] {
  const answered = databases.flatMap(({ binding, state }) => (state ? [{ labels: { database: binding }, state }] : []));
  type State = (typeof answered)[number]["state"];
  const samplesOf = (read: (state: State) => number): Sample[] =>
    answered.map(({ labels, state }) => sample(read(state), labels));
  return [
    gauge(
      "d1_up",
      "1 if the database answered",
      databases.map(({ binding, state }) => flag(state !== null, { database: binding })),
    ),
    gauge(
      "d1_size_bytes",
      "Size of the database; D1 allows 10 GB",
      samplesOf(({ bytes }) => bytes),
    ),
    counter(
      "events",
      "Events that were made for institutions of the database",
      samplesOf(({ events }) => events),
    ),
    gauge(
      "webhook_deliveries_waiting",
      "Deliveries that wait, at most 10000",
      samplesOf(({ pending }) => pending.waiting),
    ),
    gauge(
      "webhook_deliveries_oldest_age_seconds",
      "Age of the oldest of them; 0 if there is none",
      samplesOf(({ pending }) => age(pending.oldest, now)),
    ),
    gauge(
      "webhook_deliveries_given_up",
      "Deliveries that were given up in the last hour",
      samplesOf(({ dead }) => dead),
    ),
  ];
}

function ofSecrets({ env, first }: Measured): Family[] {
  const { published } = readSigningKeys(env);
  return [
    gauge(
      "token_key_created_timestamp_seconds",
      "When a token key was made; the newest makes tokens",
      listTokenKeyIds(env).flatMap((kid) => instant(madeAt(kid), { kid })),
    ),
    gauge(
      "signing_key_created_timestamp_seconds",
      "When a signing key was made; the newest signs",
      published.map(({ kid, nbf }) => sample(nbf, { kid })),
    ),
    gauge(
      "institution_active",
      "1 if the institution is active, 0 if it is disabled",
      first.institutions.map(({ reference: fi, status }) => flag(status === "active", { fi })),
    ),
    gauge(
      "institution_secret_created_timestamp_seconds",
      "When the oldest secret of the institution was made",
      first.institutions.flatMap(({ reference: fi, secretAt }) => instant(secretAt, { fi })),
    ),
  ];
}
