/** The record of a permission. It is not in the interface; its spelling is that of the interface's records. */

import { parseAuthorisationNumber } from "../../eidas/authorisation-number.ts";
import { formatDateTime } from "../../grants/date-times.ts";
import { findEnd, type Permission } from "../../grants/permission.ts";
import { describeData } from "../../grants/permission-words.ts";
import type { PermissionRecord } from "../../http/answers/account.ts";
import { findStanding } from "../../registers/entitlement.ts";
import { findHomeRegisterIfReadable } from "../../registers/lookup.ts";

/**
 * The records of one page, as of `now` (milliseconds since 1970). The home register of each PSP is read once, all in
 * parallel; if it cannot be read, what it says is null.
 */
export async function describePermissions(
  kv: KVNamespace,
  permissions: readonly Permission[],
  now: number,
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
