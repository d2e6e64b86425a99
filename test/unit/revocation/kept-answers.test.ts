/** What is kept of the answers of sources, whom they are kept for, and what an unlucky or hostile source can do to them. */
import { describe, expect, test, vi } from "vitest";
import {
  at,
  crlAt,
  enumerated,
  type Holder,
  integer,
  issuingPoint,
  makeCertificate,
  makeCrl,
  makeOcspResponse,
  OCSP_NOCHECK,
  OCSP_SIGNING,
  ocspAt,
  sequence,
} from "../../../fixtures/makers/made-pki.ts";
import { importCrl } from "../../../src/revocation/crl-import.ts";
import { crlKey, crlSlot, toVerifiedCrl } from "../../../src/revocation/crl-slot.ts";
import { keep, LONGEST_SPAN_MS, learn } from "../../../src/revocation/kept-answers.ts";
import { ocspKey, ocspSlot } from "../../../src/revocation/ocsp-slot.ts";
import { checkRevocation, judgeKeptRevocation } from "../../../src/revocation/revocation.ts";
import { readRevocationCache } from "../../../src/revocation/revocation-store.ts";
import { validUntil } from "../../../src/revocation/verified-answer.ts";
import { asked, checkWith, HOUR, Kv, MINUTE, network, useNetwork } from "./network-and-kv.ts";

useNetwork();

const NOW = at("2026-06-10T00:00:00Z");
const END = at("2026-06-12T00:00:00Z");
const authority = makeCertificate({ subject: "CA" });

let addresses = 0;
const newUrl = () => `http://source.test/${addresses++}`;
let serials = 0x0a00;
function issue(issuer: Holder, ...extensions: ReturnType<typeof crlAt>[]) {
  const serial = (serials++).toString(16).padStart(4, "0");
  return { serial, certificate: makeCertificate({ subject: `PSP ${serial}`, issuer, serial, extensions }).certificate };
}
const check = (certificate: Holder["certificate"], kv: Kv, issuer = authority) =>
  checkWith({ checkRevocation, readRevocationCache }, [certificate, issuer.certificate], kv);
const crl = (options: Partial<Parameters<typeof makeCrl>[0]> = {}) =>
  makeCrl({ issuer: authority, thisUpdate: NOW - HOUR, nextUpdate: END, ...options });

test("an older OCSP answer that is replayed when the newer one has ended does not bring a certificate back", async () => {
  const url = newUrl();
  const { certificate } = issue(authority, ocspAt(url));
  const kv = new Kv(NOW);
  const answer = (status: "good" | "revoked", from: number, to: number) => {
    const single = { certificate, issuer: authority.certificate, status, thisUpdate: from, nextUpdate: to };
    return makeOcspResponse({ responder: authority, singles: [single], producedAt: from });
  };
  network.set(url, answer("revoked", NOW - HOUR, NOW + HOUR));
  expect(await check(certificate, kv)).toMatchObject({ status: "revoked" });
  network.set(url, answer("good", NOW - 2 * HOUR, END));
  kv.now = NOW + 2 * HOUR;
  expect(await check(certificate, kv)).toMatchObject({
    status: "revoked",
    message: expect.stringContaining(
      "that answer, of 2026-06-09T23:00:00.000Z, is no longer current, and there is no later one",
    ),
  });
  network.set(url, answer("good", NOW + HOUR, END));
  kv.now += MINUTE;
  expect(await check(certificate, kv)).toMatchObject({ status: "good" });
});

test("a responder that revokes for a reason that does not exist is believed before a CRL that does not know of it yet", async () => {
  const url = newUrl();
  const { certificate } = issue(authority, ocspAt(`${url}/ocsp`), crlAt(url));
  const single = { certificate, issuer: authority.certificate, status: "revoked", reason: 7 } as const;
  network.set(url, crl());
  network.set(`${url}/ocsp`, makeOcspResponse({ responder: authority, singles: [{ ...single, thisUpdate: NOW }] }));
  expect(await check(certificate, new Kv(NOW))).toMatchObject({ status: "revoked", source: "OCSP" });
});

