-- When the newest code of a permission was issued, which is when the customer last agreed to it: a withdrawal that is held up on
-- its way does not end it if that was later (src/grants/withdrawal.ts). A Worker of before leaves it 0, or as it is: then it ends.
ALTER TABLE core_permissions ADD COLUMN last_code_at INTEGER NOT NULL DEFAULT 0;
