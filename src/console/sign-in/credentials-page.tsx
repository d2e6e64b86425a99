/**
 * The sign-in of an institution: its own credentials for a session. The secret is in the form's body once, and neither
 * kept nor shown again. A wrong client id, a wrong secret and another institution's reference get one answer, after the
 * same comparisons (financial-institutions.ts).
 *
 * Guesses: the secrets are 256 random bits, so guessing them is hopeless at any rate. A client id is tried at most 30
 * times a minute from one address all the same, for those who chose a secret of their own.
 */
import { authenticate } from "../../institutions/financial-institutions.ts";
import { findProvider } from "../../institutions/sign-in-provider.ts";
import { hashSecret } from "../../platform/secrets.ts";
import { recordAct } from "../act.ts";
import { Problem } from "../elements.tsx";
import { textOf } from "../forms.ts";
import { show } from "../frame.tsx";
import { type Page, SESSION_ONLY, signatureOf, type Visit } from "../page.ts";
import { READ } from "../roles.ts";
import { dropSessionCookie, endSession, readSessionCookie, replaceSession } from "../sessions.ts";
import { passesSignInLimit, SIGN_IN_LIMIT_SECONDS } from "./limit.ts";
import { LocalReaders } from "./local-readers.tsx";
import { institutionAddress, nextPage } from "./next-page.ts";
import { signOutAtProvider } from "./provider-sign-out.tsx";

export const signIn: Page = {
  path: "/console/sign-in",
  menu: null,
  roles: "everyone",
  get: async (visit) => {
    const { next = "", fi = "" } = visit.c.req.query();
    if (fi.trim() !== "") return visit.c.redirect(visit.href(institutionAddress(fi.trim(), next)), 303);
    return await showForm(visit, { next });
  },
  post: takeForm,
  form: SESSION_ONLY,
};

/** Longer ones are nobody's: `fi add` makes far shorter ones. */
const MAX_CHARACTERS = 512;

async function takeForm(visit: Visit, form: FormData): Promise<Response> {
  const { c, now } = visit;
  const [clientId, secret, reference] = [
    textOf(form, "client_id").trim(),
    // copied with a line end; a secret has neither blanks nor control characters
    textOf(form, "client_secret").trim(),
    textOf(form, "fi_reference_id").trim(),
  ];
  const again = { next: textOf(form, "next"), clientId, reference };
  const missing = [clientId, secret, reference].some((value) => value === "" || value.length > MAX_CHARACTERS);
  if (!missing && !(await passesSignInLimit(c, clientId))) {
    c.set("outcome", "sign_in_limited");
    c.header("Retry-After", String(SIGN_IN_LIMIT_SECONDS));
    const problem = "Too many sign-ins with this client id from your address. Try again in a minute.";
    return showForm(visit, { ...again, problem, status: 429 });
  }
  const authentication = missing ? null : await authenticate(c.env.DB, clientId, secret, reference, now);
  if (!authentication?.ok) {
    c.set("outcome", "credentials_invalid");
    const problem = "These are not the credentials of an active institution: check all three fields.";
    return showForm(visit, { ...again, problem, status: 401 });
  }
  const { id: fiId } = authentication.fi;
  const provider = await findProvider(c.env.DB, fiId);
  const owner = { fiId, clientId, secretHash: hashSecret(secret), providerVersion: provider?.version ?? null };
  if (provider?.credentials === false || !(await replaceSession(c, owner, now))) {
    c.set("outcome", "credentials_not_taken");
    const problem = "Your institution lets nobody in by its API credentials: sign in at your organisation.";
    return showForm(visit, { ...again, problem, status: 403 });
  }
  c.set("clientId", clientId);
  await recordAct(c, authentication.fi, {
    event: "session.start",
    endpoint: "POST /console/sign-in",
    client: clientId,
  });
  return c.redirect(visit.href(nextPage(again.next)), 303);
}

interface SignInForm {
  readonly next: string;
  readonly clientId?: string;
  readonly reference?: string;
  readonly problem?: string;
  readonly status?: 401 | 403 | 429;
}

function showForm(visit: Visit, { next, clientId, reference, problem, status = undefined }: SignInForm) {
  const { href } = visit;
  const described = problem === undefined ? undefined : "problem";
  const children = (
    <>
      <Problem>{problem}</Problem>
      {problem === undefined && visit.reader === null && readSessionCookie(visit.c) !== null && (
        <p class="notice warn" role="status">
          <span>
            Your session has ended: it was not used for 30 minutes, or began 12 hours ago, or somebody has ended it.
          </span>
        </p>
      )}
      <form action={href("/console/sign-in")} class="stack card">
        <p>As yourself, at your organisation:</p>
        <input type="hidden" name="next" value={nextPage(next)} />
        <label class="field">
          Your institution's reference
          <input name="fi" required autocapitalize="characters" spellcheck={false} />
        </label>
        <button type="submit">Continue</button>
      </form>
      <details class="card" open={problem !== undefined}>
        <summary>Or with the credentials of your institution's systems</summary>
        <form method="post" action={href("/console/sign-in")} class="stack">
          <input type="hidden" name="next" value={nextPage(next)} />
          <label class="field">
            Client id
            <input
              name="client_id"
              required
              autocomplete="username"
              autocapitalize="none"
              spellcheck={false}
              value={clientId}
              aria-describedby={described}
            />
          </label>
          <label class="field">
            Client secret
            <input name="client_secret" type="password" required autocomplete="current-password" />
          </label>
          <label class="field">
            Institution's reference
            <input name="fi_reference_id" required autocapitalize="characters" spellcheck={false} value={reference} />
          </label>
          <button type="submit" class="second">
            Sign in
          </button>
        </form>
      </details>
      <p class="muted">You are signed out after 30 minutes without a click, and after 12 hours in any case.</p>
      <LocalReaders visit={visit} next={nextPage(next)} />
    </>
  );
  return show(visit, { title: "Sign in", narrow: true, children, ...(status !== undefined && { status }) });
}

/** The row goes, so that a copy of the cookie is worth nothing. */
export const signOut: Page = {
  path: "/console/sign-out",
  menu: null,
  roles: READ,
  form: SESSION_ONLY,
  post: async (visit) => {
    const { c, href, reader } = visit;
    const id = readSessionCookie(c);
    if (id !== null) await endSession(c.env.DB, id);
    dropSessionCookie(c);
    if (reader.kind === "institution") {
      const act = { event: "session.end", endpoint: "POST /console/sign-out" } as const;
      await recordAct(c, reader.fi, { ...act, ...signatureOf(reader) });
      if (reader.by.kind === "person") return await signOutAtProvider(visit, reader.fi);
    }
    return c.redirect(href("/console/sign-in"), 303);
  },
};
