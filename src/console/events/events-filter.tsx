/** Which events are looked through: by kind, PSP and day, from the query of the page's address. */

import { EVENT_TYPES } from "../../events/event.ts";
import type { ReviewFilter } from "../../events/event-review.ts";
import type { Chosen } from "../chosen-institution.tsx";
import { ChoiceField, DayField, FilterForm, TextField } from "../fields.tsx";
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

const TYPES = [["", "anything"], ...EVENT_TYPES.map((type) => [type, TYPE_WORDS[type]] as const)] as const;

export const EventsFilter = ({ visit, fi, asked }: { visit: Visit<Reader>; fi: Chosen; asked: AskedEvents }) => {
  const { filter, kept, problem } = asked;
  const values = { ...fi.choice, ...(!filter.onlyOpen && { all: "1" }) };
  return (
    <FilterForm action={visit.href(EVENTS)} values={values} problem={problem} button="Show">
      <ChoiceField label="What happened" name="type" given={kept} choices={TYPES} />
      <TextField
        {...{ label: "PSP", hint: "authorisation number", name: "psp", given: visit.c.req.query() }}
        told={problem !== null}
      />
      <DayField label="Day" hint="UTC" name="day" given={kept} />
    </FilterForm>
  );
};
