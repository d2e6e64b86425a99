/** One permission: what the bank knows of it, and beside it what its customer would be shown. */
import type { AccountBlock } from "../../grants/account-block.ts";
import type { PermissionRecord } from "../../routes/accounts/permissions.answer.ts";
import { Fact, Mark, Time, writeDates } from "../elements.tsx";
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
  /** Nothing is folded. */
  readonly open?: boolean;
}

/** An authorisation that is lost may come back, and the permission with it. */
export const canBeWithdrawn = ({ status, ended_by }: PermissionRecord): boolean =>
  status === "active" || ended_by === "authorisation_lost";

/** No register is loaded; the PSP is not there, has several entries or a category without a status; or the store is mute. */
const NO_STANDING = "its home register is not loaded, says nothing of how it stands, or cannot be read now";

const SCOPE_WORDS = { accounts: "Account information", payments: "Payments" } as const;

const LOST: readonly (string | null)[] = ["Unauthorised", "Withdrawn"];

function StatusMark({ record: { status, blocked, psp } }: { record: PermissionRecord }) {
  if (status === "ended") return <Mark state="ended">Ended</Mark>;
  if (blocked) return <Mark state="warn">Active, but blocked</Mark>;
  // what the register cannot date ends nothing
  return LOST.includes(psp.standing) ? (
    <Mark state="warn">Active, but its PSP lost its authorisation</Mark>
  ) : (
    <Mark state="yes">Active</Mark>
  );
}

export function PermissionCard({ accountId, record, reason, withdrawal, open = false }: CardProps) {
  const { id, psp, scope, status, consent_id, granted_at, valid_until, last_token_at } = record;
  const name = psp.legal_name ?? psp.authorisation_number;
  return (
    <article class="card permission" id={id} aria-label={`${SCOPE_WORDS[scope]}, ${name}`}>
      <h2>
        {name} <span class="muted">{SCOPE_WORDS[scope]}</span>
      </h2>
      <p>
        <StatusMark record={record} />{" "}
        <span class="muted">
          Account <code>{accountId}</code>,{" "}
          {valid_until === null ? "open ended" : <Time words="valid until" at={valid_until} />}
        </span>
      </p>
      {status === "ended" && (
        <p>
          Ended {record.ended_at === null ? "at a time that is not known" : <Time at={record.ended_at} />}:{" "}
          {WHY[record.ended_by ?? "expiry"]}
        </p>
      )}
      {reason !== null && (record.ended_by === "bank" || record.ended_by === "customer") && <p>Why: {reason}</p>}
      <details open={open}>
        <summary>
          Details, and what its customer could be shown <span class="out">of {name}</span>
        </summary>
        <div class="columns">
          <dl class="facts">
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
          </dl>
          <CustomerPreview record={record} />
        </div>
      </details>
      {withdrawal !== null && canBeWithdrawn(record) && (
        <p class="apart">
          <a class="button second" href={withdrawal}>
            Withdraw… <span class="out">{name}</span>
          </a>
        </p>
      )}
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
  const isKnown = blockedAt !== null || listed.length > 0 || !isWhole;
  return (
    <section class="card" aria-labelledby="account">
      <h2 id="account">
        Account <code>{accountId}</code>
      </h2>
      <p>
        {blockedAt === null ? (
          <Mark state={isKnown ? "yes" : "unknown"}>
            {isKnown ? "Not blocked" : "No permission and no block is known of this account: look at its id"}
          </Mark>
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
