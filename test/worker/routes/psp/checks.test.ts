/** POST /v1/psp/checks: its answers are those of the single check, its work is shared and bounded. */
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { type Answer, type Call, call, codesOf } from "../../bank.ts";
import { countRoundTrips } from "../../bindings.ts";
import { eidasHeader, loadSandbox } from "../../sandbox.ts";
import { eidasOf, issuePsp, listQtsp, makeQtsp } from "../../trust/made-qtsp.ts";
import { makeLongChains } from "./long-chains.ts";

/** 50 certificates of different PSPs, whose QTSP is listed. */
let fifty: string[];
beforeAll(async () => {
  await loadSandbox();
  const qtsp = await makeQtsp({ organisation: "Many QTSP", commonName: "Many CA", crlUrl: "http://many.invalid/crl" });
  await listQtsp(qtsp, "many");
  fifty = await Promise.all(
    Array.from({ length: 50 }, async (_, i) => {
      const names = { organisation: `PSP ${i}`, commonName: `psp-${i}.example` };
      return eidasOf(await issuePsp(qtsp, { ...names, authNumber: `PSDXX-TEST-MANY${i}` }));
    }),
  );
});
afterEach(() => void vi.restoreAllMocks());
afterAll(() => void vi.useRealTimers());

const ask = (checks: unknown, { headers, ...more }: Call = {}): Promise<Answer> =>
  call("POST", "/v1/psp/checks", { headers: { version: "latest", ...headers }, body: { checks }, ...more });
const chainOf = (name: string) => env.TEST_CERTIFICATES[name] ?? "";

/** As if the isolate were new: what it remembers of certificates and registers has expired. */
let later = 0;
const forget = () => void vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ++later * 31_000 });

const single = (eIDAS: string, jurisdiction: string, version = "latest"): Promise<Answer> =>
  call("GET", `/v1/psp/eidas?jurisdiction=${jurisdiction}`, {
    headers: { version, eidas: encodeURIComponent(eIDAS) },
  });
/** Without what belongs to the request alone. */
function resultOf({ evidence, ...rest }: Answer["body"]) {
  if (!evidence) return rest;
  const { id, checked_at, oldest, ...held } = evidence;
  expect([id, checked_at]).toEqual([expect.any(String), expect.any(String)]);
  return { ...rest, evidence: { ...held, oldest: oldest && { ...oldest, age_seconds: expect.any(Number) } } };
}
/** Without the request's own id. */
const errorsOf = (list: readonly { id: string }[]) => list.map(({ id: _, ...rest }) => rest);

describe("each answer is that of the single check", () => {
  const CERTIFICATES = Object.keys(env.TEST_CERTIFICATES);
  const COUNTRIES = ["xx", "XY", "fi", "SE", "el", "GB", "zz", "eu", "DEU", ""];
  const element = fc.record({
    name: fc.constantFrom(...CERTIFICATES),
    jurisdictions: fc.uniqueArray(fc.constantFrom(...COUNTRIES), { minLength: 1 }),
    // the single check may come before or after, in a warm isolate or a cold one
    cold: fc.boolean(),
  });
  test.each(["latest", "1"])("version %s", async (version) => {
    await fc.assert(
      fc.asyncProperty(fc.array(element, { minLength: 1, maxLength: 6 }), fc.boolean(), async (asked, first) => {
        if (asked.some(({ cold }) => cold)) forget();
        const checks = asked.map(({ name, jurisdictions }) => ({ eIDAS: chainOf(name), jurisdictions }));
        const many = () => ask(checks, { headers: { version } });
        const before = first ? await many() : null;
        const singles = [];
        for (const { eIDAS, jurisdictions } of checks)
          singles.push(await Promise.all(jurisdictions.map((country) => single(eIDAS, country, version))));
        const answer = before ?? (await many());
        expect(answer.status).toBe(200);
        expect(answer.body.data).toHaveLength(checks.length);
        for (const [i, each] of singles.entries())
          for (const [j, { status, body }] of each.entries()) {
            const there = answer.body.data[i].results[j];
            if (status === 200) expect(resultOf(there.result)).toEqual(resultOf(body));
            // an empty jurisdiction is a missing one in a query
            else if (checks[i]?.jurisdictions[j] !== "") expect(errorsOf(there.errors)).toEqual(errorsOf(body.errors));
          }
      }),
      { numRuns: 15 },
    );
  });
});

