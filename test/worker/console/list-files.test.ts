/** Each list of the console as a file: with its filters, whole or broken off, and recorded. */
import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { insertEvent } from "../../../src/events/event-log.ts";
import { call, obtainToken } from "../bank.ts";
import { makeEntries, NOON } from "../evidence/ledger/made-entries.ts";
// loaded before there are two ledgers: objects that import it in the same moment would share one promise of the test's runner
import "../../../src/evidence/ledger/institution-ledger.ts";
import type { RecordQuery } from "../../../src/evidence/ledger/record-query.ts";
import { idOf, ledgerOfBank, listRecords, recordOf } from "../evidence/ledger/records.ts";
import { eidasHeader, loadSandbox, OTHER_FI, SANDBOX_FI } from "../sandbox.ts";
import { openReaders, type Shown, Visitor } from "./visitor.ts";

const PSP = "PSDXX-TEST-000001";
const ACCOUNT = "DE02120300000000202051";

let fiId: number;
let sandbox: Visitor;
let other: Visitor;
let operator: Visitor;
let administrator: Visitor;
beforeEach(() => void vi.spyOn(console, "log").mockImplementation(() => {}));
beforeAll(async () => {
  await loadSandbox();
  fiId = await idOf();
  ({ sandbox, other, operator } = await openReaders());
  administrator = await Visitor.withRole("administrator");
  for (const name of ["scenario-1", "scenario-5"])
    await recordOf(await call("GET", "/v1/psp/eidas?jurisdiction=xx", { headers: { eidas: eidasHeader(name) } }));
  await obtainToken(ACCOUNT);
  const hook = env.DB.prepare(
    "INSERT INTO webhooks (id, fi_id, url, secret, status, created_at) VALUES (?1, ?2, 'https://bank.example/', 's', 'active', 1)",
  );
  const watch = env.DB.prepare("INSERT INTO psp_watches (fi_id, psp_id, created_at) VALUES (?1, ?2, 1)");
  await env.DB.batch([hook.bind("wh_a", fiId), hook.bind("wh_b", fiId), watch.bind(fiId, "PSDXX-TEST-000002")]);
  const standing = (status: string) => ({
    ambiguous: false,
    categories: [{ category: "PI", status, payment_services: [], passports: {} }],
  });
  const data = {
    psp_id: PSP,
    before: standing("Authorised"),
    after: standing("Withdrawn"),
    evidence: [],
    grants: null,
  };
  // each has two deliveries
  for (let n = 0; n < 600; n += 50)
    await env.DB.batch(
      Array.from({ length: 50 }, (_, i) =>
        insertEvent(
          env.DB,
          { fiId, type: "psp.status_changed", subject: PSP, key: String(n + i), data },
          null,
          1_000 + n + i,
        ),
      ).flat(),
    );
});

/** Of quoted fields none has a line break here. */
function readCsv({ text }: Shown): Record<string, string>[] {
  const lines = text.split("\r\n");
  expect(lines.pop()).toBe("");
  const [names = [], ...rows] = lines.map((line) =>
    [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(
      ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? "",
    ),
  );
  return rows.map((row) => {
    expect(row).toHaveLength(names.length);
    return Object.fromEntries(names.map((name, i) => [name, row[i] ?? ""]));
  });
}
const readLines = ({ text }: Shown) =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);

/** By their address: who may take it away, and what the first row has. */
const LISTS: readonly (readonly [string, Record<string, string>, () => Visitor])[] = [
  [
    "/console/evidence?outcome=certificate_revoked",
    { psp: "PSDXX-TEST-000005", outcome: "certificate_revoked" },
    () => sandbox,
  ],
  ["/console/events?all=1", { psp: PSP, news: "As PI it was Authorised and is Withdrawn." }, () => sandbox],
  ["/console/events?list=deliveries", { status: "pending", subject: PSP, attempts: "0" }, () => sandbox],
  ["/console/traffic?span=day", { outcome: "ok" }, () => sandbox],
  ["/console/sources", { kind: "trusted list", state: "Loaded" }, () => sandbox],
  [`/console/permissions?by=account&q=${ACCOUNT}`, { account_id: ACCOUNT, psp: PSP, status: "active" }, () => sandbox],
  ["/console/psps", { psp: PSP, country: "XX (test country)", standing: "Authorised" }, () => sandbox],
  ["/console/psps?filter=refused", { psp: "PSDXX-TEST-000005", refused_in_30_days: "1" }, () => sandbox],
  ["/console/psps?filter=watched", { psp: "PSDXX-TEST-000002", last_seen: "" }, () => sandbox],
  ["/console/psps?q=test-000005", { psp: "PSDXX-TEST-000005" }, () => sandbox],
  [
    "/console/sources/search?q=amber&country=XX",
    { country: "XX", authorisation_number: PSP, status: "Authorised" },
    () => sandbox,
  ],
  ["/console/people", { name: "Sandbox administrator", roles: "administrator" }, () => administrator],
  ["/console/people/acts?event=session.start", { event: "session.start" }, () => administrator],
  [
    "/console/institutions?q=sandbox-fi",
    { fi_reference_id: SANDBOX_FI.fi_reference_id, client_id: "sandbox-fi" },
    () => operator,
  ],
];

