import { expect, test } from "vitest";
import { makeLineFilter } from "../../../src/cli/start/serve.ts";
import { readComplaint } from "../../../src/cli/wrangler.ts";

const STARTED = `
 ⛅️ wrangler 4.156.2 (update available \u001b[32m4.164.0\u001b[39m)
───────────────────────────────────────────────
Using secrets defined in .dev.vars
[custom build] Running: node src/cli/build/build.ts
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

const TRIGGERS = `Deployed psp-gate triggers (0.13 sec)
  https://psp-gate.a-bank.workers.dev

✘ [ERROR] Trigger configuration for "psp-gate" was only partially updated:

  
    Cron schedules:
      - A request to the Cloudflare API (/accounts/0/workers/scripts/psp-gate/schedules) failed.
        - You have exceeded the limit of 5 Cron Triggers. [code: 10072]
  
  Successful trigger changes were not rolled back.


🪵  Logs were written to "/root/.config/.wrangler/logs/wrangler.log"
`;

test.each([
  [
    "an error in several paragraphs",
    TRIGGERS,
    'Trigger configuration for "psp-gate" was only partially updated:\nCron schedules:\n- A request to the Cloudflare API (/accounts/0/workers/scripts/psp-gate/schedules) failed.\n- You have exceeded the limit of 5 Cron Triggers. [code: 10072]\nSuccessful trigger changes were not rolled back.',
  ],
  [
    "its advice to report it",
    "✘ [ERROR] It failed.\n\n  why\n  \n  If you think this is a bug, tell us\n\n",
    "It failed.\nwhy",
  ],
  ["what it says after it", "✘ [ERROR] It failed.\n\n\nanother line\n", "It failed."],
  ["no error", "a line\n", "a line"],
])("of wrangler's output the whole error is told: %s", (_, output, told) => {
  expect(readComplaint(output)).toBe(told);
});
