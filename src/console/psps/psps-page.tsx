/** /console/psps: whom the institution has met or watches, and the way to the page of each PSP. */

import { parseAuthorisationNumber } from "../../eidas/authorisation-number.ts";
import type { MetPsp } from "../../events/met-list.ts";
import { MIN_PART_CHARACTERS } from "../../events/met-psps.ts";
import { longCountryName } from "../check/jurisdictions.ts";
import { aboutInstitution, type Chosen, ChosenName } from "../chosen-institution.tsx";
import { Age, LinkButton, Mark, RowTable } from "../elements.tsx";
import { NONE_ACCEPTED, STANDING_WORDS } from "../events/event-words.ts";
import { EVIDENCE } from "../evidence/evidence-page.tsx";
import { FilterForm, TextField } from "../fields.tsx";
import { show } from "../frame.tsx";
import { AsFile, readFormat, sendList } from "../list-file.tsx";
import type { Page, Reader, Visit } from "../page.ts";
import { READ } from "../roles.ts";
import { writeDay } from "../wording.ts";
import { addressOfPsp, PSPS } from "./addresses.ts";
import { type Filter, pspList, readList, readPlace, writePlace } from "./psp-lists.ts";
import { countAgainst, NOT_COUNTED, readRefusals, refusedDays } from "./refusals.ts";

export const pspsPage: Page = { path: PSPS, menu: "PSPs", roles: READ, get: aboutInstitution("PSPs", showPsps) };

const PSPS_PER_PAGE = 25;

const FILTERS: Readonly<Record<Filter, readonly [tab: string, none: string]>> = {
  all: ["All", "None yet: a PSP is here from the first check of its certificate on."],
  lost: ["Lost its authorisation", "None that is known to have lost it."],
  ending: [
    "Certificate ends within 30 days",
    "None: each has shown a certificate that ends later, or none that was valid.",
  ],
  refused: ["Refused in 30 days", "None was refused."],
  watched: ["Watched", "No PSP is watched. Find one by its number to watch it."],
};

async function showPsps(visit: Visit<Reader>, fi: Chosen): Promise<Response> {
  const { c } = visit;
  const given = c.req.query();
  const { q = "", filter: asked = "all", after = "" } = given;
  const sought = q.trim();
  const number = parseAuthorisationNumber(sought);
  if (number.ok) return c.redirect(fi.link(addressOfPsp(number.pspId)), 303);
  const filter = Object.keys(FILTERS).find((one): one is Filter => one === asked) ?? "all";
  const listed = await readList(visit, fi, { sought, filter, after: readPlace(after), limit: PSPS_PER_PAGE });
  const format = readFormat(given);
  if (format && listed) return await sendList(visit, fi, pspList(visit, fi, sought, filter), format);
  const kept = sought === "" ? { filter } : { q: sought };
  const numbers = listed?.psps.map(({ pspId }) => pspId) ?? [];
  const refusals = await readRefusals(visit, fi, numbers);
  const problem = listed === null ? `Give at least ${MIN_PART_CHARACTERS} letters of a name, or of a number.` : null;
  const children = (
    <>
      <ChosenName visit={visit} fi={fi} path={PSPS} />
      <p>
        The payment service providers that {fi.name} has met or watches: how each stands, and when it was last seen.
      </p>
      <FilterForm action={visit.href(PSPS)} values={fi.choice} problem={problem} button="Find">
        <TextField
          {...{ label: "Find a PSP", hint: "three letters of its name, or its authorisation number", name: "q", given }}
          required
          told={problem !== null}
        />
      </FilterForm>
      <nav aria-label="Which PSPs" class="tabs">
        <ul>
          {(Object.keys(FILTERS) as Filter[]).map((one) => (
            <li>
              <a
                href={fi.link(PSPS, one === "all" ? {} : { filter: one })}
                aria-current={sought === "" && one === filter ? "true" : undefined}
              >
                {FILTERS[one][0]}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {listed && (
        <section class="card" aria-labelledby="found">
          <h2 id="found">{sought === "" ? FILTERS[filter][0] : `With “${sought}” in the name or number`}</h2>
          {listed.psps.length === 0 && <p>{explainNone(sought, filter, refusals === null)}</p>}
          {listed.unverified > 0 && <Unverified visit={visit} fi={fi} requests={listed.unverified} />}
          {listed.psps.length > 0 && (
            <PspTable visit={visit} fi={fi} psps={listed.psps} refused={refusals && countAgainst(refusals)} />
          )}
          {listed.psps.length > 0 && (
            <AsFile link={(as) => fi.link(PSPS, { ...kept, ...as })} what="PSPs" goesOn={listed.next !== null} />
          )}
          {listed.next && (
            <LinkButton href={fi.link(PSPS, { ...kept, after: writePlace(listed.next) })}>More PSPs</LinkButton>
          )}
        </section>
      )}
      <p class="muted small">
        What was seen at {fi.name} alone. What its register says is as of the last check; of a PSP that is watched, or
        has live tokens or consents here, also as of the register's last change. Whether its certificate is accepted,
        its page says. “Refused” counts what the PSP or its QTSP can mend.
      </p>
    </>
  );
  return await show(visit, { title: "PSPs", children, status: problem === null ? 200 : 400 });
}

function explainNone(sought: string, filter: Filter, uncounted: boolean): string {
  if (sought !== "") return "None that was met here.";
  return filter === "refused" && uncounted ? NOT_COUNTED : FILTERS[filter][1];
}

const Unverified = ({ visit, fi, requests }: { visit: Visit<Reader>; fi: Chosen; requests: number }) => (
  <p>
    {requests === 1 ? "One request was" : `${requests.toLocaleString("en")} requests were`} refused with certificates
    that nobody vouches for: whatever number they say, they are no PSP's.{" "}
    <a href={fi.link(EVIDENCE, { ...refusedDays(visit.now) })}>The evidence of these days</a> has them.
  </p>
);

interface TableProps {
  readonly visit: Visit<Reader>;
  readonly fi: Chosen;
  readonly psps: readonly MetPsp[];
  /** Null: nothing is counted. */
  readonly refused: ReadonlyMap<string, number> | null;
}

const HEADS = ["PSP", "Country", "Register says", "Certificate ends", "Refused", "Seen"];

const PspTable = ({ visit: { now }, fi, psps, refused }: TableProps) => (
  <RowTable label="PSPs" heads={HEADS} plain={["Country"]} numbers={["Refused"]}>
    {psps.map(({ pspId, name, standing, firstSeenAt, lostAt, notAfter, seenAt }) => (
      <tr>
        <th scope="row" class="text">
          <a href={fi.link(addressOfPsp(pspId))}>{name ?? pspId}</a>
          {name !== null && (
            <>
              {" "}
              <br />
              <code>{pspId}</code>
            </>
          )}
        </th>
        <td>{longCountryName(pspId.slice(3, 5))}</td>
        <td class="text">
          {standing === null ? "–" : <Mark state={STANDING_WORDS[standing][0]}>{STANDING_WORDS[standing][1]}</Mark>}
          {lostAt !== null && lostAt > (firstSeenAt ?? 0) && (
            <>
              , known since <Age time={lostAt} now={now} />
            </>
          )}
        </td>
        <td class="text">{notAfter !== null ? writeDay(notAfter) : seenAt === null ? "–" : NONE_ACCEPTED}</td>
        <td class="number">{refused === null ? "–" : (refused.get(pspId) ?? 0).toLocaleString("en")}</td>
        <td>{seenAt === null ? "never" : <Age time={seenAt} now={now} />}</td>
      </tr>
    ))}
  </RowTable>
);
