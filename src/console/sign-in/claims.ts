/** What the id token of a person says of them: who they are, and in which roles. Pure. */
import { PERSON_ROLES, type PersonRole, type SignInProvider } from "../../institutions/sign-in-provider.ts";

type Claims = Readonly<Record<string, unknown>>;

export type RoleReading =
  | { readonly ok: true; readonly roles: readonly PersonRole[] }
  | { readonly ok: false; readonly reason: "no role" | "too many groups" };

/**
 * The roles of the groups in the provider's claim, which is a text or a list. OpenID Connect Core 1.0 section 5.6.2: a claim that
 * is too large is named in `_claim_names` and stands elsewhere.
 */
export function readRoles(claims: Claims, { claim, groups }: Pick<SignInProvider, "claim" | "groups">): RoleReading {
  const names = claims["_claim_names"];
  if (typeof names === "object" && names !== null && Object.hasOwn(names, claim))
    return { ok: false, reason: "too many groups" };
  const value = Object.hasOwn(claims, claim) ? claims[claim] : [];
  const given = new Set(Array.isArray(value) ? value : [value]);
  const roles = PERSON_ROLES.filter((role) => groups[role]?.some((group) => given.has(group)));
  return roles.length === 0 ? { ok: false, reason: "no role" } : { ok: true, roles };
}

const MAX_NAME_CHARACTERS = 120;

/** As the provider calls the person: by name, else by address, else by its own id. */
export function readName(claims: Claims): string {
  const texts = ["name", "preferred_username", "email", "sub"].map((claim) => claims[claim]);
  const name = texts.find((text): text is string => typeof text === "string" && text.trim() !== "") ?? "";
  return name.trim().slice(0, MAX_NAME_CHARACTERS);
}
