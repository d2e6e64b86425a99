/** GET /v1/psp/eidas in workerd: whole bodies of the sandbox, round trips, bad input. */

import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { app } from "../../../../src/app.ts";
import { memories } from "../../../../src/platform/memory.ts";
import { listRegisters } from "../../../../src/registers/manifest.ts";
import { ALL_TRUE } from "../../../all-true.ts";
import { countRoundTrips } from "../../bindings.ts";
import { eidasHeader, loadSandbox, SANDBOX_FI } from "../../sandbox.ts";

beforeAll(loadSandbox);
afterEach(() => void vi.useRealTimers());

async function ask(query: string, headers: Record<string, string>, bindings: Cloudflare.Env = env): Promise<Response> {
  const request = new Request(`http://bank.test/v1/psp/eidas${query}`, { headers: { ...SANDBOX_FI, ...headers } });
  return app.fetch(request, bindings, createExecutionContext());
}

const cases: { certificate: string; jurisdiction: string; answer: string }[] = JSON.parse(
  env.TEST_ANSWERS["index"] ?? "",
);

describe("the sandbox answers with the whole body that fixtures/README.md promises", () => {
  test.each(cases)("$certificate in $jurisdiction", async ({ certificate, jurisdiction, answer }) => {
    const chain = env.TEST_CERTIFICATES[certificate.replace(".pem", "")] ?? "";
    const response = await ask(`?jurisdiction=${jurisdiction}`, { eidas: encodeURIComponent(chain) });
    expect(await response.json()).toEqual(JSON.parse(env.TEST_ANSWERS[answer.replace(".json", "")] ?? ""));
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toBe("application/json");
  });
});

describe("round trips", () => {
  test("a new certificate on a cold isolate reads the stores while the caller is looked up: one round", async () => {
    const { env: counted, trips } = countRoundTrips(env);
    const fresh = {
      eidas: eidasHeader("scenario-9"),
      fi_reference_id: "PSDXX-TEST-FI0001",
      "CF-Connecting-IP": "192.0.2.77",
    };
    // another spelling of the same credentials is new to the isolate's memory
    const Authorization = SANDBOX_FI.Authorization.replace("Basic ", "basic ");
    expect((await ask("?jurisdiction=xx", { ...fresh, Authorization }, counted)).status).toBe(200);
    expect(trips.rounds).toBe(1);
    expect(trips.calls).toContain("DB");
  });

  test("one that comes with its issuer: what the issuer needs is read when the caller is known, in a second round", async () => {
    // everything that the isolate read has grown old
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 61_000 });
    const { env: counted, trips } = countRoundTrips(env);
    const eidas = encodeURIComponent(env.TEST_CERTIFICATES["chain-valid"] ?? "");
    const response = await ask("?jurisdiction=xy", { eidas }, counted);
    const { eIDAS } = await response.json<{ eIDAS: { validity: object } }>();
    expect([eIDAS.validity, trips.rounds]).toEqual([ALL_TRUE, 2]);
  });

  test("a new certificate on a warm isolate: one parallel round of KV", async () => {
    await ask("?jurisdiction=xx", { eidas: eidasHeader("scenario-1") });
    const { env: counted, trips } = countRoundTrips(env);
    expect((await ask("?jurisdiction=se", { eidas: eidasHeader("scenario-10") }, counted)).status).toBe(200);
    expect(trips.rounds).toBe(1);
    expect(new Set(trips.calls)).toEqual(new Set(["KV"]));
  });

  test("a certificate seen before: none", async () => {
    await ask("?jurisdiction=xx", { eidas: eidasHeader("scenario-2") });
    const { env: counted, trips } = countRoundTrips(env);
    expect((await ask("?jurisdiction=xx", { eidas: eidasHeader("scenario-2") }, counted)).status).toBe(200);
    expect(trips.calls).toEqual([]);
  });
});

describe("a jurisdiction that is given twice is refused, for its two readers may take either", () => {
  test.each(["?jurisdiction=xx&jurisdiction=xy", "?jurisdiction=xx&jurisdiction=xx", "?jurisdiction=xx&jurisdiction="])(
    "%s",
    async (query) => {
      const eidas = eidasHeader("scenario-1");
      // what is remembered of the single one is no answer to it
      await ask("?jurisdiction=xx", { eidas });
      const response = await ask(query, { eidas });
      const { errors } = await response.json<{ errors: object[] }>();
      expect([response.status, errors]).toEqual([
        404,
        [expect.objectContaining({ code: "jurisdiction_invalid", title: "jurisdiction is given twice" })],
      ]);
    },
  );
});

