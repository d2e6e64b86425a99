/** Consents of both kinds: created, read, ended. */
import { instantFrom, textLike } from "../answer-difference.ts";
import type { Bank } from "../bank.ts";
import type { Exchange } from "../connection.ts";
import { drawOne } from "../mix.ts";
import { obtainCcgToken } from "./ccg-tokens.ts";
import { drawEntitled, SCOPES, type Scope } from "./psps.ts";
import { expectedErrors, NO_STORE } from "./redirect.ts";

const CONSENT_ID = textLike("a consent's id", /^[0-9A-Za-z_-]{20,64}$/);
const PERMISSIONS = ["ReadAccountsBasic", "ReadAccountsDetail", "ReadBalances", "ReadTransactionsBasic"];
/** Below a token's hour: a consent that ends sooner cuts its token. */
const SHORT_CONSENT_SECONDS = 1_800;

export interface KnownConsent {
  readonly id: string;
  readonly scope: Scope;
  readonly path: string;
  /** What is said of it in each state, without its status. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Seconds since 1970; null for one that ends later than any token. */
  readonly endsAt: number | null;
}

const PATHS: Readonly<Record<Scope, string>> = {
  accounts: "/v1/obie/account_access_consents",
  payments: "/v1/obie/payment_order_consents",
};

const json = { "content-type": "application/json" };

export async function createConsent(bank: Bank, headers: Record<string, string>, scope: Scope): Promise<KnownConsent> {
  const endsAt = bank.random() < 0.5 ? Math.floor(Date.now() / 1_000) + SHORT_CONSENT_SECONDS : null;
  const fields = scope === "accounts" ? drawAccess(bank, endsAt) : drawPaymentOrder(bank);
  const path = PATHS[scope];
  const { body } = await bank.ask(
    { method: "POST", path, headers: { ...headers, ...json }, body: JSON.stringify({ data: fields }) },
    (exchange) => ({
      status: 201,
      headers: NO_STORE,
      body: { data: { ...fields, consent_id: CONSENT_ID, ...whenCreated(exchange), status: "AwaitingAuthorisation" } },
    }),
  );
  const { consent_id: id, creation_date_time } = (body as { data: { consent_id: string; creation_date_time: string } })
    .data;
  return {
    id,
    scope,
    path: `${path}/${id}`,
    fields: { ...fields, consent_id: id, creation_date_time },
    endsAt: scope === "accounts" ? endsAt : null,
  };
}

/** Both times are the same instant. */
const whenCreated = ({ body, sentAt, receivedAt }: Exchange) => ({
  creation_date_time: instantFrom(sentAt, receivedAt),
  status_update_date_time: (body as { data?: { creation_date_time?: unknown } } | null)?.data?.creation_date_time,
});

const writeInstant = (seconds: number): string => new Date(seconds * 1_000).toISOString().replace(".000Z", "Z");

const drawAccess = (bank: Bank, endsAt: number | null) => ({
  permissions: PERMISSIONS.slice(0, 1 + Math.floor(bank.random() * PERMISSIONS.length)),
  ...(endsAt !== null && { expiration_date_time: writeInstant(endsAt) }),
  ...(bank.random() < 0.5 && { transaction_from_date_time: "2026-01-01T00:00:00Z" }),
  ...(bank.random() < 0.5 && { transaction_to_date_time: "2027-01-01T00:00:00Z" }),
});

const drawPaymentOrder = (bank: Bank) => ({
  initiation: {
    instruction_identification: bank.makeName("i"),
    end_to_end_identification: bank.makeName("e"),
    instructed_amount: { amount: `${1 + Math.floor(bank.random() * 1_000)}.50`, currency: "EUR" },
    creditor_account: { scheme_name: "IBAN", identification: "XA00LOAD0000000001", name: "A Shop" },
  },
});

/** `updated`: when its status changed last, if not at its creation. */
export async function readConsent(
  bank: Bank,
  headers: Record<string, string>,
  { path, fields }: KnownConsent,
  status: "AwaitingAuthorisation" | "Authorised" | "Consumed",
  updated?: Exchange,
): Promise<void> {
  await bank.ask({ method: "GET", path, headers }, () => ({
    status: 200,
    headers: NO_STORE,
    body: {
      data: {
        ...fields,
        status,
        status_update_date_time: updated
          ? instantFrom(updated.sentAt, updated.receivedAt)
          : fields["creation_date_time"],
      },
    },
  }));
}

/** A payment order consent has no DELETE. */
export async function useConsent(bank: Bank): Promise<void> {
  const scope = drawOne(bank.random, SCOPES);
  const headers = { ...(await obtainCcgToken(bank, drawEntitled(bank, scope), scope)), version: bank.drawVersion() };
  const consent = await createConsent(bank, headers, scope);
  await readConsent(bank, headers, consent, "AwaitingAuthorisation");
  if (scope === "payments") return;
  await bank.ask({ method: "DELETE", path: consent.path, headers }, () => ({
    status: 204,
    headers: NO_STORE,
    body: null,
  }));
  await bank.ask({ method: "GET", path: consent.path, headers }, ({ requestId }) => ({
    status: 404,
    headers: NO_STORE,
    body: { errors: expectedErrors(bank, requestId, "consent_not_found", "No such consent") },
  }));
}