describe.each([
  ["that has gone on sending its last answer", NOW - 2 * HOUR],
  ["that has gone on signing what it knew then", NOW - MINUTE],
])("of a responder %s since that ended", (_, producedAt) => {
  const period = { thisUpdate: NOW - 2 * HOUR, nextUpdate: NOW - HOUR };
  /** A certificate that the responder revokes, with a CRL of that time that does not. */
  function revoke(crlOf: number) {
    const url = newUrl();
    const { certificate } = issue(authority, ocspAt(`${url}/ocsp`), crlAt(url));
    const single = { certificate, issuer: authority.certificate, status: "revoked", ...period } as const;
    network.set(`${url}/ocsp`, makeOcspResponse({ responder: authority, singles: [single], producedAt }));
    network.set(url, crl({ thisUpdate: crlOf }));
    return { url, certificate };
  }

  test("a revocation is believed before an older CRL, and kept until a later answer, for a year", async () => {
    const { url, certificate } = revoke(NOW - 3 * HOUR);
    const kv = new Kv(NOW);
    const revoked = { status: "revoked", source: "OCSP", message: expect.stringContaining("is no longer current") };
    expect(await check(certificate, kv)).toMatchObject(revoked);
    expect(kv.values.get(ocspKey(certificate))?.until).toBe(period.thisUpdate + LONGEST_SPAN_MS);
    // as an isolate reads it that has asked nobody
    const value = new Uint8Array((await kv.get(ocspKey(certificate))) ?? []);
    const { answers } = await ocspSlot({ certificate, issuer: authority.certificate }).read(value, [], kv.now);
    expect(answers).toMatchObject([{ revocations: 1, ...period }]);
    network.set(`${url}/ocsp`, null);
    kv.now += MINUTE;
    expect(await check(certificate, kv)).toMatchObject(revoked);
    network.set(url, crl({ thisUpdate: NOW - HOUR }));
    kv.now = END + HOUR;
    expect(await check(certificate, kv)).toMatchObject(revoked);
    network.set(url, crl({ thisUpdate: END, nextUpdate: END + 2 * HOUR }));
    kv.now += MINUTE;
    expect(await check(certificate, kv)).toMatchObject({ status: "good", source: "CRL" });
  });

  test("a revocation is not believed before a later CRL", async () => {
    const { certificate } = revoke(NOW - HOUR);
    expect(await check(certificate, new Kv(NOW))).toMatchObject({ status: "good", source: "CRL" });
  });

  test("a revocation is believed by each of the checks that wait for it at once", async () => {
    const { certificate } = revoke(NOW - 3 * HOUR);
    const kv = new Kv(NOW);
    const both = await Promise.all([check(certificate, kv), check(certificate, kv)]);
    expect(both.map(({ status }) => status)).toEqual(["revoked", "revoked"]);
  });
});

