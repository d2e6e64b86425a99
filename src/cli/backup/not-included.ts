/** What no backup has. Apart, because `--help` says it and loads nothing else for it. */
export const NOT_INCLUDED =
  "Durable Objects and R2: ledgers and what they are based on (evidence export writes them), authorization codes (they live for 60 seconds), the counts of the per-IP limit. After a restore, a code that was issued before is unknown and is refused. It cannot be distinguished from an invented code, so a replay of it revokes no token.";
