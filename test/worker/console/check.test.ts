/** Check a PSP: from the form to the kept result, who may open it, and what a hostile certificate can do to it. */
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { clock } from "../../../src/platform/clock.ts";
// loaded before there are two ledgers: objects that import it in the same moment would share one promise of the test's runner
import "../../../src/evidence/ledger/institution-ledger.ts";
import { findConsoleCheck, keepConsoleCheck } from "../../../src/console/check/kept-checks.ts";
import { writeDates } from "../../../src/console/elements.tsx";
import { deleteOld } from "../../../src/grants/retention.ts";
import { listDatabases } from "../../../src/institutions/databases.ts";
import { hashSecret } from "../../../src/platform/secrets.ts";
import { call } from "../bank.ts";
import { listRecords, recordOf } from "../evidence/ledger/records.ts";
import { unreachableLedger } from "../evidence/ledger/unreachable-ledger.ts";
import { failingDatabase } from "../faults/failing-database.ts";
import { eidasHeader, loadSandbox } from "../sandbox.ts";
import { eidasOf, issuePsp, listQtsp, makeQtsp } from "../trust/made-qtsp.ts";
import { asRead, ORIGIN, type Shown, tokenOf, Visitor } from "./visitor.ts";

const FORM = "/console/check";
const DAY = 86_400_000;
const pem = (name: string): string => env.TEST_CERTIFICATES[name] ?? "";
const file = (name: string, content: string = pem(name)) => new File([content], `${name}.pem`);

beforeAll(loadSandbox);
beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterEach(() => vi.restoreAllMocks());

const signedIn = async (who: "sandbox" | "other" = "sandbox", visitor = new Visitor()): Promise<Visitor> => {
  await visitor.signIn(who);
  return visitor;
};
/** For an institution, in whose ledger the check is recorded. */
const FOR = { fi: "PSDXX-TEST-FI0002" };
const operator = async (): Promise<Visitor> => {
  const visitor = new Visitor({ ...env, CONSOLE_LOCAL_OPERATOR: "on" });
  await visitor.post("/console/sign-in/operator", {});
  return visitor;
};

/** Sends the form and follows to the result. */
async function check(
  visitor: Visitor,
  files: readonly File[],
  fields: Record<string, string> = {},
): Promise<Shown & { location: string }> {
  const form = new FormData();
  const all = { form_token: tokenOf((await visitor.get(FORM)).text), jurisdiction: "XX", ...fields };
  for (const [name, value] of Object.entries(all)) form.append(name, value);
  for (const each of files) form.append("files", each);
  const sent = await visitor.send("POST", FORM, { "Sec-Fetch-Site": "same-origin", Origin: ORIGIN }, form);
  const location = sent.headers.get("Location") ?? "";
  return location === "" ? { ...sent, location } : { ...(await visitor.get(location)), location };
}

const fromHtml = (html: string): string =>
  asRead(html)
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
const jsonOf = ({ text }: Shown) => JSON.parse(fromHtml(/<pre id="json"[^>]*>([^<]*)/.exec(text)?.[1] ?? "null"));
const headingOf = ({ text }: Shown) => /<h1>([^<]*)/.exec(text)?.[1];

test.each(["scenario-1", "scenario-4", "scenario-5", "unlisted-qtsp", "chain-valid"])(
  "%s: the page has the API's answer, and says the same in words",
  async (name) => {
    const page = await check(await signedIn(), [file(name)]);
    const api = await call("GET", "/v1/psp/eidas?jurisdiction=XX", {
      headers: { eidas: eidasHeader(name), version: "latest" },
    });
    expect(page.status).toBe(200);
    // the page can be opened again and shared: it has what belongs to no single request
    const { id, checked_at, release, oldest, ...evidence } = api.body.evidence;
    const { age_seconds, ...oldestThing } = oldest;
    expect([id, checked_at, release, age_seconds]).not.toContain(undefined);
    expect(jsonOf(page)).toEqual({ ...api.body, evidence: { ...evidence, oldest: oldestThing } });
    expect(headingOf(page)).toBe(api.body.eIDAS.data.pspSubjectName);
    const { payments, accounts } = api.body.decision;
    expect(page.text.includes("The PSP may initiate payments in")).toBe(payments.allowed);
    expect(page.text.includes("The PSP may read accounts in")).toBe(accounts.allowed);
    for (const sentence of api.body.eIDAS.warning ?? [])
      expect(fromHtml(page.text)).toContain(fromHtml(String(writeDates(sentence.replace(/^\w+: ./, "").slice(0, -1)))));
  },
);

