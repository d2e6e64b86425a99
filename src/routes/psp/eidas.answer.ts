/** The PSP check's result: exactly the interface's fields, and what version `latest` adds. */
import * as z from "zod";
import { WARNINGS, type WarningCode } from "../../eidas/every-warning.ts";
import { VERDICT_NAMES } from "../../eidas/verdict-codes.ts";
import type { VerdictName } from "../../eidas/verdicts.ts";
import {
  country,
  decisionReason,
  digest,
  instant,
  list,
  paymentServices,
  scopeDecision,
  seconds,
} from "../../http/answer-fields.ts";
import { WAYS } from "../../registers/passport.ts";
import { AUTHORISATION_STATUSES, NUMBER_KINDS } from "../../registers/psp-record.ts";

const warning = z.array(z.string()).min(1).optional();
const warningCodes = {
  warning_codes: z
    .array(z.enum(Object.keys(WARNINGS) as WarningCode[]))
    .min(1)
    .optional(),
};

const eidas = z.object({
  validity: z.object(
    Object.fromEntries(VERDICT_NAMES.map((name) => [name, z.boolean()])) as Record<VerdictName, z.ZodBoolean>,
  ),
  data: z.object({ QTSPCommonName: z.string(), authNumber: z.string(), pspSubjectName: z.string() }),
  warning,
});

const category = {
  categoryName: z.string(),
  pspLegalName: z.string(),
  pspAuthStatus: z.enum(AUTHORISATION_STATUSES).nullable(),
};

const passportOut = z.object({ countryCode: country, paymentServices });
const homeEntry = z.object({
  ...category,
  pspPaymentServices: paymentServices,
  passportOut: passportOut.optional(),
});
const latestHomeEntry = homeEntry.extend({
  found_by: z
    .object({
      number: z.string(),
      kind: z.enum(NUMBER_KINDS),
      source: z.string(),
      as_of: z.string().nullable(),
      register_number: z.string(),
    })
    .optional(),
  passportOut: passportOut.extend({ ways: list(z.object({ way: z.enum(WAYS), paymentServices })) }).optional(),
});

const homeRegister = z.object({
  ncaName: z.string(),
  // "" if the certificate names no country
  ncaCountryCode: z.union([country, z.literal("")]),
  registerType: z.literal("Home"),
  categoryEntries: z.array(homeEntry),
  warning,
});

const hostRegister = z.object({
  ncaName: z.string(),
  ncaCountryCode: country,
  registerType: z.literal("Host"),
  categoryEntries: z.array(z.object({ ...category, passportIn: z.object({ countryCode: country }).optional() })),
  warning,
});

export const pspCheck = z
  .object({ eIDAS: eidas, homeRegister, hostRegister: hostRegister.optional() })
  .meta({ id: "PspCheck" });

const evidence = z.object({
  id: z.string(),
  checked_at: instant,
  release: z.string(),
  certificate: digest,
  anchor: z
    .object({
      source: z.string(),
      jurisdiction: z.string(),
      service: z.string(),
      status: z.string().nullable(),
      since: instant.nullable(),
      listSequenceNumber: z.int().nullable(),
      listIssuedAt: instant.nullable(),
      listNextUpdate: instant.nullable(),
    })
    .nullable(),
  path: list(z.object({ subject: z.string(), sha256: digest })),
  revocation: list(
    z.object({
      certificate: digest,
      source: z.enum(["OCSP", "CRL"]),
      url: z.string().nullable(),
      producedAt: instant,
      crlNumber: z.string().nullable(),
      thisUpdate: instant,
      nextUpdate: instant.nullable(),
      sha256: digest,
    }),
  ),
  registers: list(
    z.object({
      country,
      source: z.string(),
      snapshot: z.string(),
      published: z.string(),
      dated: z.enum(["publication", "fetch"]),
      fetchedAt: instant,
    }),
  ),
  oldest: z.object({ name: z.string(), at: instant, age_seconds: seconds }).nullable(),
});

const decision = scopeDecision.extend({ accepted: list(decisionReason).optional() });

export const pspCheckLatest = z
  .object({
    eIDAS: eidas.extend(warningCodes),
    homeRegister: homeRegister.extend({ ...warningCodes, categoryEntries: z.array(latestHomeEntry) }),
    hostRegister: hostRegister.extend(warningCodes).optional(),
    decision: z.object({ payments: decision, accounts: decision }),
    evidence,
  })
  .meta({ id: "PspCheckLatest" });
type PspCheckLatest = z.output<typeof pspCheckLatest>;
/** As a handler makes it: with version 1 it leaves out the last two. */
export type PspCheck = z.output<typeof pspCheck> & Partial<Pick<PspCheckLatest, "decision" | "evidence">>;
