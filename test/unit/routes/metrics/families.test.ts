/** The text of GET /metrics, in both forms: each figure under its name, and nothing for what is not known. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bucketsOf, formFor, writeMetrics } from "../../../../src/platform/open-metrics.ts";
import { describeMetrics } from "../../../../src/routes/metrics/families.ts";
import { MEASURED, NOW } from "./made-metrics.ts";
import { readMetrics } from "./metrics-reader.ts";

const families = describeMetrics(MEASURED, NOW);
const read = (form: "OpenMetrics" | "Prometheus") => readMetrics(writeMetrics(families, form), form);
const samplesOf = (name: string) => Object.fromEntries(read("Prometheus").get(`psp_gate_${name}`)?.samples ?? []);

test("both forms have the same samples; a counter's family is named with _total in the older one only", () => {
  const [open, older] = [read("OpenMetrics"), read("Prometheus")];
  expect(open.size).toBe(families.length);
  const counters = [...older].filter(([, { type }]) => type === "counter").map(([name]) => name);
  expect(counters).toEqual(["psp_gate_requests_total", "psp_gate_ledger_records_total", "psp_gate_events_total"]);
  const renamed = [...older].map(([name, family]) => [name.replace(/_total$/, ""), family] as const);
  expect(new Map(renamed)).toEqual(new Map(open));
});

test.each([
  [undefined, "Prometheus"],
  ["*/*", "Prometheus"],
  ["application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5", "OpenMetrics"],
])("whoever accepts %s gets the form %s", (accept, form) => expect(formFor(accept)).toBe(form));

test("requests are counted by institution, endpoint and outcome, and their durations by endpoint", () => {
  expect(samplesOf("requests_total")).toEqual({
    'fi="PSDFI-ONE-0001",endpoint="GET /v1/psp/eidas",outcome="ok"': 6,
    'fi="PSDFI-ONE-0001",endpoint="GET /v1/psp/eidas",outcome="certificate_revoked"': 2,
    'fi="PSDFI-ONE-0001",endpoint="POST /v1/oauth2/tokens",outcome="ok"': 1,
  });
  const durations = samplesOf("request_duration_seconds");
  const of = (le: string) => durations[`fi="PSDFI-ONE-0001",endpoint="GET /v1/psp/eidas",le="${le}"`];
  expect([of("0.001"), of("0.002"), of("0.005"), of("10"), of("+Inf")]).toEqual([1, 4, 7, 7, 8]);
  expect(Object.keys(durations)).toHaveLength(28);
});

test("a ledger or database that does not answer is down, and has no other sample", () => {
  const names = { one: 'fi="PSDFI-ONE-0001"', two: 'fi="PSDFI-\\"TWO\\"\\\\0002"', three: 'fi="PSDFI-THREE-3"' };
  expect(samplesOf("ledger_up")).toEqual({ [names.one]: 1, [names.two]: 1, [names.three]: 0 });
  expect(samplesOf("ledger_records_total")).toEqual({ [names.one]: 900, [names.two]: 0 });
  expect(samplesOf("ledger_head_timestamp_seconds")).toEqual({ [names.one]: NOW / 1000 - 1.5 });
  expect(samplesOf("d1_up")).toEqual({ 'database="DB"': 1, 'database="DB_2"': 0 });
  expect(samplesOf("d1_size_bytes")).toEqual({ 'database="DB"': 2e9 });
});

