/** `npm run admin -- refresh` with its sources on loopback: what it does, and what is left when it is killed. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readShared, sharedData } from "../shared-data.ts";
import { many, packRegister, publish } from "./eba-source.ts";
import { Sources } from "./sources.ts";

const ROOT = join(import.meta.dirname, "../..");
const NODE = join(ROOT, "node_modules/.bin/node");
const bytesOf = (file: string) => new TextEncoder().encode(readShared(`trusted-lists/${file}`));

describe.runIf(sharedData)("npm run admin -- refresh", () => {
  let folder = "";
  let sources: Sources;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "psp-gate-refresh-"));
    sources = await Sources.start();
    sources.file("/eu-lotl.xml", bytesOf("EU-LOTL.xml"));
    sources.file("/SE.xml", bytesOf("SE.xml"));
    publish(sources, "register", packRegister(many("FI", 20)));
  });
  afterAll(async () => {
    await sources.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** The command itself, not npm: what is killed has to be the process that works. */
  function start(...args: string[]) {
    const child = spawn(NODE, ["src/admin/main.ts", ...args], {
      cwd: ROOT,
      env: {
        ...process.env,
        STATE_DIR: join(folder, "state"),
        LOTL_URL: `${sources.url}/eu-lotl.xml`,
        TRUSTED_LIST_URL_TEMPLATE: `${sources.url}/{territory}.xml`,
        EBA_METADATA_URL: `${sources.url}/filemetadata.json`,
        EBA_FILES_URL: `${sources.url}/eba/`,
      },
    });
    const output = { stdout: "", stderr: "" };
    for (const stream of ["stdout", "stderr"] as const)
      child[stream].setEncoding("utf8").on("data", (text: string) => {
        output[stream] += text;
      });
    return { child, ended: once(child, "close").then(([code]) => ({ code: code as number | null, ...output })) };
  }
  const run = (...args: string[]) => start(...args).ended;
  const status = async () => JSON.parse((await run("status")).stdout);

  test("killed while it reads a list, and started again: it goes on, and what was loaded is whole", {
    timeout: 120_000,
  }, async () => {
    sources.set("/FI.xml", { sends: "slowly", bytes: bytesOf("FI.xml") });
    const killed = start("refresh", "--only", "trust");
    while (!sources.asked.includes("/FI.xml slowly")) await sleep(50);
    killed.child.kill("SIGKILL");
    await killed.ended;
    expect(
      (await status()).trustedLists.find((list: { jurisdiction: string }) => list.jurisdiction === "EU"),
    ).toMatchObject({
      ...{ loaded: true, sequenceNumber: 390 },
    });

    sources.file("/FI.xml", bytesOf("FI.xml"));
    const again = await run("refresh", "--only", "trust");
    expect(again.stderr).toContain("waiting for another refresh or import to end");
    // the lists that nobody serves here
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining("/AT.xml answered with status 404") });
    expect(again.stdout).toContain("the list of FI, number 54, past its nextUpdate: 19 names written");
    const { trustedLists } = await status();
    const loaded = trustedLists.filter((list: { loaded: boolean }) => list.loaded);
    expect(loaded.map((list: { jurisdiction: string }) => list.jurisdiction)).toEqual(["EU", "FI", "SE"]);
  });

  test("of one part leaves the others alone, and exits with 0 when all is well", async () => {
    sources.asked.length = 0;
    const eba = await run("refresh", "--only", "eba");
    expect(eba).toMatchObject({ code: 0, stderr: "" });
    expect(eba.stdout).toContain("published 2026-11-20T16:00:29.000Z");
    expect(sources.asked).toEqual(["/filemetadata.json 200", "/eba/register.zip 200"]);
    expect(await run("refresh", "--only", "crl")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("0 CRLs due"),
    });
    expect(await run("refresh", "--only", "weather")).toMatchObject({ code: 1 });
  });
});
