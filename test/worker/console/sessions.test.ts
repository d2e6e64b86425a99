/** Sessions of the console: sign-in, their cookie, and everything that ends one. */
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { removeInstitution } from "../../../src/cli/institution/changes.ts";
import { beginSession } from "../../../src/console/sessions.ts";
import { deleteOld } from "../../../src/grants/retention.ts";
import { readTokenKeys } from "../../../src/grants/token-keys.ts";
import { insertFinancialInstitution, rotateCredential } from "../../../src/institutions/financial-institutions.ts";
import { setInstitutionStatus } from "../../../src/institutions/institution-placement.ts";
import { clock } from "../../../src/platform/clock.ts";
import { toBase64Url } from "../../../src/platform/encoding.ts";
import { hashSecret, makeSecret, seal } from "../../../src/platform/secrets.ts";
import { countRoundTrips } from "../bindings.ts";
import { loadSandbox } from "../sandbox.ts";
import { CREDENTIALS, ORIGIN, tokenOf, Visitor } from "./visitor.ts";

const MINUTE = 60_000;
const START = "/console/check";

beforeAll(loadSandbox);
afterEach(() => vi.restoreAllMocks());

const at = (time: number) => vi.spyOn(clock, "now").mockReturnValue(time);
const isIn = async (visitor: Visitor): Promise<boolean> => (await visitor.get(START)).status === 200;

let made = 0;
/** An institution of its own, with its credentials as the form takes them. */
async function newInstitution() {
  made++;
  const [client_id, client_secret, fi_reference_id] = [`bank-${made}`, makeSecret(), `PSDXX-TEST-BANK${made}`];
  const fi = { name: `Bank ${made}`, fiReferenceId: fi_reference_id, clientId: client_id };
  await insertFinancialInstitution(env.DB, { ...fi, secretHash: hashSecret(client_secret), now: Date.now() });
  return { client_id, client_secret, fi_reference_id };
}

async function signedIn(credentials: Record<string, string>, visitor = new Visitor()): Promise<Visitor> {
  expect(await visitor.post("/console/sign-in", credentials)).toMatchObject({ status: 303 });
  return visitor;
}

test("signing in leads to the console, and names the institution on each page", async () => {
  const visitor = new Visitor();
  const answer = await visitor.signIn();
  expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/console"]);
  const page = await visitor.get(START);
  expect(page.status).toBe(200);
  expect(page.text).toContain("Sandbox Bank");
  expect(page.text).not.toContain("Other Bank");
});

test("the cookie is for this host alone, unreadable for scripts, and never sent for another site", async () => {
  const set = (await new Visitor().signIn()).headers.get("Set-Cookie") ?? "";
  const [pair, ...attributes] = set.split("; ");
  expect(pair).toMatch(/^__Host-psp-gate-console=\w+\.[\w-]{90,}$/);
  expect(attributes.sort()).toEqual(["HttpOnly", "Path=/", "SameSite=Strict", "Secure"]);
});

test("whoever signs in is led to the page that was asked for, and to none of another site", async () => {
  const visitor = new Visitor();
  const asked = await visitor.get("/console/check/abc");
  expect([asked.status, asked.headers.get("Location")]).toEqual([
    303,
    "/console/sign-in?next=%2Fconsole%2Fcheck%2Fabc",
  ]);
  for (const [next, location] of [
    ["/console/check/abc", "/console/check/abc"],
    ["/console/permissions?q=https%3A%2F%2Fevil.example", "/console/permissions?q=https%3A%2F%2Fevil.example"],
    ["/console?@evil.example", "/console"],
    ["/console/check?a=//evil.example", "/console"],
    ["/console/check#//evil.example", "/console"],
    ["/console/check\r\nX: y", "/console"],
    ["https://evil.example/", "/console"],
    ["//evil.example/console", "/console"],
    ["/console/../v1", "/console"],
    ["/console/check\\@evil.example", "/console"],
  ] as const)
    expect((await visitor.post("/console/sign-in", { ...CREDENTIALS.sandbox, next })).headers.get("Location")).toBe(
      location,
    );
});

test("who was signed out meanwhile is led back to the account of the link that was followed", async () => {
  const asked = "/console/permissions/withdraw?account=a b/é?#&id=0mwqxj5kbvEDTjqXEH1DtkyemiPQLhQ".replace("#", "%23");
  const visitor = new Visitor();
  const signIn = (await visitor.get(asked)).headers.get("Location") ?? "";
  const next =
    /name="next" value="([^"]*)"/.exec((await visitor.get(signIn)).text)?.[1]?.replaceAll("&amp;", "&") ?? "";
  const { headers } = await visitor.post("/console/sign-in", { ...CREDENTIALS.sandbox, next });
  const led = new URL(headers.get("Location") ?? "", ORIGIN);
  expect([led.pathname, led.searchParams.get("account")]).toEqual(["/console/permissions/withdraw", "a b/é?#"]);
});

