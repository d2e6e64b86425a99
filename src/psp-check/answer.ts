/**
 * The text of an answer to a PSP check, as it is sent and as it is kept. The kept form has nothing that belongs to one
 * request alone (id, instant, release, age), which the ledger's record has: equal answers are kept once.
 */

import { writeWarnings } from "../eidas/warnings.ts";
import { writeRequestTime } from "../platform/clock.ts";
import { heapBytes, MEMORY_SHARES, Memory } from "../platform/memory.ts";
import type { Version } from "../platform/version.ts";
import { checkRegisters } from "../registers/check.ts";
import type { RegisterReading } from "../registers/lookup.ts";
import type { RegisterMaxAges } from "../registers/manifest.ts";
import { periodAt } from "../trust/service-status.ts";
import { basisOf, encode, type KeptDocument, textDocument } from "./basis.ts";
import { type Decision, decideOnCheck } from "./decision.ts";
import type { AnchorEvidence } from "./evidence.ts";
import type { PspCheck } from "./psp-check.ts";
import { findOldest, type OldestSource } from "./source-ages.ts";

/** What an answer says but for what belongs to the request alone. With `version` 1 there is no evidence. */
export type KeptPspCheck = ReturnType<typeof describeCheck>;

export interface RequestEvidence {
  /** The header `x-evidence-id`. */
  readonly id: string;
  readonly now: number;
  readonly release: string;
}

/** JSON without what belongs to one request alone. */
interface AnswerParts {
  /** Of an answer with evidence: without its last brace. */
  readonly said: string;
  /** Null: an answer of version `1`. */
  readonly evidence: { readonly held: string; readonly oldest: OldestSource | null } | null;
}

function writeParts({ evidence, ...rest }: KeptPspCheck): AnswerParts {
  const said = JSON.stringify(rest);
  if (!evidence) return { said, evidence: null };
  const { oldest, ...held } = evidence;
  return { said: said.slice(0, -1), evidence: { held: JSON.stringify(held).slice(1, -1), oldest } };
}

const writeKept = ({ said, evidence }: AnswerParts): string =>
  evidence ? `${said},"evidence":{${evidence.held},"oldest":${JSON.stringify(evidence.oldest)}}}` : said;

/** An answer as it is sent to a request. */
export function sendAnswer(
  { parts: { said, evidence } }: Pick<KnownAnswer, "parts">,
  { id, now, release }: RequestEvidence,
): string {
  if (!evidence) return said;
  const { held, oldest } = evidence;
  const of = JSON.stringify({ id, checked_at: writeRequestTime(now), release }).slice(1, -1);
  const aged = oldest && { ...oldest, age_seconds: ageInSeconds(oldest.at, now) };
  return `${said},"evidence":{${of},${held},"oldest":${JSON.stringify(aged)}}}`;
}

/** JSON, as kept and as sent. The parts that both share are written once. */
export function writeAnswer(
  answer: KeptPspCheck,
  request: RequestEvidence,
): { readonly kept: string; readonly sent: string } {
  const parts = writeParts(answer);
  return { kept: writeKept(parts), sent: sendAnswer({ parts }, request) };
}

/** A source whose clock is ahead has no age. */
const ageInSeconds = (at: string, now: number): number => Math.max(0, Math.floor((now - Date.parse(at)) / 1000));

/** A seen check's answer is written again for another check, and digested again when its text has changed. */
const REMEMBERED_MS = 30_000;
/** The object, its key's slot and the digest. */
const OVERHEAD_BYTES = 512;

export interface KnownAnswer {
  /** The check ends before anything in its answer changes. It is counted where it is kept. */
  readonly to: WeakRef<PspCheck>;
  readonly parts: AnswerParts;
  /** Of its kept form. */
  readonly sha256: string;
  /** With its basis, as of a single check: an answer of POST /v1/psp/checks is kept with all of that request. */
  kept: boolean;
}

/** By version, jurisdiction and basis. Exported for the test that fills it. */
export const knownAnswers = new Memory<KnownAnswer>(
  MEMORY_SHARES.answers,
  ({ parts }) => OVERHEAD_BYTES + heapBytes(parts),
);

/** Which check an answer is to. */
interface AnsweredCheck {
  readonly check: PspCheck;
  /** ISO code in upper case. */
  readonly jurisdiction: string;
  readonly version: Version;
}

/** Its bytes are made when they are asked for. */
export const documentOf = ({ sha256, parts }: KnownAnswer): KeptDocument => ({
  sha256,
  bytes: () => encode(writeKept(parts)),
});

/** The answer to a check, which is often the same as before. `describe`: what it says at `now`, of {@link describeCheck}. */
export function recallAnswer(
  { check, jurisdiction, version }: AnsweredCheck,
  now: number,
  describe: () => KeptPspCheck,
): KnownAnswer {
  const key = `${version} ${jurisdiction} ${basisOf([check])}`;
  const known = knownAnswers.get(key, now);
  if (known?.to.deref() === check) return known;
  const to = new WeakRef(check);
  const parts = writeParts(describe());
  const text = writeKept(parts);
  const answer =
    known && writeKept(known.parts) === text
      ? { ...known, to, parts }
      : { to, parts, sha256: textDocument(text).sha256, kept: false };
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
