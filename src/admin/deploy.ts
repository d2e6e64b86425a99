/**
 * `npm run deploy`: builds and deploys the Worker (wrangler creates D1 and KV on first use), migrates the database, and
 * creates the first token key if there is none. Does not deploy the sandbox. Needs `npx wrangler login`, or
 * CLOUDFLARE_API_TOKEN.
 */
import { join } from "node:path";
import { unstable_readConfig } from "wrangler";
import { readBaseUrl } from "../base-url.ts";
import { addRemoteKey, listRemoteKids } from "./keys.ts";
import { ROOT } from "./stores.ts";
import { wrangler } from "./wrangler.ts";

const { vars } = unstable_readConfig({ config: join(ROOT, "wrangler.toml") });
const base = readBaseUrl(String(vars["BASE_URL"] ?? ""));
if (!base.ok) {
  console.error(`error: nothing was deployed: ${base.message} (wrangler.toml)`);
  process.exit(1);
}

const DEPLOY = ["deploy", "--minify", "--upload-source-maps"];
for (const step of [DEPLOY, ["d1", "migrations", "apply", "DB", "--remote"]]) {
  const { code, output } = await wrangler(step);
  console.log(output);
  if (code !== 0) process.exit(code);
}
if ((await listRemoteKids()).length === 0) console.log(`made the first token key: ${await addRemoteKey()}`);
