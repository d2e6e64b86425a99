/** Revocation against real peers: OpenSSL's own OCSP responder, its CRLs over HTTP, and servers that misbehave. */
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, test as everyTest, expect, vi } from "vitest";
import { importCrl } from "../../src/revocation/crl-import.ts";
import { crlKey } from "../../src/revocation/crl-slot.ts";
import { ocspKey } from "../../src/revocation/ocsp-slot.ts";
import { checkRevocation } from "../../src/revocation/revocation.ts";
import type { RevocationStatus } from "../../src/revocation/revocation-status.ts";
import { SOURCE_TIMEOUT_MS } from "../../src/revocation/source-attempts.ts";
import type { Certificate } from "../../src/x509/certificate.ts";
import { findTool } from "../tools.ts";
import { OpensslAuthority } from "./openssl-authority.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const openssl = findTool("openssl");
const test = everyTest.runIf(openssl);
let authority: OpensslAuthority;
let stranger: OpensslAuthority;
let web: Server;
const pages = new Map<string, (response: ServerResponse) => void>();
let origin: string;
const urls = { ca: "", responder: "", stranger: "", down: "" };

beforeAll(async () => {
  authority = new OpensslAuthority(openssl ?? "", "Test QTSP");
  stranger = new OpensslAuthority(openssl ?? "", "Test Stranger");
  web = createServer((request, response) => {
    const page = pages.get(request.url ?? "");
    if (page) page(response);
    else response.writeHead(404).end("no such page");
  });
  origin = await listen(web);
  const gone = createServer();
  urls.down = await listen(gone);
  await new Promise((resolve) => gone.close(resolve));
});

/** By which the limits of time are longer: a loaded machine is no slow source. One that never answers is waited for the less. */
let patience: number;
const { timeout } = AbortSignal;
const limits = vi.spyOn(AbortSignal, "timeout");
beforeEach(() => {
  patience = 20;
  limits.mockReset().mockImplementation((ms) => timeout.call(AbortSignal, ms * patience));
});

afterAll(async () => {
  authority.close();
  stranger.close();
  web.closeAllConnections();
  await new Promise((resolve) => web.close(resolve));
});

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A page of its own for each test, since a source that failed is left alone for a while. */
function serve(path: string, answer: Uint8Array | ((response: ServerResponse) => void)): string {
  pages.set(path, answer instanceof Uint8Array ? (response) => response.end(answer) : answer);
  return origin + path;
}

/** Checks one certificate as of `now`, and says what was kept. */
async function check(
  certificate: Certificate,
  { kept = new Map<string, Uint8Array>(), now = Date.now() } = {},
): Promise<RevocationStatus & { kept: Map<string, Uint8Array> }> {
  const pending: Promise<unknown>[] = [];
  const written = new Map<string, Uint8Array>();
  const [status] = await checkRevocation({
    kv: {
      get: async (key: string) => Uint8Array.from(written.get(key) ?? kept.get(key) ?? []).buffer as never,
      put: async (key, value) => void written.set(key, value as Uint8Array),
    },
    ctx: { waitUntil: (promise) => void pending.push(promise) },
    path: [certificate, authority.certificate],
    cached: kept,
    now,
  });
  // what runs behind the answer may put more behind it
  for (let next = pending.shift(); next; next = pending.shift()) await next;
  if (!status) throw new Error("no status");
  return { ...status, kept: written };
}

/** What KV holds when the authority's CRL was kept. */
async function keepCrl(url: string, der: Uint8Array): Promise<Map<string, Uint8Array>> {
  const kept = new Map<string, Uint8Array>();
  const kv = {
    get: async () => null,
    put: async (key: string, value: unknown) => void kept.set(key, value as Uint8Array),
  };
  const imported = await importCrl(kv, { url, der, issuer: authority.certificate, now: Date.now() });
  expect(imported).toMatchObject({ ok: true });
  return kept;
}

test.each(["ca", "responder"] as const)("OpenSSL's responder, signing as the %s, is believed", async (by) => {
  // OpenSSL reads its index once, at the start: the certificates come first, so their URL is a page that redirects there
  const ocsp = serve(`/ocsp-of-${by}`, (response) => response.writeHead(307, { Location: responder }).end());
  const good = authority.issue(`good-${by}`, { ocsp });
  const revoked = authority.issue(`revoked-${by}`, { ocsp });
  const unlisted = authority.issue(`unlisted-${by}`, { ocsp }, false);
  authority.revoke(`revoked-${by}`, "keyCompromise");
  const responder = await authority.startResponder(by);

  const answer = await check(good);
  expect(answer).toMatchObject({ status: "good", source: "OCSP", message: "" });
  expect(answer.validUntil - (answer.thisUpdate ?? 0)).toBe(DAY_MS);
  expect([...answer.kept.keys()]).toEqual([ocspKey(good)]);

  expect(await check(revoked)).toMatchObject({
    status: "revoked",
    source: "OCSP",
    reason: "keyCompromise",
    message: expect.stringContaining(`the certificate of revoked-${by} has been revoked since `),
  });

  const unknown = await check(unlisted);
  expect(unknown).toMatchObject({ status: "unknown", source: null });
  expect(unknown.message).toContain(`the OCSP responder ${ocsp} does not know the certificate`);
  // it is kept: a minute later the responder may be down
  expect([...unknown.kept.keys()]).toEqual([ocspKey(unlisted)]);

  // two days later, the same answer of OpenSSL's has ended
  const late = await check(good, { now: Date.now() + 2 * DAY_MS });
  expect(late).toMatchObject({ status: "unknown" });
  expect(late.message).toContain("cannot be used: a newer one was due at");
});

