/** The exchange of a code when a store fails: what is repeated, what is given back, and what the answer says of it. */
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { clock } from "../../src/clock.ts";
import {
  type Answer,
  type Call,
  call,
  codesOf,
  createAccountConsent,
  createPaymentConsent,
  obtainCcgToken,
  obtainCode,
  obtainObieCode,
  REDIRECT_URI,
  tokenRequest,
} from "./bank.ts";
import { type FailureTime, failingDatabase } from "./failing-database.ts";
import { eidasHeader, loadSandbox } from "./sandbox.ts";

let ccg: { accounts: string; payments: string };
beforeAll(async () => {
  await loadSandbox();
  ccg = { accounts: await obtainCcgToken("accounts"), payments: await obtainCcgToken("payments") };
});
let waits: number[];
beforeEach(() => {
  waits = [];
  vi.spyOn(clock, "wait").mockImplementation(async (milliseconds) => void waits.push(milliseconds));
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** A code, and the PSP's server that sends it, in each flow. */
interface Flow {
  obtain(account: string): Promise<{ code: string; consent?: string }>;
  send(code: string, account: string, change?: Call): Promise<Answer>;
}
const obie = (scope: "accounts" | "payments"): Flow => ({
  async obtain(psu_account_id) {
    const make = scope === "accounts" ? createAccountConsent : createPaymentConsent;
    const consent = await make(ccg[scope]);
    return { code: await obtainObieCode(ccg[scope], consent, { scope, psu_account_id }), consent };
  },
  send: (auth_code, _, change) =>
    call("POST", "/v1/obie/tokens", {
      headers: { ccg_token: ccg[scope] },
      body: { auth_code, redirect_uri: REDIRECT_URI },
      ...change,
    }),
});
const core: Flow = {
  obtain: async (account) => ({ code: await obtainCode(account) }),
  send: (code, account, change) =>
    call("POST", "/v1/oauth2/tokens", {
      headers: { eidas: eidasHeader("scenario-1") },
      body: tokenRequest(code, account),
      ...change,
    }),
};
const FLOWS = { core, "account access": obie("accounts"), "payment order": obie("payments") };

/** Fails the first `times` writes of a new token. */
function failInserts(times: number, when: FailureTime) {
  let left = times;
  const isInsert = (sql: string) => sql.includes("RETURNING expires_at");
  return { ...env, DB: failingDatabase(env.DB, (sql) => isInsert(sql) && left-- > 0, when) };
}
/** No token is stored, nor revoked. */
const brokenDatabase = {
  ...env,
  DB: failingDatabase(env.DB, (sql) => /INTO tokens|UPDATE/.test(sql), "before"),
};
const broken = async () => {
  throw new Error("internal error");
};
/** Codes' objects that do what they are asked, but for these methods. */
const objectsWithout = (...methods: ("redeem" | "giveBack")[]) => ({
  idFromString: (hex: string) => env.AUTHORIZATION_CODE.idFromString(hex),
  get: (id: DurableObjectId) =>
    new Proxy(env.AUTHORIZATION_CODE.get(id), {
      get: (stub, name) => ((methods as PropertyKey[]).includes(name) ? broken : Reflect.get(stub, name, stub)),
    }),
});

const list = async (account: string): Promise<{ token: string; active: boolean }[]> =>
  (await call("GET", `/v1/oauth2/account/${account}/tokens`)).body.data;
const active = async (account: string) =>
  (await list(account)).filter((token) => token.active).map(({ token }) => token);
/** Writes that arrive late, and what goes on in the background, are over. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 60));

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
      expect(failed.body.errors[0].title).toMatch(/^no token was issued.*The code is not used: send it again/);
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
      expect((await call("GET", path, { headers: { ccg_token: ccg.payments } })).body.data.status).toBe("Consumed");
    }
    // and a replay ends it
    expect(codesOf(await send(code, account))).toEqual(["code_used"]);
    expect(await active(account)).toEqual([]);
  });

  test("a retry after the code's 60 seconds is refused as late, and a 503 then no longer invites to one", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const { code } = await core.obtain("staying-late");
    vi.setSystemTime(Date.now() + 59_000);
    vi.spyOn(clock, "wait").mockImplementation(async (milliseconds) => {
      vi.setSystemTime(Date.now() + milliseconds);
    });
    const answer = await core.send(code, "staying-late", { env: failInserts(9, "before") });
    expect([answer.status, answer.body.errors[0].title]).toEqual([503, expect.stringMatching(/may be used up/)]);
    expect(codesOf(await core.send(code, "staying-late"))).toEqual(["code_expired"]);
  });

  test("what D1 stored and did not confirm is dead soon, without a retry of the PSP", async () => {
    const { obtain, send } = FLOWS["payment order"];
    const { code, consent } = await obtain("unconfirmed");
    expect((await send(code, "unconfirmed", { env: failInserts(9, "after") })).status).toBe(503);
    await vi.waitFor(async () => expect(await active("unconfirmed")).toEqual([]));
    // the payment order gave no token, so it may give one still
    const again = await obtainObieCode(ccg.payments, consent ?? "", {
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
    const { code } = await core.obtain("kept");
    const failing = {
      ...failInserts(9, "after"),
      AUTHORIZATION_CODE: objectsWithout("giveBack"),
    } as unknown as Cloudflare.Env;
    const answer = await core.send(code, "kept", { env: failing });
    expect([answer.status, codesOf(answer)]).toEqual([503, ["temporarily_unavailable"]]);
    expect(answer.body.errors[0].title).toMatch(
      /^no token was issued.*may be used up.*ask for a new one if it is refused/,
    );
    expect(codesOf(await core.send(code, "kept"))).toEqual(["code_used"]);
    expect(await active("kept")).toEqual([]);
  });

  test("the object's call failed and it answers again: the code is not used", async () => {
    const { code } = await core.obtain("unredeemed");
    const failing = { ...env, AUTHORIZATION_CODE: objectsWithout("redeem") } as unknown as Cloudflare.Env;
    const answer = await core.send(code, "unredeemed", { env: failing });
    expect([answer.status, answer.body.errors[0].title]).toEqual([503, expect.stringMatching(/The code is not used/)]);
    expect((await core.send(code, "unredeemed")).status).toBe(201);
  });

  test("the object cannot be reached at all: 503 promises nothing", async () => {
    const { code } = await core.obtain("unreachable");
    const failing = { ...env, AUTHORIZATION_CODE: objectsWithout("redeem", "giveBack") } as unknown as Cloudflare.Env;
    const answer = await core.send(code, "unreachable", { env: failing });
    expect([answer.status, answer.body.errors[0].title]).toEqual([503, expect.stringMatching(/may be used up/)]);
    expect((await core.send(code, "unreachable")).status).toBe(201);
  });
});

describe("replays while the store fails", () => {
  test("a replay whose revocation fails says so, and the next one revokes", async () => {
    const { code } = await core.obtain("replayed");
    const token = (await core.send(code, "replayed")).body.data.access_token;
    const failed = await core.send(code, "replayed", { env: brokenDatabase });
    expect([failed.status, failed.body.errors[0].title]).toEqual([
      503,
      expect.stringMatching(/used before.*could not be revoked yet/),
    ]);
    expect(await active("replayed")).toEqual([token]);
    expect(codesOf(await core.send(code, "replayed"))).toEqual(["code_used"]);
    expect(await active("replayed")).toEqual([]);
  });

  test("a passing failure of the revocation is not seen", async () => {
    const { code } = await core.obtain("replayed-2");
    await core.send(code, "replayed-2");
    let left = 2;
    const failing = {
      ...env,
      DB: failingDatabase(env.DB, (sql) => sql.includes("INTO tokens") && left-- > 0, "before"),
    };
    expect(codesOf(await core.send(code, "replayed-2", { env: failing }))).toEqual(["code_used"]);
    expect(await active("replayed-2")).toEqual([]);
  });

  test("a replay during the repetitions is refused, and the token of the first is dead", async () => {
    const { code } = await core.obtain("replayed-3");
    let replay: Answer | undefined;
    vi.spyOn(clock, "wait").mockImplementation(async () => {
      replay ??= await core.send(code, "replayed-3");
    });
    const first = await core.send(code, "replayed-3", { env: failInserts(1, "before") });
    expect([first.status, replay && codesOf(replay)]).toEqual([201, ["code_used"]]);
    expect(await list("replayed-3")).toMatchObject([{ token: first.body.data.access_token, active: false }]);
  });

  test("a payment order that a replay robbed of its token may give another", async () => {
    const { obtain, send } = FLOWS["payment order"];
    const { code, consent = "" } = await obtain("replayed-4");
    vi.spyOn(clock, "wait").mockImplementationOnce(async () => void (await send(code, "replayed-4")));
    const first = await send(code, "replayed-4", { env: failInserts(1, "before") });
    expect([first.status, codesOf(first)]).toEqual([403, ["consent_denied"]]);
    expect(first.body.errors[0].title).toMatch(/sent twice at once/);
    const fields = { scope: "payments", psu_account_id: "replayed-4" };
    const again = await send(await obtainObieCode(ccg.payments, consent, fields), "replayed-4");
    expect(again.status).toBe(201);
    expect(await active("replayed-4")).toEqual([again.body.data.access_token]);
  });

  test("a replay revokes what was given back as well", async () => {
    const { code } = await core.obtain("replayed-5");
    // stored, not confirmed, not revoked in the background, and given back
    const unconfirmed = failingDatabase(env.DB, (sql) => sql.includes("RETURNING expires_at"), "after");
    const noRevocation = failingDatabase(unconfirmed, (sql) => /INTO tokens.+\?8, \?8, \?8/s.test(sql), "before");
    expect((await core.send(code, "replayed-5", { env: { ...env, DB: noRevocation } })).status).toBe(503);
    await settled();
    expect(await active("replayed-5")).toHaveLength(1);
    // used by an attempt that neither stores its token nor gives the code back
    const stuck = { ...brokenDatabase, AUTHORIZATION_CODE: objectsWithout("giveBack") } as unknown as Cloudflare.Env;
    expect((await core.send(code, "replayed-5", { env: stuck })).status).toBe(503);
    expect(await active("replayed-5")).toHaveLength(1);
    expect(codesOf(await core.send(code, "replayed-5"))).toEqual(["code_used"]);
    expect(await active("replayed-5")).toEqual([]);
  });
});
