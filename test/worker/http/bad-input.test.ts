/** What every endpoint refuses: callers that are not known, and parameters that are not what they should be. */
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { ENDPOINTS } from "../../../src/http/endpoints.ts";
import { insertFinancialInstitution } from "../../../src/institutions/financial-institutions.ts";
import { setInstitutionStatus } from "../../../src/institutions/institution-placement.ts";
import { hashSecret } from "../../../src/platform/secrets.ts";
import { call, codesOf, obieCodeRequest, obtainCcgToken, REDIRECT_URI } from "../bank.ts";
import { countRoundTrips } from "../bindings.ts";
import { SAMPLES, sampleOf, send } from "../samples.ts";
import { eidasHeader, loadSandbox, SANDBOX_FI } from "../sandbox.ts";

let ccg: { accounts: string; otherFi: string };
beforeAll(async () => {
  await loadSandbox();
  const fi = { name: "Closed Bank", fiReferenceId: "PSDXX-TEST-CLOSED", clientId: "closed-fi", now: 0 };
  await insertFinancialInstitution(env.DB, { ...fi, secretHash: hashSecret("closed-secret") });
  await setInstitutionStatus(env, fi.fiReferenceId, "disabled");
  ccg = {
    accounts: await obtainCcgToken("accounts"),
    otherFi: await obtainCcgToken("accounts", "scenario-1", {
      Authorization: `Basic ${btoa("other-fi:other-secret")}`,
      fi_reference_id: "PSDXX-TEST-FI0002",
    }),
  };
});

const name = (endpoint: { method: string; path: string }) => `${endpoint.method} ${endpoint.path}`;

const ALL = ENDPOINTS.map(name);
const WITH_BODY = ALL.filter((endpoint) => /^(POST|PUT)/.test(endpoint));
const basic = (text: string) => `Basic ${btoa(text)}`;

test("every endpoint has its sample, and no sample is refused for what it holds", async () => {
  expect(Object.keys(SAMPLES).sort()).toEqual(ALL.toSorted());
  for (const endpoint of ALL) expect([endpoint, (await send(endpoint)).status]).not.toEqual([endpoint, 400]);
});

describe("a caller that is not known is 401 everywhere, and learns nothing", () => {
  const CALLERS: [string, Record<string, string | undefined>, string][] = [
    ["without credentials", { Authorization: undefined }, "credentials_missing"],
    ["with a Bearer token", { Authorization: "Bearer x" }, "credentials_missing"],
    ["with credentials that are not base64", { Authorization: "Basic !!!" }, "credentials_invalid"],
    ["with an unknown client id", { Authorization: basic("nobody:sandbox-secret") }, "credentials_invalid"],
    ["with a wrong secret", { Authorization: basic("sandbox-fi:wrong") }, "credentials_invalid"],
    ["with another FI's secret", { Authorization: basic("sandbox-fi:other-secret") }, "credentials_invalid"],
    [
      "of a disabled FI",
      { Authorization: basic("closed-fi:closed-secret"), fi_reference_id: "PSDXX-TEST-CLOSED" },
      "credentials_invalid",
    ],
    ["without fi_reference_id", { fi_reference_id: undefined }, "fi_reference_id_missing"],
    ["with another FI's fi_reference_id", { fi_reference_id: "PSDXX-TEST-FI0002" }, "fi_reference_id_invalid"],
    ["with an unknown fi_reference_id", { fi_reference_id: "PSDXX-TEST-NOBODY" }, "fi_reference_id_invalid"],
  ];
  test.each(ALL.flatMap((endpoint) => CALLERS.map((caller) => [endpoint, ...caller] as const)))(
    "%s %s",
    async (endpoint, _, headers, code) => {
      // even when all else is wrong too
      const answer = await send(endpoint, { headers: { ...headers, version: "9" }, body: undefined });
      expect([answer.status, codesOf(answer)]).toEqual([401, [code]]);
    },
  );
});