test("wrong credentials of any kind get one answer, and no cookie", async () => {
  const wrong = [
    { ...CREDENTIALS.sandbox, client_secret: "wrong" },
    { ...CREDENTIALS.sandbox, client_id: "nobody" },
    { ...CREDENTIALS.sandbox, fi_reference_id: CREDENTIALS.other.fi_reference_id },
    { ...CREDENTIALS.sandbox, fi_reference_id: "PSDXX-TEST-NOBODY" },
    { ...CREDENTIALS.sandbox, client_secret: "" },
    { ...CREDENTIALS.sandbox, client_secret: "x".repeat(2000) },
  ];
  const visitor = new Visitor();
  const alerts = new Set<string | undefined>();
  for (const fields of wrong) {
    const answer = await visitor.post("/console/sign-in", fields);
    expect([answer.status, answer.headers.get("Set-Cookie")]).toEqual([401, null]);
    expect(answer.text).not.toContain(`value="${fields.client_secret || "nothing"}"`);
    alerts.add(/role="alert"[^>]*><span>([^<]+)/.exec(answer.text)?.[1]);
  }
  expect([...alerts]).toEqual(["These are not the credentials of an active institution: check all three fields."]);
});

test("an unknown client costs the reads of a known one", async () => {
  const readsFor = async (fields: Record<string, string>) => {
    const { env: counted, trips } = countRoundTrips(env);
    await new Visitor(counted).post("/console/sign-in", { ...CREDENTIALS.sandbox, ...fields });
    return trips.calls;
  };
  expect(await readsFor({ client_secret: "wrong" })).toEqual(await readsFor({ client_id: "nobody" }));
});

test("a client id is tried at most 30 times a minute from one address; others are not held up", async () => {
  const guess = { client_id: "guessed", client_secret: "x", fi_reference_id: "PSDXX-TEST-FI0001" };
  const headers = { "Sec-Fetch-Site": "same-origin", "CF-Connecting-IP": "192.0.2.30" };
  const guessOnce = () => new Visitor().post("/console/sign-in", guess, headers);
  let answer = await guessOnce();
  let refused = 0;
  // the limiter counts by whole minutes: the guesses may fall into two
  for (; answer.status === 401 && refused <= 60; refused++) answer = await guessOnce();
  expect([answer.status, answer.headers.get("Retry-After")]).toEqual([429, "60"]);
  expect(refused).toBeGreaterThanOrEqual(30);
  for (const [fields, from] of [
    [CREDENTIALS.other, headers],
    [
      { ...guess, ...CREDENTIALS.sandbox },
      { ...headers, "CF-Connecting-IP": "192.0.2.31" },
    ],
  ] as const)
    expect((await new Visitor().post("/console/sign-in", fields, from)).status).toBe(303);
});

test("a form that is sent slowly does nothing when its session has ended meanwhile", async () => {
  const visitor = await signedIn(await newInstitution());
  const form_token = tokenOf((await visitor.get(START)).text);
  const fields = new URLSearchParams({ form_token, account: "slow", scopes: "accounts" });
  const text = [`${fields}`.slice(0, 20), `${fields}`.slice(20)];
  const body = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        if (text.length === 1) await visitor.post("/console/sign-out", { form_token });
        const part = text.shift();
        if (part === undefined) controller.close();
        else controller.enqueue(new TextEncoder().encode(part));
      },
    },
    { highWaterMark: 0 },
  );
  const { cookie } = visitor;
  const headers = { Origin: ORIGIN, "Content-Type": "application/x-www-form-urlencoded", Cookie: cookie ?? "" };
  const late = await visitor.send("POST", "/console/permissions/block", headers, body);
  expect([late.status, late.text.includes("Your session has ended, so nothing was done")]).toEqual([403, true]);
});

test("each sign-in has an id of its own, and ends the session of before", async () => {
  const visitor = new Visitor();
  await visitor.signIn();
  const before = visitor.cookie;
  expect(await visitor.signIn()).toMatchObject({ status: 303 });
  expect(visitor.cookie).not.toBe(before);
  const old = new Visitor();
  old.cookie = before;
  expect([await isIn(visitor), await isIn(old)]).toEqual([true, false]);
});

test("signing out ends the session, not only the browser's cookie", async () => {
  const visitor = new Visitor();
  await visitor.signIn();
  const copy = new Visitor();
  copy.cookie = visitor.cookie;
  expect((await visitor.submit(START, "/console/sign-out")).status).toBe(303);
  expect([visitor.cookie, await isIn(copy)]).toEqual([null, false]);
});

