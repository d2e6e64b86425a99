/** The PSP as the OAuth client of both flows, and the scopes that its credential and its home register allow. */
import type { Instant } from "../platform/instant.ts";
import { AT_HOME, decide } from "../psp-check/decision.ts";
import { SCOPES, type Scope } from "../registers/entitlement.ts";
import type { RegisterReading } from "../registers/lookup.ts";

export interface Client {
  /** The normal form of its authorisation number: it is the same for a renewed certificate or another spelling. */
  readonly pspId: string;
  /** Payment services of its certificate's roles. */
  readonly services: readonly number[];
  /** The scopes of its credential: both for a certificate, one for a CCG token. */
  readonly scopes: readonly Scope[];
  /** Its home register; the read has been started. */
  readonly home: Promise<RegisterReading>;
}

/** Why the client may not use a scope at `now`, as a sentence; null if it may. */
export async function findScopeRefusal(client: Client, scope: Scope, now: Instant): Promise<string | null> {
  if (!client.scopes.includes(scope)) return `the CCG token is for the scope ${client.scopes.join(", ")}, not ${scope}`;
  const { pspId, services } = client;
  const decision = decide({ verdicts: null, services, pspId, home: await client.home, ...AT_HOME, now });
  return decision[scope].reasons[0]?.message ?? null;
}

export async function findUsableScopes(client: Client, now: Instant): Promise<Scope[]> {
  const refusals = await Promise.all(SCOPES.map((scope) => findScopeRefusal(client, scope, now)));
  return SCOPES.filter((_, i) => refusals[i] === null);
}
