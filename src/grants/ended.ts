/**
 * What a withdrawal, a revocation or a deletion has ended, for the record that its answer leaves. The statements say it
 * themselves, each of the rows that it changed: a second look might see what another request ended.
 */
import type { Scope } from "./scopes.ts";

/** Whose decision it was that something ended. */
export type DecidedBy = "bank" | "customer" | "psp";

export interface EndedPermission {
  readonly id: string;
  /** Authorisation number in normal form. */
  readonly psp: string;
  readonly scope: Scope;
}

export interface Ended {
  readonly permissions: readonly EndedPermission[];
  /** Ids. */
  readonly tokens: readonly string[];
}

/** SQL: what a statement that ends permissions returns of each. `scope` is an expression: a column, or a text in quotes. */
export const returningPermission = (scope: string): string =>
  `RETURNING 'permission' AS ended, id, psp_id, ${scope} AS scope`;
/** SQL: the same of a statement that ends tokens. One that had run out before ended then. */
export const RETURNING_TOKEN = "RETURNING iif(revoked_at < expires_at, 'token', 'before') AS ended, id, psp_id, scope";

interface EndedRow {
  ended: "permission" | "token";
  id: string;
  psp_id: string;
  scope: Scope;
}

/** Of the results of a batch, whichever statements it had: rows of others have no `ended`. */
export function readEnded(results: readonly { readonly results: readonly unknown[] }[]): Ended {
  const rows = results.flatMap((one) => one.results as readonly Partial<EndedRow>[]);
  const ended = (kind: EndedRow["ended"]) => (rows as readonly EndedRow[]).filter((row) => row.ended === kind);
  return {
    permissions: ended("permission").map(({ id, psp_id: psp, scope }) => ({ id, psp, scope })),
    tokens: ended("token").map(({ id }) => id),
  };
}
