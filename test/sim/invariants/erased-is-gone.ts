/** After an erasure no table has a row of the account from before. What was granted before is dead (ended-is-dead.ts). */
import type { Invariant, Judged } from "./invariant.ts";

const NAME = "erased is gone";

/** The account's tables that say since when a row is. */
const ROWS = `
  SELECT 'tokens' AS place, issued_at AS at FROM tokens WHERE fi_id = ?1 AND account_id = ?2
  UNION ALL SELECT 'core_permissions', granted_at FROM core_permissions WHERE fi_id = ?1 AND account_id = ?2`;
const FIND = "SELECT id FROM financial_institutions WHERE fi_reference_id = ?1";

/** By the clock of the isolate that wrote it: where these differ a row from after may seem to be from before. */
export const erasedIsGone: Invariant = {
  name: NAME,
  onStep: (judged, store) => {
    const { world, facts } = judged;
    if (store !== "D1" || facts.erasures.length === 0) return;
    if (world.swarm.clocks === "right") lookAtRows(judged);
  },
};

function lookAtRows({ world, facts, broken, occurred }: Judged): void {
  for (const { fi, account, exchange } of facts.erasures) {
    if (exchange.status !== 204) continue;
    const [row] = world.database.read(FIND, fi);
    const left = world.database.read(ROWS, Number(row?.["id"]), account);
    occurred(NAME);
    for (const { place, at } of left)
      if (Number(at) < exchange.sentAt)
        broken(NAME, `${String(place)} holds a row of ${account} from before its erasure`);
  }
}
