/** Whose each reason is. Computed when the Worker is built: the texts stay out of it. */
import { REASONS, type ReasonCode, type Whose } from "./every-reason.ts";

export const WHOSE_REASON = Object.fromEntries(
  Object.entries(REASONS).map(([code, { whose }]) => [code, whose]),
) as Readonly<Record<ReasonCode, Whose>>;
