/** Records and traffic in the console: whose they are, how they are found, what proves them. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { README } from "../../../src/evidence/archive/form.ts";
import { type RecordsVerdict, verifyRecords } from "../../../src/evidence/archive/verify-records.ts";
import { readZip } from "../../../src/evidence/archive/zip-file.ts";
import { hashRecord } from "../../../src/evidence/ledger/chain.ts";
import type { LedgerRecord } from "../../../src/evidence/ledger/record.ts";
import { readSigningKeys } from "../../../src/evidence/signatures/signing-keys.ts";
import { ENDPOINTS } from "../../../src/http/endpoints.ts";
import { leavesRecord } from "../../../src/http/middleware/ledger.ts";
import { makeRequestId, timeOfRequestId } from "../../../src/platform/secrets.ts";
import { OPERATION } from "../../../src/routes/endpoints.ts";
import { type Answer, call, codeRequest } from "../bank.ts";
import { makeEntry, NO_SIGNING_KEY } from "../evidence/ledger/made-entries.ts";
import { idOf, ledgerOfBank, listRecords, recordOf } from "../evidence/ledger/records.ts";
import { eidasHeader, loadSandbox, OTHER_FI, SANDBOX_FI } from "../sandbox.ts";
import { asRead, openReaders, tokenOf, Visitor } from "./visitor.ts";

const PAGE = "/console/evidence";
const TRAFFIC = "/console/traffic";
const REVOKED = "PSDXX-TEST-000005";

let sandbox: Visitor;
let other: Visitor;
let operator: Visitor;
let good: LedgerRecord;
let revoked: LedgerRecord;
let answered: Answer;
beforeAll(async () => {
  await loadSandbox();
  ({ sandbox, other, operator } = await openReaders());
  const check = (name: string) =>
    call("GET", "/v1/psp/eidas?jurisdiction=xx", {
      headers: { eidas: eidasHeader(name), version: "latest", transaction_reference: "payment 4711" },
    });
  answered = await check("scenario-1");
  good = await recordOf(answered);
  revoked = await recordOf(await check("scenario-5"));
  await recordOf(
    await call("POST", "/v1/oauth2/authorization_codes", {
      headers: { eidas: eidasHeader("scenario-5") },
      body: codeRequest(),
    }),
  );
});

const address = (path: string, query: Record<string, string>) => `${path}?${new URLSearchParams(query)}`;
const find = async (query: Record<string, string>, visitor = sandbox) => (await visitor.get(address(PAGE, query))).text;
/** The records that a page lists, newest first. */
const listed = (page: string): string[] =>
  [...page.matchAll(/href="\/console\/evidence\/([\w-]+)(?:\?[^"]*)?"/g)].map(([, id]) => id ?? "");
const lengthOf = (page: string): string => /<h2 id="found">([^<]*)/.exec(page)?.[1] ?? "";
const today = (): string => new Date().toISOString().slice(0, 10);
const ofFi = { fi: SANDBOX_FI.fi_reference_id };

