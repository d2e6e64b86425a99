/** /console/permissions/withdraw: asks whether to withdraw one permission or all of an account, and does it. */

import type { Ended } from "../../grants/permission.ts";
import { searchPermissions } from "../../grants/permission-list.ts";
import { type Withdrawn, type WithdrawnBy, withdrawAll, withdrawPermission } from "../../grants/withdrawal.ts";
import { CONSOLE_FORMS } from "../../http/endpoints.ts";
import { recordWithdrawal } from "../../http/middleware/ledger.ts";
import { databaseOf } from "../../institutions/databases.ts";
import { describePermissions } from "../../routes/accounts/permissions.ts";
import { accountId } from "../../routes/parameters.ts";
import { DecisionForm } from "../decision-form.tsx";
import { textOf } from "../forms.ts";
import { show } from "../frame.tsx";
import type { InstitutionReader, Page, Visit } from "../page.ts";
import { PageProblem, pageNotFound } from "../page.ts";
import { DECIDE } from "../roles.ts";
import { canBeWithdrawn, type ListedPermission, PermissionCard } from "./permission-card.tsx";
import { accountAddress } from "./permissions-page.tsx";
import { ReasonField, readReason } from "./reason.tsx";

const FORM = CONSOLE_FORMS.withdrawal;
const PATH = FORM.path;

export const withdrawalPage: Page = {
  ...{ path: PATH, menu: null, roles: DECIDE, get: ask, post: withdraw, form: FORM },
};

/** By whom, with what the form says of it. */
const WITHDRAWERS: readonly (readonly [WithdrawnBy, string])[] = [
  ["customer", "The customer asked for it"],
  ["bank", "The bank decided it"],
];

/** Null: all of the account. */
interface Asked {
  readonly account: string;
  readonly id: string | null;
}

async function ask(visit: Visit<InstitutionReader>): Promise<Response> {
  const { c, href } = visit;
  const { account = "", id = null } = c.req.query();
  const asked = { account, id };
  const permission = await describe(visit, asked);
  const back = accountAddress(account);
  const over = permission !== null && !canBeWithdrawn(permission.record);
  const children = (
    <>
      {over ? (
        <p class="notice warn">
          <span>This permission has ended already.</span>
        </p>
      ) : (
        <DecisionForm
          {...{ visit, path: PATH, back, values: { account, ...(id !== null && { id }) } }}
          button={id === null ? "Withdraw all permissions" : "Withdraw the permission"}
          keep={`Keep ${id === null ? "them" : "it"}`}
        >
          <p>
            {id === null ? (
              <>
                All permissions of account <code>{account}</code> end at once: of every PSP, for account information and
                payments.
              </>
            ) : (
              "The permission below ends at once."
            )}{" "}
            Its tokens are dead, and codes that were issued give no more. This cannot be undone: the customer would have
            to agree again.
          </p>
          <fieldset>
            <legend>Who withdraws?</legend>
            {WITHDRAWERS.map(([by, label]) => (
              <label class="choice">
                <input type="radio" name="by" value={by} required /> {label}
              </label>
            ))}
          </fieldset>
          <ReasonField />
        </DecisionForm>
      )}
      {permission && <PermissionCard {...permission} withdrawal={null} open />}
      {over && (
        <p>
          <a href={href(back)}>Back to the account</a>
        </p>
      )}
    </>
  );
  const title = id === null ? "Withdraw all permissions?" : over ? "Ended already" : "Withdraw this permission?";
  return await show(visit, { title, children });
}

/** The permission that is meant; null if all are. Throws {@link PageProblem}. */
async function describe(
  { c, now, reader }: Visit<InstitutionReader>,
  { account, id }: Asked,
): Promise<ListedPermission | null> {
  if (!accountId().safeParse(account).success) throw pageNotFound();
  if (id === null) return null;
  const search = { fiId: reader.fi.id, by: "consent", value: id } as const;
  const { permissions } = await searchPermissions(
    databaseOf(c.env, reader.fi),
    search,
    { after: null, onlyOpen: false, limit: 1 },
    now,
  );
  if (permissions[0]?.accountId !== account) throw pageNotFound();
  const [record] = await describePermissions(c.env.KV, permissions, now);
  return record ? { record, accountId: account, reason: permissions[0].endedReason } : null;
}

async function withdraw(visit: Visit<InstitutionReader>, form: FormData): Promise<Response> {
  const { c, now, reader, href } = visit;
  const [by, account, id] = [textOf(form, "by"), textOf(form, "account"), form.has("id") ? textOf(form, "id") : null];
  const withdrawer = WITHDRAWERS.find(([one]) => one === by)?.[0];
  if (withdrawer === undefined || !accountId().safeParse(account).success)
    throw new PageProblem({
      status: 400,
      code: "withdrawal_form_invalid",
      heading: "Who withdraws?",
      text: "Say whether the customer or the bank withdraws. Nothing was done.",
    });
  const decision = { by: withdrawer, reason: readReason(form) };
  const owned = { fiId: reader.fi.id, accountId: account };
  const db = databaseOf(c.env, reader.fi);
  const asked = { accountId: account, id, by: withdrawer };
  const ended = await recordWithdrawal<Ended | Withdrawn | null>(c, asked, () =>
    id === null ? withdrawAll(db, owned, decision, now) : withdrawPermission(db, owned, id, decision, now),
  );
  if (!ended) throw pageNotFound();
  return c.redirect(href(accountAddress(account, id === null ? "all-withdrawn" : "withdrawn")), 303);
}
