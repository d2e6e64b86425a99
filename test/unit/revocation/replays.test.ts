/**
 * Whatever a CA's sources send, in whatever order, and whichever layer meets it: a certificate that was seen revoked
 * stays so until an answer with a later thisUpdate says otherwise, one that its responder did not know until a later
 * answer of a responder says good, and a good CRL that is kept is not displaced.
 * An isolate is a fresh copy of the modules, with a memory of its own.
 */
import fc from "fast-check";
import { beforeAll, expect, test, vi } from "vitest";
import {
  at,
  crlAt,
  integer,
  type MadeExtension,
  makeCertificate,
  makeCrl,
  makeOcspResponse,
  ocspAt,
} from "../../../fixtures/makers/made-pki.ts";
import type { RefreshEnv } from "../../../src/refresh/schedule.ts";
import { asked, checkWith, HOUR, Kv, MINUTE, network, useNetwork } from "./network-and-kv.ts";

useNetwork();

const BEGIN = at("2026-06-01T00:00:00Z");
const CERTIFICATES = 2;

async function startIsolate() {
  vi.resetModules();
  const { checkRevocation } = await import("../../../src/revocation/revocation.ts");
  const { readRevocationCache } = await import("../../../src/revocation/revocation-store.ts");
  const { importCrl } = await import("../../../src/revocation/crl-import.ts");
  const { refreshCrls } = await import("../../../src/refresh/crls.ts");
  return { checkRevocation, readRevocationCache, importCrl, refreshCrls };
}
type Isolate = Awaited<ReturnType<typeof startIsolate>>;
const isolates: Isolate[] = [];
beforeAll(async () => {
  while (isolates.length < 2) isolates.push(await startIsolate());
});

/** What a CA signed, or failed to: of one instant, for all its certificates. */
interface Answer {
  readonly thisUpdate: number;
  readonly nextUpdate: number;
  /** By certificate. */
  readonly revoked: readonly boolean[];
}
const FLAVOURS = ["forged", "another CA's", "badly numbered", "garbage"] as const;
type Flavour = (typeof FLAVOURS)[number] | "genuine";

/** Few answers whose times overlap, so that older ones are replayed often; no two have the same thisUpdate. */
const histories = fc
  .array(
    fc.record({
      hours: fc.integer({ min: -6, max: 6 }),
      lasts: fc.constantFrom(3, 6, 48),
      revoked: fc.array(fc.boolean(), { minLength: CERTIFICATES, maxLength: CERTIFICATES }),
    }),
    { minLength: 2, maxLength: 4 },
  )
  .map((drawn) =>
    drawn.map(({ hours, lasts, revoked }, index): Answer => {
      const thisUpdate = BEGIN + hours * HOUR + index * 1000;
      return { thisUpdate, nextUpdate: thisUpdate + lasts * HOUR, revoked };
    }),
  );
const flavours = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Flavour>("genuine") },
  { weight: 1, arbitrary: fc.constantFrom<Flavour>(...FLAVOURS) },
);
const which = fc.nat({ max: 3 });
const pick = (history: readonly Answer[], n: number): Answer => history[n % history.length] ?? expect.unreachable();

const authority = makeCertificate({ subject: "CA" });
const impostor = makeCertificate({ subject: "CA" });
const stranger = makeCertificate({ subject: "Another CA" });
/** Of every PSP: to make a key takes longer than all else of its certificate, and nothing here reads it. */
const { key } = makeCertificate({ subject: "PSP" });
const DELTA = { oid: "2.5.29.27", critical: true, value: integer("01") };
const CRITICAL_NUMBER = { oid: "2.5.29.20", critical: true, value: integer("01") };
const GARBAGE = new TextEncoder().encode("<html>maintenance</html>");

