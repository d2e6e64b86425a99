/**
 * Every memory of an isolate, filled far beyond its share with the heaviest that it can be given: by its own count none
 * exceeds its share, and the real heap is not above that count.
 */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { makeCertificate as makeHostile } from "../../../../fixtures/makers/certificate-maker.ts";
import { at, makeCertificate as makePlain } from "../../../../fixtures/makers/made-pki.ts";
import { caExtensions } from "../../../../fixtures/makers/path-extensions.ts";
import "../../../../src/console/sign-in/provider.ts";
import "../../../../src/events/observations.ts";
import { documentKey } from "../../../../src/evidence/ledger/document-bundle.ts";
import "../../../../src/evidence/ledger/kept-documents.ts";
import type { LedgerEntry } from "../../../../src/evidence/ledger/record.ts";
import { waitingRecords } from "../../../../src/evidence/ledger/recorder.ts";
import "../../../../src/grants/kept-introspections.ts";
import { PERMISSIONS } from "../../../../src/grants/permission.ts";
import "../../../../src/http/access.ts";
import { rememberText } from "../../../../src/http/middleware/certificate.ts";
import "../../../../src/http/middleware/financial-institution.ts";
import "../../../../src/http/middleware/rate-limit.ts";
import { SourceQuota } from "../../../../src/http/rate-limit/source-quota.ts";
import { toBase64 } from "../../../../src/platform/encoding.ts";
import { MAX_MEMORY_BYTES, MEMORY_SHARES, memories, memoryKey } from "../../../../src/platform/memory.ts";
import { jsonDocument } from "../../../../src/psp-check/basis.ts";
import { decideOnCheck } from "../../../../src/psp-check/decision.ts";
import { describeOnce } from "../../../../src/psp-check/kept-answers.ts";
import { rememberFetched } from "../../../../src/psp-check/kept-issuers.ts";
import { checkPsp, type PspCheck } from "../../../../src/psp-check/psp-check.ts";
import { findRegister } from "../../../../src/registers/lookup.ts";
import "../../../../src/revocation/kept-answers.ts";
import "../../../../src/revocation/revocation.ts";
import { recordFailure } from "../../../../src/revocation/source-attempts.ts";
import "../../../../src/routes/operation.ts";
import type { ListedAnchor } from "../../../../src/trust/anchors.ts";
import { findAnchors } from "../../../../src/trust/anchors.ts";
import { parseCertificate } from "../../../../src/x509/certificate.ts";
import { readPathExtensions } from "../../../../src/x509/extensions.ts";
import { nameKey } from "../../../../src/x509/name.ts";

setFlagsFromString("--expose-gc");
/** With a check, and texts of its own. */
const makeWaiting = (i: number): LedgerEntry => ({
  ...{ id: text(31), time: text(24), release: text(6), fi: text(17), request_id: text(36), event: "psp.checked" },
  ...{
    endpoint: "GET /v1/psp/eidas",
    version: "1",
    status: 200,
    outcome: "ok",
    ms: 3,
    psp: text(20),
    answer: text(64),
  },
  checks: [
    {
      ...{ certificate: text(64), psp: text(20), jurisdictions: ["XX"], verdicts: [], basis: text(64) },
      decisions: [{ payments: true, accounts: true }],
    },
  ],
  ...{ token: null, consent: null, account: null, transaction_reference: `${text(35, "ж")}${i}` },
});
const collectGarbage = runInNewContext("gc") as () => void;

const NOW = at("2026-06-10T00:00:00Z");
const LATER = NOW + 30_000;
const MIB = 1024 * 1024;

/** Values of KV by the part of the key that tells what it is; null for every other. */
const storeOf = (find: (key: string) => unknown) =>
  ({
    get: async (keys: string | string[]) =>
      typeof keys === "string" ? null : new Map(keys.map((key) => [key, find(key)])),
    put: async () => {},
  }) as unknown as KVNamespace;
const ctx = { waitUntil: () => {} };