test("the address of a result says nothing of the certificate, and neither does the database", async () => {
  const { location } = await check(await signedIn(), [file("scenario-1")]);
  expect(location).toMatch(/^\/console\/check\/[\w-]{22}$/);
  const rows = JSON.stringify((await env.DB.prepare("SELECT * FROM console_checks").all()).results);
  for (const said of ["Amber", "PSDXX", location.slice(-22)]) expect(rows).not.toContain(said);
});

describe("a result is opened", () => {
  test("by colleagues of the same institution, not by another one, an operator or whoever is not signed in", async () => {
    const { location } = await check(await signedIn(), [file("scenario-1")]);
    expect(headingOf(await (await signedIn()).get(location))).toBe("Amber Payments Ltd");
    for (const stranger of [await signedIn("other"), await operator()]) {
      for (const path of [location, `${location}/1`]) {
        const answer = await stranger.get(path);
        expect([answer.status, answer.text.includes("Amber")]).toEqual([404, false]);
      }
      expect((await stranger.submit(FORM, location, { jurisdiction: "XX" })).status).toBe(404);
    }
    expect((await new Visitor().get(location)).headers.get("Location")).toContain("/console/sign-in?next=");
  });

  test("by operators, if one of them made it", async () => {
    const { location } = await check(await operator(), [file("scenario-1")], FOR);
    expect((await (await operator()).get(location)).status).toBe(200);
    expect((await (await signedIn()).get(location)).status).toBe(404);
  });

  test("for seven days; then the retention removes it", async () => {
    const visitor = await signedIn();
    const { location } = await check(visitor, [file("scenario-1")]);
    const now = Date.now();
    vi.spyOn(clock, "now").mockReturnValue(now + 7 * DAY - 60_000);
    expect((await (await signedIn()).get(location)).status).toBe(200);
    vi.spyOn(clock, "now").mockReturnValue(now + 7 * DAY + 1000);
    expect((await (await signedIn()).get(location)).status).toBe(404);
    await deleteOld(
      env.DB,
      { tokenRetentionDays: 30, retentionDays: 396, permissionRetentionDays: 730 },
      now + 7 * DAY + 1000,
    );
    expect(await env.DB.prepare("SELECT count(*) AS rows FROM console_checks").first("rows")).toBe(0);
  });

  test("not by a made-up id", async () => {
    for (const id of ["A".repeat(22), "x", "%00", "..%2f"])
      expect((await (await signedIn()).get(`/console/check/${id}`)).status).toBe(404);
  });
});

test("of an institution at most 500 results are kept: the oldest go", async () => {
  const visitor = await signedIn("other");
  const { location } = await check(visitor, [file("scenario-1")]);
  const id = await env.DB.prepare("SELECT fi_id FROM console_checks ORDER BY created_at DESC LIMIT 1").first("fi_id");
  await env.DB.prepare(
    `INSERT INTO console_checks (id_hash, fi_id, sealed, created_at, ends_at)
     SELECT 'filler' || value, ?1, '', ?2 + value, ?2 + 1000000 FROM json_each(?3)`,
  )
    .bind(id, Date.now() + 1000, JSON.stringify(Array.from({ length: 499 }, (_, i) => i)))
    .run();
  const kept = await visitor.get(location);
  expect([kept.status, kept.text.includes("unless 500 newer results take its place")]).toEqual([200, true]);
  vi.spyOn(clock, "now").mockReturnValue(Date.now() + 2_000);
  await check(visitor, [file("scenario-2")]);
  expect((await visitor.get(location)).status).toBe(404);
  expect(
    await env.DB.prepare("SELECT count(*) AS rows FROM console_checks WHERE fi_id = ?1").bind(id).first("rows"),
  ).toBe(500);
});

