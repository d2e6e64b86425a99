/** /console/permissions: who may see what until when, by account, PSP or consent; the institution's own only. */

import { searchMetPsps } from "../../events/met-list.ts";
import { findBlock } from "../../grants/account-block.ts";
import { countPermissions, type PermissionSearch, searchPermissions } from "../../grants/permission-list.ts";
import { isRecordId } from "../../grants/record-order.ts";
import { databaseOf } from "../../institutions/databases.ts";
import { describePermissions } from "../../routes/accounts/permissions.ts";
import { recordAct } from "../act.ts";
import { LinkButton, Said } from "../elements.tsx";
import { show } from "../frame.tsx";
import { AsFile, readFormat, sendList } from "../list-file.tsx";
import { hasRole, type InstitutionReader, type Page, PageProblem, signatureOf, type Visit } from "../page.ts";
import { DECIDE, SEARCH_PERMISSIONS } from "../roles.ts";
import { COUNT_UP_TO, writeLength } from "../wording.ts";
import { AccountCard, type ListedPermission, PermissionCard } from "./permission-card.tsx";
import { permissionList } from "./permission-rows.ts";
import { readSearch, type Search, SearchForm } from "./permission-search.tsx";
import { PermissionTimeLine } from "./time-line.tsx";

export const permissionsPage: Page = {
  path: "/console/permissions",
  menu: "Permissions",
  roles: SEARCH_PERMISSIONS,
  get: showPermissions,
};

const PURPOSE =
  "What customers have allowed PSPs: to see which account, or to pay from it, until when. Here you look it up, withdraw it, or block an account.";

/** The home register of each one's PSP may have to be read, and the page stays small. */
const PAGE_SIZE = 20;

const DONE: Readonly<Record<string, string>> = {
  withdrawn: "The permission is withdrawn: its tokens are dead, and no code gives another.",
  "all-withdrawn": "All permissions of the account are withdrawn: their tokens are dead, and no code gives another.",
  blocked: "The block of the account is as you set it.",
  unblocked: "The block of the account is lifted: tokens that have not ended meanwhile work again.",
};

/** The address of the list of an account, which says what was done. */
export const accountAddress = (accountId: string, done?: string): string =>
  `/console/permissions?${new URLSearchParams({ by: "account", q: accountId, ...(done && { done }) })}`;

