/** The scopes of version 1.6: descriptions of roles instead of `payments` and `accounts` (interface, "Versioning" 3). */
import type { Scope } from "../../registers/entitlement.ts";

export const SCOPE_WORDS: Readonly<Record<Scope, string>> = {
  payments: "Payment initiation services",
  accounts: "Account information services",
};

const SCOPES: ReadonlyMap<unknown, Scope> = new Map([
  [SCOPE_WORDS.payments, "payments"],
  [SCOPE_WORDS.accounts, "accounts"],
]);

/** The scope of a description; every other value as it is, for the handler to refuse. */
export const readScopeWords = (given: unknown): unknown => SCOPES.get(given) ?? given;