describe.each(LISTS)("%s", (address, expected, visitor) => {
  const of = (as: string) => visitor().get(`${address}${address.includes("?") ? "&" : "?"}as=${as}`);

  test("has links on its page, and is the same as CSV and as JSON lines", async () => {
    const [path = "", query = ""] = address.split("?");
    const { text } = await visitor().get(address);
    const links = [...text.matchAll(/href="([^"]*as=(?:csv|jsonl))"/g)].map(
      ([, link]) => link?.replaceAll("&amp;", "&") ?? "",
    );
    for (const [name, value] of new URLSearchParams(query))
      expect(
        links.some((link) => link.startsWith(path) && new URLSearchParams(link.split("?")[1]).get(name) === value),
      ).toBe(true);
    const csv = await of("csv");
    expect(csv.status).toBe(200);
    expect(csv.headers.get("Content-Type")).toBe("text/csv; charset=utf-8; header=present");
    expect(csv.headers.get("Content-Disposition")).toMatch(/^attachment; filename="[a-z]+-\d{4}-\d\d-\d\d\.csv"$/);
    const rows = readCsv(csv);
    expect(rows[0]).toMatchObject(expected);
    const lines = readLines(await of("jsonl"));
    const written = lines.map((line) =>
      Object.fromEntries(Object.entries(line).map(([name, value]) => [name, String(value ?? "")])),
    );
    // the first export is in the ledger before the second is read
    if (!address.startsWith("/console/traffic?span")) expect(written).toEqual(rows);
    expect(written[0]).toMatchObject(expected);
  });

  test("its export is recorded, if it is an institution's", async () => {
    const answer = await of("csv");
    if (address.startsWith("/console/institutions")) return expect(answer.headers.get("x-evidence-id")).toBeNull();
    const record = await recordOf(answer);
    expect(record).toMatchObject({ event: "evidence.export", endpoint: `GET ${address.split("?")[0]}`, status: 200 });
    if (visitor() === administrator) expect(record.person).toMatch(/^[0-9a-f]{64}$/);
    else expect(record.client).toBe("sandbox-fi");
    // a search of an account is found by the account, too
    expect(record.account === null).toBe(!address.startsWith("/console/permissions"));
    expect((await sandbox.get(`/console/evidence/${record.id}`)).text).toContain(
      `taken away as a file in the console by ${visitor() === administrator ? "Sandbox administrator" : "sandbox-fi"}`,
    );
  });
});

test("a file goes on where a part of the list ends, without a gap or a repetition", async () => {
  const events = readLines(await sandbox.get("/console/events?all=1&as=jsonl"));
  expect(new Set(events.map(({ id }) => id)).size).toBe(600);
  expect(events).toHaveLength(600);
  const deliveries = readLines(await sandbox.get("/console/events?list=deliveries&as=jsonl"));
  expect(new Set(deliveries.map(({ id }) => id)).size).toBe(1_200);
  expect(deliveries).toHaveLength(1_200);
});

const NUMBERS = "WITH RECURSIVE numbers (n) AS (SELECT 1000 UNION ALL SELECT n + 1 FROM numbers LIMIT 1200)";
const insertNumbered = (into: string, values: string, fi: number) =>
  env.DB.prepare(`INSERT INTO ${into} ${NUMBERS} SELECT ?1, ${values} FROM numbers`).bind(fi).run();

