/** An event of each type. Runs of the service wrote them; of the revoked certificate and of the test the ids and times are made. */
import type { EventList } from "../http/answers/event.ts";

export const EVENT_EXAMPLES: EventList["data"] = [
  {
    id: "evt_A6GL4g0CEz-w62Bfl7EgDOdO7RWUEqCw",
    type: "psp.status_changed",
    timestamp: "2026-11-20T12:12:00.000Z",
    data: {
      psp_id: "PSDXX-TEST-000001",
      before: {
        ambiguous: false,
        categories: [
          {
            category: "Payment Institution",
            status: "Authorised",
            payment_services: [7, 8],
            passports: {},
          },
        ],
      },
      after: {
        ambiguous: false,
        categories: [
          {
            category: "Payment Institution",
            status: "Withdrawn",
            payment_services: [7, 8],
            passports: {},
          },
        ],
      },
      evidence: [
        {
          document: "register XX nca",
          sha256: "ea9bfaea73994a68bb2f729d32c05d01",
        },
      ],
      grants: {
        tokens: 1,
        consents: 0,
      },
    },
  },
  {
    id: "evt_4iLnqSJo5vyXCmMWQKUTtFBNlH_SYL_8",
    type: "qtsp.withdrawn",
    timestamp: "2026-11-20T12:12:00.000Z",
    data: {
      psp_id: "PSDXX-TEST-000001",
      before: {
        source: "eIDAS",
        jurisdiction: "XX",
        service: "Service 0",
        anchor: "7c7c8a317d5c8609a99463c3d742d940cd57d3e25fb20527ffa001af418a974f",
        status: "granted",
        certificates: ["952d67c0d115058f8f717b1937fed694f9ace281c960302ee430f34a05a68d98"],
      },
      after: {
        source: "eIDAS",
        jurisdiction: "XX",
        service: "Service 0",
        anchor: "7c7c8a317d5c8609a99463c3d742d940cd57d3e25fb20527ffa001af418a974f",
        status: "withdrawn",
        reason: "validQTSP: the QTSP's service has the status withdrawn now",
        certificates: ["952d67c0d115058f8f717b1937fed694f9ace281c960302ee430f34a05a68d98"],
      },
      evidence: [
        {
          document: "listed service",
          sha256: "0db0d55f793b9a02e5b99d80b0c7a34fbaf2177cc78de25fc046974f3888ca0a",
        },
      ],
      grants: {
        tokens: 0,
        consents: 0,
      },
    },
  },
  {
    id: "evt_0V1m2cTgq9nXr4yJ6sWZp8LhKfAe3BdU",
    type: "psp.certificate_revoked",
    timestamp: "2026-11-20T12:12:00.000Z",
    data: {
      psp_id: "PSDXX-TEST-000005",
      before: {
        certificate: "6ed12e263552ace0371b75601018d84ed8a587e2657e7d5f50c63cdd63c3609a",
        revoked: false,
      },
      after: {
        certificate: "6ed12e263552ace0371b75601018d84ed8a587e2657e7d5f50c63cdd63c3609a",
        revoked: true,
      },
      evidence: [
        {
          document: "certificate",
          sha256: "6ed12e263552ace0371b75601018d84ed8a587e2657e7d5f50c63cdd63c3609a",
        },
        {
          document: "CRL",
          sha256: "0db0d55f793b9a02e5b99d80b0c7a34fbaf2177cc78de25fc046974f3888ca0a",
        },
      ],
      grants: {
        tokens: 1,
        consents: 0,
      },
    },
  },
  {
    id: "evt_hCHNWzRQJkbHCKt3EPxBeHKWw4_3k5Wi",
    type: "psp.code_used_twice",
    timestamp: "2026-11-23T19:35:59.898Z",
    data: {
      psp_id: "PSDXX-TEST-000001",
      before: {
        scope: "accounts",
        permission_id: "0mwto1to2CcOupZ-bUQap8KwrPlmjcg",
        token_revoked: false,
      },
      after: {
        scope: "accounts",
        permission_id: "0mwto1to2CcOupZ-bUQap8KwrPlmjcg",
        token_revoked: true,
      },
      evidence: [],
      grants: null,
    },
  },
  {
    id: "evt_HGPQVbe5ar9qskb5z7WyDLjasZNINL6D",
    type: "source.stale",
    timestamp: "2026-11-20T15:14:00.000Z",
    data: {
      psp_id: null,
      before: {
        stale: false,
        source: "eIDAS",
        jurisdiction: "XX",
        sequence_number: 1,
        issued_at: "2020-01-01T00:00:00.000Z",
        next_update: "2026-11-20T15:10:00.000Z",
      },
      after: {
        stale: true,
        source: "eIDAS",
        jurisdiction: "XX",
        sequence_number: 1,
        issued_at: "2020-01-01T00:00:00.000Z",
        next_update: "2026-11-20T15:10:00.000Z",
      },
      evidence: [],
      grants: null,
    },
  },
  {
    id: "evt_8sQm1fHh0wYtXkq2nV6bJc4RzLpE7uGd",
    type: "webhook.test",
    timestamp: "2026-11-20T12:12:00.000Z",
    data: {
      psp_id: null,
      before: null,
      after: null,
      evidence: [],
      grants: null,
    },
  },
];
