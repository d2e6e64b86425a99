/** How records travel: together, behind the answer, again after a failure; and before the answer where that is required. */
import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { checkChain } from "../../../../src/evidence/ledger/chain.ts";
import type { LedgerEntry } from "../../../../src/evidence/ledger/record.ts";
import { record, recordNow, waitingRecords } from "../../../../src/evidence/ledger/recorder.ts";
import { type WaitingRecord, WaitingRecords } from "../../../../src/evidence/ledger/waiting-records.ts";
import { heapBytes } from "../../../../src/platform/memory.ts";
import { call, codeRequest, codesOf, tokenRequest } from "../../bank.ts";
import { countRoundTrips } from "../../bindings.ts";
import { holdDeadlines, passDeadline } from "../../faults/deadlines.ts";
import { failingDatabase } from "../../faults/failing-database.ts";
import { eidasHeader, loadSandbox, OTHER_FI } from "../../sandbox.ts";
import { makeEntry, NOON } from "./made-entries.ts";
import { idOf, ledgerOfBank, recordOf } from "./records.ts";
import { startVirtualTime } from "./virtual-time.ts";

beforeAll(loadSandbox);
afterEach(() => void vi.restoreAllMocks());

const EIDAS = { eidas: eidasHeader("scenario-1") };
const CHECK = "/v1/psp/eidas?jurisdiction=xx";
const check = (bindings: Cloudflare.Env = env) => call("GET", CHECK, { headers: EIDAS, env: bindings });

type Append = (fiId: number, entries: readonly LedgerEntry[], again: boolean) => Promise<{ seq: number }>;
/** The ledgers, with appends of our own; `appends` are those that were tried. */
function played(append: (real: Append, attempt: number, ...given: Parameters<Append>) => ReturnType<Append>) {
  const appends: { readonly records: number; readonly again: boolean }[] = [];
  const LEDGER = {
    getByName: (name: string) => {
      const stub = env.LEDGER.getByName(name);
      return {
        append: (...given: Parameters<Append>) => {
          appends.push({ records: given[1].length, again: given[2] });
          return append((...sent) => stub.append(...sent), appends.length, ...given);
        },
      };
    },
  };
  return { appends, bindings: { ...env, LEDGER } as unknown as Cloudflare.Env };
}
const through = () => played((real, _, ...given) => real(...given));
const events = (logged: { readonly mock: { readonly calls: readonly (readonly unknown[])[] } }) =>
  logged.mock.calls.map(([line]) => JSON.parse(String(line)).event);
const idle = () => vi.waitUntil(() => waitingRecords.queues === 0, { timeout: 60_000 });

describe("behind the answer", () => {
  test("a check awaits no ledger: it is answered before that answers", async () => {
    await idle();
    const held = Promise.withResolvers<void>();
    const { appends, bindings } = played(async (real, _, ...given) => {
      await held.promise;
      return real(...given);
    });
    const answer = await check(bindings);
    expect(answer.status).toBe(200);
    await vi.waitUntil(() => appends.length > 0);
    expect(waitingRecords.size).toBe(1);
    held.resolve();
    expect((await recordOf(answer)).outcome).toBe("ok");
  });

  test("what is recorded while an append is under way travels in the next one", async () => {
    await idle();
    const { appends, bindings } = through();
    const answers = await Promise.all(Array.from({ length: 40 }, () => check(bindings)));
    await Promise.all(answers.map((answer) => recordOf(answer)));
    expect(appends.reduce((sum, { records }) => sum + records, 0)).toBe(40);
    expect(appends.length).toBeLessThanOrEqual(4);
  });

  test.each<[string, (real: () => Promise<{ seq: number }>) => Promise<{ seq: number }>]>([
    ["does not arrive", () => Promise.reject(new Error("the object is gone"))],
    ["arrives, and its answer does not", (real) => real().then(() => Promise.reject(new Error("the object is gone")))],
  ])("an append that %s is repeated, and its record is kept once", async (_, fail) => {
    await idle();
    const before = (await (await ledgerOfBank()).state()).seq;
    const { appends, bindings } = played((real, attempt, ...given) =>
      attempt < 3 ? fail(() => real(...given)) : real(...given),
    );
    const answer = await check(bindings);
    expect((await recordOf(answer)).seq).toBe(before + 1);
    await idle();
    expect(appends).toEqual([
      { records: 1, again: false },
      { records: 1, again: true },
      { records: 1, again: true },
    ]);
    const { texts } = await (await ledgerOfBank()).range(1, Number.MAX_SAFE_INTEGER);
    expect(checkChain(texts)).toMatchObject({ ok: true, end: { seq: before + 1 } });
  });

  test("while the keys of accounts cannot be read, a record has no tag, and the log says so", async () => {
    await idle();
    const logged = vi.spyOn(console, "error").mockImplementation(() => {});
    const fi = { id: await idOf(OTHER_FI.fi_reference_id), fiReferenceId: "PSDXX-TEST-FI0002", database: 99 };
    const entry = makeEntry(Date.now(), { fi: fi.fiReferenceId });
    const made = { entry, accountId: "an-account" };
    record(env, createExecutionContext(), fi, made, Date.now());
    expect(await recordOf({ headers: new Headers({ "x-evidence-id": entry.id }) }, fi.fiReferenceId)).toMatchObject({
      account: null,
    });
    expect(logged.mock.calls.map(([line]) => JSON.parse(line).event)).toContain("account_not_tagged");
    expect(JSON.stringify(logged.mock.calls)).not.toContain("an-account");
  });
});