describe('of a responder that signed "unknown", beside a CRL that does not list the certificate', () => {
  const [silence, tryLater] = [null, sequence(enumerated(3))];
  function disown(...responders: string[]) {
    const url = newUrl();
    const { certificate } = issue(authority, ocspAt(`${url}/ocsp`, ...responders), crlAt(url));
    network.set(url, crl({ thisUpdate: NOW - MINUTE, nextUpdate: END + 400 * 24 * HOUR }));
    const say = (status: "good" | "revoked" | "unknown", thisUpdate: number, nextUpdate = thisUpdate + HOUR) => {
      const single = { certificate, issuer: authority.certificate, status, thisUpdate, nextUpdate, reason: 6 };
      return makeOcspResponse({ responder: authority, singles: [single], producedAt: thisUpdate });
    };
    const kv = new Kv(NOW);
    network.set(`${url}/ocsp`, say("unknown", NOW - MINUTE));
    return { certificate, kv, say, responder: `${url}/ocsp` };
  }
  const unknown = { status: "unknown", message: expect.stringContaining("know the certificate") };

  test.each([
    ["is silent", silence],
    ["says tryLater", tryLater],
  ])("a signed unknown is not forgotten while it %s, in another isolate neither, for a year", async (_, later) => {
    const { certificate, kv, responder } = disown();
    expect(await check(certificate, kv)).toMatchObject(unknown);
    network.set(responder, later);
    for (const minutes of [1, 59, 24 * 60, 365 * 24 * 60]) {
      kv.now = NOW + minutes * MINUTE;
      expect(await check(certificate, kv)).toMatchObject(unknown);
      vi.resetModules();
      const other = {
        ...(await import("../../../src/revocation/revocation.ts")),
        ...(await import("../../../src/revocation/revocation-store.ts")),
      };
      expect(await checkWith(other, [certificate, authority.certificate], kv)).toMatchObject(unknown);
    }
    expect(kv.values.get(ocspKey(certificate))?.until).toBe(NOW - MINUTE + LONGEST_SPAN_MS);
  });

  test("a later good ends it, also when that good has ended since", async () => {
    const { certificate, kv, say, responder } = disown();
    await check(certificate, kv);
    kv.now = NOW + 2 * MINUTE;
    network.set(responder, say("good", NOW + MINUTE));
    expect(await check(certificate, kv)).toMatchObject({ status: "good", source: "OCSP" });
    network.set(responder, silence);
    kv.now = NOW + 2 * HOUR;
    expect(await check(certificate, kv)).toMatchObject({ status: "good", source: "CRL" });
    // an older unknown that is replayed counts no more, as long as the isolate remembers what ended it
    network.set(responder, say("unknown", NOW - MINUTE, END));
    kv.now += MINUTE;
    expect(await check(certificate, kv)).toMatchObject({ status: "good", source: "CRL" });
  });

  test.each([
    ["an older good", -2],
    ["a good of the same instant", -1],
  ])("%s does not end it, and is not taken for enough: the responder is asked again", async (_, minutes) => {
    const { certificate, kv, say, responder } = disown();
    await check(certificate, kv);
    network.set(responder, say("good", NOW + minutes * MINUTE, END));
    kv.now = NOW + MINUTE;
    expect(await check(certificate, kv)).toMatchObject(unknown);
    network.set(responder, silence);
    kv.now += MINUTE;
    expect(await check(certificate, kv)).toMatchObject(unknown);
    network.set(responder, say("good", NOW + MINUTE));
    kv.now += MINUTE;
    expect(await check(certificate, kv)).toMatchObject({ status: "good", source: "OCSP" });
  });

  test("an older good of the first responder keeps nobody from asking the second", async () => {
    const second = newUrl();
    const { certificate, kv, say, responder } = disown(second);
    await check(certificate, kv);
    network.set(responder, say("good", NOW - 2 * MINUTE, END));
    network.set(second, say("good", NOW + MINUTE));
    kv.now = NOW + 2 * MINUTE;
    expect(await check(certificate, kv)).toMatchObject({ status: "good", source: "OCSP" });
  });

  test("it takes the place of no hold that is kept, nor that of it: neither an older good nor a CRL ends either", async () => {
    for (const said of [["revoked", "unknown"] as const, ["unknown", "revoked"] as const]) {
      const { certificate, kv, say, responder } = disown();
      for (const [i, status] of said.entries()) {
        network.set(responder, say(status, NOW + i * MINUTE));
        kv.now = NOW + 11 * i * MINUTE;
        await check(certificate, kv);
      }
      network.set(responder, say("good", NOW - MINUTE, END));
      kv.now = NOW + 2 * HOUR;
      expect((await check(certificate, kv)).status).not.toBe("good");
      network.set(responder, say("good", NOW + HOUR, END));
      kv.now += MINUTE;
      expect(await check(certificate, kv)).toMatchObject({ status: "good", source: "OCSP" });
    }
  });

  test("a hold since 1970 is an unknown in other words (RFC 6960 section 2.2): a later CRL does not lift it", async () => {
    const { certificate, kv, responder } = disown();
    const single = { certificate, issuer: authority.certificate, status: "revoked", reason: 6 } as const;
    const say = (revokedAt: number) =>
      makeOcspResponse({ responder: authority, singles: [{ ...single, revokedAt, thisUpdate: NOW - 2 * MINUTE }] });
    network.set(responder, say(0));
    expect(await check(certificate, kv)).toMatchObject(unknown);
    const held = disown();
    const singles = [{ ...single, certificate: held.certificate, revokedAt: 1000, thisUpdate: NOW - 2 * MINUTE }];
    network.set(held.responder, makeOcspResponse({ responder: authority, singles }));
    expect(await check(held.certificate, held.kv)).toMatchObject({ status: "revoked", reason: "certificateHold" });
  });

  test("what no responder of the issuer signed is not kept", async () => {
    const { certificate, kv, responder } = disown();
    const single = { certificate, issuer: authority.certificate, status: "unknown" } as const;
    const impostor = makeCertificate({ subject: "CA" });
    network.set(responder, makeOcspResponse({ responder: impostor, singles: [single], producedAt: NOW }));
    expect(await check(certificate, kv)).toMatchObject({ status: "good", source: "CRL" });
    expect(kv.values.has(ocspKey(certificate))).toBe(false);
  });
});

