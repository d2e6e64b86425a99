/** Ctrl-C while a command holds the lease: as a terminal sends it, to the command and to the runtime below it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
let state = "";
/** Takes requests and never answers. */
const source = createServer(() => {});
beforeAll(async () => {
  state = await mkdtemp(join(tmpdir(), "psp-gate-interrupt-"));
  source.listen(0, "127.0.0.1");
  await once(source, "listening");
});
afterAll(async () => {
  source.closeAllConnections();
  source.close();
  await rm(state, { recursive: true, force: true });
});

test("it says what is left, releases the lease, and ends with 130", async () => {
  const { port } = source.address() as AddressInfo;
  const child = spawn(join(ROOT, "node_modules/.bin/node"), ["src/admin/main.ts", "refresh", "--only", "trust"], {
    ...{ cwd: ROOT, detached: true, stdio: ["ignore", "pipe", "pipe"] },
    env: { ...process.env, STATE_DIR: state, LOTL_URL: `http://127.0.0.1:${port}/eu-lotl.xml` },
  });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const ended = once(child, "close");
  await once(source, "request");
  process.kill(-(child.pid ?? 0), "SIGINT");
  const [code] = await ended;
  expect(stderr).toMatch(
    /^\nstopped: 0 sources are done, trust\/eIDAS\/EU was under way .*: the same command does the rest\n$/,
  );
  expect(code).toBe(130);

  const folder = join(state, "v3/d1/miniflare-D1DatabaseObject");
  const [name = ""] = (await readdir(folder)).filter((file) => file.endsWith(".sqlite") && file !== "metadata.sqlite");
  const database = new DatabaseSync(join(folder, name));
  expect({ ...database.prepare("SELECT holder, expires_at FROM refresh_lease").get() }).toEqual({
    ...{ holder: expect.stringMatching(/^command /), expires_at: 0 },
  });
  database.close();
});
