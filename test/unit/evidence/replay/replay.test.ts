/** Answers made again from what they rested on: equal at the record's instant, whatever has happened since. */

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { VERDICT_NAMES } from "../../../../src/eidas/verdict-codes.ts";
import { replay } from "../../../../src/evidence/replay/replay.ts";
import { VERSION } from "../../../../src/platform/version.ts";
import { textDocument } from "../../../../src/psp-check/basis.ts";
import { importRegister } from "../../../../src/registers/import/import-register.ts";
import { AgentRoll, type Register } from "../../../../src/registers/register.ts";
import { createAuthority } from "../../../../src/sandbox/pki/authority.ts";
import { issuePspCertificate } from "../../../../src/sandbox/pki/psp-certificate.ts";
import { describeCa, listSandboxCa } from "../../../../src/sandbox/sandbox-ca.ts";
import { importTrustList } from "../../../../src/trust/trust-import.ts";
import { DB, loadSandbox, NOW, type Recorded, record } from "./recorded.ts";

const CERTIFICATES = readdirSync(join(import.meta.dirname, "../../../../fixtures/certificates"))
  .filter((file) => file.endsWith(".pem"))
  .map((file) => file.slice(0, -".pem".length));

/** No replay asks the network, and no CRL is there to be had. */
const fetched = vi.fn(async () => {
  throw new TypeError("no such host");
});
beforeAll(() => void vi.stubGlobal("fetch", fetched));
afterAll(() => void vi.unstubAllGlobals());

const readFrom =
  ({ documents }: Recorded) =>
  async (sha256: string) =>
    documents.get(sha256) ?? null;
const again = (recorded: Recorded) => replay(recorded.record, readFrom(recorded));

test.each(CERTIFICATES)("%s: the whole answer, at home and abroad, in both versions", async (name) => {
  const kv = await loadSandbox();
  for (const jurisdiction of ["XX", "XY"])
    for (const version of ["latest", "1"] as const) {
      const recorded = await record(kv, { name, jurisdiction, version });
      expect(await again(recorded), `${jurisdiction} ${version}`).toEqual({
        ok: true,
        equal: true,
        compared: "answer",
      });
    }
});

test("the cases are all there: every verdict is false in one, and a register counts as stale", async () => {
  const kv = await loadSandbox();
  const all = await Promise.all(CERTIFICATES.map((name) => record(kv, { name, jurisdiction: "XY" })));
  const failed = new Set(all.flatMap(({ record }) => record.checks.flatMap(({ verdicts }) => verdicts)));
  expect([...failed].sort()).toEqual(VERDICT_NAMES.toSorted());
});

test("an unknown revocation status is made again with its sentence", async () => {
  fetched.mockClear();
  // an isolate that knows no CRL
  vi.resetModules();
  const { loadSandbox, record } = await import("./recorded.ts");
  const recorded = await record(await loadSandbox({ crls: false }), { name: "scenario-1", jurisdiction: "XX" });
  expect(recorded.record.checks[0]?.verdicts).toEqual(["notRevoked"]);
  expect(fetched).toHaveBeenCalled();
  fetched.mockClear();
  expect(await again(recorded)).toEqual({ ok: true, equal: true, compared: "answer" });
  expect(fetched).not.toHaveBeenCalled();
});

const STRANGER = ["validQTSP", "validSignature", "notRevoked"];
test.each([
  ["a stranger's was sent before the PSP's", { before: "qtsp-unlisted" }, STRANGER],
  ["its issuer's was sent before the PSP's", { before: "intermediate" }, []],
  ["a stranger's was joined to it by a comma", { joined: "qtsp-unlisted" }, STRANGER],
  ["its issuer's was joined to it by a comma", { joined: "qtsp-1" }, []],
])("how the certificates were sent is known, too: %s", async (_, sent, verdicts) => {
  const recorded = await record(await loadSandbox(), { name: "chain-valid", jurisdiction: "XX", ...sent });
  expect(recorded.record.checks[0]?.verdicts).toEqual(verdicts);
  expect(await again(recorded)).toEqual({ ok: true, equal: true, compared: "answer" });
});

