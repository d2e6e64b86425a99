/** An institution is told when the rule of a check says no longer yes to a certificate that a PSP showed. */
import "reflect-metadata";
import { env } from "cloudflare:workers";
import { X509CertificateGenerator } from "@peculiar/x509";
import { describe, expect, test } from "vitest";
import { insertWatch } from "../../../src/events/watches.ts";
import type { PspCheck } from "../../../src/psp-check/psp-check.ts";
import type { StatusPeriod } from "../../../src/trust/anchors.ts";
import { issuePsp, makeQtsp } from "../trust/made-qtsp.ts";
import { chainOf, type Entry, loadList, look, MINUTE, period, Schedule, show } from "./changing-world.ts";
import { addInstitution, loadCountry, loadRegister, pspId } from "./made-registers.ts";

const schedule = new Schedule();
let now = Date.parse("2026-11-20T12:00:00Z");
const crlUrl = "http://sandbox.invalid/ca.crl";
const qtsp = await makeQtsp({ organisation: "QTSP", commonName: "CA", crlUrl });
let numbers = 0;

const verdict = ({ validity }: PspCheck) => validity.validQTSP && validity.validSignature;

/** Loads lists, then others; tells what the verdicts were, and what was told to an institution that watches the PSP. */
async function change(before: readonly Entry[], after: readonly Entry[], { type = "web", nextUpdate }: Change = {}) {
  const number = ++numbers;
  const fiId = await addInstitution(`PSDXX-TEST-QW${number}`);
  const chain = chainOf(
    await issuePsp(qtsp, { organisation: "PSP", commonName: "psp.example", authNumber: pspId(number), type }),
  );
  await loadRegister(
    Array.from({ length: number }, (_, i) => ({ number: i + 1 })),
    now,
  );
  await loadLists(before);
  now += 5 * MINUTE;
  const shown = verdict(await show(chain, now));
  await insertWatch(env.DB, fiId, pspId(number), null, now);
  now = await schedule.settle(now);
  expect(await schedule.told(fiId)).toEqual([]);
  await loadLists(after, nextUpdate && now + nextUpdate);
  now = await schedule.settle(now + 5 * MINUTE);
  const events = await schedule.told(fiId);
  const is = verdict(await look(chain, now));
  return { shown, is, events, number, certificate: chain.leaf.fingerprint };
}

interface Change {
  readonly type?: "web" | "seal";
  /** In milliseconds. */
  readonly nextUpdate?: number;
}

const loadLists = async (entries: readonly Entry[], nextUpdate?: number) => {
  for (const jurisdiction of ["XX", "XY"])
    await loadList(
      entries.filter((entry) => entry.jurisdiction === jurisdiction),
      now,
      { jurisdiction, nextUpdate },
    );
};

/** A period that begins with the test, after the certificates were issued. */
const since = (status: string, uses?: StatusPeriod["uses"]) => period(status, uses, now);
const entry = (...periods: StatusPeriod[]): Entry => ({ qtsp, jurisdiction: "XX", periods });
const granted = entry(period("granted"));
const withdrawn = entry(period("granted"), since("withdrawn"));
const forWebsites = entry(period("granted", ["web-authentication"]));
const forSeals = entry(period("granted", ["seal"]));
const sealsWithdrawn = entry(period("granted", ["seal"]), since("withdrawn", ["seal"]));
const { subject, notBefore, notAfter, extensions } = qtsp.certificate;
const certificate = await X509CertificateGenerator.createSelfSigned({
  ...{ name: subject, notBefore, notAfter, extensions, keys: qtsp.keys, signingAlgorithm: qtsp.keys.signingAlgorithm },
});
const renewed: Entry = { ...granted, qtsp: { certificate } };
const elsewhere: Entry = { ...granted, jurisdiction: "XY" };
const notForPsps = entry({
  ...period("granted"),
  qualifications: [{ qualifiers: ["NotQualified"], criteria: { keyUsage: { set: 0, clear: 0 } } }],
});

