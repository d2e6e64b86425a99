/** PSPs in the console: whom an institution has met, the page of one, and what can be done there. */
import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { call, endBackground, obtainToken } from "../bank.ts";
import { emptyWatches, fillWatches } from "../events/full-watches.ts";
// loaded before there are two ledgers: objects that import it in the same moment would share one promise of the test's runner
import "../../../src/evidence/ledger/institution-ledger.ts";
import { idOf, recordOf } from "../evidence/ledger/records.ts";
import { eidasHeader, loadSandbox, OTHER_FI, SANDBOX_FI } from "../sandbox.ts";
import { tokenOf, Visitor } from "./visitor.ts";

const PAGE = "/console/psps";
const [AMBER, REVOKED, UNMET] = ["PSDXX-TEST-000001", "PSDXX-TEST-000005", "PSDXX-TEST-000002"];
const [OF_AMBER, OF_UNMET] = [`${PAGE}/${AMBER}`, `${PAGE}/${UNMET}`];

const [sandbox, other] = [new Visitor(), new Visitor()];
const operator = new Visitor({ ...env, CONSOLE_LOCAL_OPERATOR: "on" });
beforeAll(async () => {
  await loadSandbox();
  await sandbox.signIn();
  await other.signIn("other");
  await operator.post("/console/sign-in/operator", {});
  const check = (name: string) =>
    call("GET", "/v1/psp/eidas?jurisdiction=xx", { headers: { eidas: eidasHeader(name), version: "latest" } });
  await recordOf(await check("scenario-1"));
  await recordOf(await check("scenario-5"));
  await obtainToken("account-1");
  await endBackground();
});
beforeEach(() => void vi.spyOn(console, "log").mockImplementation(() => {}));

const read = async (path: string, who = sandbox) => (await who.get(path)).text.replaceAll(/\s+/g, " ");
const listed = (page: string): string[] =>
  [...page.matchAll(/<a href="\/console\/psps\/([^"?]+)/g)].map(([, number]) => number ?? "");
const watched = async (who: Record<string, string> = SANDBOX_FI): Promise<string[]> =>
  (await call("GET", "/v1/psp/watches", { headers: who })).body.data.map(({ psp_id }: { psp_id: string }) => psp_id);

test("the list has whom the institution has met, with standing, end and refusals; another one's has none of them", async () => {
  const page = await read(PAGE);
  expect(listed(page).sort()).toEqual([AMBER, REVOKED]);
  const [, row = ""] = page.split(OF_AMBER);
  for (const words of ["Authorised", "test country", '<td class="number">0</td>']) expect(row).toContain(words);
  const empty = await read(PAGE, other);
  expect([listed(empty), empty.includes("None yet")]).toEqual([[], true]);
});

test("its filters: lost, ends soon, refused, watched", async () => {
  const filtered = async (filter: string) => listed(await read(`${PAGE}?filter=${filter}`));
  expect([await filtered("lost"), await filtered("ending"), await filtered("watched")]).toEqual([[], [], []]);
  expect(await filtered("refused")).toEqual([REVOKED]);
  const set = (what: string) => env.DB.prepare(`UPDATE met_psps SET ${what} WHERE psp_id = ?1`).bind(AMBER).run();
  await set(`lost_at = 1, standing = 'lost', not_after = ${Date.now() + 86_400_000}`);
  expect([await filtered("lost"), await filtered("ending")]).toEqual([[AMBER], [AMBER]]);
  // one that never was authorised when it was met has not lost it a moment ago
  const isDated = async () => (await read(`${PAGE}?filter=lost`)).includes("known since");
  expect(await isDated()).toBe(false);
  await set("lost_at = first_seen_at + 1");
  expect(await isDated()).toBe(true);
  await set("lost_at = NULL, standing = 'authorised', not_after = 9e12");
  expect(await filtered("ending")).toEqual([]);
  expect(await filtered("nothing")).toHaveLength(2);
});

