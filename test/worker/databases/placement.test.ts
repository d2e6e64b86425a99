/** An institution in another database than the first: its row and the copy, whatever fails between the two. */

import { env } from "cloudflare:workers";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { changeInstitution, removeInstitution } from "../../../src/cli/institution/changes.ts";
import { insertEvent, listEvents } from "../../../src/events/event-log.ts";
import { countLiveTokens, readKeyUse } from "../../../src/grants/token-keys.ts";
import { databaseOf } from "../../../src/institutions/databases.ts";
import { listInstitutions } from "../../../src/institutions/institution-list.ts";
import {
  addInstitution,
  findCopyFaults,
  setInstitutionStatus,
} from "../../../src/institutions/institution-placement.ts";
import { memories } from "../../../src/platform/memory.ts";
import { hashSecret } from "../../../src/platform/secrets.ts";
import { refreshDue } from "../../../src/refresh/scheduled.ts";
import { identify } from "../../raw-bank.ts";
import { call, codeRequest, obtainCode, obtainToken, tokenRequest } from "../bank.ts";
import { recordOf } from "../evidence/ledger/records.ts";
import { holdDeadlines } from "../faults/deadlines.ts";
import { failingDatabase } from "../faults/failing-database.ts";
import { FaultyStores } from "../faults/faulty-stores.ts";
import { eidasHeader, loadSandbox, migrateAll } from "../sandbox.ts";

beforeAll(async () => {
  await loadSandbox();
  await migrateAll();
});

const EIDAS = { eidas: eidasHeader("scenario-1") };
const second = () => databaseOf(env, { database: 2 });
const secondDown = () => ({ ...env, DB_2: failingDatabase(second(), () => true, "before") }) as Cloudflare.Env;
const firstDown = (fails: (sql: string) => boolean) => ({ ...env, DB: failingDatabase(env.DB, fails, "before") });

let counter = 0;
function makeBank() {
  const fiReferenceId = `PSDXX-PLACED-${++counter}`;
  const credentials = { clientId: `placed-${counter}`, secret: "secret", fiReferenceId };
  const row = { name: "Bank", fiReferenceId, clientId: credentials.clientId, secretHash: hashSecret("secret"), now: 0 };
  return { reference: fiReferenceId, row: { ...row, database: 2 }, headers: identify(credentials) };
}
async function addBank() {
  const bank = makeBank();
  await addInstitution(env, bank.row);
  return bank;
}
type Row = { id: number; status: string; name: string; accounts_token_seconds: number | null };
const readRow = (db: D1Database, reference: string) =>
  db.prepare("SELECT * FROM financial_institutions WHERE fi_reference_id = ?1").bind(reference).first<Row>();
const faultsOf = async (reference: string) =>
  (await findCopyFaults(env)).faults.filter((fault) => fault.fi_reference_id === reference);
const isTaken = async ({ headers }: { headers: Record<string, string> }) =>
  (await call("GET", "/v1/oauth2/account/a/tokens", { headers })).status;

