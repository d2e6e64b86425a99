/** The cron trigger in the built Worker, its sources on loopback; what a bank and a monitor see of it meanwhile. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PINNED } from "../../fixtures/suites/trusted-lists/list-world.ts";
import { VERSION } from "../../src/platform/version.ts";
import { many, packRegister, publish } from "../refresh/eba-source.ts";
import { LIST_WORLDS } from "../refresh/list-worlds.ts";
import { Sources } from "../refresh/sources.ts";
import { eidasHeader, endService, ROOT, SANDBOX_FI, type Service, startService } from "./service.ts";

interface SourceStatus {
  readonly source: string;
  readonly jurisdiction: string;
  readonly loaded: boolean;
  readonly refresh: { readonly lastError: { readonly message: string } | null } | null;
}
interface Status {
  readonly status: string;
  readonly trustedLists: readonly (SourceStatus & { readonly sequenceNumber: number })[];
  readonly registers: readonly (SourceStatus & { readonly psps: number; readonly published: string })[];
}

const INVOCATIONS = 45;

/** A module like pinned-signers.ts, which has the signers of the made world, too. */
async function writePinnedSigners(folder: string): Promise<string> {
  const path = join(folder, "pinned-signers.ts");
  const own = JSON.stringify(PINNED.map((der) => Buffer.from(der).toString("base64")));
  await writeFile(
    path,
    `import { PINNED_SIGNERS as JOURNAL } from ${JSON.stringify(join(ROOT, "src/trust/lists/pinned-signers.ts"))};
export const PINNED_SIGNERS = [...JOURNAL, ...${own}.map((base64) => Uint8Array.fromBase64(base64))];
`,
  );
  return path;
}

// the published ones where they are: they are the largest
describe.each(LIST_WORLDS.slice(-1))("the cron trigger, with lists $name", (world) => {
  const { first, others } = world;
  // after two days it would be stale: the service has the machine's clock, and the metadata say seconds
  const published = new Date(Math.floor(Date.now() / 1000) * 1000);
  const [missing, other] = others;
  let folder: string;
  let sources: Sources;
  let service: Service;
  beforeAll(async () => {
    sources = await Sources.start();
    await world.serveListOfLists(sources);
    for (const { territory, bytes } of [first, other]) sources.file(`/${territory}.xml`, bytes);
    const register = packRegister([...many("FI", 30), ...many("SE", 30)]);
    publish(sources, "register", register, { published });
    folder = await mkdtemp(join(tmpdir(), "pinned-signers-"));
    service = await startService({
      alias: ["./pinned-signers.ts", await writePinnedSigners(folder)],
      vars: {
        LOTL_URL: `${sources.url}/eu-lotl.xml`,
        TRUSTED_LIST_URL_TEMPLATE: `${sources.url}/{territory}.xml`,
        EBA_METADATA_URL: `${sources.url}/filemetadata.json`,
        EBA_FILES_URL: `${sources.url}/eba/`,
        EBA_SEARCH_URL: `${sources.url}/search`,
      },
    });
  });
  afterAll(async () => {
    await endService(service);
    await sources.stop();
    await rm(folder, { recursive: true });
  });

  const trigger = async () => {
    const response = await fetch(`${service.url}/cdn-cgi/handler/scheduled`);
    expect(response.status).toBe(200);
  };
  const status = async () => (await (await fetch(`${service.url}/status`, { headers: SANDBOX_FI })).json()) as Status;
  const health = async () => await (await fetch(`${service.url}/health`)).json();
  const check = async () => {
    const headers = { ...SANDBOX_FI, eidas: await eidasHeader("scenario-1") };
    const response = await fetch(`${service.url}/v1/psp/eidas?jurisdiction=xx`, { headers });
    return { status: response.status, answer: (await response.json()) as { eIDAS: { validity: object } } };
  };

  test("before it, the sandbox is loaded and healthy, and /status is for financial institutions only", async () => {
    expect(await health()).toEqual({ status: "up", reasons: [], version: VERSION });
    const { trustedLists, registers } = await status();
    // the second one is of the CA that this sandbox made (sandbox certificate)
    const listed = { jurisdiction: "XX", loaded: true, stale: false };
    expect(trustedLists.toSorted((a, b) => a.source.length - b.source.length)).toMatchObject([
      { source: "sandbox", ...listed },
      { source: expect.stringMatching(/^sandbox-[0-9a-f]{8}$/), ...listed },
    ]);
    expect(registers.map(({ jurisdiction }) => jurisdiction)).toContain("XX");
    const denied = await fetch(`${service.url}/status`);
    expect([denied.status, Object.keys((await denied.json()) as object)]).toEqual([401, ["errors"]]);
    expect((await fetch(`${service.url}/status`, { method: "POST", headers: SANDBOX_FI })).status).toBe(405);
  });

  test("loads lists and register step by step, while every check is answered as before", async () => {
    const before = await check();
    expect(before).toMatchObject({ status: 200, answer: { eIDAS: { validity: { validQTSP: true } } } });
    for (let i = 0; i < INVOCATIONS; i++) {
      await trigger();
      if (i % 10 === 0) expect(await check()).toEqual(before);
    }
    const { trustedLists, registers } = await status();
    const loaded = trustedLists.filter((list) => list.source === "eIDAS" && list.loaded);
    const expected = [["EU", world.number], ...[first, other].map((list) => [list.jurisdiction, list.number])];
    expect(loaded.map(({ jurisdiction, sequenceNumber }) => [jurisdiction, sequenceNumber])).toEqual(expected.sort());
    // one that nobody serves here says so
    const unserved = trustedLists.find(({ jurisdiction }) => jurisdiction === missing.jurisdiction);
    expect(unserved?.refresh?.lastError?.message).toContain(`/${missing.territory}.xml answered with status 404`);
    const eba = registers.filter(({ source }) => source === "eba");
    expect(eba.map(({ jurisdiction, psps, published }) => [jurisdiction, psps, published])).toEqual([
      ["FI", 30, published.toISOString()],
      ["SE", 30, published.toISOString()],
    ]);
  });

  test("with a list past its nextUpdate, health is degraded and says nothing else", async () => {
    await expect
      .poll(health, { timeout: 60_000, interval: 1_000 })
      .toEqual({ status: "degraded", reasons: ["trusted_list_stale"], version: VERSION });
  });
});
