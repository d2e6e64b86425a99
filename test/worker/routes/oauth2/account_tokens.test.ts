import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { makeRecordId } from "../../../../src/grants/record-order.ts";
import { call, codesOf, createAccountConsent, obtainCcgToken, obtainObieToken, obtainToken } from "../../bank.ts";
import { countRoundTrips } from "../../bindings.ts";
import { eidasHeader, loadSandbox, OTHER_FI, SANDBOX_FI } from "../../sandbox.ts";

beforeAll(loadSandbox);
afterEach(() => vi.useRealTimers());

const list = (accountId: string, headers = {}) => call("GET", `/v1/oauth2/account/${accountId}/tokens`, { headers });

test("an account without tokens has an empty list", async () => {
  const answer = await list("nobody");
  expect([answer.status, answer.body]).toEqual([200, { data: [] }]);
});

test("the list holds the tokens of both flows and of all PSPs, newest first", async () => {
  const core = await obtainToken("list-1");
  const ccg = await obtainCcgToken();
  const obie = await obtainObieToken(ccg, await createAccountConsent(ccg), { psu_account_id: "list-1" });
  const second = await obtainToken("list-1", { eidas: eidasHeader("accounts-only") });
  const { data } = (await list("list-1")).body;
  expect(data.map(({ token }: { token: string }) => token)).toEqual([second, obie, core]);
  expect(data[0]).toEqual({
    token: second,
    active: true,
    psp_id: "PSDXX-TEST-000011",
    account_id: "list-1",
    scope: "accounts",
    exp: data[0].iat + 3600,
    iat: expect.any(Number),
    revoked_at: null,
  });
});

test("another FI's account of the same id is another account", async () => {
  await obtainToken("list-2");
  expect((await list("list-2", OTHER_FI)).body).toEqual({ data: [] });
});

test.each([
  ["a%2Fb", "a/b"],
  ["%C3%A9%20x", "é x"],
  ["a'%3B--", "a';--"],
  ["..%2e", "..."],
])("the account id in the path is percent-decoded: %s is %s", async (path, accountId) => {
  const token = await obtainToken(accountId);
  expect((await list(path)).body.data).toMatchObject([{ token, account_id: accountId }]);
});

