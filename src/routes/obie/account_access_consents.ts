/** POST /v1/obie/account_access_consents, GET and DELETE /v1/obie/account_access_consents/{consent_id}. */

import { distance } from "fastest-levenshtein";
import * as z from "zod";
import {
  type AccountAccessConsent,
  findAccountAccessConsent,
  insertAccountAccessConsent,
  limitExpiration,
  revokeAccountAccessConsent,
} from "../../grants/account-access-consents.ts";
import { findDateTimeFault } from "../../grants/date-time-faults.ts";
import { DATE_TIME_FORM, DATE_TIME_PATTERN, formatDateTime, parseDateTime } from "../../grants/date-times.ts";
import { ownerOf, PERMISSIONS } from "../../grants/permission.ts";
import { isRecordId, makeRecordId } from "../../grants/record-order.ts";
import { ApiError } from "../../http/errors/errors.ts";
import { ccgToken } from "../../http/middleware/ccg-token.ts";
import { type Asking, validate } from "../../http/middleware/validate.ts";
import { steps } from "../../http/steps.ts";
import { databaseOf } from "../../institutions/databases.ts";
import { once } from "../../platform/memory.ts";
import { quoteAlways } from "../../platform/quotation.ts";
import { optional } from "../../platform/schemas.ts";
import { requireScope, requireScopeOfToken } from "../authorization.ts";
import type * as answers from "./account_access_consents.answer.ts";

/** Open ended if absent, `null` or `""`. */
const dateTime = once(() =>
  optional(
    z
      .string("is not a string")
      .meta({ pattern: DATE_TIME_PATTERN })
      .transform((text, ctx) => {
        const parsed = parseDateTime(text);
        if (parsed) return parsed;
        ctx.addIssue({ code: "custom", message: findDateTimeFault(text) ?? `is not ${DATE_TIME_FORM}` });
        return z.NEVER;
      }),
  ),
);

const data = once(() =>
  z.object(
    {
      permissions: permissions(),
      expiration_date_time: dateTime(),
      transaction_from_date_time: dateTime(),
      transaction_to_date_time: dateTime(),
    },
    "is not an object",
  ),
);

export const body = ({ now }: Pick<Asking, "now">) =>
  z.object({
    data: data().superRefine((given, ctx) => {
      const {
        expiration_date_time: expiration,
        transaction_from_date_time: from,
        transaction_to_date_time: to,
      } = given;
      const fault = (name: string, message: string) => ctx.addIssue({ code: "custom", path: [name], message });
      if (expiration && expiration.milliseconds <= now()) fault("expiration_date_time", "is not in the future");
      if (from && to && from.milliseconds > to.milliseconds)
        fault("transaction_from_date_time", "is after transaction_to_date_time");
    }),
  });

export const createAccountAccessConsent = steps(validate("json", body), ccgToken, async (c) => {
  const { data } = c.req.valid("json");
  const now = c.get("now");
  await requireScope(c.get("client"), "accounts", now);
  const maxDays = c.env.MAX_CONSENT_DAYS;
  const { expiration, cut } = limitExpiration(data.expiration_date_time ?? null, maxDays, now);
  const id = makeRecordId(now, c.get("fi").database);
  // before: a store that fails may have stored it, so the record names it
  c.set("concerns", { consentId: id, scopes: ["accounts"] });
  const consent = await insertAccountAccessConsent(
    databaseOf(c.env, c.get("fi")),
    ownerOf(c.var),
    {
      id,
      permissions: data.permissions,
      expirationDateTime: expiration?.utc ?? null,
      transactionFromDateTime: data.transaction_from_date_time?.utc ?? null,
      transactionToDateTime: data.transaction_to_date_time?.utc ?? null,
      endsAt: expiration?.milliseconds ?? null,
    },
    now,
  );
  const warning = cut && c.get("version") === "latest" ? explainCut(data.expiration_date_time?.utc, maxDays) : null;
  return c.json({ data: { ...describeConsent(consent), ...(warning !== null && { warning }) } }, 201);
});

