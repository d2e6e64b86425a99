import type { RevocationStatus } from "./revocation-status.ts";

/** At six calls each, these stay within what the budget leaves of the platform's thousand. */
const MAX_WITH_OTHER_CRLS = 10;

/** By the request's context, then by responder. */
const requests = new WeakMap<object, Map<string, Promise<RevocationStatus>>>();

/** Once in a request for each `subject`: a responder and an instant. `mayAsk` is false beyond the limit. */
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
