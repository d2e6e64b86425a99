/** The PSP as the client of the two flows: who it is, what its credential is for, and what its register lets it use. */
import { checkEntitlement, explainRefusal } from "../registers/entitlement.ts";
import type { RegisterReading } from "../registers/reading.ts";
import { SCOPES, type Scope } from "./scopes.ts";

export interface Client {
  /** The normal form of its authorisation number: neither a renewed certificate nor another spelling makes another client. */
  readonly pspId: string;
  /** Payment services of its certificate's roles. */
  readonly services: readonly number[];
  /** What its credential is for: both for a certificate, one for a CCG token. */
  readonly scopes: readonly Scope[];
  /** Its home register, whose reading has begun. */
  readonly home: Promise<RegisterReading>;
}

/** Why the client may not use a scope at `now` (milliseconds), as a sentence; null when it may. */
export async function findScopeRefusal(client: Client, scope: Scope, now: number): Promise<string | null> {
  if (!client.scopes.includes(scope)) return `the CCG token is for the scope ${client.scopes.join(", ")}, not ${scope}`;
  const entitlement = checkEntitlement({ reading: await client.home, scope, services: client.services, now });
  return entitlement.ok ? null : explainRefusal(entitlement.reason, client.pspId, scope);
}

/** The scopes that the client may use at `now`. */
export async function findUsableScopes(client: Client, now: number): Promise<Scope[]> {
  const refusals = await Promise.all(SCOPES.map((scope) => findScopeRefusal(client, scope, now)));
  return SCOPES.filter((_, i) => refusals[i] === null);
}
