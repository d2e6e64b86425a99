import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { describeEvent, type WrittenEvent } from "../../../src/events/event.ts";
import { listEvents } from "../../../src/events/event-log.ts";
import { storeShownCertificate } from "../../../src/events/issuers.ts";
import { addNotice, type Notice } from "../../../src/events/notices.ts";
import type { UnderWay } from "../../../src/events/observations.ts";
import { observeGrant } from "../../../src/events/observations.ts";
import { readHomeRegister, readStanding } from "../../../src/events/standing.ts";
import { sweepSome } from "../../../src/events/sweep.ts";
import { insertWatch } from "../../../src/events/watches.ts";
import { setInstitutionStatus } from "../../../src/institutions/institution-placement.ts";
import { runEvents } from "../../../src/refresh/events.ts";
import { recordSuccess } from "../../../src/refresh/refreshes.ts";
import { type StepResult, trustTask } from "../../../src/refresh/schedule.ts";
import { importRegister } from "../../../src/registers/import/import-register.ts";
import { listRegisters } from "../../../src/registers/manifest.ts";
import { AgentRoll } from "../../../src/registers/register.ts";
import { findAnchors } from "../../../src/trust/anchors.ts";
import { importTrustList } from "../../../src/trust/trust-import.ts";
import { breakingAt } from "../../kv-writes.ts";
import { countRoundTrips } from "../bindings.ts";
import { eidasHeader } from "../sandbox.ts";
import { checkForm } from "./changing-world.ts";
import { addInstitution, addPermission, loadRegister, type MadePsp, pspId } from "./made-registers.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
let now = Date.parse("2026-11-20T12:00:00Z");
let state: unknown = {};

/** The deployment without a queue: what is delivered is tried elsewhere. */
const alone = Object.fromEntries(
  Object.entries(env).filter(([name]) => !name.startsWith("DB_") && name !== "EVENTS"),
) as typeof env;
const limits = { maxWrites: 500, maxListBytes: 0 };

/** One run of the schedule. */
async function run(bindings = alone): Promise<StepResult> {
  const result = await runEvents({ env: bindings, stepState: state, now, ...limits });
  state = result.stepState ?? state;
  return result;
}

/** Runs, a minute apart, until there is nothing to do, and what was recorded before is settled. */
async function runAll(): Promise<void> {
  for (let quiet = 0; quiet <= 3; now += MINUTE) {
    const result = await run();
    if (!result.ok) throw new Error(result.message);
    quiet = result.quiet === true ? quiet + 1 : 0;
  }
}

/** Runs until the next one looks at what is recorded now. */
async function settle(): Promise<void> {
  for (let i = 0; i < 3; i++, now += MINUTE) expect(await run()).toMatchObject({ quiet: true });
}

/** What was told since. */
const read = new Map<number, number>();
async function told(fiId: number): Promise<WrittenEvent[]> {
  const events = await listEvents(env.DB, fiId, read.get(fiId) ?? 0, 100);
  read.set(fiId, events.at(-1)?.seq ?? read.get(fiId) ?? 0);
  // of certificates some tests here make the news themselves
  checkForm(events.map(describeEvent).filter(({ type }) => ["psp.status_changed", "source.stale"].includes(type)));
  return events.map(describeEvent);
}

async function load(psps: readonly MadePsp[]): Promise<void> {
  await loadRegister(psps, now);
  await runAll();
}

