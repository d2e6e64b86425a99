/** The sign-in of people at their institution's OpenID provider: what it takes, and each attack that it refuses. */
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { endSessionsOf, erasePerson, listPeople } from "../../../src/institutions/people.ts";
import { makeSignInLink, SIGN_IN_LINK_LIFETIME_MS } from "../../../src/institutions/sign-in-links.ts";
import { SIGN_IN_PROVIDER_STATEMENTS } from "../../../src/institutions/sign-in-provider.ts";
import { idOf, listRecords } from "../evidence/ledger/records.ts";
import { loadSandbox, OTHER_FI, SANDBOX_FI } from "../sandbox.ts";
import { CLIENT_ID, ISSUER, type Mistakes, OpenIdProvider, strangersKey } from "./openid-provider.ts";
import { CREDENTIALS, ORIGIN, type Shown, tokenOf, Visitor } from "./visitor.ts";

const FI = SANDBOX_FI.fi_reference_id;
const PLACE = `/console/sign-in/${FI}`;
const PAGE = "/console/sources";

let provider: OpenIdProvider;
let logged: string[];
beforeAll(loadSandbox);
beforeEach(async () => {
  provider = new OpenIdProvider();
  logged = [];
  vi.spyOn(console, "error").mockImplementation((line) => logged.push(String(line)));
  await provider.listen();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await env.DB.prepare(SIGN_IN_PROVIDER_STATEMENTS.remove)
    .bind(await idOf())
    .run();
});

const visit = () => new Visitor({ ...env, WEBHOOK_TARGETS: "any" });
const pathOf = (url: URL): string => url.pathname + url.search;
/** As the provider sends a browser back. */
const follow = (visitor: Visitor, url: URL): Promise<Shown> =>
  visitor.get(pathOf(url), { "Sec-Fetch-Site": "cross-site" });

async function begin(visitor: Visitor, next = ""): Promise<string> {
  const { status, headers } = await visitor.get(`${PLACE}/provider${next && `?next=${encodeURIComponent(next)}`}`);
  expect(status).toBe(303);
  return headers.get("Location") ?? "";
}

async function signIn(visitor = visit(), mistakes: Mistakes = {}): Promise<{ visitor: Visitor; answer: Shown }> {
  provider.mistakes = mistakes;
  const callback = provider.comeBack(await begin(visitor));
  return { visitor, answer: await follow(visitor, callback) };
}
const isSignedIn = async (visitor: Visitor): Promise<boolean> => (await visitor.get(PAGE)).status === 200;

async function expectRefused({ visitor, answer }: { visitor: Visitor; answer: Shown }, code: string): Promise<void> {
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(answer.text).not.toContain("Something went wrong");
  expect({ code, signedIn: await isSignedIn(visitor) }).toEqual({ code, signedIn: false });
}

test("a person signs in, is named on the page, and does what their roles allow", async () => {
  const visitor = visit();
  const address = new URL(await begin(visitor, `${PAGE}?country=DE`));
  expect(Object.fromEntries(address.searchParams)).toMatchObject({
    ...{ response_type: "code", client_id: CLIENT_ID, code_challenge_method: "S256", max_age: "43200" },
    redirect_uri: `${ORIGIN}${PLACE}/callback`,
  });
  const { status, headers } = await follow(visitor, provider.comeBack(address.href));
  expect([status, headers.get("Location")]).toEqual([303, `${PAGE}?country=DE`]);
  const page = await visitor.get(PAGE);
  expect(page.text).toContain("Alice Example");
  expect(page.text).not.toContain(CREDENTIALS.sandbox.client_id);
  expect((await visitor.get("/console/permissions/block?account=one")).status).toBe(200);
  // the ledger names them by a tag, which is the same the next time
  const started = () => listRecords({ event: "session.start", endpoint: "GET /console/sign-in/{reference}/callback" });
  await expect.poll(started, { timeout: 60_000 }).not.toEqual([]);
  const [record] = await started();
  const [person] = await listPeople(env.DB, await idOf());
  expect(record).toMatchObject({ person: person?.tag, status: 303, outcome: "ok" });
  expect(JSON.stringify(record)).not.toMatch(/alice/i);
  await signIn();
  expect((await listPeople(env.DB, await idOf())).map(({ tag }) => tag)).toEqual([person?.tag]);
});

