/** The scopes that a PSP may request. registers/entitlement.ts decides which PSP may use which. */
import type { Scope } from "../registers/entitlement.ts";

export type { Scope };

/** In order of preference: a PSP that requests none gets the first that it may use. */
export const SCOPES = ["payments", "accounts"] as const satisfies readonly Scope[];