test("an institution is told what changed of the PSPs that it watches or that have live grants there", async () => {
  const [watching, granting, neither] = [
    await addInstitution("PSDXX-TEST-FIW"),
    await addInstitution("PSDXX-TEST-FIG"),
    await addInstitution("PSDXX-TEST-FIN"),
  ];
  const all = [1, 2, 3].map((number) => ({ number }));
  await insertWatch(env.DB, watching, pspId(1), null, now);
  await addPermission(granting, pspId(1), now + 30 * DAY, "a");
  await addPermission(granting, pspId(1), now - DAY, "b");
  await addPermission(neither, pspId(1), now - DAY, "c");
  await addPermission(granting, pspId(2), now + 30 * DAY, "d");
  await load(all);
  expect([await told(watching), await told(granting), await told(neither)]).toEqual([[], [], []]);

  await load([{ number: 1, status: "Withdrawn" }, { number: 2, passportOut: { FI: [8] } }, { number: 3 }]);
  const [event] = await told(watching);
  const categories = (status: string) => [
    { category: "Payment Institution", status, payment_services: [7, 8], passports: {} },
  ];
  expect(event).toMatchObject({
    type: "psp.status_changed",
    data: {
      psp_id: pspId(1),
      before: { ambiguous: false, categories: categories("Authorised") },
      after: { ambiguous: false, categories: categories("Withdrawn") },
      // the snapshot that GET /status and a check's evidence have
      evidence: [{ document: "register XX nca", sha256: (await listRegisters(env.KV))[0]?.hash }],
      grants: { tokens: 0, consents: 0 },
    },
  });
  const others = await told(granting);
  expect(others.map(({ data }) => [data.psp_id, data.grants])).toEqual([
    [pspId(1), { tokens: 1, consents: 0 }],
    [pspId(2), { tokens: 1, consents: 0 }],
  ]);
  expect(others[1]?.data.after).toMatchObject({ categories: [{ passports: { FI: [8] } }] });
  expect(await told(neither)).toEqual([]);

  // to and fro is told each time; the same again is not
  await load(all);
  await load(all);
  await load([{ number: 1, status: "Withdrawn" }, { number: 3 }]);
  expect((await told(watching)).map(({ data }) => (data.after as typeof data & { categories: [] }).categories)).toEqual(
    [categories("Authorised"), categories("Withdrawn")],
  );
  // one that the register no longer has
  expect((await told(granting)).at(-1)?.data).toMatchObject({ psp_id: pspId(2), after: { categories: [] } });
});

test("a payment order that a customer has authorised is a live consent before it gives its token", async () => {
  const fiId = await addInstitution("PSDXX-TEST-FIP");
  const insert = env.DB.prepare(
    `INSERT INTO payment_order_consents
      (id, fi_id, psp_id, status, created_at, status_updated_at, initiation, account_id, granted_at)
     VALUES (?1, ?2, ?3, ?4, 0, 0, '{}', ?5, 0)`,
  );
  const order = (id: string, number: number, account: string | null) =>
    insert.bind(id, fiId, pspId(number), account === null ? "AwaitingAuthorisation" : "Authorised", account);
  await env.DB.batch([order("p1", 11, "account"), order("p2", 12, null)]);
  await load([{ number: 11 }, { number: 12 }]);
  await load([11, 12].map((number) => ({ number, services: [8] })));
  expect((await told(fiId)).map(({ data }) => [data.psp_id, data.grants])).toEqual([
    [pspId(11), { tokens: 0, consents: 1 }],
  ]);
});

test("a live permission that is older than all that are counted is an interest", async () => {
  const fiId = await addInstitution("PSDXX-TEST-FIO");
  await addPermission(fiId, pspId(13), now + 30 * DAY, "old");
  await env.DB.prepare(
    `WITH RECURSIVE counted (i) AS (SELECT 10000 UNION ALL SELECT i + 1 FROM counted WHERE i < 14999)
     INSERT INTO core_permissions
       (id, fi_id, account_id, psp_id, scope, granted_at, last_token_at, valid_until, ends_at, ended_by)
     SELECT 'old-' || i, ?1, 'account', ?2, 'payments', 0, 0, 1, 1, NULL FROM counted`,
  )
    .bind(fiId, pspId(13))
    .run();
  await load([{ number: 13 }]);
  await load([{ number: 13, services: [8] }]);
  expect((await told(fiId)).map(({ type, data }) => [type, data.grants])).toEqual([
    ["psp.status_changed", { tokens: 0, consents: 0 }],
  ]);
});

test("what KV shows as it was before is compared with nothing, though another source led to a look, and told when it has settled", async () => {
  const fiId = await addInstitution("PSDXX-TEST-FIK");
  await insertWatch(env.DB, fiId, pspId(5), null, now);
  await load([{ number: 5 }]);
  const { keys } = await env.KV.list({ prefix: "register/XX/nca/psp/" });
  const names = keys.map(({ name }) => name);
  const before = await env.KV.get(names, "json");
  await recordSuccess(env.DB, trustTask("eIDAS", "XX"), {}, now);
  for (let i = 0; i < 3; i++, now += MINUTE) {
    if (i === 2) await loadRegister([{ number: 5, services: [8] }], now);
    expect(await run()).toMatchObject({ quiet: true });
  }
  const KV = new Proxy(env.KV, {
    get: (kv, name) => {
      const value: unknown = Reflect.get(kv, name, kv);
      if (name !== "get") return typeof value === "function" ? value.bind(kv) : value;
      return async (asked: string | string[], type: "json") => {
        if (typeof asked === "string") return await kv.get(asked, type);
        const found = await kv.get(asked, type);
        return new Map([...found].map(([key, value]) => [key, before.get(key) ?? value]));
      };
    },
  });
  // a watch that has seen it elsewhere would be told that it was taken back
  expect(await run({ ...alone, KV })).toMatchObject({ ok: true, summary: "nothing to tell" });
  now += MINUTE;
  await runAll();
  expect((await told(fiId)).map(({ type }) => type)).toEqual(["psp.status_changed"]);
});

