/** /console/evidence/{id}: one record, what it rested on, and by POST the answer made again. */

import { findHeads } from "../../evidence/ledger/ask-ledger.ts";
import { openEvidence } from "../../evidence/ledger/kept-evidence.ts";
import { listEvidence, parseDocument, readDocument } from "../../evidence/ledger/record-documents.ts";
import { type Replay, replay } from "../../evidence/replay/replay.ts";
import { aboutInstitution, type Chosen, ChosenName, requireChosen } from "../chosen-institution.tsx";
import { show } from "../frame.tsx";
import type { Page, Visit } from "../page.ts";
import type { Reader } from "../reader.ts";
import { writeSecond } from "../times.ts";
import { AskedCard } from "./asked-card.tsx";
import { DocumentsCard } from "./documents-card.tsx";
import { EVIDENCE } from "./evidence-page.tsx";
import { FoundCard } from "./found-card.tsx";
import { type FoundRecord, findRecord } from "./found-record.ts";
import { ProofCard } from "./proof-card.tsx";
import { nameRecord, readReasons } from "./record-words.ts";
import { ReplayResult } from "./replay-result.tsx";

export const recordPage: Page = {
  path: `${EVIDENCE}/{id}`,
  menu: null,
  for: "readers",
  get: aboutInstitution("Evidence", async (visit, fi) => showRecord(visit, fi, await findRecord(visit, fi), null)),
  post: replayRecord,
  form: { unrecorded: "it changes nothing" },
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
  const { seq, event, answer } = record;
  const read = openEvidence(c.env, record);
  const [documents, heads, kept] = await Promise.all([
    listEvidence(read, record),
    findHeads(c.env, fi.id, seq, seq),
    answer !== null && event === "psp.checked" ? readDocument(read, "answer", answer) : null,
  ]);
  const reasons = readReasons(kept?.ok ? parseDocument(kept.bytes) : null);
  const covering = heads.find((head) => head.seq >= seq) ?? null;
  const children = (
    <>
      <ChosenName visit={visit} fi={fi} path={EVIDENCE} />
      {replayed && <ReplayResult replayed={replayed} />}
      <AskedCard record={record} />
      {record.checks.map((checked) => (
        <FoundCard checked={checked} reasons={reasons} />
      ))}
      <DocumentsCard fi={fi} record={record} documents={documents} />
      <ProofCard visit={visit} fi={fi} found={{ record, text }} covering={covering} />
    </>
  );
  return await show(visit, { title: `${nameRecord(record)}, ${writeSecond(record.time)}`, children });
}
