/** /console/institutions/status: asks whether to disable or enable an institution, and does it. */
import { listInstitutions } from "../../institution-list.ts";
import { setInstitutionStatus } from "../../institution-placement.ts";
import { textOf } from "../form-body.ts";
import { FormToken, show } from "../frame.tsx";
import type { Page, Visit } from "../page.ts";
import { pageNotFound } from "../page-problem.ts";
import { nameOf, type OperatorReader } from "../reader.ts";
import { describeLiveTokens } from "./institutions-page.tsx";

const PATH = "/console/institutions/status";

export const institutionStatusPage: Page = { path: PATH, menu: null, for: "operators", get: ask, post: change };

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
  const { c, now, href } = visit;
  const { reference = "", to = "" } = c.req.query();
  const institutions = await listInstitutions(c.env, now);
  const fi = institutions.find(({ fi_reference_id }) => fi_reference_id === reference);
  if (!fi || !isTarget(to)) throw pageNotFound();
  const { title, text, button } = TARGETS[to];
  const children = (
    <form method="post" action={href(PATH)} class="card stack">
      <p>
        <b>{fi.name}</b> <code>{fi.fi_reference_id}</code>: {describeLiveTokens(fi)}.
      </p>
      <p>{text}</p>
      <FormToken visit={visit} />
      <input type="hidden" name="reference" value={reference} />
      <input type="hidden" name="to" value={to} />
      <p class="row">
        <button type="submit" class={to === "disabled" ? "danger" : undefined}>
          {button}
        </button>
        <a class="button second" href={href("/console/institutions")}>
          Leave it as it is
        </a>
      </p>
    </form>
  );
  return await show(visit, { title, children });
}

async function change({ c, reader, href }: Visit<OperatorReader>, form: FormData): Promise<Response> {
  const [reference, to] = [textOf(form, "reference"), textOf(form, "to")];
  if (!isTarget(to) || !(await setInstitutionStatus(c.env, reference, to))) throw pageNotFound();
  const event = { event: "institution_status_set", request_id: c.var.requestId, fi: reference, status: to };
  console.log(JSON.stringify({ ...event, by: nameOf(reader) }));
  return c.redirect(href(`/console/institutions?done=${TARGETS[to].done}`), 303);
}