test("what a clock that is behind has imported is told, although one that is ahead has looked already", async () => {
  const fiId = await addInstitution("PSDXX-TEST-BEHIND");
  await insertWatch(env.DB, fiId, pspId(15), null, now);
  await load([{ number: 15 }]);
  const behind = now - 30 * MINUTE;
  await loadRegister([{ number: 15, services: [8] }], behind);
  await runAll();
  await loadRegister([{ number: 15 }], behind + MINUTE);
  await runAll();
  expect(await told(fiId)).toHaveLength(2);
});

test("what a clock that is ahead has imported is told as soon as another's", async () => {
  const fiId = await addInstitution("PSDXX-TEST-AHEAD");
  await insertWatch(env.DB, fiId, pspId(16), null, now);
  await load([{ number: 16 }]);
  await loadRegister([{ number: 16, services: [8] }], now + 30 * MINUTE);
  await runAll();
  expect(await told(fiId)).toHaveLength(1);
});

test("a PSP that is new to an institution is learnt within the hour, so that its next change is told", async () => {
  const fiId = await addInstitution("PSDXX-TEST-FIL");
  await load([{ number: 7 }]);
  await addPermission(fiId, pspId(7), now + 30 * DAY, "l");
  now += HOUR;
  await runAll();
  await load([{ number: 7, services: [8] }]);
  expect(await told(fiId)).toMatchObject([{ type: "psp.status_changed", data: { grants: { tokens: 1 } } }]);
});

/**
 * Loads the sandbox's list. `note`: its first service has issued a certificate of this PSP;
 * `withdraw`: its services are withdrawn. What is noted of a check: qtsp-withdrawn.test.ts.
 */
async function listIssuer(number: number, psp = pspId(number)) {
  const sandbox = JSON.parse(env.TEST_SANDBOX) as { trust: Parameters<typeof importTrustList>[1] };
  await importTrustList(env.KV, sandbox.trust, now);
  const [listed] = sandbox.trust.anchors;
  const names = await env.KV.list({ prefix: "trust/anchors/" });
  const known = await findAnchors(
    env.KV,
    names.keys.map(({ name }) => name.slice("trust/anchors/".length)),
    now,
  );
  const anchor = known.find((one) => one.listed.serviceName === listed?.serviceName);
  if (!anchor) throw new Error("no anchor");
  const { source, jurisdiction, serviceName } = anchor.listed;
  const note = (certificate = "00", notAfter = now + 300 * DAY) =>
    storeShownCertificate(
      env.DB,
      {
        chain: JSON.stringify([eidasHeader("scenario-1")]),
        ...{ pspId: psp, anchor: anchor.certificate.fingerprint },
        ...{ source, jurisdiction, serviceName },
        ...{ certificate, notAfter },
      },
      { observedOn: "2026-11-22", inRegister: 1 },
    );
  const withdraw = () => {
    const withdrawn = sandbox.trust.anchors.map((each) => ({
      ...each,
      periods: [...each.periods, { status: "withdrawn", from: new Date(now).toISOString(), uses: null }],
    }));
    return importTrustList(env.KV, { ...sandbox.trust, anchors: withdrawn }, now);
  };
  return { note, withdraw, service: serviceName, anchor: anchor.certificate.fingerprint };
}

test("a listed service that is no longer granted is told for the PSPs that it issued certificates to", async () => {
  const fiId = await addInstitution("PSDXX-TEST-FIQ");
  await insertWatch(env.DB, fiId, pspId(5), null, now);
  const { note, withdraw, service, anchor } = await listIssuer(5);
  await note();
  // a certificate that has ended is shown, too
  await note("01", now - DAY);
  await load([{ number: 5 }]);
  expect(await told(fiId)).toEqual([]);
  await withdraw();
  await load([{ number: 5 }]);
  const events = await told(fiId);
  expect(events).toMatchObject([
    {
      type: "qtsp.withdrawn",
      data: {
        psp_id: pspId(5),
        before: { service, status: "granted", anchor },
        after: { service, status: "withdrawn" },
        evidence: [{ document: "listed service" }],
      },
    },
  ]);
});

