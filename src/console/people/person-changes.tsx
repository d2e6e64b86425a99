/** /console/people/end-sessions and /console/people/erase: each asks whether to do it to a person, and does it. */

import { CONSOLE_FORMS } from "../../http/endpoints.ts";
import { endSessionsOf, erasePerson, listNames } from "../../institutions/people.ts";
import { DecisionForm } from "../decision-form.tsx";
import { textOf } from "../forms.ts";
import { show } from "../frame.tsx";
import { type InstitutionReader, type Page, pageNotFound, type Visit } from "../page.ts";
import { ADMINISTER } from "../roles.ts";
import { isTag } from "./names.ts";

export const PEOPLE = "/console/people";

/** In the order of the list of people. */
export const PERSON_CHANGES = {
  endSessions: {
    form: CONSOLE_FORMS.endOfSessions,
    link: "End sessions…",
    title: "End this person's sessions?",
    text: "No page opens any more with a session that they have now. They can sign in again for as long as your organisation's provider lets them: take the groups away there first.",
    button: "End the sessions",
    keep: "Leave them",
    carryOut: endSessionsOf,
    done: "ended",
    said: "Their sessions are ended: no page opens with one any more.",
  },
  erase: {
    form: CONSOLE_FORMS.nameErasure,
    link: "Erase the name…",
    title: "Erase this name?",
    text: "Records of what they did stay, and say “a person whose name was erased”. Nobody can find out again who it was. Their sessions end. If they sign in again, it is as somebody new.",
    button: "Erase the name",
    keep: "Keep the name",
    carryOut: erasePerson,
    done: "erased",
    said: "The name is erased, and the sessions are ended.",
  },
} as const;
type Change = (typeof PERSON_CHANGES)[keyof typeof PERSON_CHANGES];

const pageOf = (change: Change): Page => ({
  ...{ path: change.form.path, menu: null, roles: ADMINISTER, form: change.form },
  get: (visit: Visit<InstitutionReader>) => ask(visit, change),
  post: (visit: Visit<InstitutionReader>, form: FormData) => carryOut(visit, change, form),
});

export const endSessionsPage = pageOf(PERSON_CHANGES.endSessions);
export const erasurePage = pageOf(PERSON_CHANGES.erase);

async function ask(visit: Visit<InstitutionReader>, change: Change): Promise<Response> {
  const { c, reader } = visit;
  const tag = c.req.query("person") ?? "";
  const name = isTag(tag) ? (await listNames(c.env.DB, reader.fi.id, [tag])).get(tag) : undefined;
  if (name === undefined) throw pageNotFound();
  const children = (
    <DecisionForm
      {...{ visit, path: change.form.path, values: { person: tag }, button: change.button }}
      {...{ back: PEOPLE, keep: change.keep }}
    >
      <p>
        <b>{name}</b>
      </p>
      <p>{change.text}</p>
    </DecisionForm>
  );
  return await show(visit, { title: change.title, children });
}

async function carryOut(
  { c, reader, href }: Visit<InstitutionReader>,
  change: Change,
  form: FormData,
): Promise<Response> {
  const tag = textOf(form, "person");
  if (!isTag(tag)) throw pageNotFound();
  c.set("concerns", { about: tag });
  if (!(await change.carryOut(c.env.DB, reader.fi.id, tag))) throw pageNotFound();
  return c.redirect(href(`${PEOPLE}?done=${change.done}`), 303);
}
