/** The end of a session, and the beginning of one for the operator of `npm start`. */
import { nextPage } from "./arrival.ts";
import { textOf } from "./form-body.ts";
import { hasLocalOperator } from "./local-operator.ts";
import { type Page, SESSION_ONLY } from "./page.ts";
import { pageNotFound } from "./page-problem.ts";
import { dropSessionCookie, readSessionCookie, replaceSession } from "./session-cookie.ts";
import { endSession } from "./sessions.ts";

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
