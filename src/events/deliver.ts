/**
 * Delivers events to webhooks: one attempt at a time, signed by Standard Webhooks, https, without following a redirect.
 * A receiver may get an event twice (its webhook-id says so), if the attempt succeeded and nobody could note it.
 */
import { Webhook as Signer } from "standardwebhooks";
import { readTokenKeys } from "../grants/token-keys.ts";
import type { Instant } from "../platform/instant.ts";
import { bindNamed } from "../platform/statements.ts";
import { callStore } from "../platform/stores.ts";
import { VERSION } from "../platform/version.ts";
import {
  type AttemptOutcome,
  DELIVERY_STATEMENTS,
  type DueDelivery,
  decideNext,
  describeOutcome,
  findDue,
  LONGEST_TIME_MS,
  type NextStep,
  postpone,
  readRetryAfter,
} from "./deliveries.ts";
import { describeEvent } from "./event.ts";
import { judgePace, lengthen } from "./pace.ts";
import { findWebhook, openSecrets, WEBHOOK_STATEMENTS, type Webhook } from "./webhook.ts";
import { checkTarget, type Resolve, readTargets, resolveHost } from "./webhook-target.ts";

/** Of an attempt: for the question to DNS and the receiver together. */
const TIMEOUT_MS = 10_000;
/** Of what a receiver says only the kind is of interest; an answer is read so far that its connection can be used again. */
const MAX_ANSWER_BYTES = 1024;
const PAGE = /^\s*<(!doctype html|html)\b/i;
/** In a text of workerd, or in a code of Node. */
const TLS = /TLS|SSL|CERT|UNABLE_TO_VERIFY/;
/** After the instant at which the queue should deliver: then the scheduled run takes its message for lost. */
export const QUEUE_GRACE_MS = 10 * 60_000;

export interface Delivering {
  readonly env: Env;
  readonly resolve?: Resolve;
  readonly now: Instant;
  readonly timeoutMs?: number;
  /** Says how long the receiver took; without it that is not noted. */
  readonly clock?: () => Instant;
}

export interface Delivered {
  /** Null: there was nothing to do. */
  readonly next: NextStep | null;
  readonly delivery: DueDelivery | null;
  readonly outcome: string | null;
  /** The scheduled run decides when the receiver gets more. */
  readonly slow: boolean;
}

const NOTHING: Delivered = { next: null, delivery: null, outcome: null, slow: false };

/** Makes the attempt whose turn it is, and notes how it ended. Throws StoreError; then the attempt is made again. */
export async function deliver(
  db: D1Database,
  id: string,
  { env, resolve = resolveHost, now, timeoutMs = TIMEOUT_MS, clock }: Delivering,
): Promise<Delivered> {
  const delivery = await findDue(db, id);
  if (!delivery) return NOTHING;
  const webhook = await findWebhook(db, delivery.webhookId);
  if (webhook?.status !== "active") {
    await endAll(db, delivery.webhookId, now, webhook ? "its webhook is disabled" : "its webhook was removed");
    return NOTHING;
  }
  // the run's next attempts are of the same instant
  if (webhook.restsUntil !== null && now <= webhook.restsUntil) {
    await postpone(db, [id], webhook.restsUntil);
    return NOTHING;
  }
  const began = clock?.() ?? now;
  const outcome = await attempt(webhook, delivery, { env, resolve, now, timeoutMs });
  const ended = clock?.() ?? null;
  const pace = ended === null ? null : judgePace(webhook.answerMs, ended - began);
  const number = delivery.attempts + 1;
  const firstAt = delivery.firstAt ?? now;
  const next = decideNext({ number, firstAt, now }, outcome);
  const text = describeOutcome(outcome);
  const restsUntil = pace?.restMs == null ? null : (ended ?? now) + pace.restMs;
  const also =
    outcome.kind === "answer"
      ? [db.prepare(WEBHOOK_STATEMENTS.answered).bind(webhook.id, pace?.answerMs ?? null, restsUntil)]
      : unheard(db, webhook, now);
  await storeOutcome(db, delivery, next, { number, firstAt, now, text }, also);
  return { next, delivery, outcome: text, slow: outcome.kind === "answer" && pace?.slow === true };
}

interface Attempted {
  readonly number: number;
  readonly firstAt: Instant;
  readonly now: Instant;
  readonly text: string;
}

