/** What `doctor` says of wrangler.toml and of the clock. */

import { describeGap, type KnownDamage, LIST_DAMAGE, nameGap } from "../../evidence/ledger/damage.ts";
import { type LedgerSettings, ledgerWarnings } from "../../evidence/ledger/ledger-settings.ts";
import { lifetimeWarnings } from "../../grants/token-lifetimes.ts";
import { configurationWarnings } from "../../http/errors/errors.ts";
import { MIN_TOKEN_CHARACTERS, operatorToken } from "../../http/middleware/operator.ts";
import { clock, formatDuration } from "../../platform/clock.ts";
import { SOURCES } from "../../registers/sources.ts";
import { readDeploymentTables } from "../deployment/tables.ts";
import { listSecrets, readDevVars } from "../keys/keys.ts";
import { JURISDICTIONS, type Target } from "../target.ts";
import { type Finding, good, toDo, unknown } from "./finding.ts";

/** As wrangler reads them: of any type, and perhaps absent in an older file. */
export type Vars = Readonly<Record<string, unknown>>;

type Rule = (value: unknown) => boolean;

const wholeFrom =
  (least: number): Rule =>
  (value) =>
    Number.isInteger(value) && Number(value) >= least;
const numberFrom0: Rule = (value) => typeof value === "number" && value >= 0;
const isAddress: Rule = (value) => /^https?:$/.test(URL.parse(String(value))?.protocol ?? "");
// a 31 November is read as 1 December, and is none
const isDay = (text: string): boolean =>
  !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().slice(0, 10) === text;
const isAddressOrEmpty: Rule = (value) => value === "" || isAddress(value);

/** A rule and what it asks for, for each variable that has no warning of its own. */
const RULES: Readonly<Record<string, readonly [Rule, string]>> = {
  RATE_LIMIT_REQUESTS: [wholeFrom(1), "a whole number from 1"],
  CCG_TOKEN_SECONDS: [wholeFrom(1), "a whole number of seconds from 1"],
  TOKEN_RETENTION_DAYS: [wholeFrom(1), "a whole number of days from 1"],
  RETENTION_DAYS: [wholeFrom(1), "a whole number of days from 1"],
  PERMISSION_RETENTION_DAYS: [wholeFrom(1), "a whole number of days from 1"],
  LEDGER_RECORDS: [(value) => value === "on" || value === "off", '"on" or "off"'],
  EVIDENCE_RETENTION_DAYS: [wholeFrom(1), "a whole number of days from 1"],
  MAX_CONSENT_DAYS: [wholeFrom(0), "a whole number of days; 0 for no limit"],
  REFRESH_TIMEOUT_SECONDS: [wholeFrom(1), "a whole number of seconds from 1"],
  ...Object.fromEntries(
    Object.values(SOURCES).map(({ maxAge }) => [maxAge.setting, [numberFrom0, "a number of hours; 0 for no limit"]]),
  ),
  LOTL_URL: [isAddress, "an http or https address"],
  EBA_METADATA_URL: [isAddress, "an http or https address"],
  EBA_FILES_URL: [isAddressOrEmpty, "an http or https address, or empty"],
  TRUSTED_LIST_URL_TEMPLATE: [
    (value) => value === "" || (isAddress(value) && String(value).includes("{territory}")),
    "an http or https address with {territory} in it, or empty",
  ],
  NATIVE_REDIRECTS: [
    (value) => /^(?:(?:loopback|private-use)(?: |$))*$/.test(String(value)),
    "loopback, private-use, both with a blank between, or empty",
  ],
  // who opens the console by a loopback address is its operator: npm start sets it for itself
  CONSOLE_LOCAL_OPERATOR: [(value) => value === "", "empty: only npm start sets it"],
  ACCESS_TEAM_DOMAIN: [
    (value) => value === "" || URL.parse(String(value))?.protocol === "https:",
    "an https address such as https://bank.cloudflareaccess.com, or empty",
  ],
  SIGN_ANSWERS: [(value) => value === "asked" || value === "always", '"asked" or "always"'],
  EVENT_RETENTION_DAYS: [wholeFrom(1), "a whole number of days from 1"],
  WEBHOOK_TARGETS: [(value) => value === "public", '"public": npm start alone sets "loopback", tests "any"'],
  LEGACY_1_6: [(value) => value === "true" || value === "false", '"true" or "false"'],
  LEGACY_1_6_SUNSET: [(value) => isDay(String(value)), "a day such as 2027-11-30"],
  JURISDICTION: [
    (value) => value === "" || JURISDICTIONS.some((known) => known === value),
    `${JURISDICTIONS.join(", ")}, or empty`,
  ],
  KEY_RECIPIENT: [(value) => /^(?:age1[0-9a-z]+)?$/.test(String(value)), "a public key of age (age1…), or empty"],
};