describe("the first grant of a PSP", () => {
  /** As an answer that grants does, of what its check saw. */
  async function grant(fiId: number, number: number, id: string, noted: UnderWay | null = null): Promise<void> {
    const home = await readHomeRegister(env.KV, pspId(number), now);
    if (!home) throw new Error("no register");
    const ctx = createExecutionContext();
    observeGrant(
      env,
      ctx,
      { id: fiId, database: 1 },
      { pspId: pspId(number), home: Promise.resolve(home) },
      noted,
      now,
    );
    await waitOnExecutionContext(ctx);
    if (id !== "") await addPermission(fiId, pspId(number), now + 30 * DAY, id);
  }
  const digestOf = (fiId: number, number: number) =>
    env.DB.prepare("SELECT digest FROM psp_standings WHERE fi_id = ?1 AND psp_id = ?2")
      .bind(fiId, pspId(number))
      .first<string>("digest");
  const services = (given: unknown) =>
    (given as { categories: { payment_services: number[] }[] }).categories[0]?.payment_services;

  test("and a change of the register in the same hour: it is told, from what the check of the grant saw", async () => {
    const [granting, unused] = [await addInstitution("PSDXX-TEST-FIH"), await addInstitution("PSDXX-TEST-FIU")];
    await load([{ number: 8 }, { number: 9 }]);
    await grant(granting, 8, "h");
    await grant(granting, 9, "i");
    // a code that gave no token
    await grant(unused, 8, "");
    now += MINUTE;
    await load([{ number: 8, services: [8] }, { number: 9 }]);
    const events = await told(granting);
    expect(events.map(({ type, data }) => [type, data.psp_id, services(data.before), services(data.after)])).toEqual([
      ["psp.status_changed", pspId(8), [7, 8], [8]],
    ]);
    expect(events[0]?.data.grants).toEqual({ tokens: 1, consents: 0 });
    expect([await told(unused), await digestOf(unused, 8)]).toEqual([[], null]);
    // completed, and told nothing more
    for (const number of [8, 9]) expect(await digestOf(granting, number)).toMatch(/^[0-9a-f]{64}$/);
    await load([{ number: 8, services: [8] }, { number: 9 }]);
    expect(await told(granting)).toEqual([]);
  });

  test("and a withdrawal of its QTSP in the same hour: it is told, to an institution that watches the PSP since, too", async () => {
    const [granting, watching] = [await addInstitution("PSDXX-TEST-FIX"), await addInstitution("PSDXX-TEST-FIY")];
    await load([{ number: 6 }]);
    const { note, withdraw, service } = await listIssuer(6);
    // the certificate is as new as the grant: its note is under way, too
    const arrived = Promise.withResolvers<void>();
    const grants = [granting, watching].map((fiId, i) => grant(fiId, 6, `x${i}`, { done: arrived.promise }));
    // time enough for what would not wait for it
    await scheduler.wait(50);
    await note();
    arrived.resolve();
    await Promise.all(grants);
    now += MINUTE;
    await withdraw();
    await insertWatch(env.DB, watching, pspId(6), await readStanding(env, pspId(6), now), now);
    await load([{ number: 6 }]);
    for (const fiId of [granting, watching])
      expect((await told(fiId)).map(({ type, data }) => [type, data.before, data.after, data.grants])).toMatchObject([
        ["qtsp.withdrawn", { service, status: "granted" }, { service, status: "withdrawn" }, { tokens: 1 }],
      ]);
  });

  test("without a change: the hourly sweep completes what is known; a watch does so at once, unless there is something to tell", async () => {
    const fiId = await addInstitution("PSDXX-TEST-FIV");
    await load([1, 2, 3].map((number) => ({ number })));
    for (const number of [1, 2, 3]) await grant(fiId, number, `v${number}`);
    for (const number of [1, 2, 3]) expect(await digestOf(fiId, number)).toContain("register only");
    await insertWatch(env.DB, fiId, pspId(1), await readStanding(env, pspId(1), now), now);
    await loadRegister([{ number: 1 }, { number: 2, services: [8] }, { number: 3 }], now);
    await insertWatch(env.DB, fiId, pspId(2), await readStanding(env, pspId(2), now), now);
    expect(await digestOf(fiId, 1)).toMatch(/^[0-9a-f]{64}$/);
    for (const number of [2, 3]) expect(await digestOf(fiId, number)).toContain("register only");
    // before the register has settled
    const place = { fi: fiId, psp: "" };
    expect(await sweepSome(alone, place, now, { pages: 1, psps: 50 }, "new")).toMatchObject({
      compared: 2,
      changed: 1,
    });
    expect((await told(fiId)).map(({ data }) => [data.psp_id, services(data.after)])).toEqual([[pspId(2), [8]]]);
    for (const number of [2, 3]) expect(await digestOf(fiId, number)).toMatch(/^[0-9a-f]{64}$/);
  });
});

