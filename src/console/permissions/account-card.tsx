/** What can be done about an account as a whole: its block, and the withdrawal of all its permissions. */
import type { AccountBlock } from "../../grants/account-block.ts";
import { Mark } from "../mark.tsx";
import type { Visit } from "../page.ts";
import type { InstitutionReader } from "../reader.ts";
import { writeTime } from "../times.ts";
import { canBeWithdrawn, type ListedPermission } from "./permission-card.tsx";

interface AccountCardProps {
  readonly visit: Visit<InstitutionReader>;
  readonly accountId: string;
  readonly block: AccountBlock;
  readonly listed: readonly ListedPermission[];
  /** Whether all of the account's are listed. */
  readonly isWhole: boolean;
}

export const SCOPE_NAMES = { payments: "payments", accounts: "account information" } as const;

export function AccountCard(props: AccountCardProps) {
  const { visit, accountId, block, listed, isWhole } = props;
  const { href } = visit;
  const { scopes, blockedAt } = block;
  const query = new URLSearchParams({ account: accountId });
  // on another page there may be some
  const open = !isWhole || listed.some(({ record }) => canBeWithdrawn(record));
  return (
    <section class="card" aria-labelledby="account">
      <h2 id="account">
        Account <code>{accountId}</code>
      </h2>
      <p>
        {blockedAt === null ? (
          <Mark state="yes">Not blocked</Mark>
        ) : (
          <>
            <Mark state="warn">Blocked for {scopes.map((scope) => SCOPE_NAMES[scope]).join(" and ")}</Mark>{" "}
            <span class="muted">since {writeTime(blockedAt)}</span>
          </>
        )}
      </p>
      <p class="row">
        <a class="button second" href={href(`/console/permissions/block?${query}`)}>
          {blockedAt === null ? "Block the account…" : "Change or lift the block…"}
        </a>
        {open && (
          <a class="button second" href={href(`/console/permissions/withdraw?${query}`)}>
            Withdraw all permissions…
          </a>
        )}
      </p>
    </section>
  );
}