const CHANGE = "change it in wrangler.toml and deploy (npm start reads it when it starts)";

/** `vars` of the deployment's table in wrangler.toml. `deployed`: another place than this machine. */
export function findSettings(vars: Vars, deployed: boolean): Finding[] {
  const env = vars as unknown as Parameters<typeof configurationWarnings>[0] & Parameters<typeof lifetimeWarnings>[0];
  const warnings = [...configurationWarnings({ BASE_URL: String(env.BASE_URL ?? "") }), ...lifetimeWarnings(env)];
  const broken = Object.entries(RULES).flatMap(([name, [rule, form]]) => {
    const value = vars[name];
    if (value === undefined) return [toDo("configuration", `${name} is not set`, `set it in wrangler.toml: ${form}`)];
    return rule(value) ? [] : [toDo("configuration", `${name} is ${JSON.stringify(value)}, not ${form}`, CHANGE)];
  });
  const halves = [vars["ACCESS_TEAM_DOMAIN"], vars["ACCESS_AUDIENCE"]].map(Boolean);
  const half = "of ACCESS_TEAM_DOMAIN and ACCESS_AUDIENCE one is empty, so no operator can sign in to the console";
  const faults = [
    ...warnings.map((warning) => toDo("configuration", warning, CHANGE)),
    ...broken,
    ...(halves[0] === halves[1] ? [] : [toDo("configuration", half, CHANGE)]),
  ];
  if (faults.length > 0) return faults;
  const links =
    deployed && !env.BASE_URL ? "; BASE_URL is empty, so links in errors follow the Host header of the request" : "";
  return [good("configuration", `${Object.keys(vars).length} variables in wrangler.toml, none refused${links}`)];
}

/** Whether a key signs, the service itself says (GET /status): the commands cannot read its secrets. */
export function readLedgerSettings({ environment }: Target): LedgerSettings {
  const { vars, buckets } = readDeploymentTables(environment);
  return {
    records: vars["LEDGER_RECORDS"] as LedgerSettings["records"],
    bucket: buckets.includes("EVIDENCE"),
    signs: null,
  };
}

/** Both may be missed on purpose, so there is nothing to do. */
export function findLedger(settings: LedgerSettings): Finding {
  const off = ledgerWarnings(settings);
  return good(
    "configuration",
    off.length > 0 ? off.join("; ") : "answers are recorded; what they are based on, and old records, go to R2",
  );
}

/**
 * Whether a monitor can read GET /metrics. `token`: METRICS_TOKEN; null if it is not set, "secret" of a deployment, whose secrets
 * nobody can read. An operator may do without, so then there is nothing to do.
 */
export function findMetricsToken(token: string | null, vars: Vars): Finding {
  if (vars["METRICS_TOKEN"] !== undefined)
    return toDo(
      "configuration",
      "METRICS_TOKEN is a variable of wrangler.toml, where whoever reads the file has it",
      "take it out and make a new one: openssl rand -base64 32 | npx wrangler secret put METRICS_TOKEN",
    );
  const access = vars["ACCESS_TEAM_DOMAIN"] && vars["ACCESS_AUDIENCE"] ? "; Cloudflare Access opens it" : "";
  if (token === null)
    return good(
      "configuration",
      `METRICS_TOKEN is not set: ${access === "" ? "GET /metrics is a 404" : "no Bearer opens GET /metrics"}${access}`,
    );
  if (token === "secret")
    return good("configuration", `METRICS_TOKEN is set; one below ${MIN_TOKEN_CHARACTERS} characters opens nothing`);
  return operatorToken({ METRICS_TOKEN: token }) === null
    ? toDo(
        "configuration",
        `METRICS_TOKEN has ${token.length} characters, which can be guessed: it opens nothing`,
        `make one of at least ${MIN_TOKEN_CHARACTERS}: openssl rand -base64 32`,
      )
    : good("configuration", "METRICS_TOKEN is set, and long enough");
}

