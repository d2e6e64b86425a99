/**
 * The text of an answer to a PSP check, as it is sent and as it is kept. The kept form has nothing that belongs to one
 * request alone (id, instant, release, age), which the ledger's record has: equal answers are kept once.
 */

import { writeWarnings } from "../eidas/warnings.ts";
import { writeRequestTime } from "../platform/clock.ts";
import { MEMORY_SHARES, Memory } from "../platform/memory.ts";
import type { Version } from "../platform/version.ts";
import { checkRegisters } from "../registers/check.ts";
import type { RegisterReading } from "../registers/lookup.ts";
import type { RegisterMaxAges } from "../registers/manifest.ts";
import { periodAt } from "../trust/service-status.ts";
import { basisOf, encode, type KeptDocument, textDocument } from "./basis.ts";
import { type Decision, decideOnCheck } from "./decision.ts";
import type { AnchorEvidence } from "./evidence.ts";
import type { PspCheck } from "./psp-check.ts";
import { findOldest } from "./source-ages.ts";

/** What an answer says but for what belongs to the request alone. With `version` 1 there is no evidence. */
export type KeptPspCheck = ReturnType<typeof describeCheck>;

export interface RequestEvidence {
  /** The header `x-evidence-id`. */
  readonly id: string;
  readonly now: number;
  readonly release: string;
}

/** JSON, as kept and as sent. The parts that both share are written once. */
export function writeAnswer(
  { evidence, ...said }: KeptPspCheck,
  { id, now, release }: RequestEvidence,
): { readonly kept: string; readonly sent: string } {
  const answer = JSON.stringify(said);
  if (!evidence) return { kept: answer, sent: answer };
  const { oldest, ...held } = evidence;
  const start = `${answer.slice(0, -1)},"evidence":{`;
  const shared = JSON.stringify(held).slice(1, -1);
  const of = JSON.stringify({ id, checked_at: writeRequestTime(now), release }).slice(1, -1);
  const aged = oldest && { ...oldest, age_seconds: ageInSeconds(oldest.at, now) };
  return {
    kept: `${start}${shared},"oldest":${JSON.stringify(oldest)}}}`,
    sent: `${start}${of},${shared},"oldest":${JSON.stringify(aged)}}}`,
  };
}

/** A source whose clock is ahead has no age. */
const ageInSeconds = (at: string, now: number): number => Math.max(0, Math.floor((now - Date.parse(at)) / 1000));

/** A digest takes some 20 µs, so a seen check's answer is digested again only when its text has changed. */
const REMEMBERED_MS = 30_000;
/** The object, its key's slot and the digest. */
const OVERHEAD_BYTES = 512;

interface KnownAnswer {
  readonly text: string;
  readonly sha256: string;
  /** With its basis, as of a single check: an answer of POST /v1/psp/checks is kept with all of that request. */
  kept: boolean;
}

/** By version, jurisdiction and basis. Exported for the test that fills it. */
export const knownAnswers = new Memory<KnownAnswer>(
  MEMORY_SHARES.answers,
  // V8 stores a text with a character beyond U+00FF in two bytes for each
  ({ text }) => OVERHEAD_BYTES + text.length * (/[^\0-\xff]/.test(text) ? 2 : 1),
);

/** Which check an answer is to, and its kept form. */
export interface AnsweredCheck {
  readonly check: PspCheck;
  /** ISO code in upper case. */
  readonly jurisdiction: string;
  readonly version: Version;
  readonly text: string;
}

/** The document of {@link recallAnswer}. */
export const digestAnswer = (answered: AnsweredCheck, now: number): KeptDocument =>
  documentOf(recallAnswer(answered, now));

/** Its bytes are made when they are asked for. */
export const documentOf = ({ sha256, text }: KnownAnswer): KeptDocument => ({ sha256, bytes: () => encode(text) });

/** The kept form of an answer, which is often the same as before. */
export function recallAnswer({ check, jurisdiction, version, text }: AnsweredCheck, now: number): KnownAnswer {
  const key = `${version} ${jurisdiction} ${basisOf([check])}`;
  const known = knownAnswers.get(key, now);
  if (known?.text === text) return known;
  const answer = { text, sha256: textDocument(text).sha256, kept: false };
  knownAnswers.set(key, answer, now + REMEMBERED_MS, now);
  return answer;
}

/**
 * The PSP check result in the interface's spelling. A missing value is "" where the interface has a string. Version
 * `latest` adds codes of warnings, the decision and the evidence, which lacks what belongs to one request alone.
 */
export function describeCheck(
  check: PspCheck,
  jurisdiction: string,
  version: Version,
  maxAges: RegisterMaxAges,
  now: number,
  decision: Decision = decideOnCheck(check, jurisdiction, now, maxAges),
) {
  const { psp, validity, warnings, home, host } = check;
  return {
    eIDAS: {
      validity,
      data: {
        QTSPCommonName: psp.QTSPCommonName ?? "",
        authNumber: psp.authNumber ?? "",
        pspSubjectName: psp.pspSubjectName ?? "",
      },
      ...writeWarnings(warnings, version === "latest"),
    },
    ...checkRegisters({
      authNumber: psp.authNumber,
      jurisdiction,
      home,
      host,
      subjectName: psp.pspSubjectName,
      now,
      maxAges,
      codes: version === "latest",
    }),
    ...(version === "latest" && { decision, evidence: describeEvidence(check, now) }),
  };
}

/** Times are ISO 8601 in UTC, digests SHA-256 in lower-case hex. */
function describeEvidence(check: PspCheck, now: number) {
  const { evidence, certificate, home, host } = check;
  const { anchor, path, revocation } = evidence;
  return {
    certificate,
    anchor: anchor && describeAnchor(anchor, now),
    path,
    revocation,
    registers: [home, host].flatMap((reading) => (reading === null ? [] : describeRegisters(reading))),
    oldest: findOldest(check),
  };
}

/** `status` and `since` are those of the period that contains `now`; null before the first. */
function describeAnchor({ serviceName: service, periods, ...anchor }: AnchorEvidence, now: number) {
  const { source, jurisdiction, listSequenceNumber, listIssuedAt, listNextUpdate } = anchor;
  const period = periodAt(periods, now);
  return {
    ...{ source, jurisdiction, service, status: period?.status ?? null, since: period?.from ?? null },
    ...{ listSequenceNumber, listIssuedAt, listNextUpdate },
  };
}

/** All sources that are loaded for the country. `snapshot` is a hash of the loaded data, as in GET /status. */
const describeRegisters = ({ manifests }: RegisterReading) =>
  manifests.map(({ country, source, hash: snapshot, published, fetchedAt }) => {
    return { country, source, snapshot, published, fetchedAt };
  });
