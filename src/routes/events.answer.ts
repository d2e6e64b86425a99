/** What an institution is notified of, in a form for each type; and its watches. */
import * as z from "zod";
import type { EventType } from "../events/event.ts";
import { digest, instant, list, paymentServices, scope } from "../http/answer-fields.ts";

const count = z.int().min(0);

const payloadOf = <
  Type extends EventType,
  Psp extends z.ZodType,
  News extends z.ZodType,
  Before extends z.ZodType = News,
>(
  type: Type,
  psp: Psp,
  news: News,
  before: Before = news as unknown as Before,
) =>
  z.object({
    id: z.string(),
    type: z.literal(type),
    timestamp: instant,
    data: z.object({
      psp_id: psp,
      before,
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
const about = { source: z.string(), jurisdiction: z.string() };

interface Kind {
  /** In the document. */
  readonly name: string;
  readonly payload: z.ZodType;
  readonly summary: string;
  readonly description: string;
  /** Null: nothing was known before. */
  readonly before?: null;
  /** Of the fields of `before` and `after`. */
  readonly texts: Readonly<Record<string, string>>;
}

/** Each kind of event, by its type. Its example is in events.examples.json, as the sandbox told it. */
export const KINDS = {
  "psp.status_changed": {
    name: "PspStatusChanged",
    payload: payloadOf(
      "psp.status_changed",
      z.string(),
      z.object({ ambiguous: z.boolean(), categories: list(category) }),
    ),
    summary: "A home register says something else of a PSP",
    description:
      "The event says that a PSP's status, payment services or passports have changed in its home register. Codes and tokens follow the register anyway.",
    texts: {
      ambiguous: "Several entries of the register have the PSP's number, so none of them is used.",
      categories: "Its entries in its home register; empty if it is not there.",
      "categories[].category": "As in a check; `Agent` and `Not documented` stand for what has no category there.",
      "categories[].status": "Null if the register documents none.",
      "categories[].payment_services": "In the home country: 1 to 8.",
      "categories[].passports": "By country: the payment services there.",
    },
  },
  "qtsp.withdrawn": {
    name: "QtspWithdrawn",
    payload: payloadOf(
      "qtsp.withdrawn",
      z.string(),
      z.object({
        ...about,
        ...{ service: z.string(), anchor: digest, status: z.string(), reason: z.string().optional() },
        certificates: list(digest),
      }),
    ),
    summary: "The trusted list no longer vouches for a PSP's certificate",
    description:
      "The event says that a trusted list no longer vouches for a certificate that the PSP showed. A check says no to it now.",
    texts: {
      source: "Where the list or the register is from.",
      jurisdiction: "The country of the list or the register.",
      service: "The name of the listed service that issued the certificates.",
      anchor: "SHA-256 of the service's certificate.",
      status:
        "`granted` while a check accepts its certificates; else as on the list, `not listed`, or `not qualified`: granted for other certificates.",
      reason: "Why a check says no. Absent before.",
      certificates: "SHA-256 of the PSP's certificates of which this is so.",
    },
  },
  "psp.certificate_revoked": {
    name: "PspCertificateRevoked",
    payload: payloadOf("psp.certificate_revoked", z.string(), z.object({ certificate: digest, revoked: z.boolean() })),
    summary: "A check saw a revoked certificate of a PSP",
    description:
      "The event says that a check of any institution saw a revoked certificate of the PSP. It comes once for each certificate.",
    texts: { certificate: "SHA-256 of the certificate.", revoked: "Whether it is known as revoked." },
  },
  "psp.code_used_twice": {
    name: "PspCodeUsedTwice",
    payload: payloadOf(
      "psp.code_used_twice",
      z.string(),
      z.object({ scope, permission_id: z.string().nullable(), token_revoked: z.boolean() }),
    ),
    summary: "A code was sent again after it had given a token",
    description:
      "The event says that a code was sent again after it had given a token. Somebody else may have the code, so its token is revoked. It comes once for each code.",
    texts: {
      scope: "`payments` or `accounts`.",
      permission_id: "The permission or consent of the code's token; null if the token was not stored.",
      token_revoked: "Whether the token is revoked.",
    },
  },
  "psp.certificate_ends_soon": {
    name: "PspCertificateEndsSoon",
    payload: payloadOf(
      "psp.certificate_ends_soon",
      z.string(),
      z.object({ certificate: digest, not_after: instant, days: z.int() }),
      z.null(),
    ),
    summary: "A certificate of a PSP ends soon, and it has shown none that ends later",
    before: null,
    description:
      "The event says that a certificate of a PSP ends soon. It comes 30, 7 and 1 days before the end, each once. Only certificates count that the institution itself was shown.",
    texts: {
      certificate: "SHA-256 of the certificate.",
      not_after: "When it ends.",
      days: "30, 7 or 1: at most so many days are left.",
    },
  },
  "psp.first_seen": {
    name: "PspFirstSeen",
    payload: payloadOf(
      "psp.first_seen",
      z.string(),
      z.object({ name: z.string().nullable(), standing: z.enum(["authorised", "lost", "absent", "unknown"]) }),
      z.null(),
    ),
    summary: "The institution was shown a PSP's certificate for the first time",
    before: null,
    description:
      "The event says that the institution was shown a PSP's certificate for the first time. A listed service has issued the certificate, whether or not a check accepts it.",
    texts: {
      name: "As its certificate says it; null if it has none.",
      standing:
        "In its home register: `authorised`; `lost`, without a valid authorisation; `absent`, not there under this number; `unknown`, where none is loaded.",
    },
  },
  "source.stale": {
    name: "SourceStale",
    payload: payloadOf(
      "source.stale",
      z.null(),
      z.object({
        ...{ stale: z.boolean(), ...about },
        ...{ sequence_number: z.int().optional(), issued_at: z.string().optional() },
        next_update: z.string().nullable().optional(),
        ...{ published: z.string().optional(), fetched_at: z.string().optional() },
      }),
    ),
    summary: "A register or a trusted list is older than it may be",
    description:
      "The event says that a register with one of the institution's PSPs, or any trusted list, is older than it may be.",
    texts: {
      stale: "Whether it is older than it may be.",
      source: "Where the list or the register is from.",
      jurisdiction: "The country of the list or the register.",
      sequence_number: "Of a trusted list: its number.",
      issued_at: "Of a trusted list: when it was issued.",
      next_update: "Of a trusted list: when the next one was due; null if it does not say.",
      published: "Of a register: when it was published.",
      fetched_at: "Of a register: when it was last found to be the current one.",
    },
  },
  "webhook.test": {
    name: "WebhookTest",
    payload: payloadOf("webhook.test", z.null(), z.null()),
    summary: "Somebody tests the webhook",
    description:
      "The event says that somebody tests the webhook, by the command `webhook test` or in the console. It has no news.",
    texts: {},
  },
} as const satisfies Readonly<Record<EventType, Kind>>;

export const eventList = z.object({
  data: list(
    z.discriminatedUnion("type", [
      KINDS["psp.status_changed"].payload,
      KINDS["qtsp.withdrawn"].payload,
      KINDS["psp.certificate_revoked"].payload,
      KINDS["psp.code_used_twice"].payload,
      KINDS["psp.certificate_ends_soon"].payload,
      KINDS["psp.first_seen"].payload,
      KINDS["source.stale"].payload,
      KINDS["webhook.test"].payload,
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