test("that a sandbox's QTSP does not count for a PSP of a real country is made again with its sentence", async () => {
  const kv = await loadSandbox();
  const period = { notBefore: new Date("2020-01-01T00:00:00Z"), notAfter: new Date("2070-01-01T00:00:00Z") };
  const ca = await createAuthority({ ...describeCa("Sandbox CA 0011aabb"), ...period }, null);
  await importTrustList(kv, listSandboxCa(ca), NOW);
  const certificate = await issuePspCertificate(
    {
      ...{ country: "FI", authNumber: "PSDFI-FINFSA-12345678", organisation: "A PSP", commonName: "psp.example" },
      ...{ type: "web", roles: ["PSP_AI"], ncaName: "Finnish Authority", ncaId: "FI-FINFSA", key: "p-256", ...period },
    },
    ca,
  );
  const recorded = await record(kv, { name: `${certificate.toString("pem")}\n`, jurisdiction: "XX" });
  const answer = new TextDecoder().decode(recorded.documents.get(recorded.record.answer ?? ""));
  expect(answer).toContain("user-assigned countries such as XX and XY only, and its PSP is of FI");
  expect(await again(recorded)).toEqual({ ok: true, equal: true, compared: "answer" });
});

test("the institution's choice of that day counts, and none of an earlier release", async () => {
  const kv = await loadSandbox();
  const bank = {
    ...{ authNumber: "PSDFI-FINFSA-7", agent: false },
    categories: [
      { category: "Credit Institution", legalName: "A Bank", status: "Authorised", services: [], passportOut: {} },
    ],
  } as const;
  const register: Register = {
    ...{ country: "FI", source: "credit-institutions", ncaId: "FI-FINFSA", ncaName: "FIN-FSA" },
    ...{ published: "2026-11-01T00:00:00Z", psps: [bank], agents: new AgentRoll(), refused: [] },
  };
  await importRegister({ KV: kv, DB }, register, { now: NOW, force: true });
  const period = { notBefore: new Date("2020-01-01T00:00:00Z"), notAfter: new Date("2070-01-01T00:00:00Z") };
  const ca = await createAuthority({ ...describeCa("A CA"), ...period }, null);
  const certificate = await issuePspCertificate(
    {
      ...{ country: "FI", authNumber: bank.authNumber, organisation: "A Bank", commonName: "bank.example" },
      ...{ type: "web", roles: ["PSP_AI"], ncaName: "Finnish Authority", ncaId: "FI-FINFSA", key: "p-256", ...period },
    },
    ca,
  );
  const name = `${certificate.toString("pem")}\n`;
  const said: (string | undefined)[] = [];
  for (const bankPassports of ["accept", "refuse", null, undefined] as const) {
    const recorded = await record(kv, { name, jurisdiction: "ES", bankPassports });
    expect(await again(recorded)).toEqual({ ok: true, equal: true, compared: "answer" });
    const answer = JSON.parse(new TextDecoder().decode(recorded.documents.get(recorded.record.answer ?? "")));
    const { reasons, accepted = [] } = answer.decision.accounts;
    said.push(accepted[0]?.code && "accepted", reasons.at(-1).code);
  }
  expect(said).toEqual([
    "accepted",
    expect.not.stringContaining("passport"),
    ...[undefined, "passport_not_published", undefined, "passport_not_published"],
    ...[undefined, "service_not_passported"],
  ]);
});

test("the setting of that day counts, not today's", async () => {
  const [kv, asked] = [await loadSandbox(), { name: "scenario-1", jurisdiction: "XX" }];
  const young = await record(kv, { ...asked, maxAgeHours: 0 });
  const old = await record(kv, { ...asked, maxAgeHours: 1 });
  expect(young.record.checks[0]?.basis).not.toBe(old.record.checks[0]?.basis);
  for (const recorded of [young, old]) expect(await again(recorded)).toMatchObject({ equal: true });
});

/** Replaces a kept document, wherever it is named. */
function replace(recorded: Recorded, sha256: string, change: (text: string) => string): Recorded {
  const documents = new Map(recorded.documents);
  const named = new Map<string, string>();
  const put = (old: string, text: string) => {
    const document = textDocument(text);
    documents.set(document.sha256, document.bytes());
    named.set(old, document.sha256);
  };
  put(sha256, change(new TextDecoder().decode(recorded.documents.get(sha256))));
  const rename = (text: string) => [...named].reduce((result, [old, now]) => result.replaceAll(old, now), text);
  const [basis = ""] = recorded.record.checks.map((checked) => checked.basis);
  if (sha256 !== basis && sha256 !== recorded.record.answer)
    put(basis, rename(new TextDecoder().decode(recorded.documents.get(basis))));
  return { documents, record: JSON.parse(rename(JSON.stringify(recorded.record))) };
}

