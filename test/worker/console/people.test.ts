/** People in the console: who did what by filters, ends of sessions, erased names, own credentials. */
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { findConsoleCheck, keepConsoleCheck } from "../../../src/console/check/kept-checks.ts";
import { insertEvent } from "../../../src/events/event-log.ts";
import { authenticate, linkCredential } from "../../../src/institutions/financial-institutions.ts";
import { insertPerson } from "../../../src/institutions/people.ts";
import { hashSecret } from "../../../src/platform/secrets.ts";
import { idOf, listRecords, recordOf } from "../evidence/ledger/records.ts";
import { eidasHeader, loadSandbox, SANDBOX_FI } from "../sandbox.ts";
import { tokenOf, Visitor } from "./visitor.ts";

const PEOPLE = "/console/people";
const ACTS = `${PEOPLE}/acts`;
const [END, ERASE] = [`${PEOPLE}/end-sessions`, `${PEOPLE}/erase`];
const ROTATE = "/console/institutions/rotate";
const PSP = "PSDXX-TEST-000001";

let [administrator, officer]: Visitor[] = [];
let fiId = 0;
beforeAll(async () => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  await loadSandbox();
  fiId = await idOf();
  [administrator, officer] = [await Visitor.withRole("administrator"), await Visitor.withRole("officer")];
});
afterEach(() => vi.restoreAllMocks());

const asAdministrator = (): Visitor => administrator ?? new Visitor();
const asOfficer = (): Visitor => officer ?? new Visitor();
const words = (page: string): string => page.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
const address = (path: string, query: Record<string, string>) => `${path}?${new URLSearchParams(query)}`;
const tagOf = async (name: string): Promise<string> =>
  (await env.DB.prepare("SELECT tag FROM people WHERE fi_id = ?1 AND name = ?2").bind(fiId, name).first("tag")) ?? "";
const rowsOf = (page: string): string[] => [...page.matchAll(/<tr>[\s\S]*?<\/tr>/g)].map(([row]) => words(row));

/** The list of acts once it has this one, whose record follows its answer. */
async function openActs(visitor: Visitor, query: Record<string, string>, id: string): Promise<string> {
  return await vi.waitFor(
    async () => {
      const { text } = await visitor.get(address(ACTS, query));
      expect(text).toContain(`/console/evidence/${id}"`);
      return text;
    },
    { timeout: 60_000, interval: 50 },
  );
}

test("who did what is found by person, act, PSP and day, and each leads to its record", async () => {
  const answer = await asOfficer().submit("/console/psps", "/console/psps/watch", { psp: PSP });
  const id = answer.headers.get("x-evidence-id") ?? "";
  const tag = await tagOf("Sandbox officer");
  const today = new Date().toISOString().slice(0, 10);
  for (const query of [
    {},
    { who: `person:${tag}` },
    { event: "watch.change" },
    { psp: ` ${PSP.toLowerCase()} ` },
    { who: `person:${tag}`, event: "watch.change", psp: PSP, from: today, to: today },
  ] as Record<string, string>[]) {
    const page = await openActs(await Visitor.withRole("auditor"), query, id);
    const row = rowsOf(page).find((one) => one.includes("Watch of a PSP")) ?? "";
    expect(page).toContain("<h1>People: who did what</h1>");
    for (const one of ["Sandbox officer", PSP, "Yes"]) expect(row).toContain(one);
  }
  for (const query of [{ event: "block.change" }, { psp: "PSDXX-TEST-000099" }, { to: "2026-01-01" }])
    expect((await asOfficer().get(address(ACTS, query as Record<string, string>))).text).not.toContain(id);
  const { text } = await asOfficer().get(`/console/evidence/${id}`);
  expect(words(text)).toContain("asked for in the console by Sandbox officer");
});

