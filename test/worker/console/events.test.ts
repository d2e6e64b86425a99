/** Events and deliveries in the console: whose they are, and what a form may change. */
import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { DELIVERY_STATEMENTS } from "../../../src/events/deliveries.ts";
import { insertEvent, insertTestEvent, type News } from "../../../src/events/event-log.ts";
import { WEBHOOK_STATEMENTS } from "../../../src/events/webhook.ts";
import { insertWebhook } from "../../../src/events/webhook-changes.ts";
import { bindNamed } from "../../../src/platform/statements.ts";
// loaded before there are two ledgers: objects that import it in the same moment would share one promise of the test's runner
import "../../../src/evidence/ledger/institution-ledger.ts";
import { idOf } from "../evidence/ledger/records.ts";
import { loadSandbox, OTHER_FI, SANDBOX_FI } from "../sandbox.ts";
import { asRead, openReaders, tokenOf, Visitor } from "./visitor.ts";

const PAGE = "/console/events";
const PSP = "PSDXX-TEST-000001";

let fiId: number;
let sandbox: Visitor;
let other: Visitor;
let operator: Visitor;
beforeAll(async () => {
  await loadSandbox();
  fiId = await idOf();
  ({ sandbox, other, operator } = await openReaders());
});
beforeEach(() => void vi.spyOn(console, "log").mockImplementation(() => {}));

const standing = (status: string, services: readonly number[], passports = {}) => ({
  ambiguous: false,
  categories: [{ category: "Payment Institution", status, payment_services: services, passports }],
});
const WITHDRAWN = {
  before: standing("Authorised", [7, 8], { XY: [8] }),
  after: standing("Withdrawn", [7]),
  evidence: [{ document: "register XX nca", sha256: "ab".repeat(32) }],
  grants: { tokens: 1, consents: 0 },
};

let made = 0;
/** An event of the sandbox's institution; returns its id. */
async function tell(news: Partial<Omit<News, "data">> & { data?: object } = {}): Promise<string> {
  const subject = news.subject ?? PSP;
  const data = { psp_id: subject, ...WITHDRAWN, ...news.data };
  const key = String(++made);
  await env.DB.batch(
    insertEvent(env.DB, { fiId, type: "psp.status_changed", key, ...news, subject, data }, null, made),
  );
  const last = env.DB.prepare("SELECT id FROM events WHERE fi_id = ?1 ORDER BY seq DESC LIMIT 1").bind(fiId);
  return (await last.first<string>("id")) ?? "";
}
const cards = (page: string): string[] =>
  [...page.matchAll(/<article class="card event" id="(evt_[^"]+)"/g)].map(([, id]) => id ?? "");
