/** Each bank's webhook and its receiver, which takes what is signed, and fails as receivers do. */
import { Webhook as Signer } from "standardwebhooks";
import { OTHER_CREDENTIALS, SANDBOX_CREDENTIALS } from "../sandbox-fis.ts";
import type { D1 } from "./d1.ts";
import type { Random } from "./random.ts";

/** `late`: it has taken the event, and answers after the ten seconds. `lost`: it has taken it, and its answer says that it failed. */
export const RECEIVER_FATES = ["refuses", "busy", "slow", "late", "lost", "silent", "redirects"] as const;
type ReceiverFate = (typeof RECEIVER_FATES)[number];

export interface Receivers {
  /** Of their answers. */
  readonly share: number;
  readonly fates: readonly ReceiverFate[];
}

/** A delivery that a receiver has taken. */
export interface Received {
  /** fi_reference_id. */
  readonly fi: string;
  /** The event's. */
  readonly id: string;
  readonly psp: string | null;
  readonly isSigned: boolean;
  /** Whether the service could know that it was taken. */
  readonly acknowledged: boolean;
  /** True time, in milliseconds since 1970. */
  readonly at: number;
}

const INSTITUTIONS = [SANDBOX_CREDENTIALS, OTHER_CREDENTIALS].map(({ fiReferenceId }) => fiReferenceId);

/** An address of the public internet: RFC 5737 and its like are refused. */
export const PUBLIC_ADDRESS = "93.184.215.14";
const SECRET = "whsec_c2ltdWxhdGlvbi1zaW11bGF0aW9uLXNpbXVsYXRpb24=";
const hostOf = (bank: number): string => `hooks-${bank}.example`;

export const findReceiver = (url: string): string | null => {
  const bank = INSTITUTIONS.findIndex((_, i) => url === `https://${hostOf(i)}/events`);
  return INSTITUTIONS[bank] ?? null;
};

export const isReceiver = (host: string): boolean => INSTITUTIONS.some((_, i) => host === hostOf(i));

/** One for each bank, as `webhook add` leaves it. */
export function addWebhooks(database: D1, now: number): void {
  INSTITUTIONS.forEach((fiReferenceId, i) => {
    database.run(
      `INSERT INTO webhooks (id, fi_id, url, secret, kid, status, created_at)
       SELECT ?1, id, ?2, ?3, NULL, 'active', ?4 FROM financial_institutions WHERE fi_reference_id = ?5`,
      [`wh_${i}`, `https://${hostOf(i)}/events`, SECRET, now, fiReferenceId],
    );
  });
}

interface Posted {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface ReceiverAnswer {
  readonly response: Response;
  /** Null: none comes. */
  readonly delayMs: number | null;
  /** Null: it took nothing. */
  readonly received: Omit<Received, "at"> | null;
}

const TOO_LATE_MS = { from: 10_000, to: 20_000 } as const;
const SLOW_MS = { from: 1_000, to: 9_000 } as const;

export function receive(
  fi: string,
  { headers, body }: Posted,
  fate: ReceiverFate | null,
  random: Random,
): ReceiverAnswer {
  const { id, data } = JSON.parse(body) as { readonly id: string; readonly data: { readonly psp_id: string | null } };
  const at = new Date(Number(headers["webhook-timestamp"]) * 1000);
  const expected = new Signer(SECRET).sign(headers["webhook-id"] ?? "", at, body);
  const isSigned = headers["webhook-id"] === id && (headers["webhook-signature"] ?? "").split(" ").includes(expected);
  const take = (acknowledged: boolean) => ({ fi, id, psp: data.psp_id, isSigned, acknowledged });
  const answer = (
    status: number,
    more: Partial<ReceiverAnswer> = {},
    init: Record<string, string> = {},
  ): ReceiverAnswer => ({
    ...{ response: new Response(null, { status, headers: init }), delayMs: 0, received: null },
    ...more,
  });
  switch (fate) {
    case "refuses":
      return answer(500);
    case "busy":
      return answer(429, {}, { "Retry-After": String(random.between(1, 20)) });
    case "redirects":
      return answer(302, {}, { Location: "https://elsewhere.example/" });
    case "silent":
      return answer(200, { delayMs: null });
    case "lost":
      return answer(503, { received: take(false) });
    case "late":
      return answer(200, { delayMs: random.between(TOO_LATE_MS.from, TOO_LATE_MS.to), received: take(false) });
    case "slow":
      return answer(200, { delayMs: random.between(SLOW_MS.from, SLOW_MS.to), received: take(true) });
    default:
      return answer(204, { received: take(true) });
  }
}