describe("an append without an answer", () => {
  const never = () => new Promise<never>(() => {});
  let institutions = 990_000;
  /** An institution of its own, whose records are made at the virtual present. */
  async function start(append: Parameters<typeof played>[0]) {
    await idle();
    let asked = 0;
    const { appends, bindings } = played((real, ...given) =>
      append(
        (...sent) => {
          asked++;
          return real(...sent).finally(() => void asked--);
        },
        ...given,
      ),
    );
    const time = startVirtualTime(NOON, () => asked > 0);
    const fi = { id: ++institutions, fiReferenceId: "PSDXX-TEST-FI0001", database: 1 };
    const ids: string[] = [];
    const ctx = { waitUntil: () => {} };
    const makeOne = () => {
      const entry = makeEntry(time.now());
      ids.push(entry.id);
      return { entry, accountId: null };
    };
    const make = () => record(bindings, ctx, fi, makeOne(), time.now());
    /** As of an institution that requires it. */
    const makeNow = () => recordNow(bindings, ctx, fi, makeOne());
    /** Each record once, in the order in which they were made; one whose answer was withheld comes later. */
    const expectKept = async (order: (ids: readonly string[]) => readonly string[] = (ids) => ids) => {
      const { texts } = await env.LEDGER.getByName(String(fi.id)).range(1, Number.MAX_SAFE_INTEGER);
      expect(texts.map((text: string) => JSON.parse(text).id)).toEqual(order(ids));
      expect([waitingRecords.size, waitingRecords.bytes]).toEqual([0, 0]);
    };
    return { appends, time, make, makeNow, expectKept };
  }

  test("is not known to have arrived after 5 s: it is sent again, and its record is kept once", async () => {
    const { appends, time, make, expectKept } = await start(async (real, attempt, ...given) => {
      const kept = await real(...given);
      return attempt === 1 ? await never() : kept;
    });
    make();
    await time.pass(4_999);
    make();
    expect([appends, waitingRecords.size]).toEqual([[{ records: 1, again: false }], 2]);
    // the end of the 5 s, then the first pause
    await time.pass(101);
    expect(appends.slice(1)).toEqual([{ records: 1, again: true }]);
    await time.pass(50);
    expect(appends.slice(2)).toEqual([{ records: 1, again: false }]);
    await expectKept();
    await time.pass(50);
    expect(waitingRecords.queues).toBe(0);
  });

  test("of a request that the platform has ended is taken over by the next request after 15 s", async () => {
    const held = Promise.withResolvers<{ seq: number }>();
    const { appends, time, make, expectKept } = await start((real, attempt, ...given) =>
      attempt === 1 ? held.promise : real(...given),
    );
    make();
    await time.pass(0);
    time.endRequests();
    await time.pass(14_999);
    make();
    await time.pass(0);
    expect([appends, waitingRecords.size]).toEqual([[{ records: 1, again: false }], 2]);
    await time.pass(1);
    make();
    await time.pass(100);
    expect(appends.slice(1)).toEqual([
      { records: 1, again: true },
      { records: 2, again: false },
    ]);
    await expectKept();
    // that of the first request after all: nothing is counted twice
    held.resolve({ seq: 1 });
    await time.pass(100);
    await expectKept();
  });

  test("is taken over although the isolate's clock has jumped back an hour", async () => {
    const { appends, time, make, expectKept } = await start((real, attempt, ...given) =>
      attempt === 1 ? never() : real(...given),
    );
    make();
    await time.pass(0);
    time.endRequests();
    time.jump(-3_600_000);
    make();
    await time.pass(100);
    expect(appends.slice(1)).toEqual([
      { records: 1, again: true },
      { records: 1, again: false },
    ]);
    await expectKept();
  });

  test("of a request that is still at work is not sent again by the one that takes over", async () => {
    const held = Promise.withResolvers<void>();
    const { appends, time, make, expectKept } = await start(async (real, _, ...given) => {
      if (time.now() < NOON + 13_000) throw new Error("the object is gone");
      if (time.now() < NOON + 15_000) await held.promise;
      return await real(...given);
    });
    make();
    await time.pass(15_000);
    const before = appends.length;
    make();
    await time.pass(1_000);
    expect(appends.length).toBe(before);
    held.resolve();
    await time.pass(100);
    expect(appends.slice(before)).toEqual([{ records: 1, again: false }]);
    await expectKept();
  });

  test("of a record whose answer was withheld is taken up by the next request, also by one whose own record is kept at once", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    let isThere = false;
    const { time, makeNow, expectKept } = await start(async (real, _, ...given) => {
      if (!isThere) throw new Error("the object is gone");
      return await real(...given);
    });
    const refused = makeNow();
    await time.pass(1_000);
    expect(await refused).toBe(false);
    await time.pass(3_600_000);
    expect(waitingRecords.size).toBe(1);
    isThere = true;
    const kept = makeNow();
    await time.pass(100);
    expect(await kept).toBe(true);
    await expectKept((ids) => ids.toReversed());
  });

  test("leaves what waits to the next request, which the log says, before the platform ends its own after 30 s", async () => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => {});
    let isThere = false;
    const { appends, time, make, expectKept } = await start(async (real, _, ...given) => {
      if (!isThere) throw new Error("the object is gone");
      return await real(...given);
    });
    make();
    await time.pass(1_000);
    make();
    await time.pass(29_000);
    expect(logged.mock.calls.map(([line]) => JSON.parse(line))).toMatchObject([
      { event: "record_waiting", records: 2, reason: expect.stringContaining("the object is gone") },
    ]);
    const before = appends.length;
    isThere = true;
    await time.pass(3_600_000);
    expect(appends.length).toBe(before);
    make();
    await time.pass(100);
    expect(appends.slice(before)).toEqual([
      { records: 1, again: true },
      { records: 2, again: false },
    ]);
    await expectKept();
  });
});

