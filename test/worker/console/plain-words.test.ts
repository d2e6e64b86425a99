/** What a bank's staff read: no code, event, path or field of the interface stands in the text of a page outside its details. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { explainOutcome } from "../../../src/console/evidence/record-words.ts";
import { WARNINGS } from "../../../src/eidas/every-warning.ts";
import { VERDICT_NAMES } from "../../../src/eidas/verdict-codes.ts";
import { EVENT_TYPES, type EventType } from "../../../src/events/event.ts";
import { insertEvent } from "../../../src/events/event-log.ts";
import { LEDGER_EVENTS, NOTHING_ALLOWED } from "../../../src/evidence/ledger/record.ts";
import { ENTRIES } from "../../../src/http/errors/every-code.ts";
import { FINDINGS } from "../../../src/psp-check/every-reason.ts";
import { SIGNATURE_PROBLEMS } from "../../../src/psp-check/signed-request/problems.ts";
// loaded before there are two ledgers: objects that import it in the same moment would share one promise of the test's runner
import "../../../src/evidence/ledger/institution-ledger.ts";
import { call, codeRequest, endBackground, obtainToken } from "../bank.ts";
import { makeEntry } from "../evidence/ledger/made-entries.ts";
import { idOf, ledgerOfBank, listRecords, recordOf } from "../evidence/ledger/records.ts";
import { eidasHeader, loadSandbox, SANDBOX_FI } from "../sandbox.ts";
import { Visitor } from "./visitor.ts";

const NAMES = [
  ...[ENTRIES, WARNINGS, FINDINGS, SIGNATURE_PROBLEMS].flatMap((table) => Object.keys(table)),
  ...[...LEDGER_EVENTS, ...EVENT_TYPES, ...VERDICT_NAMES, NOTHING_ALLOWED, "role_missing", "p50", "p95"],
  // `replayed` is a word, too
].filter((name) => /[._A-Z\d]/.test(name));
const WIRE = new RegExp(
  `\\b(?:${NAMES.map((name) => name.replace(".", "\\.")).join("|")})\\b|/v1/|\\b(?:GET|POST|PUT|DELETE) /|\\b\\w+_(?:id|uri|type)\\b|\\d ms\\b`,
  "g",
);

/** The text of `main` that is in sight: outside `<details>` that are closed, and in their summaries. */
async function textOf(page: string): Promise<string> {
  const [texts, at] = [[] as string[], { main: 0, details: 0, summary: 0 }];
  const inside = (name: keyof typeof at) => ({
    element(element: Element) {
      at[name]++;
      element.onEndTag(() => void at[name]--);
    },
  });
  const rewriter = new HTMLRewriter()
    .on("main", inside("main"))
    .on("details:not([open])", inside("details"))
    .on("summary", inside("summary"))
    .onDocument({ text: ({ text }) => void (at.main > 0 && at.details <= at.summary && texts.push(text)) });
  await rewriter.transform(new Response(page)).text();
  return texts.join("");
}

const AMBER = "PSDXX-TEST-000001";
const REVOKED = "PSDXX-TEST-000005";
const readers: { role: string; visitor: Visitor }[] = [];
let records: string[] = [];
let report = "";

beforeAll(async () => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  vi.spyOn(console, "error").mockImplementation(() => {});
  await loadSandbox();
  const operator = new Visitor({ ...env, CONSOLE_LOCAL_OPERATOR: "on" });
  await operator.post("/console/sign-in/operator", {});
  const credentials = new Visitor();
  await credentials.signIn();
  readers.push({ role: "operator", visitor: operator }, { role: "credentials", visitor: credentials });
  for (const role of ["officer", "auditor", "administrator"] as const)
    readers.push({ role, visitor: await Visitor.withRole(role) });
  const officer = of("officer");

  const headers = (name: string) => ({ eidas: eidasHeader(name), version: "latest" });
  const check = (name: string) => call("GET", "/v1/psp/eidas?jurisdiction=xx", { headers: headers(name) });
  const asked = [
    ...(await Promise.all(["scenario-1", "scenario-2", "scenario-5", "unlisted-qtsp"].map(check))),
    // without an account, with an unknown code, and of a PSP whose certificate is revoked
    await call("POST", "/v1/oauth2/tokens", { headers: headers("scenario-1"), body: {} }),
    await call("POST", "/v1/oauth2/authorization_codes", { headers: headers("scenario-5"), body: codeRequest() }),
    await call("POST", "/v1/psp/signatures", {
      headers: headers("scenario-1"),
      body: { method: "GET", target: "/accounts", headers: {}, jurisdiction: "XX" },
    }),
  ];
  await obtainToken("account-1");
  await endBackground();
  await Promise.all(asked.map((answer) => recordOf(answer)));
  // each outcome that there is, in records that this page lists
  const entries = [...Object.keys(ENTRIES), ...Object.keys(SIGNATURE_PROBLEMS), "role_missing"].map((outcome) =>
    makeEntry(Date.now(), { fi: SANDBOX_FI.fi_reference_id, outcome, status: 400, psp: REVOKED }),
  );
  await (await ledgerOfBank()).append(await idOf(), entries, false);
  records = (await listRecords({ limit: 1_000 })).map(({ id }) => id);

  const [fiId, psp_id] = [await idOf(), AMBER];
  const standing = (status: string) => ({ ambiguous: false, categories: [{ ...CATEGORY, status }] });
  const issuer = { source: "eu", jurisdiction: "FI", service: "A CA", anchor: "ef", status: "granted" };
  const news: Readonly<Record<EventType, readonly [before: object, after: object]>> = {
    "psp.status_changed": [standing("Authorised"), standing("Withdrawn")],
    "psp.certificate_revoked": [{ revoked: false }, { certificate: "cd", revoked: true }],
    "psp.code_used_twice": [{}, { permission_id: "p" }],
    "psp.certificate_ends_soon": [{}, { not_after: "2026-12-24T00:00:00Z", days: 7 }],
    "psp.first_seen": [{}, { name: "Amber", standing: "authorised" }],
    "qtsp.withdrawn": [issuer, { ...issuer, status: "withdrawn" }],
    "source.stale": [{}, { source: "nca", jurisdiction: "XX" }],
    "webhook.test": [{}, {}],
  };
  for (const [i, type] of EVENT_TYPES.entries()) {
    const [before, after] = news[type];
    const grants = { tokens: 1, consents: 0 };
    const data = {
      psp_id,
      before,
      after,
      grants,
      evidence: [{ document: "register XX nca", sha256: "ab".repeat(32) }],
    };
    const told = { fiId, type, key: `words ${i}`, subject: psp_id, data } as Parameters<typeof insertEvent>[1];
    await env.DB.batch(insertEvent(env.DB, told, null, i));
  }

  const files = new Blob([eidasHeader("scenario-5")]);
  const made = await officer.submit("/console/check", "/console/check", { jurisdiction: "XY", files });
  report = made.headers.get("Location") ?? "";
  // an auditor who decides: a page that is refused
  await of("auditor").get("/console/check");
});
const CATEGORY = { category: "Payment Institution", payment_services: [7, 8], passports: {} };
const of = (role: string): Visitor => readers.find((one) => one.role === role)?.visitor ?? new Visitor();

