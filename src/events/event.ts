/**
 * An event: what an institution is notified of. Its form is the payload of Standard Webhooks (type, timestamp, data), whether
 * it is fetched or delivered.
 */
import { fromBase64, toBase64Url } from "../platform/encoding.ts";
import type { Instant } from "../platform/instant.ts";
import { createHash } from "../platform/node-crypto.ts";
import { hashSecret } from "../platform/secrets.ts";
import type { Grants } from "./interest.ts";

export const EVENT_TYPES = [
  "psp.status_changed",
  "psp.certificate_revoked",
  "psp.code_used_twice",
  "psp.certificate_ends_soon",
  "psp.first_seen",
  "qtsp.withdrawn",
  "source.stale",
  "webhook.test",
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** A document that the news is based on. */
export interface EventEvidence {
  /** Such as "register XX nca", "listed service", "certificate", "OCSP", "CRL". */
  readonly document: string;
  /** In lower-case hex; of a register the hash of its manifest, which is half as long. */
  readonly sha256: string;
}

export interface EventData {
  /** Normal form; null if it is not about one PSP. */
  readonly psp_id: string | null;
  readonly before: unknown;
  readonly after: unknown;
  readonly evidence: readonly EventEvidence[];
  /** What the institution has of this PSP when the event is made; null if it is not about one PSP. */
  readonly grants: Grants | null;
}

/** A row of `events` as it is read. */
export interface StoredEvent {
  readonly seq: number;
  readonly id: string;
  readonly type: EventType;
  /** JSON of {@link EventData}. */
  readonly data: string;
  readonly created_at: Instant;
}

/** As it is sent. */
export interface WrittenEvent {
  readonly id: string;
  readonly type: EventType;
  readonly timestamp: string;
  readonly data: EventData;
}

export const describeEvent = ({ id, type, data, created_at }: StoredEvent): WrittenEvent => ({
  id,
  type,
  timestamp: new Date(created_at).toISOString(),
  data: JSON.parse(data) as EventData,
});

/** The same id for the same news to the same institution, however often it is made. */
export const makeEventId = (fiId: number, ...news: readonly (string | number)[]): string =>
  `evt_${createHash("sha256")
    .update(JSON.stringify([fiId, ...news]))
    .digest("base64url")
    .slice(0, 32)}`;

type Listing = "events" | "watches";

const CHECK_CHARACTERS = 12;
const CURSOR = /^([A-Za-z0-9_-]{1,400})\.([A-Za-z0-9_-]{12})$/;

/** No secret, only a position; the digest keeps one of another institution or list from leaving out rows silently. */
export const writeListCursor = (listing: Listing, fiId: number, position: string): string =>
  `${toBase64Url(new TextEncoder().encode(position))}.${digestOf(listing, fiId, position)}`;

/** The inverse of {@link writeListCursor}; null for any other text, and for a cursor of another list or institution. */
export function parseListCursor(listing: Listing, fiId: number, text: string): string | null {
  const [, encoded = ""] = CURSOR.exec(text) ?? [];
  const bytes = fromBase64(encoded);
  const position = bytes ? new TextDecoder().decode(bytes) : "";
  return position !== "" && text === writeListCursor(listing, fiId, position) ? position : null;
}

const digestOf = (listing: Listing, fiId: number, position: string): string =>
  hashSecret(JSON.stringify([listing, fiId, position])).slice(0, CHECK_CHARACTERS);