export const getAccountAccessConsent = steps(ccgToken, async (c) => {
  requireScopeOfToken(c.get("client"), "accounts");
  const consent = await findAccountAccessConsent(
    databaseOf(c.env, c.get("fi")),
    ownerOf(c.var),
    c.req.param("consent_id") ?? "",
    c.get("now"),
  );
  if (consent === "expired") throw new ApiError({ code: "consent_expired", status: 404 });
  if (!consent) throw new ApiError({ code: "consent_not_found" });
  return c.json({ data: describeConsent(consent) });
});

export const deleteAccountAccessConsent = steps(ccgToken, async (c) => {
  requireScopeOfToken(c.get("client"), "accounts");
  const id = c.req.param("consent_id") ?? "";
  // before: of a store that fails nobody knows whether the consent has ended, so the record names it
  const concerns = { consentId: isRecordId(id) ? id : null, scopes: ["accounts"], by: "psp" } as const;
  c.set("concerns", concerns);
  const mine = [databaseOf(c.env, c.get("fi")), ownerOf(c.var), id, c.get("now")] as const;
  const ended = await revokeAccountAccessConsent(...mine);
  if (ended) {
    c.set("concerns", { ...concerns, ended });
    return c.body(null, 204);
  }
  if ((await findAccountAccessConsent(...mine)) !== "expired") throw new ApiError({ code: "consent_not_found" });
  const title = "The consent has expired, and its tokens with it: nothing is left to delete";
  throw new ApiError({ code: "consent_expired", status: 404, title });
});

const explainCut = (requested: string | undefined, maxDays: number): string =>
  `this institution's consents end after ${maxDays} days at the latest: the requested expiration, ${requested ?? "open ended"}, was cut`;

/** The consent in the interface's spelling. Open ended times are absent. */
const describeConsent = (consent: AccountAccessConsent): answers.AccountAccessConsent["data"] => ({
  consent_id: consent.id,
  status: consent.status,
  status_update_date_time: formatDateTime(consent.statusUpdatedAt),
  creation_date_time: formatDateTime(consent.createdAt),
  permissions: consent.permissions,
  ...(consent.expirationDateTime !== null && { expiration_date_time: consent.expirationDateTime }),
  ...(consent.transactionFromDateTime !== null && { transaction_from_date_time: consent.transactionFromDateTime }),
  ...(consent.transactionToDateTime !== null && { transaction_to_date_time: consent.transactionToDateTime }),
});

const SHOWN_CHARACTERS = 40;
/** The largest edit distance for which a permission is suggested. Case differences do not count. */
const MAX_MISTAKES = 3;

const permissions = once(() =>
  z
    .array(z.unknown(), "is not an array")
    .min(1, "is empty")
    .max(PERMISSIONS.length, {
      error: ({ input }) =>
        `has ${Array.isArray(input) ? input.length : 0} elements, but there are only ${PERMISSIONS.length} permissions`,
    })
    .pipe(z.array(z.enum(PERMISSIONS, { error: ({ input }) => explainUnknown(input) })))
    .superRefine((given, ctx) => {
      const repeated = given.find((permission, i) => given.indexOf(permission) < i);
      if (repeated !== undefined) ctx.addIssue({ code: "custom", message: `contains ${repeated} twice` });
    })
    .meta({ uniqueItems: true }),
);

function explainUnknown(element: unknown): string {
  if (typeof element !== "string") return "is not a string";
  const nearest = findNearest(element);
  const hint = nearest === null ? "" : `; the nearest is ${nearest}`;
  const shown = quoteAlways(element, SHOWN_CHARACTERS);
  return `is ${shown}, which is not a permission${hint}. Allowed: ${PERMISSIONS.join(", ")}`;
}

function findNearest(text: string): string | null {
  // a longer text is not within the distance of any permission
  if (text.length > SHOWN_CHARACTERS) return null;
  const [nearest] = PERMISSIONS.map((permission) => ({
    permission,
    mistakes: distance(text.toLowerCase(), permission.toLowerCase()),
  })).sort((a, b) => a.mistakes - b.mistakes);
  return nearest && nearest.mistakes <= MAX_MISTAKES ? nearest.permission : null;
}
