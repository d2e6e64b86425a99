/** /console/evidence/{id}: one record, what it rested on, and by POST the answer made again. */

import { findHeads } from "../../evidence/ledger/ask-ledger.ts";
import { hashRecord } from "../../evidence/ledger/chain.ts";
import { openEvidence } from "../../evidence/ledger/kept-evidence.ts";
import { describeOutcome, type LedgerRecord } from "../../evidence/ledger/record.ts";
import { listEvidence, parseDocument, readDocument } from "../../evidence/ledger/record-documents.ts";
import { type Replay, replay } from "../../evidence/replay/replay.ts";
import { aboutInstitution, type Chosen, ChosenField, ChosenName, requireChosen } from "../chosen-institution.tsx";
import { Code, ForPrograms, Mark, writeDates } from "../elements.tsx";
import { FormToken, show } from "../frame.tsx";
import type { Page, Reader, Visit } from "../page.ts";
import { describeAbout } from "../people/about.ts";
import { describeActor, findNames, isTag } from "../people/names.ts";
import { READ } from "../roles.ts";
import { writeSecond } from "../wording.ts";
import { AskedCard } from "./asked-card.tsx";
import { DocumentsCard, type FoundRecord, findRecord } from "./documents.tsx";
import { EVIDENCE } from "./evidence-page.tsx";
import type { KeptReason, KeptReasons } from "./kept-reasons.ts";
import { readKeptCheck, SignatureCard } from "./kept-signature.tsx";
import { summariseRecord } from "./record-sentence.ts";
import { describeDecisions, describeVerdicts, nameRecord } from "./record-words.ts";
import { ReplayResult } from "./replay-result.tsx";

export const recordPage: Page = {
  path: `${EVIDENCE}/{id}`,
  menu: null,
  roles: READ,
  get: aboutInstitution("Evidence", async (visit, fi) => showRecord(visit, fi, await findRecord(visit, fi), null)),
  post: replayRecord,
  form: { unrecorded: "it changes nothing" },
};

/** Changes nothing: an answer that is loaded again replays again. */
async function replayRecord(visit: Visit<Reader>, form: FormData): Promise<Response> {
  const fi = await requireChosen(visit, form);
  const stored = await findRecord(visit, fi);
  const result = await replay(stored.record, openEvidence(visit.c.env, stored.record));
  return await showRecord(visit, fi, stored, result);
}

async function showRecord(
  visit: Visit<Reader>,
  fi: Chosen,
  { record, text }: FoundRecord,
  replayed: Replay | null,
): Promise<Response> {
  const { c } = visit;
  const { seq, event, answer, about } = record;
  const read = openEvidence(c.env, record);
  const [documents, heads, kept, names] = await Promise.all([
    listEvidence(read, record),
    findHeads(c.env, fi.id, seq, seq),
    answer !== null && event === "psp.checked" ? readDocument(read, "answer", answer) : null,
    findNames(c.env, fi.id, [record, { person: about !== undefined && isTag(about) ? about : null }]),
  ]);
  const check = readKeptCheck(kept?.ok ? parseDocument(kept.bytes) : null);
  const { reasons, signature } = check;
  const who = describeActor(record, names);
  const covering = heads.find((head) => head.seq >= seq) ?? null;
  const children = (
    <>
      <ChosenName visit={visit} fi={fi} path={EVIDENCE} />
      <p class={`notice ${describeOutcome(record).state}`}>
        <span>{writeDates(summariseRecord(record, who, check, names))}</span>
      </p>
      {replayed && <ReplayResult replayed={replayed} />}
      <AskedCard fi={fi} record={record} reasons={reasons} who={who} about={describeAbout(record, names)} />
      {signature && <SignatureCard signature={signature} />}
      {record.checks.map((checked) => (
        <FoundCard checked={checked} reasons={reasons} />
      ))}
      <DocumentsCard fi={fi} record={record} documents={documents} />
      <ProofCard visit={visit} fi={fi} stored={{ record, text }} covering={covering} />
    </>
  );
  return await show(visit, { title: `${nameRecord(record)}, ${writeSecond(record.time)}`, children });
}

