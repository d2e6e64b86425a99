/** Webhooks in the console: added, tested, rotated and removed by administrators, of their own institution alone. */
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { findWebhook, openSecrets } from "../../../src/events/webhook.ts";
import { insertWebhook, MAX_WEBHOOKS } from "../../../src/events/webhook-changes.ts";
import { readTokenKeys } from "../../../src/grants/token-keys.ts";
import { idOf, listRecords, recordOf } from "../evidence/ledger/records.ts";
import { loadSandbox, OTHER_FI } from "../sandbox.ts";
import { type Shown, Visitor } from "./visitor.ts";

const PAGE = "/console/webhooks";
const URL = "https://bank.example/events?key=secret";

let administrator: Visitor;
let officer: Visitor;
let foreign: string;
beforeAll(async () => {
  await loadSandbox();
  administrator = await Visitor.withRole("administrator", { WEBHOOK_TARGETS: "any" });
  officer = await Visitor.withRole("officer");
  foreign = `wh_${"f".repeat(16)}`;
  const other = { id: foreign, fiId: await idOf(OTHER_FI.fi_reference_id), url: "https://other.example/", secret: "s" };
  await insertWebhook(env.DB, other, 1);
});
beforeEach(async () => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  vi.spyOn(console, "error").mockImplementation(() => {});
  await env.DB.prepare("DELETE FROM webhooks WHERE fi_id = ?1")
    .bind(await idOf())
    .run();
});
afterEach(() => void vi.unstubAllGlobals());

const secretOf = ({ text }: Shown): string => /<code id="secret">([^<]+)/.exec(text)?.[1] ?? "";
const field = (text: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]+)"`).exec(text)?.[1] ?? "";
/** Those that now sign. */
async function signing(id: string): Promise<readonly string[] | null> {
  const webhook = await findWebhook(env.DB, id);
  return webhook && openSecrets(webhook, readTokenKeys(env), Date.now());
}
async function add(url = URL): Promise<{ id: string; shown: Shown }> {
  const id = field((await administrator.get(PAGE)).text, "id");
  return { id, shown: await administrator.submit(PAGE, PAGE, { id, url }) };
}
async function rotate(id: string, overlap: string): Promise<Shown> {
  const replaces = field((await administrator.get(PAGE)).text, "replaces");
  return administrator.submit(PAGE, `${PAGE}/rotate`, { webhook: id, overlap, replaces });
}

describe("adding", () => {
  test("shows the secret once, keeps it sealed, and is recorded by whom", async () => {
    const { id, shown } = await add();
    expect(shown.status).toBe(200);
    expect(secretOf(shown)).toMatch(/^whsec_/);
    expect(await signing(id)).toEqual([secretOf(shown)]);
    const webhook = await findWebhook(env.DB, id);
    expect(webhook).toMatchObject({ url: URL, status: "active" });
    expect(webhook?.secret).not.toContain("whsec_");
    const record = await recordOf(shown);
    expect(record).toMatchObject({ event: "webhook.change", endpoint: `POST ${PAGE}`, status: 200, outcome: "ok" });
    expect(record.person).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify(record)).not.toContain("secret");
    expect((await officer.get(`/console/evidence/${record.id}`)).text).toContain("<h1>Addition of a webhook, ");
    const page = (await administrator.get(PAGE)).text;
    expect(page).toContain("bank.example");
    expect(page).not.toContain("whsec_");
  });

  test("the form that is sent again adds nothing and shows no secret", async () => {
    const { id } = await add();
    const again = await administrator.submit(PAGE, PAGE, { id, url: URL });
    expect([again.status, secretOf(again)]).toEqual([409, ""]);
    expect((await administrator.submit(PAGE, PAGE, { id: foreign, url: URL })).status).toBe(409);
    expect((await administrator.submit(PAGE, PAGE, { id: "wh_1", url: URL })).status).toBe(409);
    expect((await administrator.get(PAGE)).text).toContain(`At most ${MAX_WEBHOOKS} can be there; there is one.`);
  });

  test.each([
    ["http://bank.example/", "is not https"],
    ["https://127.0.0.1/", "private network"],
    ["javascript:alert(1)", "is not https"],
    ["https://user:password@bank.example/", "holds credentials"],
    ["", "is not an address"],
  ])("refuses %s, says why, and leaves no record", async (url, why) => {
    const strict = await Visitor.withRole("administrator");
    const before = (await listRecords({ event: "webhook.change" })).length;
    const id = field((await strict.get(PAGE)).text, "id");
    const refused = await strict.submit(PAGE, PAGE, { id, url });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain(why);
    expect(await findWebhook(env.DB, id)).toBeNull();
    expect((await listRecords({ event: "webhook.change" })).length).toBe(before);
  });

  test("ends where an institution has as many as it may", async () => {
    const fiId = await idOf();
    const id = field((await administrator.get(PAGE)).text, "id");
    for (let i = 0; i < MAX_WEBHOOKS; i++)
      await insertWebhook(env.DB, { id: `wh_${"a".repeat(15)}${i}`, fiId, url: URL, secret: "s" }, i);
    const refused = await administrator.submit(PAGE, PAGE, { id, url: URL });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain("remove one first");
    expect(refused.text).not.toContain("Add the webhook");
  });
});

