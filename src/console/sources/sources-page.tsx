/** /console/sources: what the service knows, how old it is, and what is wrong: the readings of GET /status. */
import { isInEea, PSD2_COUNTRIES } from "../../platform/country.ts";
import type { Instant } from "../../platform/instant.ts";
import { type CommandLine, cureOf, RUNBOOK, writeNotLoaded } from "../../refresh/cures.ts";
import { describeFailures, type Reason, type SourceStatus } from "../../refresh/reasons.ts";
import { readSources, type Status } from "../../refresh/status.ts";
import { longCountryName } from "../check/jurisdictions.ts";
import { Age, Code, Mark, writeDates } from "../elements.tsx";
import { show } from "../frame.tsx";
import { AsFile, type ListFile, members, readFormat, sendList } from "../list-file.tsx";
import type { Page, Reader, Visit } from "../page.ts";
import { hasLocalOperator } from "../reader.ts";
import { READ } from "../roles.ts";
import { capital } from "../wording.ts";
import { RegisterSearchForm } from "./search-page.tsx";
import { CountryGrid, SourceTable } from "./source-table.tsx";
import { byCountry, countIncomplete, listFaults, nameSource, standingOf } from "./standing.ts";

export const sourcesPage: Page = { path: "/console/sources", menu: "Sources", roles: READ, get: showSources };

/** The 30 of the EEA: the United Kingdom has a tile if it has a source, as any other country. */
export const EEA: readonly string[] = PSD2_COUNTRIES.filter(isInEea).sort((a, b) =>
  longCountryName(a).localeCompare(longCountryName(b), "en"),
);

async function showSources(visit: Visit<Reader>): Promise<Response> {
  const { c, now } = visit;
  const { status, changes, skipped, remarks } = await readSources(c.env, now);
  const { trustedLists, registers, holes, crls } = status;
  const format = readFormat(c.req.query());
  const own = visit.reader.kind === "institution" ? visit.reader.fi : null;
  if (format) return await sendList(visit, own, sourceList(status), format);
  const countries = byCountry(EEA, trustedLists, registers);
  const children = (
    <>
      <p>What each check rests on: trusted lists, registers and answers on revocation, and how old they are.</p>
      <Summary status={status} incomplete={countIncomplete(countries)} command={commandFor(visit)} now={now} />
      <AsFile link={(as) => visit.href(`/console/sources?${new URLSearchParams(as)}`)} what="sources" />
      <RegisterSearchForm action={visit.href("/console/sources/search")} />
      <section class="card">
        <h2>Countries</h2>
        <CountryGrid countries={countries} now={now} />
      </section>
      <section class="card">
        <h2 id="lists">Trusted lists</h2>
        <p class="muted">They say which QTSPs may issue the certificates of PSPs. Changes are counted in CAs.</p>
        <SourceTable
          name="Trusted lists"
          kind="list"
          sources={trustedLists}
          changes={changes}
          skipped={skipped}
          remarks={remarks}
          now={now}
          counted={[
            ["Issue", (list) => list.sequenceNumber],
            ["CA certificates", (list) => list.anchors],
          ]}
        />
      </section>
      <section class="card">
        <h2 id="registers">Registers</h2>
        <p class="muted">They say which services a PSP is authorised for, and where. Changes are counted in PSPs.</p>
        {holes.map(({ message }) => (
          <p class="notice warn">
            <span>
              {writeDates(message)}. Lawful PSPs may be among them: the operator of this service can tell it their
              numbers.
            </span>
          </p>
        ))}
        <SourceTable
          name="Registers"
          kind="register"
          sources={registers}
          changes={changes}
          now={now}
          counted={[
            ["PSPs", (register) => register.psps],
            ["Agents", (register) => register.agents],
            ["Unreadable", (register) => register.refused],
          ]}
        />
      </section>
      <section class="card">
        <h2>Revocation lists</h2>
        <p>
          {count(crls.loaded)} kept
          {crls.nextUpdate !== null && (
            <>
              ; the first ends <Age time={crls.nextUpdate} now={now} />
            </>
          )}
          {crls.refresh?.checkedAt && (
            <>
              ; checked <Age time={crls.refresh.checkedAt} now={now} />
            </>
          )}
          .
        </p>
        {crls.refresh?.lastError && (
          <p class="notice warn">
            <span>
              {describeFailures(crls.refresh.failures)} <Age time={crls.refresh.lastError.at} now={now} />:{" "}
              {writeDates(crls.refresh.lastError.message)}
            </span>
          </p>
        )}
      </section>
    </>
  );
  return await show(visit, { title: "Sources", children });
}

