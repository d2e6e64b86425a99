/** Fields that several answers share. They are types at run time of the Worker, and schemas of the document. */
import * as z from "zod";
import { REASONS, type ReasonCode, WHOSE } from "../psp-check/every-reason.ts";
import { SCOPES } from "../registers/entitlement.ts";

/** An instant in UTC, as in RFC 3339. */
export const instant = z.string().meta({ format: "date-time" });

/** Seconds since 1970, or a number of seconds. */
export const seconds = z.int().min(0);

export const scope = z.enum(SCOPES);

export const tokenType = z.literal("bearer");

export const issuedToken = { access_token: z.string(), expires_in: seconds, token_type: tokenType };

/** With version `latest` an active token carries it if its PSP has lost the payment service. */
export const lostService = { warning: z.string().optional() };

/** Two capital letters of ISO 3166-1; the sandbox has user-assigned ones. */
export const country = z.string().regex(/^[A-Z]{2}$/);

/** SHA-256 in lower-case hexadecimal. */
export const digest = z.string().regex(/^[0-9a-f]{64}$/);

export const paymentServices = z.array(z.int().min(1).max(8)).readonly();

export const list = <Element extends z.ZodType>(element: Element) => z.array(element).readonly();

export const decisionReason = z.object({
  code: z.enum(Object.keys(REASONS) as ReasonCode[]),
  message: z.string(),
  whose: z.enum(WHOSE),
});

export const scopeDecision = z.object({ allowed: z.boolean(), reasons: list(decisionReason) });

export const errors = z
  .array(
    z.object({
      id: z.string(),
      /** Which codes an operation may answer with which status is in the document (error-codes.ts). */
      code: z.string(),
      title: z.string(),
      link: z.string(),
    }),
  )
  .min(1);
export type Errors = z.output<typeof errors>;

export const errorAnswer = z.object({ errors });
