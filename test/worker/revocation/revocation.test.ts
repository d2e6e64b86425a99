/** The KV side of revocation, in workerd: what is kept, read in one round, and judged anew. */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import {
  at,
  crlAt,
  type Holder,
  makeCertificate,
  makeCrl,
  makeOcspResponse,
  ocspAt,
} from "../../../fixtures/makers/made-pki.ts";
import { importCrl } from "../../../src/revocation/crl-import.ts";
import { crlKey } from "../../../src/revocation/crl-slot.ts";
import { type CachedRevocation, keep } from "../../../src/revocation/kept-answers.ts";
import { ocspKey, ocspSlot } from "../../../src/revocation/ocsp-slot.ts";
import { checkRevocation } from "../../../src/revocation/revocation.ts";
import { readRevocationCache } from "../../../src/revocation/revocation-store.ts";

const NOW = at("2026-06-10T00:00:00Z");
const DAY_MS = 86_400_000;
/** Nobody listens on port 1. */
const NOWHERE = "http://127.0.0.1:1/";

const issuer = makeCertificate({ subject: "CA" });
let made = 0;
/** A certificate with CRL and responder of its own, so that no test meets what another kept. */
function issue({ withOcsp = false } = {}) {
  const crlUrl = `${NOWHERE}${made++}.crl`;
  const extensions = [crlAt(crlUrl), ...(withOcsp ? [ocspAt(NOWHERE)] : [])];
  const serial = `0a${made.toString(16).padStart(4, "0")}`;
  const { certificate } = makeCertificate({ subject: `PSP ${made}`, issuer, serial, extensions });
  return { certificate, crlUrl, serial };
}

async function check(certificate: Holder["certificate"], cached?: CachedRevocation, now = NOW) {
  const pending: Promise<unknown>[] = [];
  const kept = cached ?? (await readRevocationCache(env.KV, [certificate, issuer.certificate], now));
  const ctx = { waitUntil: (promise: Promise<unknown>) => void pending.push(promise) };
  const [status] = await checkRevocation({
    kv: env.KV,
    ctx,
    path: [certificate, issuer.certificate],
    cached: kept,
    now,
  });
  // what runs behind the answer may put more behind it
  for (let next = pending.shift(); next; next = pending.shift()) await next;
  return status;
}

const END = at("2026-06-30T00:00:00Z");

async function keepOcsp(
  certificate: Holder["certificate"],
  status: "good" | "revoked",
  thisUpdate: number,
  nextUpdate = END,
) {
  const single = { certificate, issuer: issuer.certificate, status, reason: 1, thisUpdate, nextUpdate };
  const slot = ocspSlot({ certificate, issuer: issuer.certificate });
  const { answers } = await slot.read(makeOcspResponse({ responder: issuer, singles: [single] }), [], NOW);
  await keep(env.KV, slot, answers, NOW);
}
const bring = (url: string, der: Uint8Array, by = issuer) =>
  importCrl(env.KV, { url, der, issuer: by.certificate, now: NOW });

test("an imported CRL answers for its certificates without the network", async () => {
  const { certificate, crlUrl, serial } = issue();
  const imported = await bring(crlUrl, makeCrl({ issuer }));
  expect(imported).toMatchObject({ ok: true, entries: 0, nextUpdate: at("2026-06-30T00:00:00Z") });
  expect(await check(certificate)).toMatchObject({ status: "good", source: "CRL" });

  // the isolate reads it again when what it read before is half a minute old
  const thisUpdate = at("2026-06-02T00:00:00Z");
  await bring(crlUrl, makeCrl({ issuer, thisUpdate, entries: [{ serial }] }));
  expect(await check(certificate, undefined, NOW + 30_000)).toMatchObject({ status: "revoked", source: "CRL" });
});

test("what is imported as a CRL must be one, and current", async () => {
  const { certificate, crlUrl } = issue();
  const nothing = await bring(crlUrl, certificate.der);
  expect(nothing).toMatchObject({ ok: false, message: expect.stringContaining("not a CRL: ") });
  const ended = await bring(crlUrl, makeCrl({ issuer, nextUpdate: NOW }));
  expect(ended).toMatchObject({ ok: false });
  expect(await env.KV.get(crlKey(crlUrl, certificate.issuer))).toBeNull();
});

