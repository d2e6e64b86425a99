/**
 * Who can sign in without a secret to the service of `npm start`, on its own machine (reader.ts says why that is safe): its
 * operator, and a person of the sandbox's institution in each role, so that what a role sees can be tried without a provider.
 */
import { findProvider, PERSON_ROLES, type PersonRole } from "../../institutions/sign-in-provider.ts";
import { callStore } from "../../platform/stores.ts";
import { CHOSEN_INSTITUTION_STATEMENTS } from "../chosen-institution.tsx";
import { textOf } from "../forms.ts";
import { type Page, pageNotFound, SESSION_ONLY, type Visit } from "../page.ts";
import { hasLocalOperator } from "../reader.ts";
import { replaceByPerson, replaceSession } from "../sessions.ts";
import { nextPage } from "./next-page.ts";

/** Client id, secret and reference, as the README has them. */
const CREDENTIALS = ["sandbox-fi sandbox-secret PSDXX-TEST-FI0001", "other-fi other-secret PSDXX-TEST-FI0002"];
const INSTITUTION = "PSDXX-TEST-FI0001";
const ISSUER = "npm start";

const AS_OPERATOR = "/console/sign-in/operator";
const AS_PERSON = "/console/sign-in/person";

/** Nothing, but on the machine of `npm start`. */
export function LocalReaders({ visit: { c, href }, next }: { visit: Visit; next: string }) {
  if (!hasLocalOperator(c.env, c.req.url)) return null;
  return (
    <div class="stack card">
      <p>This service runs on your own machine, with the sandbox's institutions:</p>
      <ul class="small">
        {CREDENTIALS.map((institution) => (
          <li>
            <code>{institution}</code>
          </li>
        ))}
      </ul>
      <p>Or without a secret:</p>
      <div class="row">
        <form method="post" action={href(AS_OPERATOR)}>
          <input type="hidden" name="next" value={next} />
          <button type="submit" class="second">
            Continue as the operator
          </button>
        </form>
        {PERSON_ROLES.map((role) => (
          <form method="post" action={href(AS_PERSON)}>
            <input type="hidden" name="next" value={next} />
            <input type="hidden" name="role" value={role} />
            <button type="submit" class="second">
              Continue as {role}
            </button>
          </form>
        ))}
      </div>
    </div>
  );
}

export const signInAsOperator: Page = {
  path: AS_OPERATOR,
  menu: null,
  roles: "everyone",
  form: SESSION_ONLY,
  post: async ({ c, now, href }, form) => {
    if (!hasLocalOperator(c.env, c.req.url)) throw pageNotFound();
    await replaceSession(c, null, now);
    return c.redirect(href(nextPage(textOf(form, "next"))), 303);
  },
};

const isRole = (text: string): text is PersonRole => (PERSON_ROLES as readonly string[]).includes(text);

export const signInAsPerson: Page = {
  path: AS_PERSON,
  menu: null,
  roles: "everyone",
  form: SESSION_ONLY,
  post: async ({ c, now, href }, form) => {
    const role = textOf(form, "role");
    const { DB } = c.env;
    if (!hasLocalOperator(c.env, c.req.url) || !isRole(role)) throw pageNotFound();
    const find = DB.prepare(CHOSEN_INSTITUTION_STATEMENTS.find).bind(INSTITUTION);
    const fiId = (await callStore("D1", () => find.first<{ id: number }>()))?.id;
    if (fiId === undefined) throw pageNotFound();
    const person = { fiId, issuer: ISSUER, subject: role, name: `Sandbox ${role}`, roles: [role] };
    const providerVersion = (await findProvider(DB, fiId))?.version ?? null;
    await replaceByPerson(c, person, { providerVersion, providerSid: null }, now);
    return c.redirect(href(nextPage(textOf(form, "next"))), 303);
  },
};
