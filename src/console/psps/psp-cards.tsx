/** The cards of a PSP's page. */
import { describeEvent } from "../../events/event.ts";
import type { ReviewedEvent } from "../../events/event-review.ts";
import type { SomeGrants } from "../../events/interest.ts";
import type { findShownCertificates } from "../../events/issuers.ts";
import type { LedgerRecord } from "../../evidence/ledger/record.ts";
import type { RefusalTotal } from "../../evidence/ledger/traffic.ts";
import type { Instant } from "../../platform/instant.ts";
import type { RegisterReading } from "../../registers/lookup.ts";
import { describeEntry, type FoundEntry } from "../../registers/search.ts";
import type { Chosen } from "../chosen-institution.tsx";
import { Age, LinkButton, Mark, writeDates } from "../elements.tsx";
import { describeNews, EVENTS, TYPE_WORDS } from "../events/event-words.ts";
import { EVIDENCE, RecordTable } from "../evidence/evidence-page.tsx";
import { hasRole, type Reader, type Visit } from "../page.ts";
import { SEARCH_PERMISSIONS } from "../roles.ts";
import { RegisterEntry } from "../sources/search-page.tsx";
import { Reasons } from "../traffic/cards.tsx";
import { writeDay } from "../wording.ts";
import { NOT_COUNTED, refusedDays } from "./refusals.ts";

interface OfPsp {
  readonly fi: Chosen;
  readonly pspId: string;
}

/** Each entry, as all registers of the country together say it. */
export function Registers({ reading, now }: { reading: RegisterReading | null; now: Instant }) {
  if (reading === null || reading.manifests.length === 0 || reading.categories.length === 0)
    return (
      <section class="card">
        <h2>Registers</h2>
        <p>
          {reading === null || reading.manifests.length === 0
            ? "No register of its home country is loaded."
            : reading.ambiguous
              ? "Several entries have its number, so that none of them counts."
              : "Not there under this number. Its authority may list it under another one."}
        </p>
      </section>
    );
  const groups = Map.groupBy(reading.categories, ({ source, psp }) => `${source} ${psp.authNumber}`);
  const entries = [...groups.values()].flatMap(([first, ...others]): FoundEntry[] => {
    if (!first) return [];
    const { link, ...psp } = first.psp;
    const categories = [first, ...others].map(({ record }) => record);
    return [
      { country: reading.country, source: first.source, psp: { ...psp, categories }, linked: link ? [link] : [] },
    ];
  });
  return (
    <>
      {entries.map((entry) => (
        <RegisterEntry entry={describeEntry(entry, now)} />
      ))}
    </>
  );
}

interface RefusalsProps extends OfPsp {
  readonly visit: Visit<Reader>;
  /** Null: nothing is counted. */
  readonly refusals: readonly RefusalTotal[] | null;
}

export function Refusals({ visit, fi, pspId, refusals }: RefusalsProps) {
  const days = refusedDays(visit.now);
  const reasons = (refusals ?? []).toSorted((a, b) => b.requests - a.requests);
  return (
    <section class="card" aria-labelledby="refused">
      <h2 id="refused">Refused in 30 days, and why</h2>
      {reasons.length === 0 ? (
        <p>{refusals === null ? NOT_COUNTED : "Never."}</p>
      ) : (
        <Reasons outcomes={reasons} link={(outcome) => fi.link(EVIDENCE, { psp: pspId, outcome, ...days })} />
      )}
    </section>
  );
}

export const Answers = ({ fi, pspId, records }: OfPsp & { readonly records: readonly LedgerRecord[] }) => (
  <section class="card" aria-labelledby="answers">
    <h2 id="answers">What it was answered last</h2>
    {records.length === 0 ? <p>Nothing that is kept.</p> : <RecordTable fi={fi} records={records} />}
    <LinkButton href={fi.link(EVIDENCE, { psp: pspId })}>All evidence of it</LinkButton>
  </section>
);

interface CertificatesProps {
  /** SHA-256 of those that the institution was shown lately. */
  readonly certificates: readonly string[];
  readonly known: Awaited<ReturnType<typeof findShownCertificates>>;
  readonly latest: string | null;
  readonly now: Instant;
}

export const CertificatesCard = ({ certificates, known, latest, now }: CertificatesProps) => (
  <section class="card" aria-labelledby="certificates">
    <h2 id="certificates">Certificates that it showed here lately</h2>
    {certificates.length === 0 ? (
      <p>None.</p>
    ) : (
      <ul class="remarks">
        {certificates.map((certificate) => {
          const one = known.find((each) => each.certificate === certificate);
          return (
            <li>
              {one ? (
                <>
                  Ends on {writeDay(one.notAfter)}, <Age time={one.notAfter} now={now} />. Issued by “{one.serviceName}
                  ”, on the list of {one.jurisdiction}
                  {certificate === latest ? "; of those that it showed it ends last" : ""}.
                </>
              ) : (
                "It was not accepted, or has ended."
              )}
              <br />
              <code class="small">{certificate}</code>
            </li>
          );
        })}
      </ul>
    )}
  </section>
);

interface PermissionsProps extends OfPsp {
  readonly visit: Visit<Reader>;
  readonly grants: SomeGrants;
}

export function Permissions({ visit, fi, pspId, grants: { tokens, consents, more } }: PermissionsProps) {
  const maySearch = hasRole(visit.reader, SEARCH_PERMISSIONS);
  return (
    <section class="card" aria-labelledby="permissions">
      <h2 id="permissions">Permissions</h2>
      <p>
        {more ? "At least " : ""}
        {tokens} with a live token, and {consents} authorised {consents === 1 ? "consent" : "consents"} that{" "}
        {consents === 1 ? "has" : "have"} not ended{more ? ": only the newest of each kind are counted" : ""}.
      </p>
      {maySearch && (
        <LinkButton href={fi.link("/console/permissions", { by: "psp", q: pspId })}>
          Look through its permissions
        </LinkButton>
      )}
    </section>
  );
}

interface EventsProps extends OfPsp {
  readonly visit: Visit<Reader>;
  /** The newest. */
  readonly events: readonly ReviewedEvent[];
}

export const EventsOfPsp = ({ visit, fi, pspId, events }: EventsProps) => (
  <section class="card" aria-labelledby="events">
    <h2 id="events">Events</h2>
    {events.length === 0 ? (
      <p>None.</p>
    ) : (
      <ul class="remarks">
        {events.map((event) => {
          const written = describeEvent(event);
          return (
            <li>
              <Mark state={event.acknowledgedAt === null ? "warn" : "yes"}>
                {TYPE_WORDS[written.type]}, <Age time={written.timestamp} now={visit.now} />
                {event.acknowledgedAt === null ? ", not acknowledged" : ""}
              </Mark>
              <br />
              {writeDates(describeNews(written).join(" "))}
            </li>
          );
        })}
      </ul>
    )}
    <LinkButton href={fi.link(EVENTS, { psp: pspId, all: "1" })}>All events of it</LinkButton>
  </section>
);