/** A text that is a string of its own: `repeat` makes a rope whose parts are shared. */
const text = (length: number, of = "x") => Buffer.alloc(length, of).toString();

const manifest = (of: string, source: string) => ({
  ...{ country: of, source, ncaId: "NCA", ncaName: text(100), published: "2026-06-01T00:00:00.000Z" },
  ...{ fetchedAt: "2026-06-01T00:00:00.000Z", psps: 1_000_000, agents: 100_000, refused: 12_345 },
  ...{ hash: text(64), run: text(36) },
});
const psp = (authNumber: string) => ({
  authNumber,
  agent: false,
  categories: ["Payment Institution", "E-Money Institution", "AISP"].map((category) => ({
    ...{ category, legalName: text(200), status: ["2019-01-01", "2020-01-01", "2021-01-01"] },
    services: [1, 2, 3, 4, 5, 6, 7, 8],
    passportOut: Object.fromEntries(Array.from({ length: 30 }, (_, i) => [country(i), [1, 2, 3, 4, 5, 6, 7, 8]])),
  })),
});
/** Of a register with institutions, or with an agent among many. */
const registerValue = (authNumber: string, agent: boolean) => (key: string) => {
  const [, country = "", source = ""] = /register\/(?:manifest\/)?(\w\w)\/([\w-]+)/.exec(key) ?? [];
  if (key.startsWith("register/manifest/")) return manifest(country, source);
  if (!agent) return key.includes("/psp/") ? [psp(authNumber)] : null;
  const line = `\n${authNumber.replaceAll("-", "")}\t${authNumber}\tAgent ${text(40)}`;
  return key.includes("/agents/") ? JSON.parse(JSON.stringify(`${text(100_000)}${line}\n`)) : null;
};

const anchorCertificate = makePlain({ subject: "Listed", extensions: caExtensions() }).certificate;
const listedAnchor = (i: number): ListedAnchor => ({
  ...{ certificate: toBase64(anchorCertificate.der), source: "eIDAS", jurisdiction: "XX" },
  ...{ listSequenceNumber: 1, listIssuedAt: "2026-06-01T00:00:00.000Z" },
  ...{ qtspName: `${text(200)}${i}`, serviceName: `${text(200)}${i}`, listNextUpdate: "2026-12-01T00:00:00.000Z" },
  periods: Array.from({ length: 12 }, (_, n) => ({
    ...{
      status: "granted",
      from: `20${10 + n}-01-01T00:00:00Z`,
      uses: ["web-authentication" as const, "seal" as const],
    },
  })),
});

/**
 * PSPs' certificates of some 12 KiB: one whose texts are in the answer or quoted in as many warnings as there may be, and
 * one of which a warning cuts the issuer's long name short.
 */
const chainOf = async (subject: string, issuer: string) => [
  await makeHostile({ subject, issuer }),
  await makeHostile({ subject: issuer }),
];
const ODD = Array.from({ length: 30 }, (_, i) => `2.5.4.97=odd ${text(60, "ж")} ${i}`);
const LONG = ["CN", "O", "C"].map((type) => `${type}=${text(2_000, "ж")}`);
const HOSTILE = [
  await chainOf(["2.5.4.97=PSDXX-TEST-1", ...ODD, ...LONG].join(", "), `CN=${text(7_000, "ж")}`),
  await chainOf("2.5.4.97=PSDXX-TEST-1", `O=${text(7_000, "ж")}`),
] as const;
/** Two capitals, others for each number. */
const country = (i: number) => String.fromCharCode(65 + (Math.floor(i / 26) % 26), 65 + (i % 26));

async function checkHostile(i: number, jurisdiction: string): Promise<PspCheck> {
  const [leaf, issuer] = HOSTILE[i % 10 === 0 ? 0 : 1].map((der) => parseCertificate(Uint8Array.from(der)));
  if (!leaf || !issuer) throw new Error("each chain has two");
  const chain = { leaf, issuers: [issuer] };
  const { check } = await checkPsp({ env: { KV: storeOf(() => null) }, ctx, chain, jurisdiction, now: NOW });
  return check;
}