let runs = 0;
/** A CRL address and certificates that no run before has met. */
function makeRun({ withOcsp }: { withOcsp: boolean }) {
  const url = `http://source.test/${++runs}`;
  const serials = Array.from({ length: CERTIFICATES }, (_, i) => `0a${(runs * 16 + i).toString(16).padStart(8, "0")}`);
  const responder = (i: number) => `${url}/ocsp/${i}`;
  const leaves = serials.map((serial, i) => {
    const extensions = [crlAt(url), ...(withOcsp ? [ocspAt(responder(i))] : [])];
    return makeCertificate({ subject: `PSP ${i}`, issuer: authority, key, serial, extensions }).certificate;
  });
  const crl = (
    { thisUpdate, nextUpdate, revoked }: Answer,
    flavour: Flavour,
    more: MadeExtension[] = [],
  ): Uint8Array => {
    if (flavour === "garbage") return GARBAGE;
    const issuer = flavour === "another CA's" ? stranger : authority;
    const signer = flavour === "forged" ? impostor.key : issuer.key;
    const entries = serials.filter((_, i) => revoked[i]).map((serial) => ({ serial }));
    const extensions = flavour === "badly numbered" ? [CRITICAL_NUMBER] : more;
    return makeCrl({ issuer, signer, thisUpdate, nextUpdate, entries, extensions });
  };
  /** `signedAt`: of a responder that signs what it has again and again, also when its nextUpdate is over. */
  const ocsp = (
    i: number,
    { thisUpdate, nextUpdate, revoked }: Answer,
    flavour: Flavour,
    { signedAt, isUnknown }: { signedAt: number; isUnknown: boolean },
  ): Uint8Array => {
    const certificate = leaves[i];
    if (flavour === "garbage" || !certificate) return GARBAGE;
    const status = isUnknown ? "unknown" : revoked[i] ? "revoked" : "good";
    const single = { certificate, issuer: authority.certificate, status, thisUpdate, nextUpdate } as const;
    const by = flavour === "genuine" ? authority : impostor;
    return makeOcspResponse({ responder: by, singles: [single], producedAt: Math.max(thisUpdate, signedAt) });
  };
  const check = (isolate: Isolate, i: number, kv: Kv) =>
    checkWith(isolate, [leaves[i] ?? authority.certificate, authority.certificate], kv);
  return { url, responder, crl, ocsp, check };
}

const isolateNumber = fc.nat({ max: 1 });
const isolateAt = (i: number): Isolate => isolates[i] ?? expect.unreachable();
/** No step is killed here, so its state is not read. */
const NOTHING_KEPT = { prepare: () => ({ bind: () => ({ run: async () => ({}) }) }) };
const refresh = (isolate: Isolate, kv: Kv) =>
  isolate.refreshCrls({
    env: { KV: kv.asKv(), DB: NOTHING_KEPT } as unknown as RefreshEnv,
    stepState: null,
    now: kv.now,
    maxWrites: 1_000,
    maxListBytes: 0,
  });

const check = fc.record({
  does: fc.constant("check" as const),
  isolate: isolateNumber,
  certificate: fc.nat({ max: 1 }),
});
const commands = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ does: fc.constant("serve" as const), answer: which, flavour: flavours }) },
    { weight: 1, arbitrary: fc.record({ does: fc.constant("fail" as const) }) },
    { weight: 5, arbitrary: check },
    { weight: 1, arbitrary: fc.record({ does: fc.constant("refresh" as const), isolate: isolateNumber }) },
    { weight: 1, arbitrary: fc.record({ does: fc.constant("import" as const), answer: which, flavour: flavours }) },
    { weight: 2, arbitrary: fc.record({ does: fc.constant("wait" as const), hours: fc.integer({ min: 1, max: 4 }) }) },
  ),
  { minLength: 6, maxLength: 24, size: "max" },
);

