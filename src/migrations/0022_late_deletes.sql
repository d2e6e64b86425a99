-- When a block or a watch was asked for last: a DELETE names the row that it has seen, so that one that is held up on its way
-- finds no row of a later PUT (src/grants/account-block.ts, src/events/watches.ts). created_at stays that of the first PUT.
-- A Worker of before leaves it 0, or as it is.
ALTER TABLE account_blocks ADD COLUMN put_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE psp_watches ADD COLUMN put_at INTEGER NOT NULL DEFAULT 0;
