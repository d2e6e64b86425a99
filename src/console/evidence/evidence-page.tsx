/** /console/evidence: the records of an institution's ledger, by PSP, account, kind, days, decision, or id. */

import type { Child } from "hono/jsx";
import { tagAccounts } from "../../evidence/ledger/account-tag.ts";
import { actorOf } from "../../evidence/ledger/act-index.ts";
import { askLedger, findRecordText } from "../../evidence/ledger/ask-ledger.ts";
import { describeGap, nameGap } from "../../evidence/ledger/damage.ts";
import { describeOutcome, type LedgerRecord, outcomeByDecision } from "../../evidence/ledger/record.ts";
import type { RecordQuery } from "../../evidence/ledger/record-query.ts";
import type { RecordPage } from "../../evidence/ledger/record-search.ts";
import { databaseOf } from "../../institutions/databases.ts";
import type { Instant } from "../../platform/instant.ts";
import { recordAct } from "../act.ts";
import { aboutInstitution, type Chosen, ChosenName } from "../chosen-institution.tsx";
import { Code, LinkButton, Mark, RowTable, Time } from "../elements.tsx";
import { show } from "../frame.tsx";
import { AsFile, notRecorded, readFormat, sendList } from "../list-file.tsx";
import { keepParameters, mayRead, type Page, type Reader, signatureOf, type Visit } from "../page.ts";
import { describeActor, type Names } from "../people/names.ts";
import { refuseRole } from "../refusal.ts";
import { READ, SEARCH_PERMISSIONS } from "../roles.ts";
import { writeLength } from "../wording.ts";
import { findByName, Named } from "./named-psps.tsx";
import { ARCHIVE_RECORDS, sendArchive } from "./proven-archive.ts";
import { recordList } from "./record-list.ts";
import { findRecordNames } from "./record-names.ts";
import { explainOutcome, nameRecord } from "./record-words.ts";
import { readSearch, SEARCHED } from "./search.ts";
import { SearchForm } from "./search-form.tsx";

export const EVIDENCE = "/console/evidence";

export const evidencePage: Page = {
  path: EVIDENCE,
  menu: "Evidence",
  roles: READ,
  get: aboutInstitution("Evidence", showRecords),
};

const PAGE_SIZE = 25;
const NONE: RecordPage = { texts: [], next: null, gaps: [] };

async function showRecords(visit: Visit<Reader>, fi: Chosen): Promise<Response> {
  const { c } = visit;
  const given = c.req.query();
  const search = readSearch(given);
  if (search.ok && search.by === "record") {
    const { id } = search;
    if ((await findRecordText(c.env, fi.id, id)) !== null) return c.redirect(fi.link(`${EVIDENCE}/${id}`), 303);
  }
  const showFound = async (found?: Child): Promise<Response> => {
    const children = (
      <>
        <ChosenName visit={visit} fi={fi} path={EVIDENCE} />
        <p>What the service was asked and answered, and what was done here. Each record can be proven to an auditor.</p>
        <SearchForm visit={visit} fi={fi} given={given} search={search} />
        {found}
        <p>
          <a href={fi.link("/console/traffic")}>How many requests, by hour and day</a>
        </p>
      </>
    );
    return await show(visit, { title: "Evidence", children, status: search.ok ? 200 : 400 });
  };
  if (!search.ok) return await showFound();
  const kept = keepParameters(given, SEARCHED);
  if (search.by === "record")
    return await showFound(<Records {...{ fi, kept, page: NONE, records: [], names: null, length: "" }} isFirst />);
  const named = search.name === null ? null : await findByName(c.env.KV, search.name, visit.now);
  const [one, ...others] = named ?? [];
  if (named && (!one || others.length > 0))
    return await showFound(<Named psps={named} link={(psp) => fi.link(EVIDENCE, { ...kept, psp })} />);
  const { query, accountId, soonest } = search;
  const account = accountId === null ? (query.account ?? null) : await findTag(visit, fi, accountId);
  const found = await listFound(visit, fi, { ...query, account, psp: one?.number ?? query.psp }, soonest);
  return found instanceof Response
    ? found
    : await showFound(<Records fi={fi} kept={kept} isFirst={query.before === null} {...found} />);
}

/** The account's tag. Whoever asks for an account has to be allowed to, and is recorded. */
async function findTag(visit: Visit<Reader>, fi: Chosen, accountId: string): Promise<string> {
  const { c, reader } = visit;
  if (!mayRead(ACCOUNT_SEARCH, reader)) throw await refuseRole(visit, ACCOUNT_SEARCH);
  c.set("concerns", { accountId });
  const act = { event: "permission.search", endpoint: `GET ${EVIDENCE}`, status: 200, ...signatureOf(reader) } as const;
  // a file has a record of its own
  if (readFormat(c.req.query()) === null && !isArchive(c.req.query()) && !(await recordAct(c, fi, act)))
    throw notRecorded();
  return (await tagAccounts(databaseOf(c.env, fi), fi.id, [accountId], [])).get(accountId) ?? NO_TAG;
}

