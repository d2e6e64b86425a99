/** POST /v1/obie/account_access_consents, GET and DELETE /v1/obie/account_access_consents/{consent_id}. */
import { createFactory } from "hono/factory";
import * as z from "zod";
import type { AppEnv } from "../../context.ts";
import type * as answers from "../../contract/answers/consent.ts";
import { databaseOf } from "../../databases.ts";
import { ApiError } from "../../errors.ts";
import {
  type AccountAccessConsent,
  findAccountAccessConsent,
  insertAccountAccessConsent,
  limitExpiration,
  revokeAccountAccessConsent,
} from "../../grants/account-access-consents.ts";
import { ownerOf } from "../../grants/consent.ts";
import { formatDateTime, parseDateTime } from "../../grants/date-times.ts";
import { isRecordId, makeRecordId } from "../../grants/record-id.ts";
import { ccgToken } from "../../middleware/ccg-token.ts";
import { validateAt } from "../../middleware/validate.ts";
import { lazySchema } from "../lazy-schema.ts";
import { optional } from "../parameters.ts";
import { requireScope, requireScopeOfToken } from "../scope.ts";
import { permissions } from "./permissions.ts";

/** Open ended if absent, `null` or `""`. */
const dateTime = lazySchema(() =>
  optional(
    z
      .string("is not a string")
      .meta({ format: "date-time" })
      .transform((text, ctx) => {
        const parsed = parseDateTime(text);
        if (parsed) return parsed;
        ctx.addIssue({
          code: "custom",
          message: "is not an ISO 8601 date-time with an offset, such as 2030-01-01T00:00:00Z",
        });
        return z.NEVER;
      }),
  ),
);

const data = lazySchema(() =>
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

/** The body of a request that arrived at `now()`, in milliseconds since 1970. */
export const bodyAt = (now: () => number) =>
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

const factory = createFactory<AppEnv>();

export const createAccountAccessConsent = factory.createHandlers(validateAt(bodyAt), ccgToken, async (c) => {
  const { data } = c.req.valid("json");
  const now = c.get("now");
  await requireScope(c.get("client"), "accounts", now);
  const maxDays = c.env.MAX_CONSENT_DAYS;
  const { expiration, cut } = limitExpiration(data.expiration_date_time ?? null, maxDays, now);
  const id = makeRecordId(now, c.get("fi").database);
  // before: a store that fails may have stored it, so the record names it
  c.set("concerns", { consentId: id });
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

export const getAccountAccessConsent = factory.createHandlers(ccgToken, async (c) => {
  requireScopeOfToken(c.get("client"), "accounts");
  const consent = await findAccountAccessConsent(
    databaseOf(c.env, c.get("fi")),
    ownerOf(c.var),
    c.req.param("consent_id") ?? "",
    c.get("now"),
  );
  if (!consent) throw new ApiError({ code: "consent_not_found" });
  return c.json({ data: describeConsent(consent) });
});

export const deleteAccountAccessConsent = factory.createHandlers(ccgToken, async (c) => {
  requireScopeOfToken(c.get("client"), "accounts");
  const id = c.req.param("consent_id") ?? "";
  // before: of a store that fails nobody knows whether the consent has ended, so the record names it
  c.set("concerns", { consentId: isRecordId(id) ? id : null });
  const revoked = await revokeAccountAccessConsent(databaseOf(c.env, c.get("fi")), ownerOf(c.var), id, c.get("now"));
  if (!revoked) throw new ApiError({ code: "consent_not_found" });
  return c.body(null, 204);
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