async function storeOutcome(
  db: D1Database,
  { id, webhookId }: DueDelivery,
  next: NextStep,
  { number, firstAt, now, text }: Attempted,
  also: readonly D1PreparedStatement[],
): Promise<void> {
  const { retry, end } = DELIVERY_STATEMENTS;
  const values = { id, attempts: number, firstAt, now, outcome: text };
  const attempt =
    next.step === "retry"
      ? bindNamed(db, retry, { ...values, nextAt: now + next.seconds * 1000 })
      : bindNamed(db, end, { ...values, status: next.step === "done" ? "delivered" : "dead" });
  await callStore("D1", () => db.batch([attempt, ...also]));
  if (next.step === "dead" && next.disable) {
    await callStore("D1", () => db.prepare(WEBHOOK_STATEMENTS.disable).bind(webhookId, now).run());
    await endAll(db, webhookId, now, "its webhook is disabled");
  }
}

/** The receiver gave no answer at all. What waits for one that has given none for so long is given up untried. */
function unheard(db: D1Database, webhook: Webhook, now: Instant): D1PreparedStatement[] {
  const { since, restsUntil } = lengthen(webhook, now);
  const dueBefore = now - LONGEST_TIME_MS;
  const overdue = { webhookId: webhook.id, dueBefore, now, outcome: "has not answered for three days" };
  return [
    db.prepare(WEBHOOK_STATEMENTS.silent).bind(webhook.id, since, restsUntil),
    ...(since < dueBefore ? [bindNamed(db, DELIVERY_STATEMENTS.endOverdue, overdue)] : []),
  ];
}

async function endAll(db: D1Database, webhookId: string, now: Instant, outcome: string): Promise<void> {
  await callStore("D1", () => db.prepare(DELIVERY_STATEMENTS.endAll).bind(webhookId, now, outcome).run());
}

async function attempt(
  webhook: Webhook,
  { event }: DueDelivery,
  { env, resolve, now, timeoutMs }: Required<Omit<Delivering, "clock">>,
): Promise<AttemptOutcome> {
  const secrets = openSecrets(webhook, readTokenKeys(env), now);
  if (secrets === null)
    return { kind: "none", message: `could not be signed for: the token key ${webhook.kid} is gone` };
  const signal = AbortSignal.timeout(timeoutMs);
  const target = await checkTarget(webhook.url, readTargets(env), (host) => inTime(resolve(host), signal));
  if (!target.ok) return { kind: "none", message: `was not asked: its address ${target.message}` };
  const payload = JSON.stringify(describeEvent(event));
  const at = new Date(now);
  const signed = {
    "webhook-id": event.id,
    "webhook-timestamp": String(Math.floor(now / 1000)),
    // one for each secret, separated by spaces (Standard Webhooks, "Signature scheme"): the receiver looks for one that fits
    "webhook-signature": secrets.map((secret) => new Signer(secret).sign(event.id, at, payload)).join(" "),
  };
  return await post(webhook, payload, signed, now, signal);
}

/** Rejects when the time is over: a question to DNS cannot be called off. */
const inTime = <Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> =>
  new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
    work.then(resolve, reject);
  });

async function post(
  { url }: Webhook,
  body: string,
  signed: Readonly<Record<string, string>>,
  now: Instant,
  signal: AbortSignal,
): Promise<AttemptOutcome> {
  try {
    const answer = await fetch(url, {
      method: "POST",
      // one that is followed would lead where nobody has looked
      redirect: "manual",
      signal,
      body,
      headers: { "Content-Type": "application/json", "User-Agent": `psp-gate/${VERSION}`, ...signed },
    });
    const page = PAGE.test(await drain(answer));
    return {
      kind: "answer",
      status: answer.status,
      page: page && answer.ok,
      retryAfter: readRetryAfter(answer.headers.get("Retry-After"), now),
    };
  } catch (error) {
    if (signal.aborted) return { kind: "none", message: "did not answer in time" };
    // the errors of fetch differ between runtimes, so their texts are not kept. Cloudflare answers for a bad certificate: 526
    const { message, cause } = error as Error & { cause?: { code?: string } };
    const tls = TLS.test(`${message} ${cause?.code}`);
    return { kind: "none", message: `could not be reached${tls ? ": TLS failed" : ""}` };
  }
}

/** Returns how the answer begins. A status has been given: what goes wrong afterwards changes nothing. */
async function drain({ body }: Response): Promise<string> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  try {
    for (let bytes = 0; reader && bytes < MAX_ANSWER_BYTES; ) {
      const { done, value } = await reader.read();
      if (done) return text;
      bytes += value.length;
      text += decoder.decode(value, { stream: true });
    }
    await reader?.cancel();
  } catch {
    // the connection ended
  }
  return text;
}