describe("records are found", () => {
  test("by PSP, day and outcome, newest first", async () => {
    expect(listed(await find({ psp: ` ${REVOKED.toLowerCase()} ` }))).toHaveLength(2);
    expect(listed(await find({ psp: REVOKED, outcome: "certificate_revoked", from: today(), to: today() }))[1]).toBe(
      revoked.id,
    );
    expect(listed(await find({ outcome: "ok", to: today() }))[0]).toBe(good.id);
    // the sign-in was before all of them
    expect(listed(await find({})).slice(1, 3)).toEqual([revoked.id, good.id]);
    const page = await find({ from: "2001-01-01", to: "2001-12-31" });
    expect(page).toContain("There is none: nothing of that kind was answered");
  });

  test("by evidence id, which leads to the record, and by request id", async () => {
    const { status, headers } = await sandbox.get(address(PAGE, { id: ` ${good.id}` }));
    expect([status, headers.get("Location")]).toEqual([303, `${PAGE}/${good.id}`]);
    const request = answered.headers.get("x-request-id") ?? "";
    // RFC 9562 section 5.7: it says when, to the record's millisecond
    expect(request).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(timeOfRequestId(request)).toBe(Date.parse(good.time));
    expect(listed(await find({ id: request.toUpperCase() }))).toEqual([good.id]);
    expect(await find({ id: good.id.replace(/.$/, "_") })).toContain("No record has this evidence id.");
  });

  test.each([
    [{ psp: "ab" }, "is too short: give at least 3 letters"],
    [{ psp: "A".repeat(200) }, "is not a PSD2 authorisation number"],
    [{ act: "unheard_of" }, "is no kind of act"],
    [{ zone: "Mars/Base" }, "is no time zone"],
    [{ account: "A".repeat(300) }, "not that long"],
    [{ id: "4711" }, "is neither an evidence id nor a request id"],
    [{ from: "2026-02-30" }, "is not a day"],
    [{ from: "2026-03-02", to: "2026-03-01" }, "The first day is after the last one"],
    [{ outcome: "unheard_of" }, "is no outcome"],
  ])("a search for %j says what is wrong", async (query, problem) => {
    const { status, text } = await sandbox.get(address(PAGE, query as unknown as Record<string, string>));
    expect([status, /role="alert"[\s\S]*?<\/p>/.exec(text)?.[0].includes(problem)]).toEqual([400, true]);
  });

  test("page by page, each once", async () => {
    const ledger = env.LEDGER.getByName("console-pages");
    const bindings = { ...env, LEDGER: { getByName: () => ledger } } as unknown as Cloudflare.Env;
    const { seq: _seq, prev: _prev, ...entry } = good;
    const entries = Array.from({ length: 27 }, (_, i) => ({ ...entry, id: good.id.replace(/..$/, String(10 + i)) }));
    await ledger.append(1, entries, false);
    const visitor = new Visitor(bindings);
    await visitor.signIn();
    const first = await find({ outcome: "ok" }, visitor);
    const next = /href="([^"]+)">\s*Older ones/.exec(first)?.[1]?.replaceAll("&amp;", "&") ?? "";
    const second = (await visitor.get(next)).text;
    expect([...listed(first), ...listed(second)]).toEqual(entries.map(({ id }) => id).reverse());
    // a list says how many entries there are in all, on each of its pages
    expect([lengthOf(first), lengthOf(second)]).toEqual(["27 records, newest first", "27 records, older ones"]);
    expect(lengthOf(await find({}, visitor))).toBe("27 records, newest first");
    expect(lengthOf(await find({ before: "3" }, visitor))).toBe("27 records, older ones");
    expect(lengthOf(await find({ outcome: "code_used" }, visitor))).toBe("No record");
    // one call may end before it has looked through all
    const some = { texts: entries.slice(0, 3).map((each) => JSON.stringify(each)), next: 7, gaps: [] };
    const short = {
      list: async ({ limit }: { limit: number }) => (limit > 25 ? { texts: [], next: 5, gaps: [] } : some),
    };
    const hasty = new Visitor({ ...env, LEDGER: { getByName: () => short } } as unknown as Cloudflare.Env);
    hasty.cookie = visitor.cookie;
    expect(lengthOf(await find({ outcome: "ok" }, hasty))).toBe("At least 3 records, newest first");
    const more = Array.from({ length: 80 }, (_, i) => ({ ...entry, id: good.id.replace(/...$/, String(100 + i)) }));
    await ledger.append(1, more, false);
    expect(lengthOf(await find({}, visitor))).toBe("107 records, newest first");
    expect(lengthOf(await find({ outcome: "ok" }, visitor))).toBe("More than 100 records, newest first");
    expect(second).not.toContain("Older ones");
  });
});

