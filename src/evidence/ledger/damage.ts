/**
 * Records that were kept and cannot be read: their file in R2 is gone, or is not what was stored. That does not pass by itself,
 * as an outage of R2 does (StoreError). Every read that meets it says so, and leaves a mark (damage-marks.ts), which
 * /health, `status` and `doctor` find in D1.
 */
import type { Instant } from "../../platform/instant.ts";

/** How it was noticed. `altered`: its SHA-256 is another one. `unreadable`: it cannot be decompressed, or does not hold what it should. */
export const DAMAGE_REASONS = ["missing", "altered", "unreadable"] as const;

export interface Damage {
  /** Of the records, both inclusive. */
  readonly first_seq: number;
  readonly last_seq: number;
  /** Of the records, the earliest and the latest. */
  readonly first_time: Instant;
  readonly last_time: Instant;
  /** Its key in R2: a closed segment, or the index of a day. */
  readonly file: string;
  readonly reason: (typeof DAMAGE_REASONS)[number];
}

export const isDamage = (place: object): place is Damage => "reason" in place;

type Records = Pick<Damage, "first_seq" | "last_seq" | "reason"> & { readonly from: string; readonly to: string };

/** Times in ISO 8601. */
export const nameGap = ({ first_seq, last_seq, first_time, last_time, reason }: Damage): Records => ({
  ...{ first_seq, last_seq, from: new Date(first_time).toISOString(), to: new Date(last_time).toISOString(), reason },
});

const NOTICED: Readonly<Record<Damage["reason"], string>> = {
  missing: "their file is missing",
  altered: "the SHA-256 of their file is not that of what was stored",
  unreadable: "their file does not hold what was stored",
};

export const describeGap = ({ first_seq, last_seq, from, to, reason }: Records): string =>
  `records ${first_seq} to ${last_seq}, of ${from} to ${to}, are damaged: ${NOTICED[reason]}`;

export const DAMAGE_COLUMNS = "file, first_seq, last_seq, first_time, last_time, reason";
/** Of all ledgers, in D1. */
export const LIST_DAMAGE = `SELECT fi, ${DAMAGE_COLUMNS} FROM ledger_damage ORDER BY fi, first_seq`;
/** With the institution's `fi_reference_id`. */
export type KnownDamage = Damage & { readonly fi: string };
