/** One permission: what the bank knows of it, and beside it what its customer would be shown. */
import type { AccountBlock } from "../../grants/account-block.ts";
import type { PermissionRecord } from "../../routes/accounts/permissions.answer.ts";
import { Fact, LinkButton, Mark, Time, writeDates } from "../elements.tsx";
import { hasRole, type InstitutionReader, type Visit } from "../page.ts";
import { DECIDE } from "../roles.ts";
import { SCOPE_NAMES } from "../wording.ts";
import { writeForCustomer } from "./customer-words.ts";

export interface ListedPermission {
  readonly accountId: string;
  readonly record: PermissionRecord;
  /** What was said of why it was withdrawn; null: nothing. */
  readonly reason: string | null;
}

interface CardProps extends ListedPermission {
  /** Of the page that asks whether to withdraw it; null: that is this page, or it is not for the reader. */
  readonly withdrawal: string | null;
}

/** An authorisation that is lost may come back, and the permission with it. */
export const canBeWithdrawn = ({ status, ended_by }: PermissionRecord): boolean =>
  status === "active" || ended_by === "authorisation_lost";

/** No register is loaded; the PSP is not there, has several entries or a category without a status; or the store is mute. */
const NO_STANDING = "its home register is not loaded, says nothing of how it stands, or cannot be read now";

const SCOPE_WORDS = { accounts: "Account information", payments: "Payments" } as const;

export function PermissionCard({ accountId, record, reason, withdrawal }: CardProps) {
  const { id, psp, scope, status, blocked, consent_id, granted_at, valid_until, last_token_at } = record;
  const name = psp.legal_name ?? psp.authorisation_number;
  return (
    <article class="card permission" id={id} aria-label={`${SCOPE_WORDS[scope]}, ${name}`}>
      <div>
        <h2>
          {name} <span class="muted">{SCOPE_WORDS[scope]}</span>
        </h2>
        <p>
          {status === "ended" ? (
            <Mark state="ended">Ended</Mark>
          ) : blocked ? (
            <Mark state="warn">Active, but blocked</Mark>
          ) : (
            <Mark state="yes">Active</Mark>
          )}
        </p>
        <dl class="facts">
          <Fact name="Account">
            <code>{accountId}</code>
          </Fact>
          <Fact name="PSP">
            <code>{psp.authorisation_number}</code>, {psp.standing ?? NO_STANDING}
          </Fact>
          <Fact name={consent_id === undefined ? "Permission (without a consent)" : "Consent"}>
            <code>{id}</code>
          </Fact>
          <Fact name="Granted">
            <Time at={granted_at} />
          </Fact>
          <Fact name="Last token">{last_token_at === null ? "none yet" : <Time at={last_token_at} />}</Fact>
          <Fact name="Valid until">{valid_until === null ? "open ended" : <Time at={valid_until} />}</Fact>
          {status === "ended" && (
            <Fact name="Ended">
              {record.ended_at === null ? "it is not known when" : <Time at={record.ended_at} />}:{" "}
              {WHY[record.ended_by ?? "expiry"]}
            </Fact>
          )}
          {reason !== null && (record.ended_by === "bank" || record.ended_by === "customer") && (
            <Fact name="Why">{reason}</Fact>
          )}
        </dl>
        {withdrawal !== null && canBeWithdrawn(record) && (
          <LinkButton href={withdrawal}>
            Withdraw… <span class="out">{name}</span>
          </LinkButton>
        )}
      </div>
      <CustomerPreview record={record} />
    </article>
  );
}

/** Why a permission ended, for the bank. */
const WHY = {
  psp: "given up by the PSP",
  code_used_twice: "its code was used twice, which can be a theft",
  bank: "withdrawn by the bank",
  customer: "withdrawn by the customer",
  expiry: "expired",
  authorisation_lost: "the PSP lost its authorisation",
} as const;

function CustomerPreview({ record }: { record: PermissionRecord }) {
  const { heading, data, sentences } = writeForCustomer(record);
  return (
    <div class="preview">
      <p class="muted small">As a customer could be shown it</p>
      <h3>{heading}</h3>
      <dl>
        {data.map(({ group, words }) => (
          <>
            <dt>{group}</dt>
            {words.map((word) => (
              <dd>{word}</dd>
            ))}
          </>
        ))}
      </dl>
      {sentences.map((sentence) => (
        <p>{writeDates(sentence)}</p>
      ))}
    </div>
  );
}

interface AccountCardProps {
  readonly visit: Visit<InstitutionReader>;
  readonly accountId: string;
  readonly block: AccountBlock;
  readonly listed: readonly ListedPermission[];
  /** Whether all of the account's are listed. */
  readonly isWhole: boolean;
}

export function AccountCard(props: AccountCardProps) {
  const { visit, accountId, block, listed, isWhole } = props;
  const { href, reader } = visit;
  const { scopes, blockedAt, reasons } = block;
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
            <span class="muted">
              since <Time at={blockedAt} />
            </span>
            {reasons.map((reason) => (
              <>
                <br />
                Why: {reason}
              </>
            ))}
          </>
        )}
      </p>
      {hasRole(reader, DECIDE) && (
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
      )}
    </section>
  );
}
