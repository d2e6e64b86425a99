/** The records of an institution's ledger over HTTP, with what they rested on: whoever has these makes the answer again. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { holdPass } from "../../../../src/cli/evidence/audit-service.ts";
import { checkChain, hashRecord } from "../../../../src/evidence/ledger/chain.ts";
import { verifyHead } from "../../../../src/evidence/ledger/head.ts";
import type { LedgerRecord } from "../../../../src/evidence/ledger/record.ts";
import { ALTERED } from "../../../../src/evidence/ledger/record-documents.ts";
import { replay } from "../../../../src/evidence/replay/replay.ts";
import { readSigningKeys } from "../../../../src/evidence/signatures/signing-keys.ts";
import { deletePass, findPass, insertPass, PASS_LIFETIME_MS } from "../../../../src/institutions/operator-pass.ts";
import { type Answer, call, codeRequest, codesOf } from "../../bank.ts";
import { countRoundTrips } from "../../bindings.ts";
import { recordOf } from "../../evidence/ledger/records.ts";
import { unreachableLedger } from "../../evidence/ledger/unreachable-ledger.ts";
import { eidasHeader, loadSandbox, OTHER_FI, SANDBOX_FI } from "../../sandbox.ts";

const RECORDS = "/v1/audit/records";
const check = (name: string, jurisdiction: string, version = "latest"): Promise<Answer> =>
  call("GET", `/v1/psp/eidas?jurisdiction=${jurisdiction}`, { headers: { eidas: eidasHeader(name), version } });

let answers: Answer[];
beforeAll(async () => {
  await loadSandbox();
  answers = [];
  for (const [name, jurisdiction] of [
    ["scenario-1", "xx"],
    ["scenario-5", "xx"],
    ["scenario-9", "xy"],
    ["scenario-9", "xx"],
  ] as const)
    answers.push(await check(name, jurisdiction));
  for (const answer of answers) await recordOf(answer);
});

const idsOf = ({ body }: Answer): string[] => body.data.map(({ record }: { record: LedgerRecord }) => record.id);
const evidenceId = ({ headers }: Answer): string => headers.get("x-evidence-id") ?? "";
const instantOf = async (answer: Answer): Promise<string> => (await recordOf(answer)).time;
const list = (query: Record<string, string>, headers: Record<string, string> = {}) =>
  call("GET", `${RECORDS}?${new URLSearchParams(query)}`, { headers });

describe("the list", () => {
  test("is newest first, each record with its text, whose hash the next one holds", async () => {
    const { body } = await list({});
    const texts: string[] = body.data.map(({ text }: { text: string }) => text);
    expect(texts.map((text) => JSON.parse(text))).toEqual(body.data.map(({ record }: { record: object }) => record));
    expect(texts.map(hashRecord)).toEqual(body.data.map(({ hash }: { hash: string }) => hash));
    expect(checkChain(texts.toReversed())).toMatchObject({ ok: true });
  });

  test("can be of a PSP in any spelling, of an endpoint, of a time", async () => {
    const [first, revoked, abroad, home] = answers.map(evidenceId);
    expect(idsOf(await list({ psp_id: "psdxx test 000009".replaceAll(" ", "-") }))).toEqual([home, abroad]);
    expect(idsOf(await list({ psp_id: "PSDXX-TEST-000005" }))).toEqual([revoked]);
    expect(idsOf(await list({ psp_id: "PSDXX-TEST-000001", endpoint: "GET /v1/psp/eidas" }))).toEqual([first]);
    expect(idsOf(await list({ endpoint: "POST /v1/psp/checks" }))).toEqual([]);
    const older = await call("GET", "/v1/tpp/eidas?jurisdiction=xx", {
      headers: { "x-eidas": eidasHeader("scenario-1") },
      env: { ...env, LEGACY_1_6: "true" },
    });
    expect((await recordOf(older)).endpoint).toBe("GET /v1/tpp/eidas");
    expect(idsOf(await list({ endpoint: "GET /v1/tpp/eidas" }))).toEqual([evidenceId(older)]);
    const [from, to] = await Promise.all([answers[1], answers[3]].map((answer) => instantOf(answer as Answer)));
    const within = idsOf(await list({ from: from ?? "", to: to ?? "" }));
    expect(within).not.toContain(home);
    expect(within).toContain(revoked);
  });

  test("comes in pages, whose cursor is of this list only", async () => {
    const all = idsOf(await list({ endpoint: "GET /v1/psp/eidas" }));
    const paged: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await list({ endpoint: "GET /v1/psp/eidas", limit: "2", ...(cursor && { cursor }) });
      paged.push(...idsOf(page));
      cursor = page.body.next_cursor;
    } while (cursor);
    expect(paged).toEqual(all);
    const { next_cursor } = (await list({ limit: "1" })).body;
    expect((await list({ limit: "2", cursor: next_cursor })).status).toBe(200);
    for (const other of [
      list({ psp_id: "PSDXX-TEST-000009", cursor: next_cursor }),
      list({ cursor: next_cursor }, OTHER_FI),
    ])
      expect(codesOf(await other)).toEqual(["cursor_invalid"]);
  });

  test("says every parameter that is wrong", async () => {
    const wrong = await list({ from: "a", to: "b", psp_id: "", endpoint: "GET", limit: "1e3", cursor: "x" });
    expect([wrong.status, codesOf(wrong)]).toEqual([
      400,
      ["from_invalid", "to_invalid", "psp_id_invalid", "endpoint_invalid", "limit_invalid"],
    ]);
  });

  test("has the signed heads up to the first that covers its newest record", async () => {
    const head = (await call("GET", "/v1/audit/head")).body.data;
    const { heads, data } = (await list({ limit: "3" })).body;
    const last = verifyHead(heads.at(-1), readSigningKeys(env).published);
    expect(last).toMatchObject({ ok: true, head: { fi: SANDBOX_FI.fi_reference_id } });
    expect(last.ok && last.head.seq).toBeGreaterThanOrEqual(data[0].record.seq);
    expect(head.seq).toBeGreaterThanOrEqual(data[0].record.seq);
    expect((await list({ psp_id: "PSDXX-NOBODY-1" })).body).toEqual({ data: [], heads: [], gaps: [] });
  });
});

const readFrom = (id: string) => async (sha256: string) => {
  const { status, body } = await call("GET", `${RECORDS}/${id}/documents/${sha256}`, { bytes: true });
  return status === 200 ? body.bytes : null;
};

describe("a record", () => {
  test.each([0, 1, 2, 3])("comes with all that it rests on, from which its answer is made again (%i)", async (i) => {
    const id = evidenceId(answers[i] as Answer);
    const { body } = await call("GET", `${RECORDS}/${id}`);
    expect(body.data.hash).toBe(hashRecord(body.data.text));
    expect(body.data.evidence.map(({ kind }: { kind: string }) => kind)).toEqual(
      expect.arrayContaining(["answer", "basis", "certificate", "listed services", "CRL", "home register's entries"]),
    );
    for (const { sha256 } of body.data.evidence) expect(await readFrom(id)(sha256)).not.toBeNull();
    expect(await replay(body.data.record, readFrom(id))).toEqual({ ok: true, equal: true, compared: "answer" });
  });

  test("of many checks: each result is made again, what was refused is not", async () => {
    const checks = [
      { id: "a", eIDAS: eidasHeader("scenario-9"), jurisdictions: ["XX", "XY", "FI"] },
      { id: "b", eIDAS: "!!!", jurisdictions: ["XX"] },
      { eIDAS: eidasHeader("scenario-5"), jurisdictions: ["ZZ", "XX"] },
    ];
    const answer = await call("POST", "/v1/psp/checks", { body: { checks }, headers: { version: "latest" } });
    const record = await recordOf(answer);
    expect(record.checks).toHaveLength(2);
    const { body } = await call("GET", `${RECORDS}/${record.id}`);
    expect(body.data.evidence.filter(({ kind }: { kind: string }) => kind === "answer")).toHaveLength(4);
    const read = readFrom(record.id);
    expect(await replay(record, read)).toEqual({ ok: true, equal: true, compared: "results" });
    // another answer in the place of one
    const [own = "", other = ""] = body.data.evidence.flatMap(({ kind, sha256 }: Record<string, string>) =>
      kind === "answer" ? [sha256] : [],
    );
    const swapped = new TextDecoder().decode(await read(record.answer ?? "")).replace(own, other);
    const kept = new TextEncoder().encode(swapped);
    const answered = { ...record, answer: hashRecord(swapped) };
    const replaced = async (sha256: string) => (sha256 === answered.answer ? kept : read(sha256));
    expect(await replay(answered, replaced)).toMatchObject({
      ok: true,
      equal: false,
      difference: { path: /^answer\.data\[0\]\.results\[0\]\.result\b/ } as object,
    });
  });

  test("of many checks says how much was made again: the whole answer, or nothing of one that refused all", async () => {
    const compare = async (eIDAS: string) => {
      const checks = [{ eIDAS, jurisdictions: ["XX", "XY"] }];
      const record = await recordOf(await call("POST", "/v1/psp/checks", { body: { checks } }));
      return await replay(record, readFrom(record.id));
    };
    expect(await compare(eidasHeader("scenario-1"))).toEqual({ ok: true, equal: true, compared: "answer" });
    expect(await compare("!!!")).toEqual({ ok: true, equal: true, compared: "nothing" });
  });

  test.each(["", "?jurisdiction=xy"])("of a TPP check of version 1.6%s is made again", async (query) => {
    const older = { ...env, LEGACY_1_6: "true" } as unknown as Cloudflare.Env;
    for (const name of ["scenario-1", "scenario-9"]) {
      const headers = { version: undefined, "x-eidas": eidasHeader(name) };
      const record = await recordOf(await call("GET", `/v1/tpp/eidas${query}`, { env: older, headers }));
      expect(record.checks[0]?.jurisdictions).toEqual(query === "" ? [] : ["XY"]);
      expect(await replay(record, readFrom(record.id))).toEqual({ ok: true, equal: true, compared: "answer" });
    }
  });

  test("gives out no bytes but those of the SHA-256: what was altered in R2 is told", async () => {
    const record = await recordOf(answers[0] as Answer);
    const paths = [record.answer, record.checks[0]?.basis].map(
      (sha256) => `${RECORDS}/${record.id}/documents/${sha256}`,
    );
    const { objects } = await env.EVIDENCE.list({ prefix: "evidence/" });
    const kept = new Map<string, Uint8Array>();
    for (const { key } of objects)
      kept.set(key, new Uint8Array((await (await env.EVIDENCE.get(key))?.arrayBuffer()) ?? new ArrayBuffer()));
    for (const [key, bytes] of kept) await env.EVIDENCE.put(key, bytes.with(-1, (bytes.at(-1) ?? 0) ^ 1));
    try {
      for (const path of paths) {
        const { status, body } = await call("GET", path);
        expect([status, body.errors[0].code, body.errors[0].title]).toEqual([404, "document_not_found", ALTERED]);
      }
    } finally {
      for (const [key, bytes] of kept) await env.EVIDENCE.put(key, bytes);
    }
    for (const path of paths) expect((await call("GET", path, { bytes: true })).status).toBe(200);
  });

  test("of a grant: the verdicts and the decision are made again", async () => {
    const headers = { eidas: eidasHeader("scenario-1") };
    const record = await recordOf(
      await call("POST", "/v1/oauth2/authorization_codes", { headers, body: codeRequest() }),
    );
    expect(await replay(record, readFrom(record.id))).toEqual({ ok: true, equal: true, compared: "checks" });
  });

  test("gives out no document of another record", async () => {
    const [first, second] = await Promise.all(answers.slice(0, 2).map((answer) => recordOf(answer)));
    const path = (id: string | undefined, sha256: string | null | undefined) => `${RECORDS}/${id}/documents/${sha256}`;
    expect((await call("GET", path(second?.id, second?.answer))).status).toBe(200);
    expect(codesOf(await call("GET", path(first?.id, second?.answer)))).toEqual(["document_not_found"]);
  });

  test("gives out nothing of another institution's answer, which lies in the object of the same certificate", async () => {
    const { answer, checks } = await recordOf(answers[0] as Answer);
    const headers = { ...OTHER_FI, eidas: eidasHeader("scenario-1"), version: "1" };
    const checked = await call("GET", "/v1/psp/eidas?jurisdiction=xx", { headers });
    const { id } = await recordOf(checked, OTHER_FI.fi_reference_id);
    const read = (sha256: string | null | undefined) =>
      call("GET", `${RECORDS}/${id}/documents/${sha256}`, { headers: OTHER_FI, bytes: true });
    expect((await read(checks[0]?.certificate)).status).toBe(200);
    expect((await read(answer)).status).toBe(404);
  });

  test("without R2 names its documents, and has none of them", async () => {
    const { id, answer } = await recordOf(answers[0] as Answer);
    const without = { ...env, EVIDENCE: undefined } as unknown as Cloudflare.Env;
    const { body } = await call("GET", `${RECORDS}/${id}`, { env: without });
    expect(body.data.evidence.map(({ kind }: { kind: string }) => kind)).toEqual(["answer", "basis"]);
    const missing = await call("GET", `${RECORDS}/${id}/documents/${answer}`, { env: without });
    expect([missing.status, missing.body.errors[0].title]).toEqual([404, "The document is not kept (any more)"]);
  });
});

test.each([
  RECORDS,
  `${RECORDS}/0mwrpl77tS1ygblXobjfa6CXM7WSSOw`,
  `${RECORDS}/0mwrpl77tS1ygblXobjfa6CXM7WSSOw/documents/0`,
])("%s while the ledger does not answer: 503", async (path) => {
  const answer = await call("GET", path, { env: { ...env, LEDGER: unreachableLedger } });
  expect([answer.status, codesOf(answer)]).toEqual([503, ["temporarily_unavailable"]]);
  expect(JSON.stringify(answer.body)).not.toContain("secret-of-the-inside");
});

test("round trips: the list asks the ledger twice, for records and for heads; a document's record once", async () => {
  const count = async (path: string) => {
    const { env: counted, trips } = countRoundTrips(env, { ledger: true });
    await call("GET", path, { env: counted });
    return trips.sequence;
  };
  expect(await count(RECORDS)).toEqual([["LEDGER"], ["LEDGER"]]);
  const { id, answer } = await recordOf(answers[0] as Answer);
  expect(await count(`${RECORDS}/${id}`)).toEqual([["LEDGER"], ["LEDGER"]]);
  expect(await count(`${RECORDS}/${id}/documents/${answer}`)).toEqual([["LEDGER"]]);
});

describe("the operator's pass", () => {
  const FI = SANDBOX_FI.fi_reference_id;
  const by = (pass: string, fi = FI) => ({ Authorization: `Bearer ${pass}`, fi_reference_id: fi });
  const statusOf = async (path: string, headers: Record<string, string>, method = "GET") =>
    (await call(method, path, { headers, ...(method === "POST" && { body: {} }) })).status;

  test("reads the ledger that it was made for, and nothing else; deleted, it is nothing at once", async () => {
    const pass = (await insertPass(env.DB, FI, Date.now())) ?? "";
    for (const path of [RECORDS, "/v1/audit/head", `${RECORDS}/${evidenceId(answers[0] as Answer)}`])
      expect([path, await statusOf(path, by(pass))]).toEqual([path, 200]);
    expect(await statusOf(RECORDS, by(pass, OTHER_FI.fi_reference_id))).toBe(401);
    for (const path of ["/v1/oauth2/account/a/tokens", "/v1/psp/eidas?jurisdiction=xx", "/status"])
      expect([path, await statusOf(path, by(pass))]).toEqual([path, 401]);
    expect(await statusOf("/v1/psp/checks", by(pass), "POST")).toBe(401);
    await deletePass(env.DB, pass);
    expect(await statusOf(RECORDS, by(pass))).toBe(401);
  });

  test("is shared by requests that are under way at once; a replaced one is good until the command ends", async () => {
    const [held, now] = [holdPass(env.DB, FI), Date.now()];
    const first = (await held.current(now)) ?? "";
    const later = now + PASS_LIFETIME_MS / 2;
    const passes = await Promise.all(Array.from({ length: 6 }, () => held.current(later)));
    expect([new Set(passes).size, passes[0] === first]).toEqual([1, false]);
    for (const pass of [first, passes[0] ?? ""])
      expect(await findPass(env.DB, pass, FI, later)).toMatchObject({ fiReferenceId: FI });
    await held.end();
    for (const pass of [first, passes[0] ?? ""]) expect(await findPass(env.DB, pass, FI, later)).toBeNull();
    const nobody = holdPass(env.DB, "PSDXX-TEST-NOBODY");
    expect([await nobody.current(now), await nobody.end()]).toEqual([null, undefined]);
  });

  test("is stored as a hash, ends by itself, and is made for no unknown institution", async () => {
    const now = Date.now();
    const pass = (await insertPass(env.DB, FI, now)) ?? "";
    const { results } = await env.DB.prepare("SELECT * FROM operator_passes").all();
    expect(JSON.stringify(results)).not.toContain(pass);
    expect(await findPass(env.DB, pass, FI, now + PASS_LIFETIME_MS - 1)).toMatchObject({ fiReferenceId: FI });
    expect(await findPass(env.DB, pass, FI, now + PASS_LIFETIME_MS)).toBeNull();
    expect(await insertPass(env.DB, "PSDXX-TEST-NOBODY", now)).toBeNull();
    // the next one sweeps up what has ended
    await insertPass(env.DB, FI, now + PASS_LIFETIME_MS);
    expect((await env.DB.prepare("SELECT * FROM operator_passes").all()).results).toHaveLength(1);
  });

  test("a wrong one is told so, and a made one costs one read", async () => {
    const wrong = await call("GET", RECORDS, { headers: by("x".repeat(43)) });
    expect([wrong.status, codesOf(wrong)]).toEqual([401, ["credentials_invalid"]]);
    const pass = (await insertPass(env.DB, FI, Date.now())) ?? "";
    const { env: counted, trips } = countRoundTrips(env, { ledger: true });
    await call("GET", "/v1/audit/head", { env: counted, headers: by(pass) });
    expect(trips.calls).toEqual(["DB", "LEDGER"]);
  });
});