describe("what waits is bounded", () => {
  const made = (i: number) => ({ entry: { ...makeEntry(NOON), id: `${i}` }, accountId: null });
  const BYTES = heapBytes(made(0));
  const idOfOne = ({ entry }: WaitingRecord) => entry.id;

  test("an institution whose ledger does not answer takes the room of no other", () => {
    const waiting = new WaitingRecords(4 * BYTES);
    for (let i = 0; i < 10; i++) waiting.add(1, made(i));
    expect(waiting.queueOf(1).waiting[0]?.record.entry.id).toBe("6");
    expect(waiting.add(2, made(0)).map(idOfOne)).toEqual(["6"]);
    expect(waiting.queueOf(2).waiting).toHaveLength(1);
    expect(waiting.bytes).toBe(4 * BYTES);
  });

  test("the oldest of the institution goes that has most", () => {
    const waiting = new WaitingRecords(4 * BYTES);
    waiting.add(1, made(0));
    const lost = Array.from({ length: 9 }, (_, i) => waiting.add(2, made(i + 1))).flat();
    expect(lost.map(idOfOne)).toEqual(["1", "2", "3", "4", "5", "6"]);
    expect(waiting.bytes).toBe(4 * BYTES);
    expect(waiting.queueOf(1).waiting).toHaveLength(1);
  });

  test("of what is sent nothing goes", () => {
    const waiting = new WaitingRecords(2 * BYTES);
    waiting.add(1, made(0));
    waiting.add(1, made(1));
    const queue = waiting.queueOf(1);
    const sending = waiting.take(queue, { records: 10, bytes: 4 * BYTES }, NOON);
    expect(waiting.add(1, made(2)).map(idOfOne)).toEqual(["2"]);
    if (sending) waiting.confirm(queue, sending);
    expect([waiting.size, waiting.bytes]).toEqual([0, 0]);
    expect(waiting.add(1, made(3))).toEqual([]);
  });

  test("one append takes so many records, and so much of the heap, but always one", () => {
    const waiting = new WaitingRecords(100 * BYTES);
    for (let i = 0; i < 5; i++) waiting.add(1, made(i));
    const queue = waiting.queueOf(1);
    const take = (records: number, bytes: number) =>
      waiting.take(queue, { records, bytes }, NOON)?.records.map(idOfOne);
    expect(take(2, 100 * BYTES)).toEqual(["0", "1"]);
    expect(take(10, 2 * BYTES)).toEqual(["2", "3"]);
    expect(take(10, 1)).toEqual(["4"]);
    expect(take(10, 1)).toBeUndefined();
  });
});

