/** Records are found by what a bank's staff know: a name, an account, what was done, whether it was allowed, a local day. */
import { env } from "cloudflare:workers";
import { beforeAll, expect, test, vi } from "vitest";
import { readSearch } from "../../../src/console/evidence/search.ts";
import type { LedgerRecord } from "../../../src/evidence/ledger/record.ts";
import { ENTRIES } from "../../../src/http/errors/every-code.ts";
import { SIGNATURE_CURES } from "../../../src/psp-check/signed-request/problems.ts";
import { call, obtainToken } from "../bank.ts";
import { listRecords, recordOf } from "../evidence/ledger/records.ts";
import { eidasHeader, loadSandbox, SANDBOX_FI } from "../sandbox.ts";
import { openReaders, Visitor } from "./visitor.ts";

const PAGE = "/console/evidence";
const ofFi = { fi: SANDBOX_FI.fi_reference_id };

let sandbox: Visitor;
let other: Visitor;
let operator: Visitor;
let good: LedgerRecord;
let revoked: LedgerRecord;
beforeAll(async () => {
  await loadSandbox();
  ({ sandbox, other, operator } = await openReaders());
  const check = (name: string) =>
    call("GET", "/v1/psp/eidas?jurisdiction=xx", { headers: { eidas: eidasHeader(name), version: "latest" } });
  good = await recordOf(await check("scenario-1"));
  revoked = await recordOf(await check("scenario-5"));
});

const address = (path: string, query: Record<string, string>) => `${path}?${new URLSearchParams(query)}`;
const find = async (query: Record<string, string>, visitor = sandbox) => (await visitor.get(address(PAGE, query))).text;
const listed = (page: string): string[] =>
  [...page.matchAll(/href="\/console\/evidence\/([\w-]+)(?:\?[^"]*)?"/g)].map(([, id]) => id ?? "");
const lengthOf = (page: string): string => /<h2 id="found">([^<]*)/.exec(page)?.[1] ?? "";

test("by a part of the PSP's name, which may be of several", async () => {
  expect(await find({ psp: "nobody at all" })).toContain("no PSP of this name or number");
  expect(listed(await find({ psp: "amBER pay", outcome: "ok" }))).toEqual([good.id]);
  expect(listed(await find({ psp: "elm", act: "psp.checked" }))).toEqual([revoked.id]);
  const several = await find({ psp: "payments", outcome: "ok" });
  const links = [...several.matchAll(/href="([^"]*psp=PSD[^"]*)">Amber/g)].map(([, link]) => link ?? "");
  expect(links).toHaveLength(1);
  expect(listed(several)).toEqual([]);
  // the rest of the search stays
  expect(links[0]).toContain("outcome=ok");
  expect(listed((await sandbox.get(links[0]?.replaceAll("&amp;", "&") ?? "")).text)).toEqual([good.id]);
});

test("by kind, and by whether it was allowed", async () => {
  expect(listed(await find({ act: "psp.checked" }))).toEqual([revoked.id, good.id]);
  const refused = listed(await find({ outcome: "not_ok" }));
  expect([refused.includes(revoked.id), refused.includes(good.id)]).toEqual([true, false]);
  expect(listed(await find({ act: "psp.checked", outcome: "not_ok" }))).toEqual([revoked.id]);
});

test("by account: whoever may search permissions, and that is recorded; no key is made for it", async () => {
  const account = `account ${crypto.randomUUID()}`;
  const keys = async () => {
    const count = env.DB.prepare("SELECT count(*) AS keys FROM account_keys WHERE account_id = ?1").bind(account);
    return await count.first<number>("keys");
  };
  expect(lengthOf(await find({ account }))).toBe("No record");
  expect(await keys()).toBe(0);
  await obtainToken(account);
  const found = await vi.waitFor(async () => {
    const ids = listed(await find({ account }));
    // the code and the token; and that somebody looked
    expect(ids.length).toBeGreaterThanOrEqual(3);
    return ids;
  });
  const events = (await listRecords()).filter(({ id }) => found.includes(id));
  expect(new Set(events.map(({ account: tag }) => tag)).size).toBe(1);
  expect(new Set(events.map(({ event }) => event))).toEqual(
    new Set(["permission.search", "code.redemption", "code.issue"]),
  );
  expect(lengthOf(await find({ account }, other))).toBe("No record");
  // no address goes round the record
  const second = `account ${crypto.randomUUID()}`;
  await obtainToken(second);
  for (const more of [{ before: "999999" }, { as: "page" }, { psp: "amber" }]) await find({ account: second, ...more });
  await vi.waitFor(async () => {
    const searches = (await listRecords({ event: "permission.search" })).filter(
      ({ account: tag }) => tag !== null && tag !== events[0]?.account,
    );
    expect([searches.length, new Set(searches.map(({ account: tag }) => tag)).size]).toEqual([3, 1]);
  });
  for (const reader of [operator, await Visitor.withRole("administrator")]) {
    const refused = await reader.get(address(PAGE, { account, ...ofFi }));
    expect([refused.status, refused.text.includes("This is not for your role")]).toEqual([403, true]);
    expect((await reader.get(address(PAGE, ofFi))).text).not.toContain('name="account"');
  }
  expect(await find({}, await Visitor.withRole("auditor"))).toContain('name="account"');
});

