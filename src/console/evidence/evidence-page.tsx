/** /console/evidence: the records of an institution's ledger, by PSP, days, outcome, request id or evidence id. */

import { askLedger, findRecordText } from "../../evidence/ledger/ask-ledger.ts";
import { describeGap, nameGap } from "../../evidence/ledger/damage.ts";
import type { LedgerRecord } from "../../evidence/ledger/record.ts";
import { describeOutcome, NOTHING_ALLOWED } from "../../evidence/ledger/record.ts";
import type { RecordQuery } from "../../evidence/ledger/record-query.ts";
import type { RecordPage } from "../../evidence/ledger/record-search.ts";
import { CATALOGUE } from "../../http/errors/error-response.ts";
import { aboutInstitution, type Chosen, ChosenField, ChosenName } from "../chosen-institution.tsx";
import { Mark, Problem } from "../elements.tsx";
import { show } from "../frame.tsx";
import type { Page, Reader, Visit } from "../page.ts";
import { READ } from "../roles.ts";
import { writeLength, writeSecond } from "../wording.ts";
import { nameRecord } from "./record-words.ts";
import { readSearch, type Search } from "./search.ts";

export const EVIDENCE = "/console/evidence";

export const evidencePage: Page = {
  path: EVIDENCE,
  menu: "Evidence",
  roles: READ,
  get: aboutInstitution("Evidence", showRecords),
};

const PAGE_SIZE = 25;
const NONE: RecordPage = { texts: [], next: null, gaps: [] };

/** What of an address is the search: kept when the list goes on. */
const SEARCHED = ["id", "psp", "from", "to", "outcome"] as const;

async function showRecords(visit: Visit<Reader>, fi: Chosen): Promise<Response> {
  const { c } = visit;
  const given = c.req.query();
  const search = readSearch(given);
  if (search.ok && search.by === "record") {
    const { id } = search;
    if ((await findRecordText(c.env, fi.id, id)) !== null) return c.redirect(fi.link(`${EVIDENCE}/${id}`), 303);
  }
  const list = (query: Omit<RecordQuery, "limit">, limit = PAGE_SIZE): Promise<RecordPage> =>
    askLedger(c.env, fi.id, (ledger) => ledger.list({ ...query, limit }));
  const soon =
    search.ok && search.by === "list" && search.soonest !== null
      ? await list({ ...search.query, to: Math.min(search.query.to ?? search.soonest, search.soonest) })
      : NONE;
  const page: RecordPage =
    search.ok && search.by === "list" && soon.texts.length + soon.gaps.length === 0 ? await list(search.query) : soon;
  const length = search.ok && search.by === "list" ? await measure(visit, fi, search.query, page, list) : "";
  const children = (
    <>
      <ChosenName visit={visit} fi={fi} path={EVIDENCE} />
      <SearchForm action={visit.href(EVIDENCE)} fi={fi} given={given} search={search} />
      {search.ok && <Records fi={fi} given={given} page={page} length={length} />}
    </>
  );
  return await show(visit, { title: "Evidence", children, status: search.ok ? 200 : 400 });
}

/** As many are counted of what a search finds: their segments may have to be read. */
const COUNTED_RECORDS = 100;

/**
 * How many records there are in all, in words: of the whole ledger exactly; of a search as far as one call of the ledger
 * looks, which may be less far than its records reach.
 */
async function measure(
  { c }: Visit<Reader>,
  fi: Chosen,
  { before, ...query }: Omit<RecordQuery, "limit">,
  page: RecordPage,
  list: (query: Omit<RecordQuery, "limit">, limit: number) => Promise<RecordPage>,
): Promise<string> {
  if (Object.values(query).every((value) => value === null)) {
    const kept = await askLedger(c.env, fi.id, (ledger) => ledger.kept());
    return writeLength(kept, "record", kept);
  }
  const isWhole = before === null && page.next === null;
  const { texts, next } = isWhole ? page : await list({ ...query, before: null }, COUNTED_RECORDS + 1);
  // a page further back may have more than that call came to
  const count = Math.max(texts.length, page.texts.length);
  const length = writeLength(count, "record", COUNTED_RECORDS);
  return next === null || count > COUNTED_RECORDS ? length : `At least ${length.toLowerCase()}`;
}

interface RecordsProps {
  readonly fi: Chosen;
  readonly given: Readonly<Record<string, string>>;
  readonly page: RecordPage;
  /** Of the list in all, in words. */
  readonly length: string;
}

