/** /console/evidence/{id}: one record, what it rested on, and by POST the answer made again. */
import type { Child } from "hono/jsx";
import { openEvidence } from "../../ledger/kept-evidence.ts";
import { parseDocument, readDocument } from "../../ledger/kept-reader.ts";
import { hashRecord, type LedgerRecord } from "../../ledger/record.ts";
import type { RecordDocument } from "../../ledger/record-documents.ts";
import { findHeads, listEvidence } from "../../ledger/record-evidence.ts";
import { type Replay, replay } from "../../replay/replay.ts";
import { aboutInstitution, type Chosen, ChosenField, ChosenName, requireChosen } from "../chosen-institution.tsx";
import { FormToken, show } from "../frame.tsx";
import { Mark } from "../mark.tsx";
import type { Page, Visit } from "../page.ts";
import type { Reader } from "../reader.ts";
import { writeSecond } from "../times.ts";
import { EVIDENCE, Outcome } from "./evidence-page.tsx";
import { type FoundRecord, findRecord } from "./found-record.ts";
import { describeAnswer, describeDecisions, describeVerdicts, EVENT_WORDS, listReasons } from "./record-words.ts";
import { ReplayResult } from "./replay-result.tsx";

export const recordPage: Page = {
  path: `${EVIDENCE}/{id}`,
  menu: null,
  for: "readers",
  get: aboutInstitution("Evidence", async (visit, fi) => showRecord(visit, fi, await findRecord(visit, fi), null)),
  post: replayRecord,
};

/** Changes nothing: an answer that is loaded again replays again. */
async function replayRecord(visit: Visit<Reader>, form: FormData): Promise<Response> {
  const fi = await requireChosen(visit, form);
  const found = await findRecord(visit, fi);
  const result = await replay(found.record, openEvidence(visit.c.env, found.record));
  return await showRecord(visit, fi, found, result);
}

async function showRecord(
  visit: Visit<Reader>,
  fi: Chosen,
  { record, text }: FoundRecord,
  replayed: Replay | null,
): Promise<Response> {
  const { c } = visit;
  const { id, seq, event, answer } = record;
  const read = openEvidence(c.env, record);
  const [documents, heads, kept] = await Promise.all([
    listEvidence(read, record),
    findHeads(c.env, fi.id, seq, seq),
    answer !== null && event === "psp.checked" ? readDocument(read, "answer", answer) : null,
  ]);
  const reasons = listReasons(kept?.ok ? parseDocument(kept.bytes) : null);
  const covering = heads.find((head) => head.seq >= seq) ?? null;
  const children = (
    <>
      <ChosenName visit={visit} fi={fi} path={EVIDENCE} />
      {replayed && <ReplayResult replayed={replayed} />}
      <Asked record={record} />
      {record.checks.map((checked) => (
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
            {describeVerdicts(checked).map(({ field, name, good, sentence }) => (
              <>
                <dt>
                  <span>
                    {name} <code class="muted">{field}</code>
                  </span>
                  <Mark state={good ? "yes" : "no"}>{good ? "Yes" : "No"}</Mark>
                </dt>
                <dd>{sentence}</dd>
              </>
            ))}
          </dl>
          <ul class="decisions">
            {describeDecisions(checked).map(({ allowed, sentence }) => (
              <li>
                <Mark state={allowed ? "yes" : "no"}>{allowed ? "Yes" : "No"}</Mark> {sentence}
              </li>
            ))}
          </ul>
        </section>
      ))}
      {reasons.length > 0 && (
        <section class="card">
          <h2>Why not, as it was answered</h2>
          <ul>
            {reasons.map((reason) => (
              <li>{reason}</li>
            ))}
          </ul>
        </section>
      )}
      <Documents fi={fi} id={id} documents={documents} />
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
          The proof is checked without this service: <code>npm run admin -- evidence verify FILE --keys KEYS</code>. It
          holds the records up to the head, too: of the institution's other requests.
        </p>
        <details>
          <summary>The record as it is stored</summary>
          <p class="muted small">
            SHA-256 <code>{hashRecord(text)}</code>
          </p>
          <pre tabindex={0}>{text}</pre>
        </details>
      </section>
    </>
  );
  return await show(visit, { title: `${EVENT_WORDS[event]}, ${writeSecond(record.time)}`, children });
}

const Fact = ({ name, children }: { name: string; children?: Child }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

function Asked({ record }: { record: LedgerRecord }) {
  const { id, time, release, request_id, endpoint, version, ms, psp, token, consent, account } = record;
  const { transaction_reference: reference, client = null } = record;
  const named: readonly (readonly [string, string | null])[] = [
    ["PSP", psp],
    ["Consent or permission", consent],
    ["Token's id", token],
    ["Account, as a tag", account],
    ["Evidence id", id],
    ["Request id", request_id],
    ["Endpoint", endpoint],
    ["Signed in as", client],
  ];
  return (
    <section class="card">
      <h2>
        What was asked and answered <Outcome record={record} />
      </h2>
      <p>{describeAnswer(record)}</p>
      <dl class="facts">
        {reference !== null && <Fact name="Transaction reference">{reference}</Fact>}
        <Fact name="When">{new Date(time).toISOString()}</Fact>
        {named.map(
          ([name, value]) =>
            value !== null && (
              <Fact name={name}>
                <code>{value}</code>
              </Fact>
            ),
        )}
        <Fact name="Version asked for">{version}</Fact>
        <Fact name="Release that answered">{release}</Fact>
        <Fact name="Took">{ms} ms</Fact>
      </dl>
    </section>
  );
}

function Documents({ fi, id, documents }: { fi: Chosen; id: string; documents: readonly RecordDocument[] }) {
  return (
    <section class="card">
      <h2>What it rested on</h2>
      {documents.length === 0 ? (
        <p>
          On no document: the request was refused before a certificate was checked, its PSP had shown one earlier, or no
          PSP was asked.
        </p>
      ) : (
        <section class="scroll" aria-label="Documents, one row each" tabindex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">Document</th>
                <th scope="col">SHA-256</th>
              </tr>
            </thead>
            <tbody>
              {documents.map(({ kind, sha256 }) => (
                <tr>
                  <th scope="row">
                    <a href={fi.link(`${EVIDENCE}/${id}/documents/${sha256}`)} download>
                      {kind} <span class="out">{sha256.slice(0, 8)}</span>
                    </a>
                  </th>
                  <td>
                    <code>{sha256}</code>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </section>
  );
}
