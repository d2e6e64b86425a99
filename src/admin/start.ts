/**
 * `npm start`: makes local secrets when missing, migrates, loads the sandbox, and serves.
 * Everything it makes is local (.dev.vars, .wrangler/): nothing of the sandbox is ever in a deployed service.
 */
import { makeLocalKey } from "./keys.ts";
import { seedSandbox } from "./sandbox.ts";
import { readSandbox } from "./sandbox-files.ts";
import { DEV_VARS, STATE, withStores } from "./stores.ts";
import { serveWithWrangler, wrangler } from "./wrangler.ts";

const DEFAULT_PORT = "8787";

await makeLocalKey();
const migrations = await wrangler(["d1", "migrations", "apply", "DB", "--local", "--persist-to", STATE]);
if (migrations.code !== 0) {
  console.error(migrations.output);
  process.exit(migrations.code);
}
const sandbox = await readSandbox();
await withStores({ remote: false }, ({ env }) => seedSandbox(env, sandbox));

const given = process.argv.slice(2);
const port = given.some((argument) => argument.startsWith("--port")) ? [] : ["--port", DEFAULT_PORT];
// whoever develops against the sandbox is called back on the same machine; a --var given behind it wins
const vars = ["--var", "NATIVE_REDIRECTS:loopback"];
const local = ["--ip", "127.0.0.1", "--persist-to", STATE, "--env-file", DEV_VARS, ...vars];
process.exit(await serveWithWrangler(["dev", "--show-interactive-dev-session=false", ...local, ...port, ...given]));
