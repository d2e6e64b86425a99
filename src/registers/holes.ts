/**
 * A hole: a country where many PSPs with good certificates are not in the register. The numbers in its certificates then differ
 * from the register's, or the register lacks its PSPs. Counted by day and country, without a name.
 */
import { nameDay } from "../platform/clock.ts";
import type { Instant } from "../platform/instant.ts";
import type { RegisterManifest } from "./manifest.ts";

/** What the reference of a number is made of. */
type NumberForm = "letters" | "letters and digits" | `${number} digits`;

/** The form of an authorisation number's reference, which follows the second dash of the normal form. */
export function numberForm(authNumber: string): NumberForm {
  const reference = /^PSD[A-Z]{2}-[^-]*-(.*)$/.exec(authNumber)?.[1] ?? authNumber;
  if (/^[0-9]+$/.test(reference)) return `${reference.length} digits`;
  return /[0-9]/.test(reference) ? "letters and digits" : "letters";
}

const MOST_FORMS = 2;

/** The forms that most of the numbers have, at most two, the commonest first. */
export function commonForms(authNumbers: readonly string[]): string[] {
  const byForm = [...Map.groupBy(authNumbers, numberForm)].sort(([, a], [, b]) => b.length - a.length);
  return byForm.slice(0, MOST_FORMS).map(([form]) => form);
}

/** The PSPs of a day and country whose numbers have one form. */
export interface PspCount {
  readonly day: string;
  readonly country: string;
  readonly inRegister: 0 | 1;
  readonly form: string;
  readonly psps: number;
}

// The form is that of numberForm (test/worker/registers/holes.test.ts). ?1 the first day; by shown_certificates_by_day
export const COUNT_PSPS = `
  WITH seen AS (
    SELECT observed_on AS day, psp_id, max(in_register) AS found, substr(psp_id, 7) AS rest
    FROM shown_certificates
    WHERE observed_on >= ?1 AND in_register IS NOT NULL GROUP BY observed_on, psp_id
  ), numbered AS (
    SELECT day, substr(psp_id, 4, 2) AS country, found, substr(rest, instr(rest, '-') + 1) AS reference FROM seen
  )
  SELECT day, country, found AS inRegister, count(*) AS psps,
    CASE
      WHEN reference NOT GLOB '*[^0-9]*' THEN length(reference) || ' digits'
      WHEN reference GLOB '*[0-9]*' THEN 'letters and digits'
      ELSE 'letters'
    END AS form
  FROM numbered GROUP BY 1, 2, 3, 5`;

const DAY_MS = 86_400_000;

/** Yesterday, which is whole, and today. */
export const firstDayOfCount = (now: Instant): string => nameDay(now - DAY_MS);

export interface RegisterHole {
  readonly country: string;
  readonly day: string;
  readonly psps: number;
  readonly notFound: number;
  /** The commonest form of the numbers that were not found. */
  readonly certificateForm: string;
  /** The commonest forms in the registers that are loaded for the country; empty if they are not known. */
  readonly registerForms: readonly string[];
  /** A sentence for people. */
  readonly message: string;
}

/** So many PSPs, and so large a share of a day's, are no accident. */
const MIN_NOT_FOUND = 5;
const MIN_SHARE_NOT_FOUND = 0.5;

/** By country, each on the day on which most PSPs were not found. */
export function findHoles(counts: readonly PspCount[], manifests: readonly RegisterManifest[]): RegisterHole[] {
  const days = [...Map.groupBy(counts, ({ country, day }) => `${country} ${day}`).values()];
  const holes = days.flatMap((ofDay) => findHole(ofDay, manifests) ?? []);
  const worst = [...Map.groupBy(holes, ({ country }) => country).values()];
  return worst
    .flatMap((ofCountry) => ofCountry.toSorted((a, b) => b.notFound - a.notFound).slice(0, 1))
    .sort((a, b) => (a.country < b.country ? -1 : 1));
}

function findHole(counts: readonly PspCount[], manifests: readonly RegisterManifest[]): RegisterHole | null {
  const [first] = counts;
  const missing = counts.filter(({ inRegister }) => inRegister === 0).toSorted((a, b) => b.psps - a.psps);
  const [commonest] = missing;
  if (!first || !commonest) return null;
  const { country, day } = first;
  const psps = sum(counts);
  const notFound = sum(missing);
  if (notFound < MIN_NOT_FOUND || notFound < psps * MIN_SHARE_NOT_FOUND) return null;
  const own = manifests.filter((manifest) => manifest.country === country);
  const registerForms = [...new Set(own.flatMap(({ numberForms = [] }) => numberForms))];
  const facts = { country, day, psps, notFound, certificateForm: commonest.form, registerForms };
  return { ...facts, message: describeHole(facts) };
}

const sum = (counts: readonly PspCount[]): number => counts.reduce((total, { psps }) => total + psps, 0);

function describeHole(hole: Omit<RegisterHole, "message">): string {
  const { country, day, psps, notFound, certificateForm, registerForms } = hole;
  const forms =
    registerForms.length === 0
      ? `certificates have ${certificateForm}`
      : `certificates have ${certificateForm}, the register has ${registerForms.join(", or ")}`;
  return `${country}: ${notFound} of ${psps} PSPs were not found on ${day}; ${forms}`;
}
