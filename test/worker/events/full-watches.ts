/** An institution that watches as many PSPs as it may. */
import { env } from "cloudflare:workers";
import { MAX_WATCHES } from "../../../src/events/watches.ts";
import { SANDBOX_FI } from "../sandbox.ts";

/** Of the sandbox FI. Those that it watches already are among them. */
export async function fillWatches(): Promise<void> {
  await env.DB.prepare(
    `INSERT OR IGNORE INTO psp_watches (fi_id, psp_id, created_at)
     WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers LIMIT ${MAX_WATCHES})
     SELECT (SELECT id FROM financial_institutions WHERE fi_reference_id = ?1), 'PSDXX-FULL-' || n, 0 FROM numbers`,
  )
    .bind(SANDBOX_FI.fi_reference_id)
    .run();
}

export async function emptyWatches(): Promise<void> {
  await env.DB.prepare("DELETE FROM psp_watches").run();
}