/** How each memory is filled: once for each number. */
const set = (share: keyof typeof FILL, key: string, value: unknown, until = LATER) =>
  memories.get(share)?.set(key, value, until, NOW);
const measured = (share: string) =>
  share === "records" ? waitingRecords : memories.get(share as keyof typeof MEMORY_SHARES);

const FILL: Record<
  Exclude<keyof typeof MEMORY_SHARES, "crls" | "ocspResponses">,
  [times: number, (i: number) => unknown]
> = {
  sources: [
    400,
    (i) => {
      const source = new SourceQuota();
      for (let n = 0; n <= 300; n++) source.take((1_780_000_000 + n) * 1000, 15_000);
      set("sources", `2001:db8:${i}::/64`, source);
    },
  ],
  anchors: [
    200,
    async (i) => {
      const store = storeOf((key) => (key.startsWith("trust/anchors/") ? [listedAnchor(i), listedAnchor(i)] : null));
      for (const { certificate } of await findAnchors(store, [memoryKey(String(i))], NOW)) {
        readPathExtensions(certificate);
        nameKey(certificate.subject);
        nameKey(certificate.issuer);
      }
    },
  ],
  headers: [
    2_000,
    (i) =>
      set(
        "headers",
        // as long as that of one certificate, and as flat as workerd gives it
        Buffer.from(text(1_700) + i).toString("latin1"),
        { key: memoryKey(`chain ${i}`), notAfter: NOW + i },
        Number.POSITIVE_INFINITY,
      ),
  ],
  texts: [
    10_000,
    (i) => rememberText({ text: memoryKey(`text ${i}`), key: memoryKey(`chain ${i}`), notAfter: NOW + i }, NOW),
  ],
  registers: [
    300,
    (i) => {
      const authNumber = `PSDXX-TEST-${i}`;
      return findRegister(storeOf(registerValue(authNumber, i % 2 === 0)), "XX", authNumber, NOW);
    },
  ],
  credentials: [
    2_000,
    (i) => {
      const tokenSeconds = { payments: i, accounts: null };
      const fi = {
        id: i,
        name: text(200, "ж"),
        fiReferenceId: text(128),
        tokenSeconds,
        database: 999,
        ledgerRequired: true,
        bankPassports: "refuse",
      };
      set("credentials", memoryKey(`${i}`), { fi, clientId: `client-${i}`, writesRefused: false });
    },
  ],
  issuers: [
    1_000,
    (i) => {
      const { der } = anchorCertificate;
      const copy = parseCertificate(der.slice());
      rememberFetched(`http://ca.example/${i}`, i % 2 ? [copy] : [copy, copy, copy], NOW);
    },
  ],
  records: [2_000, (i) => waitingRecords.add(i % 2, { entry: makeWaiting(i), accountId: text(256, "ж") })],
  clients: [2_000, (i) => set("clients", memoryKey(`${i}`), true)],
  revocationFailures: [1_000, (i) => recordFailure(`${i}`, text(500), NOW)],
  revocationPuts: [2_000, (i) => set("revocationPuts", memoryKey(`${i}`), true)],
  revocationRefreshes: [2_000, (i) => set("revocationRefreshes", memoryKey(`${i}`), true)],
  observations: [2_000, (i) => set("observations", `${memoryKey(`${i}`)} revoked`, true)],
  health: [10, (i) => set("health", `${i}`, { status: "degraded", reasons: [text(20), text(20)] })],
  accessKeys: [
    100,
    (i) => {
      const keys = [1, 2].map((n) => ({ kid: text(64), kty: "RSA", n: text(342), e: `AQAB${n}` }));
      set("accessKeys", `https://team-${i}.example`, { keys, readAt: NOW });
    },
  ],
  keptDocuments: [2_000, (i) => set("keptDocuments", documentKey(text(64, String(i % 10)) + i, NOW), true)],
  introspections: [
    1_000,
    (i) => {
      const token = { id: text(35) + i, kid: text(16), fiId: i, pspId: text(64), accountId: text(256, "ж") };
      const times = { issuedAt: NOW, expiresAt: LATER, revokedAt: null, blocked: false };
      const access = {
        permissions: [...PERMISSIONS],
        transactionFromDateTime: text(24),
        transactionToDateTime: text(24),
      };
      const found = {
        token: { ...token, ...times, scope: "accounts" as const, consentId: text(36) },
        access: { ...access, authorised: true, endsAt: LATER },
      };
      set("introspections", `${i} ${text(36)}`, { found, readAt: NOW, after: i });
    },
  ],
  // last: an answer shares its parts with its check, as a check its readings with the registers, and each memory counts them
  answers: [
    800,
    async (i) => {
      const check = await checkHostile(i, `answered ${i}`);
      const place = { jurisdiction: `${i}`, bankPassports: null };
      jsonDocument(describeOnce(check, place, "latest", NOW, decideOnCheck(check, place, NOW)));
    },
  ],
  checks: [1_300, (i) => checkHostile(i, `${i}`)],
  signInProviders: [40, (i) => set("signInProviders", `keys https://${i}.example`, { keys: [text(20_000, "x")] })],
};

