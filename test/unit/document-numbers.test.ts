/** A limit or a time that a document names is the one of the code. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const SOURCES = globSync("src/**/*.{ts,tsx}", { cwd: ROOT });

const KIB = 1024;
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** What a document says; the file of src/ and the name of the constant, or member, that says it there; its value. */
type Said = readonly [text: string, file: string, name: string, value: number];

const NUMBERS: Readonly<Record<string, readonly Said[]>> = {
  "README.md": [
    ["in any 5 minutes", "request-window.ts", "WINDOW_SECONDS", 300],
    ["one D1 database | 10 GB", "databases.ts", "MAX_DATABASE_BYTES", 10e9],
  ],
  "docs/measurements.md": [
    ["body 64 KiB", "json-body.ts", "MAX_BODY_KIB", 64],
    ["many checks: 1 MiB", "endpoints.ts", "maxBodyKib", KIB],
    ["`eidas` 64 KiB", "certificate-text.ts", "MAX_TEXT_CHARACTERS", 64 * KIB],
    ["one certificate 16 KiB", "eidas-header.ts", "MAX_CERTIFICATE_BYTES", 16 * KIB],
    ["ten certificates", "eidas-header.ts", "MAX_CERTIFICATES", 10],
    ["1,000 tokens of an account", "tokens.ts", "PAGE_SIZE", 1000],
    ["50 permissions", "permissions.ts", "PAGE_SIZE", 50],
    ["within two seconds, not by LDAP", "issuer-search.ts", "WAIT_MS", 2 * SECOND],
  ],
  "docs/interface.md": [
    ["up to 50 such checks", "checks.ts", "MAX_CHECKS", 50],
    ["up to 31 jurisdictions", "checks.ts", "MAX_JURISDICTIONS", 31],
    ["1 to 128 printable characters", "request-headers.ts", "MAX_CHARACTERS", 128],
    ["does not answer in 5 seconds", "stores.ts", "STORE_TIMEOUT_MS", 5 * SECOND],
    ["A code lives 60 seconds", "redemption.ts", "CODE_LIFETIME_SECONDS", 60],
  ],
  "docs/operate.md": [
    ["up to 500 KV entries", "scheduled.ts", "MAX_WRITES_PER_STEP", 500],
    ["8 hours, fetched if it changed", "schedule.ts", "[EBA_TASK]", 8 * HOUR],
    ["register of banks | 24 hours", "schedule.ts", "[BANKS_TASK]", 24 * HOUR],
    ["must have 2,000 banks", "refresh/banks.ts", "FEWEST_BANKS", 2_000],
    ["12 hours later or more", "stored-register.ts", "AGREEMENT_MS", 12 * HOUR],
    ["30 minutes, those that end soon", "schedule.ts", "[CRL_TASK]", 30 * MINUTE],
    ["events and deliveries | 1 minute", "schedule.ts", "[EVENTS_TASK]", MINUTE],
    ["after 2, 4, 8 … minutes", "schedule.ts", "FIRST_RETRY_MS", 2 * MINUTE],
    ["five failures in a row", "reasons.ts", "REPEATED_FAILURES", 5],
    ["one in fifty records", "reasons.ts", "MAX_REFUSED_SHARE", 1 / 50],
    ["at most 10,000 entries", "bulk-writes.ts", "KEYS_AT_ONCE", 10_000],
    ["or 8 MB", "bulk-writes.ts", "BYTES_AT_ONCE", 8e6],
    ["imports 5 GB at most", "backup/manifest.ts", "MAX_IMPORT_BYTES", 5e9],
    ["its 100 KB for a statement", "short-statements.ts", "MAX_STATEMENT_BYTES", 100_000],
    ["at least 32 characters", "operator.ts", "MIN_TOKEN_CHARACTERS", 32],
    ["above 8 GB of its 10", "retention.ts", "ALARMING_SHARE", 0.8],
  ],
  "docs/storage.md": [
    ["30 minutes idle", "sessions.ts", "IDLE_MS", 30 * MINUTE],
    ["12 hours at most", "sessions.ts", "ABSOLUTE_MS", 12 * HOUR],
    ["7 days, 500 of an institution", "kept-checks.ts", "KEPT_DAYS", 7],
    ["7 days, 500 of an institution", "kept-checks.ts", "MAX_KEPT", 500],
    ["at most 5 minutes", "operator-pass.ts", "PASS_LIFETIME_MS", 5 * MINUTE],
    ["two days after the last code", "retention.ts", "CORE_CODE_RETENTION_MS", 2 * DAY],
    ["two days after it was lifted", "retention.ts", "LIFTED_RETENTION_MS", 2 * DAY],
    ["1,200 days after all were notified", "event-log.ts", "NOTICE_DAYS", 1200],
    ["128 entries for each country", "keys.ts", "AGENT_BUCKETS", 128],
    ["366 days after thisUpdate", "kept-answers.ts", "LONGEST_SPAN_MS", 366 * DAY],
    ["up to four CRLs", "verified-answer.ts", "MAX_LINES", 4],
    ["11 minutes", "request-ids.ts", "REMEMBERED_MS", 11 * MINUTE],
    ["without R2 the newest GiB", "closed-segments.ts", "KEPT_HERE_BYTES", KIB ** 3],
    ["8 GiB while R2 fails", "closed-segments.ts", "KEPT_WHILE_FAILING_BYTES", 8 * KIB ** 3],
    ["until R2 has them, and two days", "closed-segments.ts", "ROWS_KEPT_DAYS", 2],
    ["| 2 days; those of closed segments", "head.ts", "KEPT_MS", 2 * DAY],
    ["hours 7 days, then days", "traffic.ts", "HOURS_KEPT_MS", 7 * DAY],
    ["4,096 records", "record.ts", "SEGMENT_RECORDS", 4096],
    ["or 4 MiB of text", "open-segment.ts", "SEGMENT_CHARACTERS", 4 * KIB ** 2],
    ["32 MiB at most", "memory.ts", "MAX_MEMORY_BYTES", 32 * KIB ** 2],
  ],
  "docs/threat-model.md": [
    ["256 random bits", "secrets.ts", "bytes", 256 / 8],
    ["32 MiB in all", "memory.ts", "MAX_MEMORY_BYTES", 32 * KIB ** 2],
  ],
  "docs/architecture.md": [
    ["was not read for 30 s", "lookup.ts", "READING_LIFETIME_SECONDS", 30],
    ["the ledgers: 50 at most", "metrics.ts", "MAX_LEDGERS", 50],
    ["six at a time", "metrics.ts", "LANES", 6],
  ],
  "docs/monitoring/README.md": [
    ["The first 50 institutions", "metrics.ts", "MAX_LEDGERS", 50],
    ["stop at 10,000", "databases.ts", "MOST_COUNTED", 10_000],
  ],
  "docs/decisions/certificates.md": [
    ["10 ms for a path search", "path-budget.ts", "cost", 10_000],
    ["beyond 200 ms", "check-budget.ts", "signatures", 200_000],
    ["900 calls", "check-budget.ts", "calls", 900],
    ["or 10 seconds", "check-budget.ts", "time", 10 * SECOND],
    ["within two seconds", "issuer-search.ts", "WAIT_MS", 2 * SECOND],
  ],
  "docs/decisions/revocation.md": [
    ["stay for 366 days", "kept-answers.ts", "LONGEST_SPAN_MS", 366 * DAY],
    ["for up to 60 seconds", "source-attempts.ts", "LONGEST_BACK_OFF_MS", 60 * SECOND],
    ["at most ten more than", "judge-source.ts", "MAX_WITH_OTHER_CRLS", 10],
    ["within half a minute", "revocation-status.ts", "UNKNOWN_LASTS_MS", MINUTE / 2],
  ],
  "docs/decisions/trusted-lists.md": [["For 184 days after it", "anchors.ts", "LONGEST_ISSUE_MS", 184 * DAY]],
  "docs/decisions/psps-and-registers.md": [
    ["128 entries", "keys.ts", "AGENT_BUCKETS", 128],
    ["three minutes at most", "stored-register.ts", "SETTLE_MS", 3 * MINUTE],
  ],
  "docs/decisions/codes-and-tokens.md": [
    ["repeated for up to 2 seconds", "stores.ts", "BUDGET_MS", 2 * SECOND],
    ["up to 16 times", "redemption.ts", "MAX_GIVEN_BACK", 16],
    ["an answer 60 seconds old", "kept-introspections.ts", "MAX_AGE_SECONDS", 60],
  ],
  "docs/decisions/databases.md": [
    ["deletes 250 rows", "retention.ts", "ROWS_PER_STATEMENT", 250],
    ["No answer in 5 seconds", "stores.ts", "STORE_TIMEOUT_MS", 5 * SECOND],
    ["or are many, have 20", "stores.ts", "LONG_STORE_TIMEOUT_MS", 20 * SECOND],
    ["For 60 seconds an isolate", "financial-institution.ts", "CREDENTIALS_MEMORY_SECONDS", 60],
    ["stays as a row for two days", "retention.ts", "LIFTED_RETENTION_MS", 2 * DAY],
  ],
  "docs/decisions/answers.md": [
    ["once a second", "source-quota.ts", "REPORT_INTERVAL_MS", SECOND],
    ["after 1 % of the limit", "source-quota.ts", "UNREPORTED_SHARE", 0.01],
    ["from a quarter of the limit on", "source-quota.ts", "GUARDED_FROM", 0.25],
    ["up to 301", "request-window.ts", "WINDOW_SECONDS", 300],
  ],
  "docs/decisions/evidence.md": [["for 50 ms", "recorder.ts", "GATHERING_MS", 50]],
  "docs/decisions/events.md": [["takes ten seconds of a lane", "deliver.ts", "TIMEOUT_MS", 10 * SECOND]],
  "docs/decisions/platform.md": [
    ["verified there within the hour", "read-ahead-gate.ts", "CLIENT_KNOWN_MS", HOUR],
    ["none was refused for a minute", "read-ahead-gate.ts", "PAUSE_MS", MINUTE],
    ["eight requests at most", "read-ahead-gate.ts", "MAX_AT_ONCE", 8],
    ["in 32 MiB at most", "memory.ts", "MAX_MEMORY_BYTES", 32 * KIB ** 2],
    ["up to 8 KiB is remembered", "certificate.ts", "MAX_KEPT_CHARACTERS", 8 * KIB],
    ["a pass of five minutes", "operator-pass.ts", "PASS_LIFETIME_MS", 5 * MINUTE],
  ],
};