test("ages, keys and sources", () => {
  expect(samplesOf("degraded_reason")).toEqual({ 'reason="register_stale"': 1 });
  expect(samplesOf("source_stale")).toMatchObject({ 'kind="register",source="nca",jurisdiction="CZ"': 1 });
  expect(samplesOf("source_published_timestamp_seconds")).toEqual({
    'kind="trusted_list",source="eIDAS",jurisdiction="CZ"': NOW / 1000 - 108_000,
    'kind="register",source="nca",jurisdiction="CZ"': NOW / 1000 - 108_000,
  });
  expect(samplesOf("register_psps")).toEqual({ 'kind="register",source="nca",jurisdiction="CZ"': 12 });
  expect(samplesOf("register_hole_psps")).toEqual({ 'jurisdiction="DE"': 41 });
  expect(samplesOf("register_hole_not_found")).toEqual({ 'jurisdiction="DE"': 37 });
  expect(samplesOf("refresh_overdue_seconds")).toEqual({ 'task="trust/eIDAS/CZ"': 0, 'task="register/eba"': 60 });
  expect(samplesOf("refresh_import_refused")).toMatchObject({ 'task="register/eba"': 1 });
  expect(samplesOf("notices_oldest_age_seconds")).toEqual({ "": 30 });
  expect(samplesOf("webhook_deliveries_oldest_age_seconds")).toEqual({ 'database="DB"': 90 });
  expect(samplesOf("token_key_created_timestamp_seconds")).toEqual({
    'kid="20261101T000000Z"': Date.parse("2026-11-01T00:00:00Z") / 1000,
  });
  expect(samplesOf("signing_key_created_timestamp_seconds")).toEqual({
    'kid="20260101T000000Z"': Date.parse("2026-01-01T00:00:00Z") / 1000,
  });
});

test("what has no line in a service without institutions and sources, the table of the documents names with its reason", () => {
  const { status, first } = MEASURED;
  const fresh = describeMetrics(
    {
      ...{ ...MEASURED, ledgers: [], databases: MEASURED.databases.slice(0, 1) },
      status: { ...status, status: "up", reasons: [], trustedLists: [], registers: [], holes: [] },
      first: { ...first, institutions: [], refreshes: [], damage: [] },
    },
    NOW,
  );
  const suffixes = { gauge: "", counter: "_total", histogram: "_bucket" } as const;
  const silent = fresh.filter(({ samples }) => samples.length === 0).map(({ name, type }) => name + suffixes[type]);
  const page = readFileSync(join(import.meta.dirname, "../../../../docs/monitoring/README.md"), "utf8");
  const rows = [...page.matchAll(/^\| (`\w+`.*?) +\| .+? +\| +(.*?) *\|$/gm)];
  expect(rows.length).toBeGreaterThan(15);
  const named = rows
    .filter(([, , reason]) => reason !== "")
    .flatMap(([, names = ""]) => [...names.matchAll(/`(\w+)`/g)].map(([, name]) => `psp_gate_${name}`));
  expect(named.toSorted()).toEqual(silent.toSorted());
});

test("an institution whose ledger has lost nothing has a line with 0", () => {
  expect(samplesOf("ledger_damaged_records")).toEqual({
    ...{ 'fi="PSDFI-ONE-0001"': 4096, 'fi="PSDFI-\\"TWO\\"\\\\0002"': 0 },
  });
});

test("no secret is in it", () => expect(writeMetrics(families, "OpenMetrics")).not.toContain('secret"'));

test("a line break or a quotation mark in a label or help does not break the line", () => {
  const labels = { name: 'a"b\\c\nd' };
  const family = { name: "x", type: "gauge", help: "two\nlines", samples: [{ labels, value: 1 }] } as const;
  expect(writeMetrics([family], "Prometheus")).toBe(
    '# HELP x two\\nlines\n# TYPE x gauge\nx{name="a\\"b\\\\c\\nd"} 1\n',
  );
});

test("buckets are cumulative, the last is above all bounds", () => {
  expect(bucketsOf({}, [1, 2], [3, 0, 4]).map(({ labels, value }) => [labels["le"], value])).toEqual([
    ["1", 3],
    ["2", 3],
    ["+Inf", 7],
  ]);
});

test.each([
  ["no end", "# HELP a b\n# TYPE a gauge\na 1", "does not end"],
  ["a sample before its family", "a 1\n", "not of the family"],
  ["a sample twice", "# HELP a b\n# TYPE a gauge\na 1\na 2\n", "twice"],
  ["a family without a sample", "# HELP a b\n# TYPE a gauge\n", "no sample"],
  ["a counter without its suffix", "# HELP a b\n# TYPE a counter\na 1\n", "another one"],
  ["no number", "# HELP a b\n# TYPE a gauge\na NaN\n", "no sample"],
  ["buckets that shrink", '# HELP a b\n# TYPE a histogram\na_bucket{le="1"} 2\na_bucket{le="+Inf"} 1\n', "do not grow"],
])("the reader of these tests refuses %s", (_, text, message) => {
  expect(() => readMetrics(text, "Prometheus")).toThrow(message);
});