/** For {@link findMetricsToken}. Throws CommandError if the deployment's secrets cannot be listed. */
export async function readMetricsToken(target: Target): Promise<string | null> {
  if (target.remote) return /"METRICS_TOKEN"/.test(await listSecrets(target)) ? "secret" : null;
  const [, token = null] = /^METRICS_TOKEN=["']?([^"'\n]*)/m.exec(await readDevVars()) ?? [];
  return token;
}

const REQUIRED =
  "SELECT fi_reference_id FROM financial_institutions WHERE ledger_required = 1 AND status = 'active' ORDER BY 1";

/** Institutions that get no answer because no record can be kept. */
export async function findWithheld(
  db: D1Database,
  records: unknown,
  command: (words: string) => string,
): Promise<Finding[]> {
  if (records !== "off") return [];
  const { results } = await db.prepare(REQUIRED).all<{ fi_reference_id: string }>();
  return results.map(({ fi_reference_id: reference }) =>
    toDo(
      "configuration",
      `${reference} requires its records, and LEDGER_RECORDS is off: its checks and grants are answered with 503`,
      `LEDGER_RECORDS = "on" in wrangler.toml and npm run deploy, or ${command(`fi set --reference ${reference} --ledger default`)}`,
    ),
  );
}

/** One finding for each file of a ledger that is damaged. */
export async function findDamage(db: D1Database, command: (words: string) => string): Promise<Finding[]> {
  const { results } = await db.prepare(LIST_DAMAGE).all<KnownDamage & Record<string, unknown>>();
  return results.map(({ fi, ...damage }) =>
    toDo(
      "records",
      `${fi}: ${describeGap(nameGap(damage))} (${damage.file})`,
      `put the file back into the bucket EVIDENCE from a copy; then ${command(`audit list --fi ${fi} --to ${new Date(damage.last_time + 1).toISOString()}`)} reads it. Nobody can make it again: without a copy tell the institution, for export and verify name the gap`,
    ),
  );
}

const TIMEOUT_MS = 10_000;
/** OCSP responders and CAs allow for as much; a Date header has whole seconds. */
const TOLERANCE_MS = 5_000;

export interface SourceTime {
  /** Host name of the source. */
  readonly source: string;
  /** By how much this machine is ahead, in milliseconds; negative: behind. Exact to a second and half a round trip. */
  readonly aheadMs: number;
}

/** The time of the first of `urls` that answers with a Date header, whatever the status; null if none does. */
export async function askSourceTime(urls: readonly string[]): Promise<SourceTime | null> {
  for (const url of urls) {
    const asked = clock.now();
    const response = await fetch(url, {
      method: "HEAD",
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch(() => null);
    // the header's second has begun at half of its length before, on average
    const date = Date.parse(response?.headers.get("Date") ?? "") + 500;
    if (!Number.isNaN(date)) return { source: new URL(url).host, aheadMs: (asked + clock.now()) / 2 - date };
  }
  return null;
}

export function judgeClock(time: SourceTime | null): Finding {
  if (time === null)
    return unknown(
      "clock",
      "no source answered that this machine's clock could be compared with",
      "look at the network, and at LOTL_URL and EBA_METADATA_URL in wrangler.toml",
    );
  const { source, aheadMs } = time;
  const off = Math.abs(aheadMs);
  if (off <= TOLERANCE_MS) return good("clock", `this machine's clock agrees with that of ${source}`);
  return toDo(
    "clock",
    `this machine's clock is ${formatDuration(off)} ${aheadMs > 0 ? "ahead of" : "behind"} that of ${source}`,
    "set it by a time server (NTP): codes live 60 seconds, and certificates are judged by it",
  );
}