test("several files give a table, each with its report; issuers may be files of their own", async () => {
  const visitor = await signedIn();
  const [leaf = "", ...issuers] = pem("chain-valid").split(/(?<=-----END CERTIFICATE-----\n)/);
  const files = [
    ...[file("scenario-1"), file("leaf", leaf), file("issuers", issuers.join("")), file("scenario-4")],
    ...[file("note", "Dear bank: find attached"), file("scenario-1-copy", pem("scenario-1"))],
  ];
  const table = await check(visitor, files);
  expect(headingOf(table)).toBe("5 files");
  expect(table.text).toContain("5 files, 3 different certificates checked");
  expect(table.text).toContain("the same certificate as in scenario-1");
  expect(table.text).toContain("The file cannot be read: not base64");
  const names = [];
  for (const number of [1, 2, 3]) names.push(headingOf(await visitor.get(`${table.location}/${number}`)));
  expect(names).toEqual(["Amber Payments Ltd", "Oak Payments Ltd", "Dahlia Payments Ltd"]);
  expect(jsonOf(await visitor.get(`${table.location}/2`)).eIDAS.validity.validSignature).toBe(true);
  expect(headingOf(await visitor.get(`${table.location}/4`))).toBe("This could not be checked");
  for (const none of ["0", "5", "x", "1e0.5"])
    expect((await visitor.get(`${table.location}/${none}`)).status).toBe(404);
});

describe("the form for many files", () => {
  test("says its limit before files are chosen", async () => {
    const { text } = await (await signedIn()).get(FORM);
    expect(text).toContain("At most 50 certificates of PSPs at once.");
    expect(text).toMatch(/<input type="file"[^>]*aria-describedby="limit"/);
    // pasted text has the limit of a header
    const names = Array.from({ length: 9 }, (_, i) => `scenario-${i + 1}`);
    const pasted = [...names, "payments-only", "accounts-only", "home-xy"].map(pem).join("\n");
    expect(headingOf(await check(await signedIn(), [], { pasted }))).toBe("This could not be checked");
  });

  test("takes 50, as the API does; those after them are named", async () => {
    const qtsp = await makeQtsp({ organisation: "Many QTSP", commonName: "Many", crlUrl: "http://many.example/crl" });
    await listQtsp(qtsp, "many");
    const made = await Promise.all(
      Array.from({ length: 51 }, (_, i) => issuePsp(qtsp, { organisation: `PSP ${i + 1}`, commonName: "psp.example" })),
    );
    const files = made.map((certificate, i) => file(`psp-${i + 1}`, eidasOf(certificate)));
    const table = await check(await signedIn(), files);
    expect(headingOf(table)).toBe("51 files");
    expect(table.text).toMatch(/psp-51\.pem<\/td><td[^>]*>Not checked: at most 50 PSPs are checked at once\./);
    expect(table.text.match(/Not checked: at most/g)).toHaveLength(1);
    // the fiftieth was a subject of a check, whatever time it took
    expect(table.text).toMatch(/PSP 50|psp-50\.pem<\/td><td[^>]*>Not checked: the others took too long/);
  });

  test("gives each row its reason", async () => {
    const names = ["scenario-1", "scenario-2", "scenario-4", "scenario-5", "unlisted-qtsp", "accounts-only"];
    const { text } = await check(await signedIn(), [...names.map((name) => file(name)), file("note", "Dear bank")]);
    const rows = (/<tbody>([\s\S]*)<\/tbody>/.exec(asRead(text))?.[1] ?? "")
      .split(/<\/tr>(?!<tr class="more">)/)
      .slice(0, -1);
    const last = (row: string) =>
      fromHtml(
        row
          .split("<td")
          .at(-1)
          ?.replaceAll(/^[^>]*>|<[^>]*>/g, " ") ?? "",
      ).trim();
    expect(rows.map(last)).toEqual([
      "Yes",
      expect.stringContaining("is unauthorised in its home register."),
      expect.stringContaining("expired on 1 Jan 2022, 00:00 UTC."),
      expect.stringContaining("has been revoked since 1 Jun 2025, 00:00 UTC"),
      expect.stringContaining("is neither on a trusted list nor among the certificates sent"),
      expect.stringContaining("has no role for payment service 7"),
      expect.stringContaining("The file cannot be read"),
    ]);
  });
});