const ACCOUNT_SEARCH = { path: EVIDENCE, roles: SEARCH_PERMISSIONS };
/** Of an account without a key: no record has it. */
const NO_TAG = "";

/** A page of what the search finds, or its file. */
async function listFound(
  visit: Visit<Reader>,
  fi: Chosen,
  query: Omit<RecordQuery, "limit">,
  soonest: Instant | null,
): Promise<Response | Pick<RecordsProps, "page" | "records" | "names" | "length">> {
  const { c } = visit;
  const format = readFormat(c.req.query());
  if (format || isArchive(c.req.query())) {
    c.set("concerns", { ...c.get("concerns"), ...(query.psp !== null && { psp: query.psp }) });
    return format
      ? await sendList(visit, fi, recordList(c.env, fi, query), format)
      : await sendArchive(visit, fi, query);
  }
  const list = (asked: Omit<RecordQuery, "limit">, limit = PAGE_SIZE): Promise<RecordPage> =>
    askLedger(c.env, fi.id, (ledger) => ledger.list({ ...asked, limit }));
  const soon = soonest === null ? NONE : await list({ ...query, to: Math.min(query.to ?? soonest, soonest) });
  const page = soon.texts.length + soon.gaps.length === 0 ? await list(query) : soon;
  const records = page.texts.map((text) => JSON.parse(text) as LedgerRecord);
  const [length, names] = await Promise.all([
    measure(visit, fi, query, page, list),
    findRecordNames(c.env, fi, records),
  ]);
  return { page, records, names, length };
}

/** Whether the address asks for the archive of what it finds. */
const isArchive = ({ as }: Readonly<Record<string, string>>): boolean => as === "zip";

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
  /** Of the address: the search. */
  readonly kept: Readonly<Record<string, string>>;
  /** The list's first page. */
  readonly isFirst: boolean;
  readonly page: RecordPage;
  /** Of the page. */
  readonly records: readonly LedgerRecord[];
  readonly names: Names | null;
  /** Of the list in all, in words. */
  readonly length: string;
}

function Records({ fi, kept, isFirst, page: { next, gaps }, records, names, length }: RecordsProps) {
  const order = isFirst ? "newest first" : "older ones";
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
        <RecordTable fi={fi} records={records} names={names} />
      )}
      {records.length > 0 && (
        <>
          <AsFile link={(as) => fi.link(EVIDENCE, { ...kept, ...as })} what="records" goesOn={next !== null} />
          <p class="muted small">
            For an auditor:{" "}
            <a href={fi.link(EVIDENCE, { ...kept, as: "zip" })}>an archive that proves each of these records</a>, up to{" "}
            {ARCHIVE_RECORDS.toLocaleString("en")}, and shows nothing of others.
          </p>
        </>
      )}
      {next !== null && (
        <LinkButton href={fi.link(EVIDENCE, { ...kept, before: String(next) })}>
          {records.length === 0 ? "Look further back" : "Older ones"}
        </LinkButton>
      )}
    </section>
  );
}

const PLAIN = ["What was asked for", "PSP", "Answer"];

/** Without names: all are of one PSP, which the page says. */
export function RecordTable({
  fi,
  records,
  names = null,
}: Pick<RecordsProps, "fi" | "records"> & { names?: Names | null }) {
  const plain = PLAIN.filter((head) => names !== null || head !== "PSP");
  return (
    <RowTable label="Records" heads={["When", ...plain, "Reference"]} plain={plain}>
      {records.map((record) => (
        <tr>
          <th scope="row">
            <a href={fi.link(`${EVIDENCE}/${record.id}`)}>
              <Time at={record.time} seconds />
            </a>
          </th>
          <td class="text">
            {nameRecord(record)}
            {names && actorOf(record) !== null && <span class="file muted"> by {describeActor(record, names)}</span>}
          </td>
          {names && (
            <td class="text">
              {names.get(record.psp ?? "")}{" "}
              <code class={names.has(record.psp ?? "") ? "file muted" : ""}>{record.psp ?? "–"}</code>
            </td>
          )}
          <td class="text answer">
            <Outcome record={record} />
          </td>
          <td class="text one">{record.transaction_reference ?? "–"}</td>
        </tr>
      ))}
    </RowTable>
  );
}

function Outcome({ record }: { record: LedgerRecord }) {
  const { state, words } = describeOutcome(record);
  return (
    <Mark state={state}>
      {explainOutcome(outcomeByDecision(record)) ?? words} {state === "no" && <Code>{words}</Code>}
    </Mark>
  );
}