describe("an account with more tokens than a page", () => {
  /** Rows of the sandbox FI, as they are stored; `pspId` by the row's number. */
  async function store(accountId: string, count: number, expiresAt: number, pspId = (_: number) => PSP) {
    const fi = env.DB.prepare("SELECT id FROM financial_institutions WHERE fi_reference_id = ?1");
    const fiId = await fi.bind(SANDBOX_FI.fi_reference_id).first<number>("id");
    const rows = Array.from({ length: count }, (_, i) => ({ id: makeRecordId(0), pspId: pspId(i) }));
    await env.DB.prepare(
      `INSERT INTO tokens (id, kid, fi_id, psp_id, account_id, scope, issued_at, expires_at)
       SELECT value ->> 'id', '20990101T000000Z', ?2, value ->> 'pspId', ?3, 'accounts', 0, ?4 FROM json_each(?1)`,
    )
      .bind(JSON.stringify(rows), fiId, accountId, expiresAt)
      .run();
  }
  const PSP = "PSDXX-TEST-000001";
  interface Record {
    token: string;
    active: boolean;
    warning?: string;
  }

  /** The pages that the Link headers lead through. */
  async function readPages(accountId: string) {
    const pages: Record[][] = [];
    let url: URL | null = new URL(`http://service.test/v1/oauth2/account/${accountId}/tokens`);
    while (url) {
      const answer = await call("GET", url.pathname + url.search);
      expect(answer.status).toBe(200);
      expect(Object.keys(answer.body)).toEqual(["data"]);
      pages.push(answer.body.data);
      const link: RegExpExecArray | null = /^<([^>]+)>; rel="next"$/.exec(answer.headers.get("Link") ?? "");
      expect(answer.headers.has("Link")).toBe(link !== null);
      url = link ? new URL(link[1] ?? "", url) : null;
    }
    return pages;
  }

  test("shows every token: the active ones first, and a Link to the rest", async () => {
    const oldest = await obtainToken("list-many");
    await store("list-many", 1_500, 1_000);
    await store("list-many", 501, Date.now() + 60_000);
    const pages = await readPages("list-many");
    expect(pages.map((page) => page.length)).toEqual([1_000, 1_000, 2]);
    const all = pages.flat();
    expect(new Set(all.map(({ token }) => token)).size).toBe(2_002);
    expect(all.map(({ active }) => active)).toEqual([...Array(502).fill(true), ...Array(1_500).fill(false)]);
    expect(all.slice(0, 502).map(({ token }) => token)).toContain(oldest);
  });

  test("a page of exactly 1,000 has no Link", async () => {
    await store("list-1000", 1_000, 1_000);
    expect((await readPages("list-1000")).map((page) => page.length)).toEqual([1_000]);
  });

  test("active is as of now on each page, and a token that expires meanwhile is on one page", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Math.ceil(Date.now() / 1_000) * 1_000 });
    await store("list-expiring", 1_001, Date.now() + 1_000);
    const first = await list("list-expiring");
    vi.setSystemTime(Date.now() + 1_000);
    const path = `/v1/oauth2/account/list-expiring/tokens${/<(.+)>/.exec(first.headers.get("Link") ?? "")?.[1]}`;
    const second = await call("GET", path);
    expect(second.body.data.map(({ active }: Record) => active)).toEqual([false]);
    const tokens = [...first.body.data, ...second.body.data].map(({ token }: Record) => token);
    expect(new Set(tokens).size).toBe(1_001);
  });

  test("registers are read of 50 PSPs, and the records of the others say that theirs was not", async () => {
    await store("list-psps", 120, Date.now() + 60_000, (i) => `PSDXX-TEST-9${String(i % 60).padStart(5, "0")}`);
    const { env: counted, trips } = countRoundTrips(env);
    const { data } = (
      await call("GET", "/v1/oauth2/account/list-psps/tokens", {
        headers: { version: "latest" },
        env: counted,
      })
    ).body;
    expect(trips.calls.filter((binding) => binding === "KV")).toHaveLength(50);
    const warnings = data.map(({ warning }: Record) => warning);
    expect(warnings.filter((warning: string) => /could not find a register entry/.test(warning))).toHaveLength(100);
    expect(warnings.filter((warning: string) => /was not read: more than 50 PSPs/.test(warning))).toHaveLength(20);
  });

  test.each([
    ["cursor=", "empty"],
    ["cursor=nothing", "made up"],
    ["cursor=a&cursor=b", "given twice"],
    [`cursor=${"a".repeat(10_000)}`, "too long"],
    ["cursor=%00", "a control character"],
  ])("?%.20s is 404: %s", async (query) => {
    const answer = await call("GET", `/v1/oauth2/account/list-many/tokens?${query}`);
    expect([answer.status, codesOf(answer)]).toEqual([404, ["cursor_invalid"]]);
  });

  test("a query parameter that it does not know changes nothing", async () => {
    await obtainToken("list-unknown");
    const answer = await call("GET", "/v1/oauth2/account/list-unknown/tokens?limit=0&page=7");
    expect([answer.status, answer.body]).toEqual([200, (await list("list-unknown")).body]);
  });

  test("a cursor of another FI or another account is 404", async () => {
    await store("list-foreign", 1_001, Date.now() + 60_000);
    const link = (await list("list-foreign")).headers.get("Link") ?? "";
    const query = /<(.+)>/.exec(link)?.[1];
    for (const [account, headers] of [
      ["list-foreign", OTHER_FI],
      ["list-many", {}],
    ] as const) {
      const answer = await call("GET", `/v1/oauth2/account/${account}/tokens${query}`, { headers });
      expect([answer.status, codesOf(answer)]).toEqual([404, ["cursor_invalid"]]);
    }
  });
});

test.each([
  ["with a control character", "a%00b"],
  ["that is too long", "a".repeat(257)],
])("an account id %s is 404, for the endpoint has no 400", async (_, accountId) => {
  const answer = await list(accountId);
  expect([answer.status, codesOf(answer)]).toEqual([404, ["account_id_invalid"]]);
});