describe("a session ends", () => {
  test("after 30 minutes without use, and not while it is used", async () => {
    const begun = Date.now();
    at(begun);
    const [used, idle] = [await signedIn(await newInstitution()), await signedIn(await newInstitution())];
    for (let minutes = 25; minutes <= 100; minutes += 25) {
      at(begun + minutes * MINUTE);
      expect(await isIn(used)).toBe(true);
    }
    expect(await isIn(idle)).toBe(false);
    at(begun + 131 * MINUTE);
    expect(await isIn(used)).toBe(false);
  });

  test("after 12 hours, however much it is used", async () => {
    const begun = Date.now();
    at(begun);
    const visitor = await signedIn(await newInstitution());
    for (let minutes = 20; minutes < 720; minutes += 20) {
      at(begun + minutes * MINUTE);
      expect(await isIn(visitor)).toBe(true);
    }
    at(begun + 720 * MINUTE);
    expect(await isIn(visitor)).toBe(false);
  });

  test("when the institution is disabled", async () => {
    const credentials = await newInstitution();
    const visitor = await signedIn(credentials);
    await setInstitutionStatus(env, credentials.fi_reference_id, "disabled");
    expect(await isIn(visitor)).toBe(false);
  });

  test("when the institution is removed", async () => {
    const credentials = await newInstitution();
    const visitor = await signedIn(credentials);
    const find = env.DB.prepare("SELECT id FROM financial_institutions WHERE fi_reference_id = ?1");
    const id = await find.bind(credentials.fi_reference_id).first<number>("id");
    await removeInstitution(env, id ?? 0, Date.now());
    expect(await isIn(visitor)).toBe(false);
  });

  test("when the secret is rotated: at once, or when the old one ends", async () => {
    const now = Date.now();
    const [at_once, later] = [await newInstitution(), await newInstitution()];
    const [first, second] = [await signedIn(at_once), await signedIn(later)];
    await rotateCredential(env.DB, at_once.client_id, hashSecret(makeSecret()), { now, overlapUntil: null });
    await rotateCredential(env.DB, later.client_id, hashSecret(makeSecret()), { now, overlapUntil: now + 10 * MINUTE });
    expect([await isIn(first), await isIn(second)]).toEqual([false, true]);
    at(now + 10 * MINUTE);
    expect(await isIn(second)).toBe(false);
  });

  test("when the credential no longer speaks for the institution", async () => {
    const credentials = await newInstitution();
    const visitor = await signedIn(credentials);
    await env.DB.prepare("DELETE FROM credential_institutions WHERE client_id = ?1").bind(credentials.client_id).run();
    expect(await isIn(visitor)).toBe(false);
  });
});

test("a forged cookie is refused without a read, a foreign one as unknown", async () => {
  const { env: counted, trips } = countRoundTrips(env);
  const visitor = new Visitor(counted);
  const [name] = ((await signedIn(CREDENTIALS.sandbox, new Visitor())).cookie ?? "").split("=");
  for (const forged of ["", "x", "20990101T000000Z.AAAA", `20990101T000000Z.${"A".repeat(95)}`]) {
    visitor.cookie = `${name}=${forged}`;
    expect(await isIn(visitor)).toBe(false);
  }
  expect(trips.calls).toEqual([]);
  const { kid, console: key } = readTokenKeys(env).newest;
  visitor.cookie = `${name}=${kid}.${toBase64Url(seal(key, "never-begun", kid))}`;
  expect(await isIn(visitor)).toBe(false);
  expect(trips.calls).toEqual(["DB"]);
});

test("neither the id of a session nor the secret is stored", async () => {
  const id = (await beginSession(env.DB, null, Date.now())) ?? "";
  await new Visitor().signIn();
  const rows = JSON.stringify((await env.DB.prepare("SELECT * FROM console_sessions").all()).results);
  expect(rows).toContain(hashSecret(id));
  expect(rows).not.toContain(id);
  expect(rows).not.toContain("sandbox-secret");
});

test("the retention removes what has ended", async () => {
  const retention = { tokenRetentionDays: 30, retentionDays: 396, permissionRetentionDays: 730 };
  const begun = Date.now();
  at(begun);
  const visitor = await signedIn(await newInstitution());
  expect(await deleteOld(env.DB, retention, begun)).toMatchObject({ deleted: { consoleSessions: 0 } });
  expect(await isIn(visitor)).toBe(true);
  const { deleted } = await deleteOld(env.DB, retention, begun + 721 * MINUTE);
  expect(deleted.consoleSessions).toBeGreaterThan(0);
  expect(await env.DB.prepare("SELECT count(*) AS rows FROM console_sessions").first("rows")).toBe(0);
});