describe("of a delegated responder without ocsp-nocheck", () => {
  /** A certificate without a CRL, cleared by a responder whose certificate names one. */
  function delegate({ extensions = [] as ReturnType<typeof crlAt>[], named = true, hasCrl = false } = {}) {
    const url = newUrl();
    const list = `${url}/crl`;
    const sources = [ocspAt(`${url}/ocsp`), ...(hasCrl ? [crlAt(list)] : [])];
    const { certificate } = issue(authority, ...sources);
    const certify = (subject: string) => {
      const own = (serials++).toString(16).padStart(4, "0");
      const more = [OCSP_SIGNING, ...(named ? [crlAt(list)] : []), ...extensions];
      return { ...makeCertificate({ subject, issuer: authority, serial: own, extensions: more }), serial: own };
    };
    const responder = certify("Responder");
    const say = (status: "good" | "revoked", thisUpdate = NOW, by: Holder = responder, nextUpdate = END) => {
      const singles = [{ certificate, issuer: authority.certificate, status, reason: 6, thisUpdate, nextUpdate }];
      const certificates = [by.certificate];
      return makeOcspResponse({ responder: by, singles, certificates, producedAt: thisUpdate });
    };
    network.set(`${url}/ocsp`, say("good", NOW - MINUTE));
    return { certificate, responder, certify, say, list, ocsp: `${url}/ocsp`, kv: new Kv(NOW) };
  }
  const revoking = ({ responder }: ReturnType<typeof delegate>) => crl({ entries: [{ serial: responder.serial }] });
  const refused = { status: "unknown", message: expect.stringContaining("its responder is revoked: ") };

  test.each([
    ["that its certificate names", { named: true, hasCrl: false }],
    ["that both certificates name", { named: true, hasCrl: true }],
    ["that the certificate names, and its own names none", { named: false, hasCrl: true }],
  ])("a revoked one is not believed: its CRL is asked %s", async (_, names) => {
    const made = delegate(names);
    const { certificate, list, kv } = made;
    network.set(list, revoking(made));
    const status = await check(certificate, kv);
    // the CRL clears whom it does not list
    expect(status).toMatchObject(names.hasCrl ? { status: "good", source: "CRL" } : refused);
    const message = expect.stringMatching(
      /^its responder is revoked: the certificate of Responder has been revoked since/,
    );
    expect(status.said[0]).toMatchObject({ source: "OCSP", answer: { reason: "revoked-responder", message } });
    expect(kv.values.has(ocspKey(certificate))).toBe(false);
  });

  test("one is not believed any more when a CRL that is kept revokes it, though nobody can be asked", async () => {
    const made = delegate();
    const { certificate, list, ocsp, kv } = made;
    network.set(list, crl());
    expect(await check(certificate, kv)).toMatchObject({ status: "good", source: "OCSP", caution: undefined });
    for (const url of [list, ocsp]) network.set(url, null);
    const issuer = authority.certificate;
    const der = crl({ thisUpdate: NOW, entries: [{ serial: made.responder.serial }] });
    await importCrl(kv.asKv(), { url: list, der, issuer, now: NOW });
    kv.now += MINUTE;
    expect(await check(certificate, kv)).toMatchObject(refused);
    // nor as of another instant
    const cached = await readRevocationCache(kv.asKv(), [certificate], kv.now);
    const input = { kv: kv.asKv(), ctx: { waitUntil: () => {} }, path: [certificate, issuer], cached, now: kv.now };
    expect(await judgeKeptRevocation(input, NOW + HOUR)).toMatchObject([refused]);
  });

  test("one that no CRL can clear or revoke is believed, with a warning that says why", async () => {
    const silent = delegate();
    const { kv } = silent;
    expect(await check(silent.certificate, kv)).toMatchObject({
      ...{ status: "good", source: "OCSP", message: "" },
      caution: expect.stringMatching(
        /^the certificate of PSP \w+ is cleared by an OCSP responder whose own revocation could not be checked: the certificate of Responder: its status is unknown because the CRL server \S+ could not be reached/,
      ),
    });
    const nameless = delegate({ named: false });
    expect((await check(nameless.certificate, nameless.kv)).caution).toContain(
      "because neither it nor the certificate that it answered for names a CRL",
    );
    // once the CRL can be had, the warning ends
    network.set(silent.list, crl());
    kv.now += MINUTE;
    expect(await check(silent.certificate, kv)).toMatchObject({ status: "good", caution: undefined });
  });

  test("one with ocsp-nocheck is believed, and its CRL not asked", async () => {
    const made = delegate({ extensions: [OCSP_NOCHECK] });
    network.set(made.list, revoking(made));
    expect(await check(made.certificate, made.kv)).toMatchObject({
      status: "good",
      source: "OCSP",
      caution: undefined,
    });
    expect(asked).not.toContain(made.list);
  });

  test("a revoked one displaces no revocation that is kept, and its own counts until a later good", async () => {
    const made = delegate();
    const { certificate, certify, say, list, ocsp, kv } = made;
    const honest = certify("Honest responder");
    network.set(list, revoking(made));
    network.set(ocsp, say("revoked", NOW - 2 * HOUR, honest, NOW - HOUR));
    expect(await check(certificate, kv)).toMatchObject({ status: "revoked" });
    network.set(ocsp, say("good", NOW));
    kv.now += MINUTE;
    expect(await check(certificate, kv)).toMatchObject({ status: "revoked", thisUpdate: NOW - 2 * HOUR });
    network.set(ocsp, say("revoked", NOW));
    kv.now += 11 * MINUTE;
    expect(await check(certificate, kv)).toMatchObject({ status: "revoked", thisUpdate: NOW });
    // it is not settled by that: the responder is asked again
    network.set(ocsp, say("good", NOW + 12 * MINUTE, honest));
    kv.now += 11 * MINUTE;
    expect(await check(certificate, kv)).toMatchObject({ status: "good", source: "OCSP" });
  });

  test("of a responder's own CRL, OCSP is not asked, and ten CRLs of responders are asked in a request", async () => {
    const many = Array.from({ length: 12 }, () => delegate({ extensions: [ocspAt(newUrl())] }));
    for (const { list } of many) network.set(list, crl());
    const kv = new Kv(NOW);
    const ctx = { waitUntil: () => {} };
    asked.length = 0;
    const statuses: (string | undefined)[] = [];
    for (const { certificate } of many) {
      const path = [certificate, authority.certificate];
      const cached = await readRevocationCache(kv.asKv(), path, NOW);
      const [status] = await checkRevocation({ kv: kv.asKv(), ctx, path, cached, now: NOW });
      statuses.push(status?.status);
    }
    expect(new Set(statuses)).toEqual(new Set(["good"]));
    expect(asked.toSorted()).toEqual(
      [...many.map(({ ocsp }) => ocsp), ...many.slice(0, 10).map(({ list }) => list)].toSorted(),
    );
  });
});