describe("adding", () => {
  test("writes the row and an equal copy", async () => {
    const { reference, headers } = await addBank();
    expect(await readRow(second(), reference)).toEqual(await readRow(env.DB, reference));
    expect(await faultsOf(reference)).toEqual([]);
    expect(await isTaken({ headers })).toBe(200);
  });

  test("while its database is down leaves it disabled; enabling it afterwards finishes it", async () => {
    const { reference, row, headers } = makeBank();
    await expect(addInstitution(secondDown(), row)).rejects.toThrow(
      /added but disabled \(D1 DB_2: .*: the same fi add/,
    );
    expect(await readRow(env.DB, reference)).toMatchObject({ status: "disabled" });
    expect(await isTaken({ headers })).toBe(401);
    expect(await faultsOf(reference)).toEqual([{ fi_reference_id: reference, binding: "DB_2", fault: "missing" }]);
    expect(await setInstitutionStatus(env, reference, "active")).toEqual({ ok: true });
    expect(await faultsOf(reference)).toEqual([]);
    expect(await isTaken({ headers })).toBe(200);
  });

  test("after the database was set back to before another one: it reads nothing of that one's ledger", async () => {
    const [gone, next] = [makeBank(), makeBank()];
    const added = Date.parse("2030-01-01T00:00:00Z");
    await addInstitution(env, { ...gone.row, database: 1, now: added });
    const headers = { ...gone.headers, ...EIDAS };
    const { id } = await recordOf(await call("GET", "/v1/psp/eidas?jurisdiction=xx", { headers }), gone.reference);
    // as a restore and D1's Time Travel leave it: nobody knows that its id was given
    const { id: given = 0 } = (await readRow(env.DB, gone.reference)) ?? {};
    await removeInstitution(env, given, added);
    await env.DB.prepare("DELETE FROM removed_institutions WHERE fi_id = ?1").bind(given).run();
    await addInstitution(env, { ...next.row, database: 1, now: added + 1_000 });
    expect((await call("GET", `/v1/audit/records/${id}`, { headers: next.headers })).status).toBe(404);
    expect((await call("GET", "/v1/audit/records", { headers: next.headers })).body.data).toEqual([]);
  });

  test("in a database that the deployment does not have writes nothing", async () => {
    const { reference, row } = makeBank();
    await expect(addInstitution(env, { ...row, database: 9 })).rejects.toThrow("no binding DB_9");
    expect(await readRow(env.DB, reference)).toBeNull();
  });
});

test("a database that was set back gives no position of events again", async () => {
  const data = { psp_id: null, before: null, after: null, evidence: [], grants: null };
  /** The positions of two events of a new institution. */
  const tell = async (database: number, now: number) => {
    const { reference, row } = makeBank();
    await addInstitution(env, { ...row, database });
    const db = databaseOf(env, { database });
    const { id: fiId = 0 } = (await readRow(db, reference)) ?? {};
    for (const key of ["1", "2"])
      await db.batch(insertEvent(db, { fiId, type: "source.stale", subject: "register XX", data, key }, null, now));
    return (await listEvents(db, fiId, 0, 9)).map(({ seq }) => seq);
  };
  const now = Date.parse("2030-01-01T00:00:00Z");
  const read = await tell(2, now);
  // knows none of them, as a backup of before
  const told = await tell(3, now + 60_000);
  expect([...read, ...told].map((seq, i, all) => seq > (all[i - 1] ?? 0))).toEqual([true, true, true, true]);
});

describe("disabling", () => {
  test("ends its tokens at once, also where an isolate remembers its credentials", async () => {
    const { reference, headers } = await addBank();
    const code = await obtainCode("a", headers);
    expect(await setInstitutionStatus(env, reference, "disabled")).toEqual({ ok: true });
    const body = tokenRequest(code, "a");
    const refused = await call("POST", "/v1/oauth2/tokens", { headers: { ...headers, ...EIDAS }, body });
    expect([refused.status, refused.body.errors[0].code]).toEqual([401, "credentials_invalid"]);
    expect(await faultsOf(reference)).toEqual([]);
  });

  test("in its own database alone: a redemption says that a store failed, since its credentials are right", async () => {
    const { reference, headers } = await addBank();
    const body = tokenRequest(await obtainCode("a", headers), "a");
    const redeem = () => call("POST", "/v1/oauth2/tokens", { headers: { ...headers, ...EIDAS }, body });
    const setCopy = (status: string) =>
      second()
        .prepare("UPDATE financial_institutions SET status = ?2 WHERE fi_reference_id = ?1")
        .bind(reference, status)
        .run();
    await setCopy("disabled");
    const refused = await redeem();
    expect([refused.status, refused.body.errors[0].title]).toEqual([503, expect.stringContaining("still usable")]);
    await setCopy("active");
    expect((await redeem()).status).toBe(201);
  });

  test("while its database is down refuses its requests, and says that it is to be repeated", async () => {
    const { reference, headers } = await addBank();
    await expect(setInstitutionStatus(secondDown(), reference, "disabled")).rejects.toThrow(
      "its requests are refused within a minute, but DB_2 could not be notified",
    );
    expect(await readRow(env.DB, reference)).toMatchObject({ status: "disabled" });
    expect(await isTaken({ headers })).toBe(401);
    expect(await faultsOf(reference)).toMatchObject([{ fault: "different" }]);
    await setInstitutionStatus(env, reference, "disabled");
    expect(await faultsOf(reference)).toEqual([]);
  });

  test("that fails in the first database has ended its tokens already", async () => {
    const { reference } = await addBank();
    const failing = firstDown((sql) => sql.startsWith("UPDATE"));
    await expect(setInstitutionStatus(failing, reference, "disabled")).rejects.toThrow("D1");
    expect(await readRow(second(), reference)).toMatchObject({ status: "disabled" });
  });

  test("of nobody changes nothing", async () => {
    expect(await setInstitutionStatus(env, "PSDXX-NOBODY", "disabled")).toMatchObject({
      reason: "unknown institution",
    });
  });
});

test("enabling while its database is down changes nothing", async () => {
  const { reference } = await addBank();
  await setInstitutionStatus(env, reference, "disabled");
  await expect(setInstitutionStatus(secondDown(), reference, "active")).rejects.toThrow("D1 DB_2");
  expect(await readRow(env.DB, reference)).toMatchObject({ status: "disabled" });
});

describe("of two changes of the status the later one counts", () => {
  afterEach(() => void vi.restoreAllMocks());
  const statuses = async (reference: string) => [
    (await readRow(env.DB, reference))?.status,
    (await readRow(second(), reference))?.status,
  ];
  const disabled = ["disabled", "disabled"];

  test.each([
    ["the copy", /^DB_2 run/],
    ["the row", /^DB batch UPDATE/],
  ])("an enabling of which %s is written late does not undo a disabling", async (_, held) => {
    holdDeadlines();
    const { reference } = await addBank();
    await setInstitutionStatus(env, reference, "disabled");
    const rehearsed = new FaultyStores(env);
    expect(await setInstitutionStatus(rehearsed.env, reference, "active")).toEqual({ ok: true });
    await setInstitutionStatus(env, reference, "disabled");
    const at = rehearsed.calls.findIndex((call) => held.test(call)) + 1;
    const stores = new FaultyStores(env, "latest", at);
    await expect(setInstitutionStatus(stores.env, reference, "active")).rejects.toThrow("no answer");
    expect(await setInstitutionStatus(env, reference, "disabled")).toEqual({ ok: true });
    expect(await statuses(reference)).toEqual(disabled);
    await stores.arrive();
    expect(await statuses(reference)).toEqual(disabled);
    // and whoever enables it then, enables it
    expect(await setInstitutionStatus(env, reference, "active")).toEqual({ ok: true });
    expect(await statuses(reference)).toEqual(["active", "active"]);
    expect(await faultsOf(reference)).toEqual([]);
  });

  test("an enabling and a disabling at once leave it disabled in both databases", async () => {
    const { reference } = await addBank();
    await setInstitutionStatus(env, reference, "disabled");
    const both = (["active", "disabled"] as const).map((status) => setInstitutionStatus(env, reference, status));
    expect((await Promise.all(both))[1]).toEqual({ ok: true });
    expect(await statuses(reference)).toEqual(disabled);
  });

  test("a name that is set beside it does not bring back the status of before in the copy", async () => {
    const { reference } = await addBank();
    const stores = new FaultyStores(env, null, 0, async (carryOut) => {
      if (stores.calls.at(-1)?.startsWith("DB_2")) await setInstitutionStatus(env, reference, "disabled");
      return await carryOut();
    });
    await changeInstitution(stores.env, reference, { name: "New" });
    expect(await statuses(reference)).toEqual(disabled);
    expect(await readRow(second(), reference)).toMatchObject({ name: "New" });
    expect(await faultsOf(reference)).toEqual([]);
  });
});

test("its name, lifetimes and choice reach the copy, by which its tokens are made", async () => {
  const { reference, headers } = await addBank();
  const changes = { name: "New", tokenSeconds: { accounts: 7_200 }, bankPassports: "accept" } as const;
  await changeInstitution(env, reference, changes);
  expect(await readRow(second(), reference)).toMatchObject({
    ...{ name: "New", accounts_token_seconds: 7_200, bank_passports: "accept" },
  });
  const body = tokenRequest(await obtainCode("a", headers), "a");
  const answer = await call("POST", "/v1/oauth2/tokens", { headers: { ...headers, ...EIDAS }, body });
  expect(answer.body.data.expires_in).toBe(7_200);
  await expect(changeInstitution(secondDown(), reference, { name: "Newer" })).rejects.toThrow(
    /it is changed, and its copy.* is not \(D1 DB_2: .*: run it again/,
  );
  expect(await faultsOf(reference)).toMatchObject([{ fault: "different" }]);
  await changeInstitution(env, reference, { name: "Newer" });
  expect(await faultsOf(reference)).toEqual([]);
});

test("a copy that is nobody's, and an institution whose database is not bound, are found", async () => {
  const { reference } = await addBank();
  await env.DB.prepare("UPDATE financial_institutions SET database = 8 WHERE fi_reference_id = ?1")
    .bind(reference)
    .run();
  expect(await faultsOf(reference)).toEqual([
    { fi_reference_id: reference, binding: "DB_2", fault: "orphaned" },
    { fi_reference_id: reference, binding: "DB_8", fault: "no binding" },
  ]);
  const { unreachable } = await findCopyFaults(secondDown());
  expect(unreachable).toEqual(["DB_2"]);
});

describe("removing", () => {
  const countRows = async (db: D1Database, id: number) =>
    await db.prepare("SELECT count(*) AS n FROM tokens WHERE fi_id = ?1").bind(id).first<number>("n");

  test("takes its rows and the copy, and nothing of another in the same database", async () => {
    const [bank, other] = [await addBank(), await addBank()];
    await obtainToken("a", bank.headers);
    await obtainToken("a", other.headers);
    const [id, otherId] = [
      (await readRow(env.DB, bank.reference))?.id ?? 0,
      (await readRow(env.DB, other.reference))?.id ?? 0,
    ];
    await removeInstitution(env, id, Date.now());
    for (const db of [env.DB, second()]) expect(await readRow(db, bank.reference)).toBeNull();
    expect([await countRows(second(), id), await countRows(second(), otherId)]).toEqual([0, 1]);
    // its reference may come back, with another id
    await addInstitution(env, { ...bank.row, clientId: "again" });
    expect(await faultsOf(bank.reference)).toEqual([]);
  });

  test("while its database is down changes nothing", async () => {
    const bank = await addBank();
    const { id = 0 } = (await readRow(env.DB, bank.reference)) ?? {};
    await expect(removeInstitution(secondDown(), id, Date.now())).rejects.toThrow("D1_ERROR");
    expect(await readRow(env.DB, bank.reference)).toMatchObject({ status: "active" });
    expect(await isTaken(bank)).toBe(200);
  });
});

describe("what runs over all databases", () => {
  beforeEach(() => void vi.spyOn(console, "log").mockImplementation(() => {}));
  const KID = "20990101T000000Z";

  test("a key is in use where a token of it lives, and nobody knows while a database is down", async () => {
    const before = (await countLiveTokens(env, Date.now())).get(KID) ?? 0;
    const { headers } = await addBank();
    await obtainToken("key", headers);
    await obtainToken("key");
    expect((await countLiveTokens(env, Date.now())).get(KID)).toBe(before + 2);
    const use = await readKeyUse(env, [KID], KID, Date.now());
    expect(use.accessTokens).toBe(before + 2);
    await expect(countLiveTokens(secondDown(), Date.now())).rejects.toThrow("D1 DB_2");
    await expect(readKeyUse(secondDown(), [KID], KID, Date.now())).rejects.toThrow("D1 DB_2");
  });

  test("the list of institutions counts the tokens of each in its own, and says where it cannot", async () => {
    const { reference, headers } = await addBank();
    await obtainToken("a", headers);
    const find = async (bindings: Cloudflare.Env) =>
      (await listInstitutions(bindings, Date.now())).find((fi) => fi.fi_reference_id === reference);
    expect(await find(env)).toMatchObject({ database: 2, live_tokens: 1 });
    expect(await find(secondDown())).toMatchObject({ database: 2, live_tokens: null });
  });

  test("retention deletes in each; one that is down is named, and does not keep the others from it", async () => {
    const DAY = 86_400_000;
    const { headers } = await addBank();
    const old = async () => {
      await obtainToken("old", headers);
      await obtainToken("old");
    };
    const count = async (db: D1Database) => await db.prepare("SELECT count(*) AS n FROM tokens").first<number>("n");
    await old();
    const later = Date.now() + 2_000 * DAY;
    const run = async (bindings: Cloudflare.Env) => {
      await env.DB.prepare("DELETE FROM refreshes").run();
      // only what is due: the sources are not asked
      await env.DB.prepare(
        "INSERT INTO refreshes (task, due_at) VALUES ('retention', 0), ('crl', 8e15), ('register/eba', 8e15), ('trust/eIDAS/EU', 8e15)",
      ).run();
      return (await refreshDue(bindings, () => later)).find(({ task }) => task === "retention");
    };
    expect(await run(secondDown())).toMatchObject({ ok: false, message: expect.stringContaining("DB_2") });
    expect([await count(env.DB), (await count(second())) ?? 0]).toEqual([0, expect.any(Number)]);
    expect(await count(second())).toBeGreaterThan(0);
    expect(await run(env)).toMatchObject({ ok: true, summary: expect.stringContaining("in DB_2") });
    expect(await count(second())).toBe(0);
  });
});

test("/health is degraded while a database beside the first is down, and up again", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const health = async (bindings: Cloudflare.Env) => {
    // it keeps its answer for ten seconds
    memories.get("health")?.delete("");
    const { status, body } = await call("GET", "/health", { env: bindings });
    return [status, body.status, body.reasons];
  };
  const [, up, reasons] = await health(env);
  expect(await health(secondDown())).toEqual([200, "degraded", [...reasons, "store_unreachable"]]);
  expect(await health(env)).toEqual([200, up, reasons]);
});

test("a code of the core flow needs the block's database before it is issued", async () => {
  const { headers } = await addBank();
  const answer = await call("POST", "/v1/oauth2/authorization_codes", {
    headers: { ...headers, ...EIDAS },
    body: codeRequest(),
    env: secondDown(),
  });
  expect(answer.status).toBe(503);
});
