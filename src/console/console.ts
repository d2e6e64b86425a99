/**
 * The console: pages for people, rendered here. Loaded when the first request for /console arrives, so that the API
 * starts without it (app.ts).
 */
import type { Context } from "hono";
import type { AppEnv } from "../http/context.ts";
import { areWritesRefused, WRITES_REFUSED_TEXT } from "../platform/schema-version.ts";
import { readFormBody, recordForm, requireFormToken, requireOwnPage } from "./forms.ts";
import { setPageHeaders, surround } from "./frame.tsx";
import {
  hasRole,
  isForOperators,
  linksOf,
  type MenuEntry,
  matchPath,
  mayRead,
  type Page,
  PageProblem,
  pageNotFound,
  type Reader,
  type Visit,
} from "./page.ts";
import { PAGES } from "./pages.ts";
import { findReader, hasOperators } from "./reader.ts";
import { refuseRole } from "./refusal.ts";
import { answerOtherSite, signInAddress } from "./sign-in/next-page.ts";

export { answerPageError } from "./error-page.tsx";

const DEFAULT_FORM_KIB = 16;

/** Answers any request under /console. Throws {@link PageProblem}, StoreError. */
export async function answerConsole(c: Context<AppEnv>): Promise<Response> {
  setPageHeaders(c);
  const { page, params } = findPage(c);
  const posts = c.req.method === "POST";
  // for the log line
  const shown = { path: page.path, statuses: [] };
  c.set("endpoint", posts ? { method: "POST", event: null, ...shown } : { method: "GET", ...shown });
  const allow = [...(page.get ? ["GET"] : []), ...(page.post ? ["POST"] : [])];
  if (!allow.includes(c.req.method.replace("HEAD", "GET"))) throw methodNotAllowed(allow.join(", "));
  if (posts && !page.fromProvider) requireOwnPage(c);
  // before it is asked who sent it: a session that ends while a form arrives has ended
  const form = posts ? await readFormBody(c, (page.formKib ?? DEFAULT_FORM_KIB) * 1024) : null;
  const [reader, refused] = await Promise.all([findReader(c), posts && areWritesRefused(c.env.DB)]);
  if (refused) throw writesRefused();
  const visit: Visit = { c, now: c.var.now, reader, params, menu: menuFor(c, reader, page), href: linksOf(c) };
  if (reader !== null) surround(c, { ...visit, reader });
  if (!mayRead(page, reader)) {
    if (reader !== null) throw await refuseRole({ ...visit, reader }, page);
    if (isForOperators(page) && !hasOperators(c)) throw pageNotFound();
    if (posts) throw signedOut();
    return answerOtherSite(c) ?? c.redirect(linksOf(c)(signInAddress(c.req.path, c.req.url)), 303);
  }
  // `never`: a reader of every kind, since mayRead has found it to be the page's
  const allowed = visit as Visit<never>;
  if (form === null) return page.get ? await page.get(allowed) : c.notFound();
  // a sign-in has no session yet that a token could be bound to
  if (reader !== null && page.roles !== "everyone") requireFormToken(c, form, reader.bond);
  if (!page.post) return c.notFound();
  const { post, form: row } = page;
  if ("unrecorded" in row) return await post(allowed, form);
  return await recordForm(allowed, row, async () => post(allowed, form));
}

function findPage({ env, req }: Context<AppEnv>): { page: Page; params: Record<string, string> } {
  for (const page of PAGES) {
    const params = matchPath(page.path, req.path);
    if (params && (page.isThere?.(env) ?? true)) return { page, params };
  }
  throw pageNotFound();
}

const menuFor = ({ env }: Context<AppEnv>, reader: Reader | null, shown: Page): MenuEntry[] =>
  PAGES.flatMap((page) =>
    page.menu !== null && mayRead(page, reader) && isListed(page, reader) && (page.isThere?.(env) ?? true)
      ? [{ label: page.menu, path: page.path, current: `${shown.path}/`.startsWith(`${page.path}/`) }]
      : [],
  );

const isListed = ({ inMenuOf }: Page, reader: Reader | null): boolean =>
  inMenuOf === undefined || hasRole(reader, inMenuOf);

const methodNotAllowed = (allow: string): PageProblem =>
  new PageProblem(
    {
      status: 405,
      code: "method_not_allowed",
      heading: "Not that way",
      text: `This address supports only ${allow}.`,
    },
    { Allow: allow },
  );

const signedOut = (): PageProblem =>
  new PageProblem({
    status: 403,
    code: "signed_out",
    heading: "You are signed out",
    text: "Your session has ended, so nothing was done. Sign in and repeat.",
  });

const writesRefused = (): PageProblem =>
  new PageProblem({
    status: 503,
    code: "temporarily_unavailable",
    heading: "This release only reads",
    text: `${WRITES_REFUSED_TEXT}. Nothing was done.`,
  });
