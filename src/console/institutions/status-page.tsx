/**
 * /console/institutions/status: asks whether to disable or enable an institution, and does it. The form names the version of the
 * status that it was shown with: one that is older than a later disabling does not undo it. To disable is always taken.
 */

import { CONSOLE_FORMS } from "../../http/endpoints.ts";
import { listInstitutions } from "../../institutions/institution-list.ts";
import { findInstitutionStatus, setInstitutionStatus } from "../../institutions/institution-placement.ts";
import { actFor } from "../chosen-institution.tsx";
import { DecisionForm } from "../decision-form.tsx";
import { textOf } from "../forms.ts";
import { show } from "../frame.tsx";
import type { Page, Visit } from "../page.ts";
import { logNameOf, type OperatorReader, PageProblem, pageNotFound } from "../page.ts";
import { OPERATE } from "../roles.ts";
import { describeLiveTokens } from "./institutions-page.tsx";

const PATH = CONSOLE_FORMS.status.path;

export const institutionStatusPage: Page = {
  ...{ path: PATH, menu: null, roles: OPERATE, get: ask, post: change },
  form: CONSOLE_FORMS.status,
};

const TARGETS = {
  disabled: {
    title: "Disable this institution?",
    text: "It gets no token from now on, and its other requests are refused within a minute. Its tokens and permissions stay as they are; its events are kept, and sent to its webhooks when it is enabled again.",
    button: "Disable it",
    done: "disabled",
  },
  active: {
    title: "Enable this institution?",
    text: "Its requests are taken again, with the credentials that it has.",
    button: "Enable it",
    done: "enabled",
  },
} as const;
const isTarget = (text: string): text is keyof typeof TARGETS => Object.hasOwn(TARGETS, text);

async function ask(visit: Visit<OperatorReader>): Promise<Response> {
  const { c, now } = visit;
  const { reference = "", to = "" } = c.req.query();
  const [seen, institutions] = await Promise.all([
    findInstitutionStatus(c.env, reference),
    listInstitutions(c.env, now),
  ]);
  const fi = institutions.find(({ fi_reference_id }) => fi_reference_id === reference);
  if (!fi || !seen || !isTarget(to)) throw pageNotFound();
  const { title, text, button } = TARGETS[to];
  const children = (
    <DecisionForm
      {...{ visit, path: PATH, button, values: { reference, to, version: String(seen.status_version) } }}
      {...{ isDanger: to === "disabled", back: "/console/institutions", keep: "Leave it as it is" }}
    >
      <p>
        <b>{fi.name}</b> <code>{fi.fi_reference_id}</code>: {describeLiveTokens(fi)}.
      </p>
      <p>{text}</p>
    </DecisionForm>
  );
  return await show(visit, { title, children });
}

async function change(visit: Visit<OperatorReader>, form: FormData): Promise<Response> {
  const { c, reader, href } = visit;
  const [reference, to, version] = [textOf(form, "reference"), textOf(form, "to"), textOf(form, "version")];
  if (!isTarget(to)) throw pageNotFound();
  const seen = to === "disabled" ? undefined : /^\d{1,15}$/.test(version) ? Number(version) : -1;
  // in whose ledger it is recorded
  if (!(await actFor(visit, reference))) throw pageNotFound();
  c.set("concerns", { about: to });
  const done = await setInstitutionStatus(c.env, reference, to, seen);
  if (!done.ok) throw done.reason === "changed" ? changedMeanwhile() : pageNotFound();
  const event = { event: "institution_status_set", request_id: c.var.requestId, fi: reference, status: to };
  console.log(JSON.stringify({ ...event, by: logNameOf(reader) }));
  return c.redirect(href(`/console/institutions?done=${TARGETS[to].done}`), 303);
}

const changedMeanwhile = (): PageProblem =>
  new PageProblem({
    status: 409,
    code: "status_changed_meanwhile",
    heading: "The institution was set anew meanwhile",
    text: "Nothing was done now: somebody else has disabled or enabled it since the form was shown. Open the institutions again, look at it, and decide there.",
  });
