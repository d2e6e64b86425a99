/** Sources in the console: the readings of GET /status, and what the last import changed. */
import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { EEA } from "../../../src/console/sources/sources-page.tsx";
import { addRefreshes, recordFailure, recordSuccess } from "../../../src/refresh/refreshes.ts";
import { importRegister } from "../../../src/registers/import/import-register.ts";
import { AgentRoll } from "../../../src/registers/register.ts";
import { importTrustList } from "../../../src/trust/trust-import.ts";
import { call } from "../bank.ts";
import { loadSandbox } from "../sandbox.ts";
import { Visitor } from "./visitor.ts";

const PAGE = "/console/sources";
beforeAll(loadSandbox);

async function open(): Promise<string> {
  const visitor = new Visitor();
  await visitor.signIn();
  return (await visitor.get(PAGE)).text;
}
/** The tile of a country, or the row of a list or register. */
const tileOf = (page: string, country: string): string =>
  page
    .match(/<li class="tile (yes|no|warn|unknown)">[\s\S]*?<\/li>/g)
    ?.find((tile) => tile.includes(`>${country}</span>`)) ?? "";
const rowOf = (page: string, id: string): string => page.split(`id="${id}"`)[1]?.split("</tr>")[0] ?? "";

test("each of the 30 countries is named, and every test country that is loaded has a tile", async () => {
  const page = await open();
  const notLoaded = /Not loaded<\/span><\/span>: ([^<]*)/.exec(page)?.[1] ?? "";
  expect(notLoaded.split(", ").map((country) => country.slice(-2))).toEqual(EEA);
  expect(EEA).toHaveLength(30);
  expect(tileOf(page, "XX")).toContain("Loaded");
  const { body } = await call("GET", "/status");
  const xx = body.registers.find(({ jurisdiction }: { jurisdiction: string }) => jurisdiction === "XX");
  expect(rowOf(page, "register-XX")).toContain(`<td class="number">${xx.psps}</td>`);
  expect(rowOf(page, "register-XX")).toContain(`${xx.psps} added`);
});

const list = (sequenceNumber: number, nextUpdate: string) => ({
  ...{ source: "eIDAS", jurisdiction: "FI", sequenceNumber, issuedAt: "2020-01-01T00:00:00Z", nextUpdate },
  ...{ services: 0, anchors: [] },
});

test("a stale list stands out by word and shape, and its last error is told", async () => {
  await importTrustList(env.KV, list(7, "2020-07-01T00:00:00Z"), Date.now());
  const page = await open();
  const tile = tileOf(page, "FI");
  expect(tile).toContain('<li class="tile no">');
  expect(tile).toMatch(/<svg[\s\S]*Stale/);
  expect(page).toContain("The trusted list of Finland is past its nextUpdate");
  await addRefreshes(env.DB, ["trust/eIDAS/FI"], 0);
  await recordFailure(env.DB, "trust/eIDAS/FI", 2, { message: "<b>the server is gone</b>" }, Date.now());
  expect(await open()).toContain("&lt;b&gt;the server is gone&lt;/b&gt;");
});

test("what cannot be used of a list stands below it", async () => {
  const skipped = ["A <QTSP>: its CA: certificate left out: it is not base64", "B: CA: left out"];
  await importTrustList(env.KV, { ...list(7, "2070-07-01T00:00:00Z"), skipped }, Date.now());
  const below = (await open()).split('id="list-FI"')[1] ?? "";
  expect(below).toContain("Not used: A &lt;QTSP&gt;: its CA: certificate left out: it is not base64");
  expect(below).toContain("Not used: B: CA: left out");
});

test("what is odd about a list that is used stands below it: first that its number fell", async () => {
  const odd = { remarks: ["A <QTSP>: its CA: 2 entries for seal have its key, each granted"], fellFrom: 9 };
  await importTrustList(env.KV, { ...list(7, "2070-07-01T00:00:00Z"), ...odd }, Date.now());
  const below = (await open()).split('id="list-FI"')[1] ?? "";
  expect(below).toMatch(/Note: its number is lower than 9[\s\S]*Note: A &lt;QTSP&gt;: its CA: 2 entries for seal/);
});

const summaryOf = (page: string): string =>
  /<section class="notice (?:yes|no|warn)" aria-label="Summary">[\s\S]*?<\/section>/.exec(page)?.[0] ?? "";