const fields = (page: string, id: string): Record<string, string> => {
  const [, card = ""] = page.split(`id="${id}"`);
  const [form = ""] = card.split("</form>");
  return Object.fromEntries(
    [...form.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  );
};
test("events say what changed, in sentences, and lead to the PSP's records", async () => {
  const id = await tell();
  await tell({
    type: "psp.certificate_revoked",
    data: { before: { certificate: "cd", revoked: false }, after: { certificate: "cd", revoked: true } },
  });
  await tell({
    type: "source.stale",
    subject: "register XX nca",
    data: { psp_id: null, grants: null, before: {}, after: { source: "nca", jurisdiction: "XX", stale: true } },
  });
  const issuer = { source: "eu", jurisdiction: "FI", service: "A CA", anchor: "ef", status: "granted" };
  await tell({
    type: "qtsp.withdrawn",
    data: { before: issuer, after: { ...issuer, status: "withdrawn", reason: "for <b>seals</b>" } },
  });
  const { text } = await sandbox.get(PAGE);
  // dates have one form, also where they are only heard
  expect(asRead(text).replaceAll(/<pre[\s\S]*?<\/pre>/g, "")).not.toMatch(/\d{4}-\d\d-\d\dT/);
  expect(cards(text)).toContain(id);
  for (const words of [
    "As Payment Institution it was Authorised and is Withdrawn.",
    "As Payment Institution it lost payment service 8.",
    "As Payment Institution it lost payment service 8 in XY (test country).",
    "It had 1 permission with live tokens and 0 consents here.",
    "A check found the certificate cd revoked",
    "older than it should be",
    "The service “A CA” on the list of FI was granted and is withdrawn",
    "A check says: for &lt;b&gt;seals&lt;/b&gt;.",
    `href="/console/psps/${PSP}"`,
  ])
    expect(text).toContain(words);
});

test("a list says how many entries there are in all, not how many are on the page", async () => {
  for (let i = 0; i < 25; i++) await tell();
  const open = () =>
    env.DB.prepare("SELECT count(*) AS all_open FROM events WHERE fi_id = ?1 AND acknowledged_at IS NULL")
      .bind(fiId)
      .first<number>("all_open");
  const { text } = await sandbox.get(PAGE);
  expect(text).toContain(`${await open()} events that nobody has acknowledged`);
  expect((await sandbox.get(`${PAGE}?before=3`)).text).toContain(`${await open()} events that nobody has`);
  const hook = { id: "wh_count", fiId, url: "https://count.example/", secret: "whsec_x" };
  await insertWebhook(env.DB, hook, 0);
  for (let i = 0; i < 23; i++) await tell({ subject: `PSDXX-TEST-${100 + i}` });
  await env.DB.prepare(DELIVERY_STATEMENTS.endAll).bind("wh_count", 1, "has not answered for three days").run();
  await tell();
  const page = (await sandbox.get(PAGE)).text;
  await env.DB.batch([
    env.DB.prepare("DELETE FROM webhooks WHERE id = 'wh_count'"),
    env.DB.prepare("DELETE FROM webhook_deliveries WHERE webhook_id = 'wh_count'"),
    env.DB.prepare("DELETE FROM events WHERE fi_id = ?1").bind(fiId),
  ]);
  expect(page).toContain("In all: 23 given up, 1 under way. The newest 20 of each are listed.");
});

describe("an acknowledgement", () => {
  test("of one event takes it off the list of open ones, and says by whom", async () => {
    const [one, two] = [await tell(), await tell()];
    const { text } = await sandbox.get(PAGE);
    const { form_token = "", ...given } = fields(text, one);
    const answer = await sandbox.post(`${PAGE}/acknowledge`, { form_token, ...given });
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, `${PAGE}?done=acknowledged`]);
    const open = cards((await sandbox.get(PAGE)).text);
    expect([open.includes(one), open.includes(two)]).toEqual([false, true]);
    const all = (await sandbox.get(`${PAGE}?all=1`)).text;
    expect(cards(all)).toContain(one);
    expect(all).toContain("by sandbox-fi,");
  });

  test("is of this institution's events only, and nothing without the form's token", async () => {
    const id = await tell();
    const given = fields((await sandbox.get(PAGE)).text, id);
    const form_token = tokenOf((await other.get(PAGE)).text);
    expect(
      (await other.post(`${PAGE}/acknowledge`, { ...given, form_token, fi: SANDBOX_FI.fi_reference_id })).status,
    ).toBe(303);
    expect((await sandbox.post(`${PAGE}/acknowledge`, { ...given, form_token })).status).toBe(403);
    for (const first of ["", "-1", "1e99", "x"])
      expect((await sandbox.post(`${PAGE}/acknowledge`, { ...given, first })).status).toBe(404);
    expect(cards((await sandbox.get(PAGE)).text)).toContain(id);
  });

  test("of all that are shown, page by page", async () => {
    for (let i = 0; i < 27; i++) await tell();
    const first = (await sandbox.get(PAGE)).text;
    const next = /href="([^"]+)">\s*Older events/.exec(first)?.[1]?.replaceAll("&amp;", "&") ?? "";
    const second = cards((await sandbox.get(next)).text);
    expect([cards(first).length, second.length > 0, cards(first).some((id) => second.includes(id))]).toEqual([
      25,
      true,
      false,
    ]);
    await sandbox.post(`${PAGE}/acknowledge`, fields(first, "events"));
    expect(cards((await sandbox.get(PAGE)).text)).toEqual(second);
  });
});

test("events are filtered by kind, PSP and day; what lies between them is not acknowledged with them", async () => {
  const [PSP_2, day] = ["PSDXX-TEST-000077", Date.UTC(2026, 10, 20)];
  const make = (subject: string, type: News["type"], at: number) => {
    const data = { psp_id: subject, ...WITHDRAWN };
    const key = String(++made);
    return insertEvent(env.DB, { fiId, type, subject, data, key }, null, at);
  };
  const revoked = { before: { certificate: "cd" }, after: { certificate: "cd" } };
  await env.DB.batch([
    ...make(PSP_2, "psp.status_changed", day - 1),
    ...make(PSP_2, "psp.status_changed", day + 5),
    ...insertEvent(
      env.DB,
      {
        ...{ fiId, type: "psp.certificate_revoked", subject: PSP, key: String(++made) },
        data: { psp_id: PSP, ...WITHDRAWN, ...revoked },
      },
      null,
      day + 6,
    ),
  ]);
  const shown = async (query: string) => {
    const { text } = await sandbox.get(`${PAGE}?${query}`);
    return cards(text).length;
  };
  expect(await shown(`psp=${PSP_2.toLowerCase()}`)).toBe(2);
  expect(await shown(`psp=${PSP_2}&day=2026-11-20`)).toBe(1);
  expect(await shown(`psp=${PSP_2}&type=psp.certificate_revoked`)).toBe(0);
  expect(await shown("type=psp.certificate_revoked&day=2026-11-20")).toBe(1);
  expect(await shown("day=2026-11-20&all=1")).toBe(2);
  expect((await sandbox.get(`${PAGE}?psp=${PSP_2}`)).text).not.toContain("Acknowledge these");
  const wrong = await sandbox.get(`${PAGE}?psp=${encodeURIComponent("<b>x")}&day=soon`);
  expect([wrong.status, wrong.text.includes("is not a PSD2 authorisation number")]).toEqual([400, true]);
  expect(wrong.text).not.toContain("<b>x");
  await env.DB.prepare("DELETE FROM events WHERE fi_id = ?1").bind(fiId).run();
});