test("who did what says to what: the account of a block, the page that was refused, the file that left", async () => {
  const account = `account ${crypto.randomUUID()}`;
  const page = address("/console/permissions/block", { account });
  const block = await asOfficer().submit(page, "/console/permissions/block", { account, scopes: "payments" });
  const file = await asOfficer().get(`${ACTS}?as=csv`);
  const { account: tag } = await recordOf(block);
  await asOfficer().get(`${PEOPLE}/erase`);
  const list = await openActs(asOfficer(), {}, file.headers.get("x-evidence-id") ?? "");
  const rows = rowsOf(list);
  expect(rows.find((one) => one.includes("Block of an account"))).toContain(
    `account ${tag?.slice(0, 8)}…, for payments`,
  );
  expect(rows.find((one) => one.includes("Export"))).toContain("People");
  await vi.waitFor(async () =>
    expect(rowsOf((await asOfficer().get(address(ACTS, { event: "act.refused" }))).text).join()).toContain(
      "People: Erasure of a name",
    ),
  );
  // by the tag whoever reads the records finds all of the account's, without its id
  const of = await (await Visitor.withRole("administrator")).get(address("/console/evidence", { tag: tag ?? "" }));
  expect(of.text).toContain(`/console/evidence/${block.headers.get("x-evidence-id")}"`);
  expect(of.text).not.toContain(`/console/evidence/${file.headers.get("x-evidence-id")}`);
  const record = words((await asOfficer().get(`/console/evidence/${block.headers.get("x-evidence-id")}`)).text);
  expect(record).toContain(`block of an account (account ${tag?.slice(0, 8)}…, for payments), and it was done`);
  expect(record).toContain("All records of this account");
  expect((await asOfficer().get(address("/console/evidence", { tag: "x" }))).status).toBe(400);
});

test.each([
  [{ psp: "nonsense" }, "is not a PSD2 authorisation number"],
  [{ from: "yesterday" }, "is not a day such as 2026-11-22."],
  [{ from: "2026-02-02", to: "2026-02-01" }, "The first day is after the last one."],
  [{ event: "psps.checked" }, "is no kind of act."],
])("a search by %j says what is wrong", async (query, problem) => {
  const { status, text } = await asOfficer().get(address(ACTS, query as Record<string, string>));
  expect([status, text.includes(problem)]).toEqual([400, true]);
});

test("long lists have pages, which together hold each act once", async () => {
  const tag = await tagOf("Sandbox officer");
  const ids: string[] = [];
  for (let i = 0; i < 30; i++) {
    const psp = `PSDXX-TEST-9${String(i).padStart(5, "0")}`;
    ids.push(
      (await asOfficer().submit("/console/psps", "/console/psps/watch", { psp })).headers.get("x-evidence-id") ?? "",
    );
  }
  const query = { who: `person:${tag}`, event: "watch.change" };
  const first = await openActs(asOfficer(), query, ids.at(-1) ?? "");
  const next = /href="([^"]+)">\s*Older ones/.exec(first)?.[1]?.replaceAll("&amp;", "&") ?? "";
  const second = (await asOfficer().get(next)).text;
  const shown = [first, second].flatMap((page) =>
    [...page.matchAll(/\/console\/evidence\/([^"?]+)"/g)].map(([, id]) => id),
  );
  expect(new Set(shown).size).toBe(shown.length);
  expect(shown).toEqual(expect.arrayContaining(ids));
  expect(first.match(/<tr>/g)).toHaveLength(26);
});

test("administrators see who has signed in; for all others People is who did what", async () => {
  const { text } = await asAdministrator().get(PEOPLE);
  for (const one of ["Sandbox officer", "Sandbox administrator", "sandbox-fi", "None was made in the last 400 days."])
    expect(text).toContain(one);
  for (const role of ["auditor", "officer"] as const)
    expect((await (await Visitor.withRole(role)).get(PEOPLE)).headers.get("Location")).toBe(ACTS);
  await env.DB.prepare(
    "INSERT INTO sign_in_links (id_hash, fi_id, role, made_at, ends_at, used_at) VALUES ('a', ?1, 'officer', 0, 1, NULL), ('b', ?1, 'auditor', 2, 3, 2)",
  )
    .bind(fiId)
    .run();
  const links = words((await asAdministrator().get(PEOPLE)).text);
  expect(links).toMatch(/As auditor, made .* used .* As officer, made .*: nobody has used it/);
});

test("another institution sees none of it, and its administrators change nobody here", async () => {
  const other = new Visitor();
  await other.signIn("other");
  const acts = await other.get(ACTS);
  expect(acts.text).not.toContain("Sandbox officer");
  const elsewhere = await idOf("PSDXX-TEST-FI0002");
  const person = { fiId: elsewhere, issuer: "x", subject: "s", name: "Somebody Else", roles: ["officer" as const] };
  const { tag } = await insertPerson(env.DB, person, Date.now());
  for (const path of [END, ERASE]) {
    expect((await asAdministrator().get(address(path, { person: tag }))).status).toBe(404);
    expect((await asAdministrator().submit(PEOPLE, path, { person: tag })).status).toBe(404);
  }
  expect(await env.DB.prepare("SELECT epoch FROM people WHERE tag = ?1").bind(tag).first("epoch")).toBe(1);
});