describe("ledger: required", () => {
  // no request of theirs was answered before, so the isolate does not remember them otherwise
  beforeAll(async () => {
    const set = "UPDATE financial_institutions SET ledger_required = 1 WHERE fi_reference_id = ?1";
    await env.DB.prepare(set).bind(OTHER_FI.fi_reference_id).run();
  });
  const headers = { ...OTHER_FI, ...EIDAS };
  const askCheck = (bindings: Cloudflare.Env = env) => call("GET", CHECK, { headers, env: bindings });
  const askCode = (account: string, bindings: Cloudflare.Env = env) =>
    call("POST", "/v1/oauth2/authorization_codes", { headers, body: codeRequest({}, account), env: bindings });
  /** Ledgers of which `fail` says how they do not answer, until they come back; then all that waited is appended. */
  function silent(fail = (): Promise<never> => Promise.reject(new Error("the object is gone"))) {
    let isThere = false;
    const { bindings } = played((real, _, ...given) => (isThere ? real(...given) : fail()));
    const comeBack = async () => {
      isThere = true;
      await idle();
    };
    return { bindings, comeBack };
  }

  test("the answer leaves when its record is kept: one round trip more", async () => {
    await askCheck();
    const { env: counted, trips } = countRoundTrips(env, { ledger: true });
    const answer = await askCheck(counted);
    expect([answer.status, trips.sequence]).toEqual([200, [["LEDGER"]]]);
    const ledger = await ledgerOfBank(OTHER_FI.fi_reference_id);
    expect(await ledger.find(answer.headers.get("x-evidence-id") ?? "")).toContain('"event":"psp.checked"');
  });

  test("a code for an account that is new: its key is made first", async () => {
    const { env: counted, trips } = countRoundTrips(env, { ledger: true });
    const answer = await askCode("required-account", counted);
    expect([answer.status, trips.sequence.slice(1)]).toEqual([201, [["DB"], ["DB"], ["LEDGER"]]]);
  });

  test("503 when it cannot be kept; it says what may have been done, and gives nothing away", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const { bindings, comeBack } = silent();
    const checked = await askCheck(bindings);
    expect([checked.status, codesOf(checked)]).toEqual([503, ["temporarily_unavailable"]]);
    expect(checked.body.errors[0].title).toMatch(/^The answer is withheld, .*: nothing was changed/);
    const issued = await askCode("withheld", bindings);
    expect([issued.status, Object.keys(issued.body), codesOf(issued)]).toEqual([503, ["errors"], ["answer_withheld"]]);
    expect(issued.body.errors[0].title).toMatch(/what was asked for may have been done/);
    const body = { checks: [{ eIDAS: eidasHeader("scenario-1"), jurisdictions: ["XX"] }] };
    const many = await call("POST", "/v1/psp/checks", { headers: OTHER_FI, body, env: bindings });
    expect([many.status, codesOf(many), many.body.errors[0].title]).toEqual([
      ...[503, ["temporarily_unavailable"]],
      checked.body.errors[0].title,
    ]);
    // a client library that sees one sends the request again by itself
    expect([checked, issued].map(({ headers }) => headers.get("Retry-After"))).toEqual(["1", null]);
    await comeBack();
  });

  test("keys of accounts that D1 never answers for hold no answer: its record has no tag", async () => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => {});
    await askCode("z-held");
    holdDeadlines();
    const silent = failingDatabase(env.DB, (sql) => sql.includes("account_keys"), "never");
    const issued = await askCode("z-held", { ...env, DB: silent });
    expect(issued.status).toBe(201);
    expect(await recordOf(issued, OTHER_FI.fi_reference_id)).toMatchObject({ event: "code.issue", account: null });
    expect(logged.mock.calls.join()).toContain("account_not_tagged");
  });

  test("a ledger that never answers is asked once: the bank's customer waits", async () => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => {});
    holdDeadlines();
    const { bindings, comeBack } = silent(passDeadline);
    expect((await askCheck(bindings)).status).toBe(503);
    expect(events(logged).filter((event) => event === "record_refused")).toHaveLength(1);
    await comeBack();
  });

  // the nine acts of the issue; a check is one, too
  test("what was done and answered 503 while the ledger was silent is in it afterwards, each act once, as withheld", async () => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => {});
    const { bindings, comeBack } = silent();
    const answers = [await askCheck(bindings)];
    for (let i = 0; i < 8; i++) answers.push(await askCode(`silent-${i}`, bindings));
    expect(answers.map(({ status }) => status)).toEqual(Array(9).fill(503));
    await comeBack();
    for (const answer of answers) {
      const record = await recordOf(answer, OTHER_FI.fi_reference_id);
      expect([record.status, record.outcome, record.withheld]).toEqual([
        record.event === "psp.checked" ? 200 : 201,
        "ok",
        true,
      ]);
    }
    const ledger = await ledgerOfBank(OTHER_FI.fi_reference_id);
    const { texts } = await ledger.range(1, Number.MAX_SAFE_INTEGER);
    const ids = answers.map(({ headers }) => headers.get("x-evidence-id") ?? "");
    expect(ids.map((id) => texts.filter((text: string) => JSON.parse(text).id === id).length)).toEqual(
      Array(9).fill(1),
    );
    expect(checkChain(texts)).toMatchObject({ ok: true });
    // one line for each attempt before an answer
    expect(events(logged).filter((event) => event === "record_refused")).toHaveLength(27);
  });

  test("an append that arrived, and its answer did not, leaves one record, which does not know that its answer was withheld", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const { appends, bindings } = played(async (real, attempt, ...given) => {
      const kept = await real(...given);
      if (attempt < 4) throw new Error("the object is gone");
      return kept;
    });
    const answer = await askCode("arrived", bindings);
    expect(answer.status).toBe(503);
    await idle();
    const { texts } = await (await ledgerOfBank(OTHER_FI.fi_reference_id)).range(1, Number.MAX_SAFE_INTEGER);
    const id = answer.headers.get("x-evidence-id");
    const records = texts.map((text: string) => JSON.parse(text)).filter((record: { id: string }) => record.id === id);
    expect(records).toMatchObject([{ status: 201 }]);
    expect(records[0].withheld).toBeUndefined();
    expect(appends).toEqual(Array(4).fill({ records: 1, again: true }));
  });

  test("503 also where the deployment keeps no records at all", async () => {
    const checked = await askCheck({ ...env, LEDGER_RECORDS: "off" });
    expect([checked.status, codesOf(checked)]).toEqual([503, ["temporarily_unavailable"]]);
  });

  test("a redemption whose answer is withheld has used its code", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const { code } = (await askCode("withheld")).body.data.redirect_uri.parameters;
    const redeem = (bindings: Cloudflare.Env) =>
      call("POST", "/v1/oauth2/tokens", { headers, body: tokenRequest(code, "withheld"), env: bindings });
    const { bindings, comeBack } = silent();
    expect((await redeem(bindings)).status).toBe(503);
    await comeBack();
    const again = await redeem(env);
    expect([again.status, codesOf(again)]).toEqual([403, ["code_used"]]);
  });
});
