/**
 * /console/permissions/block: says what a block does, and blocks an account for what is chosen. The form names the block
 * that it was shown with, by the ticket of each scope: an older one would lift what somebody else has blocked since.
 */

import { type AccountBlock, beginBlockChange, findBlock, setBlock } from "../../grants/account-block.ts";
import { CONSOLE_FORMS } from "../../http/endpoints.ts";
import { recordBlock } from "../../http/middleware/ledger.ts";
import { databaseOf } from "../../institutions/databases.ts";
import { SCOPES } from "../../registers/entitlement.ts";
import { accountId } from "../../routes/parameters.ts";
import { textOf } from "../forms.ts";
import { FormToken, show } from "../frame.tsx";
import type { InstitutionReader, Page, Visit } from "../page.ts";
import { PageProblem, pageNotFound } from "../page.ts";
import { writeTime } from "../wording.ts";
import { SCOPE_NAMES } from "./permission-card.tsx";
import { accountAddress } from "./permissions-page.tsx";

const FORM = CONSOLE_FORMS.block;
const PATH = FORM.path;

export const blockPage: Page = {
  ...{ path: PATH, menu: null, for: "institutions", get: ask, post: block, form: FORM },
};

async function ask(visit: Visit<InstitutionReader>): Promise<Response> {
  const { c, reader, href } = visit;
  const account = { fiId: reader.fi.id, accountId: requireAccount(c.req.query("account") ?? "") };
  const block = await findBlock(databaseOf(c.env, reader.fi), account);
  const { scopes, blockedAt } = block;
  const children = (
    <form method="post" action={href(PATH)} class="card stack">
      <p>
        While account <code>{account.accountId}</code> is blocked, no PSP gets a code or a token for it, and the tokens
        that there are do not work. Nothing is withdrawn: when the block is lifted, they work again.
      </p>
      {blockedAt !== null && <p>It is blocked since {writeTime(blockedAt)}.</p>}
      <fieldset>
        <legend>Blocked for</legend>
        {SCOPES.map((scope) => (
          <label class="choice">
            <input type="checkbox" name="scopes" value={scope} checked={scopes.includes(scope)} /> {SCOPE_NAMES[scope]}
          </label>
        ))}
      </fieldset>
      <p class="muted">With none chosen the account is not blocked.</p>
      <FormToken visit={visit} />
      <input type="hidden" name="account" value={account.accountId} />
      <input type="hidden" name="shown" value={nameBlock(block)} />
      <p class="row">
        <button type="submit" class="danger">
          Set the block
        </button>
        <a
          class="button second"
          href={href(`/console/permissions?${new URLSearchParams({ by: "account", q: account.accountId })}`)}
        >
          Leave it as it is
        </a>
      </p>
    </form>
  );
  return await show(visit, { title: blockedAt === null ? "Block this account?" : "Change the block?", children });
}

/** Exactly what was chosen: a scope that was not is free. What is so already, as after a second click, is done. */
async function block({ c, now, reader, href }: Visit<InstitutionReader>, form: FormData): Promise<Response> {
  const account = { fiId: reader.fi.id, accountId: requireAccount(textOf(form, "account")) };
  const db = databaseOf(c.env, reader.fi);
  const chosen = SCOPES.filter((scope) => form.getAll("scopes").includes(scope));
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
  await recordBlock(c, account.accountId, chosen, () => setBlock(db, account, chosen, now, { among: changed, ticket }));
  return c.redirect(href(accountAddress(account.accountId, "block")), 303);
}

const nameBlock = ({ scopes, tickets }: AccountBlock): string =>
  scopes.map((scope) => `${scope} ${tickets[scope]}`).join(" ");

function requireAccount(text: string): string {
  if (!accountId().safeParse(text).success) throw pageNotFound();
  return text;
}
