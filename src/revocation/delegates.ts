/**
 * The statuses of delegated OCSP responders that a request finds by CRLs which its certificates do not name. The budget of a
 * request (psp-check/check-budget.ts) counts the URLs of its certificates only, so this is done for few responders, and
 * once for each.
 */
import type { RevocationStatus } from "./revocation-status.ts";

/** At six calls each, these stay within what the budget leaves of the platform's thousand. */
const MAX_WITH_OTHER_CRLS = 10;

/** By the request's context, then by responder. */
const requests = new WeakMap<object, Map<string, Promise<RevocationStatus>>>();

/**
 * Finds the status of a responder, which `subject` identifies with the instant of the check. `mayAsk` is false where the
 * budget is used up. A promise is shared within its request only: that of one that is cancelled never settles.
 */
export function onceForRequest(
  request: object,
  subject: string,
  find: (mayAsk: boolean) => Promise<RevocationStatus>,
): Promise<RevocationStatus> {
  const mine = requests.get(request) ?? new Map<string, Promise<RevocationStatus>>();
  requests.set(request, mine);
  const known = mine.get(subject);
  if (known) return known;
  if (mine.size >= MAX_WITH_OTHER_CRLS) return find(false);
  const status = find(true);
  mine.set(subject, status);
  return status;
}
