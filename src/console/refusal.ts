/** A page that is not for the reader's roles: 403, and a record of who asked for it. */

import { recordAct } from "./act.ts";
import { isFirst } from "./once.ts";
import { isForOperators, type Page, PageProblem, pageNotFound, type Reader, signatureOf, type Visit } from "./page.ts";
import { nameRoles, type Role } from "./roles.ts";

const REFUSED = "role_missing";
/** One record for a person and a page in so long. */
const RECORDED_EACH_MS = 60_000;

/** The error for a reader who may not open the page. Throws StoreError. */
export async function refuseRole(
  { c, now, reader }: Visit<Reader>,
  page: Pick<Page, "path" | "roles">,
): Promise<PageProblem> {
  const roles: readonly Role[] = page.roles === "everyone" ? [] : page.roles;
  let cure = "";
  if (reader.kind === "institution") {
    if (isForOperators(page)) return pageNotFound();
    if (reader.by.kind === "person")
      cure = " Your organisation gives roles by groups: ask whoever manages your account.";
    const who = signatureOf(reader);
    const endpoint = `${c.req.method === "POST" ? "POST" : "GET"} ${page.path}`;
    const minute = Math.floor(now / RECORDED_EACH_MS);
    const name = `refused ${reader.fi.id} ${JSON.stringify(who)} ${endpoint} ${minute}`;
    c.set("outcome", REFUSED);
    if (await isFirst(c.env.DB, name, (minute + 2) * RECORDED_EACH_MS))
      await recordAct(c, reader.fi, { event: "act.refused", endpoint, status: 403, ...who });
  }
  return new PageProblem({
    status: 403,
    code: REFUSED,
    heading: "This is not for your role",
    text: `Nothing was done. This page is for ${nameRoles(roles)}.${cure}`,
  });
}