/** By what the page is about; each leads to one or more. */
const PAGES: Readonly<Record<string, () => readonly string[]>> = {
  "the list of evidence": () => ["/console/evidence", "/console/evidence?act=act.refused", "/console/evidence?psp=no"],
  "each record": () => records.map((id) => `/console/evidence/${id}`),
  "a PSP": () => ["/console/psps", `/console/psps/${REVOKED}`, `/console/psps/${AMBER}`],
  events: () => ["/console/events?all=1"],
  traffic: () => ["/console/traffic", "/console/traffic?span=month"],
  "who did what": () => ["/console/people/acts", "/console/people"],
  "a check": () => [report],
  permissions: () => ["/console/permissions?by=account&q=account-1"],
};

describe.each(Object.keys(PAGES))("%s", (name) => {
  const readAll = async (role: string): Promise<string> => {
    const query = role === "operator" ? `fi=${SANDBOX_FI.fi_reference_id}` : "";
    const texts = (PAGES[name]?.() ?? []).map(async (path) => {
      const { status, text } = await of(role).get(`${path}${path.includes("?") ? "&" : "?"}${query}`);
      // a page of another role, or of a search that is wrong
      return [200, 400].includes(status) ? await textOf(text) : "";
    });
    return (await Promise.all(texts)).join("\n");
  };

  test.each(["officer", "auditor", "administrator", "credentials"])(
    "says nothing in wire names to %s",
    async (role) => {
      const text = await readAll(role);
      expect([...new Set(text.match(WIRE))]).toEqual([]);
      if (role === "officer") expect(text.length).toBeGreaterThan(500);
    },
  );
});

test("an operator has them in sight, and a bank's staff behind details", async () => {
  const [id] = records.slice(-3);
  const query = `?fi=${SANDBOX_FI.fi_reference_id}`;
  const page = async (path: string) => (await of("operator").get(`${path}${query}`)).text;
  expect(await textOf(await page("/console/evidence"))).toContain("role_missing");
  expect(await textOf(await page("/console/traffic"))).toContain("certificate_revoked");
  expect(await page("/console/traffic")).toMatch(/<details[^>]* open[^>]*>\s*<summary>By endpoint, with times/);
  expect(await page(`/console/evidence/${id}`)).toMatch(/<details[^>]* open[^>]*>\s*<summary>As programs name it/);
  expect(await textOf(await page("/console/events"))).toContain("psp.code_used_twice");
  const own = (await of("officer").get(`/console/evidence/${id}`)).text;
  expect(own).toMatch(/<details class="apart wire">\s*<summary>As programs name it/);
  expect(own).toContain("GET /v1/psp/eidas");
});

test("each outcome has words of its own, which begin as a sentence does", () => {
  const outcomes = [...Object.keys(ENTRIES), ...Object.keys(SIGNATURE_PROBLEMS), NOTHING_ALLOWED, "role_missing"];
  const words = new Set(outcomes.map(explainOutcome));
  expect(words.size).toBe(new Set(outcomes).size);
  for (const one of words) expect(one).toMatch(/^[A-Z][^_]*$/);
  expect(explainOutcome("ok")).toBeNull();
  expect(explainOutcome("of_another_release")).toBe("A reason of an earlier release");
});