test("a CRL that has ended revokes beside an older one of the same CA, and is kept, but clears nobody", async () => {
  const [url, mirror] = [newUrl(), newUrl()];
  const [revoked, lawful] = [issue(authority, crlAt(url), crlAt(mirror)), issue(authority, crlAt(url))];
  const entries = [{ serial: revoked.serial }];
  const kv = new Kv(NOW);
  network.set(url, crl({ thisUpdate: NOW - 2 * HOUR, nextUpdate: NOW - HOUR, entries }));
  network.set(mirror, crl({ thisUpdate: NOW - 3 * HOUR }));
  const status = { status: "revoked", source: "CRL", proof: { url } };
  expect(await check(revoked.certificate, kv)).toMatchObject(status);
  expect(await check(lawful.certificate, kv)).toMatchObject({ status: "unknown" });
  network.set(url, null);
  kv.now += MINUTE;
  expect(await check(revoked.certificate, kv)).toMatchObject(status);
  expect(kv.puts).toContain(crlKey(url, revoked.certificate.issuer));
});

test("a revocation outlives the certificate of the responder that signed it", async () => {
  const url = newUrl();
  const { certificate } = issue(authority, ocspAt(`${url}/ocsp`), crlAt(url));
  const purpose = { issuer: authority, notAfter: NOW + HOUR, extensions: [OCSP_SIGNING] };
  const responder = makeCertificate({ subject: "Responder", ...purpose });
  const kv = new Kv(NOW);
  const single = {
    certificate,
    issuer: authority.certificate,
    status: "revoked",
    thisUpdate: NOW,
    nextUpdate: END,
  } as const;
  const [singles, certificates] = [[single], [responder.certificate]];
  network.set(`${url}/ocsp`, makeOcspResponse({ responder, singles, certificates, producedAt: NOW }));
  expect(await check(certificate, kv)).toMatchObject({ status: "revoked", source: "OCSP" });
  network.set(`${url}/ocsp`, null);
  network.set(url, crl());
  kv.now = NOW + 2 * HOUR;
  expect(await check(certificate, kv)).toMatchObject({ status: "revoked", source: "OCSP" });
  // and for an isolate that has it from KV alone
  const value = new Uint8Array((await kv.get(ocspKey(certificate))) ?? []);
  const { answers } = await ocspSlot({ certificate, issuer: authority.certificate }).read(value, [], kv.now);
  expect(answers).toMatchObject([{ revocations: 1, thisUpdate: NOW }]);
});

test("an older CRL that outlives the newer one is recognised by its time, and refused", async () => {
  const url = newUrl();
  const { certificate } = issue(authority, crlAt(url));
  const kv = new Kv(NOW);
  network.set(url, crl({ nextUpdate: NOW + HOUR }));
  expect(await check(certificate, kv)).toMatchObject({ status: "good" });
  network.set(url, crl({ thisUpdate: NOW - 2 * HOUR }));
  kv.now = NOW + 2 * HOUR;
  const { status, message } = await check(certificate, kv);
  expect(status).toBe("unknown");
  expect(message).toContain(
    `the CRL of ${url} cannot be used: it is of 2026-06-09T22:00:00.000Z, and one of 2026-06-09T23:00:00.000Z was received before`,
  );
});

test("two CAs' certificates that name one URL each keep what their own CA signed", async () => {
  const url = newUrl();
  const other = makeCertificate({ subject: "Other CA" });
  const [mine, theirs] = [issue(authority, crlAt(url)), issue(other, crlAt(url))];
  const kv = new Kv(NOW);
  network.set(url, crl({ entries: [{ serial: mine.serial }] }));
  expect(await check(mine.certificate, kv)).toMatchObject({ status: "revoked" });
  expect(await check(theirs.certificate, kv, other)).toMatchObject({ status: "unknown" });
  network.set(url, crl({ issuer: other, thisUpdate: NOW }));
  kv.now += MINUTE;
  expect(await check(theirs.certificate, kv, other)).toMatchObject({ status: "good" });
  network.set(url, crl({ thisUpdate: NOW - 2 * HOUR }));
  kv.now += MINUTE;
  expect(await check(mine.certificate, kv)).toMatchObject({ status: "revoked" });
  expect(await check(theirs.certificate, kv, other)).toMatchObject({ status: "good" });
});

