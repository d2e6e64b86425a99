/**
 * How one signs in to the service of `npm start`, on its own machine: with the sandbox's credentials, as a person of its institution
 * at the provider that was opened for them, or as the operator without a secret (reader.ts says why that is safe).
 */
import { textOf } from "../forms.ts";
import { type Page, pageNotFound, SESSION_ONLY, type Visit } from "../page.ts";
import { hasLocalOperator } from "../reader.ts";
import { replaceSession } from "../sessions.ts";
import { institutionAddress, nextPage } from "./next-page.ts";

/** Client id, secret and reference, as the README has them. */
const CREDENTIALS = ["sandbox-fi sandbox-secret PSDXX-TEST-FI0001", "other-fi other-secret PSDXX-TEST-FI0002"];
const INSTITUTION = "PSDXX-TEST-FI0001";
const AS_OPERATOR = "/console/sign-in/operator";

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
        <a class="button second" href={href(institutionAddress(INSTITUTION, next))}>
          Sign in as a person of the Sandbox Bank
        </a>
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
