/** What a service with two databases and three ledgers measures: every family has a sample. */
import { LATENCY_BOUNDS_MS } from "../../../../src/evidence/ledger/traffic.ts";
import type { Measured } from "../../../../src/routes/metrics/families.ts";

export const NOW = Date.parse("2026-11-23T12:00:00Z");
const HOUR = 3_600_000;
const iso = (time: number) => new Date(time).toISOString();

const refresh = { checkedAt: iso(NOW - HOUR), nextCheck: iso(NOW), failures: 0, lastError: null, refusedImport: null };
const source = { loaded: true, published: iso(NOW - 30 * HOUR), fetchedAt: iso(NOW - HOUR), nextUpdate: null, refresh };
const latencies = (...counts: number[]) => [...LATENCY_BOUNDS_MS, 0].map((_, i) => counts[i] ?? 0);

export const MEASURED: Measured = {
  env: {
    TOKEN_KEY_20261101T000000Z: "secret",
    SIGNING_KEY_20260101T000000Z_d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a: "retired",
  },
  status: {
    status: "degraded",
    reasons: [
      { code: "register_stale", message: "the register nca CZ is old", source: "nca", jurisdiction: "CZ" },
      { code: "register_stale", message: "the register nca FI is old", source: "nca", jurisdiction: "FI" },
    ],
    trustedLists: [
      { ...source, source: "eIDAS", jurisdiction: "CZ", stale: false, sequenceNumber: 5, services: 7, anchors: 9 },
      {
        ...{ ...source, source: "eIDAS", jurisdiction: "FI", stale: false, sequenceNumber: null },
        ...{ loaded: false, published: null, services: 0, anchors: 0 },
      },
    ],
    registers: [
      {
        ...{ ...source, source: "nca", jurisdiction: "CZ", stale: true, snapshot: "x", psps: 12, agents: 3 },
        ...{ refused: 0, kept: [], undated: [], awaited: [], dated: "publication" },
      },
      {
        ...{
          ...source,
          source: "eba",
          jurisdiction: null,
          stale: false,
          snapshot: null,
          loaded: false,
          published: null,
        },
        ...{ psps: 0, agents: 0, refused: 0, kept: [], undated: [], awaited: [], dated: null },
      },
    ],
    holes: [
      {
        ...{ country: "DE", day: "2026-11-21", psps: 41, notFound: 37, certificateForm: "6 digits" },
        ...{ registerForms: ["letters and digits"], message: "DE: 37 of 41 PSPs were not found" },
      },
    ],
    crls: { loaded: 4, nextUpdate: null, refresh: null },
  },
  first: {
    institutions: [
      { id: 1, reference: "PSDFI-ONE-0001", status: "active", secretAt: NOW - 90 * 24 * HOUR },
      { id: 2, reference: 'PSDFI-"TWO"\\0002', status: "disabled", secretAt: null },
    ],
    refreshes: [
      { task: "trust/eIDAS/CZ", dueAt: NOW + HOUR, failures: 0, checkedAt: NOW - HOUR, refused: 0 },
      { task: "register/eba", dueAt: NOW - 60_000, failures: 6, checkedAt: null, refused: 1 },
    ],
    damage: [{ fi: "PSDFI-ONE-0001", records: 4096 }],
    notices: { waiting: 2, oldest: NOW - 30_000 },
  },
  databases: [
    { binding: "DB", state: { bytes: 2e9, events: 40, pending: { waiting: 3, oldest: NOW - 90_000 }, dead: 1 } },
    { binding: "DB_2", state: null },
  ],
  ledgers: [
    {
      reference: "PSDFI-ONE-0001",
      totals: {
        ...{ seq: 900, unsigned: 12, headAt: NOW - 1500, waiting: { segments: 1, bytes: 70_000 } },
        outcomes: [
          { endpoint: "GET /v1/psp/eidas", outcome: "ok", requests: 6, ms: latencies(1, 2, 3) },
          {
            endpoint: "GET /v1/psp/eidas",
            outcome: "certificate_revoked",
            requests: 2,
            ms: latencies(0, 1, ...Array(11).fill(0), 1),
          },
          { endpoint: "POST /v1/oauth2/tokens", outcome: "ok", requests: 1, ms: latencies(1) },
        ],
      },
    },
    {
      reference: 'PSDFI-"TWO"\\0002',
      totals: { seq: 0, unsigned: 0, headAt: null, waiting: { segments: 0, bytes: 0 }, outcomes: [] },
    },
    { reference: "PSDFI-THREE-3", totals: null },
  ],
  leftOut: 0,
};