test("a CA's next key does not displace what its last key signed, and the other way round", async () => {
  const url = newUrl();
  const next = makeCertificate({ subject: "CA" });
  const [old, young] = [issue(authority, crlAt(url)), issue(next, crlAt(url))];
  const kv = new Kv(NOW);
  network.set(url, crl({ entries: [{ serial: old.serial }] }));
  expect(await check(old.certificate, kv)).toMatchObject({ status: "revoked" });
  network.set(url, crl({ issuer: next, thisUpdate: NOW, entries: [{ serial: young.serial }] }));
  expect(await check(young.certificate, kv, next)).toMatchObject({ status: "revoked" });
  network.set(url, null);
  kv.now += MINUTE;
  expect(await check(old.certificate, kv)).toMatchObject({ status: "revoked" });
  expect(await check(young.certificate, kv, next)).toMatchObject({ status: "revoked" });
  expect([...kv.values.keys()]).toEqual([crlKey(url, authority.certificate.subject)]);
});

test("a delta CRL, or one for CAs, does not displace the complete one for PSPs", async () => {
  const url = newUrl();
  const [held, lawful] = [issue(authority, crlAt(url)), issue(authority, crlAt(url))];
  const kv = new Kv(NOW);
  const delta = { oid: "2.5.29.27", critical: true, value: integer("01") };
  network.set(url, crl({ extensions: [delta], thisUpdate: NOW, entries: [{ serial: held.serial }] }));
  expect(await check(held.certificate, kv)).toMatchObject({ status: "revoked" });
  network.set(url, crl({ extensions: [issuingPoint(null, 1)] }));
  expect(await check(lawful.certificate, kv)).toMatchObject({ status: "good" });
  network.set(url, crl({ extensions: [issuingPoint(null, 2)], thisUpdate: NOW }));
  kv.now += MINUTE;
  expect(await check(lawful.certificate, kv)).toMatchObject({ status: "good" });
  expect(await check(held.certificate, kv)).toMatchObject({ status: "revoked" });
});

test("what KV lost is put again when it is read next, at most once a minute", async () => {
  const url = newUrl();
  const { certificate } = issue(authority, crlAt(url), ocspAt(`${url}/ocsp`));
  const kv = new Kv(NOW);
  kv.fault = "put";
  network.set(url, crl());
  expect(await check(certificate, kv)).toMatchObject({ status: "good" });
  kv.fault = "none";
  kv.now += MINUTE - 1;
  await check(certificate, kv);
  expect(kv.puts).toEqual([]);
  kv.now += 1;
  await check(certificate, kv);
  expect(kv.puts).toEqual([crlKey(url, certificate.issuer)]);
  kv.now += MINUTE;
  await check(certificate, kv);
  expect(kv.puts).toHaveLength(1);
});

test("a put takes in what KV got since the request read it, and never replaces it by an older one", async () => {
  const url = newUrl();
  const kv = new Kv(NOW);
  const slot = crlSlot(url, authority.certificate.subject);
  const verified = (thisUpdate: number, issuer = authority) =>
    toVerifiedCrl(crl({ issuer, thisUpdate }), issuer.certificate);
  const namesake = makeCertificate({ subject: "CA" });
  await keep(kv.asKv(), slot, [verified(NOW), verified(NOW, namesake)], NOW);
  const before = await kv.get(slot.key);
  // as an isolate does that knows of neither
  await keep(kv.asKv(), slot, [verified(NOW - HOUR)], NOW);
  expect(await kv.get(slot.key)).toEqual(before);
  await keep(kv.asKv(), slot, [verified(NOW + MINUTE)], NOW);
  const { answers } = await slot.read(new Uint8Array((await kv.get(slot.key)) ?? []), [], NOW);
  expect(answers.map(({ thisUpdate }) => thisUpdate)).toEqual([NOW + MINUTE, NOW]);
});

test("what was put into KV by whatever way and does not verify is not believed", async () => {
  const url = newUrl();
  const { certificate } = issue(authority, crlAt(url), ocspAt(`${url}/ocsp`));
  const impostor = makeCertificate({ subject: "CA" });
  const kv = new Kv(NOW);
  const slot = crlSlot(url, certificate.issuer);
  const forged = { ...toVerifiedCrl(crl({ signer: impostor.key }), authority.certificate) };
  const options = { expirationTtl: 1_000, metadata: {} };
  await kv.put(slot.key, slot.encode([forged]), options);
  const single = { certificate, issuer: authority.certificate };
  await kv.put(ocspKey(certificate), makeOcspResponse({ responder: impostor, singles: [single] }), options);
  const { status, message } = await check(certificate, kv);
  expect(status).toBe("unknown");
  expect(message).toContain(`the CRL of ${url} cannot be used: its signature does not verify`);
  expect(message).toContain("the OCSP answer cannot be used: it is signed neither by the issuer");
});

