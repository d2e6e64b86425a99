/** The service as `npm run deploy` builds it, in workerd itself: requests reach it without a proxy before it. */
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import { readConfiguration } from "../../src/admin/configuration.ts";
import { makeSecret } from "../../src/secrets.ts";
import { buildSite } from "../../src/site/build.ts";
import { findDescendant } from "../bench/process-usage.ts";

const WRANGLER = join(import.meta.dirname, "../../node_modules/.bin/wrangler");
const NAME = "psp-gate";
const KEPT_COMPLAINTS = 5;

export interface BuiltService {
  /** Without a slash at the end. */
  readonly url: string;
  readonly env: Pick<Env, "DB" | "KV">;
  readonly pid: number;
  /** Of its isolate; null without the inspector. */
  readonly debuggerUrl: string | null;
  /** The first lines of its log that are no line of a request but an error. */
  readonly complaints: readonly string[];
  readonly stop: () => Promise<void>;
}

/** Builds and starts it with empty stores, all of it in `folder`. */
export async function startBuiltService(folder: string, { inspector }: { inspector: boolean }): Promise<BuiltService> {
  await buildSite({ sandbox: false });
  const config = join(folder, "wrangler.toml");
  await writeFile(config, await readConfiguration());
  const out = join(folder, "built");
  // as `npm run deploy` does
  await promisify(execFile)(
    WRANGLER,
    ["deploy", "--dry-run", "--minify", "--outdir", out, "--config", config, "--env", ""],
    {
      env: { ...process.env, CI: "true", WRANGLER_SEND_METRICS: "false" },
    },
  );
  const { workerOptions } = unstable_getMiniflareWorkerOptions(config, "");
  // a Worker with assets is reached through a router: no request of a run is for a page
  const { modulesRules: _, assets: __, bindings, ...options } = workerOptions;
  const complaints: string[] = [];
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      host: "127.0.0.1",
      port: 0,
      ...(inspector && { inspectorPort: 0 }),
      resourcePersistencePath: join(folder, "stores"),
      // read like a log shipper would, and thrown away
      handleStructuredLogs: ({ level, message }) => {
        if (level === "error" && complaints.length < KEPT_COMPLAINTS) complaints.push(message);
      },
      workers: [
        {
          ...options,
          name: NAME,
          bindings: { ...(bindings as Record<string, string | number>), TOKEN_KEY_load: makeSecret() },
          rootPath: out,
          modulesRoot: out,
          modules: [{ type: "ESModule", path: join(out, "index.js") }],
          // of the Worker itself: miniflare's own entry stands aside
          unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
          // each connection has source addresses of its own
          stripCfConnectingIp: false,
        },
      ],
    }),
  );
  await miniflare.ready;
  const { origin } = await miniflare.unsafeGetDirectURL(NAME);
  const debuggerUrl = inspector ? `${await miniflare.getInspectorURL()}core:user:${NAME}` : null;
  const env = await miniflare.getBindings<Pick<Env, "DB" | "KV">>();
  return {
    url: origin,
    env,
    pid: await findDescendant("workerd"),
    debuggerUrl,
    complaints,
    stop: () => miniflare.dispose(),
  };
}
