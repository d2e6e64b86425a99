/** The exchange of a code when a store fails: what is repeated, what is given back, and what the answer says of it. */
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { setInstitutionStatus } from "../../../src/institutions/institution-placement.ts";
import { clock } from "../../../src/platform/clock.ts";
import { call, codesOf, obtainCcgToken, obtainObieCode } from "../bank.ts";
import { loadSandbox, SANDBOX_FI } from "../sandbox.ts";
import { active, FLOWS, failInserts, list, objectsWithout, settled } from "./failing-exchange.ts";

beforeAll(loadSandbox);
let waits: number[];
beforeEach(() => {
  waits = [];
  vi.spyOn(clock, "wait").mockImplementation(async (milliseconds) => void waits.push(milliseconds));
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const CASES = (["before", "during", "after"] as const).flatMap((when) =>
  (Object.keys(FLOWS) as (keyof typeof FLOWS)[]).map((flow) => [flow, when] as const),
);

describe("a failure that passes while the request waits is not seen by the PSP", () => {
  test.each(CASES.flatMap((row) => [[...row, 1] as const, [...row, 2] as const]))(
    "%s: D1 fails %s the write, %i times",
    async (flow, when, times) => {
      const account = `passing-${flow}-${when}-${times}`;
      const { obtain, send } = FLOWS[flow];
      const { code } = await obtain(account);
      const answer = await send(code, account, { env: failInserts(times, when) });
      expect([answer.status, waits]).toEqual([201, [100, 200].slice(0, times)]);
      await settled();
      expect(await list(account)).toMatchObject([{ token: answer.body.data.access_token, active: true }]);
    },
  );
});

describe("a failure that stays: 503 says that the code is not used, and it is not", () => {
  test.each(CASES)("%s: D1 fails %s each write", async (flow, when) => {
    const account = `staying-${flow}-${when}`;
    const { obtain, send } = FLOWS[flow];
    const { code, consent } = await obtain(account);
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    for (let time = 0; time < 3; time++) {
      const failed = await send(code, account, { env: failInserts(Number.POSITIVE_INFINITY, when) });
      expect([failed.status, codesOf(failed)]).toEqual([503, ["temporarily_unavailable"]]);
      expect(failed.headers.get("Retry-After")).toBe("1");
      expect(failed.body.errors[0].title).toMatch(/^no token was issued.*The code is still usable: send it again/);
      expect(JSON.stringify(failed.body)).not.toContain("D1");
      expect(log.mock.lastCall?.join()).toContain("D1_ERROR: Network connection lost.");
    }
    expect(waits.slice(0, 4)).toEqual([100, 200, 400, 800]);

    const answer = await send(code, account);
    expect(answer.status).toBe(201);
    const token = answer.body.data.access_token;
    // in the very transaction that stored the new one
    expect(await active(account)).toEqual([token]);
    await settled();
    expect(await active(account)).toEqual([token]);
    if (flow === "payment order") {
      const path = `/v1/obie/payment_order_consents/${consent}`;
      expect(
        (await call("GET", path, { headers: { ccg_token: await obtainCcgToken("payments") } })).body.data.status,
      ).toBe("Consumed");
    }
    // and a replay ends it
    expect(codesOf(await send(code, account))).toEqual(["code_used"]);
    expect(await active(account)).toEqual([]);
  });

  test.each(Object.keys(FLOWS) as (keyof typeof FLOWS)[])(
    "%s: a token that was stored without a confirmation ends if its institution is disabled before the next attempt",
    async (flow) => {
      const account = `disabled-${flow}`;
      const { obtain, send } = FLOWS[flow];
      const { code } = await obtain(account);
      const set = (status: "active" | "disabled") => setInstitutionStatus(env, SANDBOX_FI.fi_reference_id, status);
      vi.spyOn(clock, "wait").mockImplementation(async () => void (await set("disabled")));
      const refused = await send(code, account, { env: failInserts(1, "after") });
      expect([refused.status, codesOf(refused)]).toEqual([401, ["credentials_invalid"]]);
      await settled();
      await set("active");
      expect(await active(account)).toEqual([]);
    },
  );

  test("a retry after the code's 60 seconds is refused as late, and a 503 then no longer invites to one", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const { code } = await FLOWS.core.obtain("staying-late");
    vi.setSystemTime(Date.now() + 59_000);
    vi.spyOn(clock, "wait").mockImplementation(async (milliseconds) => {
      vi.setSystemTime(Date.now() + milliseconds);
    });
    const answer = await FLOWS.core.send(code, "staying-late", { env: failInserts(9, "before") });
    expect([answer.status, answer.body.errors[0].title]).toEqual([503, expect.stringMatching(/may have been used/)]);
    expect(codesOf(await FLOWS.core.send(code, "staying-late"))).toEqual(["code_expired"]);
  });

  test("what D1 stored and did not confirm is dead soon, without a retry of the PSP", async () => {
    const { obtain, send } = FLOWS["payment order"];
    const { code, consent } = await obtain("unconfirmed");
    expect((await send(code, "unconfirmed", { env: failInserts(9, "after") })).status).toBe(503);
    await vi.waitFor(async () => expect(await active("unconfirmed")).toEqual([]), { timeout: 60_000 });
    // the payment order gave no token, so it may give one still
    const again = await obtainObieCode(await obtainCcgToken("payments"), consent ?? "", {
      scope: "payments",
      psu_account_id: "unconfirmed",
    });
    const answer = await send(again, "unconfirmed");
    expect(answer.status).toBe(201);
    expect(await active("unconfirmed")).toEqual([answer.body.data.access_token]);
  });
});

describe("when the code cannot be given back", () => {
  test("503 says that it may be used up; it is, and no token of it is alive", async () => {
    const { code } = await FLOWS.core.obtain("kept");
    const failing = {
      ...failInserts(9, "after"),
      AUTHORIZATION_CODE: objectsWithout("giveBack"),
    } as unknown as Cloudflare.Env;
    const answer = await FLOWS.core.send(code, "kept", { env: failing });
    expect([answer.status, codesOf(answer)]).toEqual([503, ["temporarily_unavailable"]]);
    expect(answer.body.errors[0].title).toMatch(
      /^no token was issued.*may have been used.*request a new code if it is refused/,
    );
    expect(codesOf(await FLOWS.core.send(code, "kept"))).toEqual(["code_used"]);
    expect(await active("kept")).toEqual([]);
  });

  test("the object's call failed and it answers again: the code is not used", async () => {
    const { code } = await FLOWS.core.obtain("unredeemed");
    const failing = { ...env, AUTHORIZATION_CODE: objectsWithout("redeem") } as unknown as Cloudflare.Env;
    const answer = await FLOWS.core.send(code, "unredeemed", { env: failing });
    expect([answer.status, answer.body.errors[0].title]).toEqual([
      503,
      expect.stringMatching(/The code is still usable/),
    ]);
    expect((await FLOWS.core.send(code, "unredeemed")).status).toBe(201);
  });

  test("the object cannot be reached at all: 503 promises nothing", async () => {
    const { code } = await FLOWS.core.obtain("unreachable");
    const failing = { ...env, AUTHORIZATION_CODE: objectsWithout("redeem", "giveBack") } as unknown as Cloudflare.Env;
    const answer = await FLOWS.core.send(code, "unreachable", { env: failing });
    expect([answer.status, answer.body.errors[0].title]).toEqual([503, expect.stringMatching(/may have been used/)]);
    expect((await FLOWS.core.send(code, "unreachable")).status).toBe(201);
  });
});