test("all shares together are at most 32 MiB", () => {
  const sum = Object.values(MEMORY_SHARES).reduce((bytes, share) => bytes + share, 0);
  expect(sum).toBeLessThanOrEqual(MAX_MEMORY_BYTES);
  expect(MAX_MEMORY_BYTES).toBe(32 * MIB);
});

test("every memory of the source has a share of its own", () => {
  const root = join(import.meta.dirname, "../../../../src");
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  const made = files
    .map((file) => readFileSync(join(root, file), "utf8"))
    .flatMap((source) => [
      ...source.matchAll(/(?:memoryOf<[^(]+\(\s*"|new WaitingRecords\(MEMORY_SHARES\.|new Memory<(?!Value>))(\w+)/g),
    ])
    .map(([, share]) => share);
  expect(made.toSorted()).toEqual(Object.keys(FILL).toSorted());
});

const COLLECTIONS = 12;

/** What is used when a collection finds no more: what finished promises and weak references held goes with later ones. */
async function heapUsed(): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < COLLECTIONS; i++) {
    await setImmediate();
    collectGarbage();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    const isLess = heapUsed + arrayBuffers < least - SETTLED_BYTES;
    least = Math.min(least, heapUsed + arrayBuffers);
    if (!isLess && i > 2) break;
  }
  return least;
}
const SETTLED_BYTES = 4_096;

/** What code and a running test take, and by how much of its share a memory may hold more than it counts. */
const SLACK_BYTES = 0.25 * MIB;
const UNCOUNTED_PART = 1 / 16;

const counted = () => Object.keys(FILL).reduce((bytes, share) => bytes + (measured(share)?.bytes ?? 0), 0);

describe("filled beyond its share, a memory stays within it, and so does the heap", () => {
  test.each(Object.entries(FILL))("%s", async (name, [times, fill]) => {
    const [share, memory] = [MEMORY_SHARES[name as keyof typeof FILL], measured(name)];
    if (!memory) throw new Error(`${name}: no module has it`);
    // what the code makes when it runs for the first time is not the memory's
    await fill(0);
    const [heapBefore, countedBefore] = [await heapUsed(), counted()];
    for (let i = 1; i < times; i++) {
      await fill(i);
      expect(memory.bytes).toBeLessThanOrEqual(share);
    }
    expect(memory.size).toBeLessThan(times);
    // a check leaves readings and anchors behind as well: all are counted
    const allowed = heapBefore + counted() - countedBefore + SLACK_BYTES + share * UNCOUNTED_PART;
    expect(await heapUsed()).toBeLessThanOrEqual(allowed);
  });
});
