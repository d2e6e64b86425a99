/** /console/people/acts: who did what, by person, kind of act, PSP and days. */
import { type Act, type ActPage, type ActQuery, actorOf } from "../../evidence/ledger/act-index.ts";
import { askLedger } from "../../evidence/ledger/ask-ledger.ts";
import { isActOfPerson, LEDGER_EVENTS, type LedgerEvent, NOTHING_ALLOWED } from "../../evidence/ledger/record.ts";
import { CONSOLE_FORMS } from "../../http/endpoints.ts";
import { type ListedPerson, listPeople } from "../../institutions/people.ts";
import { aboutInstitution, type Chosen, ChosenName } from "../chosen-institution.tsx";
import { Code, LinkButton, Mark, RowTable, Time } from "../elements.tsx";
import { EVIDENCE } from "../evidence/evidence-page.tsx";
import { EVENT_WORDS, explainOutcome, nameRecord } from "../evidence/record-words.ts";
import { ChoiceField, DayField, FilterForm, TextField } from "../fields.tsx";
import { readDays, readPspNumber, refuseText } from "../filters.ts";
import { show } from "../frame.tsx";
import { AsFile, readFormat, sendList } from "../list-file.tsx";
import { keepParameters, type Page, type Reader, type Visit } from "../page.ts";
import { READ } from "../roles.ts";
import { describeAbout } from "./about.ts";
import { describeActor, ERASED_NAME, findActNames, type Names } from "./names.ts";
import { actList, readActPosition, writeActPosition } from "./people-lists.ts";

export const ACTS = "/console/people/acts";

export const actsPage: Page = {
  ...{ path: ACTS, menu: null, roles: READ },
  get: aboutInstitution("People: who did what", showActs),
};

const PAGE_SIZE = 25;
const NONE: ActPage = { acts: [], next: null };
const FILTERS = ["who", "event", "psp", "from", "to"] as const;

/** What leaves a record in the console, or by a command. */
const OF_FORMS: ReadonlySet<LedgerEvent> = new Set(Object.values(CONSOLE_FORMS).map(({ event }) => event));
const EVENTS = LEDGER_EVENTS.filter((event) => OF_FORMS.has(event) || isActOfPerson(event));
const KINDS = [["", "anything"], ...EVENTS.map((event) => [event, EVENT_WORDS[event]] as const)] as const;
const isEvent = (text: string): text is LedgerEvent => (EVENTS as readonly string[]).includes(text);

type Given = Readonly<Record<string, string>>;
type Search =
  | { readonly ok: true; readonly query: ActQuery }
  /** A sentence. */
  | { readonly ok: false; readonly problem: string };

function readSearch({ who = "", event = "", psp, from, to, before }: Given): Search {
  const [days, number] = [readDays(from, to), readPspNumber(psp)];
  if (!days.ok) return days;
  if (event !== "" && !isEvent(event)) return refuseText(event, "is no kind of act");
  if (!number.ok) return number;
  return {
    ok: true,
    query: {
      ...{ who: who || null, event: event || null, psp: number.pspId, limit: PAGE_SIZE },
      ...{ from: days.from, to: days.to, before: readActPosition(before) },
    },
  };
}

