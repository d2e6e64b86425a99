/** /console/psps/{number}: what the registers say of a PSP, and what the institution has to do with it. */

import { parseAuthorisationNumber } from "../../eidas/authorisation-number.ts";
import { reviewEvents } from "../../events/event-review.ts";
import { findNewestGrants } from "../../events/interest.ts";
import { findShownCertificates } from "../../events/issuers.ts";
import { findMetPsps, type MetPsp } from "../../events/met-list.ts";
import { readMetStanding } from "../../events/met-standing.ts";
import { readHomeRegister } from "../../events/standing.ts";
import { findWatch, MAX_WATCHES } from "../../events/watches.ts";
import { askLedger } from "../../evidence/ledger/ask-ledger.ts";
import type { LedgerRecord } from "../../evidence/ledger/record.ts";
import type { RecordPage } from "../../evidence/ledger/record-search.ts";
import { CONSOLE_FORMS } from "../../http/endpoints.ts";
import { databaseOf } from "../../institutions/databases.ts";
import { countryOfInstitution, longCountryName } from "../check/jurisdictions.ts";
import { aboutInstitution, type Chosen, ChosenName, RowAction } from "../chosen-institution.tsx";
import { Age, Fact, Mark, Problem, Said } from "../elements.tsx";
import { NONE_ACCEPTED, STANDING_WORDS } from "../events/event-words.ts";
import { show } from "../frame.tsx";
import { decodeSegment, hasRole, type Page, pageNotFound, type Reader, type Visit } from "../page.ts";
import { CHECK, READ } from "../roles.ts";
import { writeDay } from "../wording.ts";
import { addressOfPsp, PSPS } from "./addresses.ts";
import { LastCheckCard, readKeptChain, readLastCheck } from "./last-check.tsx";
import { Answers, CertificatesCard, EventsOfPsp, Permissions, Refusals, Registers } from "./psp-cards.tsx";
import { readRefusals } from "./refusals.ts";

export const pspPage: Page = {
  path: `${PSPS}/{number}`,
  menu: null,
  roles: READ,
  get: aboutInstitution("PSP", showPsp),
};

/** Of each kind, so that the page reads few rows whatever the PSP has. */
const [RECORDS, CHECKS, EVENTS, GRANTS] = [10, 3, 5, 10];

const DONE: Readonly<Record<string, string>> = {
  watched: "The PSP is watched: each change from now on makes an event.",
  unwatched:
    "The PSP is not watched any more. While it has live tokens or consents here, its changes make events nevertheless.",
};

const FULL = `${MAX_WATCHES.toLocaleString("en")} PSPs are watched already: stop watching one to watch another.`;

async function showPsp(visit: Visit<Reader>, fi: Chosen): Promise<Response> {
  const { c, now, params } = visit;
  const { done = "" } = c.req.query();
  const { pspId } = readNumber(params["number"] ?? "");
  const db = databaseOf(c.env, fi);
  const list = { from: null, to: null, psp: pspId, endpoint: null, event: null, outcome: null, before: null };
  const [[met = null], watchedSince, reading, page, checked, refusals, grants, events] = await Promise.all([
    findMetPsps(db, fi.id, [pspId]),
    findWatch(db, fi.id, pspId),
    readHomeRegister(c.env.KV, pspId, now),
    askLedger(c.env, fi.id, (ledger): Promise<RecordPage> => ledger.list({ ...list, limit: RECORDS })),
    askLedger(
      c.env,
      fi.id,
      (ledger): Promise<RecordPage> => ledger.list({ ...list, event: "psp.checked", limit: CHECKS }),
    ),
    readRefusals(visit, fi, [pspId]),
    findNewestGrants(db, fi.id, pspId, GRANTS, now),
    reviewEvents(db, fi.id, { onlyOpen: false, psp: pspId, before: null, limit: EVENTS }),
  ]);
  const read = ({ texts }: RecordPage) => texts.map((text) => JSON.parse(text) as LedgerRecord);
  const records = read(page);
  const shown = records.flatMap(({ checks }) => checks.flatMap((check) => (check.psp === pspId ? [check] : [])));
  const certificates = [...new Set([met?.certificate ?? [], ...shown.map(({ certificate }) => certificate)].flat())];
  const [known, last] = await Promise.all([
    findShownCertificates(c.env.DB, pspId, certificates),
    readLastCheck(c.env, pspId, [...records, ...read(checked)]),
  ]);
  const shownLast = known.find(({ certificate }) => certificate === (met?.certificate ?? certificates[0]))?.chain;
  // one that was not accepted is in the evidence alone
  const chain = shownLast ? (JSON.parse(shownLast) as string[]) : last && (await readKeptChain(c.env, last));
  const children = (
    <>
      <ChosenName visit={visit} fi={fi} path={addressOfPsp(pspId)} />
      <Problem>{done === "full" ? FULL : null}</Problem>
      <Said>{DONE[done]}</Said>
      {last && <LastCheckCard {...{ fi, last, now }} />}
      <Summary {...{ visit, fi, pspId, met, watchedSince, chain }} standing={readMetStanding(reading, now)} />
      <Registers reading={reading} now={now} />
      <Refusals {...{ visit, fi, pspId, refusals }} />
      <Answers {...{ fi, pspId, records }} />
      <CertificatesCard {...{ certificates, known, now }} latest={met?.certificate ?? null} />
      <Permissions {...{ visit, fi, pspId, grants }} />
      <EventsOfPsp {...{ visit, fi, pspId, events }} />
    </>
  );
  return await show(visit, { title: met?.name ?? pspId, children, status: done === "full" ? 400 : 200 });
}

