/** The table of roles, walked: each reader asks for each page, and sends each form. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { matchPath } from "../../../src/console/page.ts";
import { PAGES } from "../../../src/console/pages.ts";
import { nameRoles, type Role } from "../../../src/console/roles.ts";
import { insertEvent } from "../../../src/events/event-log.ts";
import { insertWebhook } from "../../../src/events/webhook-changes.ts";
import { endBackground, obtainToken } from "../bank.ts";
import { idOf, listRecords } from "../evidence/ledger/records.ts";
import { eidasHeader, loadSandbox } from "../sandbox.ts";
import { CREDENTIALS, tokenOf, Visitor } from "./visitor.ts";

const READERS: readonly Role[] = ["auditor", "officer", "administrator", "credentials", "operator"];
const [READ, CHECK, DECIDE] = ["all", "officer credentials operator", "officer credentials"];

/** Whose each page is. */
const TABLE: Readonly<Record<string, string | undefined>> = {
  "/console": READ,
  "/console/check": CHECK,
  "/console/check/{id}": READ,
  "/console/check/{id}/{number}": READ,
  "/console/psps": READ,
  "/console/psps/watch": CHECK,
  "/console/psps/unwatch": CHECK,
  "/console/psps/{number}": READ,
  "/console/sources": READ,
  "/console/sources/search": READ,
  "/console/permissions": "auditor officer credentials",
  "/console/permissions/withdraw": DECIDE,
  "/console/permissions/block": DECIDE,
  "/console/permissions/unblock": DECIDE,
  "/console/evidence": READ,
  "/console/evidence/{id}": READ,
  "/console/evidence/{id}/proof": READ,
  "/console/evidence/{id}/documents/{sha256}": READ,
  "/console/traffic": READ,
  "/console/events": READ,
  "/console/events/acknowledge": CHECK,
  "/console/events/replay": CHECK,
  "/console/webhooks": "administrator",
  "/console/webhooks/test": "administrator",
  "/console/webhooks/rotate": "administrator",
  "/console/webhooks/remove": "administrator",
  "/console/people": READ,
  "/console/people/acts": READ,
  "/console/people/end-sessions": "administrator",
  "/console/people/erase": "administrator",
  "/console/institutions": "operator",
  "/console/institutions/rotate": "administrator operator",
  "/console/institutions/status": "operator",
  "/console/sandbox": "officer administrator credentials operator",
  "/console/sign-out": READ,
};
const isAllowed = (path: string, role: Role): boolean =>
  TABLE[path] === "all" || (TABLE[path]?.split(" ").includes(role) ?? false);

const visitors = new Map<Role, Visitor>();
beforeAll(async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  await loadSandbox();
  const operator = new Visitor({ ...env, CONSOLE_LOCAL_OPERATOR: "on" });
  await operator.post("/console/sign-in/operator", {});
  visitors.set("operator", operator);
  const credentials = new Visitor();
  await credentials.signIn();
  visitors.set("credentials", credentials);
  for (const role of ["auditor", "officer", "administrator"] as const) visitors.set(role, await Visitor.withRole(role));
});
const visitorOf = (role: Role): Visitor => visitors.get(role) ?? new Visitor();

const pages = PAGES.filter(({ roles }) => roles !== "everyone");

// without the sandbox's key there is no such page
const there = pages.filter(({ isThere }) => isThere?.(env) ?? true);

test("the table has each page that asks who reads, and no other", () => {
  expect(pages.map(({ path }) => path).sort()).toEqual(Object.keys(TABLE).sort());
});

// the session goes with a sign-out: sessions.test.ts has it
describe.each(there.filter(({ path }) => path !== "/console/sign-out"))("$path", ({ path, get, post }) => {
  const address = path.replace(/\{\w+\}/g, "0");
  test.each(READERS)("%s", async (role) => {
    const visitor = visitorOf(role);
    const token = tokenOf((await visitor.get("/console/sources")).text);
    expect(token).not.toBe("");
    const answers = [
      ...(get ? [await visitor.get(address)] : []),
      ...(post ? [await visitor.post(address, { form_token: token })] : []),
    ];
    expect(answers.length).toBeGreaterThan(0);
    for (const { status, text } of answers) {
      const refused = /This is not for your role/.test(text);
      // that there are pages for operators is nothing for others
      const hidden = TABLE[path] === "operator" && role !== "operator";
      expect({ refused, hidden: hidden && status }).toEqual({
        refused: !isAllowed(path, role) && !hidden,
        hidden: hidden && 404,
      });
      if (!refused) continue;
      expect(status).toBe(403);
      // the menu is still there
      expect(text).toContain('href="/console/sources"');
    }
  });
});