test("a PSP is found by letters of its name; a number leads to its page; too few letters are refused, as text", async () => {
  const name = await env.DB.prepare("SELECT name FROM met_psps WHERE psp_id = ?1").bind(AMBER).first<string>("name");
  expect(listed(await read(`${PAGE}?q=${encodeURIComponent(name?.slice(0, 3).toUpperCase() ?? "")}`))).toContain(AMBER);
  expect(listed(await read(`${PAGE}?q=${name?.slice(0, 3)}`, other))).toEqual([]);
  const { status, headers } = await sandbox.get(`${PAGE}?q=psdxx-test-000002`);
  expect([status, headers.get("Location")]).toEqual([303, OF_UNMET]);
  const few = await sandbox.get(`${PAGE}?q=${encodeURIComponent("<b")}`);
  expect([few.status, few.text.includes("at least 3 letters"), few.text.includes('"<b')]).toEqual([400, true, false]);
});

test("a list that goes on has an address for the rest", async () => {
  const fiId = await idOf(OTHER_FI.fi_reference_id);
  await env.DB.prepare(
    `INSERT INTO met_psps (fi_id, psp_id, first_seen_at, seen_at, standing)
     WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers LIMIT 30)
     SELECT ?1, 'PSDXX-NEXT-' || n, 0, n, 'unknown' FROM numbers`,
  )
    .bind(fiId)
    .run();
  const first = await read(PAGE, other);
  const [, next = ""] = /href="(\/console\/psps\?[^"]*after=[^"]*)"/.exec(first) ?? [];
  const second = await read(next.replaceAll("&amp;", "&"), other);
  expect([listed(first)[0], listed(second)[0]]).toEqual(["PSDXX-NEXT-29", "PSDXX-NEXT-4"]);
  expect(new Set([...listed(first), ...listed(second)]).size).toBe(30);
  // whether a file may be cut is said only where the list goes on
  expect([first, second].map((page) => page.includes("After 100,000"))).toEqual([true, false]);
  for (const after of ["x", "null", "[]", '[{},"a"]'])
    expect(listed(await read(`${PAGE}?after=${after}`, other))[0]).toBe("PSDXX-NEXT-29");
});

test("the page of a PSP has its register, certificates, answers, refusals, permissions and events", async () => {
  const page = await read(OF_AMBER);
  for (const words of [
    "Payment services at home",
    "of those that it showed it ends last",
    "Check of a PSP",
    "1 with a live token",
    "Refused in 30 days, and why",
    `href="/console/permissions?by=psp&amp;q=${AMBER}"`,
    `href="/console/events?psp=${AMBER}&amp;all=1"`,
    `href="/console/evidence?psp=${AMBER}"`,
  ])
    expect(page).toContain(words);
  expect(page).toContain("Yes</span></span> It was allowed to initiate payments in its home country.");
  const revoked = await read(`${PAGE}/${REVOKED}`);
  for (const words of [
    "No</span></span> It was not allowed to read accounts in XX (test country).",
    "<p>The certificate of psd2.elm.invalid has been revoked since",
    "What to do:",
    "Its register says now",
    "none accepted",
    // of what the evidence keeps
    "Check again",
  ])
    expect(revoked).toContain(words);
  expect((await read(PAGE)).split(REVOKED)[2]).toContain("none accepted");
  expect(revoked).toContain(">The certificate is revoked, or its status is unknown</a>");
  const unmet = await read(OF_UNMET);
  for (const words of ["never, by a certificate", "0 with a live token", "Nothing that is kept."])
    expect(unmet).toContain(words);
  // what the other institution has to do with it
  const theirs = await read(OF_AMBER, other);
  expect(theirs).toContain("0 with a live token");
  for (const words of ["Check again", "it ends last"]) expect(theirs).not.toContain(words);
  for (const wrong of ["nothing", "%E0%A4%A", "PSD"]) expect((await sandbox.get(`${PAGE}/${wrong}`)).status).toBe(404);
});