describe("a delivery", () => {
  test("that was given up is begun anew, by its institution only", async () => {
    const hook = { id: "wh_1", fiId, url: "https://bank.example/events?key=secret", secret: "whsec_x" };
    await insertWebhook(env.DB, hook, 0);
    const id = `${await tell()}.wh_1`;
    await bindNamed(env.DB, DELIVERY_STATEMENTS.end, {
      ...{ id, status: "dead", attempts: 3, firstAt: 0, now: 1, outcome: "answered with status 500" },
    }).run();
    const { text } = await sandbox.get(PAGE);
    for (const words of ["Given up", "bank.example", "answered with status 500", "Deliver again"])
      expect(text).toContain(words);
    expect(text).not.toContain("key=secret");
    const statusOf = () =>
      env.DB.prepare("SELECT status FROM webhook_deliveries WHERE id = ?1").bind(id).first("status");
    expect((await other.get(PAGE)).text).not.toContain("bank.example");
    expect((await other.submit(PAGE, `${PAGE}/replay`, { delivery: id })).status).toBe(404);
    expect(await statusOf()).toBe("dead");
    const sent: unknown[] = [];
    const queue = { sendBatch: async (messages: Iterable<unknown>) => void sent.push(...messages) };
    const visitor = new Visitor({ ...env, EVENTS: queue as unknown as Queue });
    visitor.cookie = sandbox.cookie;
    expect((await visitor.submit(PAGE, `${PAGE}/replay`, { delivery: id })).status).toBe(303);
    expect([await statusOf(), sent]).toEqual(["pending", [{ body: { database: 1, delivery: id } }]]);
    const second = await visitor.submit(PAGE, `${PAGE}/replay`, { delivery: id });
    expect([second.status, second.text.includes("The delivery is under way already")]).toEqual([404, true]);
    expect((await visitor.get(PAGE)).text).toContain("at the latest");
    await env.DB.prepare(WEBHOOK_STATEMENTS.silent).bind("wh_1", 0, 0).run();
    const { text: silent } = await visitor.get(PAGE);
    expect(silent.replace(/<[^>]*>/g, "")).toMatch(
      /bank\.example gives no answer, the first time .* ago: until it does/s,
    );
    expect(silent).not.toContain("at the latest");
    // nothing is delivered to a webhook whose receiver wants no more
    await env.DB.batch([
      env.DB.prepare(DELIVERY_STATEMENTS.endAll).bind("wh_1", 2, "its webhook is disabled"),
      env.DB.prepare("UPDATE webhooks SET status = 'disabled'"),
    ]);
    expect((await visitor.get(PAGE)).text).not.toContain("Deliver again");
    expect((await visitor.submit(PAGE, `${PAGE}/replay`, { delivery: id })).status).toBe(404);
  });
});

test("all that was given up of a webhook is begun anew by one button, by its institution only", async () => {
  const hook = { id: "wh_all", fiId, url: "https://all.example/events", secret: "whsec_x" };
  await insertWebhook(env.DB, hook, 0);
  const ids = [];
  for (let i = 0; i < 2; i++) ids.push(`${await tell({ subject: `PSDXX-TEST-00001${i}` })}.wh_all`);
  await insertTestEvent(env.DB, hook, 1);
  const pending = async () =>
    (await env.DB.prepare("SELECT id FROM webhook_deliveries WHERE webhook_id = 'wh_all' AND status = 'pending'").all())
      .results.length;
  const replay = (who: Visitor) => who.submit(PAGE, `${PAGE}/replay`, { webhook: "wh_all" });
  expect((await sandbox.get(PAGE)).text).not.toContain("Deliver all again");
  await env.DB.prepare(DELIVERY_STATEMENTS.endAll).bind("wh_all", 1, "has not answered for three days").run();
  expect((await sandbox.get(PAGE)).text).toContain("Deliver all again that was given up to all.example");
  expect([(await replay(other)).status, await pending()]).toEqual([404, 0]);
  const { status, headers } = await replay(sandbox);
  expect([status, headers.get("Location"), await pending()]).toEqual([303, `${PAGE}?done=all_replayed`, 2]);
  expect((await sandbox.get(`${PAGE}?done=all_replayed`)).text).toContain("All that was given up there");
  // nobody wants a test again
  expect((await sandbox.get(PAGE)).text).not.toContain("Deliver all again");
  expect((await replay(sandbox)).status).toBe(404);
  await env.DB.prepare("DELETE FROM webhooks WHERE id = 'wh_all'").run();
});

test("without events and webhooks the page says so", async () => {
  const fresh = (await operator.get(`${PAGE}?fi=${OTHER_FI.fi_reference_id}`)).text;
  for (const words of ["None is open", "There is no webhook", "can ask for them. "]) expect(fresh).toContain(words);
});
