/** What `doctor` says of the variables of wrangler.toml. */

import { lifetimeWarnings } from "../../grants/token-lifetimes.ts";
import { configurationWarnings } from "../../http/errors/errors.ts";
import { SOURCES } from "../../registers/sources.ts";
import { JURISDICTIONS } from "../target.ts";
import { type Finding, good, toDo } from "./finding.ts";

/** As wrangler reads them: of any type, and perhaps absent in an older file. */
export type Vars = Readonly<Record<string, unknown>>;

type Rule = (value: unknown) => boolean;

const wholeFrom =
  (least: number): Rule =>
  (value) =>
    Number.isInteger(value) && Number(value) >= least;
const numberFrom0: Rule = (value) => typeof value === "number" && value >= 0;
const oneOf =
  (...values: readonly string[]): Rule =>
  (value) =>
    values.some((known) => known === value);
const orEmpty =
  (rule: Rule): Rule =>
  (value) =>
    value === "" || rule(value);
const isAddress: Rule = (value) => /^https?:$/.test(URL.parse(String(value))?.protocol ?? "");
// a 31 November is read as 1 December, and is none
const isDay: Rule = (value) =>
  !Number.isNaN(Date.parse(String(value))) && new Date(String(value)).toISOString().slice(0, 10) === String(value);

const WHOLE_DAYS = [wholeFrom(1), "a whole number of days from 1"] as const;
const WHOLE_SECONDS = [wholeFrom(1), "a whole number of seconds from 1"] as const;

/** A rule and what it asks for, for each variable that has no warning of its own. */
const RULES: Readonly<Record<string, readonly [Rule, string]>> = {
  RATE_LIMIT_REQUESTS: [wholeFrom(1), "a whole number from 1"],
  CCG_TOKEN_SECONDS: WHOLE_SECONDS,
  TOKEN_RETENTION_DAYS: WHOLE_DAYS,
  RETENTION_DAYS: WHOLE_DAYS,
  PERMISSION_RETENTION_DAYS: WHOLE_DAYS,
  LEDGER_RECORDS: [oneOf("on", "off"), '"on" or "off"'],
  EVIDENCE_RETENTION_DAYS: WHOLE_DAYS,
  MAX_CONSENT_DAYS: [wholeFrom(0), "a whole number of days; 0 for no limit"],
  REFRESH_TIMEOUT_SECONDS: WHOLE_SECONDS,
  ...Object.fromEntries(
    Object.values(SOURCES).map(({ maxAge }) => [maxAge.setting, [numberFrom0, "a number of hours; 0 for no limit"]]),
  ),
  LOTL_URL: [isAddress, "an http or https address"],
  EBA_METADATA_URL: [isAddress, "an http or https address"],
  EBA_FILES_URL: [orEmpty(isAddress), "an http or https address, or empty"],
  EBA_SEARCH_URL: [isAddress, "an http or https address"],
  TRUSTED_LIST_URL_TEMPLATE: [
    orEmpty((value) => isAddress(value) && String(value).includes("{territory}")),
    "an http or https address with {territory} in it, or empty",
  ],
  NATIVE_REDIRECTS: [
    (value) => /^(?:(?:loopback|private-use)(?: |$))*$/.test(String(value)),
    "loopback, private-use, both with a blank between, or empty",
  ],
  // who opens the console by a loopback address is its operator: npm start sets it for itself
  CONSOLE_LOCAL_OPERATOR: [oneOf(""), "empty: only npm start sets it"],
  ACCESS_TEAM_DOMAIN: [
    orEmpty((value) => URL.parse(String(value))?.protocol === "https:"),
    "an https address such as https://bank.cloudflareaccess.com, or empty",
  ],
  SIGN_ANSWERS: [oneOf("asked", "always"), '"asked" or "always"'],
  EVENT_RETENTION_DAYS: WHOLE_DAYS,
  WEBHOOK_TARGETS: [oneOf("public"), '"public": npm start alone sets "loopback", tests "any"'],
  LEGACY_1_6: [oneOf("true", "false"), '"true" or "false"'],
  LEGACY_1_6_SUNSET: [isDay, "a day such as 2027-11-30"],
  JURISDICTION: [orEmpty(oneOf(...JURISDICTIONS)), `${JURISDICTIONS.join(", ")}, or empty`],
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
  const isHalf = Boolean(vars["ACCESS_TEAM_DOMAIN"]) !== Boolean(vars["ACCESS_AUDIENCE"]);
  const half = "of ACCESS_TEAM_DOMAIN and ACCESS_AUDIENCE one is empty, so no operator can sign in to the console";
  const faults = [
    ...warnings.map((warning) => toDo("configuration", warning, CHANGE)),
    ...broken,
    ...(isHalf ? [toDo("configuration", half, CHANGE)] : []),
  ];
  if (faults.length > 0) return faults;
  const links =
    deployed && !env.BASE_URL ? "; BASE_URL is empty, so links in errors follow the Host header of the request" : "";
  return [good("configuration", `${Object.keys(vars).length} variables in wrangler.toml, none refused${links}`)];
}