describe("of one person", () => {
  const signIn = async (role: "auditor" | "officer" = "auditor") => {
    const visitor = await Visitor.withRole(role);
    expect((await visitor.get(ACTS)).status).toBe(200);
    return visitor;
  };

  test("once an end of sessions is answered no page opens with one, and another person's goes on", async () => {
    const [one, two, bystander] = [await signIn(), await signIn(), await signIn("officer")];
    const person = await tagOf("Sandbox auditor");
    const page = address(END, { person });
    expect(words((await asAdministrator().get(page)).text)).toContain("Sandbox auditor");
    expect((await one.get(ACTS)).status).toBe(200);
    const open = rowsOf((await asAdministrator().get(PEOPLE)).text).find((row) => row.includes("Sandbox auditor"));
    expect(open).toMatch(/ [2-9] What they did .*End sessions/);
    const answer = await asAdministrator().submit(page, END, { person });
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, `${PEOPLE}?done=ended`]);
    const rowOf = async () =>
      rowsOf((await asAdministrator().get(PEOPLE)).text).find((row) => row.includes("Sandbox auditor"));
    expect(await rowOf()).toMatch(/ none /);
    expect(await rowOf()).not.toContain("End sessions");
    expect((await one.get("/console/sign-in")).text).toContain("Your session has ended");
    expect((await new Visitor().get("/console/sign-in")).text).not.toContain("Your session has ended");
    for (const visitor of [one, two])
      for (const path of [ACTS, "/console/sources", "/console/evidence"])
        expect((await visitor.get(path)).headers.get("Location")).toMatch(/^\/console\/sign-in/);
    expect((await bystander.get(ACTS)).status).toBe(200);
    expect(await recordOf(answer)).toMatchObject({
      ...{ event: "session.end", endpoint: `POST ${END}`, about: person },
      person: await tagOf("Sandbox administrator"),
    });
    await signIn();
  });

  test("a check's result is kept with the tag of who has checked, and says their name", async () => {
    const pasted = decodeURIComponent(eidasHeader("scenario-1"));
    const answer = await asOfficer().submit("/console/check", "/console/check", { pasted, jurisdiction: "XX" });
    const result = answer.headers.get("Location") ?? "";
    expect((await asAdministrator().get(result)).text).toContain("by Sandbox officer");
    const kept = await findConsoleCheck(env.DB, fiId, result.replace("/console/check/", ""), Date.now());
    expect(kept?.by).toBe(await tagOf("Sandbox officer"));
  });

  test("an erased name is in no page, its records stay, and whoever signs in again is somebody new", async () => {
    const auditor = await signIn();
    const person = await tagOf("Sandbox auditor");
    // a refusal of its own minute, by which the person is in the ledger
    vi.spyOn(Date, "now").mockReturnValue(Math.ceil(Date.now() / 60_000) * 60_000 + 600_001);
    // a check's result says who has checked; it is kept for seven days
    const [now, bank] = [Date.now(), SANDBOX_FI.fi_reference_id];
    const checked = { jurisdiction: "XX", at: now, now, bankPassports: null, by: person, findings: [], fi: bank };
    const result = `/console/check/${await keepConsoleCheck(env.DB, fiId, checked)}`;
    const refused = await auditor.get(address(END, { person }));
    expect(refused.status).toBe(403);
    vi.mocked(Date.now).mockRestore();
    const asked = { event: "act.refused", endpoint: `GET ${END}` } as const;
    await expect.poll(() => listRecords(asked), { timeout: 60_000 }).toHaveLength(1);
    const [record] = await listRecords(asked);
    const pages = [address(ACTS, { who: `person:${person}` }), `/console/evidence/${record?.id}`, result];
    for (const page of pages) expect((await asAdministrator().get(page)).text).toContain("Sandbox auditor");
    const answer = await asAdministrator().submit(address(ERASE, { person }), ERASE, { person });
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, `${PEOPLE}?done=erased`]);
    for (const page of [...pages, PEOPLE]) {
      const { text } = await asAdministrator().get(page);
      expect(text).not.toContain("Sandbox auditor");
      if (page !== PEOPLE) expect(text).toContain("a person whose name was erased");
    }
    expect((await auditor.get(ACTS)).headers.get("Location")).toMatch(/^\/console\/sign-in/);
    const left = env.DB.prepare("SELECT count(*) AS n FROM console_sessions WHERE person = ?1").bind(person);
    expect(await left.first("n")).toBe(0);
    expect(await recordOf(answer)).toMatchObject({ event: "person.erasure", about: person });
    // a second click
    expect((await asAdministrator().submit(PEOPLE, ERASE, { person })).status).toBe(404);
    await signIn();
    expect([await tagOf("Sandbox auditor"), person].map((tag) => tag.length)).toEqual([64, 64]);
    expect(await tagOf("Sandbox auditor")).not.toBe(person);
  });

  test("who has acknowledged an event is named, until the name is erased", async () => {
    const standing = { ambiguous: false, categories: [] };
    const data = { psp_id: PSP, before: standing, after: standing, evidence: [], grants: { tokens: 0, consents: 0 } };
    const news = { fiId, type: "psp.status_changed", key: "people", subject: PSP, data } as const;
    await env.DB.batch(insertEvent(env.DB, news, null, Date.now()));
    const seq = String(
      await env.DB.prepare("SELECT max(seq) AS seq FROM events WHERE fi_id = ?1").bind(fiId).first("seq"),
    );
    const answer = await asOfficer().submit("/console/events", "/console/events/acknowledge", {
      first: seq,
      last: seq,
    });
    expect(answer.status).toBe(303);
    expect(await recordOf(answer)).toMatchObject({
      event: "event.acknowledgement",
      person: await tagOf("Sandbox officer"),
    });
    expect(words((await asOfficer().get("/console/events?all=1")).text)).toContain("Acknowledged by Sandbox officer,");
  });
});