async function showActs(visit: Visit<Reader>, fi: Chosen): Promise<Response> {
  const { c, href } = visit;
  const given = c.req.query();
  const search = readSearch(given);
  const format = readFormat(given);
  if (format && search.ok) return await sendList(visit, fi, actList(c.env, fi.id, search.query), format);
  const [people, { acts, next }] = await Promise.all([
    listPeople(c.env.DB, fi.id),
    search.ok ? askLedger(c.env, fi.id, async (ledger): Promise<ActPage> => await ledger.acts(search.query)) : NONE,
  ]);
  const { who = "" } = given;
  const names = await findActNames(c.env, fi.id, acts, who.replace("person:", ""));
  const kept = keepParameters(given, FILTERS);
  const children = (
    <>
      <ChosenName visit={visit} fi={fi} path={ACTS} />
      <p>What people did here, and operators by commands: the newest first, each with its record.</p>
      <SearchForm action={href(ACTS)} fi={fi} given={given} people={people} search={search} names={names} />
      {search.ok && (
        <section class="card" aria-labelledby="found">
          <h2 id="found">{given["before"] ? "Older acts" : "Newest first"}</h2>
          {acts.length === 0 ? (
            <p>There is none: nobody did anything of that kind, or its record is older than what is kept.</p>
          ) : (
            <ActTable fi={fi} acts={acts} names={names} />
          )}
          {acts.length > 0 && (
            <AsFile link={(as) => fi.link(ACTS, { ...kept, ...as })} what="acts" goesOn={next !== null} />
          )}
          {next && (
            <LinkButton href={fi.link(ACTS, { ...kept, before: writeActPosition(next) })}>Older ones</LinkButton>
          )}
          <p class="muted">What your systems ask by the API is in Evidence.</p>
        </section>
      )}
    </>
  );
  return await show(visit, { title: "People: who did what", children, status: search.ok ? 200 : 400 });
}

const PLAIN = ["Who", "What", "About", "Done"];

function ActTable({ fi, acts, names }: { fi: Chosen; acts: readonly Act[]; names: Names }) {
  return (
    <RowTable label="Acts" heads={["When", ...PLAIN]} plain={PLAIN}>
      {acts.map((act) => (
        <tr>
          <th scope="row">
            <a href={fi.link(`${EVIDENCE}/${act.id}`)}>
              <Time at={act.time} seconds />
            </a>
          </th>
          <td class="text">
            <a href={fi.link(ACTS, { who: actorOf(act) ?? "" })}>{describeActor(act, names)}</a>
          </td>
          <td class="text">{nameRecord(act)}</td>
          <td class="text">
            <About fi={fi} act={act} names={names} />
          </td>
          <td class="text">
            <Done act={act} />
          </td>
        </tr>
      ))}
    </RowTable>
  );
}

function About({ fi, act, names }: { fi: Chosen; act: Act; names: Names }) {
  const said = describeAbout(act, names) ?? "–";
  if (act.psp !== null) return <code>{act.psp}</code>;
  return act.account ? <a href={fi.link(EVIDENCE, { tag: act.account })}>{said}</a> : said;
}

function Done({ act: { outcome } }: { act: Act }) {
  const why = explainOutcome(outcome);
  if (why === null) return <Mark state="yes">Yes</Mark>;
  return (
    <Mark state={outcome === NOTHING_ALLOWED ? "warn" : "no"}>
      {why} <Code>{outcome}</Code>
    </Mark>
  );
}

interface SearchFormProps {
  readonly action: string;
  readonly fi: Chosen;
  readonly given: Given;
  readonly people: readonly ListedPerson[];
  readonly search: Search;
  readonly names: Names;
}

function SearchForm({ action, fi, given, people, search, names }: SearchFormProps) {
  const { who = "" } = given;
  const listed = people.map(({ tag, name }) => [`person:${tag}`, name] as const);
  // whoever a link in the list names: an operator, a credential, an erased person
  const others = who === "" || listed.some(([value]) => value === who) ? [] : [[who, nameOther(who, names)] as const];
  return (
    <FilterForm action={action} values={fi.choice} problem={search.ok ? null : search.problem}>
      <ChoiceField label="Who" name="who" given={given} choices={[["", "anybody"], ...listed, ...others]} />
      <ChoiceField label="What" name="event" given={given} choices={KINDS} />
      <TextField label="PSP" hint="authorisation number" name="psp" given={given} told={!search.ok} />
      <DayField label="From" hint="UTC" name="from" given={given} />
      <DayField label="To" hint="that day, too" name="to" given={given} />
    </FilterForm>
  );
}

/** Of no listed person. */
function nameOther(who: string, names: Names): string {
  const [kind, ...rest] = who.split(":");
  const name = rest.join(":");
  return kind === "person" ? (names.get(name) ?? ERASED_NAME) : name;
}
