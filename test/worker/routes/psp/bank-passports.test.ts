/**
 * A bank abroad, whose passports are published nowhere: each institution chooses, every endpoint follows the choice, and a
 * record is made again by the choice of its day. The check itself is one for both, and no choice costs a round trip.
 */
import "reflect-metadata";
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { openEvidence } from "../../../../src/evidence/ledger/kept-evidence.ts";
import type { LedgerRecord } from "../../../../src/evidence/ledger/record.ts";
import { replay } from "../../../../src/evidence/replay/replay.ts";
import { importRegister } from "../../../../src/registers/import/import-register.ts";
import { readRegisterFile } from "../../../../src/registers/import/own-form.ts";
import { issueCrl } from "../../../../src/sandbox/pki/crl.ts";
import { type Answer, call, codeRequest, endBackground } from "../../bank.ts";
import { countRoundTrips } from "../../bindings.ts";
import { Visitor } from "../../console/visitor.ts";
import { listRecords, recordOf } from "../../evidence/ledger/records.ts";
import { loadSandbox, OTHER_FI, SANDBOX_FI } from "../../sandbox.ts";
import { eidasOf, issuePsp, listQtsp, makeQtsp } from "../../trust/made-qtsp.ts";

const CRL = "http://banks.test/0.crl";
const BANK = "PSDDE-BAFIN-100001";

let eidas: string;

const choose = (choice: "accept" | "refuse" | null, { fi_reference_id } = SANDBOX_FI) =>
  env.DB.prepare("UPDATE financial_institutions SET bank_passports = ?1 WHERE fi_reference_id = ?2")
    .bind(choice, fi_reference_id)
    .run();

beforeAll(async () => {
  await loadSandbox();
  await choose("accept");
  const qtsp = await makeQtsp({ organisation: "Bank Seals", commonName: "Bank Seals CA", crlUrl: CRL });
  const now = Date.now();
  const times = {
    revokedAt: new Date(now),
    thisUpdate: new Date(now - 60_000),
    nextUpdate: new Date(now + 86_400_000),
  };
  const crl = await issueCrl({ revoked: [], ...times }, qtsp);
  vi.stubGlobal("fetch", async (url: string) => {
    if (url === CRL) return new Response(crl.rawData);
    throw new TypeError("no such host");
  });
  await listQtsp(qtsp, "own-list", { jurisdiction: "DE" });
  const names = { organisation: "Beispielbank AG", commonName: "bank.test", country: "DE", authNumber: BANK };
  eidas = eidasOf(await issuePsp(qtsp, { ...names, ncaName: "BaFin", ncaId: "DE-BAFIN", roles: ["PSP_PI", "PSP_AI"] }));
  const file = readRegisterFile(
    JSON.stringify({
      ...{ country: "DE", ncaId: "DE-BAFIN", ncaName: "BaFin", published: new Date(now).toISOString() },
      source: "credit-institutions",
      psps: [
        {
          authNumber: BANK,
          categories: [
            { category: "Credit Institution", legalName: "Beispielbank AG", status: "Authorised", passportOut: [] },
          ],
        },
      ],
    }),
  );
  if (!file.ok) throw new Error(JSON.stringify(file.problems));
  await importRegister(env, file.register, { now, force: true });
});
afterAll(() => void vi.unstubAllGlobals());

const asked = (headers: object = SANDBOX_FI) => ({ ...headers, version: "latest" });
const check = (jurisdiction: string, headers: object = SANDBOX_FI): Promise<Answer> =>
  call("GET", `/v1/psp/eidas?jurisdiction=${jurisdiction}`, { headers: { ...asked(headers), eidas } });
const codesOf = ({ accounts }: { accounts: { reasons: { code: string }[]; accepted?: { code: string }[] } }) => ({
  reasons: accounts.reasons.map(({ code }) => code),
  accepted: accounts.accepted?.map(({ code }) => code),
});
const REFUSED = { reasons: ["passport_not_published"], accepted: undefined };
const ACCEPTED = { reasons: [], accepted: ["passport_not_published"] };
const replayed = async (record: LedgerRecord) => await replay(record, openEvidence(env, record));

describe.each([
  ["accepts", SANDBOX_FI, ACCEPTED],
  ["never chose", OTHER_FI, REFUSED],
])("an institution that %s", (_, headers, expected) => {
  test("GET /v1/psp/eidas", async () => {
    const { body } = await check("es", headers);
    expect(codesOf(body.decision)).toEqual(expected);
    expect(codesOf((await check("de", headers)).body.decision)).toEqual({ reasons: [], accepted: undefined });
    expect(codesOf((await check("gb", headers)).body.decision).reasons).toEqual(["service_not_passported"]);
    // nothing is published, whatever is chosen
    expect(body.homeRegister.categoryEntries[0].passportOut).toEqual({
      countryCode: "ES",
      paymentServices: [],
      ways: [],
    });
  });

  test("POST /v1/psp/checks", async () => {
    const body = { checks: [{ eIDAS: eidas, jurisdictions: ["es", "de", "gb"] }] };
    const answer = await call("POST", "/v1/psp/checks", { headers: asked(headers), body });
    const [es, de, gb] = answer.body.data[0].results;
    expect(codesOf(es.result.decision)).toEqual(expected);
    expect(de.result.decision.accounts.allowed).toBe(true);
    expect(gb.result.decision.accounts.allowed).toBe(false);
  });

  test("POST /v1/psp/signatures", async () => {
    const body = { method: "GET", target: "/", headers: {}, eIDAS: eidas, jurisdiction: "es" };
    const answer = await call("POST", "/v1/psp/signatures", { headers: asked(headers), body });
    expect(answer.status).toBe(200);
    expect(codesOf(answer.body.decision)).toEqual(expected);
  });

  test("codes go by the home country, where nobody needs a passport", async () => {
    const answer = await call("POST", "/v1/oauth2/authorization_codes", {
      headers: { ...headers, eidas },
      body: codeRequest(),
    });
    expect(answer.status).toBe(201);
  });
});