test("a page with a long address is forgotten, and the person is signed in all the same", async () => {
  const visitor = visit();
  const callback = provider.comeBack(await begin(visitor, `/console/permissions?q=${"a".repeat(3_000)}`));
  const { status, headers } = await follow(visitor, callback);
  expect([status, headers.get("Location")]).toEqual([303, "/console"]);
});

test("roles add up, from a text or a list; another institution's page stays its own", async () => {
  for (const [groups, shown] of [
    ["audit", ["auditor"]],
    [
      ["audit", "admins", "x"],
      ["auditor", "administrator"],
    ],
  ] as const) {
    await signIn(visit(), { claims: { groups, sub: `of ${groups}` } });
    const [person] = (await listPeople(env.DB, await idOf())).filter(({ roles }) => roles.join() === shown.join());
    expect(person).toBeDefined();
  }
  const { visitor } = await signIn();
  expect((await visitor.get(PAGE)).text).not.toContain(OTHER_FI.fi_reference_id);
});

test("the page of an unknown reference is that of a known one, and nobody signs in there", async () => {
  const nameless = (page: Shown, reference: string) =>
    page.text
      .replaceAll(reference, "")
      .replace(/request [\w-]+/, "")
      .replace(/datetime="[^"]+"/, "");
  const [known, unknown] = ["PSDXX-TEST-FI0001", "PSDXX-TEST-FI9999"];
  const pages = await Promise.all([known, unknown].map((one) => visit().get(`/console/sign-in/${one}`)));
  expect(nameless(pages[1] as Shown, unknown)).toBe(nameless(pages[0] as Shown, known));
  for (const one of [unknown, OTHER_FI.fi_reference_id]) {
    const { status, text } = await visit().get(`/console/sign-in/${one}/provider`);
    expect([status, text.includes("Nobody signs in here as themselves")]).toEqual([403, true]);
  }
});

test("a reference that is no percent-encoding is nobody's", async () => {
  const place = "/console/sign-in/%E0%A4%A";
  expect((await visit().get(place)).status).toBe(200);
  expect((await visit().get(`${place}/provider`)).status).toBe(403);
  expect((await visit().post(`${place}/logout`, { logout_token: "x" })).status).toBe(400);
  expect((await visit().post(`${place}/link/secret`, {})).status).toBe(403);
});

describe("cookie and state", () => {
  test("none: another browser's callback", async () => {
    const address = await begin(visit());
    const visitor = visit();
    await expectRefused({ visitor, answer: await follow(visitor, provider.comeBack(address)) }, "no cookie");
  });
  test("another's: one of another sign-in", async () => {
    const [first, second] = [visit(), visit()];
    const address = await begin(first);
    await begin(second);
    await expectRefused({ visitor: second, answer: await follow(second, provider.comeBack(address)) }, "another's");
  });
  test("fixed by a stranger: the stranger's code with the state of the victim, and made up cookies", async () => {
    const [stranger, victim] = [visit(), visit()];
    const theirs = provider.comeBack(await begin(stranger));
    const own = new URL(await begin(victim)).searchParams;
    theirs.searchParams.set("state", own.get("state") ?? "");
    // the code was given for another challenge and nonce
    await expectRefused({ visitor: victim, answer: await follow(victim, theirs) }, "another's code");
    victim.cookies.set("__Host-psp-gate-sign-in", "k.AAAA");
    await expectRefused({ visitor: victim, answer: await follow(victim, theirs) }, "no cookie of ours");
  });
  test("replayed: a copy of the cookie, and the address used twice", async () => {
    const visitor = visit();
    const callback = provider.comeBack(await begin(visitor));
    const copy = visit();
    copy.cookie = visitor.cookie;
    expect((await follow(visitor, callback)).status).toBe(303);
    await expectRefused({ visitor: copy, answer: await follow(copy, callback) }, "a copy");
    expect((await follow(visitor, callback)).status).toBe(400);
  });
  test("ten minutes later", async () => {
    const visitor = visit();
    const callback = provider.comeBack(await begin(visitor));
    const later = Date.now() + 10 * 60_000;
    vi.spyOn(Date, "now").mockReturnValue(later);
    const answer = await follow(visitor, callback);
    vi.mocked(Date.now).mockRestore();
    await expectRefused({ visitor, answer }, "late");
  });
});