test("no green all is current stands above countries that are not loaded, nor above a source that could not be reached", async () => {
  // as the other tests left it: a stale list is red
  await env.KV.delete("trust/lists/eIDAS/FI");
  await env.DB.prepare("DELETE FROM refreshes").run();
  await importTrustList(env.KV, list(8, "2070-07-01T00:00:00Z"), Date.now());
  const now = summaryOf(await open()).replaceAll(/<[^>]*>|\s+/g, " ");
  expect(now).toContain("What is loaded is current, but 1 thing needs care");
  // the 30, among them Finland with its list alone
  expect(now).toContain("30 countries have no trusted list or no register here");
  const message = "it could not be reached";
  for (const [task, name] of [
    ["trust/eIDAS/FI", "The trusted list of Finland: loaded, refresh fails"],
    ["trust/eIDAS/SE", "The trusted list of Sweden: not loaded"],
    ["crl", "The revocation lists: loaded, refresh fails"],
  ] as const) {
    await addRefreshes(env.DB, [task], Date.now());
    await recordFailure(env.DB, task, 1, { message }, Date.now());
    const summary = summaryOf(await open()).replaceAll(/<[^>]*>/g, "");
    expect([summary.includes(name), summary.includes("All that is loaded is current")]).toEqual([true, false]);
    expect(summary).toContain("What is loaded is current, but 2 things need care");
    expect(summaryOf(await open())).toContain('class="notice warn"');
    await env.DB.prepare("DELETE FROM refreshes").run();
  }
});

test("nobody but who has signed in sees it; operators do, with what to run", async () => {
  expect((await new Visitor().get(PAGE)).status).toBe(303);
  const operator = new Visitor({ ...env, CONSOLE_LOCAL_OPERATOR: "on" });
  await operator.post("/console/sign-in/operator", {});
  await addRefreshes(env.DB, ["register/eba"], Date.now());
  await recordFailure(env.DB, "register/eba", 1, { message: "it could not be reached" }, Date.now());
  const summary = async (visitor: Visitor) =>
    summaryOf((await visitor.get(PAGE)).text)
      .replaceAll(/<[^>]*>/g, "")
      .replaceAll(/\s+/g, " ");
  expect(await summary(operator)).toMatch(
    /The EBA&#39;s register: not loaded; 1 refresh failed .*eba *What to do: wait for the next refresh, or run it: npm run admin -- refresh\. See docs\/runbook\/kv-stale\.md/,
  );
  const bank = new Visitor();
  await bank.signIn();
  expect(await summary(bank)).toContain("The EBA&#39;s register: not loaded; 1 refresh failed");
  expect(await summary(bank)).not.toContain("npm run admin");
  await env.DB.prepare("DELETE FROM refreshes").run();
});

test("the status tells banks no more than before", async () => {
  const { body } = await call("GET", "/status");
  expect(Object.keys(body.registers[0])).not.toContain("lastChange");
  for (const word of ["skipped", "remarks"]) expect(Object.keys(body.trustedLists[0])).not.toContain(word);
});

test("with all lists and two registers of each country it stays light, and rows of a country are found by its tile", async () => {
  const now = Date.now();
  await recordSuccess(env.DB, "trust/eIDAS/FI", null, now);
  const issuedAt = new Date(now - 86_400_000).toISOString();
  const nextUpdate = new Date(now + 30 * 86_400_000).toISOString();
  const at = { published: issuedAt, ncaId: "NCA", ncaName: "Authority", refused: [], psps: [] };
  for (const country of EEA) {
    await importTrustList(env.KV, { ...list(8, nextUpdate), issuedAt, jurisdiction: country }, now);
    for (const source of ["eba", "nca"] as const)
      await importRegister(env, { ...at, country, source, agents: new AgentRoll() }, { now, force: true });
  }
  const page = await open();
  for (const country of EEA) {
    expect(tileOf(page, country)).toContain('<li class="tile yes">');
    expect([rowOf(page, `list-${country}`), rowOf(page, `register-${country}`)]).not.toContain("");
  }
  // of the test countries one has no list: nobody's PSPs are refused for that
  expect(summaryOf(page)).toContain("All that is loaded is current");
  // the style sheet and the script have the rest of 100 KiB
  expect(page.length).toBeLessThan(75 * 1024);
});

test("the register of a host says whose PSP it is, and each entry leads to the PSP's page", async () => {
  const visitor = new Visitor();
  await visitor.signIn();
  const page = (await visitor.get(`${PAGE}/search?q=amber`)).text.replaceAll(/<[^>]*href="([^"]*)"[^>]*>/g, "$1 ");
  const read = page.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
  for (const words of [
    "/console/psps/PSDXX-TEST-000001 Amber Payments Ltd",
    "XX (test country), the authority&#39;s own register",
    "Payment services at home: 8 In XY (test country): 8 without a branch",
    "Payment services in XY (test country), from XX (test country): 8",
  ])
    expect(read).toContain(words);
});
