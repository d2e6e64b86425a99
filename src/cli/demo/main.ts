/**
 * `npm run demo`: runs the steps of guides against a running service, as they are printed, and tells them: each with its words,
 * its command and the answer. Ends with 1 at the first answer that is not what its guide promises.
 */
import { Command } from "commander";
import { LOCAL_ADDRESS } from "../../reference/code-block.ts";
import { GUIDES, readGuide } from "../../reference/guides.ts";
import { findLocalAddress } from "../start/local-address.ts";
import { compareAnswer, GuideShell, readBlocks } from "./guide-steps.ts";

// of process-group.ts, which has ended without a word; the channel to it keeps no program alive
process.on("disconnect", () => process.kill(0, "SIGKILL"));
process.channel?.unref();

const FLOWS = ["first-check", "core-flow", "open-banking-flow", "consents"];
const EVIDENCE = ["evidence", "events"];
const MAX_SHOWN_CHARACTERS = 300;

const program = new Command("npm run demo --")
  .description("runs the steps of guides; another service than `npm start`'s must trust the sandbox's certificates")
  .argument("[guides...]", `names of guides, as at /docs; by default ${[...FLOWS, ...EVIDENCE].join(", ")}`)
  .option("--base-url <url>", "the service; by default what npm start serves here", await findLocalAddress())
  .option("--client-id <id>", "API credentials of the FI", "sandbox-fi")
  .option("--secret <secret>", "API credentials of the FI", "sandbox-secret")
  .option("--fi-reference-id <reference>", "NCA reference of the FI", "PSDXX-TEST-FI0001")
  .option("--certificates <folder>", "the folder with the certificates of the sandbox", "fixtures/certificates")
  .option("--no-evidence", "leave out evidence and events, whose commands work on the stores of this machine")
  .parse();

interface Options {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly secret: string;
  readonly fiReferenceId: string;
  readonly certificates: string;
  readonly evidence: boolean;
}
const { baseUrl, clientId, secret, fiReferenceId, certificates, evidence } = program.opts<Options>();

/** The guide's words with the address, the credentials and the folder that were given. */
const fill = (guide: string): string =>
  guide
    .replaceAll(LOCAL_ADDRESS, baseUrl.replace(/\/+$/, ""))
    .replaceAll("sandbox-fi:sandbox-secret", `${clientId}:${secret}`)
    .replaceAll("PSDXX-TEST-FI0001", fiReferenceId)
    .replaceAll("fixtures/certificates", certificates);

const shorten = (line: string): string =>
  line.length > MAX_SHOWN_CHARACTERS ? `${line.slice(0, 60)}... (${line.length} characters)` : line;
const print = (mark: string, text: string): void => {
  for (const line of text.split("\n")) console.log(`   ${mark} ${shorten(line)}`);
};

let count = 0;

/** Throws at the first answer that is another. */
async function walk(name: string): Promise<void> {
  const guide = GUIDES.find((one) => one.name === name);
  if (!guide) throw new Error(`there is no guide ${name}; there are ${GUIDES.map((one) => one.name).join(", ")}`);
  console.log(`\n== ${guide.title} ==`);
  const shell = new GuideShell(null, { ownGroup: false });
  try {
    const blocks = readBlocks(fill(await readGuide(guide)));
    let output = "";
    for (const { lang, text } of blocks) {
      if (lang === null && text !== "") console.log(`\n${text}`);
      if (lang === "sh") {
        count++;
        console.log(`\n${count}.`);
        print("$", text);
        output = await shell.run(text);
        if (output !== "") print("|", output);
      }
      if (lang !== "json" && lang !== "text") continue;
      const [fault] = compareAnswer({ lang, text }, output);
      if (fault !== undefined) throw new Error(fault);
      console.log("   ✓ as the guide says");
    }
  } finally {
    await shell.end();
  }
}

try {
  const answer = await fetch(`${baseUrl}/health`).catch(() => null);
  if (!answer?.ok) {
    const hint = "it walks through a running service, npm start in another terminal";
    throw new Error(`no answer from ${baseUrl}: ${hint}`);
  }
  for (const name of program.args.length > 0 ? program.args : [...FLOWS, ...(evidence ? EVIDENCE : [])])
    await walk(name);
} catch (error) {
  console.error(
    `\n${count > 0 ? `   ✗ step ${count}` : "error"}: ${error instanceof Error ? error.message : String(error)}`,
  );
  process.exitCode = 1;
}
console.log(`\n${process.exitCode === 1 ? Math.max(0, count - 1) : count} of ${count} steps as they should be`);