test("an authorisation that ends on a day is told when the day begins in the PSP's country", async () => {
  const fiId = await addInstitution("PSDXX-TEST-FIE");
  await insertWatch(env.DB, fiId, pspId(14), null, now);
  const tomorrow = (Math.floor(now / DAY) + 1) * DAY;
  now = Math.max(now, tomorrow - 6 * HOUR);
  await load([{ number: 14, status: ["2026-01-01", new Date(tomorrow).toISOString().slice(0, 10)] }]);
  expect(await told(fiId)).toEqual([]);
  // in winter an hour ahead of UTC
  now = tomorrow - HOUR + MINUTE;
  await runAll();
  expect((await told(fiId)).map(({ data }) => data.after)).toMatchObject([{ categories: [{ status: "Withdrawn" }] }]);
});

test("a step that is repeated after its end tells nothing twice, and a database that does not answer is asked again", async () => {
  const fiId = await addInstitution("PSDXX-TEST-FIR");
  await insertWatch(env.DB, fiId, pspId(5), null, now);
  await load([{ number: 5 }]);
  await loadRegister([{ number: 5, services: [8] }], now);
  const ONE = { pages: 1, psps: 50 };
  const place = { fi: fiId, psp: "" };
  await Promise.all([sweepSome(alone, place, now, ONE), sweepSome(alone, place, now, ONE)]);
  await sweepSome(alone, place, now + 1, ONE);
  expect(await told(fiId)).toHaveLength(1);

  // placed where this deployment has no database
  const move = (database: number) =>
    env.DB.prepare("UPDATE financial_institutions SET database = ?2 WHERE id = ?1").bind(fiId, database).run();
  await move(9);
  await loadRegister([{ number: 5, services: [7] }], now);
  await settle();
  expect(await run()).toMatchObject({ ok: false, message: expect.stringContaining("DB_9") });
  await move(1);
  now += 15 * MINUTE;
  await runAll();
  expect(await told(fiId)).toHaveLength(1);
});

/** The same for all spellings: a run tells as many institutions as it has room for. */
let spellers: Promise<number>[] | undefined;

// as certificates spell the authority (TS 119 495), and the EBA's register; an enterprise number with its dots and without
test.each([
  ["ES", "PSDES-BDE-1", "PSDES-BE-1"],
  ["HR", "PSDHR-HNB-1", "PSDHR-CNB-1"],
  ["BE", "PSDBE-NBB-0713629988", "PSDBE-NBB-0713.629.988"],
  ["BE, the other way round", "PSDBE-NBB-0713.629.989", "PSDBE-NBB-0713629989"],
])(
  "who watches the other spelling of a number is told of its certificates, once for each that it knows (%s)",
  async (_, shown, watched) => {
    spellers ??= ["W", "B", "O"].map((letter) => addInstitution(`PSDXX-TEST-SPELL${letter}`));
    const [watching = 0, both = 0, other = 0] = await Promise.all(spellers);
    await insertWatch(env.DB, watching, watched, null, now);
    await insertWatch(env.DB, both, watched, null, now);
    await addPermission(both, shown, now + 30 * DAY, shown);
    await insertWatch(env.DB, other, `${watched}0`, null, now);
    const country = shown.slice(3, 5);
    const reading = { country, ncaId: country, ncaName: country, published: new Date(now).toISOString() };
    const register = { ...reading, source: "nca", psps: [], agents: new AgentRoll(), refused: [] } as const;
    await importRegister(env, register, { now, force: true });
    const { note, withdraw } = await listIssuer(5, shown);
    await note();
    await load([{ number: 5 }]);
    await runAll();
    const notice: Notice = {
      ...{ id: `revoked ${shown}`, type: "psp.certificate_revoked", subject: shown, pspId: shown, country: null },
      news: { before: { revoked: false }, after: { revoked: true }, evidence: [] },
    };
    await addNotice(env.DB, notice, now);
    await withdraw();
    await load([{ number: 5 }]);
    const summary = async (fiId: number) =>
      (await told(fiId))
        .filter(({ data }) => [shown, watched].includes(data.psp_id ?? ""))
        .map(({ type, data }) => [type, data.psp_id, data.grants?.tokens])
        .sort();
    expect(await summary(watching)).toEqual([
      ["psp.certificate_revoked", watched, 0],
      ["qtsp.withdrawn", watched, 0],
    ]);
    expect(await summary(both)).toEqual(
      [
        ["psp.certificate_revoked", shown, 1],
        ["psp.certificate_revoked", watched, 0],
        ["qtsp.withdrawn", shown, 1],
        ["qtsp.withdrawn", watched, 0],
      ].sort(),
    );
    expect(await summary(other)).toEqual([]);
  },
);

