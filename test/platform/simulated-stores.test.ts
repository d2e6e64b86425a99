/** The stores of the simulation (test/sim/), and the database of local commands, answer as those of workerd do, call by call. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openLocalStores } from "../../src/cli/stores.ts";
import { loadMiniflare } from "../../src/cli/wrangler.ts";
import { D1, D1Binding } from "../sim/d1.ts";
import { Kv, KvBinding } from "../sim/kv.ts";
import { Disk, ObjectStorage } from "../sim/object-storage.ts";
import { probeD1, probeKv, probeR2, probeStorage } from "../sim/probes.ts";
import { R2, R2Binding } from "../sim/r2.ts";
import { Random } from "../sim/random.ts";
import { Scheduler } from "../sim/scheduler.ts";
import { START } from "../sim/seed.ts";
import { Counters } from "../sim/trace.ts";
import type { Caller } from "../sim/travel.ts";

const { Miniflare, convertV4MiniflareOptions } = loadMiniflare();
const PROBED = `import { DurableObject } from "cloudflare:workers";
  const probe = ${probeStorage.toString()};
  export class Probed extends DurableObject {
    alarm() {}
    async fetch() { return Response.json(await probe(this.ctx.storage)); }
  }
  export default {};`;
const workerd = new Miniflare(
  convertV4MiniflareOptions({
    workers: [
      {
        ...{ name: "probed", modules: true, script: PROBED, compatibilityDate: "2026-10-15" },
        ...{ d1Databases: ["DB", "OTHER"], kvNamespaces: ["KV"], r2Buckets: ["EVIDENCE"] },
        durableObjects: { PROBED: { className: "Probed", useSQLite: true } },
      },
    ],
  }),
);
afterAll(() => workerd.dispose());

interface Real {
  readonly DB: D1Database;
  readonly OTHER: D1Database;
  readonly KV: KVNamespace;
  readonly EVIDENCE: R2Bucket;
  readonly PROBED: {
    readonly idFromName: (name: string) => unknown;
    readonly get: (id: unknown) => {
      readonly fetch: (url: string) => Promise<{ readonly json: () => Promise<unknown> }>;
    };
  };
}
const real = (await workerd.getBindings()) as unknown as Real;

const travel = { call: async <Result>(_caller: Caller, _store: string, _what: string, act: () => Result) => act() };
const caller = { isolate: { location: "FRA" } } as Caller;
const plain = (said: unknown): unknown => JSON.parse(JSON.stringify(said ?? null));

test("D1", async () => {
  const simulated = new D1Binding(new D1(() => START), travel, caller) as unknown as D1Database;
  expect(plain(await probeD1(simulated))).toEqual(plain(await probeD1(real.DB)));
});

test("D1, as a local command has it in its file", async () => {
  const folder = await mkdtemp(join(tmpdir(), "psp-gate-local-d1-"));
  const { env, close } = await openLocalStores(folder, {
    ...{ worker: "probed", compatibilityDate: "2026-10-15", vars: {}, databases: { DB: "local" } },
    ...{ keyValues: {}, buckets: [] },
  });
  try {
    expect(plain(await probeD1(env.DB))).toEqual(plain(await probeD1(real.OTHER)));
  } finally {
    await close();
    await rm(folder, { recursive: true });
  }
});

test("Workers KV", async () => {
  // Cloudflare takes one write of a key in a second, workerd any
  let now = START;
  const slow = {
    get now() {
      now += 1_000;
      return now;
    },
  };
  const store = new Kv(new Map(), slow, new Random("kv"), new Counters());
  const simulated = new KvBinding(store, travel, caller, slow) as unknown as KVNamespace;
  expect(plain(await probeKv(simulated))).toEqual(plain(await probeKv(real.KV)));
});

test("R2", async () => {
  const simulated = new R2Binding(new R2(), travel, caller, { now: START }) as unknown as R2Bucket;
  expect(plain(await probeR2(simulated))).toEqual(plain(await probeR2(real.EVIDENCE)));
});

test("the storage of a Durable Object", async () => {
  const disk = new Disk(new Scheduler(START), new Random("disk"), () => {});
  const simulated = new ObjectStorage(disk) as unknown as DurableObjectStorage;
  const answer = await real.PROBED.get(real.PROBED.idFromName("one")).fetch("http://probe.invalid/");
  expect(plain(await probeStorage(simulated))).toEqual(await answer.json());
});
