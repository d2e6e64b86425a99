/**
 * What a CRL's source may send, seen from the endpoints: CRLs come over plain http, so whoever stands on the way can
 * replay an older one or send garbage. Neither brings a revoked PSP back, nor cuts a lawful one off.
 */
import type { X509Certificate } from "@peculiar/x509";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { Authority } from "../../../src/sandbox/pki/authority.ts";
import { issueCrl } from "../../../src/sandbox/pki/crl.ts";
import { type Answer, call, codeRequest, codesOf } from "../bank.ts";
import { loadSandbox } from "../sandbox.ts";
import { eidasOf, issuePsp, listQtsp, makeQtsp } from "../trust/made-qtsp.ts";

const HOUR = 3_600_000;
const hoursFromNow = (hours: number) => new Date(Date.now() + hours * HOUR);

/** What each URL sends, and how often it was asked. */
const sources = new Map<string, { bytes: Uint8Array; asked: number }>();
const serve = (url: string, bytes: Uint8Array) => sources.set(url, { bytes, asked: sources.get(url)?.asked ?? 0 });
const askedOf = (url: string) => sources.get(url)?.asked ?? 0;

beforeAll(loadSandbox);
afterEach(() => vi.unstubAllGlobals());

let made = 0;
/** A listed QTSP of its own for each test, and a way to make PSPs and CRLs of it. */
async function makeReplayed() {
  const crlUrl = `http://crl.test/${++made}.crl`;
  const names = { organisation: "Replayed Ltd", commonName: `Replayed CA ${made}`, pathLength: 1, crlUrl };
  const authority = await makeQtsp(names);
  await listQtsp(authority, `replayed-${made}`);
  vi.stubGlobal("fetch", async (url: string) => {
    const source = sources.get(url);
    if (!source) throw new TypeError("no such host");
    source.asked++;
    return new Response(source.bytes);
  });
  const issue = (commonName: string) =>
    issuePsp(authority, { organisation: "Replayed Payments Ltd", commonName, roles: ["PSP_AI", "PSP_PI"] });
  const crl = async (from: number, to: number, revoked: X509Certificate[] = [], signer: Authority = authority) => {
    const dates = { revokedAt: hoursFromNow(-48), thisUpdate: hoursFromNow(from), nextUpdate: hoursFromNow(to) };
    return new Uint8Array((await issueCrl({ revoked, ...dates }, signer)).rawData);
  };
  const namesake = await makeQtsp(names);
  return { authority, namesake, crlUrl, issue, crl };
}

const askCode = (...chain: X509Certificate[]) =>
  call("POST", "/v1/oauth2/authorization_codes", { headers: { eidas: eidasOf(...chain) }, body: codeRequest() });
const askCcgToken = (...chain: X509Certificate[]) =>
  call("POST", "/v1/obie/ccg_tokens", { body: { eIDAS: eidasOf(...chain), scope: "accounts" } });
const outcome = (answer: Answer) => (answer.status < 300 ? answer.status : codesOf(answer).join());

test("an older CRL that is still current does not bring a revoked PSP back", async () => {
  const { authority, crlUrl, issue, crl } = await makeReplayed();
  const [stolen, other] = [await issue("stolen.example"), await issue("other.example")];
  // past half of its time, so that a check asks for the next one behind its answer
  serve(crlUrl, await crl(-48, 12, [stolen]));
  expect(outcome(await askCode(stolen))).toBe("certificate_revoked");

  serve(crlUrl, await crl(-72, 12));
  expect(outcome(await askCode(other))).toBe(201);
  await vi.waitFor(() => expect(askedOf(crlUrl)).toBe(2), { timeout: 60_000 });

  // with its issuer behind it, so that it is not the chain that the isolate has seen
  const again = [stolen, authority.certificate];
  expect(outcome(await askCode(...again))).toBe("certificate_revoked");
  expect(outcome(await askCcgToken(...again))).toBe("certificate_revoked");
});

describe("a lawful PSP stays in while a good CRL is kept, though the source sends", () => {
  type Qtsp = Awaited<ReturnType<typeof makeReplayed>>;
  test.each<[string, (qtsp: Qtsp) => Promise<Uint8Array>]>([
    ["one that has ended", ({ crl }) => crl(-24, -1)],
    ["one with another key's signature", ({ crl, namesake }) => crl(-1, 24, [], namesake)],
    ["one of another CA", async () => (await makeReplayed()).crl(-1, 24)],
    ["an older one", ({ crl }) => crl(-72, 12)],
    ["garbage", async () => new TextEncoder().encode("<html>maintenance</html>")],
  ])("%s", async (_, bad) => {
    const qtsp = await makeReplayed();
    const { authority, crlUrl, issue, crl } = qtsp;
    const [first, second] = [await issue("first.example"), await issue("second.example")];
    serve(crlUrl, await crl(-48, 12));
    expect(outcome(await askCode(first))).toBe(201);

    serve(crlUrl, await bad(qtsp));
    expect(outcome(await askCode(second))).toBe(201);
    await vi.waitFor(() => expect(askedOf(crlUrl)).toBe(2), { timeout: 60_000 });
    expect(outcome(await askCode(first, authority.certificate))).toBe(201);
    expect(outcome(await askCcgToken(second, authority.certificate))).toBe(201);
  });
});