async function showPermissions(visit: Visit<InstitutionReader>): Promise<Response> {
  const { c, now, reader, href } = visit;
  const query = c.req.query();
  const search = readSearch(query);
  const form = <SearchForm action={href("/console/permissions")} query={query} search={search} />;
  if (!search.ok) {
    const named =
      search.name && (await searchMetPsps(databaseOf(c.env, reader.fi), reader.fi.id, search.name, null, 2));
    const [first, second] = named ? named.psps : [];
    // of several the page of PSPs asks which
    if (second) return c.redirect(href(`/console/psps?${new URLSearchParams({ q: search.name ?? "" })}`), 303);
    if (first)
      return c.redirect(href(`/console/permissions?${new URLSearchParams({ ...pick(query), q: first.pspId })}`), 303);
    const status = search.problem === null ? 200 : 400;
    const children = (
      <>
        {status === 200 && <p>{PURPOSE}</p>}
        {form}
      </>
    );
    return await show(visit, { title: "Permissions", children, status });
  }
  const { by, value, onlyOpen, after } = search;
  const position = { after, onlyOpen, limit: PAGE_SIZE };
  const account = by === "account" ? { fiId: reader.fi.id, accountId: value } : null;
  const [db, sought]: [D1Database, PermissionSearch] = [
    databaseOf(c.env, reader.fi),
    { fiId: reader.fi.id, by, value },
  ];
  const format = readFormat(query);
  if (format) {
    c.set("concerns", by === "account" ? { accountId: value } : by === "psp" ? { psp: value } : {});
    const read = async (after: string | null, limit: number) => {
      const page = await searchPermissions(db, sought, { after, onlyOpen, limit }, now);
      return { ...page, records: await describePermissions(c.env.KV, page.permissions, now) };
    };
    return await sendList(visit, reader.fi, permissionList(read, onlyOpen), format);
  }
  const [page, count, block] = await Promise.all([
    searchPermissions(db, sought, position, now),
    onlyOpen ? null : countPermissions(db, sought, COUNT_UP_TO),
    account && findBlock(db, account),
  ]);
  const records = await describePermissions(c.env.KV, page.permissions, now);
  const listed = records
    .map((record, i): ListedPermission => {
      const { accountId = "", endedReason: reason = null } = page.permissions[i] ?? {};
      return { record, accountId, reason };
    })
    // whether an authorisation is lost only the register knows
    .filter(({ record }) => !onlyOpen || record.status === "active");
  await recordSearch(visit, sought);
  const next = page.next === null ? null : new URLSearchParams({ ...pick(query), after: page.next });
  const children = (
    <>
      <Said>{DONE[query["done"] ?? ""]}</Said>
      {form}
      {account && block && (
        <AccountCard
          visit={visit}
          accountId={value}
          block={block}
          listed={listed}
          isWhole={next === null && after === null && !onlyOpen}
        />
      )}
      <section class="card" aria-labelledby="found">
        <h2 id="found">{headline(listed.length, count, search, next !== null)}</h2>
        {listed.length === 0 ? (
          <p>
            {onlyOpen ? "None that is active." : "None: nothing was ever granted, or it is older than what is kept."}
          </p>
        ) : (
          <PermissionTimeLine records={listed.map(({ record }) => record)} now={now} />
        )}
        {listed.length > 0 && (
          <AsFile
            link={(as) => href(`/console/permissions?${new URLSearchParams({ ...pick(query), ...as })}`)}
            what="permissions"
            goesOn={next !== null}
          />
        )}
        {next && <LinkButton href={href(`/console/permissions?${next}`)}>Older ones</LinkButton>}
      </section>
      {listed.map((permission) => (
        <PermissionCard
          {...permission}
          withdrawal={
            hasRole(reader, DECIDE)
              ? href(
                  `/console/permissions/withdraw?${new URLSearchParams({ account: permission.accountId, id: permission.record.id })}`,
                )
              : null
          }
        />
      ))}
    </>
  );
  return await show(visit, { title: "Permissions", children });
}

/** Whoever looks for the permissions of an account or a PSP leaves a record, before anything is shown. Throws PageProblem. */
async function recordSearch({ c, reader }: Visit<InstitutionReader>, { by, value }: PermissionSearch): Promise<void> {
  const consentId = by === "consent" && isRecordId(value) ? value : null;
  c.set("concerns", { consentId, ...(by === "account" && { accountId: value }), ...(by === "psp" && { psp: value }) });
  const act = { event: "permission.search", endpoint: "GET /console/permissions", status: 200 } as const;
  if (!(await recordAct(c, reader.fi, { ...act, ...signatureOf(reader) })))
    throw new PageProblem({
      status: 503,
      code: "temporarily_unavailable",
      heading: "Not recorded, so not shown",
      text: "Your institution requires a record of each search, and this one could not be kept. Nothing was changed: search again in a minute.",
    });
}

/** `count`: in all; null of the active ones, of which only the registers know whether their PSP lost its authorisation. */
function headline(
  listed: number,
  count: number | null,
  { by, value, after, onlyOpen }: Search & { ok: true },
  more: boolean,
): string {
  const owner = { account: `of account ${value}`, psp: `of PSP ${value}`, consent: `with the id ${value}` }[by];
  const noun = onlyOpen ? "active permission" : "permission";
  const isPart = more || after !== null;
  const length = writeLength(count ?? listed, noun);
  const order = !isPart ? "" : after === null ? ", newest first" : more ? ", older ones" : ", the oldest";
  return `${count === null && isPart ? `At least ${length.toLowerCase()}` : length} ${owner}${order}`;
}

const pick = ({ by = "account", q = "", active }: Record<string, string>): Record<string, string> => ({
  ...{ by, q },
  ...(active !== undefined && { active }),
});
