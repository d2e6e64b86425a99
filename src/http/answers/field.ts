/** Forms of fields that several answers share. They are types at run time of the Worker, and schemas of the document. */
import * as z from "zod";
import { SCOPES } from "../../registers/entitlement.ts";

/** An instant in UTC, as in RFC 3339. */
export const instant = z.string().meta({ format: "date-time" });

/** Seconds since 1970, or a number of seconds. */
export const seconds = z.int().min(0);

export const scope = z.enum(SCOPES);

export const tokenType = z.literal("bearer");

/** Two capital letters of ISO 3166-1; the sandbox has user-assigned ones. */
export const country = z.string().regex(/^[A-Z]{2}$/);

/** SHA-256 in lower-case hexadecimal. */
export const digest = z.string().regex(/^[0-9a-f]{64}$/);

export const paymentServices = z.array(z.int().min(1).max(8)).readonly();

export const list = <Element extends z.ZodType>(element: Element) => z.array(element).readonly();
