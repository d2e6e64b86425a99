/**
 * The sign-in of an institution: its own credentials for a session. The secret is in the form's body once, and neither
 * kept nor shown again. A wrong client id, a wrong secret and another institution's reference get one answer, after the
 * same comparisons (financial-institutions.ts).
 *
 * Guesses: the secrets are 256 random bits, so guessing them is hopeless at any rate. A client id is tried at most 30
 * times a minute from one address all the same, for those who chose a secret of their own.
 */
import type { Context } from "hono";
import { html } from "hono/html";
import type { AppEnv } from "../http/context.ts";
import { sourceKey } from "../http/rate-limit/source-key.ts";
import { authenticate } from "../institutions/financial-institutions.ts";
import { hashSecret } from "../platform/secrets.ts";
import { callStore } from "../platform/stores.ts";
import { Problem } from "./elements.tsx";
import { textOf } from "./forms.ts";
import { show } from "./frame.tsx";
import { type Page, pageNotFound, SESSION_ONLY, type Visit } from "./page.ts";
import { hasLocalOperator } from "./reader.ts";
import { dropSessionCookie, endSession, readSessionCookie, replaceSession } from "./sessions.ts";

export const signIn: Page = {
  path: "/console/sign-in",
  menu: null,
  for: "everyone",
  get: (visit) => showForm(visit, { next: visit.c.req.query("next") ?? "" }),
  post: takeForm,
  form: SESSION_ONLY,
};

/** Longer ones are nobody's: `fi add` makes far shorter ones. */
const MAX_CHARACTERS = 512;
const LIMIT_SECONDS = 60;

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
  if (!missing && !(await passesLimit(c, clientId))) {
    c.set("outcome", "sign_in_limited");
    c.header("Retry-After", String(LIMIT_SECONDS));
    const problem = "Too many sign-ins with this client id from your address. Try again in a minute.";
    return showForm(visit, { ...again, problem, status: 429 });
  }
  const authentication = missing ? null : await authenticate(c.env.DB, clientId, secret, reference, now);
  if (!authentication?.ok) {
    c.set("outcome", "credentials_invalid");
    const problem = "These are not the credentials of an active institution: check all three fields.";
    return showForm(visit, { ...again, problem, status: 401 });
  }
  await replaceSession(c, { fiId: authentication.fi.id, clientId, secretHash: hashSecret(secret) }, now);
  c.set("fi", authentication.fi);
  c.set("clientId", clientId);
  return c.redirect(visit.href(nextPage(again.next)), 303);
}

async function passesLimit(c: Context<AppEnv>, clientId: string): Promise<boolean> {
  const key = hashSecret(`${sourceKey(c.req.header("CF-Connecting-IP") ?? "unknown")} ${clientId}`);
  try {
    return (await callStore("limiter", () => c.env.SIGN_IN_LIMITER.limit({ key }))).success;
  } catch (error) {
    console.error(JSON.stringify({ event: "sign_in_limiter_unreachable", error: String(error) }));
    return true;
  }
}

/** Client id, secret and reference, as the README has them. */
const SANDBOX = ["sandbox-fi sandbox-secret PSDXX-TEST-FI0001", "other-fi other-secret PSDXX-TEST-FI0002"];

interface SignInForm {
  readonly next: string;
  readonly clientId?: string;
  readonly reference?: string;
  readonly problem?: string;
  readonly status?: 401 | 429;
}

function showForm(visit: Visit, { next, clientId, reference, problem, status = undefined }: SignInForm) {
  const { c, href } = visit;
  const described = problem === undefined ? undefined : "problem";
  const children = (
    <>
      <Problem>{problem}</Problem>
      <form method="post" action={href("/console/sign-in")} class="stack card">
        <p>With the credentials that your institution's systems use for the API.</p>
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
          Institution (<code>fi_reference_id</code>)
          <input name="fi_reference_id" required autocapitalize="characters" spellcheck={false} value={reference} />
        </label>
        <button type="submit">Sign in</button>
        <p class="muted">You are signed out after 30 minutes without a click, and after 12 hours in any case.</p>
      </form>
      {hasLocalOperator(c.env, c.req.url) && (
        <form method="post" action={href("/console/sign-in/operator")} class="stack card">
          <p>This service runs on your own machine, with the sandbox's institutions:</p>
          <input type="hidden" name="next" value={nextPage(next)} />
          <ul class="small">
            {SANDBOX.map((institution) => (
              <li>
                <code>{institution}</code>
              </li>
            ))}
          </ul>
          <button type="submit" class="second">
            Continue as the operator
          </button>
        </form>
      )}
    </>
  );
  return show(visit, { title: "Sign in", narrow: true, children, ...(status !== undefined && { status }) });
}

/** The row goes, so that a copy of the cookie is worth nothing. */
export const signOut: Page = {
  path: "/console/sign-out",
  menu: null,
  for: "readers",
  form: SESSION_ONLY,
  post: async ({ c, href }) => {
    const id = readSessionCookie(c);
    if (id !== null) await endSession(c.env.DB, id);
    dropSessionCookie(c);
    return c.redirect(href("/console/sign-in"), 303);
  },
};

export const signInAsOperator: Page = {
  path: "/console/sign-in/operator",
  menu: null,
  for: "everyone",
  form: SESSION_ONLY,
  post: async ({ c, now, href }, form) => {
    if (!hasLocalOperator(c.env, c.req.url)) throw pageNotFound();
    await replaceSession(c, null, now);
    return c.redirect(href(nextPage(textOf(form, "next"))), 303);
  },
};

const START = "/console";

/** The sign-in page, which then leads to `path` with the query of `url`: an account, a record's institution. */
export function signInAddress(path: string, url: string): string {
  const query = new URL(url).searchParams;
  if (path === START) return "/console/sign-in";
  return `/console/sign-in?next=${encodeURIComponent(query.size === 0 ? path : `${path}?${query}`)}`;
}

/** A path of the console, and a query as URLSearchParams writes it. */
const NEXT = /^\/console(\/[\w-]+)*(\?[\w.*%+=&-]*)?$/;

/**
 * The page to show after the sign-in: one of the console. A link with another site's address as its end would lend it
 * this site's name.
 */
const nextPage = (next: string): string => (NEXT.test(next) ? next : START);

/**
 * A browser sends no SameSite=Strict cookie when a link on another site was followed, such as one in a chat. So a
 * request from elsewhere is answered by a page that loads itself again, this time as a request of this site; null for
 * every other request.
 */
export function answerOtherSite(c: Context<AppEnv>): Response | Promise<Response> | null {
  const site = c.req.header("Sec-Fetch-Site");
  if (site !== "cross-site" && site !== "same-site") return null;
  return c.html(
    html`<!doctype html><html lang="en"><head><meta charset="utf-8" /><meta http-equiv="refresh" content="0" /><title>psp-gate console</title></head><body><p><a href="">Continue to the console</a></p></body></html>`,
  );
}
