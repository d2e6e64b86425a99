/** The forms of a PSP's page that begin and end a watch. */

import { parseAuthorisationNumber } from "../../eidas/authorisation-number.ts";
import { readStanding } from "../../events/standing.ts";
import { deleteWatch, insertWatch } from "../../events/watches.ts";
import { CONSOLE_FORMS } from "../../http/endpoints.ts";
import { databaseOf } from "../../institutions/databases.ts";
import { requireChosen } from "../chosen-institution.tsx";
import { textOf } from "../forms.ts";
import type { Page, Reader, Visit } from "../page.ts";
import { pageNotFound } from "../page.ts";
import { CHECK } from "../roles.ts";
import { addressOfPsp } from "./addresses.ts";

const { watch, unwatch } = CONSOLE_FORMS;

export const watchPage: Page = { path: watch.path, menu: null, roles: CHECK, form: watch, post: beginWatch };
export const unwatchPage: Page = { path: unwatch.path, menu: null, roles: CHECK, form: unwatch, post: endWatch };

async function readForm(visit: Visit<Reader>, form: FormData) {
  const fi = await requireChosen(visit, form);
  const number = parseAuthorisationNumber(textOf(form, "psp"));
  if (!number.ok) throw pageNotFound();
  visit.c.set("concerns", { psp: number.pspId });
  const back = (done: string) => visit.c.redirect(fi.link(addressOfPsp(number.pspId), { done }), 303);
  return { fi, pspId: number.pspId, db: databaseOf(visit.c.env, fi), back };
}

async function beginWatch(visit: Visit<Reader>, form: FormData): Promise<Response> {
  const { c, now } = visit;
  const { fi, pspId, db, back } = await readForm(visit, form);
  const known = await readStanding(c.env, pspId, now);
  if (await insertWatch(db, fi.id, pspId, known, now)) return back("watched");
  // the page says why (psp-page.tsx): this address has none that could be loaded again
  c.set("outcome", "watches_full");
  return back("full");
}

async function endWatch(visit: Visit<Reader>, form: FormData): Promise<Response> {
  const { fi, pspId, db, back } = await readForm(visit, form);
  await deleteWatch(db, fi.id, pspId, visit.now);
  return back("unwatched");
}