describe("a jurisdiction that is no country is refused, and the title says what is expected", () => {
  const expected =
    "is not a country: a two-letter code of ISO 3166-1 such as FI is expected (EL and UK stand for GR and GB)";
  test.each([
    ["eu", `jurisdiction eu ${expected}`],
    ["AB", `jurisdiction AB ${expected}`],
    ["fin", `jurisdiction fin ${expected}`],
    ["f%0ai%22", `jurisdiction "f\\u{000a}i\\"" ${expected}`],
    // the sandbox has registers of XX and XY only
    ["zz", "jurisdiction ZZ is a user-assigned code of ISO 3166-1, and no register is loaded for it"],
    ["XZ", "jurisdiction XZ is a user-assigned code of ISO 3166-1, and no register is loaded for it"],
  ])("%s", async (jurisdiction, title) => {
    const response = await ask(`?jurisdiction=${jurisdiction}`, { eidas: eidasHeader("scenario-1") });
    const { errors } = await response.json<{ errors: object[] }>();
    expect([response.status, errors]).toEqual([
      404,
      [expect.objectContaining({ code: "jurisdiction_invalid", title })],
    ]);
  });

  test.each([
    ["el", "GR"],
    ["UK", "GB"],
    ["se", "SE"],
    ["xy", "XY"],
  ])("%s is one: %s", async (jurisdiction, country) => {
    const response = await ask(`?jurisdiction=${jurisdiction}`, { eidas: eidasHeader("scenario-1") });
    const { hostRegister } = await response.json<{ hostRegister: { ncaCountryCode: string } }>();
    expect([response.status, hostRegister.ncaCountryCode]).toEqual([200, country]);
  });

  test("of a country whose register is not loaded the answer says only that", async () => {
    const response = await ask("?jurisdiction=it", { eidas: eidasHeader("scenario-1") });
    const { hostRegister } = await response.json<{ hostRegister: object }>();
    expect(hostRegister).toMatchObject({ categoryEntries: [], warning: ["no register of IT is loaded"] });
  });
});

describe("what is remembered ends before it would say something else", () => {
  test("a register that grows stale is called so at once, by a certificate seen before, without a read", async () => {
    const [manifest] = await listRegisters(env.KV);
    const fetched = Date.parse(manifest?.fetchedAt ?? "");
    vi.useFakeTimers({ toFake: ["Date"], now: fetched + 3_600_000 - 5_000 });
    const { env: counted, trips } = countRoundTrips({ ...env, REGISTER_MAX_AGE_HOURS_NCA: 1 });
    const warnings = async () => {
      const response = await ask("?jurisdiction=xx", { eidas: eidasHeader("scenario-3") }, counted);
      return (await response.json<{ homeRegister: { warning?: string[] } }>()).homeRegister.warning;
    };
    expect(await warnings()).toBeUndefined();
    const { rounds } = trips;
    vi.setSystemTime(fetched + 3_600_000);
    expect(await warnings()).toBeUndefined();
    vi.setSystemTime(fetched + 3_600_001);
    expect(await warnings()).toEqual([expect.stringMatching(/^the nca register of XX is older than 1 hours/)]);
    expect(trips.rounds).toBe(rounds);
  });

  test("another spelling of the same certificate is the same check, and is not read again", async () => {
    const eidas = eidasHeader("scenario-1");
    await ask("?jurisdiction=xx", { eidas });
    const { env: counted, trips } = countRoundTrips(env);
    for (const spelling of [encodeURIComponent(eidas), `${eidas.slice(0, 64)} ${eidas.slice(64)}`])
      expect((await ask("?jurisdiction=XX", { eidas: spelling }, counted)).status).toBe(200);
    expect(trips.calls).toEqual([]);
  });

  test("a hundred headers of 30 KB leave a hundred digests behind", async () => {
    const certificate = eidasHeader("scenario-1");
    const bytes = () => memories.get("texts")?.bytes ?? Number.NaN;
    const before = bytes();
    for (let i = 0; i < 100; i++) {
      const eidas = certificate.replace(/^/, "%20".repeat(10_000 + i));
      expect((await ask("?jurisdiction=xx", { eidas })).status).toBe(200);
    }
    expect(bytes() - before).toBeLessThan(100 * 640);
  });
});
