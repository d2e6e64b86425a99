/**
 * A break-glass link (institutions/sign-in-links.ts). Its page asks for a click: whatever looks at a link before its reader, such as a
 * mail scanner, would use it up.
 */
import { useSignInLink } from "../../institutions/sign-in-links.ts";
import { findProvider } from "../../institutions/sign-in-provider.ts";
import { hashSecret } from "../../platform/secrets.ts";
import { recordAct } from "../act.ts";
import { show } from "../frame.tsx";
import { decodeSegment, type Page, PageProblem, SESSION_ONLY, type Visit } from "../page.ts";
import { replaceByPerson } from "../sessions.ts";
import { writeTime } from "../wording.ts";
import { findActiveInstitution } from "./institution.ts";
import { passesSignInLimit } from "./limit.ts";

const PATH = "/console/sign-in/{reference}/link/{secret}";
const ISSUER = "break-glass";

export const linkSignIn: Page = { path: PATH, menu: null, roles: "everyone", form: SESSION_ONLY, get: ask, post: take };

async function ask(visit: Visit): Promise<Response> {
  const children = (
    <form method="post" action={visit.href(visit.c.req.path)} class="stack card">
      <p>This address signs in once. That it was used is recorded, and the institution's administrators see it.</p>
      <button type="submit">Sign in</button>
    </form>
  );
  return await show(visit, { title: "Sign in by a link", narrow: true, children });
}

async function take({ c, now, params, href }: Visit): Promise<Response> {
  const { DB } = c.env;
  const [reference, secret] = [decodeSegment(params["reference"]), params["secret"] ?? ""];
  const fi = (await passesSignInLimit(c, reference)) ? await findActiveInstitution(DB, reference) : null;
  const link = fi && (await useSignInLink(DB, fi.id, secret, now));
  if (!link)
    throw new PageProblem({
      status: 403,
      code: "sign_in_link_ended",
      heading: "This link signs nobody in",
      text: "It was used, is older than ten minutes, or never was one. The service's operator makes another: fi sign-in link.",
    });
  const roles = [link.role];
  const name = `Break-glass link of ${writeTime(link.madeAt)}`;
  const person = { fiId: fi.id, issuer: ISSUER, subject: hashSecret(secret), name, roles };
  const providerVersion = (await findProvider(DB, fi.id))?.version ?? null;
  const tag = await replaceByPerson(c, person, { providerVersion, providerSid: null }, now);
  if (tag === null)
    throw new PageProblem({
      status: 409,
      code: "sign_in_changed",
      heading: "The sign-in has changed meanwhile",
      text: "The institution's provider was set anew in this moment, so nobody is signed in. The service's operator makes another link.",
    });
  await recordAct(c, fi, { event: "session.start", endpoint: `POST ${PATH}`, person: tag });
  return c.redirect(href("/console"), 303);
}