test("a revoked certificate is told once, to every institution with an interest in its PSP", async () => {
  const [interested, other] = [await addInstitution("PSDXX-TEST-FIC"), await addInstitution("PSDXX-TEST-FID")];
  await insertWatch(env.DB, interested, pspId(5), null, now);
  const notice: Notice = {
    ...{ id: "revoked ab", type: "psp.certificate_revoked", subject: pspId(5), pspId: pspId(5), country: null },
    news: { before: { revoked: false }, after: { revoked: true }, evidence: [{ document: "crl", sha256: "cd" }] },
  };
  await addNotice(env.DB, notice, now);
  await addNotice(env.DB, notice, now + 1);
  await runAll();
  expect(await told(interested)).toMatchObject([
    { type: "psp.certificate_revoked", data: { after: { revoked: true } } },
  ]);
  expect(await told(other)).toEqual([]);
  await addNotice(env.DB, notice, now);
  await runAll();
  expect(await told(interested)).toEqual([]);
});

test("an institution that is disabled is told everything of that time when it is enabled again", async () => {
  const reference = "PSDXX-TEST-FIDISABLED";
  const fiId = await addInstitution(reference);
  await insertWatch(env.DB, fiId, pspId(6), null, now);
  await load([{ number: 6 }]);
  await setInstitutionStatus(env, reference, "disabled");
  const notice: Notice = {
    ...{ id: "revoked ef", type: "psp.certificate_revoked", subject: pspId(6), pspId: pspId(6), country: null },
    news: { before: { revoked: false }, after: { revoked: true }, evidence: [] },
  };
  await addNotice(env.DB, notice, now);
  await load([{ number: 6, status: "Withdrawn" }]);
  await setInstitutionStatus(env, reference, "active");
  expect((await told(fiId)).map(({ type }) => type).sort()).toEqual(["psp.certificate_revoked", "psp.status_changed"]);
});

test("notices are told in the same run, and again to institutions whose database did not answer, which hold up nobody", async () => {
  const [answering, silent] = [await addInstitution("PSDXX-TEST-FIA"), await addInstitution("PSDXX-TEST-FIB")];
  for (const fiId of [answering, silent]) await insertWatch(env.DB, fiId, pspId(5), null, now);
  const notice = (id: string): Notice => ({
    ...{ id, type: "psp.certificate_revoked", subject: pspId(5), pspId: pspId(5), country: null },
    news: { before: { revoked: false }, after: { certificate: id, revoked: true }, evidence: [] },
  });
  const toldOf = async (fiId: number) =>
    (await told(fiId)).map(({ data }) => (data.after as { certificate: string }).certificate);
  const place = (database: number) =>
    env.DB.prepare("UPDATE financial_institutions SET database = ?2 WHERE id = ?1").bind(silent, database).run();
  await runAll();
  // placed where this deployment has no database
  await place(9);
  for (const id of ["one", "two"]) await addNotice(env.DB, notice(id), now);
  expect(await run()).toMatchObject({ ok: false, message: expect.stringContaining("DB_9") });
  expect(await toldOf(answering)).toEqual(["one", "two"]);
  now += MINUTE;
  await addNotice(env.DB, notice("three"), now);
  await run();
  expect(await toldOf(answering)).toEqual(["three"]);
  await place(1);
  now += 11 * MINUTE;
  await runAll();
  expect([await toldOf(answering), (await toldOf(silent)).sort()]).toEqual([[], ["one", "three", "two"]]);
});

