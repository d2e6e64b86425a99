/**
 * Who may do what in the console. Roles add up. The table is that of docs/guides/sign-in.md; a test walks it
 * (test/worker/console/roles.test.ts).
 */

import type { PersonRole } from "../institutions/sign-in-provider.ts";

/** `credentials` is whoever has the secret of the institution's systems. */
export type InstitutionRole = PersonRole | "credentials";
export type Role = InstitutionRole | "operator";

/** Evidence, PSPs, sources, events, who did what; with proofs and exports. */
export const READ = ["auditor", "officer", "administrator", "credentials", "operator"] as const;
/** Permissions of an account or a PSP. */
export const SEARCH_PERMISSIONS = ["auditor", "officer", "credentials"] as const;
/** Check, watch, acknowledge. */
export const CHECK = ["officer", "credentials", "operator"] as const;
/** Withdraw, block, lift. */
export const DECIDE = ["officer", "credentials"] as const;
/** Webhooks, last sign-ins, ends of sessions, names. */
export const ADMINISTER = ["administrator"] as const;
/** A credential's secret. */
export const ROTATE = ["administrator", "operator"] as const;
/** Certificates of the sandbox. */
export const MAKE_CERTIFICATES = ["officer", "administrator", "credentials", "operator"] as const;
export const OPERATE = ["operator"] as const;

const NAMES: Readonly<Record<Role, string>> = {
  auditor: "an auditor",
  officer: "an officer",
  administrator: "an administrator",
  credentials: "the institution's own credentials",
  operator: "an operator",
};

const LIST = new Intl.ListFormat("en-GB", { type: "disjunction" });

/** Such as `an officer, the institution's own credentials or an operator`. */
export const nameRoles = (roles: readonly Role[]): string => LIST.format(roles.map((role) => NAMES[role]));