describe("a test", () => {
  test.each([
    [204, "The test arrived at", "answered with status 204", "Active<"],
    [500, "The test did not arrive at", "answered with status 500", "Active, but the last delivery failed<"],
  ])("of a receiver that answers with %i says so at once", async (status, said, outcome, mark) => {
    const { id, shown } = await add();
    const bodies: string[] = [];
    vi.stubGlobal("fetch", async (_: unknown, init: RequestInit) => {
      bodies.push(String(init.body));
      return new Response(null, { status });
    });
    const tested = await administrator.submit(PAGE, `${PAGE}/test`, { webhook: id });
    expect(tested.text).toContain(said);
    expect(tested.text).toContain(outcome);
    const [, card = ""] = tested.text.split("<article");
    expect([card.includes(`<span>${mark}`), card.includes(`: the receiver ${outcome}.`)]).toEqual([true, true]);
    expect(tested.text).toContain("At most 10 can be there; there is one.");
    expect(bodies.map((body) => JSON.parse(body).type)).toEqual(["webhook.test"]);
    expect(secretOf(shown)).not.toBe("");
  });
});

describe("rotating", () => {
  test("lets both sign for a day, and the form that is sent again rotates nothing", async () => {
    const { id, shown } = await add();
    const form = { webhook: id, overlap: "24h", replaces: field((await administrator.get(PAGE)).text, "replaces") };
    const rotated = await administrator.submit(PAGE, `${PAGE}/rotate`, form);
    expect(await signing(id)).toEqual([secretOf(rotated), secretOf(shown)]);
    expect(await recordOf(rotated)).toMatchObject({
      event: "webhook.change",
      endpoint: `POST ${PAGE}/rotate`,
      about: id,
    });
    expect((await administrator.submit(PAGE, `${PAGE}/rotate`, form)).status).toBe(409);
    expect(await signing(id)).toEqual([secretOf(rotated), secretOf(shown)]);
  });

  test("of one that leaked ends each; one that reached nobody ends alone", async () => {
    const { id, shown } = await add();
    const lost = await rotate(id, "7d");
    expect((await rotate(id, "7d")).status).toBe(409);
    const second = await rotate(id, "lost");
    expect(await signing(id)).toEqual([secretOf(second), secretOf(shown)]);
    expect(secretOf(second)).not.toBe(secretOf(lost));
    const third = await rotate(id, "none");
    expect(await signing(id)).toEqual([secretOf(third)]);
  });
});

test("removing ends it", async () => {
  const { id } = await add();
  const removed = await administrator.submit(PAGE, `${PAGE}/remove`, { webhook: id });
  expect(removed.headers.get("Location")).toBe(`${PAGE}?done=removed`);
  expect(await findWebhook(env.DB, id)).toBeNull();
  expect(await recordOf(removed)).toMatchObject({ event: "webhook.change", status: 303 });
  expect((await administrator.submit(PAGE, `${PAGE}/remove`, { webhook: id })).status).toBe(404);
});

test("another institution's is none", async () => {
  for (const path of ["test", "rotate", "remove"])
    expect((await administrator.submit(PAGE, `${PAGE}/${path}`, { webhook: foreign, overlap: "24h" })).status).toBe(
      404,
    );
  expect((await administrator.get(PAGE)).text).not.toContain("other.example");
  expect(await signing(foreign)).toEqual(["s"]);
});

test("the page of events leads administrators there, and nobody else", async () => {
  expect((await administrator.get("/console/events")).text).toContain(`href="${PAGE}"`);
  expect((await officer.get("/console/events")).text).not.toContain(`href="${PAGE}"`);
});