describe("a record's page", () => {
  test("says what was asked, found and decided, and what it rested on", async () => {
    const { text } = await sandbox.get(`${PAGE}/${revoked.id}`);
    for (const words of [
      "It was answered by the API; what was found first: The certificate of psd2.elm.invalid has been revoked since",
      "payment 4711",
      "<b>What to do:</b> Do not rely on the certificate. Ask the PSP for a new one.",
      "It was not allowed to initiate payments in XX (test country).",
      "has been revoked since 1 Jun 2025, 00:00 UTC",
      "home register&#39;s entries",
    ])
      expect(asRead(text)).toContain(words);
    const links = [...text.matchAll(/href="([^"]+\/documents\/([0-9a-f]{64}))"/g)];
    expect(links.length).toBeGreaterThanOrEqual(6);
    for (const [, link = "", sha256] of links) {
      const { status, headers, text: content } = await sandbox.get(link);
      expect([status, headers.get("Content-Disposition")?.startsWith(`attachment; filename="${sha256}.`)]).toEqual([
        200,
        true,
      ]);
      if (headers.get("Content-Disposition")?.includes(".json")) expect(hashRecord(content)).toBe(sha256);
    }
  });

  test("makes the answer again; a document that is gone is named", async () => {
    const page = `${PAGE}/${good.id}`;
    expect((await sandbox.submit(page, page)).text).toContain("comes out the same, to the letter");
    const lost: Partial<Cloudflare.Env> = {
      EVIDENCE: {
        get: (key: string) => (key.includes("/bundles/") ? null : env.EVIDENCE.get(key)),
      } as unknown as R2Bucket,
    };
    const visitor = new Visitor({ ...env, ...lost });
    visitor.cookie = sandbox.cookie;
    const { text } = await visitor.submit(page, page);
    expect(text).toContain("It cannot be made again");
    expect(text).toContain(`<code>${good.checks[0]?.basis}</code> is not kept`);
    expect((await visitor.get(`${page}/documents/${good.answer}`)).text).toContain("The document is not kept");
  });

  test("and its forms need their token", async () => {
    expect((await sandbox.post(`${PAGE}/${good.id}`, { form_token: "x" })).status).toBe(403);
  });
});

/** An archive that the page gives out: what `evidence verify` says of it, and its README. */
async function download(address: string, visitor = sandbox) {
  const { status, headers, bytes } = await visitor.get(address);
  const read = readZip(bytes);
  if (!read.ok) throw new Error(`${status}: ${read.reason}`);
  const readme = new TextDecoder().decode(read.files.get(README));
  return { headers, readme, verdict: await verifyRecords(read.files, readSigningKeys(env).published) };
}
const idsOf = (verdict: RecordsVerdict) => (verdict.ok ? verdict.records.map(({ id }) => id) : verdict.reason);

describe("the proof of a record", () => {
  test("is verified without the service: in a signed tree, and equal when made again; and its export is recorded", async () => {
    const { headers, verdict } = await download(`${PAGE}/${good.id}/proof`);
    expect(headers.get("Content-Disposition")).toBe(`attachment; filename="proof-${good.id}-${today()}.zip"`);
    expect(verdict).toMatchObject({
      ...{ ok: true, records: [{ id: good.id }], replays: { equal: 1, compared: { answer: 1 } } },
    });
    const last = await recordOf({ headers });
    expect(last).toMatchObject({ event: "evidence.export", endpoint: "GET /console/evidence/{id}/proof" });
  });

  test("without a signing key there is none, and the page says what to do", async () => {
    const ledger = { find: async () => JSON.stringify(good), prove: async () => [null] };
    const bindings = { ...env, LEDGER: { getByName: () => ledger } } as unknown as Cloudflare.Env;
    const visitor = new Visitor({ ...bindings, ...NO_SIGNING_KEY });
    visitor.cookie = sandbox.cookie;
    const { status, text } = await visitor.get(`${PAGE}/${good.id}/proof`);
    expect([status, text.includes("signing-key rotate")]).toEqual([409, true]);
    const later = new Visitor(bindings);
    later.cookie = sandbox.cookie;
    expect((await later.get(`${PAGE}/${good.id}/proof`)).text).toContain("evidence export proves it");
  });
});