interface FoundProps {
  readonly checked: LedgerRecord["checks"][number];
  /** Of the kept answer; none of several checks. */
  readonly reasons: KeptReasons;
}

function FoundCard({ checked, reasons }: FoundProps) {
  const verdicts = describeVerdicts(checked).map((verdict) => {
    const kept = verdict.good ? [] : reasons.ofVerdict(verdict.field);
    // its own sentence leaves open whether it is revoked or nobody knows; what was answered does not
    return { ...verdict, kept, isTold: verdict.field === "notRevoked" && kept.length > 0 };
  });
  return (
    <section class="card">
      <h2>
        What was found of a certificate{" "}
        {checked.psp !== null && (
          <>
            of <code>{checked.psp}</code>
          </>
        )}
      </h2>
      <dl class="answers">
        {verdicts.map(({ field, name, good, sentence, kept, isTold }) => (
          <>
            <dt>
              <span>
                {name} <Code>{field}</Code>
              </span>
              <Mark state={good ? "yes" : "no"}>{good ? "Yes" : "No"}</Mark>
            </dt>
            <dd>
              {!isTold && sentence}
              <AsAnswered reasons={kept} alone={isTold} />
            </dd>
          </>
        ))}
      </dl>
      <ul class="decisions">
        {describeDecisions(checked).map(({ scope, allowed, sentence }) => (
          <li>
            <Mark state={allowed ? "yes" : "no"}>{allowed ? "Yes" : "No"}</Mark> {sentence}
            {!allowed && <AsAnswered reasons={reasons.ofScope(scope)} />}
          </li>
        ))}
      </ul>
      {reasons.warnings.length > 0 && (
        <>
          <h3>Warnings, as it was answered</h3>
          <ul class="remarks">
            {reasons.warnings.map((reason) => (
              <li>
                <Reason reason={reason} />
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

/** Why not, where the no is. */
const AsAnswered = ({ reasons, alone = false }: { reasons: readonly KeptReason[]; alone?: boolean }) => (
  <>
    {reasons.map((reason, i) => (
      <>
        {(i > 0 || !alone) && <br />}
        As it was answered: <Reason reason={reason} />
      </>
    ))}
  </>
);

/** With what to do, as the page of the check's result says it. */
const Reason = ({ reason: { sentence, code, cure } }: { reason: KeptReason }) => (
  <>
    {writeDates(sentence)}. {code !== null && <Code>{code}</Code>}
    {cure !== null && (
      <>
        <br />
        <b>What to do:</b> {cure}
      </>
    )}
  </>
);

interface ProofProps {
  readonly visit: Visit<Reader>;
  readonly fi: Chosen;
  readonly stored: FoundRecord;
  /** The first head that signs it; null: none yet. */
  readonly covering: { readonly seq: number } | null;
}

function ProofCard({ visit, fi, stored: { record, text }, covering }: ProofProps) {
  const { id, seq } = record;
  return (
    <section class="card">
      <h2>Prove it</h2>
      <p>
        It is record {seq} of the institution's ledger.{" "}
        {covering
          ? `The signed head of record ${covering.seq} covers it: whoever has that head can show if it was altered since.`
          : "No signed head covers it yet: downloading its proof signs one."}
      </p>
      <div class="row">
        <form method="post" action={visit.href(`${EVIDENCE}/${id}`)}>
          <FormToken visit={visit} />
          <ChosenField fi={fi} />
          <button type="submit">Make the answer again</button>
        </form>
        <a class="button second" href={fi.link(`${EVIDENCE}/${id}/proof`)}>
          Download the proof
        </a>
      </div>
      <p class="muted small">
        The proof is checked without this service, and shows nothing of the institution's other requests.
      </p>
      <ForPrograms title="The record as it is stored, and how its proof is checked">
        <p class="muted small">
          <code>npm run admin -- evidence verify FILE --keys KEYS</code>
        </p>
        <p class="muted small">
          SHA-256 <code>{hashRecord(text)}</code>
        </p>
        <pre tabindex={0}>{text}</pre>
      </ForPrograms>
    </section>
  );
}