describe("told, once:", () => {
  test.each<[string, Entry[], Entry[], string, Change?]>([
    ["its only entry is withdrawn", [granted], [withdrawn], "withdrawn"],
    ["the second of its two entries is withdrawn", [granted, granted], [granted, withdrawn], "not qualified"],
    ["the first of its two entries is withdrawn", [granted, granted], [withdrawn, granted], "not qualified"],
    ["a second entry comes that is withdrawn", [granted], [granted, withdrawn], "not qualified"],
    [
      "an entry for seals beside is withdrawn, for a seal",
      [forWebsites, forSeals],
      [forWebsites, sealsWithdrawn],
      "withdrawn",
      { type: "seal" },
    ],
    ["its use is taken from it", [granted], [entry(period("granted"), since("granted", ["seal"]))], "not qualified"],
    ["its certificates are not qualified any more", [granted], [notForPsps], "not qualified"],
    ["the list drops it", [granted], [], "not listed"],
    ["the list says that it never was granted", [granted], [entry(period("withdrawn"))], "withdrawn"],
  ])("%s", async (_, before, after, status, how) => {
    const { shown, is, events, number, certificate } = await change(before, after, how);
    expect([shown, is]).toEqual([true, false]);
    const about = { source: "eIDAS", jurisdiction: "XX", certificates: [certificate] };
    expect(events).toMatchObject([
      {
        type: "qtsp.withdrawn",
        data: {
          psp_id: pspId(number),
          before: { ...about, status: "granted" },
          after: { ...about, status, reason: expect.stringContaining("validQTSP: ") },
          evidence: after.map(() => ({ document: "listed service" })),
        },
      },
    ]);
  });
});

describe("not told:", () => {
  test.each<[string, Entry[], Entry[], Change?]>([
    ["an entry for seals beside is withdrawn, for a website", [forWebsites, forSeals], [forWebsites, sealsWithdrawn]],
    ["its use moves to another entry", [granted], [sealsWithdrawn, forWebsites]],
    ["the list has another certificate of the same key", [granted], [renewed]],
    ["another list takes it over", [granted], [elsewhere]],
    ["the list becomes stale", [granted], [granted], { nextUpdate: MINUTE }],
    ["the list is the same again", [granted, granted], [granted, granted]],
  ])("%s", async (_, before, after, how) => {
    const { shown, is, events } = await change(before, after, how);
    expect([shown, is]).toEqual([true, true]);
    expect(events.filter(({ type }) => type !== "source.stale")).toEqual([]);
  });

  test("a certificate that no check has said yes to", async () => {
    const { shown, is, events } = await change([withdrawn], [entry(period("withdrawn"))]);
    expect([shown, is, events]).toEqual([false, false, []]);
  });
});

test("told: what was lost between the first check of a certificate and the next sweep", async () => {
  const number = 1;
  const fiId = await addInstitution("PSDXX-TEST-QWNEW");
  await loadLists([granted]);
  await insertWatch(env.DB, fiId, pspId(number), null, now);
  now = await schedule.settle(now + 5 * MINUTE);
  await schedule.told(fiId);
  const chain = chainOf(
    await issuePsp(qtsp, { organisation: "PSP", commonName: "psp.example", authNumber: pspId(number) }),
  );
  expect(verdict(await show(chain, now))).toBe(true);
  await loadLists([withdrawn]);
  now = await schedule.settle(now + 5 * MINUTE);
  const concerned = (await schedule.told(fiId)).map(
    ({ data }) => (data.after as { certificates: string[] }).certificates,
  );
  expect(concerned.flat()).toContain(chain.leaf.fingerprint);
});

test("told: the QTSP of a PSP of a real country is dropped, though a sandbox's list has its CA", async () => {
  const real = "PSDFI-FINFSA-77";
  const fiId = await addInstitution("PSDXX-TEST-QWREAL");
  await loadCountry("FI", [real], now);
  await loadLists([granted]);
  await loadList([granted], now, { source: "sandbox" });
  now += 5 * MINUTE;
  const chain = chainOf(await issuePsp(qtsp, { organisation: "PSP", commonName: "psp.example", authNumber: real }));
  expect(verdict(await show(chain, now))).toBe(true);
  await insertWatch(env.DB, fiId, real, null, now);
  now = await schedule.settle(now);
  expect(await schedule.told(fiId)).toEqual([]);
  await loadLists([]);
  now = await schedule.settle(now + 5 * MINUTE);
  expect(verdict(await look(chain, now))).toBe(false);
  expect(await schedule.told(fiId)).toMatchObject([
    { type: "qtsp.withdrawn", data: { psp_id: real, after: { status: "not listed" } } },
  ]);
});