/** The boxes of the two scopes. */
const boxesOf = ({ text }: Shown): string[] =>
  [...text.matchAll(/<section class="notice (?:yes|no|unknown)">([\s\S]*?)<\/section>/g)].map(([, box = ""]) =>
    fromHtml(box),
  );

test.each([
  ["scenario-5", "The certificate is revoked", "has been revoked since 1 Jun 2025, 00:00 UTC (keyCompromise)"],
  ["scenario-4", "The certificate is not valid at this time.", "The certificate expired on 1 Jan 2022, 00:00 UTC."],
  ["unlisted-qtsp", "No trusted list approves the issuer", '"Sandbox Unlisted QTSP", is neither on a trusted list'],
])("%s: a certificate's no names the verdict and the reason in the red box", async (name, verdict, why) => {
  const boxes = boxesOf(await check(await signedIn(), [file(name)]));
  expect(boxes).toHaveLength(2);
  for (const box of boxes) expect([box.includes(verdict), box.includes(why)]).toEqual([true, true]);
});

test("a box that says yes names no verdict", async () => {
  for (const box of boxesOf(await check(await signedIn(), [file("scenario-1")]))) expect(box).not.toContain("not");
});

test.each([
  ["scenario-5", "revoked: PSP's certificate", 1],
  ["chain-revoked-issuer", "revoked: intermediate issuer", 2],
])("%s: a path to a revoked certificate is not all green", async (name, place, broken) => {
  const { text } = await check(await signedIn(), [file(name)]);
  const picture = fromHtml(/<svg class="path"[\s\S]*?<\/svg>/.exec(text)?.[0] ?? "");
  expect(picture).toMatch(/<title[^>]*>A path that does not hold: /);
  expect(picture).toContain(place);
  expect(picture.match(/class="cut"/g)).toHaveLength(broken);
  expect(picture).toContain('<g class="no">');
  const good = (await check(await signedIn(), [file("scenario-1")])).text;
  expect(good).not.toContain('<g class="no">');
});

test("dates have one form on a report: none is as programs have them", async () => {
  for (const name of ["scenario-1", "scenario-4", "scenario-5"]) {
    const { text } = await check(await signedIn(), [file(name)]);
    expect(
      asRead(text)
        .replaceAll(/<pre[\s\S]*?<\/pre>/g, "")
        .match(/\d{4}-\d\d-\d\d/g),
    ).toBeNull();
  }
});

test("what is wrong with the form is said in it, and what was pasted is still there", async () => {
  const visitor = await signedIn();
  const none = await check(visitor, []);
  expect([none.status, none.text.includes("Choose a file with a certificate, or paste one.")]).toEqual([400, true]);
  const nowhere = await check(visitor, [], { pasted: "MII-pasted", jurisdiction: "Atlantis" });
  expect([nowhere.status, nowhere.text.includes("Choose the country of the account.")]).toEqual([400, true]);
  expect(nowhere.text).toContain("MII-pasted</textarea>");
});

test("a form is at most 1 MiB", async () => {
  const answer = await check(await signedIn(), [file("big", "A".repeat(1_100_000))]);
  expect([answer.status, headingOf(answer)]).toEqual([413, "Too much at once"]);
});

describe("what is kept of a check", () => {
  const question = { jurisdiction: "XX", at: 0, now: 1, by: "somebody", findings: [], fi: null };

  test("is refused where it does not fit a row of the database", async () => {
    const kept = await keepConsoleCheck(env.DB, null, question);
    expect(await findConsoleCheck(env.DB, null, kept, 2)).toEqual(question);
    // digests do not get smaller
    const by = Array.from({ length: 50_000 }, (_, i) => hashSecret(String(i))).join("");
    await expect(keepConsoleCheck(env.DB, null, { ...question, by })).rejects.toMatchObject({ fault: { status: 413 } });
  });
});