function Records({ fi, given, page: { texts, next, gaps }, length }: RecordsProps) {
  const records = texts.map((text) => JSON.parse(text) as LedgerRecord);
  const order = given["before"] === undefined ? "newest first" : "older ones";
  const kept = Object.fromEntries(SEARCHED.flatMap((name) => (given[name] ? [[name, given[name]]] : [])));
  return (
    <section class="card" aria-labelledby="found">
      <h2 id="found">
        {records.length === 0 ? (Object.keys(kept).length > 0 ? "No record" : "No record yet") : `${length}, ${order}`}
      </h2>
      {gaps.map((gap) => (
        <p class="notice warn">
          Cannot be shown: {describeGap(nameGap(gap))}. The operator's command doctor names the file.
        </p>
      ))}
      {records.length === 0 ? (
        <p>
          {next === null
            ? "There is none: nothing of that kind was answered, or it is older than what is kept."
            : "None of those that were looked through up to here; older ones may be."}
        </p>
      ) : (
        <RecordTable fi={fi} records={records} />
      )}
      {next !== null && (
        <p>
          <a class="button second" href={fi.link(EVIDENCE, { ...kept, before: String(next) })}>
            {records.length === 0 ? "Look further back" : "Older ones"}
          </a>
        </p>
      )}
    </section>
  );
}

export function RecordTable({ fi, records }: { fi: Chosen; records: readonly LedgerRecord[] }) {
  return (
    <section class="scroll" aria-label="Records, one row each" tabindex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">What was asked for</th>
            <th scope="col">PSP</th>
            <th scope="col">Answer</th>
            <th scope="col">Reference</th>
          </tr>
        </thead>
        <tbody>
          {records.map((record) => (
            <tr>
              <th scope="row">
                <a href={fi.link(`${EVIDENCE}/${record.id}`)}>{writeSecond(record.time)}</a>
              </th>
              <td class="text">{nameRecord(record)}</td>
              <td class="text">{record.psp === null ? "–" : <code>{record.psp}</code>}</td>
              <td class="text">
                <Outcome record={record} />
              </td>
              <td class="text">{record.transaction_reference ?? "–"}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** An error code as the stores spell it: a program looks for it so. */
export function Outcome({ record }: { record: LedgerRecord }) {
  const { state, words } = describeOutcome(record);
  return <Mark state={state}>{state === "no" ? <code>{breakable(words)}</code> : words}</Mark>;
}

/** A long one goes on in the next line after an underscore. */
const breakable = (code: string) =>
  code.split(/(?<=_)/).map((part, i) => (
    <>
      {i > 0 && <wbr />}
      {part}
    </>
  ));

interface SearchFormProps {
  readonly action: string;
  readonly fi: Chosen;
  readonly given: Readonly<Record<string, string>>;
  readonly search: Search;
}

/** By GET, so that what is found has an address for colleagues. */
function SearchForm({ action, fi, given, search }: SearchFormProps) {
  const problem = search.ok ? (search.by === "record" ? "No record has this evidence id." : null) : search.problem;
  const told = problem === null ? undefined : "problem";
  return (
    <>
      <Problem>{problem}</Problem>
      <search>
        <form action={action} class="card row">
          <ChosenField fi={fi} />
          <label class="field wide">
            PSP <span class="hint">authorisation number</span>
            <input name="psp" spellcheck={false} autocomplete="off" value={given["psp"]} aria-describedby={told} />
          </label>
          <label class="field">
            From <span class="hint">UTC</span>
            <input type="date" name="from" value={given["from"]} />
          </label>
          <label class="field">
            To <span class="hint">that day, too</span>
            <input type="date" name="to" value={given["to"]} />
          </label>
          <label class="field">
            Outcome
            <select name="outcome">
              <option value="">any</option>
              {["ok", NOTHING_ALLOWED, ...CATALOGUE.keys()].map((outcome) => (
                <option value={outcome} selected={outcome === given["outcome"]}>
                  {outcome}
                </option>
              ))}
            </select>
          </label>
          <label class="field wide">
            Evidence id or request id <span class="hint">of the answer</span>
            <input name="id" spellcheck={false} autocomplete="off" value={given["id"]} aria-describedby={told} />
          </label>
          <button type="submit">Search</button>
        </form>
      </search>
    </>
  );
}