describe("the version header is asked for everywhere", () => {
  test.each(
    ALL.flatMap((endpoint) => [
      [endpoint, undefined, "version_missing"] as const,
      [endpoint, "2", "version_invalid"] as const,
      [endpoint, "1.7", "version_invalid"] as const,
    ]),
  )("%s with version %s", async (endpoint, version, code) => {
    const answer = await send(endpoint, { headers: { version } });
    const has400 = ENDPOINTS.find((row) => name(row) === endpoint)?.statuses.includes(400);
    expect([answer.status, codesOf(answer)]).toEqual([has400 ? 400 : 404, [code]]);
  });

  test.each(ALL)("%s takes version latest", async (endpoint) => {
    const answer = await send(endpoint, { headers: { version: "latest" } });
    expect(answer.body?.errors?.[0]?.code).not.toBe("version_invalid");
  });
});

describe("the PSP's credential", () => {
  const CERTIFICATE = ALL.filter(
    (endpoint) => endpoint.includes("/oauth2/") && sampleOf(endpoint).credential === "eidas",
  );
  const CCG = ALL.filter((endpoint) => sampleOf(endpoint).credential === "ccg_token");

  test.each(
    CERTIFICATE.flatMap((endpoint) => [
      [endpoint, undefined, "certificate_missing"] as const,
      [endpoint, "", "certificate_missing"] as const,
      [endpoint, "!!!", "certificate_unreadable"] as const,
      [endpoint, eidasHeader("scenario-1").slice(0, 500), "certificate_unreadable"] as const,
      [endpoint, eidasHeader("scenario-5"), "certificate_revoked"] as const,
    ]),
  )("%s with a certificate %.20s", async (endpoint, eidas, code) => {
    const answer = await send(endpoint, { headers: { eidas } });
    expect([answer.status, codesOf(answer)]).toEqual([401, [code]]);
  });

  test.each(CCG)("%s without, with a forged, and with another FI's ccg_token", async (endpoint) => {
    const altered = `${ccg.accounts.slice(0, -2)}${ccg.accounts.endsWith("AA") ? "BB" : "AA"}`;
    for (const [ccg_token, code] of [
      [undefined, "ccg_token_missing"],
      ["", "ccg_token_missing"],
      ["forged", "ccg_token_invalid"],
      [altered, "ccg_token_invalid"],
      [eidasHeader("scenario-1"), "ccg_token_invalid"],
      [ccg.otherFi, "ccg_token_invalid"],
    ] as const) {
      const answer = await send(endpoint, { headers: { ccg_token } });
      expect([answer.status, codesOf(answer)]).toEqual([401, [code]]);
    }
  });
});

/** They take forms, too; but their samples are JSON. */
const FORMS = new Set(ENDPOINTS.filter(({ form }) => form).map(name));

const maxBytes = (endpoint: string) => 1024 * (ENDPOINTS.find((row) => name(row) === endpoint)?.maxBodyKib ?? 64);

