/**
 * A PSP that does not send its issuers: they are found among those of chains verified before, or where its certificate
 * says. What is found is a candidate and no more, and a stranger's URL costs no more than an OCSP responder that is down.
 */
import { memories } from "../../../../src/platform/memory.ts";
import { ALL_TRUE } from "../../../all-true.ts";
import "reflect-metadata";
import { env } from "cloudflare:workers";
import type { X509Certificate } from "@peculiar/x509";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { sequence } from "../../../../fixtures/makers/made-pki.ts";
import { readIssuers } from "../../../../src/events/issuers.ts";
import { judgeBasis } from "../../../../src/evidence/replay/judge-basis.ts";
import { listBasis } from "../../../../src/psp-check/basis.ts";
import { issuerKey, readKeptIssuers } from "../../../../src/psp-check/kept-issuers.ts";
import { checkPsp } from "../../../../src/psp-check/psp-check.ts";
import { findBackOff } from "../../../../src/revocation/source-attempts.ts";
import type { Authority } from "../../../../src/sandbox/pki/authority.ts";
import { issueCrl } from "../../../../src/sandbox/pki/crl.ts";
import { type Certificate, parseCertificate } from "../../../../src/x509/certificate.ts";
import { context, encodeDer, encodeOid, Tag } from "../../../../src/x509/der.ts";
import { type Answer, call, codeRequest, codesOf } from "../../bank.ts";
import { countRoundTrips } from "../../bindings.ts";
import { loadSandbox } from "../../sandbox.ts";
import { eidasOf, issuePsp, listQtsp, makeQtsp, PERIOD } from "../../trust/made-qtsp.ts";

/** What each URL answers; every other one cannot be reached. */
const published = new Map<string, (url: string) => Response | Promise<Response>>();
const asked: string[] = [];
let now: number;