const change = (set: (parameters: URLSearchParams) => void) => (url: URL) => set(url.searchParams);
describe.each<[string, (url: URL) => void]>([
  ["iss is missing", change((query) => query.delete("iss"))],
  ["iss is another's", change((query) => query.set("iss", "https://login.other.example"))],
  ["one iss too many", change((query) => query.append("iss", ISSUER))],
  ["state is missing", change((query) => query.delete("state"))],
  ["one state too many", change((query) => query.append("state", query.get("state") ?? ""))],
  ["two codes", change((query) => query.append("code", "another"))],
  ["no code", change((query) => query.delete("code"))],
  ["a code that was never given", change((query) => query.set("code", "another"))],
  ["an error", change((query) => query.set("error", "access_denied"))],
])("of the answer, %s", (_, spoil) => {
  test("nobody is signed in", async () => {
    const visitor = visit();
    const callback = provider.comeBack(await begin(visitor));
    spoil(callback);
    await expectRefused({ visitor, answer: await follow(visitor, callback) }, _);
  });
});

test("a code that was used", async () => {
  const visitor = visit();
  const address = await begin(visitor);
  expect((await follow(visitor, provider.comeBack(address, "one"))).status).toBe(303);
  const again = visit();
  const callback = provider.comeBack(await begin(again));
  callback.searchParams.set("code", "one");
  await expectRefused({ visitor: again, answer: await follow(again, callback) }, "used");
});

const seconds = () => Math.floor(Date.now() / 1000);
const unsigned = (token: string) => {
  const [, payload = ""] = token.split(".");
  return `${Buffer.from('{"alg":"none"}').toString("base64url")}.${payload}.`;
};
const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
test.each<[string, Mistakes]>([
  ["it is none", { token: () => undefined }],
  ["alg is none", { token: unsigned }],
  ["it has no signature", { token: (token) => token.replace(/[^.]+$/, "") }],
  ["it is signed by a stranger", { token: async (token) => provider.sign(claimsOf(token), await strangersKey()) }],
  ["the issuer is another", { claims: { iss: "https://login.other.example" } }],
  ["the issuer is missing", { claims: { iss: null } }],
  ["the audience is another", { claims: { aud: "another" } }],
  ["the audience is missing", { claims: { aud: null } }],
  ["there is one audience too many", { claims: { aud: [CLIENT_ID, "another"] } }],
  ["the nonce is another", { claims: { nonce: "another" } }],
  ["the nonce is missing", { claims: { nonce: null } }],
  ["the subject is missing", { claims: { sub: null } }],
  ["it has ended", { claims: { exp: seconds() - 60 } }],
  ["iat is ahead", { claims: { iat: seconds() + 120 } }],
  ["iat is missing", { claims: { iat: null } }],
  ["auth_time is missing", { claims: { auth_time: null } }],
  ["auth_time is old", { claims: { auth_time: seconds() - 13 * 3600 } }],
  ["the provider answers with an error", { status: 500 }],
])("an id token is refused: %s", async (what, mistakes) => {
  await expectRefused(await signIn(visit(), mistakes), what);
  // neither codes nor tokens are in the log
  expect(logged.join()).not.toMatch(/eyJ|code=/);
});

test.each([
  ["no group is the institution's", { groups: ["others"] }, "Your account has no role here"],
  ["there is no claim", { groups: null }, "Your account has no role here"],
  ["the claim is no list", { groups: { officers: true } }, "Your account has no role here"],
  ["there are too many groups", { groups: null, _claim_names: { groups: "src1" } }, "too many groups"],
])("an account without a role: %s", async (what, claims, words) => {
  const signed = await signIn(visit(), { claims });
  await expectRefused(signed, what);
  expect(signed.answer.status).toBe(403);
  expect(signed.answer.text).toContain(words);
  expect(signed.answer.text).toContain("groups");
});