test("checking again is a new result, for the country that is chosen", async () => {
  const visitor = await signedIn();
  const first = await check(visitor, [file("scenario-1")]);
  const again = await visitor.submit(first.location, first.location, { jurisdiction: "XY" });
  const location = again.headers.get("Location") ?? "";
  expect(location).not.toBe(first.location);
  const page = await visitor.get(location);
  expect(jsonOf(page).hostRegister.ncaCountryCode).toBe("XY");
  expect(jsonOf(await visitor.get(first.location)).hostRegister).toBeUndefined();
});

describe("a check in the console leaves a record, as one by the API does", () => {
  const idOf = ({ text }: Shown) => /\/console\/evidence\/([\w-]+)/.exec(text)?.[1] ?? "";
  const recordAt = (id: string, reference?: string) =>
    recordOf({ headers: new Headers({ "x-evidence-id": id }) }, reference);
  const count = async (reference?: string) => (await listRecords({ event: "psp.checked" }, reference)).length;

  test("with who made it, what was found, and what it rested on: it replays", async () => {
    const visitor = await signedIn();
    const page = await check(visitor, [file("scenario-5")], { jurisdiction: "XY" });
    const record = await recordAt(idOf(page));
    expect(record).toMatchObject({
      ...{ event: "psp.checked", endpoint: "POST /console/check", status: 303, version: "latest" },
      ...{ outcome: "certificate_revoked", psp: "PSDXX-TEST-000005", client: "sandbox-fi" },
      checks: [{ jurisdictions: ["XY"], verdicts: ["notRevoked"], decisions: [{ payments: false, accounts: false }] }],
    });
    expect(JSON.stringify(record)).not.toContain("BEGIN CERTIFICATE");
    const shown = `/console/evidence/${record.id}`;
    for (const words of ["Check of a PSP", "POST /console/check", "Signed in as", "sandbox-fi", "what was found first"])
      expect((await visitor.get(shown)).text.replace(/\s+/g, " ")).toContain(words);
    await vi.waitFor(async () => expect((await visitor.submit(shown, shown)).text).toContain("Equal"), {
      ...{ timeout: 60_000, interval: 100 },
    });
    const listed = await call("GET", "/v1/audit/records?endpoint=POST%20/console/check&psp_id=PSDXX-TEST-000005");
    expect(listed.body.data[0].record).toEqual(record);
  });

  test("of many files each has one; of a file that cannot be read there is none", async () => {
    const visitor = await signedIn();
    const before = await count();
    const page = await check(visitor, [file("scenario-1"), file("scenario-2"), file("nothing", "nothing")]);
    const records = await Promise.all(
      [1, 2].map(async (place) => recordAt(idOf(await visitor.get(`${page.location}/${place}`)))),
    );
    expect(records.map(({ psp }) => psp)).toEqual(["PSDXX-TEST-000001", "PSDXX-TEST-000002"]);
    expect(new Set(records.map(({ request_id }) => request_id)).size).toBe(1);
    expect(await count()).toBe(before + 2);
    // what is asked again is another check
    const first = await check(visitor, [file("scenario-1")]);
    const again = await visitor.submit(first.location, first.location, { jurisdiction: "XY" });
    const record = await recordAt(idOf(await visitor.get(again.headers.get("Location") ?? "")));
    expect([record.endpoint, record.checks[0]?.jurisdictions]).toEqual(["POST /console/check/{id}", ["XY"]]);
  });

  test("an operator's is in the ledger of the institution that they name, also as of another instant", async () => {
    const visitor = await operator();
    for (const fi of ["", "PSDXX-TEST-NOBODY"]) {
      const refused = await check(visitor, [file("scenario-4")], { fi });
      expect([refused.status, refused.text.includes("Say for which institution")]).toEqual([400, true]);
    }
    const before = await count();
    const page = await check(visitor, [file("scenario-4")], { at: "2021-06-01T12:00", ...FOR });
    const record = await recordAt(idOf(page), FOR.fi);
    expect(record).toMatchObject({
      ...{ fi: FOR.fi, operator: "operator of this machine", as_of: "2021-06-01T12:00:00.000Z" },
      ...{ outcome: "certificate_revoked", checks: [{ verdicts: ["notRevoked"] }] },
    });
    expect([record.client, await count()]).toEqual([undefined, before]);
    const shown = `/console/evidence/${record.id}?fi=${FOR.fi}`;
    expect(page.text).toContain(shown);
    // what was true in 2021 is not what the PSP may do
    const psp = (await visitor.get(`/console/psps/${record.checks[0]?.psp}?fi=${FOR.fi}`)).text;
    expect([
      psp.includes("Register"),
      psp.split('id="last"')[1]?.split("</section>")[0]?.includes(record.id) ?? false,
    ]).toEqual([true, false]);
    const repeat = async () =>
      (await visitor.post(shown, { ...FOR, form_token: tokenOf((await visitor.get(shown)).text) })).text;
    await vi.waitFor(async () => expect(await repeat()).toContain("Equal"), { timeout: 60_000, interval: 100 });
  });

  test("says so where the result could not be kept: nobody was told what was found", async () => {
    const databases = listDatabases(env).map(({ binding, db }) => [
      binding,
      failingDatabase(db, (sql) => sql.includes("INSERT INTO console_checks"), "before"),
    ]);
    const failing = new Visitor({ ...env, ...Object.fromEntries(databases) });
    failing.cookie = (await signedIn()).cookie;
    const { status } = await check(failing, [file("scenario-1")]);
    expect(status).toBe(503);
    await vi.waitFor(
      async () => {
        const [newest] = await listRecords({ event: "psp.checked" });
        expect(newest).toMatchObject({ status: 503, outcome: "temporarily_unavailable", psp: "PSDXX-TEST-000001" });
      },
      { timeout: 60_000, interval: 50 },
    );
  });

  test("where it is required and cannot be kept, no result is shown", async () => {
    const require = (on: number) =>
      env.DB.prepare("UPDATE financial_institutions SET ledger_required = ?1 WHERE fi_reference_id = ?2")
        .bind(on, "PSDXX-TEST-FI0001")
        .run();
    const failing = await signedIn("sandbox", new Visitor({ ...env, LEDGER: unreachableLedger }));
    await require(1);
    const withheld = await check(failing, [file("scenario-1")]);
    expect([withheld.status, withheld.location, withheld.text.includes("Checked, but not recorded")]).toEqual([
      ...[503, "", true],
    ]);
    const kept = await check(await signedIn(), [file("scenario-1")]);
    // before the answer: no wait
    const [newest] = await listRecords({ event: "psp.checked" });
    expect(newest?.id).toBe(idOf(kept));
    await require(0);
  });
});

