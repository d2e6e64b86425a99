/** The scopes that a PSP may ask for; what each needs of the PSP is decided in registers/entitlement.ts. */
import type { Scope } from "../registers/entitlement.ts";

export type { Scope };

/** In the order in which a PSP that names none is given its first. */
export const SCOPES = ["payments", "accounts"] as const satisfies readonly Scope[];
