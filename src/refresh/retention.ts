/** The step that deletes old records, and says when a database fills up nevertheless. */
import { deleteOld } from "../grants/retention.ts";
import type { Step } from "./step.ts";

/** Of one D1 database: https://developers.cloudflare.com/d1/platform/limits/ */
const MAX_DATABASE_BYTES = 10e9;
/** At 4 million tokens a day the rest is full in less than two days. */
const ALARMING_SHARE = 0.8;
/** Of an invocation's thousand: more leave too few to another source's step (scheduled.ts). */
const STATEMENTS_OF_LIGHT_STEP = 100;

export const runRetention: Step = async ({ env, now }) => {
  const retention = {
    tokenRetentionDays: env.TOKEN_RETENTION_DAYS,
    retentionDays: env.RETENTION_DAYS,
    permissionRetentionDays: env.PERMISSION_RETENTION_DAYS,
  };
  const { deleted, unfinished, statements, databaseBytes } = await deleteOld(env.DB, retention, now);
  const message = unfinished ? null : fillMessage(databaseBytes);
  if (message !== null) return { ok: false, message };
  const summary = `deleted ${JSON.stringify(deleted)}; ${gigabytes(databaseBytes)} GB in the database`;
  return { ok: true, stepState: {}, unfinished, heavy: statements > STATEMENTS_OF_LIGHT_STEP, summary };
};

/** Null while the database has room. A full one refuses every new token. */
export const fillMessage = (databaseBytes: number): string | null =>
  databaseBytes <= ALARMING_SHARE * MAX_DATABASE_BYTES
    ? null
    : `the database holds ${gigabytes(databaseBytes)} GB of at most ${gigabytes(MAX_DATABASE_BYTES)}, and a full one refuses every new token: lower TOKEN_RETENTION_DAYS in wrangler.toml and deploy, and give new institutions another database`;

const gigabytes = (bytes: number): string => (bytes / 1e9).toFixed(2);
