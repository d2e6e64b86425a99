/** What an institution is notified of, in a form for each type; and its watches. */
import * as z from "zod";
import type { EventType } from "../../events/event.ts";
import { digest, instant, list, paymentServices, scope } from "./field.ts";

const count = z.int().min(0);
const certificates = list(digest);

const of = <Type extends EventType, Psp extends z.ZodType, News extends z.ZodType>(type: Type, psp: Psp, news: News) =>
  z.object({
    id: z.string(),
    type: z.literal(type),
    timestamp: instant,
    data: z.object({
      psp_id: psp,
      before: news,
      after: news,
      evidence: list(z.object({ document: z.string(), sha256: z.string() })),
      grants: z.object({ tokens: count, consents: count }).nullable(),
    }),
  });

const category = z.object({
  category: z.string(),
  status: z.string().nullable(),
  payment_services: paymentServices,
  passports: z.record(z.string(), paymentServices),
});
const register = z.object({ ambiguous: z.boolean(), categories: list(category) });
const about = { source: z.string(), jurisdiction: z.string() };
const issuer = z.object({
  ...about,
  ...{ service: z.string(), anchor: digest, status: z.string(), reason: z.string().optional(), certificates },
});
const used = z.object({ scope, permission_id: z.string().nullable(), token_revoked: z.boolean() });
const stale = z.object({
  ...{ stale: z.boolean(), ...about },
  ...{ sequence_number: z.int().optional(), issued_at: z.string().optional() },
  next_update: z.string().nullable().optional(),
  ...{ published: z.string().optional(), fetched_at: z.string().optional() },
});

/** By their names in the document. */
export const EVENTS = {
  PspStatusChanged: of("psp.status_changed", z.string(), register),
  QtspWithdrawn: of("qtsp.withdrawn", z.string(), issuer),
  PspCertificateRevoked: of(
    "psp.certificate_revoked",
    z.string(),
    z.object({ certificate: digest, revoked: z.boolean() }),
  ),
  PspCodeUsedTwice: of("psp.code_used_twice", z.string(), used),
  SourceStale: of("source.stale", z.null(), stale),
  WebhookTest: of("webhook.test", z.null(), z.null()),
} as const;

export const eventList = z.object({
  data: list(
    z.discriminatedUnion("type", [
      EVENTS.PspStatusChanged,
      EVENTS.QtspWithdrawn,
      EVENTS.PspCertificateRevoked,
      EVENTS.PspCodeUsedTwice,
      EVENTS.SourceStale,
      EVENTS.WebhookTest,
    ]),
  ),
  next_after: z.string(),
});
export type EventList = z.output<typeof eventList>;

const watch = z.object({ psp_id: z.string(), watched_since: instant });
export const watchAnswer = z.object({ data: watch });
export type WatchAnswer = z.output<typeof watchAnswer>;

export const watchList = z.object({ data: list(watch), next_cursor: z.string().optional() });
export type WatchList = z.output<typeof watchList>;
