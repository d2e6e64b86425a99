/**
 * /console/permissions/block: says what a block does, and blocks an account for what is chosen, at least one scope.
 * /console/permissions/unblock lifts the block: to choose nothing is no way to do it. Both forms name the block that they
 * were shown with, by the ticket of each scope: an older one would lift what somebody else has blocked since.
 */

import { type AccountBlock, beginBlockChange, findBlock, setBlock } from "../../grants/account-block.ts";
import { CONSOLE_FORMS } from "../../http/endpoints.ts";
import { recordBlock } from "../../http/middleware/ledger.ts";
import { databaseOf } from "../../institutions/databases.ts";
import { SCOPES, type Scope } from "../../registers/entitlement.ts";
import { accountId } from "../../routes/parameters.ts";
import { DecisionForm } from "../decision-form.tsx";
import { HiddenFields, Problem, Time } from "../elements.tsx";
import { textOf } from "../forms.ts";
import { FormToken, show } from "../frame.tsx";
import type { InstitutionReader, Page, Visit } from "../page.ts";
import { PageProblem, pageNotFound } from "../page.ts";
import { DECIDE } from "../roles.ts";
import { SCOPE_NAMES } from "../wording.ts";
import { accountAddress } from "./permissions-page.tsx";
import { ReasonField, readReason } from "./reason.tsx";

const { block: BLOCK, unblock: UNBLOCK } = CONSOLE_FORMS;

export const blockPage: Page = {
  ...{
    path: BLOCK.path,
    menu: null,
    roles: DECIDE,
    get: (visit) => ask(visit, visit.c.req.query("account")),
    post: block,
    form: BLOCK,
  },
};

export const unblockPage: Page = {
  ...{ path: UNBLOCK.path, menu: null, roles: DECIDE, post: unblock, form: UNBLOCK },
};

/** `again`: why the form is shown once more, with the reason that was typed. */
async function ask(
  visit: Visit<InstitutionReader>,
  asked = "",
  again: { readonly problem: string; readonly reason: string } | null = null,
): Promise<Response> {
  const { c, reader, href } = visit;
  const account = { fiId: reader.fi.id, accountId: requireAccount(asked) };
  const block = await findBlock(databaseOf(c.env, reader.fi), account);
  const { scopes, blockedAt, reasons } = block;
  const shown = { account: account.accountId, shown: nameBlock(block) };
  const children = (
    <>
      <Problem>{again?.problem}</Problem>
      <DecisionForm
        {...{ visit, path: BLOCK.path, values: shown, button: "Set the block", keep: "Leave it as it is" }}
        back={accountAddress(account.accountId)}
      >
        <p>
          While account <code>{account.accountId}</code> is blocked, no PSP gets a code or a token for it, and the
          tokens that there are do not work. Nothing is withdrawn: when the block is lifted, they work again.
        </p>
        {blockedAt !== null && (
          <p>
            It is blocked since <Time at={blockedAt} />.
          </p>
        )}
        {reasons.map((reason) => (
          <p>Why: {reason}</p>
        ))}
        <fieldset aria-describedby={again ? "problem" : undefined}>
          <legend>Blocked for</legend>
          {SCOPES.map((scope) => (
            <label class="choice">
              <input type="checkbox" name="scopes" value={scope} checked={again === null && scopes.includes(scope)} />{" "}
              {SCOPE_NAMES[scope]}
            </label>
          ))}
        </fieldset>
        <ReasonField value={again?.reason} />
      </DecisionForm>
      {blockedAt !== null && (
        <form method="post" action={href(UNBLOCK.path)} class="card stack">
          <p>Or end it: PSPs get codes and tokens for the account again, and the tokens that there are work again.</p>
          <FormToken visit={visit} />
          <HiddenFields values={shown} />
          <p>
            <button type="submit">Lift the block</button>
          </p>
        </form>
      )}
    </>
  );
  const title = blockedAt === null ? "Block this account?" : "Change the block?";
  return await show(visit, { title, children, status: again === null ? 200 : 400 });
}

async function block(visit: Visit<InstitutionReader>, form: FormData): Promise<Response> {
  const chosen = SCOPES.filter((scope) => form.getAll("scopes").includes(scope));
  if (chosen.length === 0) {
    visit.c.set("outcome", "block_form_invalid");
    const problem =
      "Nothing was chosen, so nothing was done. Choose payments, account information or both. A block is lifted with its own button.";
    return await ask(visit, textOf(form, "account"), { problem, reason: textOf(form, "reason") });
  }
  return await change(visit, form, chosen, "blocked", readReason(form));
}

async function unblock(visit: Visit<InstitutionReader>, form: FormData): Promise<Response> {
  return await change(visit, form, [], "unblocked");
}

/** Exactly what was chosen: a scope that was not is free. What is so already, as after a second click, is done. */
async function change(
  { c, now, reader, href }: Visit<InstitutionReader>,
  form: FormData,
  chosen: readonly Scope[],
  done: "blocked" | "unblocked",
  reason: string | null = null,
): Promise<Response> {
  const account = { fiId: reader.fi.id, accountId: requireAccount(textOf(form, "account")) };
  const db = databaseOf(c.env, reader.fi);
  // whoever sets the block from here on counts more
  const { ticket, block: seen } = await beginBlockChange(db, account);
  const { scopes } = seen;
  if (chosen.join() !== scopes.join() && textOf(form, "shown") !== nameBlock(seen))
    throw new PageProblem({
      status: 409,
      code: "block_changed_meanwhile",
      heading: "The block was changed meanwhile",
      text: "Nothing was done now: the form is older than the block. Open the account again, look at its block, and change it there.",
    });
  // of the others this form says nothing: somebody else may block them in this moment
  const changed = SCOPES.filter((scope) => chosen.includes(scope) !== scopes.includes(scope));
  // a new reason is of all that is blocked from then on
  const among = reason === null ? changed : [...new Set([...changed, ...chosen])];
  await recordBlock(c, account.accountId, chosen, () => setBlock(db, account, chosen, now, { among, ticket, reason }));
  return c.redirect(href(accountAddress(account.accountId, done)), 303);
}

const nameBlock = ({ scopes, tickets }: AccountBlock): string =>
  scopes.map((scope) => `${scope} ${tickets[scope]}`).join(" ");

function requireAccount(text: string): string {
  if (!accountId().safeParse(text).success) throw pageNotFound();
  return text;
}