describe("the archive for an auditor", () => {
  test("has the records of the search, each proven, and nothing of others", async () => {
    const { headers, readme, verdict } = await download(address(PAGE, { psp: REVOKED, as: "zip" }));
    expect(headers.get("Content-Type")).toBe("application/zip");
    const found = listed(await find({ psp: REVOKED }));
    expect(found.length).toBeGreaterThan(1);
    expect(idsOf(verdict)).toEqual(found);
    expect(verdict).toMatchObject({ ok: true, replays: { equal: found.length } });
    expect(readme).toContain(`Records of the ledger of ${SANDBOX_FI.fi_reference_id}, ${found.length} in number`);
    const last = await recordOf({ headers });
    expect(last).toMatchObject({ event: "evidence.export", psp: REVOKED, outcome: "ok" });
  });

  test("says what is left out: records that cannot be read, that no head has in its tree, and the rest of a long search", async () => {
    const texts = Array.from({ length: 250 }, (_, i) =>
      JSON.stringify({ ...good, seq: 9_000 - i, checks: [], answer: null }),
    );
    const damage = { first_seq: 7, last_seq: 8, first_time: 0, last_time: 1, file: "x", reason: "missing" };
    let pages = 0;
    const ledger = {
      list: async ({ limit }: { limit: number }) => ({
        texts: texts.slice(0, limit),
        next: 8_000 - pages++,
        gaps: pages === 1 ? [damage] : [],
      }),
      prove: async (seqs: readonly number[]) => seqs.map(() => null),
      append: async () => ({ seq: 1 }),
    };
    const visitor = new Visitor({ ...env, LEDGER: { getByName: () => ledger } } as unknown as Cloudflare.Env);
    visitor.cookie = sandbox.cookie;
    const { readme } = await download(address(PAGE, { as: "zip", account: "NL91ABNA0417164300" }), visitor);
    expect(pages).toBe(20);
    // it may go to an auditor
    expect(readme).not.toContain("NL91");
    for (const said of [
      "Cannot be read: records 7 to 8",
      "5000 records are left out: there was no signing key",
      "The rest begins at http",
      "as=zip&account=ACCOUNT_ID&before=7981",
    ])
      expect(readme).toContain(said);
  });

  test("is linked from what was found, and is the reader's own institution's alone", async () => {
    expect(await find({ psp: REVOKED })).toContain(`href="${PAGE}?psp=${REVOKED}&amp;as=zip"`);
    const { verdict } = await download(address(PAGE, { as: "zip", ...ofFi }), other);
    expect(verdict).toMatchObject({
      ok: true,
      records: expect.arrayContaining([expect.objectContaining({ fi: OTHER_FI.fi_reference_id })]),
    });
  });
});

describe("traffic", () => {
  test.each(["hour", "day", "month"])("of the last %s: requests, codes and times", async (span) => {
    const { text } = await sandbox.get(address(TRAFFIC, { span }));
    for (const words of [
      "3 requests with a record, 2 of them refused or not ok",
      "GET /v1/psp/eidas",
      "certificate_revoked",
      "66.7 %",
      "≤ ",
    ])
      expect(text).toContain(words);
  });

  test("says which requests it leaves out: each endpoint whose answers leave no record", async () => {
    const { text } = await sandbox.get(TRAFFIC);
    const [, counted = ""] = text.split('id="counted"');
    const listed = [...counted.matchAll(/<li><code>([^<]*)<\/code><\/li>/g)].map(([, name]) => name);
    expect(listed).toEqual(
      [...ENDPOINTS, ...OPERATION]
        .filter((endpoint) => !leavesRecord(endpoint))
        .map(({ method, path }) => `${method} ${path}`),
    );
    expect(listed).toContain("GET /v1/oauth2/tokens/{token}");
    expect(listed).not.toContain("GET /v1/psp/eidas");
    expect(counted.replaceAll(/\s+/g, " ")).toContain("a request that was refused before it was known whose it was");
    // and what it says is so: a request to one of them is not among those that are counted
    await call("GET", "/v1/accounts/account-1/permissions");
    expect((await sandbox.get(TRAFFIC)).text).not.toContain("/permissions</code></th>");
  });

  test("that nobody counts is not called none: the service keeps no records", async () => {
    const visitor = new Visitor({ ...env, LEDGER_RECORDS: "off" });
    visitor.cookie = other.cookie;
    expect((await visitor.get(TRAFFIC)).text).toContain("The service keeps no records at present");
  });

  test("of an institution that asked for nothing", async () => {
    const { text } = await other.get(TRAFFIC);
    expect(text).toContain("No requests");
  });
});

