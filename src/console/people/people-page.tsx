/**
 * /console/people: for administrators who has signed in, what they may do, the links that sign in without the provider, and the
 * credentials of the institution's systems. All others go on to who did what.
 */

import { listOwnCredentials, type OwnCredential } from "../../institutions/own-credentials.ts";
import { type ListedPerson, listPeople, MAX_LISTED_PEOPLE } from "../../institutions/people.ts";
import { type ListedLink, listSignInLinks } from "../../institutions/sign-in-links.ts";
import type { Instant } from "../../platform/instant.ts";
import { aboutInstitution, type Chosen } from "../chosen-institution.tsx";
import { Age, LinkButton, RowTable, Said, Time } from "../elements.tsx";
import { show } from "../frame.tsx";
import { CredentialTable } from "../institutions/credential-table.tsx";
import { ROTATE_PATH } from "../institutions/rotation-page.tsx";
import { AsFile, readFormat, sendList } from "../list-file.tsx";
import { hasRole, type Page, type Reader, type Visit } from "../page.ts";
import { ADMINISTER, READ } from "../roles.ts";
import { countSessions } from "../sessions.ts";
import { writeLength } from "../wording.ts";
import { ACTS } from "./acts-page.tsx";
import { personList } from "./people-lists.ts";
import { PEOPLE, PERSON_CHANGES } from "./person-changes.tsx";

export const peoplePage: Page = {
  ...{ path: PEOPLE, menu: "People", roles: READ },
  get: aboutInstitution("People", showPeople),
};

async function showPeople(visit: Visit<Reader>, fi: Chosen): Promise<Response> {
  const { c, now, reader } = visit;
  if (!hasRole(reader, ADMINISTER)) return c.redirect(fi.link(ACTS), 303);
  const format = readFormat(c.req.query());
  if (format) return await sendList(visit, fi, personList(c.env.DB, fi.id), format);
  const [people, sessions, links, credentials] = await Promise.all([
    listPeople(c.env.DB, fi.id),
    countSessions(c.env.DB, fi.id, now),
    listSignInLinks(c.env.DB, fi.id),
    listOwnCredentials(c.env.DB, fi.id, now),
  ]);
  const said = Object.values(PERSON_CHANGES).find(({ done }) => done === c.req.query("done"))?.said;
  const children = (
    <>
      <Said>{said}</Said>
      <p>
        Who of your institution has signed in here, and what signs in beside them. What they did is a list of its own.
      </p>
      <LinkButton href={fi.link(ACTS)}>Who did what</LinkButton>
      <PeopleCard {...{ fi, people, sessions, now }} />
      <CredentialsCard fi={fi} credentials={credentials} now={now} />
      <LinksCard links={links} now={now} />
    </>
  );
  return await show(visit, { title: "People", children });
}

const changesOf = (isSignedIn: boolean) =>
  Object.values(PERSON_CHANGES).filter((change) => isSignedIn || change !== PERSON_CHANGES.endSessions);

type PeopleProps = { fi: Chosen; people: readonly ListedPerson[]; sessions: ReadonlyMap<string, number>; now: Instant };

/** `sessions`: that are open, by tag. */
function PeopleCard({ fi, people, sessions, now }: PeopleProps) {
  return (
    <section class="card" aria-labelledby="people">
      <h2 id="people">
        {people.length === 0
          ? "Nobody has signed in yet"
          : `${writeLength(people.length, "name")}, who signed in last first`}
      </h2>
      <p class="muted">
        They signed in at your organisation's provider, which gives them their roles, or by a link. At most{" "}
        {MAX_LISTED_PEOPLE} are shown.
      </p>
      {people.length > 0 && (
        <RowTable label="People" heads={["Name", "May act as", "First sign-in", "Last sign-in", "Open sessions"]} acts>
          {people.map(({ tag, name, roles, firstAt, lastAt }) => (
            <tr>
              <th scope="row">{name}</th>
              <td class="text">{roles.join(", ")}</td>
              <td class="text">
                <Age time={firstAt} now={now} />
              </td>
              <td class="text">
                <Age time={lastAt} now={now} />
              </td>
              <td class="text">{sessions.get(tag) ?? "none"}</td>
              <td>
                <p class="row">
                  <a href={fi.link(ACTS, { who: `person:${tag}` })}>
                    What they did <span class="out">{name}</span>
                  </a>
                  {changesOf(sessions.has(tag)).map(({ form, link }) => (
                    <a href={fi.link(form.path, { person: tag })}>
                      {link} <span class="out">{name}</span>
                    </a>
                  ))}
                </p>
              </td>
            </tr>
          ))}
        </RowTable>
      )}
      {people.length > 0 && <AsFile link={(as) => fi.link(PEOPLE, as)} what="people" />}
    </section>
  );
}

function CredentialsCard({ fi, credentials, now }: { fi: Chosen; credentials: OwnCredential[]; now: Instant }) {
  return (
    <section class="card" aria-labelledby="credentials">
      <h2 id="credentials">Credentials of your systems</h2>
      <CredentialTable
        {...{ label: "Credentials", credentials, now }}
        rotation={(client) => fi.link(ROTATE_PATH, { client })}
      />
    </section>
  );
}

function LinksCard({ links, now }: { links: readonly ListedLink[]; now: Instant }) {
  return (
    <section class="card" aria-labelledby="links">
      <h2 id="links">Links that sign in without your provider</h2>
      <p class="muted">Your service's operator makes one when the provider fails. It works once, for ten minutes.</p>
      {links.length === 0 ? (
        <p>None was made in the last 400 days.</p>
      ) : (
        <ul>
          {links.map(({ role, madeAt, endsAt, usedAt }) => (
            <li>
              As {role}, made <Time at={madeAt} />:{" "}
              {usedAt !== null ? (
                <Time words="used" at={usedAt} />
              ) : endsAt > now ? (
                <Time words="not used yet, works until" at={endsAt} />
              ) : (
                "nobody has used it"
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