/** The value of a constant: a number, or a product or power of numbers and of other constants of the file. */
function readValue(file: string, name: string): number {
  const declared = new RegExp(`(?:^|[\\s{(])${name.replace(/[[\]]/g, "\\$&")}(?:: \\w+)? ?[=:] ([\\w.* ]+)[,;)}]`, "m");
  const found = SOURCES.filter((path) => `/${path}`.endsWith(`/${file}`)).flatMap((path) => {
    const [, value] = declared.exec(read(path)) ?? [];
    return value === undefined ? [] : [value.trim()];
  });
  if (found.length !== 1) throw new Error(`${name} is in ${found.length} files of the name ${file}`);
  const numberOf = (text: string): number =>
    /^\d/.test(text) ? Number(text.replaceAll("_", "")) : readValue(file, text);
  return (found[0] ?? "")
    .split(" * ")
    .map((factor) => factor.split(" ** ").map(numberOf))
    .reduce((product, [base = 0, exponent = 1]) => product * base ** exponent, 1);
}

const ALL = Object.entries(NUMBERS).flatMap(([path, rows]) => rows.map((row) => [path, ...row] as const));

test.each(ALL)("%s: %s", (path, text, file, name, value) => {
  const words = read(path).replaceAll(/\s+/g, " ").toLowerCase();
  expect(words).toContain(text.toLowerCase());
  expect(readValue(file, name)).toBe(value);
});
