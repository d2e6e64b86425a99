/**
 * GET and DELETE /v1/accounts/{account_id}/permissions, DELETE /v1/accounts/{account_id}/permissions/{permission_id}:
 * what the customer agreed to, for the bank's own pages, and its withdrawal. No PSP is asked. Not in the interface.
 */

import * as z from "zod";
import { parseAuthorisationNumber } from "../../eidas/authorisation-number.ts";
import { formatDateTime } from "../../grants/date-times.ts";
import { findEnd, type Permission } from "../../grants/permission.ts";
import { parsePermissionCursor, searchPermissions, writePermissionCursor } from "../../grants/permission-list.ts";
import { describeData } from "../../grants/permission-words.ts";
import { withdrawAll, withdrawPermission } from "../../grants/withdrawal.ts";
import { ApiError } from "../../http/errors/errors.ts";
import { refuseBody } from "../../http/middleware/json-body.ts";
import { recordWithdrawal } from "../../http/middleware/ledger.ts";
import { validate } from "../../http/middleware/validate.ts";
import { steps } from "../../http/steps.ts";
import { databaseOf } from "../../institutions/databases.ts";
import type { Instant } from "../../platform/instant.ts";
import { once } from "../../platform/memory.ts";
import { findStanding } from "../../registers/entitlement.ts";
import { findHomeRegisterIfReadable } from "../../registers/lookup.ts";
import { accountId, isNot } from "../parameters.ts";
import type { PermissionList, PermissionRecord } from "./permissions.answer.ts";

/** Permissions read for one answer: the home register of each one's PSP may have to be read. */
const PAGE_SIZE = 50;

const STATUSES = ["active", "ended"] as const;
const WITHDRAWERS = ["bank", "customer"] as const;

const path = once(() => z.object({ account_id: accountId() }));
const ofPath = validate("param", path);

/** A repeated parameter is a list. */
const word = <Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words, {
    error: ({ input }) => (Array.isArray(input) ? "is given twice" : isNot(input, words.join(" or "))),
  });

export const listQuery = once(() =>
  z.object({
    status: word(STATUSES).optional(),
    cursor: z.string("is given twice").optional(),
  }),
);

export const listAccountPermissions = steps(ofPath, validate("query", listQuery), async (c) => {
  const account = { fiId: c.get("fi").id, accountId: c.req.valid("param").account_id };
  const { status = null, cursor } = c.req.valid("query");
  const now = c.get("now");
  const listing = { ...account, status };
  const after = cursor === undefined ? null : parsePermissionCursor(listing, cursor);
  if (cursor !== undefined && after === null) {
    const title = "cursor is not from an earlier answer for this account and status";
    throw new ApiError({ code: "cursor_invalid", title });
  }
  const position = { after, onlyOpen: status === "active", limit: PAGE_SIZE };
  const search = { fiId: account.fiId, by: "account", value: account.accountId } as const;
  const page = await searchPermissions(databaseOf(c.env, c.get("fi")), search, position, now);
  const records = await describePermissions(c.env.KV, page.permissions, now);
  const answer: PermissionList = {
    // whether an authorisation is lost only the register knows, so a page may hold fewer than it has read
    data: records.filter((record) => status === null || record.status === status),
    ...(page.next !== null && { next_cursor: writePermissionCursor(listing, page.next) }),
  };
  return c.json(answer);
});

export const withdrawalQuery = once(() => z.object({ by: word(WITHDRAWERS).default("bank") }));
const ofQuery = validate("query", withdrawalQuery);

export const withdrawAccountPermission = steps(ofPath, ofQuery, refuseBody, async (c) => {
  const account = { fiId: c.get("fi").id, accountId: c.req.valid("param").account_id };
  const id = c.req.param("permission_id") ?? "";
  const { by } = c.req.valid("query");
  const db = databaseOf(c.env, c.get("fi"));
  const found = await recordWithdrawal(c, { ...account, id, by }, () =>
    withdrawPermission(db, account, id, { by }, c.get("now")),
  );
  if (!found) throw new ApiError({ code: "permission_not_found" });
  return c.body(null, 204);
});

export const withdrawAccountPermissions = steps(ofPath, ofQuery, refuseBody, async (c) => {
  const account = { fiId: c.get("fi").id, accountId: c.req.valid("param").account_id };
  const { by } = c.req.valid("query");
  const db = databaseOf(c.env, c.get("fi"));
  await recordWithdrawal(c, { ...account, id: null, by }, () => withdrawAll(db, account, { by }, c.get("now")));
  return c.body(null, 204);
});

/**
 * The records of one page, as of `now`. The home register of each PSP is read once, all in parallel; if it cannot be read,
 * what it says is null.
 */
export async function describePermissions(
  kv: KVNamespace,
  permissions: readonly Permission[],
  now: Instant,
): Promise<PermissionRecord[]> {
  const pspIds = [...new Set(permissions.map(({ pspId }) => pspId))];
  const readings = await Promise.all(pspIds.map((pspId) => findHomeRegisterIfReadable(kv, pspId, now)));
  const homes = new Map(pspIds.map((pspId, i) => [pspId, readings[i] ?? null]));
  return permissions.map((permission) => {
    const { legalName, status, lost } = findStanding(homes.get(permission.pspId) ?? null, permission.scope, now);
    const number = parseAuthorisationNumber(permission.pspId);
    const end = findEnd(permission, lost, now);
    return {
      id: permission.id,
      status: end ? "ended" : "active",
      psp: {
        legal_name: legalName,
        authorisation_number: permission.pspId,
        home_country: number.ok ? number.country : null,
        standing: status,
      },
      scope: permission.scope,
      ...(permission.consentId !== null && { consent_id: permission.consentId }),
      data: describeData(permission),
      ...(permission.access && {
        permissions: permission.access.permissions,
        transaction_from_date_time: permission.access.transactionFromDateTime,
        transaction_to_date_time: permission.access.transactionToDateTime,
      }),
      granted_at: formatDateTime(permission.grantedAt),
      valid_until: permission.validUntil,
      last_token_at: dateTimeOf(permission.lastTokenAt),
      blocked: permission.blocked,
      ended_at: dateTimeOf(end?.endedAt ?? null),
      ended_by: end?.endedBy ?? null,
    };
  });
}

const dateTimeOf = (milliseconds: number | null): string | null =>
  milliseconds === null ? null : formatDateTime(milliseconds);