describe("the provider", () => {
  const refuse = async (mistakes: Mistakes, env_ = { WEBHOOK_TARGETS: "any" }) => {
    provider.mistakes = mistakes;
    const visitor = new Visitor({ ...env, ...env_ } as Cloudflare.Env);
    const { status, text } = await visitor.get(`${PLACE}/provider`);
    expect([status, text.includes("cannot be reached")]).toEqual([503, true]);
  };
  test.each<[string, Mistakes]>([
    ["is redirected", { discovery: () => Response.redirect("https://other.example/", 302) }],
    ["is huge", { discovery: (document) => Response.json({ ...document, more: "x".repeat(300_000) }) }],
    [
      "calls itself otherwise",
      { discovery: (document) => Response.json({ ...document, issuer: "https://other.example" }) },
    ],
    ["has no keys", { discovery: ({ jwks_uri: _, ...document }) => Response.json(document) }],
    ["is no provider", { discovery: () => new Response("<html>") }],
  ])("that %s is not asked", (_, mistakes) => refuse(mistakes));
  test("on a private host is not asked", async () => {
    await provider.listen({ issuer: "https://10.0.0.1" });
    await refuse({}, { WEBHOOK_TARGETS: "public" });
    expect(provider.asked).toEqual([]);
  });
  test("that is silent is given up", async () => {
    vi.mocked(fetch).mockImplementation(
      (_, init) =>
        new Promise((__, reject) => init?.signal?.addEventListener("abort", () => reject(new Error("aborted")))),
    );
    await refuse({});
  });
  test("that has rotated its key within the minute is asked for its keys once more", async () => {
    expect((await signIn()).answer.status).toBe(303);
    await provider.rotate();
    expect((await signIn()).answer.status).toBe(303);
    expect(provider.asked.filter((url) => url.endsWith("/keys"))).toHaveLength(2);
  });
  test("is asked for its keys once, however many tokens have a key that nobody has", async () => {
    expect((await signIn()).answer.status).toBe(303);
    const token = await provider.signOut();
    const forged = token.replace(/^[^.]+/, Buffer.from('{"alg":"ES256","kid":"nobody"}').toString("base64url"));
    const body = new URLSearchParams({ logout_token: forged });
    for (let i = 0; i < 5; i++) expect((await visit().send("POST", `${PLACE}/logout`, {}, body)).status).toBe(400);
    expect(provider.asked.filter((url) => url.endsWith("/keys"))).toHaveLength(2);
  });
  test("whose keys are huge or gone signs nobody in", async () => {
    for (const keys of [
      () => Response.json({ keys: [], more: "x".repeat(300_000) }),
      () => new Response(null, { status: 404 }),
    ])
      await expectRefused(await signIn(visit(), { keys }), "keys");
  });
});