test("a refusal says whose the page is, and leaves one record a minute", async () => {
  const auditor = await Visitor.withRole("auditor");
  const token = tokenOf((await auditor.get("/console/sources")).text);
  // a minute in which no other test was refused
  const now = Math.ceil(Date.now() / 60_000) * 60_000 + 60_001;
  vi.spyOn(Date, "now").mockReturnValue(now);
  const fields = { form_token: token, account: "one", by: "bank" };
  for (let i = 0; i < 3; i++) {
    const { text } = await auditor.post("/console/permissions/withdraw", fields);
    expect(text).toContain("This page is for an officer or the institution&#39;s own credentials.");
  }
  vi.mocked(Date.now).mockRestore();
  const asked = { endpoint: "POST /console/permissions/withdraw", from: now, to: now + 1 };
  await expect.poll(() => listRecords(asked), { timeout: 60_000 }).toHaveLength(1);
  const [record] = await listRecords(asked);
  expect(record).toMatchObject({ event: "act.refused", status: 403, outcome: "role_missing" });
  expect(record?.person).toMatch(/^[0-9a-f]{64}$/);
});

test("of three roles the refusal names each once", () => {
  expect(nameRoles(["officer", "credentials", "operator"])).toBe(
    "an officer, the institution's own credentials or an operator",
  );
});

describe("no page has a link or a form to one that is not for its reader", () => {
  const starts = ["/console/sources"];
  let result: string;
  beforeAll(async () => {
    vi.spyOn(console, "log").mockImplementation(() => {});
    await obtainToken("account-1");
    const checked = await visitorOf("officer").submit("/console/check", "/console/check", {
      ...{ pasted: decodeURIComponent(eidasHeader("scenario-1")), jurisdiction: "XX" },
    });
    result = checked.headers.get("Location") ?? "";
    const [fiId, id] = [await idOf(), "wh_1"];
    await insertWebhook(env.DB, { id, fiId, url: "https://bank.example/", secret: "whsec_x" }, 0);
    const subject = "PSDXX-TEST-000001";
    const data = { psp_id: subject, before: null, after: { permission_id: null }, evidence: [], grants: null };
    const news = { fiId, type: "psp.code_used_twice", subject, data } as const;
    for (const key of ["1", "2"]) await env.DB.batch(insertEvent(env.DB, { ...news, key }, null, 1));
    await env.DB.prepare("UPDATE webhook_deliveries SET status = 'dead'").run();
    await endBackground();
    starts.push(result, "/console/permissions?by=account&q=account-1");
  });

  /** Of a page without its menu: path and method. */
  const targetsOf = (text: string) =>
    [...text.matchAll(/<a\b[^>]* href="(\/console[^"]*)"|<form( method="post")?[^>]* action="(\/console[^"]*)"/g)].map(
      ([, link, post, action = ""]) => ({ address: (link ?? action).replaceAll("&amp;", "&"), isLink: !post }),
    );
  const patternOf = (address: string) =>
    pages.find(({ path }) => matchPath(path, address.split(/[?#]/)[0] ?? ""))?.path;
  const MOST_OF_A_PAGE = 3;
  const OF_OPERATOR = `/console/psps?fi=${CREDENTIALS.sandbox.fi_reference_id}`;

  test.each(READERS)("%s", async (role) => {
    const visitor = visitorOf(role);
    const [seen, visits, wrong] = [new Set<string>(), new Map<string, number>(), [] as string[]];
    const waiting = role === "operator" ? ["/console/institutions", OF_OPERATOR] : [...starts];
    for (const address of waiting) {
      const { status, text } = await visitor.get(address);
      // where a code that only operators see was a part of the sentence
      const hole = / [.,;:](?=\s|$)/m.exec(text.replaceAll(/<pre[\s\S]*?<\/pre>|<[^>]*>/g, ""));
      if (hole) wrong.push(`${address} has a hole: ${hole.input.slice(hole.index - 60, hole.index + 5)}`);
      if (status > 403) wrong.push(`${address} is ${status}`);
      for (const target of targetsOf(text)) {
        const pattern = patternOf(target.address);
        if (pattern === undefined || seen.has(target.address)) continue;
        seen.add(target.address);
        if (!isAllowed(pattern, role)) wrong.push(`${address} has ${target.address}`);
        const visited = visits.get(pattern) ?? 0;
        if (!target.isLink || visited === MOST_OF_A_PAGE || /[?&]as=|proof|documents/.test(target.address)) continue;
        visits.set(pattern, visited + 1);
        waiting.push(target.address);
      }
    }
    expect(wrong).toEqual([]);
    expect([...visits.keys()]).toContain("/console/psps/{number}");
  });

  test("a result is checked again by whoever may check", async () => {
    const again = (role: Role) => visitorOf(role).submit("/console/sources", result, { jurisdiction: "XX" });
    expect((await visitorOf("auditor").get(result)).text.includes("Check again")).toBe(false);
    expect([(await again("auditor")).status, (await again("officer")).status]).toEqual([403, 303]);
  });
});
