/** What of a recorded answer or event is compared: of members that differ each time the kind of their values. */

/** Ids, codes, tokens, times, and what depends on them. */
const VARIES =
  /^(access_token|token|code|auth_code|full_uri|consent_id|id|iat|exp|expires_in|revoked_at|(status_update|creation)_date_time|granted_at|last_token_at|blocked_at|ended_at|timestamp|valid_until|watched_since|next_after|fetchedAt|producedAt|thisUpdate|checked_at|at|age_seconds|nextUpdate|listNextUpdate|published|url|ccg_token|permission_id|version|seq|prev|hash|time|jws|text|request_id|ms|basis|answer|heads|sha256|evidence_id|found|followed_to|head)$/;

/** The kind of each value that varies, in its place. */
export function withoutVariance(value: unknown, key = ""): unknown {
  if (Array.isArray(value)) return value.map((element) => withoutVariance(element, key));
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutVariance(inner, name)]));
  return VARIES.test(key) && value !== null && value !== "1" && value !== "latest" ? typeof value : value;
}
