/**
 * What the operator's commands changed, for the ledgers of the institutions: a command reaches databases alone. It writes a row in
 * the batch of its change, and the scheduled run records that and deletes the row. A run that fails between the two appends nothing
 * twice: the row has the record's id.
 */
import { makeRecordId } from "../../grants/record-order.ts";
import type { Instant } from "../../platform/instant.ts";
import { bindNamed } from "../../platform/statements.ts";
import { callStore, StoreError } from "../../platform/stores.ts";
import { VERSION } from "../../platform/version.ts";
import { askLedger, type LedgerEnv } from "./ask-ledger.ts";
import type { LedgerEntry, LedgerEvent } from "./record.ts";

/** Of a database and a run: the next one goes on. */
const RECORDED_AT_ONCE = 50;

export const COMMAND_ACT_STATEMENTS = {
  // `changes` is of the statement before in the batch: what was refused there, or found nothing, is no act
  note: `
    INSERT INTO command_acts (id, fi_id, event, command, about, made_at)
    SELECT :id, id, :event, :command, :about, :now FROM financial_institutions WHERE id = :fiId AND (:always = 1 OR changes() > 0)`,
  list: `
    SELECT due.id, due.fi_id, due.event, due.command, due.about, due.made_at, fi.fi_reference_id AS fi
    FROM command_acts AS due CROSS JOIN financial_institutions AS fi ON fi.id = due.fi_id
    ORDER BY due.id LIMIT ${RECORDED_AT_ONCE}`,
  delete: "DELETE FROM command_acts WHERE id = ?1",
} as const;

export interface CommandAct {
  readonly fiId: number;
  readonly event: LedgerEvent;
  /** Such as `fi set`. */
  readonly command: string;
  /** As the record's (record.ts). */
  readonly about?: string;
  /** Whatever the statement before has changed. */
  readonly always?: true;
}

/**
 * For the batch that makes the change, right after the statement that makes it, or after another note: nothing is noted if that
 * changed no row. In the database of the change, which has the institution or a copy of it.
 */
export function noteCommandAct(
  db: D1Database,
  { fiId, event, command, about, always }: CommandAct,
  now: Instant,
): D1PreparedStatement {
  const said = { fiId, event, command, about: about ?? null, always: always ? 1 : 0 };
  return bindNamed(db, COMMAND_ACT_STATEMENTS.note, { ...said, id: makeRecordId(now), now });
}

interface Row {
  readonly id: string;
  readonly fi_id: number;
  readonly event: LedgerEvent;
  readonly command: string;
  readonly about: string | null;
  readonly made_at: Instant;
  readonly fi: string;
}

const BY_COMMAND = "npm run admin";

const entryOf = ({ id, event, command, about, made_at, fi }: Row): LedgerEntry => ({
  ...{ id, time: new Date(made_at).toISOString(), release: VERSION, fi, request_id: id, event, endpoint: command },
  ...{ version: "latest", status: 200, outcome: "ok", ms: 0, psp: null, checks: [], answer: null, token: null },
  ...{ consent: null, account: null, transaction_reference: null, operator: BY_COMMAND },
  ...(about !== null && { about }),
});

/**
 * Records what commands have noted in one database, of each institution by itself. Where records are switched off the rows wait.
 * Throws StoreError if the database does not answer; `failures`: of ledgers that do not.
 */
export async function recordCommandActs(
  env: LedgerEnv & Pick<Env, "LEDGER_RECORDS">,
  db: D1Database,
): Promise<{ readonly recorded: number; readonly failures: readonly string[] }> {
  const failures: string[] = [];
  let recorded = 0;
  if (env.LEDGER_RECORDS === "off") return { recorded, failures };
  const { results } = await callStore("D1", () => db.prepare(COMMAND_ACT_STATEMENTS.list).all<Row>());
  for (const [fiId, rows] of Map.groupBy(results, ({ fi_id }) => fi_id))
    try {
      // another run may have appended them, and failed before it deleted them
      await askLedger(env, fiId, (ledger) => ledger.append(fiId, rows.map(entryOf), true));
      const done = rows.map(({ id }) => db.prepare(COMMAND_ACT_STATEMENTS.delete).bind(id));
      await callStore("D1", () => db.batch(done));
      recorded += rows.length;
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      failures.push(error.message);
    }
  return { recorded, failures };
}