describe("one bad element spoils nothing", () => {
  test("each has the errors that it would have alone, at its place", async () => {
    const good = { eIDAS: eidasHeader("scenario-1"), jurisdictions: ["xx"] };
    const answer = await ask([
      { ...good, id: "first" },
      { ...good, id: "second", eIDAS: "s3cret!" },
      null,
      "x",
      { id: "fifth" },
      { id: 6, ...good },
      { ...good, jurisdictions: [] },
      { ...good, jurisdictions: Array(32).fill("xx") },
      { ...good, jurisdictions: "xx" },
      { ...good, jurisdictions: ["xx", "eu", 7, "xx", "zz"] },
      { ...good, jurisdictions: ["eu"] },
      { ...good, id: "" },
      { ...good, id: "last" },
    ]);
    expect(answer.status).toBe(200);
    const short = ({ id, errors, results }: { id?: string; errors?: never[]; results?: never[] }) => [
      id,
      ...(errors ?? []).map(({ code, title }) => `${code}: ${title}`),
      ...(results ?? []).map(({ jurisdiction, result, errors }: Record<string, unknown>) => [
        jurisdiction,
        result ? "checked" : (errors as { code: string }[]).map(({ code }) => code),
      ]),
    ];
    expect(answer.body.data.map(short)).toEqual([
      ["first", ["XX", "checked"]],
      ["second", expect.stringMatching(/^certificate_unreadable: eIDAS is unreadable: not base64: character "!"$/)],
      [undefined, "checks_invalid: checks[2] is not an object"],
      [undefined, "checks_invalid: checks[3] is not an object"],
      ["fifth", "certificate_missing: eIDAS is missing", "jurisdictions_missing: jurisdictions is missing"],
      [undefined, "id_invalid: id is not a string"],
      [undefined, "jurisdictions_invalid: jurisdictions is empty"],
      [undefined, "jurisdictions_invalid: jurisdictions has more than 31 elements"],
      [undefined, "jurisdictions_invalid: jurisdictions is not a list"],
      [
        undefined,
        ["XX", "checked"],
        [null, ["jurisdiction_invalid"]],
        [null, ["jurisdiction_invalid"]],
        ["XX", "checked"],
        ["ZZ", ["jurisdiction_invalid"]],
      ],
      [undefined, [null, ["jurisdiction_invalid"]]],
      [undefined, ["XX", "checked"]],
      ["last", ["XX", "checked"]],
    ]);
    expect(answer.body.data[1].errors[0]).toMatchObject({
      id: answer.headers.get("x-request-id"),
      link: "http://service.test/errors#certificate_unreadable",
    });
  });

  test.each([
    [undefined, "checks_missing", "checks is missing"],
    [[], "checks_invalid", "checks is empty"],
    [{ eIDAS: "x" }, "checks_invalid", "checks is not a list"],
    [Array(51).fill({}), "checks_invalid", "checks has more than 50 elements"],
  ])("what is no list of 1 to 50 is refused as a whole: %#", async (checks, code, title) => {
    const answer = await ask(checks);
    expect([answer.status, answer.body.errors[0].code, answer.body.errors[0].title]).toEqual([400, code, title]);
  });

  test("an issuer is read from the element's text, as from the header", async () => {
    const chain = chainOf("chain-valid");
    const answer = await ask([{ eIDAS: chain, jurisdictions: ["xx"] }]);
    expect(answer.body.data[0].results[0].result.eIDAS.validity.validSignature).toBe(true);
  });
});

