/** When all is quiet, tokens, permissions and consents in D1 say the same: what a customer is shown is what works. */
import { areFarApart } from "../clocks.ts";
import type { Invariant } from "./invariant.ts";

const NAME = "one story";

/** By a clock that is ahead by a token's life the permission's other tokens have ended. */
const HIDDEN = "a live token has no open permission";
/** Each row is a contradiction. */
const CONTRADICTIONS = {
  [HIDDEN]: `
    SELECT token.id FROM tokens AS token WHERE token.consent_id IS NULL AND token.revoked_at IS NULL AND NOT EXISTS (
      SELECT 1 FROM core_permissions AS permission
      WHERE permission.id = token.permission_id AND permission.ended_by IS NULL
        AND permission.ends_at >= token.expires_at)`,
  "an open permission has no live token": `
    SELECT id FROM core_permissions WHERE ended_by IS NULL AND ends_at = valid_until AND NOT EXISTS (
      SELECT 1 FROM tokens WHERE permission_id = core_permissions.id AND revoked_at IS NULL)`,
  "a live token is not that of its payment order": `
    SELECT token.id FROM tokens AS token JOIN payment_order_consents AS consent ON consent.id = token.consent_id
    WHERE token.scope = 'payments' AND token.revoked_at IS NULL
      AND (consent.token_id IS NOT token.id OR consent.ended_by IS NOT NULL)`,
  "a live token is of a consent that has ended": `
    SELECT token.id FROM tokens AS token JOIN account_access_consents AS consent ON consent.id = token.consent_id
    WHERE token.scope = 'accounts' AND token.revoked_at IS NULL AND consent.status <> 'Authorised'`,
} as const;

const WRITTEN = "SELECT 1 FROM tokens LIMIT 1";

export const oneStory: Invariant = {
  name: NAME,
  atEnd: async ({ world, broken, occurred }) => {
    if (world.database.read(WRITTEN).length > 0) occurred(NAME);
    const isFar = areFarApart(world.swarm.clocks);
    for (const [what, sql] of Object.entries(CONTRADICTIONS).filter(([each]) => each !== HIDDEN || !isFar))
      for (const { id } of world.database.read(sql)) broken(NAME, `${what}: ${id}`);
  },
};
