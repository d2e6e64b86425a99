/** When a store cannot be reached, or does not answer: 503 in the error form, nothing of the inside in the answer. */
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { ENDPOINTS } from "../../../src/http/endpoints.ts";
import { FORMS_OF_1_6 } from "../../../src/routes/v1_6/endpoints.ts";
import {
  type Answer,
  call,
  codeRequest,
  codesOf,
  createAccountConsent,
  obtainCcgToken,
  obtainCode,
  obtainObieToken,
  tokenRequest,
} from "../bank.ts";
import { send } from "../samples.ts";
import { eidasHeader, loadSandbox, SANDBOX_FI } from "../sandbox.ts";
import { holdDeadlines, passDeadline } from "./deadlines.ts";
import { failingDatabase } from "./failing-database.ts";

let ccg_token: string;
let consent: string;
let token: string;
let code: string;
beforeAll(async () => {
  await loadSandbox();
  ccg_token = await obtainCcgToken();
  consent = await createAccountConsent(ccg_token);
  token = await obtainObieToken(ccg_token, consent);
  code = await obtainCode("a");
});

afterEach(() => void vi.restoreAllMocks());

const EIDAS = { eidas: eidasHeader("scenario-1") };
const broken = async () => {
  throw new Error("internal error; reference = secret-of-the-inside");
};
/** `never`: there is no answer, nor an error. */
function storesThat(fail: () => Promise<never>, when: "before" | "never") {
  const noObjects = {
    ...env,
    AUTHORIZATION_CODE: {
      newUniqueId: () => env.AUTHORIZATION_CODE.newUniqueId(),
      idFromString: (hex: string) => env.AUTHORIZATION_CODE.idFromString(hex),
      get: () => ({ issue: fail, redeem: fail, giveBack: fail }),
    },
  } as unknown as Cloudflare.Env;
  // the FI is known to the isolate already
  const noDatabase = { ...env, DB: failingDatabase(env.DB, () => true, when) };
  const noKeyValueStore = { ...env, KV: { get: fail, put: fail, list: fail } } as unknown as Cloudflare.Env;
  return { noObjects, noDatabase, noKeyValueStore };
}
type Stores = ReturnType<typeof storesThat>;
const failing = storesThat(broken, "before");
/** Right, and in a spelling that the isolate has not seen. */
const NEW_TO_ISOLATE = { Authorization: SANDBOX_FI.Authorization.replace("Basic ", "bAsIc ") };
const consentPath = () => `/v1/obie/account_access_consents/${consent}`;

/** Each operation while its institution's database fails: test/worker/databases/endpoints.test.ts. */
const CASES: [string, (stores: Stores) => Promise<Answer>][] = [
  [
    "issue of a code, without Durable Objects",
    ({ noObjects }) =>
      call("POST", "/v1/oauth2/authorization_codes", { headers: EIDAS, body: codeRequest(), env: noObjects }),
  ],
  [
    "exchange of a code, without Durable Objects",
    ({ noObjects }) =>
      call("POST", "/v1/oauth2/tokens", { headers: EIDAS, body: tokenRequest(code, "a"), env: noObjects }),
  ],
  [
    "introspection with a certificate not seen before, without KV",
    ({ noKeyValueStore }) =>
      call("POST", "/v1/introspect", {
        headers: { eidas: eidasHeader("scenario-9") },
        body: { token },
        env: noKeyValueStore,
      }),
  ],
  [
    "a caller whose credentials are still to be looked up, without D1",
    ({ noDatabase }) => call("GET", "/v1/oauth2/account/a/tokens", { headers: NEW_TO_ISOLATE, env: noDatabase }),
  ],
  [
    "the check of a certificate not seen before, without KV",
    ({ noKeyValueStore }) =>
      call("GET", "/v1/psp/eidas?jurisdiction=xx", {
        headers: { eidas: eidasHeader("scenario-3") },
        env: noKeyValueStore,
      }),
  ],
  [
    "many checks of certificates not seen before, without KV",
    ({ noKeyValueStore }) =>
      call("POST", "/v1/psp/checks", {
        body: { checks: [{ eIDAS: eidasHeader("scenario-7"), jurisdictions: ["XX"] }] },
        env: noKeyValueStore,
      }),
  ],
];

test.each(CASES)("%s", async (_, ask) => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  holdDeadlines();
  for (const stores of [failing, storesThat(passDeadline, "never")]) {
    const answer = await ask(stores);
    expect([answer.status, codesOf(answer)]).toEqual([503, ["temporarily_unavailable"]]);
    expect(answer.headers.get("Retry-After")).toBe("1");
    expect(JSON.stringify(answer.body)).not.toMatch(/D1|secret-of-the-inside|Durable/);
  }
});

describe("21: the 503 of an endpoint says what may have happened there, and what to do", () => {
  const ROWS = [...ENDPOINTS, ...FORMS_OF_1_6].map((row) => [`${row.method} ${row.path}`, row] as const);
  const env503 = { ...failing.noDatabase, LEGACY_1_6: "true" };

  test.each(ROWS)("%s", async (name, { method, path, outage, successor }) => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const answer = await send(name, { headers: NEW_TO_ISOLATE, env: env503 });
    const said = outage ?? "nothing was changed. Send the request again";
    expect([answer.status, answer.body.errors]).toMatchObject([
      503,
      [{ code: "temporarily_unavailable", title: `A store of this service cannot be reached: ${said}` }],
    ]);
    expect(said).toMatch(/\. Send the request again/);
    // it names nothing that it has not to do with
    const about = successor ?? path;
    for (const [noun, place] of NOUNS) if (said.includes(noun)) expect(about).toMatch(place);
    const changes = !["GET", "HEAD"].includes(method) && !/ccg_token|introspect|psp\/checks/.test(path);
    expect(outage !== undefined).toBe(changes);
  });

  const NOUNS: readonly (readonly [string, RegExp])[] = [
    ["code", /authorization_codes|\/tokens$/],
    ["token", /tokens/],
    ["consent", /consents|obie\/authorization_codes/],
    ["withdrawn", /permissions/],
    ["block", /block$/],
    ["watch", /watches/],
  ];
});

test("a consent whose deletion fails stays, with its tokens", async () => {
  const failing = {
    ...env,
    DB: new Proxy(env.DB, { get: (db, name) => (name === "batch" ? broken : Reflect.get(db, name, db).bind(db)) }),
  };
  const answer = await call("DELETE", consentPath(), { headers: { ccg_token }, env: failing });
  expect(answer.status).toBe(503);
  expect((await call("GET", consentPath(), { headers: { ccg_token } })).status).toBe(200);
  const information = await call("GET", `/v1/obie/tokens/${token}`, { headers: { ccg_token } });
  expect(information.body.data.active).toBe(true);
});

test("no watch begins while registers cannot be read: its next change would not be told", async () => {
  const body = {};
  // one that was granted nothing here
  const psp = "PSDXX-TEST-000009";
  const answer = await call("PUT", `/v1/psp/watches/${psp}`, { body, env: failing.noKeyValueStore });
  expect([answer.status, answer.body.errors[0].code]).toEqual([503, "temporarily_unavailable"]);
  const watches = env.DB.prepare("SELECT count(*) AS watches FROM psp_watches WHERE psp_id = ?1").bind(psp);
  expect(await watches.first<number>("watches")).toBe(0);
});
