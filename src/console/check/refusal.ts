/** Why a certificate, or what its PSP may do, is a no: for the pages that say it where the no is. Pure. */
import type { PspReport } from "../../psp-check/psp-report.ts";
import type { Verdict } from "../../psp-check/sentences.ts";

/** The verdicts that are no. Expiry comes first: it also breaks the path, and what is said of that follows from it. */
export const listRefusing = ({ verdicts }: PspReport): Verdict[] => {
  const bad = verdicts.filter(({ good }) => !good);
  return [...bad.filter(({ field }) => field === "notExpired"), ...bad.filter(({ field }) => field !== "notExpired")];
};

/** The sentences of a row: the first reason of a certificate that is not accepted, else each reason of a scope once. */
export function listWhy(report: PspReport): string[] {
  const [first] = listRefusing(report);
  if (first) return [first.reasons[0]?.sentence ?? first.sentence];
  return [...new Set(report.decision.flatMap(({ reasons }) => reasons.map(({ sentence }) => sentence)))];
}