test("OpenSSL's responder without ocsp-nocheck is believed until OpenSSL's CRL revokes it, and with a caution before", async () => {
  const crl = `${origin}/of-responder.crl`;
  const ocsp = serve("/ocsp-of-revoked", (response) => response.writeHead(307, { Location: responder }).end());
  const issue = (n: number) => authority.issue(`asks-checked-${n}`, { ocsp });
  const [first, second, third] = [issue(1), issue(2), issue(3)];
  authority.issueResponder("checked", crl);
  const responder = await authority.startResponder("checked");
  const uncertain = await check(first);
  expect(uncertain).toMatchObject({ status: "good", source: "OCSP" });
  expect(uncertain.caution).toContain(`the CRL server ${crl} answered with status 404`);
  serve("/of-responder.crl", authority.crl(7));
  const later = Date.now() + 60_000;
  expect(await check(second, { now: later })).toMatchObject({ status: "good", source: "OCSP", caution: undefined });
  authority.revoke("checked", "keyCompromise");
  await new Promise((resolve) => setTimeout(resolve, 1_100)); // the CRL's time has whole seconds
  const revoking = await keepCrl(crl, authority.crl(7));
  const refused = await check(third, { kept: revoking, now: later });
  expect(refused).toMatchObject({ status: "unknown" });
  expect(refused.message).toContain("its responder is revoked: the certificate of checked has been revoked since");
});

test("a responder that another authority made is not believed", async () => {
  const ocsp = serve("/ocsp-of-stranger", (response) => response.writeHead(307, { Location: responder }).end());
  const certificate = authority.issue("asks-stranger", { ocsp });
  const responder = await authority.startResponder(stranger);
  const answer = await check(certificate);
  expect(answer).toMatchObject({ status: "unknown" });
  expect(answer.message).toContain("the responder's certificate has another issuer");
  expect(answer.kept.size).toBe(0);
});

test("OpenSSL's CRL says good and revoked, and counts until its nextUpdate", async () => {
  const crl = `${origin}/ca.crl`;
  const good = authority.issue("good-by-crl", { crl });
  const revoked = authority.issue("revoked-by-crl", { crl });
  authority.revoke("revoked-by-crl", "superseded");
  serve("/ca.crl", authority.crl(7));

  const answer = await check(good);
  expect(answer).toMatchObject({ status: "good", source: "CRL" });
  expect([...answer.kept.keys()]).toEqual([crlKey(crl, good.issuer)]);
  expect(await check(revoked)).toMatchObject({ status: "revoked", source: "CRL", reason: "superseded" });
  const late = await check(good, { now: Date.now() + 8 * DAY_MS });
  expect(late.message).toContain(`the CRL of ${crl} cannot be used: a newer one was due at`);
});

test("a CRL of another authority says nothing", async () => {
  const crl = serve("/stranger.crl", stranger.crl(7));
  const answer = await check(authority.issue("crl-of-stranger", { crl }));
  expect(answer).toMatchObject({ status: "unknown" });
  expect(answer.message).toContain("cannot be used: it has another issuer");
});

test("where the responder is down, the CRL answers", async () => {
  const crl = `${origin}/fallback.crl`;
  const certificate = authority.issue("falls-back", { ocsp: `${urls.down}/fallback`, crl });
  serve("/fallback.crl", authority.crl(7));
  expect(await check(certificate)).toMatchObject({ status: "good", source: "CRL" });
});