describe("the record", () => {
  test("says what was chosen then, and is made again by it, though the institution chose anew", async () => {
    const [accepted, refused] = [await check("es"), await check("es", OTHER_FI)];
    await endBackground();
    const records = [await recordOf(accepted), await recordOf(refused, OTHER_FI.fi_reference_id)];
    expect(records.map(({ bank_passports, checks }) => [bank_passports, checks[0]?.decisions])).toEqual([
      ["accept", [{ payments: true, accounts: true }]],
      [null, [{ payments: false, accounts: false }]],
    ]);
    await choose("refuse");
    await choose("accept", OTHER_FI);
    for (const record of records) expect(await replayed(record)).toEqual({ ok: true, equal: true, compared: "answer" });
    await choose("accept");
    await choose(null, OTHER_FI);
  });

  test("of many checks has it, too; one of the home country alone does not", async () => {
    const body = { checks: [{ eIDAS: eidas, jurisdictions: ["es", "de"] }] };
    const many = await call("POST", "/v1/psp/checks", { headers: asked(), body });
    const code = await call("POST", "/v1/oauth2/authorization_codes", {
      headers: { ...SANDBOX_FI, eidas },
      body: codeRequest(),
    });
    await endBackground();
    const record = await recordOf(many);
    expect(record).toMatchObject({ event: "psps.checked", bank_passports: "accept" });
    expect(await replayed(record)).toEqual({ ok: true, equal: true, compared: "answer" });
    expect(await recordOf(code)).not.toHaveProperty("bank_passports");
  });

  test("of an earlier release, which knew no choice, says that there is no passport, and nobody's choice is asked", async () => {
    const record = await recordOf(await check("es", OTHER_FI), OTHER_FI.fi_reference_id);
    await endBackground();
    const { bank_passports: _, ...earlier } = record;
    // its answer had the other code
    expect(await replayed(earlier)).toMatchObject({
      ...{ ok: true, equal: false },
      difference: { recorded: "passport_not_published", replayed: "service_not_passported" },
    });
  });
});

test("the choice costs no round trip, and both institutions are answered by one cached check", async () => {
  await check("es");
  for (const headers of [SANDBOX_FI, OTHER_FI]) {
    await check("es", headers);
    const { env: counted, trips } = countRoundTrips(env);
    await call("GET", "/v1/psp/eidas?jurisdiction=es", { headers: { ...asked(headers), eidas }, env: counted });
    expect(trips.calls).toEqual([]);
    // of an isolate that does not remember the credentials: the institution's row alone
    const unknown = { ...headers, Authorization: `Basic  ${headers.Authorization.slice("Basic ".length)}` };
    const first = countRoundTrips(env);
    await call("GET", "/v1/psp/eidas?jurisdiction=es", { headers: { ...asked(unknown), eidas }, env: first.env });
    expect(first.trips.calls).toEqual(["DB"]);
  }
});

describe("in the console", () => {
  const form = async (visitor: Visitor, fields: Record<string, string>) => {
    const sent = await visitor.submit("/console/check", "/console/check", {
      ...{ jurisdiction: "ES", pasted: eidas },
      ...fields,
    });
    return (await visitor.get(sent.headers.get("Location") ?? "")).text;
  };
  const ACCEPTS = "The PSP may read accounts in Spain. PSP PSDDE-BAFIN-100001 is a credit institution";

  test("an institution's check follows its choice, and its page says what was never chosen", async () => {
    const [sandbox, other] = [new Visitor(), new Visitor()];
    await sandbox.signIn("sandbox");
    await other.signIn("other");
    expect(await form(sandbox, {})).toContain(ACCEPTS);
    expect(await form(other, {})).toContain("could not be found out, which counts as a no");
    const [chosen, unchosen] = [await sandbox.get("/console/check"), await other.get("/console/check")];
    expect([chosen, unchosen].map(({ text }) => text.includes("ask the operator of this service"))).toEqual([
      false,
      true,
    ]);
    // the command is the operator's
    expect(unchosen.text).not.toContain("--bank-passports");
  });

  test("an operator's follows that of the institution, and so does its record", async () => {
    const operator = new Visitor({ ...env, CONSOLE_LOCAL_OPERATOR: "on" });
    await operator.post("/console/sign-in/operator", {});
    expect(await form(operator, { fi: SANDBOX_FI.fi_reference_id })).toContain(ACCEPTS);
    expect(await form(operator, { fi: OTHER_FI.fi_reference_id })).not.toContain(ACCEPTS);
    await vi.waitFor(async () => {
      const [record] = await listRecords({ endpoint: "POST /console/check" });
      expect(record).toMatchObject({ bank_passports: "accept", checks: [{ jurisdictions: ["ES"] }] });
      expect(record && (await replayed(record))).toMatchObject({ ok: true, equal: true });
    });
    const { text } = await operator.get("/console/institutions");
    expect(text).toContain("fi set --reference PSDXX-TEST-FI0002 --bank-passports accept");
    expect(text).not.toContain("fi set --reference PSDXX-TEST-FI0001 --bank-passports");
  });
});