describe("a difference", () => {
  const asked = { name: "scenario-1", jurisdiction: "XX" };

  test("in the answer is told with its place, both values and both releases", async () => {
    const recorded = await record(await loadSandbox(), asked);
    const other = replace(recorded, recorded.record.answer ?? "", (text) =>
      text.replace('"pspAuthStatus":"Authorised"', '"pspAuthStatus":"Registered"'),
    );
    expect(await again(other)).toEqual({
      ok: true,
      equal: false,
      difference: {
        path: "answer.homeRegister.categoryEntries[0].pspAuthStatus",
        recorded: "Registered",
        replayed: "Authorised",
      },
      releases: { recorded: "0.4.0", replayed: VERSION },
    });
  });

  test("in what was decided comes before one in the answer", async () => {
    const { record: made, documents } = await record(await loadSandbox(), asked);
    const [checked] = made.checks;
    if (!checked) throw new Error("no check");
    const checks = [{ ...checked, decisions: [{ payments: false, accounts: true }] }];
    expect(await again({ documents, record: { ...made, checks } })).toMatchObject({
      difference: { path: "checks[0].decisions[0].payments", recorded: false, replayed: true },
    });
  });

  test("is found when the rules find something else in what was kept: a register's entry, a withdrawn service", async () => {
    const recorded = await record(await loadSandbox(), asked);
    const [basis = ""] = recorded.record.checks.map((checked) => checked.basis);
    const { home, anchors } = JSON.parse(new TextDecoder().decode(recorded.documents.get(basis)));
    const unauthorised = replace(recorded, home, (text) => text.replaceAll('"Authorised"', '"Unauthorised"'));
    expect(await again(unauthorised)).toMatchObject({ difference: { path: "checks[0].decisions[0].payments" } });
    const withdrawn = replace(recorded, anchors, (text) => text.replaceAll('"granted"', '"withdrawn"'));
    expect(await again(withdrawn)).toMatchObject({
      difference: { path: "checks[0].verdicts[0]", replayed: "validQTSP" },
    });
  });
});

describe("what cannot be made again", () => {
  test.each(["basis", "answer", "certificate", "listed services", "CRL", "home register's entries"])(
    "says that the %s is missing, or altered",
    async (what) => {
      const recorded = await record(await loadSandbox(), { name: "scenario-1", jurisdiction: "XX" });
      const [basis = ""] = recorded.record.checks.map((checked) => checked.basis);
      const named = JSON.parse(new TextDecoder().decode(recorded.documents.get(basis)));
      const sha256 = {
        basis,
        answer: recorded.record.answer,
        certificate: named.chain[0],
        "listed services": named.anchors,
        CRL: named.revocation[0].answers[0].sha256,
        "home register's entries": named.home,
      }[what];
      const bytes = recorded.documents.get(sha256) ?? new Uint8Array();
      recorded.documents.delete(sha256);
      expect(await again(recorded)).toEqual({ ok: false, missing: [{ what, sha256, reason: "absent" }] });
      recorded.documents.set(sha256, bytes.with(0, (bytes[0] ?? 0) ^ 1));
      expect(await again(recorded)).toEqual({ ok: false, missing: [{ what, sha256, reason: "altered" }] });
    },
  );

  test("says everything that is missing at once", async () => {
    const recorded = await record(await loadSandbox(), { name: "scenario-9", jurisdiction: "XY" });
    const [basis = ""] = recorded.record.checks.map((checked) => checked.basis);
    const { home, hosts } = JSON.parse(new TextDecoder().decode(recorded.documents.get(basis)));
    for (const sha256 of [home, hosts.XY]) recorded.documents.delete(sha256);
    expect(await again(recorded)).toMatchObject({ missing: [{ sha256: home }, { sha256: hosts.XY }] });
  });

  test("a basis of a later form is not guessed at", async () => {
    const recorded = await record(await loadSandbox(), { name: "scenario-1", jurisdiction: "XX" });
    const [basis = ""] = recorded.record.checks.map((checked) => checked.basis);
    const later = replace(recorded, basis, (text) => text.replace('"form":1', '"form":2'));
    expect(await again(later)).toMatchObject({ ok: false, missing: [{ what: "basis", reason: "unreadable" }] });
  });
});

test("a record without a check has nothing to compare", async () => {
  const { record: made } = await record(await loadSandbox(), { name: "scenario-1", jurisdiction: "XX" });
  const refused = { ...made, checks: [], answer: null, outcome: "certificate_unreadable" };
  expect(await replay(refused, async () => null)).toEqual({ ok: true, equal: true, compared: "nothing" });
});

test("a grant is compared by its verdicts and decision", async () => {
  const { record: made, documents } = await record(await loadSandbox(), { name: "scenario-1", jurisdiction: "XX" });
  const grant = { ...made, event: "code.issue" as const, answer: null };
  expect(await again({ documents, record: grant })).toEqual({ ok: true, equal: true, compared: "checks" });
});
