/** The permission of the PSP that acts: 403 when its CCG token, its certificate or its register does not give it. */
import { ApiError } from "../errors.ts";
import { type Client, findScopeRefusal } from "../grants/client.ts";
import type { Scope } from "../grants/scopes.ts";

/** For what begins something new: the PSP's certificate and home register must give the scope now. */
export async function requireScope(client: Client, scope: Scope, now: number): Promise<void> {
  const refusal = await findScopeRefusal(client, scope, now);
  if (refusal !== null) throw new ApiError({ code: "payment_service_invalid", title: refusal });
}

/** For what only looks at or ends what is there: a PSP that lost its authorisation may still do that. */
export function requireScopeOfToken(client: Client, scope: Scope): void {
  if (!client.scopes.includes(scope))
    throw new ApiError({ code: "payment_service_invalid", title: `the CCG token is not for the scope ${scope}` });
}