const hang = () => {};
const TOO_LATE = "did not answer in time";
const endless = (response: ServerResponse) => {
  const more = () => {
    while (!response.destroyed && response.write(Buffer.alloc(65_536))) {}
  };
  response.on("drain", more);
  more();
};
test.each([
  ["is down", "ocsp", null, "could not be reached"],
  ["is slow", "ocsp", hang, TOO_LATE],
  ["stops in the middle of its answer", "ocsp", (r: ServerResponse) => r.writeHead(200).write("3"), TOO_LATE],
  [
    "answers garbage",
    "ocsp",
    (r: ServerResponse) => r.end("<html>maintenance</html>"),
    "cannot be used: it cannot be read: it is a web page (HTML) instead of an OCSP response in DER",
  ],
  [
    "answers nothing",
    "ocsp",
    (r: ServerResponse) => r.end(),
    "cannot be used: it cannot be read: it is empty instead of an OCSP response in DER",
  ],
  ["answers with an error", "ocsp", (r: ServerResponse) => r.writeHead(503).end(), "answered with status 503"],
  [
    "announces too much",
    "ocsp",
    (r: ServerResponse) => r.writeHead(200, { "Content-Length": 65_537 }).write("0"),
    "sent more than 65536 bytes",
  ],
  ["sends without end", "ocsp", endless, "sent more than 65536 bytes"],
  [
    "redirects in a circle",
    "ocsp",
    (r: ServerResponse) => r.writeHead(302, { Location: "" }).end(),
    "redirected more than 2 times",
  ],
  [
    "redirects to a file",
    "ocsp",
    (r: ServerResponse) => r.writeHead(302, { Location: "file:///etc/passwd" }).end(),
    "has no usable http address",
  ],
  ["is slow", "crl", hang, TOO_LATE],
  [
    "answers garbage",
    "crl",
    (r: ServerResponse) => r.end("<html>maintenance</html>"),
    "cannot be used: it cannot be read: it is a web page (HTML) instead of a CRL in DER",
  ],
  ["sends without end", "crl", endless, "sent more than 10485760 bytes"],
] as const)("a source that %s (%#, %s) leaves the status unknown, and says so", async (name, kind, answer, message) => {
  const path = `/${kind}/${name.replaceAll(" ", "-")}`;
  const url = answer ? serve(path, answer) : urls.down + path;
  const certificate = authority.issue(path.slice(1).replaceAll("/", "-"), { [kind]: url });
  if (message === TOO_LATE) patience = 1 / 20;
  const status = await check(certificate);
  expect(Math.min(...limits.mock.calls.flat())).toBe(SOURCE_TIMEOUT_MS);
  expect(status).toMatchObject({ status: "unknown", source: null, message: expect.stringContaining(message) });
  expect(status.kept.size).toBe(0);
});

test("a certificate that names no source says so", async () => {
  expect((await check(authority.issue("sourceless", {}))).message).toBe(
    "the certificate of sourceless: its status is unknown because it names neither an OCSP responder nor a CRL",
  );
});

test("a source that failed is left alone for 1, 2, 4, ... 60 seconds, and for 1 again after an answer", async () => {
  let asked = 0;
  let status = 500;
  const ocsp = serve("/counted", (response) => {
    asked++;
    response.writeHead(status).end();
  });
  const certificate = authority.issue("impatient", { ocsp });
  let now = Date.now();
  const isAskedAfter = async (milliseconds: number) => {
    now += milliseconds;
    const before = asked;
    const answer = await check(certificate, { now });
    // the reason is remembered with the failure
    if (status !== 200) expect(answer.message).toContain(`answered with status ${status}`);
    return asked > before;
  };
  expect(await isAskedAfter(0)).toBe(true);
  for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60]) {
    expect(await isAskedAfter(seconds * 1000 - 1), `${seconds} s`).toBe(false);
    expect(await isAskedAfter(1), `${seconds} s`).toBe(true);
  }
  status = 200;
  expect(await isAskedAfter(60_000)).toBe(true);
  // that answer was empty: the server is sound, what it said of this certificate is of no use
  status = 503;
  expect(await isAskedAfter(1_000)).toBe(true);
  expect(await isAskedAfter(999)).toBe(false);
  expect(await isAskedAfter(1)).toBe(true);
});

test("a kept answer needs no network, is refreshed behind the answer past half its time, and garbage does not replace it", async () => {
  const crl = `${origin}/kept.crl`;
  const certificate = authority.issue("kept", { crl });
  const old = authority.crl(2);
  let asked = 0;
  serve("/kept.crl", (response) => {
    asked++;
    response.end("garbage");
  });
  const kept = await keepCrl(crl, old);
  expect(await check(certificate, { kept })).toMatchObject({ status: "good", source: "CRL", kept: new Map() });
  expect(asked).toBe(0);
  const due = { kept, now: Date.now() + 1.5 * DAY_MS };
  expect(await check(certificate, due)).toMatchObject({ status: "good", kept: new Map() });
  expect(asked).toBe(1);
  expect(await check(certificate, due)).toMatchObject({ status: "good" });
  expect(asked).toBe(1);
});

test("a refresh keeps the newer answer", async () => {
  const crl = `${origin}/renewed.crl`;
  const certificate = authority.issue("renewed", { crl });
  const old = authority.crl(2);
  authority.revoke("renewed", "cessationOfOperation");
  await new Promise((resolve) => setTimeout(resolve, 1_100)); // the CRL's time has whole seconds
  const renewed = authority.crl(7);
  serve("/renewed.crl", renewed);
  const answer = await check(certificate, { kept: await keepCrl(crl, old), now: Date.now() + 1.5 * DAY_MS });
  expect(answer.status).toBe("good");
  expect(answer.kept).toEqual(await keepCrl(crl, renewed));
  expect(await check(certificate, { kept: answer.kept })).toMatchObject({ status: "revoked", source: "CRL" });
});
