/** `trust import`: published lists taken or refused as the shared expected.json says, anchors of others. */
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { clock } from "../../src/platform/clock.ts";
import { dump } from "../refresh/stores.ts";
import { readShared, sharedData } from "../shared-data.ts";
import { withOwnStores } from "./own-stores.ts";

const { importTrustFile } = await import("../../src/cli/sources/trust-files.ts");
const { readStatus } = await import("../../src/refresh/status.ts");
const { listTrustLists } = await import("../../src/trust/anchors.ts");

interface Expected {
  readonly file: string;
  readonly take: boolean;
  readonly why?: string;
  readonly territory?: string;
  readonly sequenceNumber?: number;
  readonly services?: number;
}

const FOLDER = join(sharedData ?? "", "trusted-lists");
const expected: Expected[] = sharedData ? JSON.parse(readShared("trusted-lists/expected.json")) : [];
const NOW = Date.parse("2026-11-21T12:00:00Z");
const ISO: Readonly<Record<string, string>> = { EL: "GR", UK: "GB" };
const isoOf = ({ territory = "" }: Expected) => ISO[territory] ?? territory;

const bytesOf = (file: string): Uint8Array => readFileSync(join(FOLDER, file));
const take = (env: Pick<Env, "KV" | "DB">, file: string, bytes = bytesOf(file)) =>
  importTrustFile(env, { name: basename(file), bytes, pivots: [] }, {});

describe.runIf(sharedData)("the published lists", () => {
  test("a national list is refused while no list of lists is loaded", () =>
    withOwnStores(async ({ env }) => {
      expect(await take(env, "CZ.xml")).toMatchObject({
        ok: false,
        message: expect.stringContaining("no list of lists"),
      });
    }));

  test("each is taken or refused as expected, a refused one changes nothing, and status tells of it", () =>
    withOwnStores(async ({ env }) => {
      let before = await dump(env.KV, "trust/", true);
      for (const one of expected) {
        const result = await take(env, one.file);
        expect(result.ok, `${one.file}: ${JSON.stringify(result)}`).toBe(one.take);
        if (!one.take) {
          expect(await dump(env.KV, "trust/", true), one.file).toEqual(before);
          const { trustedLists } = await readStatus(env, NOW);
          expect(trustedLists.map(({ refresh }) => refresh?.refusedImport?.message ?? "")).toContainEqual(
            expect.stringContaining(`${basename(one.file)} was refused`),
          );
        } else before = await dump(env.KV, "trust/", true);
      }
      const { trustedLists } = await readStatus(env, NOW);
      for (const one of expected.filter(({ take }) => take)) {
        expect(trustedLists.find(({ jurisdiction }) => jurisdiction === isoOf(one))).toMatchObject({
          ...{ source: "eIDAS", loaded: true, sequenceNumber: one.sequenceNumber, services: one.services },
        });
      }
      const stale = trustedLists.filter((list) => list.stale).map(({ jurisdiction }) => jurisdiction);
      expect(stale.sort()).toEqual(["AT", "FI", "GR", "IE"]);
    }));

  test("a good list after refused ones clears the error", () =>
    withOwnStores(async ({ env }) => {
      expect(await take(env, "CZ.xml")).toMatchObject({ ok: true });
      const { trustedLists } = await readStatus(env, NOW);
      expect(trustedLists.find(({ jurisdiction }) => jurisdiction === "CZ")?.refresh?.refusedImport).toBeNull();
    }));

  test("a list with a lower number than the loaded one is refused", () =>
    withOwnStores(async ({ env }) => {
      const key = "trust/list/eIDAS/SE";
      const loaded = await env.KV.get<{ sequenceNumber: number }>(key, "json");
      await env.KV.put(key, JSON.stringify({ ...loaded, sequenceNumber: 63 }));
      expect(await take(env, "SE.xml")).toMatchObject({
        ok: false,
        message: expect.stringContaining("older than loaded"),
      });
      await env.KV.put(key, JSON.stringify(loaded));
    }));

  test("anchors of another source stand beside them, under their own source and jurisdiction", () =>
    withOwnStores(async ({ env }) => {
      const pem = (await readFile(join(FOLDER, "pinned/oj-c2026-1944-1.pem"))) as Uint8Array;
      const named = { source: "OBIE", jurisdiction: "UK" };
      const file = { name: "obie.pem", bytes: pem, pivots: [] };
      expect(await importTrustFile(env, file, named)).toMatchObject({ ok: true, loaded: { jurisdiction: "GB" } });
      expect(await importTrustFile(env, file, {})).toMatchObject({ ok: false });
      const lists = await listTrustLists(env.KV);
      expect(lists).toContainEqual(expect.objectContaining({ source: "OBIE", jurisdiction: "GB", anchors: 1 }));
      expect(lists).toContainEqual(
        expect.objectContaining({ source: "eIDAS", jurisdiction: "CZ", sequenceNumber: 181 }),
      );
    }));
});

test("anchors of one's own are not taken as a published list: the next refresh would drop them", () =>
  withOwnStores(async ({ env }) => {
    const bytes = await readFile(join(import.meta.dirname, "../../fixtures/certificates/scenario-1.pem"));
    const named = { source: "eIDAS", jurisdiction: "XZ" };
    const before = await dump(env.KV, "trust/", true);
    expect(await importTrustFile(env, { name: "ca.pem", bytes, pivots: [] }, named)).toEqual({
      ok: false,
      message: "eIDAS is the source of the published lists: name another one",
    });
    expect(await dump(env.KV, "trust/", true)).toEqual(before);
  }));

test("an import is recorded as of its end, however long it took", () =>
  withOwnStores(async ({ env }) => {
    const bytes = await readFile(join(import.meta.dirname, "../../fixtures/certificates/scenario-1.pem"));
    let time = NOW;
    const slow = vi.spyOn(clock, "now").mockImplementation(() => (time += 1_000));
    await importTrustFile(env, { name: "ca.pem", bytes, pivots: [] }, { source: "OWN", jurisdiction: "XZ" });
    slow.mockRestore();
    const { fetchedAt, refresh } =
      (await readStatus(env, time)).trustedLists.find(({ source }) => source === "OWN") ?? {};
    expect(fetchedAt).toBe("2026-11-21T12:00:01.000Z");
    expect(refresh?.checkedAt).toSatisfy((at) => typeof at === "string" && at > "2026-11-21T12:00:01.000Z");
  }));
