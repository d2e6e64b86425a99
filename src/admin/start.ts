/**
 * `npm start`: creates missing local secrets, migrates, loads the sandbox, and serves. Everything it writes is local
 * (.dev.vars, .wrangler/); the sandbox is never deployed.
 */
import { join } from "node:path";
import { buildSite } from "../site/build.ts";
import { ROOT } from "./configuration.ts";
import { watchDevVars } from "./dev-vars-watch.ts";
import { makeLocalKey } from "./key-files.ts";
import { seedSandbox } from "./sandbox.ts";
import { readSandbox } from "./sandbox-files.ts";
import { makeLocalSigningKey } from "./signing-key-files.ts";
import { DEV_VARS, STATE, withStores } from "./stores.ts";
import { environmentOption, LOCAL } from "./target.ts";
import { serveWithWrangler } from "./wrangler.ts";

const DEFAULT_PORT = "8787";

await makeLocalKey();
await makeLocalSigningKey();
const sandbox = await readSandbox();
const site = await buildSite({ sandbox: true });
await withStores(LOCAL, ({ env }) => seedSandbox(env, sandbox), { pending: "apply" });

const given = process.argv.slice(2);
const port = given.some((argument) => argument.startsWith("--port")) ? [] : ["--port", DEFAULT_PORT];
// for clients under development, whose redirect URI is on the same machine, and for the console's pages for operators; a later --var argument overrides it
const vars = ["--var", "NATIVE_REDIRECTS:loopback", "--var", "CONSOLE_LOCAL_OPERATOR:on"];
const environment = environmentOption(null);
const local = [
  "--ip",
  "127.0.0.1",
  "--persist-to",
  STATE,
  "--env-file",
  DEV_VARS,
  "--assets",
  site,
  ...environment,
  ...vars,
];
const configuration = given[given.indexOf("--config") + 1];
watchDevVars(DEV_VARS, given.includes("--config") && configuration ? configuration : join(ROOT, "wrangler.toml"));
process.exit(await serveWithWrangler(["dev", "--show-interactive-dev-session=false", ...local, ...port, ...given]));