test("a URL that is too long for KV's metadata is left out of them, and its CRL kept", async () => {
  const url = `${newUrl()}/${"é".repeat(600)}`;
  const kv = new Kv(NOW);
  const slot = crlSlot(url, authority.certificate.subject);
  await keep(kv.asKv(), slot, [toVerifiedCrl(crl(), authority.certificate)], NOW);
  expect(kv.values.get(slot.key)?.metadata).toEqual({ thisUpdate: NOW - HOUR, nextUpdate: END });
});

test("metadata of 1,024 bytes are kept whole, of a byte more without the URL", async () => {
  const times = { thisUpdate: NOW - HOUR, nextUpdate: END };
  const room = 1_024 - JSON.stringify({ ...times, crlUrl: "" }).length;
  const metadataOf = async (length: number) => {
    const url = newUrl().padEnd(length, "x");
    const kv = new Kv(NOW);
    const slot = crlSlot(url, authority.certificate.subject);
    await keep(kv.asKv(), slot, [toVerifiedCrl(crl(), authority.certificate)], NOW);
    return { url, metadata: kv.values.get(slot.key)?.metadata };
  };
  const fits = await metadataOf(room);
  expect(fits.metadata).toEqual({ ...times, crlUrl: fits.url });
  expect((await metadataOf(room + 1)).metadata).toEqual(times);
});

test("an answer that KV could keep for less than a minute is not put", async () => {
  const kv = new Kv(NOW);
  const url = newUrl();
  const { certificate } = issue(authority, ocspAt(url));
  const slot = ocspSlot({ certificate, issuer: authority.certificate });
  const answer = (nextUpdate: number) => ({
    ...{ line: "ocsp", der: Uint8Array.of(1), issuer: null, thisUpdate: NOW - HOUR },
    ...{ nextUpdate, crlNumber: null, revocations: 0 },
  });
  await keep(kv.asKv(), slot, [answer(NOW + MINUTE - 1)], NOW);
  expect(kv.puts).toEqual([]);
  await keep(kv.asKv(), slot, [answer(NOW + MINUTE)], NOW);
  expect(kv.puts).toEqual([slot.key]);
});

test("KV keeps several answers as long as the one that it keeps longest, and tells the times of the newest", async () => {
  const slot = {
    ...crlSlot(newUrl(), authority.certificate.subject),
    keptUntil: validUntil,
  };
  const answer = (line: string, thisUpdate: number, nextUpdate: number) => ({
    ...{ line, der: Uint8Array.of(1), issuer: Uint8Array.of(1), crlNumber: null, revocations: 0 },
    ...{ thisUpdate, nextUpdate },
  });
  const [first, newest, later] = [
    answer("first", NOW - HOUR, NOW + 2 * HOUR),
    answer("newest", NOW, NOW + HOUR),
    answer("as new", NOW, NOW + 3 * HOUR),
  ];
  const put = async (...answers: (typeof first)[]) => {
    const kv = new Kv(NOW);
    const key = newUrl();
    await keep(kv.asKv(), { ...slot, key, encode: () => Uint8Array.of(1) }, answers, NOW);
    return kv.values.get(key);
  };
  const metadata = { thisUpdate: NOW, nextUpdate: NOW + HOUR, crlUrl: slot.crlUrl };
  expect(await put(first, newest)).toMatchObject({ until: NOW + 2 * HOUR, metadata });
  expect(await put(newest, first)).toMatchObject({ until: NOW + 2 * HOUR, metadata });
  // of two that are as new, those of the first
  expect(await put(newest, later)).toMatchObject({ until: NOW + 3 * HOUR, metadata });
});

test("metadata of an OCSP answer name no URL", async () => {
  const { certificate } = issue(authority, ocspAt(newUrl()));
  const slot = ocspSlot({ certificate, issuer: authority.certificate });
  const kv = new Kv(NOW);
  const times = { thisUpdate: NOW - HOUR, nextUpdate: END };
  const answer = { line: "ocsp", der: Uint8Array.of(1), issuer: null, crlNumber: null, revocations: 0 };
  await keep(kv.asKv(), slot, [{ ...answer, ...times }], NOW);
  expect(kv.values.get(slot.key)?.metadata).toEqual(times);
});

test("24 MiB of answers are put together, and what comes on top of that is left out", async () => {
  const slot = { ...crlSlot(newUrl(), authority.certificate.subject), encode: () => new Uint8Array(0) };
  const answer = (line: string, bytes: number) => ({
    ...{ line, der: new Uint8Array(bytes), issuer: new Uint8Array(10), thisUpdate: NOW - HOUR },
    ...{ nextUpdate: END, crlNumber: null, revocations: 0 },
  });
  const put = async (bytes: number) => {
    const lines: string[] = [];
    const encode = (answers: readonly { line: string }[]) => {
      lines.push(...answers.map(({ line }) => line));
      return new Uint8Array(0);
    };
    await keep(
      new Kv(NOW).asKv(),
      { ...slot, key: newUrl(), encode },
      [answer("first", 90), answer("second", bytes)],
      NOW,
    );
    return lines;
  };
  const room = 24 * 1024 * 1024 - 100 - 10;
  expect(await put(room)).toEqual(["first", "second"]);
  expect(await put(room + 1)).toEqual(["first"]);
});

