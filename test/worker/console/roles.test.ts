/** The table of roles, walked: each reader asks for each page, and sends each form. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { PAGES } from "../../../src/console/pages.ts";
import type { Role } from "../../../src/console/roles.ts";
import { listRecords } from "../evidence/ledger/records.ts";
import { loadSandbox } from "../sandbox.ts";
import { tokenOf, Visitor } from "./visitor.ts";

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
