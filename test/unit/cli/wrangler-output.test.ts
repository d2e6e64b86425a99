import { expect, test } from "vitest";
import { makeLineFilter } from "../../../src/cli/serve.ts";

const STARTED = `
 ⛅️ wrangler 4.156.2 (update available \u001b[32m4.164.0\u001b[39m)
───────────────────────────────────────────────
Using secrets defined in .dev.vars
[custom build] Running: node src/cli/build.ts
Attaching additional modules:
┌────────────────────┬──────┬───────────┐
│ Name               │ Type │ Size      │
├────────────────────┼──────┼───────────┤
│ modules/console.js │ esm  │ 20.58 KiB │
└────────────────────┴──────┴───────────┘
Your Worker has access to the following bindings:
Binding                                  Resource                  Mode
\u001b[34menv.LEDGER (Ledger)\u001b[39m                      Durable Object            local
env.BASE_URL ("")                        Environment Variable      local
env.TOKEN_KEY_20261123T034456Z ("(hidden)")  Environment Variable      \u001b[2mlocal\u001b[22m

▲ [WARNING] Scheduled Workers are not automatically triggered during local development.

  To manually trigger a scheduled event, run:
    curl "http://127.0.0.1:8787/cdn-cgi/local/scheduled"
  For more details, see https://developers.cloudflare.com/workers/configuration/cron-triggers/#test-cron-triggers-locally


\u001b[2m⎔ Starting local server...\u001b[22m
[wrangler:info] Ready on http://127.0.0.1:8787
{"time":"2026-11-23T03:45:06.964Z","method":"GET","route":"/v1/oauth2/tokens/{token}","status":200}
[wrangler:info] GET /v1/oauth2/tokens/secret 200 OK (12ms)
⎔ Reloading local server...
`;

const FAILED = `✘ [ERROR] Build failed with 1 error:

  ✘ [ERROR] Could not resolve "./absent.ts"

      src/index.ts:3:7:
        3 │ import "./absent.ts"

env.example says nothing of it
▲ [WARNING] Processing wrangler.toml configuration:

    - Unexpected fields found in top-level field: "nonsense"
`;

const shown = (output: string) => output.split("\n").slice(0, -1).filter(makeLineFilter());

test("of a start the address and the service's own lines are left", () => {
  expect(shown(STARTED)).toEqual([
    expect.stringContaining("Ready on http://127.0.0.1:8787"),
    expect.stringContaining('"route":"/v1/oauth2/tokens/{token}"'),
  ]);
});

test("of errors and other warnings nothing is hidden", () => {
  expect(shown(FAILED)).toEqual(FAILED.split("\n").slice(0, -1));
});