describe("the body", () => {
  const deep = `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`;
  test.each(
    WITH_BODY.flatMap((endpoint) => [
      [endpoint, "truncated", '{"a":', ["body_malformed"]] as const,
      [endpoint, "empty", "", ["body_malformed"]] as const,
      [endpoint, "an array", "[]", ["body_malformed"]] as const,
      [endpoint, "null", "null", ["body_malformed"]] as const,
      [endpoint, "a string", '"x"', ["body_malformed"]] as const,
      [endpoint, "too large", JSON.stringify({ a: "x".repeat(maxBytes(endpoint)) }), ["body_too_large"]] as const,
    ]),
  )("%s with a body that is %s", async (endpoint, _, body, codes) => {
    const answer = await send(endpoint, { body });
    expect([answer.status, codesOf(answer)]).toEqual([400, codes]);
  });

  test.each(WITH_BODY)(
    "%s with a body that is nested 10,000 deep in a field that it does not know",
    async (endpoint) => {
      const body = JSON.stringify(sampleOf(endpoint).body).replace(/^\{/, `{"unknown":${deep},`);
      expect((await send(endpoint, { body })).status).not.toBe(500);
      const answer = await send(endpoint, { body: deep });
      expect(answer.status === 200 ? [] : codesOf(answer)).not.toContain("body_malformed");
    },
  );

  test.each(
    WITH_BODY.flatMap((endpoint) => [
      [endpoint, undefined, "content_type_missing"] as const,
      [endpoint, "text/plain", "content_type_invalid"] as const,
      [endpoint, "application/x-www-form-urlencoded", FORMS.has(endpoint) ? "body_malformed" : "content_type_invalid"],
      [endpoint, "application/jsonp", "content_type_invalid"] as const,
    ]),
  )("%s with content type %s", async (endpoint, type, code) => {
    const answer = await send(endpoint, { headers: { "Content-Type": type } });
    expect([answer.status, codesOf(answer)]).toEqual([400, [code]]);
  });

  test.each(WITH_BODY)(
    "%s takes a charset beside its content type, and fields that it does not know",
    async (endpoint) => {
      const [plain, more] = [
        await send(endpoint),
        await send(endpoint, {
          headers: { "Content-Type": "Application/JSON; charset=utf-8" },
          body: { ...sampleOf(endpoint).body, unknown: [1, { x: null }], __proto__: null },
        }),
      ];
      expect(more.status).toBe(plain.status);
    },
  );
});

/** Every field of a body: where it is, and whether it may be left out. */
function* fieldsOf(body: object, path: string[] = []): Generator<string[]> {
  for (const [key, value] of Object.entries(body)) {
    yield [...path, key];
    if (typeof value === "object" && value !== null && !Array.isArray(value)) yield* fieldsOf(value, [...path, key]);
  }
}

function withField(body: object, [key = "", ...rest]: string[], change: (value: unknown) => unknown): object {
  const value: unknown = Reflect.get(body, key);
  const changed = rest.length === 0 ? change(value) : withField(value as object, rest, change);
  return { ...body, [key]: changed };
}

const OPTIONAL = new Set([
  "state",
  "debtor_account",
  "remittance_information",
  "unstructured",
  "reference",
  "expiration_date_time",
  "transaction_from_date_time",
  "transaction_to_date_time",
]);
const isOptional = (path: string[]) =>
  path.some((field) => OPTIONAL.has(field) && path.at(-1) === field) || path.join(".").endsWith("debtor_account.name");

/** One mistake has one code, and a certificate stands in other endpoints' header. */
function refusalOf(field: string | undefined, fault: "missing" | "invalid" | "unknown scope") {
  if (fault === "unknown scope") return [403, ["payment_service_invalid"]];
  if (field === "eIDAS") return [400, [fault === "missing" ? "certificate_missing" : "certificate_unreadable"]];
  return [400, [`${field}_${fault}`]];
}

describe("each field of each body is refused by its name, before anything is read or written", () => {
  // the institution stays known: on a slow machine a minute passes, and it is read again
  beforeAll(async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    await send("POST /v1/introspect");
  });
  afterAll(() => void vi.useRealTimers());
  const FIELDS = WITH_BODY.flatMap((endpoint) =>
    [...fieldsOf(sampleOf(endpoint).body ?? {})].map((path) => [endpoint, path.join("."), path] as const),
  );
  test.each(FIELDS)("%s %s", async (endpoint, _, path) => {
    const body = sampleOf(endpoint).body ?? {};
    const field = path.at(-1);
    // an authorization request with an unknown scope is answered by way of the redirect URI
    const unknown = field === "scope" && endpoint.endsWith("authorization_codes") ? "unknown scope" : "invalid";
    const changes: [string, (value: unknown) => unknown, "missing" | "invalid" | "unknown scope" | null][] = [
      ["missing", () => undefined, isOptional(path) ? null : "missing"],
      ["null", () => null, isOptional(path) ? null : "missing"],
      ["a number", () => 7, "invalid"],
      // an element of checks is refused by itself
      ["a list", () => [["x"]], field === "checks" ? null : "invalid"],
      ["empty", () => "", isOptional(path) ? null : "invalid"],
      ["10,000 characters", () => "x".repeat(10_000), unknown],
      ["a control character", (value) => (typeof value === "string" ? `${value}\u0000` : "\u0000"), unknown],
      ["half a surrogate pair", (value) => (typeof value === "string" ? `${value}\ud800` : "\ud800"), unknown],
    ];
    for (const [what, change, fault] of changes) {
      const { env: counted, trips } = countRoundTrips(env);
      const answer = await send(endpoint, { body: withField(body, path, change), env: counted });
      if (fault === null) {
        expect([what, answer.status]).not.toEqual([what, 400]);
        continue;
      }
      expect([what, answer.status, codesOf(answer)]).toEqual([what, ...refusalOf(field, fault)]);
      expect(answer.body.errors[0].title).toContain(field);
      expect(trips.calls.filter((binding) => binding !== "KV")).toEqual([]);
    }
  });

  test.each([
    ["POST /v1/oauth2/authorization_codes", ["client_request_query_parameters", "response_type"], "token"],
    [
      "POST /v1/oauth2/authorization_codes",
      ["client_request_query_parameters", "redirect_uri"],
      "https://psp.example/#x",
    ],
    ["POST /v1/oauth2/tokens", ["client_request_query_parameters", "grant_type"], "refresh_token"],
    ["POST /v1/obie/authorization_codes", ["redirect_uri"], "http://psp.example"],
    ["POST /v1/obie/ccg_tokens", ["scope"], "8"],
  ])("%s with %j = %j", async (endpoint, path, value) => {
    const body = withField(sampleOf(endpoint).body ?? {}, path, () => value);
    const answer = await send(endpoint, { body });
    expect([answer.status, codesOf(answer)]).toEqual([400, [`${path.at(-1)}_invalid`]]);
  });
});

