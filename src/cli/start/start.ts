/**
 * `npm start`: creates missing local secrets, migrates, loads the sandbox, and serves. Everything it writes is local
 * (.dev.vars, .wrangler/); the sandbox is never deployed.
 */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { clock } from "../../platform/clock.ts";
import { VERSION } from "../../platform/version.ts";
import { buildSite } from "../build/site.ts";
import { buildWorker } from "../build/worker-modules.ts";
import { ROOT } from "../configuration.ts";
import { complain, EXIT, findKnownFailure } from "../fail.ts";
import { makeLocalKey } from "../keys/keys.ts";
import { makeLocalSigningKey } from "../keys/signing-keys.ts";
import { openCa } from "../sandbox/ca-key.ts";
import { readSandbox } from "../sandbox/files.ts";
import { seedSandbox } from "../sandbox/sandbox.ts";
import { DEV_VARS, STATE, type Stores, withStores } from "../stores.ts";
import { environmentOption, LOCAL } from "../target.ts";
import { LOCAL_TARGETS } from "../webhook/local-deliveries.ts";
import { removeAddress, type WrittenAddress, writeAddress } from "./address-file.ts";
import { DEFAULT_PORT, HOST, lockState, noteLocalAddress } from "./local-address.ts";
import { letPeopleSignIn } from "./sandbox-people.ts";
import { readPath, readPort, requireFreePort, serveWithWrangler, watchDevVars } from "./serve.ts";

let written: WrittenAddress | undefined;
// of process-group.ts, which has ended without a word
process.on("disconnect", () => {
  if (written) removeAddress(written);
  process.kill(0, "SIGKILL");
});

const HELP = `Usage: npm start -- [--port NUMBER] [--address-file FILE] [--var NAME:VALUE]

Migrates the local stores (.wrangler/), loads the sandbox and serves it at http://${HOST}:${DEFAULT_PORT}. --port: another port, or 0 for any
that is free; --address-file: the file that has the address in one line, from the first answer to the end; --var: another
value of a variable of wrangler.toml. Other options are those of wrangler dev (npx wrangler dev --help).`;

const ADDRESS_FILE = "address-file";
const { values, tokens } = parseArgs({
  ...{ args: process.argv.slice(2), strict: false, tokens: true },
  options: { port: { type: "string" }, [ADDRESS_FILE]: { type: "string" }, help: { type: "boolean", short: "h" } },
});
const { port, help, [ADDRESS_FILE]: addressFile } = values;
/** What wrangler is told, too. */
const given = process.argv.slice(2);
for (const token of tokens.toReversed())
  if (token.kind === "option" && token.name === ADDRESS_FILE) given.splice(token.index, token.inlineValue ? 1 : 2);
if (help) {
  console.log(HELP);
  process.exit(EXIT.yes);
}

let file: string | undefined;
/** Of the service, when it serves. */
let served = "";

async function prepare(): Promise<string> {
  if (addressFile !== undefined) file = readPath(addressFile);
  const chosen = readPort(port ?? DEFAULT_PORT);
  await lockState();
  if (file !== undefined) await rm(file, { force: true });
  await requireFreePort(HOST, chosen);
  // of any port it is known later
  if (chosen > 0) await noteLocalAddress(`http://${HOST}:${chosen}`);
  console.log(`psp-gate ${VERSION} migrates, loads the local sandbox and builds: some seconds`);
  await makeLocalKey();
  await makeLocalSigningKey();
  const sandbox = await readSandbox();
  // in this process: wrangler's own run of build.ts finds nothing to do
  await buildWorker();
  const site = await buildSite({ sandbox: true });
  const ca = await openCa(LOCAL);
  const { loadCa } = await import("../../sandbox/sandbox-load.ts");
  const load = async ({ env }: Stores) => {
    await seedSandbox(env, sandbox);
    await loadCa(env.KV, ca, clock.now());
    await letPeopleSignIn(env, chosen, () => served);
  };
  await withStores(LOCAL, load, { pending: "apply" });
  return site;
}

function endWith(error: unknown): never {
  const known = findKnownFailure(error);
  if (!known) throw error;
  complain(known.message);
  process.exit(known.exitCode);
}

const site = await prepare().catch(endWith);

async function tellReady(address: string): Promise<void> {
  served = address;
  console.log("Open it in a browser, or see it at work by npm run demo in another terminal. Ctrl-C stops it.");
  await noteLocalAddress(address);
  if (file === undefined) return;
  written = await writeAddress(file, address);
  process.send?.(written);
}

// for clients and receivers under development on the same machine, and for the console's pages for operators; a later --var argument overrides it
// workerd on this machine has no jurisdictions
const vars = [
  "--var",
  "JURISDICTION:",
  "--var",
  "NATIVE_REDIRECTS:loopback",
  "--var",
  "CONSOLE_LOCAL_OPERATOR:on",
  "--var",
  `WEBHOOK_TARGETS:${LOCAL_TARGETS}`,
];
const environment = environmentOption(null);
const local = ["--ip", HOST, "--persist-to", STATE, "--env-file", DEV_VARS, "--assets", site, ...environment, ...vars];
const configuration = given[given.indexOf("--config") + 1];
watchDevVars(DEV_VARS, given.includes("--config") && configuration ? configuration : join(ROOT, "wrangler.toml"));
process.exit(
  await serveWithWrangler(
    [
      "dev",
      "--show-interactive-dev-session=false",
      ...local,
      ...(port === undefined ? ["--port", DEFAULT_PORT] : []),
      // wrangler takes the first from 9229 on that is free, and two that start at once the same
      ...(Number(port) === 0 ? ["--inspector-port", "0"] : []),
      ...given,
    ],
    (address) => void tellReady(address).catch(endWith),
  ),
);
