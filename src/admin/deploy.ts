/**
 * `npm run deploy`: builds and deploys the Worker (wrangler makes D1 and KV on first use), migrates the database, and
 * makes the first token key when there is none. Nothing of the sandbox goes along. Needs `npx wrangler login`, or
 * CLOUDFLARE_API_TOKEN.
 */
import { addRemoteKey, listRemoteKids } from "./keys.ts";
import { wrangler } from "./wrangler.ts";

for (const step of [["deploy"], ["d1", "migrations", "apply", "DB", "--remote"]]) {
  const { code, output } = await wrangler(step);
  console.log(output);
  if (code !== 0) process.exit(code);
}
if ((await listRemoteKids()).length === 0) console.log(`made the first token key: ${await addRemoteKey()}`);
