/** The scheduled refresh of kept CRLs, and the operator's import: never by one that is older, forged or another's. */

import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { at, integer, makeCertificate, makeCrl } from "../../fixtures/makers/made-pki.ts";
import type { RefreshEnv } from "../../src/refresh/schedule.ts";
import { withOwnStores } from "../cli/own-stores.ts";
import { type Behaviour, Sources } from "./sources.ts";
import { clear, withSources } from "./stores.ts";

const { runStep } = await import("../../src/refresh/scheduled.ts");
const { listRefreshes } = await import("../../src/refresh/refreshes.ts");
const { importCrl } = await import("../../src/revocation/crl-import.ts");
const { crlSlot } = await import("../../src/revocation/crl-slot.ts");

const ISSUED = at("2026-11-10T00:00:00Z");
const END = at("2026-12-10T00:00:00Z");
/** Before and after half of that time. */
const EARLY = at("2026-11-20T00:00:00Z");
const LATE = at("2026-11-28T00:00:00Z");
const HOUR = 3_600_000;

const authority = makeCertificate({ subject: "Some CA" });
const other = makeCertificate({ subject: "Other CA" });
const impostor = makeCertificate({ subject: "Some CA" });

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
  withOwnStores(async ({ env }) => {
    await clear(env);
    await work(withSources(env, sources));
  });

const step = async (env: RefreshEnv, now: number) => {
  const known = (await listRefreshes(env.DB)).find(({ task }) => task === "crl");
  return await runStep(env, known ?? { task: "crl", failures: 0, stepState: "{}" }, {
    now,
    maxWrites: 1000,
    maxListBytes: 0,
  });
};
/** An address of its own for each, since what was seen at one is remembered. */
let addresses = 0;
const newPath = () => `/${addresses++}.crl`;
const keep = (env: RefreshEnv, url: string, der: Uint8Array, issuer = authority, now = EARLY) =>
  importCrl(env.KV, { url, der, issuer: issuer.certificate, now });
/** The CRLs in KV under this address and issuer. */
async function keptAt(env: RefreshEnv, url: string, issuer = authority): Promise<Buffer[]> {
  const { key, read } = crlSlot(url, issuer.certificate.subject);
  const value = await env.KV.get(key, "arrayBuffer");
  const { answers } = value ? await read(new Uint8Array(value), [], EARLY) : { answers: [] };
  return answers.map(({ der }) => Buffer.from(der));
}
const only = (der: Uint8Array) => [Buffer.from(der)];

