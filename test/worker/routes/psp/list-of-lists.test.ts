/** What a bank is told while the list of lists is past its next update, and after the half year in which it still counts. */
import "reflect-metadata";
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { issueCrl } from "../../../../src/sandbox/pki/crl.ts";
import { LONGEST_ISSUE_MS } from "../../../../src/trust/anchors.ts";
import { importTrustList } from "../../../../src/trust/trust-import.ts";
import { ALL_TRUE } from "../../../all-true.ts";
import { call, codeRequest } from "../../bank.ts";
import { loadSandbox } from "../../sandbox.ts";
import { eidasOf, issuePsp, makeQtsp, PERIOD } from "../../trust/made-qtsp.ts";

const DAY_MS = 86_400_000;
const FROM = PERIOD.notBefore.toISOString();

const crls = new Map<string, ArrayBuffer>();

beforeAll(loadSandbox);
beforeEach(() => {
  vi.stubGlobal("fetch", async (url: string) => {
    const crl = crls.get(url);
    if (!crl) throw new TypeError("no such host");
    return new Response(crl);
  });
});
afterEach(() => void vi.unstubAllGlobals());

const load = (jurisdiction: string, nextUpdate: Date, anchors: Parameters<typeof importTrustList>[1]["anchors"]) =>
  importTrustList(
    env.KV,
    {
      ...{ source: "eIDAS", jurisdiction, sequenceNumber: 1, issuedAt: FROM },
      ...{ nextUpdate: nextUpdate.toISOString(), services: anchors.length, anchors },
    },
    Date.now(),
  );

let made = 0;
/** A PSP whose QTSP no isolate knows yet, on a list of its country that is in its period. The list of lists ended at `end`. */
async function makePsp(end: number): Promise<string> {
  const id = ++made;
  const crlUrl = `http://listed-${id}.test/0.crl`;
  const qtsp = await makeQtsp({ organisation: "Listed", commonName: `Listed CA ${id}`, crlUrl });
  const times = { revokedAt: PERIOD.notBefore, thisUpdate: new Date(Date.now() - 60_000), nextUpdate: PERIOD.notAfter };
  crls.set(crlUrl, (await issueCrl({ revoked: [], ...times }, qtsp)).rawData);
  await load("EU", new Date(end), []);
  await load("XX", PERIOD.notAfter, [
    {
      ...{ certificate: eidasOf(qtsp.certificate), source: "eIDAS", jurisdiction: "XX" },
      ...{ qtspName: "Listed", serviceName: `Listed CA ${id}` },
      periods: [{ status: "granted", from: FROM, uses: ["web-authentication"] }],
    },
  ]);
  return eidasOf(await issuePsp(qtsp, { organisation: "Lawful Payments", commonName: `psp-${id}.test` }));
}

async function ask(eidas: string) {
  const { body } = await call("GET", "/v1/psp/eidas?jurisdiction=xx", { headers: { eidas, version: "latest" } });
  const code = await call("POST", "/v1/oauth2/authorization_codes", { headers: { eidas }, body: codeRequest() });
  const { validity, warning_codes = [], warning = [] } = body.eIDAS;
  return { validity, codes: warning_codes, sentences: warning, accounts: body.decision.accounts, code };
}

test("before its next update nothing is told of it", async () => {
  const { validity, codes, code } = await ask(await makePsp(Date.now() + DAY_MS));
  expect({ validity, codes, status: code.status }).toEqual({ validity: ALL_TRUE, codes: [], status: 201 });
});

test("for half a year after it each answer tells it, and the PSP is judged as before", async () => {
  const end = Date.now() - LONGEST_ISSUE_MS + DAY_MS;
  const { validity, codes, sentences, code } = await ask(await makePsp(end));
  expect({ validity, codes }).toEqual({ validity: ALL_TRUE, codes: ["trusted_list_stale"] });
  const last = new Date(end + LONGEST_ISSUE_MS).toISOString();
  expect(sentences).toEqual([expect.stringMatching(new RegExp(`^the list of lists, .* after ${last}$`))]);
  expect(code.status).toBe(201);
});

test("after that no published list counts, no PSP acts by one, and the source is to blame", async () => {
  const { validity, codes, accounts, code } = await ask(await makePsp(Date.now() - LONGEST_ISSUE_MS - DAY_MS));
  expect({ validity, codes }).toEqual({
    validity: { ...ALL_TRUE, validQTSP: false },
    codes: ["list_of_lists_expired"],
  });
  const message = expect.stringContaining("counts no longer: the next update of the list of lists");
  expect(accounts).toEqual({ allowed: false, reasons: [{ code: "list_of_lists_expired", message, whose: "source" }] });
  expect(code).toMatchObject({ status: 401, body: { errors: [{ code: "qtsp_invalid", title: message }] } });
});