describe("a session of a person ends", () => {
  const logOut = async (claims?: Record<string, unknown>, reference = FI) => {
    const body = new URLSearchParams({ logout_token: await provider.signOut(claims) });
    return (await visit().send("POST", `/console/sign-in/${reference}/logout`, {}, body)).status;
  };
  const ofFi = async (sql: string, ...values: unknown[]) =>
    env.DB.prepare(sql)
      .bind(await idOf(), ...values)
      .run();

  test.each<[string, (tag: string) => Promise<unknown>]>([
    ["by an administrator", async (tag) => endSessionsOf(env.DB, await idOf(), tag)],
    ["with the person's name", async (tag) => erasePerson(env.DB, await idOf(), tag)],
    ["by a change of the provider", () => provider.listen()],
    ["when the provider is removed", () => ofFi(SIGN_IN_PROVIDER_STATEMENTS.remove)],
    ["by the provider, for this session", () => logOut()],
    ["by the provider, for the person", () => logOut({ sid: null, sub: "alice" })],
    ["by a sign-in elsewhere, in other roles", () => signIn(visit(), { claims: { groups: ["audit"] } })],
    [
      "when the institution is disabled",
      () => ofFi("UPDATE financial_institutions SET status = 'disabled' WHERE id = ?1"),
    ],
  ])("%s", async (_, end) => {
    const { visitor } = await signIn();
    expect(await isSignedIn(visitor)).toBe(true);
    const tag = (await listPeople(env.DB, await idOf()))[0]?.tag ?? "";
    await end(tag);
    expect(await isSignedIn(visitor)).toBe(false);
    await ofFi("UPDATE financial_institutions SET status = 'active' WHERE id = ?1");
  });

  test("by the provider, for a session that it did not name when it began", async () => {
    const { visitor } = await signIn(visit(), { claims: { sid: null } });
    expect(await logOut({ sid: "another", sub: "bob" })).toBe(200);
    expect(await isSignedIn(visitor)).toBe(true);
    expect(await logOut({ sub: "alice" })).toBe(200);
    expect(await isSignedIn(visitor)).toBe(false);
  });

  test("at the provider, before the sign-in has come back", async () => {
    const visitor = visit();
    const sid = crypto.randomUUID();
    provider.mistakes = { claims: { sid } };
    const callback = provider.comeBack(await begin(visitor));
    expect(await logOut({ sid })).toBe(200);
    await expectRefused({ visitor, answer: await follow(visitor, callback) }, "ended");
  });

  test("by its own button, and goes on to the provider", async () => {
    const { visitor } = await signIn();
    const { status, text } = await visitor.submit(PAGE, "/console/sign-out");
    expect([status, text.includes(`content="0;url=${ISSUER}/end?client_id=${CLIENT_ID}`)]).toEqual([200, true]);
    expect(await isSignedIn(visitor)).toBe(false);
  });

  test.each(["not an address", "javascript:alert(1)"])(
    "by its own button alone, where the provider's is %j",
    async (place) => {
      const { visitor } = await signIn(visit(), {
        discovery: (document) => Response.json({ ...document, end_session_endpoint: place }),
      });
      const { status, text } = await visitor.submit(PAGE, "/console/sign-out");
      expect([status, text.includes(place), await isSignedIn(visitor)]).toEqual([303, false, false]);
    },
  );

  test.each<[string, () => Promise<number>]>([
    [
      "another site",
      async () => {
        const { visitor } = await signIn();
        const form_token = tokenOf((await visitor.get(PAGE)).text);
        const { status } = await visitor.post("/console/sign-out", { form_token }, { "Sec-Fetch-Site": "cross-site" });
        return (await isSignedIn(visitor)) ? status : 0;
      },
    ],
    ["a token that is no logout token", async () => logOut({ events: null })],
    ["one with a nonce", async () => logOut({ nonce: "n" })],
    ["one without a jti", async () => logOut({ jti: null })],
    ["one that names nobody", async () => logOut({ sid: null })],
    ["one of another client", async () => logOut({ aud: "another" })],
    ["one without an end", async () => logOut({ exp: null })],
    ["one that is old", async () => logOut({ iat: seconds() - 1200 })],
    ["one sent to another institution", async () => logOut({}, OTHER_FI.fi_reference_id)],
    [
      "one that was sent before",
      async () => {
        const jti = crypto.randomUUID();
        expect(await logOut({ jti, sid: "other" })).toBe(200);
        return await logOut({ jti, sid: "other" });
      },
    ],
  ])("not by %s", async (_, send) => {
    expect([400, 403]).toContain(await send());
  });
});

test("where API credentials are off they sign nobody in, and who is in is out", async () => {
  const visitor = new Visitor();
  await provider.listen({ credentials: true });
  await visitor.signIn();
  expect(await isSignedIn(visitor)).toBe(true);
  await provider.listen({ credentials: false });
  expect(await isSignedIn(visitor)).toBe(false);
  const { status, text } = await visitor.signIn();
  expect([status, text.includes("sign in at your organisation")]).toEqual([403, true]);
  expect(await isSignedIn(visitor)).toBe(false);
});

describe("a break-glass link", () => {
  const make = async (role: "auditor" | "administrator" = "auditor", reference = FI) => {
    const { secret, statement } = makeSignInLink(env.DB, { fiId: await idOf(reference), role }, Date.now());
    await statement.run();
    return `/console/sign-in/${FI}/link/${secret}`;
  };
  test("signs in once, by a click, in its role", async () => {
    const path = await make();
    const visitor = visit();
    // whatever looks at it first does not use it up
    for (let i = 0; i < 2; i++) expect((await visitor.get(path)).text).toContain("signs in once");
    expect((await visitor.post(path, {})).status).toBe(303);
    expect((await visitor.get(PAGE)).text).toContain("Break-glass link");
    expect((await visitor.get("/console/check")).status).toBe(403);
    const again = visit();
    expect((await again.post(path, {})).status).toBe(403);
    expect(await isSignedIn(again)).toBe(false);
  });
  test("is nothing after ten minutes, at another institution, or made up", async () => {
    const late = await make();
    const later = Date.now() + SIGN_IN_LINK_LIFETIME_MS;
    const paths = [await make("auditor", OTHER_FI.fi_reference_id), `/console/sign-in/${FI}/link/made-up`];
    for (const path of paths) expect((await visit().post(path, {})).status).toBe(403);
    vi.spyOn(Date, "now").mockReturnValue(later);
    expect((await visit().post(late, {})).status).toBe(403);
    vi.mocked(Date.now).mockRestore();
  });
});