describe("a rotation by administrators", () => {
  const credential = async (clientId: string, references: readonly string[]) => {
    for (const [i, fiReferenceId] of references.entries()) {
      const link = { fiReferenceId, clientId, now: Date.now() - 1_000 };
      await linkCredential(env.DB, { ...link, secretHash: i === 0 ? hashSecret("old") : null });
    }
    return address(ROTATE, { client: clientId });
  };
  const works = async (client: string, secret: string) =>
    (await authenticate(env.DB, client, secret, SANDBOX_FI.fi_reference_id, Date.now())).ok;
  const hidden = (page: string): Record<string, string> =>
    Object.fromEntries([...page.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, a, b]) => [a, b]));

  test("is of a credential that speaks for their institution alone, and recorded", async () => {
    const page = await credential("people-own", [SANDBOX_FI.fi_reference_id]);
    expect((await asAdministrator().get(PEOPLE)).text).toContain(page.replaceAll("&", "&amp;"));
    const given = hidden((await asAdministrator().get(page)).text);
    const { status, text } = await asAdministrator().post(ROTATE, { ...given, overlap: "none" });
    const secret = /<code id="secret">([^<]+)/.exec(text)?.[1] ?? "";
    expect([status, await works("people-own", secret), await works("people-own", "old")]).toEqual([200, true, false]);
    const asked = { event: "credential.rotation" } as const;
    await expect.poll(() => listRecords(asked), { timeout: 60_000 }).toHaveLength(1);
    const [record] = await listRecords(asked);
    expect(record).toMatchObject({ about: "people-own", person: await tagOf("Sandbox administrator"), status: 200 });
    expect(JSON.stringify(record)).not.toContain(secret);
  });

  test("is not of one that speaks for others, too, whatever the form says", async () => {
    const page = await credential("people-shared", [SANDBOX_FI.fi_reference_id, "PSDXX-TEST-FI0002"]);
    expect((await asAdministrator().get(page)).status).toBe(404);
    const made = await env.DB.prepare("SELECT created_at FROM credentials WHERE client_id = 'people-shared'").first(
      "created_at",
    );
    const fields = { client: "people-shared", overlap: "none", made_at: new Date(Number(made)).toISOString() };
    const form_token = tokenOf((await asAdministrator().get(PEOPLE)).text);
    expect((await asAdministrator().post(ROTATE, { ...fields, form_token })).status).toBe(409);
    expect(await works("people-shared", "old")).toBe(true);
    const others = await credential("people-others", ["PSDXX-TEST-FI0002"]);
    expect((await asAdministrator().get(others)).status).toBe(404);
  });
});