type Listed = SourceStatus & { readonly kind: string; readonly entries: number | null };

const sourceList = ({ trustedLists, registers }: Status): ListFile<Listed> => ({
  name: "sources",
  columns: {
    ...members("kind"),
    country: ({ jurisdiction }) => jurisdiction ?? "all",
    ...members("source"),
    state: (source) => standingOf(source).word,
    ...members("entries", "published", "nextUpdate"),
    checked_at: ({ refresh, fetchedAt }) => refresh?.checkedAt ?? fetchedAt,
    next_check: ({ refresh }) => refresh?.nextCheck,
    failures: ({ refresh }) => refresh?.failures,
    last_error: ({ refresh }) => refresh?.lastError?.message,
  },
  read: async () => ({
    rows: [
      ...trustedLists.map((list) => ({ ...list, kind: "trusted list", entries: list.anchors })),
      ...registers.map((register) => ({ ...register, kind: "register", entries: register.psps })),
    ],
    next: null,
  }),
});

interface SummaryProps {
  readonly status: Status;
  /** Number of countries without a trusted list or without a register. */
  readonly incomplete: number;
  /** Null: the reader can run none. */
  readonly command: CommandLine | null;
  readonly now: Instant;
}

/** For an operator what to run; their own machine's stores are those of `npm start`. */
const commandFor = ({ c, reader }: Visit<Reader>): CommandLine | null =>
  reader.kind === "operator"
    ? (words) => `npm run admin -- ${words}${hasLocalOperator(c.env, c.req.url) ? "" : " --remote"}`
    : null;

/** `page`: of docs/runbook. */
const Cure = ({ cure, page }: { cure: string; page: string }) => (
  <>
    <br />
    <b>What to do:</b> {cure}. See <code>docs/runbook/{page}.md</code>
  </>
);

/** By the source's name for people: programs get its code. */
function writeReason({ code, message, source, jurisdiction }: Reason): string {
  const kind = code.startsWith("register") ? "register" : "list";
  const coded = `the ${kind === "list" ? "trusted list" : kind} ${[source, jurisdiction].filter(Boolean).join(" ")}`;
  const named = source === null ? message : message.replace(coded, nameSource(kind, source, jurisdiction));
  return capital(named);
}

/** Green only where nothing below it is not: a source that cannot be reached ages from now on, and what is not loaded is missing. */
function Summary({ status, incomplete, command, now }: SummaryProps) {
  const [{ reasons }, faults] = [status, listFaults(status)];
  const all = reasons.length + faults.length + (incomplete > 0 ? 1 : 0);
  if (all === 0)
    return (
      <section class="notice yes" aria-label="Summary">
        <Mark state="yes">All that is loaded is current</Mark>
      </section>
    );
  const state = reasons.length > 0 ? "no" : "warn";
  const things = all === 1 ? "1 thing needs care" : `${all} things need care`;
  return (
    <section class={`notice ${state}`} aria-label="Summary">
      <Mark state={state}>{reasons.length === 0 ? `What is loaded is current, but ${things}` : things}</Mark>
      <ul>
        {reasons.map((reason) => (
          <li>
            {writeDates(writeReason(reason))}
            {command && <Cure cure={cureOf(reason, command)} page={RUNBOOK[reason.code]} />}
          </li>
        ))}
        {incomplete > 0 && (
          <li>
            {incomplete === 1 ? "1 country has" : `${incomplete} countries have`} no trusted list or no register here:
            their PSPs may be refused for that alone
            {command && <Cure cure={writeNotLoaded(command)} page={RUNBOOK.no_register} />}
          </li>
        )}
        {faults.map(({ name, word, source, refresh }) => (
          <li>
            {capital(name)}: {word.toLowerCase()}
            {refresh?.lastError && (
              <>
                ; {describeFailures(refresh.failures)} <Age time={refresh.lastError.at} now={now} />
              </>
            )}{" "}
            {source && <Code>{source}</Code>}
            {command && <Cure cure={writeNotLoaded(command)} page={RUNBOOK.no_register} />}
          </li>
        ))}
      </ul>
    </section>
  );
}

const count = (number: number): string => number.toLocaleString("en");