/** Keys that were read, and calls of KV. */
function countKeys() {
  const keys: string[] = [];
  let calls = 0;
  const KV = new Proxy(env.KV, {
    get(kv, property) {
      const value: unknown = Reflect.get(kv, property, kv);
      if (typeof value !== "function") return value;
      return (...args: unknown[]) => {
        calls++;
        if (property === "get") keys.push(...[args[0] as string | string[]].flat());
        return value.apply(kv, args);
      };
    },
  });
  return { env: { ...env, KV }, keys, calls: () => calls };
}
const EEA = [
  "AT",
  "BE",
  "BG",
  "HR",
  "CY",
  "CZ",
  "DK",
  "EE",
  "FI",
  "FR",
  "DE",
  "GR",
  "HU",
  "IS",
  "IE",
  "IT",
  "LV",
  "LI",
];
const COUNTRIES = [...EEA, "LT", "LU", "MT", "NL", "NO", "PL", "PT", "RO", "SK", "SI", "ES", "SE", "GB"];

describe("work is shared", () => {
  test("a certificate for 31 jurisdictions, given three times, is verified once, and no key is read twice", async () => {
    forget();
    const eIDAS = eidasHeader("scenario-1");
    const verify = vi.spyOn(crypto.subtle, "verify");
    await single(eIDAS, "xx");
    const alone = verify.mock.calls.length;
    expect(alone).toBeGreaterThan(0);
    forget();
    verify.mockClear();
    const { env: counted, keys } = countKeys();
    const check = { eIDAS, jurisdictions: COUNTRIES };
    const answer = await ask([check, { ...check, eIDAS: encodeURIComponent(eIDAS) }, check], { env: counted });
    expect(answer.body.data[2].results).toHaveLength(31);
    expect(verify).toHaveBeenCalledTimes(alone);
    expect(keys).toHaveLength(new Set(keys).size);
    expect(keys).toContain("register/manifest/SE/nca");
  });

  test("50 new certificates for 31 jurisdictions: 1,550 checks no register is read twice, in fewer than 200 calls", async () => {
    forget();
    const { env: counted, keys, calls } = countKeys();
    const answer = await ask(
      fifty.map((eIDAS) => ({ eIDAS, jurisdictions: COUNTRIES })),
      { env: counted },
    );
    expect(answer.body.data.flatMap(({ results }: { results: object[] }) => results)).toHaveLength(1_550);
    expect(JSON.stringify(answer.body)).not.toContain('"errors"');
    const registers = keys.filter((key) => key.includes("/psp/"));
    expect(registers).toHaveLength(new Set(registers).size);
    expect(calls()).toBeLessThan(200);
  });

  test("200 checks of seen certificates: no read, no signature", async () => {
    forget();
    const checks = fifty.map((eIDAS) => ({ eIDAS, jurisdictions: ["XX", "XY", "FI", "SE"] }));
    await ask(checks);
    const verify = vi.spyOn(crypto.subtle, "verify");
    const { env: counted, trips } = countRoundTrips(env);
    const answer = await ask(checks, { env: counted });
    expect(answer.body.data.flatMap(({ results }: { results: object[] }) => results)).toHaveLength(200);
    expect(trips.calls).toEqual([]);
    expect(verify).not.toHaveBeenCalled();
  });

  test("what it has checked, the single check need not check again, and the other way round", async () => {
    forget();
    const eIDAS = eidasHeader("scenario-9");
    await ask([{ eIDAS, jurisdictions: ["XX", "FI"] }]);
    const { env: counted, trips } = countRoundTrips(env);
    const headers = { eidas: eIDAS };
    for (const country of ["xx", "fi"])
      expect((await call("GET", `/v1/psp/eidas?jurisdiction=${country}`, { headers, env: counted })).status).toBe(200);
    await call("GET", "/v1/psp/eidas?jurisdiction=se", { headers });
    await ask([{ eIDAS, jurisdictions: ["SE", "XX"] }], { env: counted });
    expect(trips.calls).toEqual([]);
  });
});

