/** A command that holds the lease: Ctrl-C, as a terminal sends it, to the command and to the runtime below it; and another that takes over. */
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

/** A refresh that waits for the list of lists. */
function startRefresh() {
  const { port } = source.address() as AddressInfo;
  const child = spawn(process.execPath, ["src/cli/main.ts", "refresh", "--only", "trust"], {
    ...{ cwd: ROOT, detached: true, stdio: ["ignore", "pipe", "pipe"] },
    env: { ...process.env, STATE_DIR: state, LOTL_URL: `http://127.0.0.1:${port}/eu-lotl.xml` },
  });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  return { child, said: () => stderr };
}

async function openDatabase(): Promise<DatabaseSync> {
  const folder = join(state, "v3/d1/miniflare-D1DatabaseObject");
  const [name = ""] = (await readdir(folder)).filter((file) => file.endsWith(".sqlite") && file !== "metadata.sqlite");
  return new DatabaseSync(join(folder, name), { timeout: 60_000 });
}

const readLease = (database: DatabaseSync) => ({
  ...database.prepare("SELECT holder, expires_at FROM refresh_lease").get(),
});

test("at Ctrl-C it says what is left, releases the lease, and ends with 130", async () => {
  const { child, said } = startRefresh();
  const ended = once(child, "close");
  await once(source, "request");
  process.kill(-(child.pid ?? 0), "SIGINT");
  const [code] = await ended;
  expect(said()).toMatch(
    /^\nstopped: 0 sources are done, trust\/eIDAS\/EU was under way .*: the same command does the rest\n$/,
  );
  expect(code).toBe(130);

  const database = await openDatabase();
  expect(readLease(database)).toEqual({ holder: expect.stringMatching(/^command /), expires_at: 0 });
  database.close();
});

test("it stops when another has had the lease meanwhile, as after the sleep of a laptop, and leaves it alone", async () => {
  const { child, said } = startRefresh();
  const ended = once(child, "close");
  await once(source, "request");
  const database = await openDatabase();
  database.exec("UPDATE refresh_lease SET holder = 'command of another', expires_at = 0");
  const [code] = await ended;
  expect(said()).toMatch(
    /^\nstopped: another refresh or import has taken over, as this one stood still\. 0 sources are done, .* under way .*\n$/,
  );
  expect(code).toBe(1);
  expect(readLease(database)).toEqual({ holder: "command of another", expires_at: 0 });
  database.close();
});
