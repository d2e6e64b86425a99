/** What `doctor` looks at: the configuration, the stores with all that is in them, the keys, the clock. */

import { existsSync } from "node:fs";
import { countLiveTokens } from "../../grants/token-keys.ts";
import type { CopyFault } from "../../institutions/institution-placement.ts";
import type { Instant } from "../../platform/instant.ts";
import { fillMessage } from "../../refresh/retention.ts";
import type { DatabaseReading } from "../database/database.ts";
import { readDeploymentTables } from "../deployment/tables.ts";
import { findExports, listExports } from "../evidence/exports.ts";
import { CommandError } from "../fail.ts";
import { folderOf, listSealed } from "../keys/custody.ts";
import { listKids, PREFIX } from "../keys/keys.ts";
import { listSigningKeys, nameSecret } from "../keys/signing-keys.ts";
import { describeCopyFault, readSources } from "../status/text.ts";
import { needsMigrating, withStores } from "../stores.ts";
import type { Target } from "../target.ts";
import {
  cureOf as cureOfWebhook,
  type DeliveryCounts,
  describeFailing,
  describeRotating,
  MOST_NAMED,
  needsCare,
} from "../webhook/reading.ts";
import { findUnchosen } from "./bank-passports.ts";
import { type Finding, good, toDo, unknown } from "./finding.ts";
import { findCustody, findKeys, findRoom, findRoot, findSources } from "./findings.ts";
import { findDamage, findLedger, findWithheld, readLedgerSettings } from "./ledgers.ts";
import { askSourceTime, judgeClock } from "./machine-clock.ts";
import { findMetricsToken, readMetricsToken } from "./metrics-token.ts";
import { findSettings } from "./settings.ts";

export async function examine(target: Target, now: Instant): Promise<Finding[]> {
  const { environment, remote } = target;
  const { vars } = readDeploymentTables(environment);
  const sources = ["LOTL_URL", "EBA_METADATA_URL"]
    .map((name) => String(vars[name] ?? ""))
    .filter((url) => URL.canParse(url));
  const [time, ofStores] = await Promise.all([askSourceTime(sources), examineStores(target, vars, now)]);
  return [...findSettings(vars, remote), findLedger(readLedgerSettings(target)), ...ofStores, judgeClock(time)];
}

/** What all parts of an examination are given. */
interface Examination {
  readonly target: Target;
  readonly vars: Readonly<Record<string, unknown>>;
  /** A command line of this program, on the same stores as the doctor's. */
  readonly command: (words: string) => string;
  readonly now: Instant;
}

/** Stores, sources, keys and the root of trust; whatever does not answer is unknown, and the rest is shown. */
async function examineStores(target: Target, vars: Examination["vars"], now: Instant): Promise<Finding[]> {
  const flags = target.environment === null ? (target.remote ? " --remote" : "") : ` --env ${target.environment}`;
  const examination = { target, vars, command: (words: string) => `npm run admin -- ${words}${flags}`, now };
  try {
    return await withStores(target, ({ env, pending }) => examineOpened(env, pending, examination), {
      pending: "open",
    });
  } catch (error) {
    return [unanswered("stores", error, target)];
  }
}

function unanswered(area: "stores" | "token keys", error: unknown, { remote }: Target): Finding {
  const message = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
  const login = remote ? "log in (npx wrangler login) and look at the network" : "look at npm start's folder .wrangler";
  return unknown(area, message, `${login}, then run the doctor again`);
}

/** `pending`: migrations that a database lacks. */
async function examineOpened(env: Env, pending: readonly string[], examination: Examination): Promise<Finding[]> {
  const { target, vars, command, now } = examination;
  // its tables may lack what is read
  if (pending.length > 0)
    return [toDo("stores", needsMigrating(pending, target.remote), target.remote ? "npm run deploy" : "npm start")];
  const [sources, keys, withheld, damage, exports, unchosen] = await Promise.all([
    readSources(env, now),
    examineKeys(env, examination),
    findWithheld(env.DB, vars["LEDGER_RECORDS"], command),
    findDamage(env.DB, command),
    vars["LEDGER_RECORDS"] === "off" ? [] : listExports(env.DB),
    findUnchosen(env.DB, command),
  ]);
  const jurisdiction = target.remote ? vars["JURISDICTION"] : "";
  return [
    ...withheld,
    ...unchosen,
    ...damage,
    // local ledgers are rehearsals: nobody has to keep them
    ...findExports(exports, command, now).map((each) => (target.remote ? each : good(each.area, each.message))),
    good("stores", "D1 and KV answer, and every migration is applied"),
    ...(jurisdiction
      ? [good("stores", `D1, R2 and Durable Objects lie in ${jurisdiction}; KV holds public data only`)]
      : []),
    ...findDatabases(sources.databases, sources.copyFaults, command),
    ...findSources(sources, command, now),
    ...keys,
    ...findDeliveries(sources.deliveries, command, now),
    ...findRoot(sources.rootOfTrust, now),
  ];
}

