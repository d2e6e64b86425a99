/** `npx wrangler dev` without our own commands before it: it builds, serves, and says what to run. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { INPUTS } from "../../src/cli/build/folder.ts";
import { ROOT } from "../../src/cli/configuration.ts";
import { findFreePort } from "../free-port.ts";

let state: string;
let clone: string;
let url: string;
let output = "";
let stop: () => Promise<unknown>;

beforeAll(async () => {
  state = await mkdtemp(join(tmpdir(), "psp-gate-dev-"));
  const port = await findFreePort();
  url = `http://127.0.0.1:${port}`;
  // a build that was not made, in a folder where no other test builds meanwhile
  clone = await mkdtemp(join(tmpdir(), "psp-gate-clone-"));
  for (const path of INPUTS) await cp(join(ROOT, path), join(clone, path), { recursive: true });
  await symlink(join(ROOT, "node_modules"), join(clone, "node_modules"));
  const options = ["dev", "--port", String(port), "--persist-to", state, "--env-file", "/dev/null", "--env", ""];
  const child = spawn(process.execPath, [join(ROOT, "node_modules/.bin/wrangler"), ...options], {
    cwd: clone,
    env: { ...process.env, CI: "true", WRANGLER_SEND_METRICS: "false", CLOUDFLARE_CF_FETCH_ENABLED: "false" },
    detached: true,
  });
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  const ended = once(child, "close");
  stop = () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGTERM");
    return ended;
  };
  await vi.waitFor(() => expect(output).toContain("Ready on"), { timeout: 120_000, interval: 100 });
});

afterAll(async () => {
  await stop();
  for (const folder of [state, clone]) await rm(folder, { recursive: true, force: true });
});

test("the modules of our build and the site are served", async () => {
  expect(output).toContain("src/cli/build/build.ts");
  const page = await fetch(`${url}/console/sign-in`);
  expect([page.status, page.headers.get("Content-Type")]).toEqual([200, "text/html; charset=UTF-8"]);
  expect(await (await fetch(`${url}/licenses.txt`)).text()).toContain("hono");
});

test("on an empty state the answer and the log say what to run", async () => {
  const answer = await fetch(`${url}/v1/psp/eidas?jurisdiction=xx`, {
    headers: { Authorization: "Basic YTpi", fi_reference_id: "PSDXX-TEST-FI0001", version: "1" },
  });
  const { errors } = (await answer.json()) as { errors: { code: string; title: string }[] };
  const sentence = "The database is not migrated: run npm start (local), or npm run deploy";
  expect([answer.status, errors[0]?.code, errors[0]?.title]).toEqual([503, "temporarily_unavailable", sentence]);
  await expect.poll(() => output, { timeout: 60_000 }).toContain(sentence);
});