function readNumber(segment: string) {
  const number = parseAuthorisationNumber(decodeSegment(segment));
  if (!number.ok) throw pageNotFound();
  return number;
}

interface SummaryProps {
  readonly visit: Visit<Reader>;
  readonly fi: Chosen;
  readonly pspId: string;
  readonly met: MetPsp | null;
  readonly watchedSince: number | null;
  readonly standing: ReturnType<typeof readMetStanding>;
  /** Base64 DER of the certificate that can be checked again, and of its issuers; null: none is kept. */
  readonly chain: readonly string[] | null;
}

function Summary({ visit, fi, pspId, met, watchedSince, standing, chain }: SummaryProps) {
  const { now, reader } = visit;
  const [state, words] = STANDING_WORDS[standing];
  const act = { visit, fi, name: "psp", value: pspId, about: "" };
  const country = pspId.slice(3, 5);
  return (
    <section class="card" aria-labelledby="summary">
      <h2 id="summary">
        <code>{pspId}</code>
      </h2>
      <dl class="facts">
        <Fact name="Country">{longCountryName(country)}</Fact>
        <Fact name="Its register says now">
          <Mark state={state}>{words}</Mark>
        </Fact>
        {met === null || met.seenAt === null ? (
          <Fact name="Seen here">never, by a certificate that a listed service has issued</Fact>
        ) : (
          <>
            <Fact name="First seen">
              <Age time={met.firstSeenAt ?? met.seenAt} now={now} />
            </Fact>
            <Fact name="Last seen">
              <Age time={met.seenAt} now={now} />
            </Fact>
            <Fact name="Certificate ends">{met.notAfter === null ? NONE_ACCEPTED : writeDay(met.notAfter)}</Fact>
          </>
        )}
        <Fact name="Watched">{watchedSince === null ? "no" : <>since {writeDay(watchedSince)}</>}</Fact>
      </dl>
      {hasRole(reader, CHECK) && (
        <div class="row">
          {chain !== null && (
            <RowAction
              {...act}
              path={CONSOLE_FORMS.check.path}
              name="pasted"
              value={pemOf(chain)}
              more={{ jurisdiction: countryOfInstitution(fi.fiReferenceId) ?? country }}
            >
              Check again
            </RowAction>
          )}
          {watchedSince === null ? (
            <RowAction {...act} path={CONSOLE_FORMS.watch.path}>
              Watch
            </RowAction>
          ) : (
            <RowAction {...act} path={CONSOLE_FORMS.unwatch.path}>
              Stop watching
            </RowAction>
          )}
        </div>
      )}
    </section>
  );
}

const pemOf = (chain: readonly string[]): string =>
  chain.map((der) => `-----BEGIN CERTIFICATE-----\n${der}\n-----END CERTIFICATE-----`).join("\n");