test("an answer is kept until it ends, and KV is told when that is", async () => {
  const { certificate } = issue();
  await keepOcsp(certificate, "good", NOW - DAY_MS);
  const { keys } = await env.KV.list({ prefix: ocspKey(certificate) });
  expect(keys).toHaveLength(1);
  // KV counts from its own clock: what matters is that the answer does not stay for good
  expect(keys[0]?.expiration).toBeGreaterThan(0);
  const { certificate: dying } = issue();
  await keepOcsp(dying, "good", NOW - DAY_MS, NOW + 59_000);
  expect(await env.KV.get(ocspKey(dying))).toBeNull();
});

test("a kept answer that has ended is not used, though KV still holds it", async () => {
  const { certificate } = issue({ withOcsp: true });
  await keepOcsp(certificate, "good", NOW - DAY_MS);
  expect(await check(certificate)).toMatchObject({ status: "good", source: "OCSP" });
  expect(await check(certificate, undefined, at("2026-07-01T00:00:00Z"))).toMatchObject({ status: "unknown" });
});

test("a kept OCSP revocation wins over an older good CRL, and a kept CRL's over a newer good OCSP answer", async () => {
  const first = issue({ withOcsp: true });
  await bring(first.crlUrl, makeCrl({ issuer }));
  await keepOcsp(first.certificate, "revoked", NOW - DAY_MS);
  expect(await check(first.certificate)).toMatchObject({ status: "revoked", source: "OCSP" });

  const second = issue({ withOcsp: true });
  const entries = [{ serial: second.serial, reason: 1 }];
  await bring(second.crlUrl, makeCrl({ issuer, entries }));
  await keepOcsp(second.certificate, "good", NOW - DAY_MS);
  expect(await check(second.certificate)).toMatchObject({ status: "revoked", source: "CRL" });
});

test("garbage in KV is no answer, and the source that is down is named", async () => {
  const { certificate, crlUrl } = issue({ withOcsp: true });
  await env.KV.put(crlKey(crlUrl, certificate.issuer), "garbage");
  await env.KV.put(ocspKey(certificate), "garbage");
  const status = await check(certificate);
  expect(status).toMatchObject({ status: "unknown", source: null });
  expect(status?.message).toContain("the OCSP answer cannot be used: it cannot be read");
  expect(status?.message).toContain(`the CRL server ${crlUrl} could not be reached`);
});

test("another issuer's key does not make a kept answer good", async () => {
  const { certificate, crlUrl } = issue();
  const namesake = makeCertificate({ subject: "CA" });
  await bring(crlUrl, makeCrl({ issuer: namesake }), namesake);
  expect(await check(certificate)).toMatchObject({ status: "unknown" });
});

test("all that is kept about a chain is read in one parallel round", async () => {
  const chain = Array.from({ length: 100 }, () => issue({ withOcsp: true }).certificate);
  const asked: string[] = [];
  let open = 0;
  let widest = 0;
  const counting = {
    async get(key: string) {
      asked.push(key);
      widest = Math.max(widest, ++open);
      await Promise.resolve();
      open--;
      return null;
    },
  };
  await readRevocationCache(counting as unknown as Pick<KVNamespace, "get">, chain, NOW);
  expect(widest).toBe(asked.length);
  expect(asked.length).toBe(12);
});

test("a CRL that was read a moment ago is not read again; half a minute later it is", async () => {
  const { certificate, crlUrl } = issue();
  await bring(crlUrl, makeCrl({ issuer }));
  const reads = async (now: number) => {
    const asked: string[] = [];
    const counting = { get: (key: string) => asked.push(key) && env.KV.get(key, "arrayBuffer") };
    const cached = await readRevocationCache(counting as unknown as Pick<KVNamespace, "get">, [certificate], now);
    expect(await check(certificate, cached, now)).toMatchObject({ status: "good" });
    return asked.length;
  };
  expect(await reads(NOW)).toBe(1);
  expect(await reads(NOW + 29_999)).toBe(0);
  expect(await reads(NOW + 30_000)).toBe(1);
});