describe("ids with tricks are unknown ids", () => {
  test.each(["' OR 1=1--", "../../etc/passwd", "a;DROP TABLE tokens", "\u202egnp.exe", "😀", "a".repeat(128)])(
    "a consent_id %j is denied",
    async (consent_id) => {
      const answer = await send("POST /v1/obie/authorization_codes", { body: obieCodeRequest(consent_id) });
      expect([answer.status, codesOf(answer)]).toEqual([403, ["consent_denied"]]);
    },
  );

  test.each(["' OR 1=1--", "..", `${"0".repeat(64)}.${"A".repeat(43)}`, "😀", "good-access-token"])(
    "an auth_code %j is unknown",
    async (auth_code) => {
      const answer = await send("POST /v1/obie/tokens", { body: { auth_code, redirect_uri: REDIRECT_URI } });
      expect([answer.status, codesOf(answer)]).toEqual([403, ["code_unknown"]]);
    },
  );
});

describe("methods and paths", () => {
  test.each(ALL)("%s: PATCH is 405, and says what is allowed", async (endpoint) => {
    const [, path = ""] = endpoint.split(" ");
    const answer = await call("PATCH", path.replace(/\{\w+\}/, "x"), { headers: SANDBOX_FI });
    expect([answer.status, codesOf(answer)]).toEqual([405, ["method_not_allowed"]]);
    expect(answer.headers.get("Allow")).toContain(endpoint.split(" ")[0]);
  });

  test.each(["/v1/oauth2", "/v1/obie/token", "/v1/oauth2/tokens/a/b", "/v2/oauth2/tokens", "/V1/oauth2/tokens"])(
    "%s is 404 in the error form",
    async (path) => {
      const answer = await call("GET", path);
      expect([answer.status, codesOf(answer)]).toEqual([404, ["path_not_found"]]);
    },
  );
});
