/** What `doctor` says of the variables of wrangler.toml. Pure. */

import { lifetimeWarnings } from "../grants/token-lifetimes.ts";
import { configurationWarnings } from "../http/errors/errors.ts";
import { type Finding, good, toDo } from "./finding.ts";

/** As wrangler reads them: of any type, and perhaps absent in a file of before. */
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
  REGISTER_MAX_AGE_HOURS_EBA: [numberFrom0, "a number of hours; 0 for no limit"],
  REGISTER_MAX_AGE_HOURS_NCA: [numberFrom0, "a number of hours; 0 for no limit"],
  REGISTER_MAX_AGE_HOURS_CREDIT_INSTITUTIONS: [numberFrom0, "a number of hours; 0 for no limit"],
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
  WEBHOOK_TARGETS: [(value) => value === "public", '"public": only tests set "any"'],
  LEGACY_1_6: [(value) => value === "true" || value === "false", '"true" or "false"'],
  LEGACY_1_6_SUNSET: [(value) => isDay(String(value)), "a day such as 2027-11-30"],
  CODE_JURISDICTION: [
    (value) => /^(?:[a-z][a-z-]*)?$/.test(String(value)),
    "a jurisdiction of Durable Objects such as eu, or empty",
  ],
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