describe("the scheduled refresh of CRLs", () => {
  test("leaves one alone in the first half of its time, and fetches the next one in the second", () =>
    run(async (env) => {
      const path = newPath();
      const url = `${sources.url}${path}`;
      sources.file(path, NEWER);
      await keep(env, url, KEPT);
      sources.asked.length = 0;
      expect(await step(env, EARLY)).toMatchObject({ ok: true, summary: "0 CRLs due, 0 newer ones kept" });
      expect(sources.asked).toEqual([]);
      expect(await step(env, LATE)).toMatchObject({ ok: true, summary: "1 CRLs due, 1 newer ones kept" });
      expect(await keptAt(env, url)).toEqual(only(NEWER));
      // the newer one is in the first half of its own time, so its URL was kept with it
      expect(await step(env, LATE + HOUR)).toMatchObject({ ok: true, summary: "0 CRLs due, 0 newer ones kept" });
    }));

  const CRITICAL_NUMBER = { oid: "2.5.29.20", critical: true, value: integer("02") };
  const file = (bytes: Uint8Array): Behaviour => ({ sends: "file", bytes });
  test.each<[string, Behaviour, boolean]>([
    ["the same", file(KEPT), true],
    ["an older one", file(crl(authority, ISSUED - HOUR)), true],
    ["a forged one", file(crl(impostor, LATE - HOUR)), false],
    ["one that has ended", file(crl(authority, ISSUED + HOUR, LATE - HOUR)), false],
    ["another CA's", file(crl(other, LATE - HOUR)), false],
    [
      "one with a critical number",
      file(makeCrl({ issuer: authority, thisUpdate: LATE - HOUR, nextUpdate: END, extensions: [CRITICAL_NUMBER] })),
      false,
    ],
    ["HTML", { sends: "html" }, false],
    ["half of it", { sends: "half", bytes: NEWER }, false],
    ["an error", { sends: "status", status: 500 }, false],
  ])("keeps what it has when the server sends %s", (_, behaviour, ok) =>
    run(async (env) => {
      const path = newPath();
      const url = `${sources.url}${path}`;
      sources.set(path, behaviour);
      await keep(env, url, KEPT);
      expect((await step(env, LATE)).ok).toBe(ok);
      expect(await keptAt(env, url)).toEqual(only(KEPT));
    }),
  );

  test("goes round all that are due, a few in each step, though some of them fail", () =>
    run(async (env) => {
      const paths = Array.from({ length: 25 }, newPath);
      const broken = paths[7] ?? "";
      for (const path of paths) {
        sources.file(path, NEWER);
        await keep(env, `${sources.url}${path}`, KEPT);
      }
      sources.set(broken, { sends: "status", status: 500 });
      const steps = [await step(env, LATE), await step(env, LATE), await step(env, LATE)];
      expect(steps).toMatchObject([
        { ok: true, unfinished: true },
        { ok: true, unfinished: true },
        { ok: false, message: expect.stringContaining(`${broken} answered with status 500`) },
      ]);
      for (const path of paths)
        expect(await keptAt(env, `${sources.url}${path}`), path).toEqual(only(path === broken ? KEPT : NEWER));
      sources.file(broken, NEWER);
      expect(await step(env, LATE + HOUR)).toMatchObject({ ok: true, summary: "1 CRLs due, 1 newer ones kept" });
    }));

  test("one that kills its step, as 20 MB may, holds up none of those after it, and is named", () =>
    run(async (env) => {
      const urls = Array.from({ length: 3 }, newPath).map((path) => `${sources.url}${path}`);
      for (const url of urls) {
        sources.file(new URL(url).pathname, NEWER);
        await keep(env, url, KEPT);
      }
      const keyOf = (url: string) => crlSlot(url, authority.certificate.subject).key;
      const [deadly = "", ...others] = urls.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
      const killing = new Proxy(env.KV, {
        get(target, name) {
          const value = Reflect.get(target, name, target);
          if (name !== "get") return value.bind(target);
          return (key: string, type: never) => (key === keyOf(deadly) ? new Promise(() => {}) : target.get(key, type));
        },
      });
      const failures = async () => (await listRefreshes(env.DB)).find(({ task }) => task === "crl")?.stepState ?? "";
      for (const round of [LATE, LATE + HOUR]) {
        void step({ ...env, KV: killing }, round);
        await vi.waitUntil(async () => (await failures()).includes(deadly), { timeout: 60_000 });
        // the next run, which the first may still be killed in
        expect(await step(env, round)).toMatchObject({ ok: false, message: expect.stringContaining(deadly) });
        for (const url of others) expect(await keptAt(env, url), url).toEqual(only(NEWER));
      }
      expect(await keptAt(env, deadly)).toEqual(only(KEPT));
    }));

  test("keeps the CRLs of two CAs at one address, and refreshes that of the one that is served", () =>
    run(async (env) => {
      const path = newPath();
      const url = `${sources.url}${path}`;
      const others = crl(other, ISSUED);
      await keep(env, url, KEPT);
      await keep(env, url, others, other);
      sources.file(path, NEWER);
      expect(await step(env, LATE)).toMatchObject({
        ok: false,
        message: expect.stringContaining("it has another issuer"),
      });
      expect(await keptAt(env, url)).toEqual(only(NEWER));
      expect(await keptAt(env, url, other)).toEqual(only(others));
    }));

  test("keeps the CRL of a CA's last key beside that of its next one", () =>
    run(async (env) => {
      const path = newPath();
      const url = `${sources.url}${path}`;
      const next = makeCertificate({ subject: "Some CA" });
      await keep(env, url, KEPT);
      await keep(env, url, crl(next, ISSUED + HOUR), next);
      const newer = crl(next, LATE - HOUR, LATE + 30 * 24 * HOUR);
      sources.file(path, newer);
      expect(await step(env, LATE)).toMatchObject({ ok: true, summary: "1 CRLs due, 1 newer ones kept" });
      expect(await keptAt(env, url)).toEqual([Buffer.from(KEPT), Buffer.from(newer)]);
    }));

  test("leaves one alone that has ended; it stays as the mark below which nothing is believed", () =>
    run(async (env) => {
      const path = newPath();
      const url = `${sources.url}${path}`;
      await keep(env, url, KEPT);
      sources.asked.length = 0;
      expect(await step(env, END + HOUR)).toMatchObject({ ok: true, summary: "0 CRLs due, 0 newer ones kept" });
      expect(sources.asked).toEqual([]);
      expect(await keptAt(env, url)).toEqual(only(KEPT));
    }));
});

describe("the operator's import of a CRL", () => {
  const older = crl(authority, ISSUED - HOUR);
  test.each<[string, Uint8Array, string]>([
    ["an older one", older, "a newer one is stored, of 2026-11-10T00:00:00.000Z"],
    ["a forged one", crl(impostor, EARLY - HOUR), "the CRL cannot be used: its signature does not verify"],
    ["another CA's", crl(other, EARLY - HOUR), "the CRL cannot be used: it has another issuer"],
    ["one that has ended", crl(authority, ISSUED - HOUR, ISSUED), "the CRL cannot be used: a newer one was due at"],
    [
      "what is no CRL",
      authority.certificate.der,
      "not a CRL: it cannot be read: it is a certificate instead of a CRL in DER",
    ],
  ])("refuses %s, and keeps what it has", (_, der, message) =>
    run(async (env) => {
      const url = `${sources.url}${newPath()}`;
      expect(await keep(env, url, KEPT)).toMatchObject({ ok: true });
      expect(await keep(env, url, der)).toEqual({ ok: false, message: expect.stringContaining(message) });
      expect(await keptAt(env, url)).toEqual(only(KEPT));
    }),
  );

  test("takes a newer one, and the same one again", () =>
    run(async (env) => {
      const url = `${sources.url}${newPath()}`;
      const newer = crl(authority, EARLY - HOUR);
      for (const der of [KEPT, newer, newer]) expect(await keep(env, url, der)).toMatchObject({ ok: true });
      expect(await keptAt(env, url)).toEqual(only(newer));
    }));
});
