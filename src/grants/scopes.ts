/** Scopes and the payment services that they need (interface, "CCG token"; design.md section 6). */

export const SCOPES = ["payments", "accounts"] as const;
export type Scope = (typeof SCOPES)[number];

/** 7: payment initiation services; 8: account information services. */
export const PAYMENT_SERVICE: Readonly<Record<Scope, 7 | 8>> = { payments: 7, accounts: 8 };

export const isScope = (text: string): text is Scope => (SCOPES as readonly string[]).includes(text);
