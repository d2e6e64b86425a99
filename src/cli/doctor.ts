/** `doctor`: looks at all that the service needs to work, and says for each what to do. It changes nothing. */
import type { Command } from "commander";
import { clock } from "../platform/clock.ts";
import { VERSION } from "../platform/version.ts";
import { CommandError } from "./fail.ts";
import { describeFindings, exitCodeOf, type Finding, good, stateOf, toDo, unknown } from "./finding.ts";
import { print } from "./output.ts";
import { needsMigrating, withStores } from "./stores.ts";
import { type Common, commandsOf, type Target, targetOf } from "./target.ts";

export function addDoctorCommand(program: Command): void {
  commandsOf(program)(
    "doctor",
    "look at configuration, stores, sources, clock, token keys and the root of trust, and say what to do",
  )
    .addHelpText(
      "after",
      `
It ends with 0 if nothing is to be done, with 1 if something is, and with 3 if something could not be found out.

Examples:
  doctor
  doctor --remote --json`,
    )
    .action(async (options: Common) => {
      const findings = await examine(targetOf(options), clock.now());
      const status = stateOf(findings);
      print({ status, version: VERSION, findings }, options, (style) => describeFindings(findings, style));
      process.exitCode = exitCodeOf(status);
    });
}

/** `now`: milliseconds since 1970. */
async function examine(target: Target, now: number): Promise<Finding[]> {
  const { readDeploymentTables } = await import("./deployment-tables.ts");
  const { findLedger, readLedgerSettings } = await import("./settings-check.ts");
  const { findSettings } = await import("./settings-check.ts");
  const { askSourceTime, judgeClock } = await import("./settings-check.ts");
  const { environment, remote } = target;
  const { vars } = readDeploymentTables(environment);
  const sources = ["LOTL_URL", "EBA_METADATA_URL"]
    .map((name) => String(vars[name] ?? ""))
    .filter((url) => URL.canParse(url));
  const [time, ofStores] = await Promise.all([askSourceTime(sources), examineStores(target, vars, now)]);
  return [...findSettings(vars, remote), findLedger(readLedgerSettings(target)), ...ofStores, judgeClock(time)];
}

/** Stores, sources, keys and the root of trust; whatever does not answer is unknown, and the rest is shown. */
async function examineStores(target: Target, vars: Readonly<Record<string, unknown>>, now: number): Promise<Finding[]> {
  const { listKids } = await import("./keys.ts");
  const { listSigningKeys } = await import("./signing-keys.ts");
  const { countLiveTokens } = await import("../grants/key-use.ts");
  const { findDamage, findWithheld } = await import("./settings-check.ts");
  const { readSources } = await import("./status-text.ts");
  const { findKeys, findRoot, findSources } = await import("./doctor-findings.ts");
  const { findRoom } = await import("./doctor-findings.ts");
  const { findDatabases, findDeliveries } = await import("./doctor-databases.ts");
  const flags = target.environment === null ? (target.remote ? " --remote" : "") : ` --env ${target.environment}`;
  const command = (words: string) => `npm run admin -- ${words}${flags}`;
  const unanswered = (area: "stores" | "token keys", error: unknown) => {
    const message = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
    const login = target.remote
      ? "log in (npx wrangler login) and look at the network"
      : "look at npm start's folder .wrangler";
    return unknown(area, message, `${login}, then run the doctor again`);
  };
  const keysOf = async (env: Env): Promise<Finding[]> => {
    const names = await Promise.all([listKids(target), listSigningKeys(target)]).catch((error: unknown) => {
      if (error instanceof CommandError) return error;
      throw error;
    });
    if (names instanceof CommandError) return [unanswered("token keys", names)];
    const [kids, signingKeys] = names;
    return [
      ...findKeys(kids, await countLiveTokens(env, now), Number(vars["CCG_TOKEN_SECONDS"]), command, now),
      ...findRoom(Object.keys(vars).length + kids.length, signingKeys, vars["EVIDENCE_RETENTION_DAYS"], now),
    ];
  };
  try {
    return await withStores(
      target,
      async ({ env, pending }) => {
        // its tables may lack what is read
        if (pending.length > 0)
          return [
            toDo("stores", needsMigrating(pending, target.remote), target.remote ? "npm run deploy" : "npm start"),
          ];
        const [read, keys, withheld, damage] = await Promise.all([
          readSources(env, now),
          keysOf(env),
          findWithheld(env.DB, vars["LEDGER_RECORDS"], command),
          findDamage(env.DB, command),
        ]);
        return [
          ...withheld,
          ...damage,
          good("stores", "D1 and KV answer, and every migration is applied"),
          ...findDatabases(read.databases, read.copyFaults, command),
          ...findSources(read, command, now),
          ...keys,
          ...findDeliveries(read.deliveries, command, now),
          ...findRoot(read.rootOfTrust, now),
        ];
      },
      { pending: "open" },
    );
  } catch (error) {
    return [unanswered("stores", error)];
  }
}
