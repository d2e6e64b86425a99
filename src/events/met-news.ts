/**
 * What the scheduled run tells institutions of the PSPs that they have met: that one was seen for the first time, and that
 * the certificate that ends last of those that it showed there ends soon. An event and what is due next are stored in one
 * transaction, on the condition that it is still due: a step that is repeated tells nothing twice.
 */
import type { Instant } from "../platform/instant.ts";
import { bindNamed } from "../platform/statements.ts";
import { callStore } from "../platform/stores.ts";
import { findDueAt, findNextWarning, findWarnedDays } from "./certificate-end.ts";
import type { EventData, EventEvidence } from "./event.ts";
import { insertEvent, type News } from "./event-log.ts";
import { findGrants } from "./interest.ts";
import type { MetPsp } from "./met-list.ts";

/** Of a database in a run, by three calls. */
const PSPS_PER_STEP = 50;

export const MET_NEWS_STATEMENTS = {
  due: `
    SELECT fi_id AS fiId, psp_id AS pspId, name, standing, certificate, not_after AS notAfter, due_at AS dueAt, announced
    FROM met_psps WHERE due_at <= ?1 ORDER BY due_at LIMIT ${PSPS_PER_STEP}`,
  told: `
    UPDATE met_psps SET announced = 1, due_at = :next WHERE fi_id = :fiId AND psp_id = :pspId AND due_at = :dueAt`,
} as const;

interface DueRow extends Pick<MetPsp, "pspId" | "name" | "standing" | "certificate" | "notAfter"> {
  readonly fiId: number;
  readonly dueAt: Instant;
  readonly announced: 0 | 1;
}

/** One step in one database; returns of how many PSPs something was due. Throws StoreError. */
export async function tellOfMetPsps(db: D1Database, now: Instant): Promise<number> {
  const due = db.prepare(MET_NEWS_STATEMENTS.due).bind(now);
  const rows = (await callStore("D1", () => due.all<DueRow>())).results;
  if (rows.length === 0) return 0;
  const grants = new Map<DueRow, EventData["grants"]>();
  for (const [fiId, ofFi] of Map.groupBy(rows, (row) => row.fiId)) {
    const pspIds = ofFi.map(({ pspId }) => pspId);
    const counted = await findGrants(db, fiId, pspIds, now);
    for (const [i, row] of ofFi.entries()) grants.set(row, counted[i] ?? { tokens: 0, consents: 0 });
  }
  const statements = rows.flatMap((row) => {
    const { fiId, pspId, dueAt } = row;
    const news = makeNews(row, grants.get(row) ?? null, now);
    const told = bindNamed(db, MET_NEWS_STATEMENTS.told, { fiId, pspId, dueAt, next: findNext(row, now) });
    return [...(news === null ? [] : insertEvent(db, news, { dueAt }, now)), told];
  });
  await callStore("D1", () => db.batch(statements));
  return rows.length;
}

function findNext({ announced, notAfter }: DueRow, now: Instant): Instant | null {
  if (notAfter === null) return null;
  return announced === 0 ? findDueAt(notAfter, now) : findNextWarning(notAfter, now);
}

/** Null: its certificate has ended meanwhile, or there is none any more. */
function makeNews(row: DueRow, grants: EventData["grants"], now: Instant): News | null {
  const { fiId, pspId, name, standing, certificate, notAfter } = row;
  const evidence: EventEvidence[] = certificate === null ? [] : [{ document: "certificate", sha256: certificate }];
  const about = { fiId, subject: pspId };
  const dataOf = (after: object): EventData => ({ psp_id: pspId, before: null, after, evidence, grants });
  if (row.announced === 0) return { ...about, type: "psp.first_seen", key: "first", data: dataOf({ name, standing }) };
  const days = notAfter === null ? null : findWarnedDays(notAfter, now);
  if (certificate === null || notAfter === null || days === null) return null;
  const after = { certificate, not_after: new Date(notAfter).toISOString(), days };
  return { ...about, type: "psp.certificate_ends_soon", key: `${certificate} ${days}`, data: dataOf(after) };
}
