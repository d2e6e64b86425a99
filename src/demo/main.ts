/**
 * `npm run demo`: runs both flows, and what a bank does for its customer, against a running service, as a bank's backend
 * would. Prints each request and answer; exits with 1 if an answer is not as expected.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Command } from "commander";
import { makeSecret } from "../secrets.ts";
import { type Credentials, identify, makeBank } from "./bank.ts";
import { runCoreFlow } from "./core-flow.ts";
import { runCustomer } from "./customer.ts";
import { runOpenBankingFlow } from "./open-banking-flow.ts";
import { Steps } from "./steps.ts";

const CERTIFICATES = join(import.meta.dirname, "../../fixtures/certificates");

const program = new Command("npm run demo --")
  .description("walks through both flows; another service than `npm start`'s must trust the sandbox's certificates")
  .option("--base-url <url>", "the service", "http://127.0.0.1:8787")
  .option("--client-id <id>", "API credentials of the FI", "sandbox-fi")
  .option("--secret <secret>", "API credentials of the FI", "sandbox-secret")
  .option("--fi-reference-id <reference>", "NCA reference of the FI", "PSDXX-TEST-FI0001")
  .option("--certificates <folder>", "the folder with scenario-1.pem and accounts-only.pem", CERTIFICATES)
  .parse();

interface Options extends Credentials {
  readonly baseUrl: string;
  readonly certificates: string;
}
const { baseUrl, certificates, ...credentials } = program.opts<Options>();

/** A certificate in the form of the header: base64 of the DER. */
const readCertificate = async (name: string): Promise<string> =>
  (await readFile(join(certificates, `${name}.pem`), "utf8")).replaceAll(/-----[^-]+-----|\s/g, "");

const steps = new Steps(makeBank(fetch, baseUrl.replace(/\/+$/, ""), identify(credentials)));
const story = {
  steps,
  /** Has both roles. */
  psp: await readCertificate("scenario-1"),
  /** Has the role of account information only. */
  accountsOnlyPsp: await readCertificate("accounts-only"),
  // a new id, so that the demo can be repeated on the same service
  accountId: `demo-${makeSecret(9)}`,
};
try {
  await runCoreFlow(story);
  await runOpenBankingFlow(story);
  await runCustomer(story);
} catch (error) {
  // fetch has the reason in `cause`
  const reason = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  console.error(`\nerror: ${baseUrl}: ${reason instanceof Error ? reason.message : String(reason)}`);
  steps.failures++;
}
console.log(`\n${steps.count - Math.min(steps.failures, steps.count)} of ${steps.count} steps as they should be`);
process.exitCode = steps.failures > 0 ? 1 : 0;