test("PSPs and people are in their files once, however many they are, also from the address of the rest on", async () => {
  const otherId = await idOf(OTHER_FI.fi_reference_id);
  await insertNumbered(
    "met_psps (fi_id, psp_id, name, first_seen_at, seen_at, standing)",
    "'PSDXX-MANY-' || n, '=Two by two', 0, n, 'unknown'",
    otherId,
  );
  // the characters stand in the name twice
  for (const part of ["two", "two by two"])
    await insertNumbered("met_psp_names (fi_id, psp_id, part)", `'PSDXX-MANY-' || n, '${part}'`, otherId);
  const person = "printf('%064x', n), 'i', n, 'k', '+' || n, '[]', 0, n";
  await insertNumbered("people (fi_id, tag, issuer, subject, key, name, roles, first_at, last_at)", person, fiId);
  for (const [visitor, address, member] of [
    [other, "/console/psps?as=", "psp"],
    [other, "/console/psps?q=two&as=", "psp"],
    [administrator, "/console/people?as=", "tag"],
  ] as const) {
    const [rows, lines] = [
      readCsv(await visitor.get(`${address}csv`)),
      readLines(await visitor.get(`${address}jsonl`)),
    ];
    expect(new Set(rows.map((row) => row[member])).size).toBe(rows.length);
    expect(rows.filter(({ name }) => name === "'=Two by two" || name?.startsWith("'+"))).toHaveLength(1_200);
    expect(lines.map((line) => line[member])).toEqual(rows.map((row) => row[member]));
  }
  const after = encodeURIComponent(JSON.stringify([0, "PSDXX-MANY-2198"]));
  const rest = readLines(await other.get(`/console/psps?filter=all&as=jsonl&after=${after}`));
  expect(rest.map(({ psp }) => psp)).toEqual(["PSDXX-MANY-2199"]);
});

test("acts are in their file once, however many they are", async () => {
  const ledger = await ledgerOfBank();
  const act = { event: "watch.change", client: "=bank" } as const;
  for (let n = 0; n < 2; n++) await ledger.append(fiId, makeEntries(400, NOON - 900_000 + n * 400, act));
  const address = "/console/people/acts?event=watch.change&as=";
  const [rows, lines] = [readCsv(await sandbox.get(`${address}csv`)), readLines(await sandbox.get(`${address}jsonl`))];
  expect(new Set(rows.map(({ id }) => id)).size).toBe(800);
  expect(rows.map(({ who }) => who)).toEqual(lines.map(({ who }) => `'${who}`));
  const rest = readLines(await sandbox.get(`${address}jsonl&before=${NOON - 900_000 + 1}-1`));
  expect(rest.map(({ time }) => time)).toEqual([new Date(NOON - 900_000).toISOString()]);
});

test("another institution gets its own, and who is signed out nothing", async () => {
  expect(readCsv(await other.get("/console/events?all=1&as=csv"))).toEqual([]);
  const named = `/console/events?all=1&as=csv&fi=${SANDBOX_FI.fi_reference_id}`;
  expect(readCsv(await other.get(named))).toEqual([]);
  expect(readCsv(await operator.get(named))).toHaveLength(600);
  expect((await new Visitor().get(named)).status).toBe(303);
});

test("an operator's export is in the institution's ledger", async () => {
  const answer = await operator.get(`/console/events?as=csv&fi=${OTHER_FI.fi_reference_id}`);
  const record = await recordOf(answer, OTHER_FI.fi_reference_id);
  expect(record).toMatchObject({ event: "evidence.export", operator: "operator of this machine" });
});

test("a store that fails in the middle breaks the file off; one that fails at once is a page, and nothing is recorded", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const ledger = await ledgerOfBank();
  for (let n = 0; n < 2; n++) await ledger.append(fiId, makeEntries(400, NOON - 600_000 + n * 400));
  const failingFrom = (nth: number): Visitor => {
    let lists = 0;
    const failing = (stub: ReturnType<typeof env.LEDGER.getByName>) => ({
      append: (...made: Parameters<typeof stub.append>) => stub.append(...made),
      list: (query: RecordQuery) => (++lists < nth ? stub.list(query) : Promise.reject(new Error("it is gone"))),
    });
    const LEDGER = { getByName: (name: string) => failing(env.LEDGER.getByName(name)) } as unknown as typeof env.LEDGER;
    const visitor = new Visitor({ ...env, LEDGER });
    visitor.cookie = sandbox.cookie;
    return visitor;
  };
  const exports = async () => (await listRecords({ event: "evidence.export", limit: 1_000 })).length;
  await expect(failingFrom(2).get("/console/evidence?as=csv")).rejects.toThrow();
  const before = await exports();
  const failed = await failingFrom(1).get("/console/evidence?as=csv");
  expect([failed.status, failed.headers.get("Content-Disposition")]).toEqual([503, null]);
  expect(await exports()).toBe(before);
  expect(readCsv(await sandbox.get("/console/evidence?as=csv")).length).toBeGreaterThan(800);
});

test("of an institution that requires its records nothing leaves without one", async () => {
  const set = (required: number) =>
    env.DB.prepare("UPDATE financial_institutions SET ledger_required = ?2 WHERE id = ?1").bind(fiId, required).run();
  await set(1);
  const off = new Visitor({ ...env, LEDGER_RECORDS: "off" });
  off.cookie = sandbox.cookie;
  const answer = await off.get("/console/events?as=csv");
  await set(0);
  expect(answer.status).toBe(503);
  expect(answer.text).toContain("Not sent: it could not be recorded");
  expect(answer.text).not.toContain(PSP);
});
