/** Which events are looked through: by kind, PSP and day, from the query of the page's address. */

import { EVENT_TYPES } from "../../events/event.ts";
import type { ReviewFilter } from "../../events/event-review.ts";
import { type Chosen, ChosenField } from "../chosen-institution.tsx";
import { Problem } from "../elements.tsx";
import { readDays, readPspNumber } from "../filters.ts";
import type { Reader, Visit } from "../page.ts";
import { EVENTS, TYPE_WORDS } from "./event-words.ts";

export interface AskedEvents {
  readonly filter: ReviewFilter;
  /** What of the address is the filter: kept when the list goes on. Empty: each event that is open, or all. */
  readonly kept: Readonly<Record<string, string>>;
  /** A sentence; the part of the filter is left out. */
  readonly problem: string | null;
}

/** Pure. A day is one of UTC. */
export function readFilter(given: Readonly<Record<string, string>>): AskedEvents {
  const { day } = given;
  const type = EVENT_TYPES.find((one) => one === given["type"]) ?? null;
  const [number, days] = [readPspNumber(given["psp"]), readDays(day, day)];
  const psp = number.ok ? number.pspId : null;
  const { from, to } = days.ok ? days : { from: null, to: null };
  return {
    filter: { onlyOpen: given["all"] === undefined, type, psp, from, to },
    kept: { ...(type && { type }), ...(psp && { psp }), ...(from !== null && day && { day }) },
    problem: !number.ok ? number.problem : days.ok ? null : days.problem,
  };
}

/** By GET, so that what was found has an address for colleagues. */
export const EventsFilter = ({ visit, fi, asked }: { visit: Visit<Reader>; fi: Chosen; asked: AskedEvents }) => {
  const { filter, kept, problem } = asked;
  const typed = visit.c.req.query();
  return (
    <>
      <Problem>{problem}</Problem>
      <search>
        <form action={visit.href(EVENTS)} class="card row">
          <ChosenField fi={fi} />
          {!filter.onlyOpen && <input type="hidden" name="all" value="1" />}
          <label class="field">
            What happened
            <select name="type">
              <option value="">anything</option>
              {EVENT_TYPES.map((type) => (
                <option value={type} selected={type === filter.type}>
                  {TYPE_WORDS[type]}
                </option>
              ))}
            </select>
          </label>
          <label class="field wide">
            PSP <span class="hint">authorisation number</span>
            <input
              name="psp"
              spellcheck={false}
              autocomplete="off"
              value={typed["psp"]}
              aria-describedby={problem === null ? undefined : "problem"}
            />
          </label>
          <label class="field">
            Day <span class="hint">UTC</span>
            <input type="date" name="day" value={kept["day"]} />
          </label>
          <button type="submit">Show</button>
        </form>
      </search>
    </>
  );
};
