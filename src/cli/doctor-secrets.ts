/** What `doctor` says when no further key fits into the Worker. Pure. */
import { retentionStart } from "../evidence/ledger/ledger-settings.ts";
import { type NamedKey, publishKeys } from "../evidence/signatures/signing-keys.ts";
import { type Finding, toDo } from "./finding.ts";
import { nameSecret } from "./signing-key-files.ts";

/** Variables and secrets together: https://developers.cloudflare.com/workers/platform/limits/#environment-variables */
const MAX_VARIABLES = 128;
/** Leaves a year of monthly rotations of both kinds of keys. */
const ALARMING = MAX_VARIABLES - 24;

/**
 * A retired signing key is published for as long as there are records that it signed: then its secret may go. `others`: how many
 * variables and secrets there are beside signing keys; `retentionDays`: of the ledgers; `now`: milliseconds since 1970.
 */
export function findRoom(
  others: number,
  signingKeys: readonly NamedKey[],
  retentionDays: unknown,
  now: number,
): Finding[] {
  const used = others + signingKeys.length;
  if (used < ALARMING) return [];
  const message = `the Worker has ${used} variables and secrets of at most ${MAX_VARIABLES}: beyond them no key can be rotated`;
  const start = retentionStart(retentionDays, now);
  const ended = publishKeys(signingKeys).filter(({ exp }) => exp !== undefined && exp * 1000 < start);
  const names = ended.map(nameSecret);
  const todo =
    names.length > 0
      ? `all records that these keys signed are deleted. Keep what /.well-known/jwks.json answers for signed answers that banks have saved, then: npx wrangler secret delete ${names.join(", ")}`
      : "remove token keys that nothing needs (key remove), and rotate more seldom: a retired signing key is needed for EVIDENCE_RETENTION_DAYS";
  return [toDo("configuration", message, todo)];
}