test("of all CRLs that any layer meets, the newest that verified answers, in every isolate", async () => {
  await fc.assert(
    fc.asyncProperty(histories, commands, async (history, sequence) => {
      const { url, crl, check } = makeRun({ withOcsp: false });
      const kv = new Kv(BEGIN);
      const model: { best: Answer | null; served: { answer: Answer; flavour: Flavour } | null } = {
        best: null,
        served: null,
      };
      network.set(url, null);
      const isCurrent = (answer: Answer) => answer.thisUpdate <= kv.now + MINUTE && answer.nextUpdate >= kv.now;
      const isDue = ({ thisUpdate, nextUpdate }: Answer) => kv.now >= thisUpdate + (nextUpdate - thisUpdate) / 2;
      const take = (met: { answer: Answer; flavour: Flavour } | null) => {
        if (met?.flavour !== "genuine" || !isCurrent(met.answer)) return;
        if (!model.best || met.answer.thisUpdate > model.best.thisUpdate) model.best = met.answer;
      };
      for (const command of sequence) {
        // past every back-off, the time for which KV is not read again, and the interval of refreshes
        kv.now += 11 * MINUTE;
        switch (command.does) {
          case "serve": {
            model.served = { answer: pick(history, command.answer), flavour: command.flavour };
            const { answer, flavour } = model.served;
            network.set(url, () => crl(answer, flavour));
            break;
          }
          case "fail":
            model.served = null;
            network.set(url, null);
            break;
          case "wait":
            kv.now += command.hours * HOUR;
            break;
          case "import": {
            const answer = pick(history, command.answer);
            const issuer = authority.certificate;
            const der = crl(answer, command.flavour);
            await isolateAt(0).importCrl(kv.asKv(), { url, der, issuer, now: kv.now });
            take({ answer, flavour: command.flavour });
            break;
          }
          case "refresh":
            await refresh(isolateAt(command.isolate), kv);
            if (model.best && isCurrent(model.best) && isDue(model.best)) take(model.served);
            break;
          case "check": {
            const kept = model.best;
            const isSettled = kept !== null && isCurrent(kept);
            if (!isSettled || isDue(kept)) take(model.served);
            // behind the answer where the kept one is current, else before it
            let used = isSettled ? kept : model.best;
            // what revokes counts when it has ended, too, whether it was kept or is sent by a source that is behind
            const behind = model.served?.flavour === "genuine" ? model.served.answer : null;
            if (
              (!isSettled || isDue(kept)) &&
              behind?.revoked[command.certificate] &&
              behind.nextUpdate < kv.now &&
              behind.thisUpdate > (model.best?.thisUpdate ?? 0)
            ) {
              model.best = behind;
              if (!isSettled) used = behind;
            }
            const isRevoked = used?.revoked[command.certificate];
            const expected = isRevoked ? "revoked" : used && isCurrent(used) ? "good" : "unknown";
            const status = await check(isolateAt(command.isolate), command.certificate, kv);
            expect(status.status, status.message).toBe(expected);
            if (expected !== "unknown") expect(status.thisUpdate).toBe(used?.thisUpdate);
          }
        }
      }
    }),
    { numRuns: 200 },
  );
});

/** What a source sends from now on; null for nothing. */
const sendings = fc.option(
  fc.record({
    answer: which,
    flavour: flavours,
    isDelta: fc.integer({ min: 0, max: 4 }).map((n) => n === 0),
    isSignedAgain: fc.boolean(),
    isUnknown: fc.integer({ min: 0, max: 2 }).map((n) => n === 0),
  }),
  { freq: 6 },
);
const steps = fc.array(
  fc.record({
    crl: fc.option(sendings, { nil: undefined }),
    ocsp: fc.option(sendings, { nil: undefined }),
    fault: fc.constantFrom<Kv["fault"]>("none", "none", "put", "get"),
    minutes: fc.constantFrom(0, 1, 11, 60, 180),
    isolate: isolateNumber,
    refreshes: fc.boolean(),
    certificate: fc.nat({ max: CERTIFICATES - 1 }),
  }),
  { minLength: 4, maxLength: 24, size: "max" },
);

