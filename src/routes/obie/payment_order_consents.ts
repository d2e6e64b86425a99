/** POST and GET /v1/obie/payment_order_consents, GET /v1/obie/payment_order_consents/{consent_id}. */

import type { Context } from "hono";
import * as z from "zod";
import { formatDateTime } from "../../grants/date-times.ts";
import { initiation } from "../../grants/payment-initiation.ts";
import {
  findPaymentOrderConsent,
  insertPaymentOrderConsent,
  listPaymentOrderConsents,
  type PaymentOrderConsent,
  parsePaymentOrderCursor,
  writePaymentOrderCursor,
} from "../../grants/payment-order-consents.ts";
import { ownerOf } from "../../grants/permission.ts";
import { isRecordId, makeRecordId, RECORD_ID } from "../../grants/record-order.ts";
import { ApiError } from "../../http/errors/errors.ts";
import { ccgToken } from "../../http/middleware/ccg-token.ts";
import { validate } from "../../http/middleware/validate.ts";
import { steps } from "../../http/steps.ts";
import { databaseOf } from "../../institutions/databases.ts";
import { once } from "../../platform/memory.ts";
import { optional } from "../../platform/schemas.ts";
import { requireScope, requireScopeOfToken } from "../authorization.ts";
import { pageLimit } from "../parameters.ts";
import type * as answers from "./payment_order_consents.answer.ts";

const DEFAULT_LIMIT = 25;
const MAX_LIMIT = 100;

export const query = once(() =>
  z.object({
    limit: optional(pageLimit(MAX_LIMIT, DEFAULT_LIMIT)),
    cursor: optional(
      z
        .string("is given twice")
        .refine((text) => isRecordId(text.split(".")[0] ?? ""), "is not from an earlier answer"),
    ),
    // not optional(): if an empty filter counted as absent, the answer would contain other consents
    consent_id: z
      .string("is given twice")
      .refine(isRecordId, "is not the id of a consent")
      .meta({ pattern: RECORD_ID.source })
      .optional(),
  }),
);

export const body = once(() => z.object({ data: z.object({ initiation: initiation() }, "is not an object") }));

export const createPaymentOrderConsent = steps(validate("json", body), ccgToken, async (c) => {
  const { initiation } = c.req.valid("json").data;
  const now = c.get("now");
  await requireScope(c.get("client"), "payments", now);
  const id = makeRecordId(now, c.get("fi").database);
  // before: a store that fails may have stored it, so the record names it
  c.set("concerns", { consentId: id, scopes: ["payments"] });
  const consent = await insertPaymentOrderConsent(
    databaseOf(c.env, c.get("fi")),
    ownerOf(c.var),
    { id, initiation },
    now,
  );
  return c.json({ data: describeConsent(consent) }, 201);
});

export const listPaymentOrderConsentsOfPsp = steps(validate("query", query), ccgToken, async (c) => {
  requireScopeOfToken(c.get("client"), "payments");
  const { limit = DEFAULT_LIMIT, cursor: given, consent_id } = c.req.valid("query");
  const owner = ownerOf(c.var);
  const cursor = given === undefined ? null : parsePaymentOrderCursor(owner, given);
  if (given !== undefined && cursor === null)
    throw new ApiError({ code: "cursor_invalid", title: "cursor is not from an earlier answer for this PSP" });
  if (consent_id !== undefined) {
    const consent = await findPaymentOrderConsent(databaseOf(c.env, c.get("fi")), owner, consent_id);
    const shown = consent && (cursor === null || consent.id < cursor) ? [consent] : [];
    return answerPage(c, shown);
  }
  // one more than `limit`, to find out whether there is a next page
  const consents = await listPaymentOrderConsents(databaseOf(c.env, c.get("fi")), owner, limit + 1, cursor);
  const shown = consents.slice(0, limit);
  const last = consents.length > limit ? shown.at(-1) : undefined;
  return answerPage(c, shown, last && writePaymentOrderCursor(owner, last.id));
});

function answerPage(c: Context, shown: readonly PaymentOrderConsent[], next_cursor?: string): Response {
  const answer: answers.PaymentOrderConsentList = {
    data: shown.map(describeConsent),
    ...(next_cursor !== undefined && { next_cursor }),
  };
  return c.json(answer);
}

export const getPaymentOrderConsent = steps(ccgToken, async (c) => {
  requireScopeOfToken(c.get("client"), "payments");
  const consent = await findPaymentOrderConsent(
    databaseOf(c.env, c.get("fi")),
    ownerOf(c.var),
    c.req.param("consent_id") ?? "",
  );
  if (!consent) throw new ApiError({ code: "consent_not_found" });
  return c.json({ data: describeConsent(consent) });
});

const describeConsent = (consent: PaymentOrderConsent): answers.PaymentOrderConsent["data"] => ({
  consent_id: consent.id,
  status: consent.status,
  status_update_date_time: formatDateTime(consent.statusUpdatedAt),
  creation_date_time: formatDateTime(consent.createdAt),
  // stored as the schema of the request took it
  initiation: consent.initiation as answers.PaymentOrderConsent["data"]["initiation"],
});
