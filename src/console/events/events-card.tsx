/** Events, newest first, with what people do about them: look at the PSP's records, acknowledge. */
import type { Child } from "hono/jsx";
import { describeEvent } from "../../events/event.ts";
import type { ReviewedEvent } from "../../events/event-review.ts";
import { type Chosen, ChosenField } from "../chosen-institution.tsx";
import { Age, Code, LinkButton, Mark, Time, writeDates } from "../elements.tsx";
import { FormToken } from "../frame.tsx";
import { AsFile } from "../list-file.tsx";
import { hasRole, type Reader, type Visit } from "../page.ts";
import { ERASED_NAME, isTag, type Names } from "../people/names.ts";
import { addressOfPsp } from "../psps/addresses.ts";
import { CHECK } from "../roles.ts";
import { writeLength, writeTime } from "../wording.ts";
import { ACKNOWLEDGE, describeNews, EVENTS, TYPE_WORDS } from "./event-words.ts";
import type { AskedEvents } from "./events-filter.tsx";

interface EventsProps {
  readonly visit: Visit<Reader>;
  readonly fi: Chosen;
  readonly events: readonly ReviewedEvent[];
  /** In all, on whatever page. */
  readonly length: number;
  readonly hasOlder: boolean;
  readonly asked: AskedEvents;
  /** Of those who have acknowledged them. */
  readonly names: Names;
}

export function Events({ visit, fi, events, length, hasOlder, asked: { filter, kept }, names }: EventsProps) {
  const { onlyOpen } = filter;
  const last = events.at(-1);
  const all: Record<string, string> = onlyOpen ? {} : { all: "1" };
  const isWhole = Object.keys(kept).length === 0;
  const open = events.filter(({ acknowledgedAt }) => acknowledgedAt === null);
  return (
    <section aria-labelledby="events">
      <div class="card">
        <h2 id="events">{headline(length, onlyOpen)}</h2>
        {events.length === 0 && (
          <p>
            {!isWhole
              ? "None of that kind, PSP or day."
              : onlyOpen
                ? "None is open: nothing has changed of the PSPs that are watched, or have live tokens or consents here, or it is acknowledged."
                : "None yet: nothing has changed of the PSPs that are watched, or have live tokens or consents here."}
          </p>
        )}
        <div class="row">
          {/* what lies between events of a filter is not to be seen here */}
          {isWhole && open.length > 1 && (
            <Acknowledge visit={visit} fi={fi} events={open}>
              Acknowledge these {open.length}
            </Acknowledge>
          )}
          <a class="button second" href={fi.link(EVENTS, { ...kept, ...(onlyOpen && { all: "1" }) })}>
            {onlyOpen ? "Show all events" : "Show open ones only"}
          </a>
        </div>
      </div>
      {events.map((event) => (
        <EventCard visit={visit} fi={fi} event={event} names={names} />
      ))}
      {events.length > 0 && (
        <AsFile link={(as) => fi.link(EVENTS, { ...kept, ...all, ...as })} what="events" goesOn={hasOlder} />
      )}
      {hasOlder && last && (
        <LinkButton href={fi.link(EVENTS, { ...kept, ...all, before: String(last.seq) })}>Older events</LinkButton>
      )}
    </section>
  );
}

function headline(length: number, onlyOpen: boolean): string {
  if (length === 0) return onlyOpen ? "Events that nobody has acknowledged" : "All events";
  return `${writeLength(length, "event")}${onlyOpen ? " that nobody has acknowledged" : ", acknowledged or not"}`;
}

function EventCard({
  visit,
  fi,
  event,
  names,
}: Pick<EventsProps, "visit" | "fi" | "names"> & { event: ReviewedEvent }) {
  const written = describeEvent(event);
  const { id, type, timestamp, data } = written;
  const { psp_id: psp, grants, evidence } = data;
  const { acknowledgedAt, acknowledgedBy: by } = event;
  const about = `${TYPE_WORDS[type]}, ${psp ?? writeTime(timestamp)}`;
  return (
    <article class="card event" id={id} aria-label={about}>
      <details data-wide>
        <summary>
          <h3>{TYPE_WORDS[type]}</h3> <Code>{type}</Code>
          <span class="row file">
            {psp !== null && <code>{psp}</code>} <Age time={timestamp} now={visit.now} />
            {acknowledgedAt !== null && <Mark state="yes">Acknowledged</Mark>}
          </span>
        </summary>
        <p class="muted">
          <Time at={timestamp} />
        </p>
        {describeNews(written).map((sentence) => (
          <p>{writeDates(sentence)}</p>
        ))}
        {grants && (
          <p>
            It had {counted(grants.tokens, "permission")} with live tokens and {counted(grants.consents, "consent")}{" "}
            here.
          </p>
        )}
        <div class="row">
          {acknowledgedAt === null ? (
            <Acknowledge visit={visit} fi={fi} events={[event]}>
              Acknowledge <span class="out">{about}</span>
            </Acknowledge>
          ) : (
            <p class="muted">
              Acknowledged by {by !== null && isTag(by) ? (names.get(by) ?? ERASED_NAME) : by},{" "}
              <Time at={acknowledgedAt} />
            </p>
          )}
          {psp !== null && (
            <a href={fi.link(addressOfPsp(psp))}>
              The PSP <span class="out">{psp}</span>
            </a>
          )}
        </div>
        <details class="apart">
          <summary>As programs get it</summary>
          {evidence.map(({ document, sha256 }) => (
            <p class="small">
              {document} <code>{sha256}</code>
            </p>
          ))}
          <pre tabindex={0}>{JSON.stringify(written, null, 2)}</pre>
        </details>
      </details>
    </article>
  );
}

const counted = (number: number, noun: string): string =>
  `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;

interface AcknowledgeProps {
  readonly visit: Visit<Reader>;
  readonly fi: Chosen;
  /** Newest first, one at least. */
  readonly events: readonly ReviewedEvent[];
  readonly children?: Child;
}

function Acknowledge({ visit, fi, events, children }: AcknowledgeProps) {
  if (!hasRole(visit.reader, CHECK)) return null;
  return (
    <form method="post" action={visit.href(ACKNOWLEDGE)}>
      <FormToken visit={visit} />
      <ChosenField fi={fi} />
      <input type="hidden" name="first" value={events.at(-1)?.seq} />
      <input type="hidden" name="last" value={events[0]?.seq} />
      <button type="submit">{children}</button>
    </form>
  );
}
