/** `status` and `doctor`: how the service is, and what is to be done. */
import type { Command } from "commander";
import { clock } from "../../platform/clock.ts";
import { VERSION } from "../../platform/version.ts";
import { describeFindings, exitCodeOf, stateOf } from "../doctor/finding.ts";
import { EXIT } from "../fail.ts";
import { print } from "../output.ts";
import { needsMigrating, withStores } from "../stores.ts";
import { type Common, commandsOf, targetOf } from "../target.ts";

export function addStatusCommand(program: Command): void {
  commandsOf(program)(
    "status",
    "show which trusted lists, registers and CRLs are loaded, their age, when they expire, and what is wrong",
  )
    .addHelpText(
      "after",
      "\nIt ends with 0 if the service is up, with 1 if it is degraded, lacks a database, or needs migrating.",
    )
    .action(async (options: Common) => {
      const { configurationWarnings } = await import("../../http/errors/errors.ts");
      const { lifetimeWarnings } = await import("../../grants/token-lifetimes.ts");
      const { ledgerWarnings } = await import("../../evidence/ledger/ledger-settings.ts");
      const { readLedgerSettings } = await import("../doctor/ledgers.ts");
      const { describeStatus, readSources } = await import("./text.ts");
      const target = targetOf(options);
      const at = clock.now();
      const read = async ({ env, pending }: { env: Env; pending: readonly string[] }) => {
        const warnings = [
          ...configurationWarnings(env),
          ...lifetimeWarnings(env),
          ...ledgerWarnings(readLedgerSettings(target)),
        ];
        // its tables may lack what is read
        if (pending.length > 0) return { status: "unknown", version: VERSION, migrations: pending, warnings } as const;
        return { version: VERSION, migrations: [], ...(await readSources(env, at)), warnings };
      };
      const status = await withStores(target, read, { pending: "open" });
      print(status, options, (style) =>
        status.status === "unknown"
          ? `${style.bad("✗ needs migrating:")} ${needsMigrating(status.migrations, target.remote)}`
          : describeStatus(status, at, style),
      );
      const whole =
        status.status === "up" &&
        status.copyFaults.length === 0 &&
        status.databases.every(({ error }) => error === null);
      if (!whole) process.exitCode = EXIT.no;
    });
}

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
      const { examine } = await import("../doctor/examination.ts");
      const findings = await examine(targetOf(options), clock.now());
      const status = stateOf(findings);
      print({ status, version: VERSION, findings }, options, (style) => describeFindings(findings, style));
      process.exitCode = exitCodeOf(status);
    });
}