test("the last certificate is checked again by one button", async () => {
  const { text } = await sandbox.get(OF_AMBER);
  const [, form = ""] = text.split('action="/console/check"');
  const fields = Object.fromEntries(
    [...(form.split("</form>")[0] ?? "").matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [
      name,
      value,
    ]),
  );
  const { status, headers } = await sandbox.post("/console/check", fields);
  expect(status).toBe(303);
  expect(await read(headers.get("Location") ?? "")).toContain(AMBER);
});

test("a watch begins and ends on its page, as the API has it, with a record; who may not act has no button", async () => {
  const added = await sandbox.submit(OF_UNMET, `${PAGE}/watch`, { psp: " psdxx-test-000002 " });
  expect(added.headers.get("Location")).toBe(`${OF_UNMET}?done=watched`);
  expect(await read(`${OF_UNMET}?done=watched`)).toContain("The PSP is watched: each change");
  expect(await watched()).toEqual([UNMET]);
  expect(await recordOf(added)).toMatchObject({
    ...{ event: "watch.change", endpoint: "POST /console/psps/watch", outcome: "ok" },
    ...{ psp: UNMET, client: "sandbox-fi" },
  });
  expect(listed(await read(`${PAGE}?filter=watched`))).toEqual([UNMET]);
  expect(await read(OF_UNMET)).toContain("Stop watching");
  const auditor = await read(OF_UNMET, await Visitor.withRole("auditor"));
  expect([auditor.includes("Watched"), auditor.includes("Stop watching")]).toEqual([true, false]);
  await sandbox.submit(OF_UNMET, `${PAGE}/unwatch`, { psp: UNMET });
  expect(await watched()).toEqual([]);
  expect((await sandbox.submit(OF_UNMET, `${PAGE}/watch`, { psp: "nobody" })).status).toBe(404);
});

test("one more watch than there may be is refused, on a page that can be loaded again", async () => {
  await fillWatches();
  const { headers } = await sandbox.submit(OF_UNMET, `${PAGE}/watch`, { psp: UNMET });
  await emptyWatches();
  const { status, text } = await sandbox.get(headers.get("Location") ?? "");
  expect([status, text.includes("10,000 PSPs are watched already")]).toEqual([400, true]);
});

test("an operator names the institution, and acts for no other", async () => {
  const fi = OTHER_FI.fi_reference_id;
  const asked = await read(PAGE, operator);
  for (const words of ["Of which institution?", `<option value="${SANDBOX_FI.fi_reference_id}">Sandbox Bank, `])
    expect(asked).toContain(words);
  const institutions = await read("/console/institutions", operator);
  for (const place of ["psps", "evidence", "events", "people/acts", "traffic"])
    expect(institutions).toContain(`href="/console/${place}?fi=${SANDBOX_FI.fi_reference_id}"`);
  const page = `${OF_AMBER}?fi=${fi}`;
  const added = await operator.submit(page, `${PAGE}/watch`, { psp: AMBER, fi });
  expect(added.headers.get("Location")).toBe(`${page}&done=watched`);
  expect([await watched(OTHER_FI), await watched()]).toEqual([[AMBER], []]);
  expect(await recordOf(added, fi)).toMatchObject({ fi, psp: AMBER, operator: "operator of this machine" });
  const form_token = tokenOf((await operator.get(page)).text);
  expect((await operator.post(`${PAGE}/watch`, { psp: AMBER, fi: "nobody", form_token })).status).toBe(404);
});

test("without records nothing is counted, and the pages say so", async () => {
  const visitor = new Visitor({ ...env, LEDGER_RECORDS: "off" });
  visitor.cookie = sandbox.cookie;
  expect(await read(OF_AMBER, visitor)).toContain("so nothing is counted");
  expect(await read(PAGE, visitor)).toContain('<td class="number">–</td>');
  expect(await read(`${PAGE}?filter=refused`, visitor)).toContain("so nothing is counted");
});