describe("whose they are", () => {
  test("another institution's records are no page, and in no list or count", async () => {
    for (const path of ["", "/proof", `/documents/${good.answer}`])
      for (const more of ["", `?fi=${ofFi.fi}`])
        expect((await other.get(`${PAGE}/${good.id}${path}${more}`)).status).toBe(404);
    const form_token = tokenOf((await other.get(PAGE)).text);
    expect((await other.post(`${PAGE}/${good.id}`, { form_token, ...ofFi })).status).toBe(404);
    // but for its own sign-in
    const own = (await listRecords({}, OTHER_FI.fi_reference_id)).map(({ id }) => id);
    expect(listed(await find(ofFi, other))).toEqual(own);
    expect((await other.get(address(TRAFFIC, ofFi))).text).toContain("No requests");
  });

  test("an operator names the institution, and sees what it sees", async () => {
    const asked = (await operator.get(PAGE)).text;
    expect(asked).toContain("Of which institution?");
    // a link that a bank sent leads to what it shows, and a search stays one
    const shared = (await operator.get(address(`${PAGE}/${good.id}`, { all: '"1"' }))).text;
    expect(shared).toContain(`<form action="${PAGE}/${good.id}"`);
    expect(shared).toContain('<input type="hidden" name="all" value="&quot;1&quot;"/>');
    expect(asked).toContain(OTHER_FI.fi_reference_id);
    expect(listed(await find(ofFi, operator))).toContain(good.id);
    const page = address(`${PAGE}/${good.id}`, ofFi);
    expect((await operator.submit(page, `${PAGE}/${good.id}`, ofFi)).text).toContain("comes out the same");
    expect((await operator.get(address(`${PAGE}/${good.id}/proof`, ofFi))).status).toBe(200);
    expect((await operator.get(address(`${PAGE}/${good.id}`, { fi: OTHER_FI.fi_reference_id }))).status).toBe(404);
    const unknown = await operator.get(address(TRAFFIC, { fi: "nobody" }));
    expect([unknown.status, unknown.text.includes("No institution has the reference")]).toEqual([400, true]);
  });

  test("nobody else: others are sent to the sign-in", async () => {
    for (const path of [PAGE, `${PAGE}/${good.id}`, TRAFFIC])
      expect((await new Visitor().get(path)).headers.get("Location")).toBe(
        `/console/sign-in?next=${encodeURIComponent(path)}`,
      );
  });
});

test("what was typed or sent is shown as text", async () => {
  const hostile = `"><script>alert(1)</script>`;
  for (const name of ["psp", "from", "outcome", "id"]) {
    const page = await find({ [name]: hostile });
    expect(page).not.toContain("<script>alert");
    expect(page).toContain("&lt;script&gt;");
  }
  expect((await operator.get(address(PAGE, { fi: hostile }))).text).not.toContain("<script>alert");
  const reference = "<script>alert(1)</script>";
  const record = await recordOf(
    await call("GET", "/v1/psp/eidas?jurisdiction=xx", {
      headers: { eidas: eidasHeader("scenario-1"), transaction_reference: reference },
    }),
  );
  expect(record.transaction_reference).toBe(reference);
  for (const path of [PAGE, `${PAGE}/${record.id}`]) expect((await sandbox.get(path)).text).not.toContain(reference);
});

