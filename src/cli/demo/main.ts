/**
 * `npm run demo`: runs both flows, and what a bank does for its customer, against a running service, as a bank's backend
 * would; and on a service of its own what proves an answer, and who is told of a change. Prints each request and answer; exits with 1 if an answer is not as expected.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Command } from "commander";
import { PspGate } from "../../client/index.ts";
import { clock } from "../../platform/clock.ts";
import { makeSecret } from "../../platform/secrets.ts";
import { findLocalAddress } from "../start/local-address.ts";
import { runCoreFlow } from "./core-flow.ts";
import { runCustomer } from "./customer.ts";
import { runEvidence } from "./evidence.ts";
import { runOpenBankingFlow } from "./open-banking-flow.ts";
import { Steps, WalkEnded } from "./steps.ts";

// of process-group.ts, which has ended without a word; the channel to it keeps no program alive
process.on("disconnect", () => process.kill(0, "SIGKILL"));
process.channel?.unref();

const CERTIFICATES = join(import.meta.dirname, "../../../fixtures/certificates");

const program = new Command("npm run demo --")
  .description("walks through both flows; another service than `npm start`'s must trust the sandbox's certificates")
  .option("--base-url <url>", "the service; by default what npm start serves here", await findLocalAddress())
  .option("--client-id <id>", "API credentials of the FI", "sandbox-fi")
  .option("--secret <secret>", "API credentials of the FI", "sandbox-secret")
  .option("--fi-reference-id <reference>", "NCA reference of the FI", "PSDXX-TEST-FI0001")
  .option("--certificates <folder>", "the folder with scenario-1.pem and accounts-only.pem", CERTIFICATES)
  .option("--no-evidence", "leave out the part that starts a service of its own")
  .parse();

interface Options {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly secret: string;
  readonly fiReferenceId: string;
  readonly certificates: string;
  readonly evidence: boolean;
}
const { baseUrl, certificates, secret, evidence, ...credentials } = program.opts<Options>();

const readCertificate = (name: string): Promise<string> => readFile(join(certificates, `${name}.pem`), "utf8");

const steps = new Steps(baseUrl.replace(/\/+$/, ""));
let ended = false;
try {
  // of a service within the bank's own network the name may be any, and its address plain http
  const options = { ...credentials, baseUrl, clientSecret: secret, fetch: steps.fetch, allowHttp: true };
  const story = {
    steps,
    gate: new PspGate(options),
    latest: new PspGate({ ...options, version: "latest" }),
    /** Has both roles. */
    psp: await readCertificate("scenario-1"),
    /** Has the role of account information only. */
    accountsOnlyPsp: await readCertificate("accounts-only"),
    // a new id, so that the demo can be repeated on the same service
    accountId: `demo-${makeSecret(9)}`,
  };
  await runCoreFlow(story);
  await runOpenBankingFlow(story);
  await runCustomer(story);
  if (evidence) await runEvidence(steps, story.psp, clock.now());
  ended = true;
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  const hint = message.includes("no answer from")
    ? ": it walks through a running service, npm start in another terminal"
    : "";
  if (!(error instanceof WalkEnded)) console.error(`\nerror: ${message}${hint}`);
}
console.log(`\n${steps.count - Math.min(steps.failures, steps.count)} of ${steps.count} steps as they should be`);
// what failed between two steps is none of them
process.exitCode = ended && steps.failures === 0 ? 0 : 1;