test("by the days of the bank's country, if it is asked so", async () => {
  const local = { from: "2026-07-15", to: "2026-07-15", zone: "Europe/Helsinki" };
  const read = (query: Record<string, string>) => {
    const search = readSearch(query);
    return search.ok && search.by === "list"
      ? [search.query.from, search.query.to].map((at) => new Date(at ?? 0).toISOString())
      : [];
  };
  expect(read(local)).toEqual(["2026-07-14T21:00:00.000Z", "2026-07-15T21:00:00.000Z"]);
  expect(read({ ...local, zone: "UTC" })).toEqual(["2026-07-15T00:00:00.000Z", "2026-07-16T00:00:00.000Z"]);
  // the sandbox is of no country
  expect(await find({})).not.toContain('name="zone"');
});

test("a signed request is told from the check of a PSP: in the filter, the list and its record, with what to do", async () => {
  const { id } = await recordOf(
    await call("POST", "/v1/psp/signatures", {
      headers: { eidas: eidasHeader("scenario-1"), version: "latest" },
      body: { method: "GET", target: "/accounts", headers: {}, jurisdiction: "XX" },
    }),
  );
  const page = await find({ act: "signed_request" });
  expect(listed(page)).toEqual([id]);
  expect(page).toContain('<td class="text">Check of a signed request</td>');
  expect(listed(await find({ act: "psp.checked" }))).toContain(id);
  const record = (await sandbox.get(`${PAGE}/${id}`)).text;
  expect(record).toContain("<h1>Check of a signed request, ");
  for (const words of ["Do not carry it out", SIGNATURE_CURES.signature_missing]) expect(record).toContain(words);
});

test("the filter has each reason in one group, and what is asked for most in the first", async () => {
  const page = await find({});
  const groups = [...page.matchAll(/<optgroup label="([^"]+)">([\s\S]*?)<\/optgroup>/g)].map(
    ([, label = "", options = ""]) => [label, [...options.matchAll(/value="(\w+)"/g)].map(([, code]) => code)] as const,
  );
  expect(groups.map(([label]) => label)).toEqual([
    ...["The certificate", "What the PSP may do", "Permissions, codes and tokens", "The signature of a request"],
    ...["This service", "How your systems ask"],
  ]);
  const codes = [...new Set([...Object.keys(ENTRIES), ...Object.keys(SIGNATURE_CURES)])];
  expect(groups.flatMap(([, own]) => own).sort()).toEqual(codes.sort());
  const group = Object.fromEntries(groups);
  expect(group["The certificate"]).toContain("certificate_revoked");
  expect(group["The certificate"]).not.toContain("certificate_differs");
  expect(group["Permissions, codes and tokens"]).toEqual(expect.arrayContaining(["code_used", "token_not_found"]));
});

test("lists and files name PSPs and people as readers know them, and say of a check that nothing was allowed", async () => {
  const officer = await Visitor.withRole("officer");
  const psp = "PSDXX-TEST-000001";
  const watch = (await officer.submit("/console/psps", "/console/psps/watch", { psp })).headers;
  const { id } = await recordOf({ headers: watch });
  const refused = await recordOf(
    await call("GET", "/v1/psp/eidas?jurisdiction=xx", {
      headers: { eidas: eidasHeader("scenario-2"), version: "latest" },
    }),
  );
  const { psps } = await vi.waitFor(async () => {
    const page = await find({ psp });
    expect(page).toMatch(/Amber[^<]*<code class="file muted">PSDXX-TEST-000001/);
    return { psps: page };
  });
  expect(psps).toMatch(/Watch of a PSP<span class="file muted"> by Sandbox officer/);
  const nothing = await find({ psp: refused.psp ?? "" });
  expect(nothing).toMatch(/class="state warn">[\s\S]*?Checked, and nothing allowed/);
  const lines = (await sandbox.get(address(PAGE, { psp, as: "csv" }))).text
    .split("\r\n")
    .map((line) => line.split(","));
  const [heads = [], ...rows] = lines;
  const row = rows.find((fields) => fields[heads.indexOf("id")] === id) ?? [];
  expect(row[heads.indexOf("person_name")]).toBe("Sandbox officer");
  expect(row[heads.indexOf("psp_name")]).toMatch(/^Amber/);
  // on a PSP's own page no column repeats it
  const own = (await sandbox.get(`/console/psps/${psp}`)).text.split('aria-label="Records')[1]?.split("</table>")[0];
  expect(own).toContain("Watch of a PSP");
  expect(own).not.toContain(psp);
});