async function examineKeys(env: Env, { target, vars, command, now }: Examination): Promise<Finding[]> {
  const names = await Promise.all([listKids(target), listSigningKeys(target), readMetricsToken(target)]).catch(
    (error: unknown) => {
      if (error instanceof CommandError) return error;
      throw error;
    },
  );
  if (names instanceof CommandError) return [unanswered("token keys", names, target)];
  const [kids, signingKeys, metricsToken] = names;
  const sealable = [...kids.map((kid) => `${PREFIX}${kid}`), ...signingKeys.slice(-1).map(nameSecret)];
  const custody = { recipient: Boolean(vars["KEY_RECIPIENT"]), hasFolder: existsSync(folderOf(target)) };
  const unsigned = "there is no signing key: nothing is signed";
  return [
    findMetricsToken(metricsToken, vars),
    ...findKeys(kids, await countLiveTokens(env, now), Number(vars["CCG_TOKEN_SECONDS"]), command, now),
    // npm start makes the local one
    ...(target.remote && signingKeys.length === 0
      ? [toDo("token keys", unsigned, `make one: ${command("signing-key rotate")}`)]
      : []),
    // the local ones stand in .dev.vars; what retired keys signed is verified by their names
    ...(target.remote ? findCustody(sealable, await listSealed(target), custody, command) : []),
    ...findRoom(Object.keys(vars).length + kids.length, signingKeys, vars["EVIDENCE_RETENTION_DAYS"], now),
  ];
}

/** `command`: a command line of this program, on the same stores as the doctor's. */
export function findDatabases(
  databases: readonly DatabaseReading[],
  copyFaults: readonly CopyFault[],
  command: (words: string) => string,
): Finding[] {
  const silent = databases.flatMap(({ binding, error }) =>
    error === null
      ? []
      : [
          unknown(
            "stores",
            `${binding} does not answer: ${error}`,
            "its institutions get 503: look at D1 in Cloudflare's dashboard",
          ),
        ],
  );
  const full = databases.flatMap(({ binding, held }) => {
    const message = fillMessage(binding, held?.size_bytes ?? 0);
    return message === null ? [] : [toDo("stores", message, "npm run admin -- database add")];
  });
  const faults = copyFaults.map((fault) => toDo("stores", describeCopyFault(fault), cureOf(fault, command)));
  const findings = [...silent, ...full, ...faults];
  if (findings.length > 0 || databases.length === 1) return findings;
  return [good("stores", `${databases.length} databases answer, each with the rows of the institutions placed in it`)];
}

/** What was given up, or waits for an operator. */
function findDeliveries(
  { webhooks, failing, rotating, queue }: Pick<DeliveryCounts, "webhooks" | "failing" | "rotating" | "queue">,
  command: (words: string) => string,
  now: Instant,
): Finding[] {
  const cared = failing.filter((webhook) => needsCare(webhook, now));
  const rest = cared.length - MOST_NAMED;
  const findings = [
    ...cared
      .slice(0, MOST_NAMED)
      .map((webhook) => toDo("webhooks", describeFailing(webhook, now), cureOfWebhook(webhook, command))),
    ...(rest > 0 ? [toDo("webhooks", `${rest} more fail`, `all of them: ${command("status --json")}`)] : []),
  ];
  // it ends by itself
  const overlaps = rotating.map((webhook) => good("webhooks", describeRotating(webhook, now)));
  if (findings.length > 0 || webhooks === 0) return [...findings, ...overlaps];
  return [
    good("webhooks", `${webhooks} get events ${queue ? "by the queue" : "by the scheduled run, without a queue"}`),
    ...overlaps,
  ];
}

function cureOf({ fi_reference_id, binding, fault }: CopyFault, command: (words: string) => string): string {
  switch (fault) {
    case "no binding":
      return `put ${binding} back into wrangler.toml and deploy`;
    case "missing":
    case "different":
      return `set its status again: ${command(`fi enable --reference ${fi_reference_id}`)}, or fi disable`;
    case "orphaned":
      return `if it was restored from a backup, restore all databases of that backup; else delete the row in ${binding}`;
  }
}
