/**
 * GET /health, without authentication: 200 while the service is up or degraded, with the codes of the reasons; 503 if it
 * cannot say because a store does not answer. The result is cached, so frequent requests do not load the stores.
 */

import type { Context } from "hono";
import { ledgerWarnings } from "../evidence/ledger/ledger-settings.ts";
import { readSigningKeys } from "../evidence/signatures/signing-keys.ts";
import { lifetimeWarnings } from "../grants/token-lifetimes.ts";
import type { AppEnv } from "../http/context.ts";
import { configurationWarnings } from "../http/errors/errors.ts";
import { findSilentDatabases } from "../institutions/databases.ts";
import { clock } from "../platform/clock.ts";
import { memoryOf } from "../platform/memory.ts";
import { StoreError } from "../platform/stores.ts";
import { VERSION } from "../platform/version.ts";
import { readStatus } from "../refresh/status.ts";
import type * as answers from "./operation.answer.ts";

const HEALTH_LIFETIME_MS = 10_000;

export interface Health {
  readonly status: "up" | "degraded" | "down";
  /** The codes of refresh/reasons.ts, each once; or that a store does not answer. */
  readonly reasons: answers.Health["reasons"];
}

/** */
const knownHealth = memoryOf<Health>("health");

/** Degraded: nothing is loaded, a source is stale or fails repeatedly, or a database beside the first does not answer. */
export async function answerHealth(c: Context<AppEnv>): Promise<Response> {
  let health = knownHealth.get("", c.var.now);
  if (!health) {
    health = await findHealth(c);
    // a hit does not extend the lifetime: a monitor that asks every second must see a change
    const foundAt = clock.now();
    knownHealth.set("", health, foundAt + HEALTH_LIFETIME_MS, foundAt);
  }
  const status = health.status === "down" ? 503 : 200;
  const answer: answers.Health = { ...health, version: VERSION };
  return c.json(answer, status, { "Cache-Control": "no-store" });
}

async function findHealth(c: Context<AppEnv>): Promise<Health> {
  try {
    const [{ status, reasons }, silent] = await Promise.all([readStatus(c.env, c.var.now), findSilentDatabases(c.env)]);
    const codes = [...new Set(reasons.map(({ code }) => code))];
    if (silent.length === 0) return { status, reasons: codes };
    // its institutions are refused, and those of the others are not
    console.error(JSON.stringify({ request_id: c.var.requestId, error: `D1: no answer from ${silent.join(", ")}` }));
    return { status: "degraded", reasons: [...codes, "store_unreachable"] };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    console.error(JSON.stringify({ request_id: c.var.requestId, error: error.message }));
    return { status: "down", reasons: ["store_unreachable"] };
  }
}

export async function answerStatus(c: Context<AppEnv>): Promise<Response> {
  const { LEDGER_RECORDS, EVIDENCE }: Partial<Env> = c.env;
  const { signer } = readSigningKeys(c.env);
  const answer: answers.Status = {
    version: VERSION,
    ...(await readStatus(c.env, c.var.now)),
    warnings: [
      ...configurationWarnings(c.env),
      ...lifetimeWarnings(c.env),
      ...ledgerWarnings({ records: LEDGER_RECORDS, bucket: EVIDENCE !== undefined, signs: signer !== null }),
    ],
  };
  return c.json(answer);
}

/** A new key signs at once: a verifier that does not know its id reads the keys again. */
const CACHE_SECONDS = 300;

export const answerSigningKeys = (c: Context<AppEnv>): Response => {
  const keys: answers.SigningKeys = { keys: [...readSigningKeys(c.env).published] };
  return c.json(keys, 200, {
    "Cache-Control": `public, max-age=${CACHE_SECONDS}`,
    "Access-Control-Allow-Origin": "*",
  });
};
