/**
 * What only days of its life would leave in the service's D1. It is written before the first request: workerd gives up at once
 * where another process holds the lock of a file.
 */
import { globSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

type Run = (sql: string, ...values: (string | number)[]) => void;

/** Of each kind of rows in Other Bank's lists. */
export const LISTED_ROWS = 25;

const fi = (reference: string) => `(SELECT id FROM financial_institutions WHERE fi_reference_id = '${reference}')`;
const SANDBOX_BANK = fi("PSDXX-TEST-FI0001");
const OTHER_BANK = fi("PSDXX-TEST-FI0002");

/** `state`: of a service that no one asks yet. */
export function seed(state: string): void {
  const files = globSync(join(state, "**/d1/**/*.sqlite"));
  const [file = ""] = files.filter((path) => !path.endsWith("metadata.sqlite"));
  const database = new DatabaseSync(file);
  try {
    database.exec("PRAGMA busy_timeout = 30000; BEGIN IMMEDIATE");
    for (const write of [leaveEvents, fillLists, failDeliveries])
      write((sql, ...values) => void database.prepare(sql).run(...values), Date.now());
    database.exec("COMMIT");
  } finally {
    database.close();
  }
}

/** More than one answer holds: for a bank that reads its events for the first time (guides.test.ts). */
function leaveEvents(run: Run, now: number): void {
  for (let i = 0; i < 101; i++)
    run(
      `INSERT INTO events (seq, id, fi_id, type, subject, data, created_at)
       SELECT max(?2, 1 + coalesce((SELECT max(seq) FROM events), 0)), ?1, ${SANDBOX_BANK}, 'webhook.test', ?1,
         '{"psp_id":null,"before":null,"after":null,"evidence":[],"grants":null}', ?2`,
      ...[`evt_before_the_guides_${i}`, now],
    );
}

/** What months leave at Other Bank (console-lists.test.ts). */
function fillLists(run: Run, now: number): void {
  const standing = (status: string) => ({
    ambiguous: false,
    categories: [{ category: "Payment Institution", status, payment_services: [7, 8], passports: {} }],
  });
  const data = JSON.stringify({
    ...{ psp_id: "PSDXX-LIST-0", before: standing("Authorised"), after: standing("Withdrawn") },
    ...{ grants: { tokens: 1, consents: 0 }, evidence: [{ document: "register XX nca", sha256: "ab".repeat(32) }] },
  });
  const numbers = `WITH RECURSIVE numbers (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM numbers LIMIT ${LISTED_ROWS})`;
  run(
    `INSERT INTO met_psps (fi_id, psp_id, name, first_seen_at, seen_at, standing, lost_at, not_after)
     ${numbers} SELECT ${OTHER_BANK}, 'PSDXX-LIST-' || (1000 + i), 'Listed Payments ' || i || ' Ltd', 0, ?1 - i * 3600000,
       iif(i % 2, 'lost', 'authorised'), iif(i % 2, ?1 - i * 86400000, NULL), ?1 + i * 86400000 FROM numbers`,
    now,
  );
  run(
    `INSERT INTO met_psp_names (fi_id, part, psp_id)
     SELECT fi_id, 'list', psp_id FROM met_psps WHERE psp_id LIKE 'PSDXX-LIST-%'`,
  );
  run(
    `INSERT INTO events (id, fi_id, type, subject, data, created_at, acknowledged_at, acknowledged_by)
     ${numbers} SELECT 'evt_list_' || i, ${OTHER_BANK}, 'psp.status_changed', 'PSDXX-LIST-0', ?2, ?1 - i * 3600000,
       iif(i % 2, ?1, NULL), 'other-fi' FROM numbers`,
    ...[now, data],
  );
}

/** Other Bank's webhooks, as the runs of three days leave them (console-pages.test.ts). */
function failDeliveries(run: Run, now: number): void {
  for (const [id, host] of [
    ["wh_failing_long", "a-rather-long-name-of-a-receiver.events.operations.northern-commercial-bank.example:8443"],
    ["wh_failing_short", "bank.example"],
  ] as const) {
    run(
      `INSERT INTO webhooks (id, fi_id, url, secret, status, created_at, silent_since)
       VALUES (?1, ${OTHER_BANK}, ?2, 'none', 'active', ?3, ?3)`,
      ...[id, `https://${host}/events`, now],
    );
    for (const subject of [
      "PSDXX-TEST-000001",
      `PSDDE-BAFIN-${"9".repeat(60)}`,
      `${id} ${new Date(now).toISOString()}`,
    ])
      run(
        `INSERT INTO webhook_deliveries (id, fi_id, webhook_id, event_id, event_seq, subject, status, attempts,
           created_at, next_at, ended_at, outcome)
         VALUES (?1 || ?2, ${OTHER_BANK}, ?1, ?2, 1, ?2, 'dead', 17, ?3, ?3, ?3, 'has not answered for three days: the connection was refused')`,
        ...[id, subject, now],
      );
  }
}
