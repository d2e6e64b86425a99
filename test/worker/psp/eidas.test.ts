/** GET /v1/psp/eidas in workerd: whole bodies of the sandbox, round trips, bad input. */
import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { app } from "../../../src/app.ts";
import { countRoundTrips } from "../bindings.ts";
import { eidasHeader, loadSandbox, SANDBOX_FI } from "../sandbox.ts";

beforeAll(loadSandbox);

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

describe("round trips (design.md section 10)", () => {
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

  test("a new certificate on a warm isolate: one parallel round of KV", async () => {
    await ask("?jurisdiction=xx", { eidas: eidasHeader("scenario-1") });
    const { env: counted, trips } = countRoundTrips(env);
    expect((await ask("?jurisdiction=xz", { eidas: eidasHeader("scenario-10") }, counted)).status).toBe(200);
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