test.each([
  ["stays so in every isolate", false],
  ["stays so in that isolate, though KV loses writes and shows old values", true],
])("what was seen revoked by OCSP or CRL %s", async (_, isFaulty) => {
  await fc.assert(
    fc.asyncProperty(histories, steps, async (history, sequence) => {
      const { url, responder, crl, ocsp, check } = makeRun({ withOcsp: true });
      const kv = new Kv(BEGIN);
      const revokedAsOf = new Map<string, number>();
      const unknownAsOf = new Map<string, number>();
      /** By URL. */
      const served = new Map<string, (Answer & { isUnknown: boolean }) | null>();
      /** By certificate: as `goodAsOf`, of its responder alone. */
      const knownAsOf = Array<number>(CERTIFICATES).fill(Number.NEGATIVE_INFINITY);
      /** By certificate: of the latest that said good in its time. It lifts what was seen before, also when it has ended. */
      const goodAsOf = Array<number>(CERTIFICATES).fill(Number.NEGATIVE_INFINITY);
      /** What a check of this certificate met that revokes it, ended or not, is as if it had been seen revoked then. */
      const noteAsked = (checked: number | null, note: (thisUpdate: number, isUnknown: boolean) => void) => {
        for (const from of asked.splice(0)) {
          const sent = served.get(from);
          if (!sent || sent.thisUpdate > kv.now + MINUTE) continue;
          const isSaid = checked !== null && (from === url || from === responder(checked));
          if (sent.isUnknown) {
            if (isSaid) note(sent.thisUpdate, true);
            continue;
          }
          const isMet = isSaid && sent.revoked[checked];
          if (isMet) note(sent.thisUpdate, false);
          // for whom it revokes a CRL that has ended is kept, and so for all others
          if (sent.nextUpdate < kv.now && !(isMet && from === url)) continue;
          for (const [i, since] of goodAsOf.entries())
            if (!sent.revoked[i] && (from === url || from === responder(i)))
              goodAsOf[i] = Math.max(since, sent.thisUpdate);
          for (const [i, since] of knownAsOf.entries())
            if (!sent.revoked[i] && from === responder(i)) knownAsOf[i] = Math.max(since, sent.thisUpdate);
        }
      };
      const saysGood = (certificate: number, thisUpdate: number | null) =>
        history.some((answer) => answer.thisUpdate === thisUpdate && !answer.revoked[certificate]);
      for (const { certificate, isolate, fault, minutes, refreshes, ...sends } of sequence) {
        // an isolate does not read KV again for half a minute
        kv.now += isFaulty ? minutes * MINUTE : Math.max(minutes, 1) * MINUTE;
        kv.fault = isFaulty ? fault : "none";
        if (sends.crl !== undefined) {
          const { answer = 0, flavour = "genuine", isDelta = false } = sends.crl ?? {};
          network.set(url, sends.crl && (() => crl(pick(history, answer), flavour, isDelta ? [DELTA] : [])));
          const isServed = sends.crl && flavour === "genuine" && !isDelta;
          served.set(url, isServed ? { ...pick(history, answer), isUnknown: false } : null);
        }
        if (sends.ocsp !== undefined) {
          const { answer = 0, flavour = "genuine", isSignedAgain = false, isUnknown = false } = sends.ocsp ?? {};
          const signedAt = isSignedAgain ? kv.now : 0;
          const send = () => ocsp(certificate, pick(history, answer), flavour, { signedAt, isUnknown });
          network.set(responder(certificate), sends.ocsp && send);
          const isServed = sends.ocsp && flavour === "genuine";
          served.set(responder(certificate), isServed ? { ...pick(history, answer), isUnknown } : null);
        }
        if (refreshes) await refresh(isolateAt(isolate), kv).catch(() => {});
        noteAsked(null, () => {});
        const { status, thisUpdate, message } = await check(isolateAt(isolate), certificate, kv);
        const seenBy = isFaulty ? `${isolate} ${certificate}` : `${certificate}`;
        const since = revokedAsOf.get(seenBy) ?? Number.NEGATIVE_INFINITY;
        const strange = unknownAsOf.get(seenBy) ?? Number.NEGATIVE_INFINITY;
        const note = (at: number, isUnknown: boolean) => {
          const asOf = isUnknown ? unknownAsOf : revokedAsOf;
          asOf.set(seenBy, Math.max(asOf.get(seenBy) ?? Number.NEGATIVE_INFINITY, at));
        };
        if (status === "revoked") note(thisUpdate ?? 0, false);
        noteAsked(certificate, note);
        if (status !== "good") continue;
        if (strange > Number.NEGATIVE_INFINITY) expect(knownAsOf[certificate], message).toBeGreaterThan(strange);
        expect(Math.max(thisUpdate ?? 0, goodAsOf[certificate] ?? 0), message).toBeGreaterThan(since);
        expect(saysGood(certificate, thisUpdate)).toBe(true);
      }
    }),
    { numRuns: 150 },
  );
});
