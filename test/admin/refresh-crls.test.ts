/** The scheduled refresh of kept CRLs: ahead of their end, and never by one that is older, forged or another's. */
import "./own-state.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RefreshEnv } from "../../src/refresh/step.ts";
import { at, makeCertificate, makeCrl } from "../unit/x509/made-pki.ts";
import { clear, withSources } from "./refresh-stores.ts";
import { type Behaviour, Sources } from "./sources.ts";

const { withStores } = await import("../../src/admin/stores.ts");
const { runStep } = await import("../../src/refresh/tasks.ts");
const { listRefreshes } = await import("../../src/refresh/refreshes.ts");
const { importTrustList } = await import("../../src/eidas/trust-import.ts");
const { crlKey, importCrl } = await import("../../src/revocation/revocation-store.ts");
const { toBase64 } = await import("../../src/encoding.ts");

const ISSUED = at("2026-11-10T00:00:00Z");
const END = at("2026-12-10T00:00:00Z");
/** Before and after half of that time. */
const EARLY = at("2026-11-20T00:00:00Z");
const LATE = at("2026-11-28T00:00:00Z");
const HOUR = 3_600_000;

const authority = makeCertificate({ subject: "Listed CA" });
const unlisted = makeCertificate({ subject: "Intermediate CA" });
const impostor = makeCertificate({ subject: "Listed CA" });

const crl = (issuer: typeof authority, thisUpdate: number, nextUpdate = END) =>
  makeCrl({ issuer, thisUpdate, nextUpdate });
const KEPT = crl(authority, ISSUED);
const NEWER = crl(authority, LATE - HOUR, LATE + 30 * 24 * HOUR);

let sources: Sources;
beforeAll(async () => {
  sources = await Sources.start();
});
afterAll(() => sources.stop());

const run = (work: (env: RefreshEnv) => Promise<void>) =>
  withStores({ remote: false }, async ({ env }) => {
    await clear(env);
    const period = { status: "granted", from: "2016-07-01T00:00:00Z", uses: null };
    const names = { qtspName: "A QTSP", serviceName: "Its CA", source: "test", jurisdiction: "XX" };
    const anchor = { ...names, certificate: toBase64(authority.certificate.der), periods: [period] };
    const list = { source: "test", jurisdiction: "XX", sequenceNumber: 1, issuedAt: "", nextUpdate: null, services: 1 };
    await importTrustList(env.KV, { ...list, anchors: [anchor] }, EARLY);
    await work(withSources(env, sources));
  });

const step = async (env: RefreshEnv, now: number) => {
  const known = (await listRefreshes(env.DB)).find(({ task }) => task === "crl");
  return await runStep(env, known ?? { task: "crl", failures: 0, memo: "{}" }, {
    now,
    maxWrites: 1000,
    maxListBytes: 0,
  });
};
const keep = (env: RefreshEnv, url: string, der: Uint8Array) => importCrl(env.KV, { url, der, now: EARLY });
const keptAt = async (env: RefreshEnv, url: string) =>
  Buffer.from((await env.KV.get(crlKey(url), "arrayBuffer")) ?? new ArrayBuffer());

describe("the scheduled refresh of CRLs", () => {
  test("leaves one alone in the first half of its time, and fetches the next one in the second", () =>
    run(async (env) => {
      const url = `${sources.url}/ca.crl`;
      sources.file("/ca.crl", NEWER);
      await keep(env, url, KEPT);
      sources.asked.length = 0;
      expect(await step(env, EARLY)).toMatchObject({ ok: true, told: "0 CRLs due, 0 newer ones kept" });
      expect(sources.asked).toEqual([]);
      expect(await step(env, LATE)).toMatchObject({ ok: true, told: "1 CRLs due, 1 newer ones kept" });
      expect(await keptAt(env, url)).toEqual(Buffer.from(NEWER));
      // the newer one is in the first half of its own time, so its URL was kept with it
      expect(await step(env, LATE + HOUR)).toMatchObject({ ok: true, told: "0 CRLs due, 0 newer ones kept" });
    }));

  const file = (bytes: Uint8Array): Behaviour => ({ sends: "file", bytes });
  test.each<[string, Behaviour, boolean]>([
    ["the same", file(KEPT), true],
    ["an older one", file(crl(authority, ISSUED - HOUR)), true],
    ["a forged one", file(crl(impostor, LATE - HOUR)), false],
    ["one that has ended", file(crl(authority, ISSUED + HOUR, LATE - HOUR)), false],
    ["one of an issuer that no list names", file(crl(unlisted, LATE - HOUR)), true],
    ["HTML", { sends: "html" }, false],
    ["half of it", { sends: "half", bytes: NEWER }, false],
    ["an error", { sends: "status", status: 500 }, false],
  ])("keeps what it has when the server sends %s", (_, behaviour, ok) =>
    run(async (env) => {
      const url = `${sources.url}/ca.crl`;
      sources.set("/ca.crl", behaviour);
      await keep(env, url, KEPT);
      expect((await step(env, LATE)).ok).toBe(ok);
      expect(await keptAt(env, url)).toEqual(Buffer.from(KEPT));
    }),
  );

  test("goes round all that are due, a few in each step, though some of them fail", () =>
    run(async (env) => {
      const paths = Array.from({ length: 25 }, (_, i) => `/${i}.crl`);
      for (const path of paths) {
        sources.file(path, NEWER);
        await keep(env, `${sources.url}${path}`, KEPT);
      }
      sources.set("/7.crl", { sends: "status", status: 500 });
      const steps = [await step(env, LATE), await step(env, LATE), await step(env, LATE)];
      expect(steps).toMatchObject([
        { ok: true, unfinished: true },
        { ok: true, unfinished: true },
        { ok: false, message: expect.stringContaining("/7.crl answered with status 500") },
      ]);
      for (const path of paths)
        expect(await keptAt(env, `${sources.url}${path}`), path).toEqual(Buffer.from(path === "/7.crl" ? KEPT : NEWER));
      sources.file("/7.crl", NEWER);
      expect(await step(env, LATE + HOUR)).toMatchObject({ ok: true, told: "1 CRLs due, 1 newer ones kept" });
    }));
});