test("a register that becomes stale is told once, to the institutions with a PSP of its country", async () => {
  const [concerned, other] = [await addInstitution("PSDXX-TEST-FIS"), await addInstitution("PSDXX-TEST-FIT")];
  await insertWatch(env.DB, concerned, pspId(5), null, now);
  await load([{ number: 5, services: [7] }]);
  await told(concerned);
  const imported = now;
  now += env.REGISTER_MAX_AGE_HOURS_NCA * HOUR - HOUR;
  await runAll();
  const stale = async (fiId: number) => (await told(fiId)).filter(({ data }) => data.evidence.length > 0);
  expect(await stale(concerned)).toEqual([]);
  now = imported + env.REGISTER_MAX_AGE_HOURS_NCA * HOUR + MINUTE;
  await runAll();
  await runAll();
  expect(await stale(concerned)).toMatchObject([
    {
      type: "source.stale",
      data: {
        psp_id: null,
        before: { stale: false },
        after: { stale: true, source: "nca", jurisdiction: "XX" },
        evidence: [{ document: "register XX nca" }],
        grants: null,
      },
    },
  ]);
  expect(await stale(other)).toEqual([]);
});

test("what was told long ago is deleted, and a certificate that has ended", async () => {
  const ended = env.DB.prepare("SELECT count(*) AS ended FROM shown_certificates WHERE not_after < ?1");
  await listIssuer(5).then(({ note }) => note("ended", now - 1));
  expect(await ended.bind(now).first<number>("ended")).toBeGreaterThan(0);
  now += (env.EVENT_RETENTION_DAYS + 1) * DAY;
  await runAll();
  const left = env.DB.prepare("SELECT count(*) AS left FROM events WHERE created_at < ?1");
  expect(await left.bind(now - (env.EVENT_RETENTION_DAYS + 1) * DAY).first<number>("left")).toBe(0);
  expect(await ended.bind(now - DAY).first<number>("ended")).toBe(0);
});

test("an import that changes 100,000 PSPs costs steps of bounded work, over the PSPs of interest only", async () => {
  const fiId = await addInstitution("PSDXX-TEST-FIM");
  const watched = Array.from({ length: 600 }, (_, i) => 10_000 + i);
  const insert = env.DB.prepare("INSERT INTO psp_watches (fi_id, psp_id, created_at) VALUES (?1, ?2, 0)");
  await env.DB.batch(watched.map((number) => insert.bind(fiId, pspId(number))));
  await load([{ number: 5 }]);
  await told(fiId);

  // what the import writes of the others is never read: the register's manifest alone says that something has changed
  await loadRegister(
    watched.map((number) => ({ number, services: [7] })),
    now,
  );
  await settle();
  const steps: { calls: number; summary: string }[] = [];
  for (let quiet = false; !quiet; now += MINUTE) {
    const { env: counted, trips } = countRoundTrips(alone);
    const result = await runEvents({ env: counted, stepState: state, now, ...limits });
    state = result.stepState;
    quiet = result.ok && result.quiet === true;
    steps.push({ calls: trips.calls.length, summary: result.ok ? result.summary : result.message });
  }
  console.log(JSON.stringify(steps));
  expect(Math.max(...steps.map(({ calls }) => calls))).toBeLessThan(400);
  expect(steps.length).toBe(3);
  const count = env.DB.prepare("SELECT count(*) AS events FROM events WHERE fi_id = ?1").bind(fiId);
  expect(await count.first<number>("events")).toBe(watched.length);
});

test("what an import that broke off showed, and the next put back, is told both times", async () => {
  const fiId = await addInstitution("PSDXX-TEST-BROKEN");
  await insertWatch(env.DB, fiId, pspId(17), null, now);
  await load([{ number: 17 }]);
  // the entry is written, and not the manifest
  await expect(loadRegister([{ number: 17, status: "Withdrawn" }], now, breakingAt(env.KV, 3))).rejects.toThrow();
  await recordSuccess(env.DB, trustTask("eIDAS", "XX"), {}, now);
  now = (Math.floor(now / DAY) + 1) * DAY;
  await runAll();
  expect(await told(fiId)).toHaveLength(1);
  await load([{ number: 17 }]);
  expect(await told(fiId)).toHaveLength(1);
});