describe("as of another instant", () => {
  const THEN = "2021-06-01T12:00";

  test("an operator sees what held then; the API's answers stay those of now", async () => {
    const visitor = await operator();
    const now = await check(visitor, [file("scenario-4")], FOR);
    expect(jsonOf(now).eIDAS.validity.notExpired).toBe(false);
    const then = await check(visitor, [file("scenario-4")], { at: THEN, ...FOR });
    expect(jsonOf(then).eIDAS.validity).toMatchObject({ notExpired: true, validSignature: true, validQTSP: true });
    expect(then.text).toContain("1 Jun 2021, 12:00 UTC");
    const future = await check(visitor, [file("scenario-1")], { at: "2099-01-01T00:00", ...FOR });
    expect(jsonOf(future).eIDAS.validity.notExpired).toBe(false);
    for (const name of ["scenario-4", "scenario-1"]) {
      const api = await call("GET", "/v1/psp/eidas?jurisdiction=XX", { headers: { eidas: eidasHeader(name) } });
      expect(api.body.eIDAS.validity.notExpired).toBe(name === "scenario-1");
    }
  });

  test("an institution has no such field, and one that it sends all the same does not count", async () => {
    const visitor = await signedIn();
    expect((await visitor.get(FORM)).text).not.toContain('name="at"');
    expect(jsonOf(await check(visitor, [file("scenario-4")], { at: THEN })).eIDAS.validity.notExpired).toBe(false);
  });

  test.each(["yesterday", "2021-13-01T00:00", "1999-12-31T23:59", "2100-01-01T00:00"])("%s is refused", async (at) => {
    const answer = await check(await operator(), [file("scenario-1")], { at, ...FOR });
    expect([answer.status, answer.text.includes("As of: an instant such as")]).toEqual([400, true]);
  });
});

