/** The operator's command line: every noun has a file in this folder. Importing it runs nothing. */

import { Command, CommanderError } from "commander";
import { VERSION } from "../platform/version.ts";
import { addBackupCommands } from "./backup/backup.ts";
import { addDatabaseCommands } from "./database/database.ts";
import { addAuditCommands } from "./evidence/audit.ts";
import { addEvidenceCommands } from "./evidence/evidence.ts";
import { complain, EXIT, type ExitCode, findKnownFailure } from "./fail.ts";
import { addAccountCommands } from "./institution/account.ts";
import { addFiCommands } from "./institution/fi.ts";
import { addKeyImportCommand } from "./keys/import.ts";
import { addKeyCommands } from "./keys/keys.ts";
import { addSigningKeyCommands } from "./keys/signing-keys.ts";
import { nameAllMissing } from "./missing-input.ts";
import { addCertificateCommands, addPspCommands } from "./psp.ts";
import { addSandboxCertificate } from "./sandbox/certificate.ts";
import { addSandboxPspCommands } from "./sandbox/psp.ts";
import { addSandboxRevoke } from "./sandbox/revoke.ts";
import { addRefreshCommand, addRegisterCommands, addTrustCommands } from "./sources/sources.ts";
import { addDoctorCommand, addStatusCommand } from "./status/status.ts";
import { addWebhookCommands } from "./webhook/webhook.ts";

const AFTER_HELP = `
Commands work on the local stores of npm start; with --remote on the deployed service, with --env on the deployment of
that name. On a terminal they print a text for people, into a pipe or a file JSON; --json and --no-json choose.

Exit codes: ${EXIT.yes} yes or done, ${EXIT.no} no or not done, ${EXIT.usage} the command line is not understood, ${EXIT.unknown} it could not be found out.

Examples:
  npm run admin -- status
  npm run admin -- fi add --name 'My Bank' --reference PSDFI-FINFSA-0001
  npm run admin -- register import fixtures/register-example.csv`;

function makeProgram(): Command {
  const program = new Command("npm run admin --")
    .description("Runs the service: credentials, keys, trusted lists, registers.")
    .version(VERSION, "--version", "print the version of psp-gate")
    .addHelpText("after", AFTER_HELP)
    .showHelpAfterError("(--help shows what there is)")
    // before the commands, which inherit it
    .exitOverride();
  addFiCommands(program);
  addKeyImportCommand(addKeyCommands(program));
  addSigningKeyCommands(program);
  addAccountCommands(program);
  addTrustCommands(program);
  addRegisterCommands(program);
  addCertificateCommands(program);
  addPspCommands(program);
  addEvidenceCommands(program);
  addAuditCommands(program);
  addRefreshCommand(program);
  addStatusCommand(program);
  addDoctorCommand(program);
  addDatabaseCommands(program);
  addWebhookCommands(program);
  addBackupCommands(program);
  const sandbox = addSandboxPspCommands(program);
  addSandboxCertificate(sandbox);
  addSandboxRevoke(sandbox);
  nameAllMissing(program);
  return program;
}

/** Runs one command line, without the program's own name; returns the exit code. Throws only bugs. */
export async function runCommand(args: readonly string[]): Promise<ExitCode> {
  process.exitCode = EXIT.yes;
  try {
    await makeProgram().parseAsync(args, { from: "user" });
    return process.exitCode as ExitCode;
  } catch (error) {
    // commander has printed the help, or what it does not understand
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.yes : EXIT.usage;
    const known = findKnownFailure(error);
    if (!known) throw error;
    complain(known.message);
    return known.exitCode;
  }
}