test("a number that a certificate only claims is not among the PSPs that were refused; its records are found", async () => {
  const answer = await call("GET", "/v1/psp/eidas?jurisdiction=xx", {
    headers: { ...OTHER_FI, eidas: eidasHeader("unlisted-qtsp") },
  });
  const record = await recordOf(answer, OTHER_FI.fi_reference_id);
  expect(record.checks[0]?.verdicts).toEqual(expect.arrayContaining(["validQTSP", "validSignature"]));
  const { text } = await other.get("/console/psps?filter=refused");
  const shown = [/One request was\s+refused with/.test(text), text.includes(record.psp ?? "")];
  expect(shown).toEqual([true, false]);
  const why = /href="(\/console\/evidence\?from[^"]*)"/.exec(text)?.[1] ?? "";
  expect(listed((await other.get(why.replaceAll("&amp;", "&"))).text)).toContain(record.id);
  expect(listed(await find({ psp: record.psp ?? "" }, other))).toEqual([record.id]);
});

test("a request whose body came slowly is found by its id, and one whose id says no time", async () => {
  const now = Date.now();
  const requests = [makeRequestId(now - 60_000), makeRequestId(now), crypto.randomUUID()];
  const fi = OTHER_FI.fi_reference_id;
  const entries = requests.map((request_id) => makeEntry(now, { fi, request_id }));
  await (await ledgerOfBank(fi)).append(await idOf(fi), entries, false);
  for (const { id, request_id } of entries) {
    expect(listed(await find({ id: request_id }, other))).toEqual([id]);
    expect(listed(await find({ id: request_id, to: "2001-01-01" }, other))).toEqual([]);
  }
  expect(listed(await find({ id: makeRequestId(now) }, other))).toEqual([]);
});

test("of a certificate whose path is wrong for another reason no record says that a signature was not right", async () => {
  for (const name of ["scenario-4", "unlisted-qtsp"]) {
    const headers = { eidas: eidasHeader(name), version: "latest" };
    const { id, checks } = await recordOf(await call("GET", "/v1/psp/eidas?jurisdiction=xx", { headers }));
    expect(checks[0]?.verdicts).toContain("validSignature");
    const page = (await sandbox.get(`${PAGE}/${id}`)).text.replace(/\s+/g, " ");
    expect(page).toContain("No path whose signatures, rules and periods were all right");
    expect(page).not.toContain("A signature on the path was not right");
  }
});

describe("a record's page, of later records", () => {
  test.each(["latest", "1"])("puts the reason where the no is, of an answer in version %s", async (version) => {
    const of = { headers: { eidas: eidasHeader("scenario-5"), version } };
    const { id } = await recordOf(await call("GET", "/v1/psp/eidas?jurisdiction=xx", of));
    const { text } = await sandbox.get(`${PAGE}/${id}`);
    const [, no = ""] = text.split("<dt><span>Not revoked");
    expect(asRead(no).split("</dd>")[0]).toContain("has been revoked since 1 Jun 2025, 00:00 UTC (keyCompromise)");
  });

  test("says with each scope why the PSP was not allowed it", async () => {
    const of = { headers: { eidas: eidasHeader("accounts-only"), version: "latest" } };
    const { id } = await recordOf(await call("GET", "/v1/psp/eidas?jurisdiction=xx", of));
    const { text } = await sandbox.get(`${PAGE}/${id}`);
    const decisions = (/<ul class="decisions">([\s\S]*?)<\/ul>/.exec(text)?.[1] ?? "").split("</li>");
    expect(decisions[0]).toContain("has no role for payment service 7");
    expect(decisions[1]).not.toContain("As it was answered");
  });
});
