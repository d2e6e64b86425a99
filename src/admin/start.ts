/**
 * `npm start`: creates missing local secrets, migrates, loads the sandbox, and serves. Everything it writes is local
 * (.dev.vars, .wrangler/); the sandbox is never deployed.
 */
import { makeLocalKey } from "./keys.ts";
import { seedSandbox } from "./sandbox.ts";
import { readSandbox } from "./sandbox-files.ts";
import { DEV_VARS, STATE, withStores } from "./stores.ts";
import { serveWithWrangler } from "./wrangler.ts";

const DEFAULT_PORT = "8787";

await makeLocalKey();
const sandbox = await readSandbox();
await withStores({ remote: false }, ({ env }) => seedSandbox(env, sandbox));

const given = process.argv.slice(2);
const port = given.some((argument) => argument.startsWith("--port")) ? [] : ["--port", DEFAULT_PORT];
// for clients under development, whose redirect URI is on the same machine; a later --var argument overrides it
const vars = ["--var", "NATIVE_REDIRECTS:loopback"];
const local = ["--ip", "127.0.0.1", "--persist-to", STATE, "--env-file", DEV_VARS, ...vars];
process.exit(await serveWithWrangler(["dev", "--show-interactive-dev-session=false", ...local, ...port, ...given]));