test("KV lacks an answer only where the isolate has a newer one that is worth keeping", async () => {
  const slot = crlSlot(newUrl(), authority.certificate.subject);
  const verified = (thisUpdate: number) => toVerifiedCrl(crl({ thisUpdate }), authority.certificate);
  const [older, newer] = [verified(NOW - HOUR), verified(NOW)];
  const inKv = (...answers: (typeof older)[]) => new Map([[slot.key, slot.encode(answers)]]);
  expect(await learn(slot, new Map(), NOW)).toMatchObject({ answers: [], isMissingInKv: false });
  expect(await learn(slot, inKv(older), NOW)).toMatchObject({ isMissingInKv: false });
  slot.memory.add(slot.key, [newer], NOW);
  expect(await learn(slot, inKv(newer), NOW)).toMatchObject({ isMissingInKv: false });
  // what was read half a minute ago tells nothing of what KV lacks
  const recalled = await learn(slot, new Map([[slot.key, [older]]]), NOW);
  expect(recalled).toEqual({ answers: [newer], problem: null, isMissingInKv: false });
  const { answers, isMissingInKv } = await learn(slot, inKv(older), NOW);
  expect([answers, isMissingInKv]).toEqual([[newer], true]);
});

test("a current CRL that was kept settles what no responder answers for, and else the responder is asked", async () => {
  const [list, responder] = [newUrl(), newUrl()];
  const kv = new Kv(NOW);
  network.set(list, crl());
  const alone = issue(authority, crlAt(list)).certificate;
  expect(await check(alone, kv)).toMatchObject({ status: "good" });
  asked.length = 0;
  expect(await check(issue(authority, crlAt(list)).certificate, kv)).toMatchObject({ status: "good", source: "CRL" });
  expect(asked).toEqual([]);
  const both = issue(authority, crlAt(list), ocspAt(responder)).certificate;
  network.set(
    responder,
    makeOcspResponse({ responder: authority, singles: [{ certificate: both, issuer: authority.certificate }] }),
  );
  expect(await check(both, kv)).toMatchObject({ status: "good" });
  expect(asked).toEqual([responder]);
});

test("a current OCSP answer that was kept settles it, and of several responders the one that answered is known", async () => {
  const [silent, url] = [newUrl(), newUrl()];
  const { certificate } = issue(authority, ocspAt(silent, url));
  const kv = new Kv(NOW);
  const single = { certificate, issuer: authority.certificate, thisUpdate: NOW - HOUR, nextUpdate: END };
  network.set(url, makeOcspResponse({ responder: authority, singles: [single] }));
  expect(await check(certificate, kv)).toMatchObject({ status: "good", proof: { url } });
  asked.length = 0;
  expect(await check(certificate, kv)).toMatchObject({ status: "good", proof: { url: null } });
  expect(asked).toEqual([]);
});

test("concurrent questions on one certificate are one to its responder, on two certificates two", async () => {
  const url = newUrl();
  const kv = new Kv(NOW);
  const [one, two] = [issue(authority, ocspAt(url)), issue(authority, ocspAt(url))];
  const singles = [one, two].map(({ certificate }) => ({
    certificate,
    issuer: authority.certificate,
    nextUpdate: END,
  }));
  network.set(url, makeOcspResponse({ responder: authority, singles }));
  const checks = [one, one, two, one, two].map(({ certificate }) => check(certificate, kv));
  for (const status of await Promise.all(checks)) expect(status).toMatchObject({ status: "good", source: "OCSP" });
  expect(asked.filter((each) => each === url)).toHaveLength(2);
});

test("what is of no use for one CA's certificates keeps nobody from asking for another's", async () => {
  const url = newUrl();
  const other = makeCertificate({ subject: "Other CA" });
  const kv = new Kv(NOW);
  network.set(url, crl());
  const unknown = await check(issue(other, crlAt(url)).certificate, kv, other);
  expect(unknown.message).toContain(`the CRL of ${url} cannot be used: it has another issuer`);
  expect(await check(issue(authority, crlAt(url)).certificate, kv)).toMatchObject({ status: "good" });
  // the same question is not asked again at once
  const again = await check(issue(other, crlAt(url)).certificate, kv, other);
  expect(again.message).toContain(`the CRL server ${url} sent what cannot be used: it has another issuer`);
  expect(asked.filter((each) => each === url)).toHaveLength(2);
});

test("a CRL past half of its time is asked for once, whichever certificates are checked", async () => {
  const url = newUrl();
  const kv = new Kv(NOW);
  network.set(url, crl({ thisUpdate: NOW - 100 * HOUR }));
  for (let i = 0; i < 5; i++) await check(issue(authority, crlAt(url)).certificate, kv);
  // the first time because nothing was kept
  expect(asked.filter((each) => each === url)).toHaveLength(2);
});
