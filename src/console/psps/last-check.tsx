/** May it initiate payments, may it read accounts? As the last check of the PSP decided, and why. */
import { openEvidence } from "../../evidence/ledger/kept-evidence.ts";
import type { CheckedCertificate, LedgerRecord } from "../../evidence/ledger/record.ts";
import { parseDocument, type ReadKept, readDocument } from "../../evidence/ledger/record-documents.ts";
import { toBase64 } from "../../platform/encoding.ts";
import type { Instant } from "../../platform/instant.ts";
import type { Basis } from "../../psp-check/basis.ts";
import { SCOPES } from "../../registers/entitlement.ts";
import type { Chosen } from "../chosen-institution.tsx";
import { Age, Mark, writeDates } from "../elements.tsx";
import { EVIDENCE } from "../evidence/evidence-page.tsx";
import { type KeptReason, readReasons } from "../evidence/kept-reasons.ts";
import { describeDecisions, describeVerdicts, endSentence } from "../evidence/record-words.ts";

export interface LastCheck {
  readonly record: LedgerRecord;
  readonly check: CheckedCertificate;
  /** The first reason of a no; null of a yes, and where the answer is not kept. */
  readonly why: Pick<KeptReason, "sentence" | "cure"> | null;
}

/** Of the newest of these records that decided on the PSP, as of then; null: none did. Throws StoreError. */
export async function readLastCheck(
  env: Env,
  pspId: string,
  records: readonly LedgerRecord[],
): Promise<LastCheck | null> {
  const checks = records.flatMap((record) => record.checks.map((check) => ({ record, check })));
  const last = checks.find(
    ({ record, check }) => check.psp === pspId && check.decisions.length > 0 && record.as_of === undefined,
  );
  if (!last) return null;
  const { record, check } = last;
  const read = openEvidence(env, record);
  const kept = record.answer === null ? null : await readDocument(read, "answer", record.answer);
  const reasons = readReasons(kept?.ok ? parseDocument(kept.bytes) : null);
  const refused = SCOPES.filter((scope) => !check.decisions.every((decision) => decision[scope]));
  const broken = describeVerdicts(check).find(({ good }) => !good);
  const [first] = broken ? reasons.ofVerdict(broken.field) : refused.flatMap((scope) => reasons.ofScope(scope));
  return { ...last, why: first ?? (broken ? { sentence: broken.sentence, cure: null } : null) };
}

/** The certificate that was checked, with its issuers, as base64 DER; null where the evidence does not keep them all. */
export async function readKeptChain(env: Env, { record, check }: LastCheck): Promise<string[] | null> {
  const read: ReadKept = openEvidence(env, record);
  const basis = await readDocument(read, "basis", check.basis);
  const { chain = [] } = Object(basis.ok ? parseDocument(basis.bytes) : null) as Partial<Basis>;
  const certificates = await Promise.all(chain.map((sha256) => readDocument(read, "certificate", sha256)));
  const kept = certificates.flatMap((one) => (one.ok ? [toBase64(one.bytes)] : []));
  return kept.length > 0 && kept.length === chain.length ? kept : null;
}

interface LastCheckProps {
  readonly fi: Chosen;
  readonly last: LastCheck;
  readonly now: Instant;
}

export const LastCheckCard = ({ fi, last: { record, check, why }, now }: LastCheckProps) => (
  <section class="card" aria-labelledby="last">
    <h2 id="last">May it initiate payments, may it read accounts?</h2>
    <p>
      At{" "}
      <a href={fi.link(`${EVIDENCE}/${record.id}`)}>
        the last check, <Age time={record.time} now={now} />
      </a>
      :
    </p>
    <ul class="decisions">
      {describeDecisions(check).map(({ allowed, sentence }) => (
        <li>
          <Mark state={allowed ? "yes" : "no"}>{allowed ? "Yes" : "No"}</Mark> {sentence}
        </li>
      ))}
    </ul>
    {why !== null && (
      <p>
        {writeDates(endSentence(why.sentence))}
        {why.cure !== null && (
          <>
            <br />
            <b>What to do:</b> {why.cure}
          </>
        )}
      </p>
    )}
  </section>
);
