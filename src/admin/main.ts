/** `npm run admin -- <noun> <verb>`: the operator's command line. Each noun has a file in this folder. */
import "./lean-heap.ts";
import { Command } from "commander";
import { addAccountCommands } from "./account.ts";
import { addCertificateCommands } from "./certificate.ts";
import { findCommandError } from "./fail.ts";
import { addFiCommands } from "./fi.ts";
import { addKeyCommands } from "./keys.ts";
import { addPspCommands } from "./psp.ts";
import { addRefreshCommand } from "./refresh.ts";
import { addRegisterCommands } from "./register.ts";
import { addStatusCommand } from "./status.ts";
import { addTrustCommands } from "./trust.ts";

const program = new Command("npm run admin --").description(
  "Runs the service: credentials, keys, trusted lists, registers. Commands work on the local stores of `npm start`; --remote on the deployed service.",
);
addFiCommands(program);
addKeyCommands(program);
addAccountCommands(program);
addTrustCommands(program);
addRegisterCommands(program);
addCertificateCommands(program);
addPspCommands(program);
addRefreshCommand(program);
addStatusCommand(program);

try {
  await program.parseAsync();
} catch (error) {
  const known = findCommandError(error);
  if (!known) throw error;
  console.error(`error: ${known.message}`);
  process.exitCode = 1;
}