test("a certificate whose names are markup shows as text, on every page", async () => {
  const markup = "<script>alert(1)</script>";
  const qtsp = await makeQtsp({
    organisation: '"><img src=x onerror=alert(2)>',
    commonName: `</title>${markup}`,
    crlUrl: "http://sandbox.invalid/crl/markup.crl",
  });
  await listQtsp(qtsp, "markup");
  const certificate = eidasOf(await issuePsp(qtsp, { organisation: markup, commonName: "psp.example" }));
  const visitor = await signedIn();
  const named = new File([certificate], `"><script>alert(3)</script>.pem`);
  const single = await check(visitor, [named]);
  const table = await check(visitor, [named, file("scenario-1")]);
  const form = await check(visitor, [], { pasted: `</textarea>${markup}`, jurisdiction: "" });
  for (const page of [single, table, form]) {
    expect(page.text).not.toMatch(/<script>|<img|onerror=alert\(2\)>/);
    expect(page.text).toContain("&lt;script&gt;");
  }
  expect(fromHtml(headingOf(single) ?? "")).toBe(markup);
  // and who issued it is known, as after a check by the API
  const issuers = env.DB.prepare("SELECT psp_id FROM shown_certificates WHERE source = 'markup'");
  await vi.waitUntil(async () => (await issuers.first("psp_id")) === "PSDXX-TEST-000001");
});

test("the log line says which PSP was checked and with which result, and holds no certificate", async () => {
  const lines: string[] = [];
  vi.spyOn(console, "log").mockImplementation((line) => void lines.push(line));
  const { location } = await check(await signedIn(), [file("scenario-4")]);
  const line = lines.map((each) => JSON.parse(each)).find(({ method, route }) => method === "POST" && route === FORM);
  expect(line).toMatchObject({
    ...{ status: 303, fi: "PSDXX-TEST-FI0001", psp: "PSDXX-TEST-000004", jurisdiction: "XX" },
    ...{ outcome: "certificate_expired", decision: { payments: false, accounts: false } },
  });
  const all = lines.join("\n");
  expect(all).not.toContain(location.slice(-22));
  expect(all).not.toMatch(/MII[A-Za-z0-9+/]{20}/);
});

test("a name's control characters are shown, so that it turns nothing around, and the JSON to copy is the API's", async () => {
  const name = "Amber \u202e900000-TSET-XXDSP\u202c\u0007 Ltd";
  const qtsp = await makeQtsp({
    organisation: "Reversed QTSP",
    commonName: name,
    crlUrl: "http://reversed.example/crl",
  });
  await listQtsp(qtsp, "reversed");
  const certificate = eidasOf(await issuePsp(qtsp, { organisation: name, commonName: "psp.example" }));
  const visitor = await signedIn();
  const named = new File([certificate], "amber\u202efdp.pem");
  const single = await check(visitor, [named]);
  for (const { text } of [single, await check(visitor, [named, file("scenario-1")])]) {
    expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(text).toContain("amber\\u{202e}fdp.pem");
  }
  expect(fromHtml(headingOf(single) ?? "")).toBe("Amber \\u{202e}900000-TSET-XXDSP\\u{202c}\\u{0007} Ltd");
  expect(jsonOf(single).eIDAS.data.pspSubjectName).toBe(name);
});
