/** `trust import` of the repo's own test lists: each is taken or refused as expected, and certificates are checked with them. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";
import { toPem } from "../../fixtures/suites/paths/path-case.ts";
import { FACTS } from "../../fixtures/suites/trusted-lists/list-suite.ts";
import { makeListOfLists, makePivots, nationalList, PINNED } from "../../fixtures/suites/trusted-lists/list-world.ts";
import { makeRefusedList, makeRefusedLists } from "../../fixtures/suites/trusted-lists/refused-lists.ts";
import { issueWorldPsp, WORLD_PSPS } from "../../fixtures/suites/trusted-lists/world-psps.ts";
import { clear, dump } from "../refresh/stores.ts";
import "./in-process.ts";
import { withOwnStores } from "./own-stores.ts";

vi.mock("../../src/trust/lists/pinned-signers.ts", () => ({ PINNED_SIGNERS: PINNED }));

const { importTrustFile } = await import("../../src/cli/sources/trust-files.ts");
const { readStatus } = await import("../../src/refresh/status.ts");
const { run } = await import("./run-here.ts");

const NOW = Date.parse("2026-11-21T12:00:00Z");
const pivots = [...(await makePivots()).values()];
const folder = mkdtempSync(join(tmpdir(), "trust-world-"));
afterAll(() => rmSync(folder, { recursive: true }));

type Stores = Pick<Env, "KV" | "DB">;
const take = (env: Stores, name: string, bytes: Uint8Array, more: readonly Uint8Array[] = []) =>
  importTrustFile(env, { name, bytes, pivots: more }, {});
const listOf = (territory: string) =>
  territory === "EU" ? makeListOfLists() : nationalList(territory as Parameters<typeof nationalList>[0]);
const ISO: Readonly<Record<string, string>> = { EL: "GR" };

describe("trust import, in one process", () => {
  test("a national list is refused while no list of lists is loaded, and that one without its pivots", () =>
    withOwnStores(async ({ env }) => {
      expect(await take(env, "XA.xml", await listOf("XA"))).toMatchObject({
        message: expect.stringMatching(/^no list of lists/),
      });
      expect(await take(env, "EU.xml", await listOf("EU"))).toMatchObject({
        message: expect.stringMatching(/^unknown signer/),
      });
      expect(await dump(env.KV, "trust/")).toEqual({});
    }));

  test("each list is taken as expected, and status says what is loaded", () =>
    withOwnStores(async ({ env }) => {
      for (const { territory, sequenceNumber, services, caQc } of FACTS) {
        const taken = await take(env, `${territory}.xml`, await listOf(territory), territory === "EU" ? pivots : []);
        expect(taken).toMatchObject({
          ok: true,
          loaded: { sequenceNumber, services, caQc, stale: territory === "XB" || territory === "EL" },
        });
      }
      const { trustedLists } = await readStatus(env, NOW);
      for (const { territory, sequenceNumber, nextUpdate } of FACTS)
        expect(trustedLists.find(({ jurisdiction }) => jurisdiction === (ISO[territory] ?? territory))).toMatchObject({
          ...{
            source: "eIDAS",
            loaded: true,
            sequenceNumber,
            nextUpdate,
            stale: territory === "XB" || territory === "EL",
          },
        });
    }));

  test("each other one is refused by its reason, changes nothing, and status tells of it", () =>
    withOwnStores(async ({ env }) => {
      const before = await dump(env.KV, "trust/");
      for (const [reason, { bytes, circumstances }] of await makeRefusedLists()) {
        // those that the loaded lists themselves do not refuse
        if (circumstances?.noListOfLists || circumstances?.loaded || circumstances?.pivots) continue;
        const name = `XA-${reason.replaceAll(" ", "-")}.xml`;
        const result = await take(env, name, bytes, circumstances?.pivots);
        expect(result, reason).toMatchObject({ ok: false, message: expect.stringMatching(new RegExp(`^${reason}: `)) });
        const { trustedLists } = await readStatus(env, NOW);
        const errors = trustedLists.map(({ refresh }) => refresh?.refusedImport?.message ?? "");
        expect(errors, reason).toContainEqual(expect.stringContaining(`${name} was refused: ${reason}`));
      }
      expect(await dump(env.KV, "trust/")).toEqual(before);
      // and a good one clears the error
      expect(await take(env, "XA.xml", await listOf("XA"))).toMatchObject({ ok: true });
      const { trustedLists } = await readStatus(env, NOW);
      expect(trustedLists.find(({ jurisdiction }) => jurisdiction === "XA")?.refresh?.refusedImport).toBeNull();
    }));

  test("a list older than the loaded one is refused, a list of lists too", () =>
    withOwnStores(async ({ env }) => {
      const before = await dump(env.KV, "trust/");
      for (const [key, file, more] of [
        ["trust/list/eIDAS/XA", "XA", []],
        ["trust/list-of-lists", "EU", pivots],
      ] as const) {
        const loaded = await env.KV.get<{ sequenceNumber: number }>(key, "json");
        await env.KV.put(key, JSON.stringify({ ...loaded, sequenceNumber: 1000 }));
        const refused = await take(env, `${file}.xml`, await listOf(file), more);
        expect(refused).toMatchObject({
          message: expect.stringMatching(/^older than loaded: number \d+, but 1000 is loaded/),
        });
        await env.KV.put(key, JSON.stringify(loaded));
      }
      expect(await dump(env.KV, "trust/")).toEqual(before);
    }));

  test("anchors of another source stand beside them, under their own source and jurisdiction", () =>
    withOwnStores(async ({ env }) => {
      const pem = new TextEncoder().encode(PINNED.map(toPem).join(""));
      const file = { name: "others.pem", bytes: pem, pivots: [] };
      expect(await importTrustFile(env, file, { source: "OBIE", jurisdiction: "UK" })).toMatchObject({ ok: true });
      expect(await importTrustFile(env, file, {})).toMatchObject({ ok: false });
      const { trustedLists } = await readStatus(env, NOW);
      const loaded = trustedLists.map(({ source, jurisdiction, anchors }) => [source, jurisdiction, anchors]);
      expect(loaded).toContainEqual(["OBIE", "GB", 2]);
      expect(loaded).toContainEqual(["eIDAS", "XA", 7]);
    }));
});

describe("certificates checked with these lists by the command, at a time when they lived", () => {
  test.each(["signed by a key with the exponent 257", "asked after the withdrawal"])("%s", async (id) => {
    const psp = WORLD_PSPS.find((one) => one.id === id);
    if (!psp) throw new Error("the case is there");
    const path = join(folder, "psp.pem");
    writeFileSync(path, toPem(issueWorldPsp(psp).certificate));
    const asked = ["psp", "check", path, "--jurisdiction", "FI", "--at", psp.askedAt];
    const { stdout } = await run(...asked);
    const { eIDAS } = JSON.parse(stdout);
    const { expected } = psp;
    expect(eIDAS.validity).toMatchObject({ validQTSP: !(expected instanceof RegExp), validSignature: true });
    if (expected instanceof RegExp) expect(eIDAS.warning).toContainEqual(expect.stringMatching(expected));
    // no CRL is named: whether it was revoked nobody can say
    expect(eIDAS.validity.notRevoked).toBe(false);
  });
});

describe("npm run admin -- trust import", () => {
  const file = (name: string, bytes: Uint8Array): string => {
    writeFileSync(join(folder, name), bytes);
    return join(folder, name);
  };

  test("takes a list of lists by its pivots and a national list, refuses a broken one with a reason", async () => {
    await withOwnStores(({ env }) => clear(env));
    const lotl = file("EU.xml", await listOf("EU"));
    expect(await run("trust", "import", lotl)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("unknown signer"),
    });
    const paths = pivots.map((bytes, i) => file(`pivot-${i}.xml`, bytes));
    const both = await run("trust", "import", lotl, file("XB.xml", await listOf("XB")), "--pivot", ...paths);
    expect(both.stderr).toBe("");
    expect(both).toMatchObject({ code: 0, stdout: expect.stringContaining('"jurisdiction": "XB"') });
    const refused = (await makeRefusedList("several signatures")).bytes;
    const broken = file("XA-broken.xml", refused);
    expect(await run("trust", "import", broken)).toMatchObject({
      ...{ code: 1, stderr: expect.stringContaining("2 signatures instead of one") },
    });
    const { trustedLists } = JSON.parse((await run("status")).stdout);
    expect(trustedLists).toContainEqual(
      expect.objectContaining({ jurisdiction: "XB", loaded: true, stale: true, nextUpdate: "2026-10-01T00:00:00Z" }),
    );
    const { refresh } = trustedLists.find((list: { jurisdiction: string }) => list.jurisdiction === "XA");
    expect(refresh.refusedImport.message).toContain(basename(broken));
  });
});