beforeAll(loadSandbox);
beforeEach(() => {
  now = Date.now();
  vi.stubGlobal("fetch", async (url: string) => {
    asked.push(url);
    const answer = published.get(url);
    if (!answer) throw new TypeError("no such host");
    return answer(url);
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  asked.length = 0;
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const bytes = (certificate: X509Certificate) => new Uint8Array(certificate.rawData);
const parse = (certificate: X509Certificate): Certificate => parseCertificate(bytes(certificate));

let made = 0;
/** A listed root and a CA below it, which is on no list; each test has its own. */
async function makeWorld({
  levels = 1,
  certificateUrl,
}: {
  levels?: number;
  certificateUrl?: string | null | ((id: number, level: number) => string[]);
} = {}) {
  const id = ++made;
  const publish = async (authority: Authority) => {
    const thisUpdate = new Date(now - 60_000);
    const request = { revoked: [], revokedAt: thisUpdate, thisUpdate, nextUpdate: PERIOD.notAfter };
    const crl = await issueCrl(request, authority);
    published.set(authority.crlUrl, () => new Response(crl.rawData));
    // of several the last
    const url = [authority.certificateUrl ?? []].flat().at(-1);
    if (url) published.set(url, () => new Response(bytes(authority.certificate)));
  };
  const urlsOf = (n: number) => (typeof certificateUrl === "function" ? certificateUrl(id, n) : certificateUrl);
  const name = (n: number) => ({
    ...{ organisation: `World ${id}`, commonName: `CA ${id}.${n}`, crlUrl: `http://ca-${id}.test/${n}.crl` },
    ...(certificateUrl === null ? {} : { certificateUrl: urlsOf(n) ?? `http://ca-${id}.test/${n}.cer` }),
  });
  const root = await makeQtsp({ ...name(0), pathLength: 5 });
  await publish(root);
  await listQtsp(root, `world-${id}`);
  const below: Authority[] = [];
  for (let n = 1; n <= levels; n++) {
    const one = await makeQtsp({ ...name(n), pathLength: levels - n }, below.at(-1) ?? root);
    await publish(one);
    below.push(one);
  }
  const issuing = below.at(-1) ?? root;
  const url = [issuing.certificateUrl ?? ""].flat()[0] ?? "";
  const leaf = (commonName = `psp-${id}.test`, fields = {}) =>
    issuePsp(issuing, { organisation: "Lawful Payments", commonName, ...fields });
  return { root, below, issuing, url, leaf };
}

const check = (...chain: X509Certificate[]): Promise<Answer> =>
  call("GET", "/v1/psp/eidas?jurisdiction=xx", { headers: { eidas: eidasOf(...chain), version: "latest" } });
/** The four verdicts, and the codes on issuers. */
const said = ({ body: { eIDAS } }: Answer) => ({
  validity: eIDAS.validity,
  codes: (eIDAS.warning_codes ?? []).filter((code: string) => code.startsWith("issuer_")),
});
const sentenceOf = ({ body: { eIDAS } }: Answer, code: string): string =>
  eIDAS.warning[eIDAS.warning_codes.indexOf(code)];
const issuerFetches = () => asked.filter((url) => !url.endsWith(".crl"));
/** What another isolate knows of it. */
const forget = (...keys: string[]) => {
  for (const key of keys) memories.get("issuers")?.delete(key);
};
const later = (milliseconds: number) => vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + milliseconds });

describe("a missing issuer does not cut off a lawful PSP", () => {
  test("it is fetched where the certificate says, and the answer waits for it", async () => {
    const { leaf, url, below } = await makeWorld();
    const psp = await leaf();
    const answer = await check(psp);
    expect(said(answer)).toEqual({ validity: ALL_TRUE, codes: ["issuer_found"] });
    expect(sentenceOf(answer, "issuer_found")).toBe(
      `the certificate of the issuer "CA ${made}.1" was not sent: it was fetched from "${url}"`,
    );
    expect(answer.body.evidence.path.map(({ sha256 }: { sha256: string }) => sha256)).toContain(
      parse((below[0] as Authority).certificate).fingerprint,
    );
    expect(issuerFetches()).toEqual([url]);
    // the next PSP of the same CA needs no fetch
    const other = await check(await leaf("other.test"));
    expect(said(other)).toEqual({ validity: ALL_TRUE, codes: ["issuer_found"] });
    expect(sentenceOf(other, "issuer_found")).toContain("kept from a chain that was verified before");
    expect(issuerFetches()).toEqual([url]);
    // and a PSP acts with it
    const code = await call("POST", "/v1/oauth2/authorization_codes", {
      headers: { eidas: eidasOf(psp) },
      body: codeRequest(),
    });
    expect(code.body.errors ?? []).not.toContainEqual(expect.objectContaining({ code: "qtsp_invalid" }));
  });

  const pem = (label: string, der: Uint8Array) =>
    `-----BEGIN ${label}-----\n${Buffer.from(der).toString("base64").replaceAll(/.{64}/g, "$&\n")}\n-----END ${label}-----\n`;
  const pkcs7 = (...certificates: Uint8Array[]) =>
    sequence(
      encodeOid("1.2.840.113549.1.7.2"),
      encodeDer(
        context(0),
        sequence(
          encodeDer(Tag.integer, Uint8Array.of(1)),
          encodeDer(Tag.set),
          sequence(encodeOid("1.2.840.113549.1.7.1")),
          encodeDer(context(0), ...certificates),
          encodeDer(Tag.set),
        ),
      ),
    );
  test.each<[string, (issuer: Uint8Array, root: Uint8Array) => BodyInit]>([
    ["PEM", (issuer) => pem("CERTIFICATE", issuer)],
    ["PEM of several", (issuer, root) => pem("CERTIFICATE", root) + pem("CERTIFICATE", issuer)],
    ["PKCS#7", (issuer, root) => pkcs7(root, issuer)],
    ["PKCS#7 as PEM", (issuer) => pem("PKCS7", pkcs7(issuer))],
  ])("it is published as %s", async (_, write) => {
    const { leaf, url, root, issuing } = await makeWorld();
    published.set(url, () => new Response(write(bytes(issuing.certificate), bytes(root.certificate))));
    expect(said(await check(await leaf()))).toEqual({ validity: ALL_TRUE, codes: ["issuer_found"] });
  });

  test("three are missing one above another, and each is where the one below says", async () => {
    const { leaf, below } = await makeWorld({ levels: 3 });
    expect(said(await check(await leaf()))).toEqual({
      validity: ALL_TRUE,
      codes: ["issuer_found", "issuer_found", "issuer_found"],
    });
    expect(issuerFetches()).toEqual(below.toReversed().map(({ certificateUrl }) => certificateUrl));
  });

  test("another PSP has sent it before, and another isolate has it from KV", async () => {
    const { leaf, issuing } = await makeWorld({ certificateUrl: null });
    const first = await leaf();
    expect(said(await check(first))).toEqual({ validity: { ...ALL_TRUE, ...NO_PATH }, codes: [] });
    expect(said(await check(first, issuing.certificate))).toEqual({ validity: ALL_TRUE, codes: [] });
    const second = await leaf("second.test");
    const key = issuerKey(parse(second));
    await vi.waitFor(async () => expect(await env.KV.get(key)).not.toBeNull(), { timeout: 60_000 });
    forget(key);
    expect(said(await check(second))).toEqual({ validity: ALL_TRUE, codes: ["issuer_found"] });
    expect(issuerFetches()).toEqual([]);
  });

  test("a fetch that takes long goes on behind the answer, which says so, and the next request has it", async () => {
    const { leaf, url, issuing } = await makeWorld();
    let send = () => {};
    const slow = new Promise<void>((resolve) => {
      send = resolve;
    });
    published.set(url, () => slow.then(() => new Response(bytes(issuing.certificate))));
    const psp = await leaf();
    const { timeout } = AbortSignal;
    // the answer's patience has ended, that of the fetch has not
    vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => (ms === 2_000 ? AbortSignal.abort() : timeout(ms)));
    const first = await check(psp);
    expect(said(first)).toEqual({ validity: { ...ALL_TRUE, ...NO_PATH }, codes: ["issuer_pending"] });
    expect(sentenceOf(first, "issuer_pending")).toContain(`it is being fetched from "${url}", so ask again`);
    expect(sentenceOf(first, "qtsp_invalid")).toContain(`it is being fetched from "${url}", so ask again`);
    const refused = await call("POST", "/v1/oauth2/authorization_codes", {
      headers: { eidas: eidasOf(psp) },
      body: codeRequest(),
    });
    expect([refused.status, codesOf(refused)]).toEqual([401, ["qtsp_invalid"]]);
    expect(refused.body.errors[0].title).toContain("it is being fetched from");
    // all of them share one fetch
    expect(issuerFetches()).toEqual([url]);
    send();
    await vi.waitFor(
      async () => expect(said(await check(psp))).toEqual({ validity: ALL_TRUE, codes: ["issuer_found"] }),
      { timeout: 60_000 },
    );
    expect(issuerFetches()).toEqual([url]);
  });

  test("round trips: none for a certificate seen before; one more than with its issuer, where that is known", async () => {
    const { leaf } = await makeWorld();
    const [first, second] = [await leaf("first.test"), await leaf("second.test")];
    await check(first);
    const { env: counted, trips } = countRoundTrips(env);
    const headers = { eidas: eidasOf(second), version: "latest" };
    await call("GET", "/v1/psp/eidas?jurisdiction=xx", { headers, env: counted });
    expect(trips.rounds).toBe(2);
    await call("GET", "/v1/psp/eidas?jurisdiction=xx", { headers, env: counted });
    expect(trips.rounds).toBe(2);
  });

  test("many checks in one request have it as well", async () => {
    const { leaf, url } = await makeWorld();
    const psps = await Promise.all(["a", "b", "c"].map((name) => leaf(`${name}.test`)));
    const checks = psps.map((psp) => ({ eIDAS: eidasOf(psp), jurisdictions: ["XX"] }));
    const { body } = await call("POST", "/v1/psp/checks", { body: { checks } });
    expect(
      body.data.map(({ results }: { results: { result: { eIDAS: object } }[] }) => results[0]?.result.eIDAS),
    ).toEqual(psps.map(() => expect.objectContaining({ validity: ALL_TRUE })));
    expect(issuerFetches()).toEqual([url]);
  });

  test("what an answer rested on is named, and judged the same without a store", async () => {
    const { leaf } = await makeWorld();
    const chain = { leaf: parse(await leaf()), issuers: [] };
    const ctx = { waitUntil: () => {} };
    const { check: checked, documents } = await checkPsp({ env, ctx, chain, jurisdiction: "XX", now });
    expect(checked.validity).toEqual(ALL_TRUE);
    const { basis, hosts } = listBasis([checked]);
    const kept = new Map([...documents, basis, ...hosts].map((each) => [each.sha256, each.bytes()]));
    published.clear();
    forget(issuerKey(chain.leaf));
    const again = await judgeBasis(basis.sha256, async (sha256) => kept.get(sha256) ?? null, now);
    if (!again.ok) throw new Error(JSON.stringify(again.missing));
    const { validity, warnings, evidence } = again.checkFor(null);
    expect({ validity, warnings, evidence }).toEqual({
      ...{ validity: checked.validity, warnings: checked.warnings, evidence: checked.evidence },
    });
  });

  test("the sweep of events judges the completed chain", async () => {
    const { leaf } = await makeWorld();
    const psp = await leaf("swept.test", { authNumber: `PSDXX-TEST-9${made}` });
    expect(said(await check(psp))).toMatchObject({ validity: ALL_TRUE });
    await vi.waitFor(
      async () => {
        const [read] = await readIssuers(env.DB, env.KV, [`PSDXX-TEST-9${made}`], now);
        expect(read?.issuers).toEqual([expect.objectContaining({ status: "granted" })]);
      },
      { timeout: 60_000 },
    );
  });
});

const NO_PATH = { validQTSP: false, validSignature: false, notRevoked: false };

describe("a certificate with a hostile AIA costs no more than any other", () => {
  test.each([
    ["a loopback address", "http://127.0.0.1:8080/ca.cer"],
    ["a private address", "http://10.0.0.1/ca.cer"],
    ["an address in another spelling", "http://0x7f000001/ca.cer"],
    ["the cloud's metadata", "http://169.254.169.254/latest"],
    ["an address of IPv6", "http://[::1]/ca.cer"],
    ["this machine", "http://localhost/ca.cer"],
    ["this machine with the root's dot", "http://localhost./ca.cer"],
    ["a name of the own network", "http://ca.internal/ca.cer"],
    ["a name without a dot", "http://intranet/ca.cer"],
  ])("%s is not asked, nor by a redirect", async (_, target) => {
    published.set(target, () => new Response("secret"));
    const direct = await makeWorld({ certificateUrl: target });
    const psp = await direct.leaf();
    const answer = await check(psp);
    expect(said(answer)).toEqual({ validity: { ...ALL_TRUE, ...NO_PATH }, codes: ["issuer_unavailable"] });
    expect(sentenceOf(answer, "issuer_unavailable")).toContain("has no name on the public internet");
    const moved = await makeWorld();
    published.set(moved.url, () => new Response(null, { status: 302, headers: { Location: target } }));
    expect(said(await check(await moved.leaf())).codes).toEqual(["issuer_unavailable"]);
    expect(issuerFetches()).toEqual([moved.url]);
  });

  test.each<[string, (url: string) => Response, string, number]>([
    ["garbage", () => new Response("<html>no certificate</html>"), "sent no certificate that can be read", 1],
    ["nothing", () => new Response(""), "sent no certificate that can be read", 1],
    ["too much", () => new Response(new Uint8Array(65 * 1024)), "sent more than 65536 bytes", 1],
    ["an error", () => new Response("", { status: 500 }), "answered with status 500", 1],
    ["redirects without end", (url) => Response.redirect(`${url}x`, 302), "redirected more than 2 times", 3],
  ])("%s is fetched once, then not for a while", async (_, respond, why, fetches) => {
    const { leaf, url } = await makeWorld();
    for (const each of [url, `${url}x`, `${url}xx`, `${url}xxx`]) published.set(each, respond);
    const answer = await check(await leaf());
    expect(said(answer)).toEqual({ validity: { ...ALL_TRUE, ...NO_PATH }, codes: ["issuer_unavailable"] });
    expect(sentenceOf(answer, "issuer_unavailable")).toBe(
      `the certificate of an issuer was not sent: it cannot be fetched, since the server of "${url}" ${why}`,
    );
    expect(said(await check(await leaf("again.test"))).codes).toEqual(["issuer_unavailable"]);
    expect(issuerFetches()).toHaveLength(fetches);
    // the failures of such a fetch are none of an OCSP responder or CRL of the same URL
    expect(findBackOff(url, Date.now())).toBeNull();
  });

  test("servers that are down are not asked without end: four in all, three for one certificate", async () => {
    const one = await makeWorld({
      certificateUrl: (id, n) => [1, 2, 3, 4].map((i) => `http://down-${id}.test/${n}-${i}.cer`),
    });
    expect(said(await check(await one.leaf())).codes).toEqual(["issuer_unavailable"]);
    expect(issuerFetches()).toHaveLength(3);
    const two = await makeWorld({
      levels: 2,
      certificateUrl: (id, n) => [1, 2, 3].map((i) => `http://down-${id}.test/${n}-${i}.cer`),
    });
    const answer = await check(await two.leaf());
    expect(said(answer).codes).toEqual(["issuer_found", "issuer_unavailable"]);
    expect(sentenceOf(answer, "issuer_unavailable")).toContain("was not asked, after 4 others");
    expect(issuerFetches()).toHaveLength(3 + 4);
  });

  test("a certificate of the same name and another key is none of the issuer", async () => {
    const { leaf, url } = await makeWorld();
    const impostor = await makeQtsp({
      organisation: `World ${made}`,
      commonName: `CA ${made}.1`,
      crlUrl: "http://x.test/",
    });
    published.set(url, () => new Response(bytes(impostor.certificate)));
    const answer = await check(await leaf());
    expect(said(answer)).toEqual({ validity: { ...ALL_TRUE, ...NO_PATH }, codes: ["issuer_unavailable"] });
    expect(sentenceOf(answer, "issuer_unavailable")).toContain("sent no certificate that issued it");
  });

  test("what leads to no list is neither trusted nor kept for others", async () => {
    const root = await makeQtsp({
      organisation: "Nobody",
      commonName: "Nobody's root",
      crlUrl: "http://n.test/0.crl",
      certificateUrl: "http://n.test/0.cer",
      pathLength: 1,
    });
    const own = await makeQtsp(
      {
        organisation: "Nobody",
        commonName: "Nobody's CA",
        crlUrl: "http://n.test/1.crl",
        certificateUrl: "http://n.test/1.cer",
      },
      root,
    );
    published.set("http://n.test/0.cer", () => new Response(bytes(root.certificate)));
    published.set("http://n.test/1.cer", () => new Response(bytes(own.certificate)));
    const psp = await issuePsp(own, { organisation: "Nobody", commonName: "nobody.test" });
    expect(said(await check(psp))).toEqual({
      validity: { ...ALL_TRUE, ...NO_PATH },
      codes: ["issuer_found", "issuer_found"],
    });
    expect(await env.KV.get(issuerKey(parse(psp)))).toBeNull();
    // and no CRL of such a chain is asked for
    expect(asked).toEqual(["http://n.test/1.cer", "http://n.test/0.cer"]);
  });

  test("what is kept is verified again: garbage and another CA's certificate are passed over", async () => {
    const { leaf, url, root } = await makeWorld();
    const psp = await leaf();
    const key = issuerKey(parse(psp));
    for (const value of [new Uint8Array([1, 2, 3]), bytes(root.certificate)]) {
      await env.KV.put(key, value);
      forget(key);
      expect((await readKeptIssuers(env.KV, parse(psp), now)).length).toBeLessThan(2);
      later(31_000);
      expect(said(await check(psp))).toEqual({ validity: ALL_TRUE, codes: ["issuer_found"] });
    }
    expect(issuerFetches()).toEqual([url]);
  });

  test("nothing is fetched for what is no PSP's certificate, has ended, or is complete", async () => {
    const { leaf, issuing, root } = await makeWorld();
    const noNumber = await leaf("none.test", { authNumber: "VATXX-1" });
    const ended = await leaf("ended.test", { notBefore: new Date("2020-01-01"), notAfter: new Date("2021-01-01") });
    for (const one of [noNumber, ended, issuing.certificate])
      expect(said(await check(one)).codes.filter((code: string) => code !== "issuer_found")).toEqual([]);
    expect(said(await check(await leaf("whole.test"), issuing.certificate))).toEqual({ validity: ALL_TRUE, codes: [] });
    expect(said(await check(await issuePsp(root, { organisation: "Direct", commonName: "direct.test" })))).toEqual({
      validity: ALL_TRUE,
      codes: [],
    });
    expect(issuerFetches()).toEqual([]);
  });
});