describe("work is bounded", () => {
  test("what the work of a request does not allow is postponed, and checked when it is sent again", async () => {
    forget();
    const chains = await makeLongChains();
    // 20 chains of ten certificates: more than the 64 KiB that other endpoints take
    expect(JSON.stringify(chains).length).toBeGreaterThan(65_536);
    const first = await ask(chains);
    const done = first.body.data.filter(({ results }: { results?: object[] }) => results);
    const postponed = first.body.data.slice(done.length);
    expect(done.length).toBeGreaterThan(10);
    expect(postponed.length).toBeGreaterThan(0);
    for (const { errors } of postponed) expect(errors[0].code).toBe("check_postponed");
    // the seen ones cost nothing, so that the rest is reached
    const again = await ask(chains);
    expect(again.body.data.map(({ results }: { results?: object[] }) => results?.length)).toEqual(Array(20).fill(1));
    const [before, after] = [first, again].map(({ body }) => body.data[0].results[0]);
    expect({ ...after, result: resultOf(after.result) }).toEqual({ ...before, result: resultOf(before.result) });
  });

  test("a body of more than 1 MiB is refused", async () => {
    const body = JSON.stringify({ checks: [], more: "x".repeat(1024 * 1024) });
    const answer = await call("POST", "/v1/psp/checks", { body });
    expect([answer.status, answer.body.errors[0].title]).toEqual([
      400,
      "The body is larger than 1024 KiB. Send at most 1024 KiB",
    ]);
  });
});

describe("the limit per address counts each element", () => {
  const limited = { ...env, RATE_LIMIT_REQUESTS: 100 };
  const check = { eIDAS: "x", jurisdictions: ["xx"] };
  const send = (elements: number, address: string) =>
    ask(Array(elements).fill(check), { env: limited, headers: { "CF-Connecting-IP": address } });
  const remaining = ({ headers }: Answer) => /r=(\d+)/.exec(headers.get("RateLimit") ?? "")?.[1];

  test("50 count as 50, and beyond the limit none is checked", async () => {
    expect(remaining(await send(50, "192.0.2.50"))).toBe("50");
    expect(remaining(await send(1, "192.0.2.50"))).toBe("49");
    const refused = await send(50, "192.0.2.50");
    expect([refused.status, codesOf(refused)]).toEqual([429, ["rate_limit_exceeded"]]);
    expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
    // the request itself was counted, its elements were not
    expect(remaining(await send(48, "192.0.2.50"))).toBe("0");
    expect((await send(1, "192.0.2.50")).status).toBe(429);
  });
});

describe("a store that fails", () => {
  const failing = (fails: (keys: string[]) => boolean) => ({
    ...env,
    KV: new Proxy(env.KV, {
      get(kv, property) {
        const value: unknown = Reflect.get(kv, property, kv);
        if (typeof value !== "function") return value;
        return async (...args: unknown[]) => {
          if (fails([args[0] as string | string[]].flat())) throw new Error("secret-of-the-inside");
          return value.apply(kv, args);
        };
      },
    }),
  });
  const checks = [
    { id: "seen", eIDAS: eidasHeader("scenario-1"), jurisdictions: ["XX"] },
    { id: "new", eIDAS: eidasHeader("scenario-2"), jurisdictions: ["XX"] },
  ];

  test("fails only the elements that need it", async () => {
    forget();
    await ask(checks.slice(0, 1));
    const answer = await ask(checks, { env: failing(() => true) });
    expect(answer.status).toBe(200);
    const [seen, fresh] = answer.body.data;
    expect([seen.id, seen.results.length, fresh.id, fresh.errors[0].code]).toEqual([
      ...["seen", 1, "new", "temporarily_unavailable"],
    ]);
    expect(JSON.stringify(answer.body)).not.toContain("secret-of-the-inside");
  });

  test("fails the request if it fails all of them", async () => {
    forget();
    const answer = await ask(checks, { env: failing(() => true) });
    expect([answer.status, codesOf(answer)]).toEqual([503, ["temporarily_unavailable"]]);
    expect(answer.headers.get("Retry-After")).toBe("1");
  });
});
