/** The step that deletes old records and documents, and says when a database fills up nevertheless. */

import { deleteOldEvidence } from "../evidence/ledger/ledger-settings.ts";
import { deleteOld } from "../grants/retention.ts";
import { listDatabases, MAX_DATABASE_BYTES } from "../institutions/databases.ts";
import { StoreError } from "../platform/stores.ts";
import type { Step } from "./schedule.ts";

/** At 4 million tokens a day the rest is full in less than two days. */
const ALARMING_SHARE = 0.8;
/** Of an invocation's thousand (scheduled.ts), shared by all databases; more than these leave too few to another step. */
const STATEMENTS_OF_STEP = 400;
const STATEMENTS_OF_LIGHT_STEP = 100;
/** Each with a deletion of a thousand documents. */
const EVIDENCE_LISTS_OF_STEP = 20;

/** In each database by itself: one that does not answer keeps what it has, and the others do not. */
export const runRetention: Step = async ({ env, now }) => {
  const retention = {
    tokenRetentionDays: env.TOKEN_RETENTION_DAYS,
    retentionDays: env.RETENTION_DAYS,
    permissionRetentionDays: env.PERMISSION_RETENTION_DAYS,
  };
  const databases = listDatabases(env);
  const share = Math.ceil(STATEMENTS_OF_STEP / databases.length);
  const [summaries, failures]: [string[], string[]] = [[], []];
  let [used, unfinished] = [0, false];
  for (const { number, binding, db } of databases)
    try {
      const result = await deleteOld(db, retention, now, share);
      used += result.statements;
      unfinished ||= result.unfinished;
      const full = result.unfinished ? null : fillMessage(binding, result.databaseBytes);
      if (full !== null) failures.push(full);
      const place = number === 1 && databases.length === 1 ? "the database" : binding;
      summaries.push(`deleted ${JSON.stringify(result.deleted)}; ${gigabytes(result.databaseBytes)} GB in ${place}`);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      failures.push(`${binding}: ${error.message}`);
    }
  const { EVIDENCE, EVIDENCE_RETENTION_DAYS: evidenceDays } = env;
  if (EVIDENCE && evidenceDays !== undefined)
    try {
      const { deleted, unfinished: more } = await deleteOldEvidence(
        EVIDENCE,
        evidenceDays,
        now,
        EVIDENCE_LISTS_OF_STEP,
      );
      unfinished ||= more;
      if (deleted > 0) summaries.push(`deleted ${deleted} kept documents`);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      failures.push(error.message);
    }
  // a failure postpones the next step by up to an hour (schedule.ts): the others are to keep up with what comes meanwhile
  if (failures.length > 0 && !unfinished) return { ok: false, message: failures.join("; ") };
  const summary = [...summaries, ...failures].join("; ");
  return { ok: true, stepState: {}, unfinished, heavy: used > STATEMENTS_OF_LIGHT_STEP, summary };
};

/** Null while the database has room. A full one refuses every new token. */
export const fillMessage = (binding: string, databaseBytes: number): string | null =>
  databaseBytes <= ALARMING_SHARE * MAX_DATABASE_BYTES
    ? null
    : `the database ${binding} holds ${gigabytes(databaseBytes)} GB of at most ${gigabytes(MAX_DATABASE_BYTES)}, and a full one refuses every new token: lower TOKEN_RETENTION_DAYS in wrangler.toml and deploy, and give new institutions another database (npm run admin -- database add)`;

const gigabytes = (bytes: number): string => (bytes / 1e9).toFixed(2);
