-- Why somebody at the bank withdrew or blocked, in their words, if they said it in the console (src/console/permissions/): at most 200
-- characters. It is in no record, and goes with its row.
ALTER TABLE account_access_consents ADD COLUMN ended_reason TEXT;
ALTER TABLE payment_order_consents ADD COLUMN ended_reason TEXT;
ALTER TABLE core_permissions ADD COLUMN ended_reason TEXT;
ALTER TABLE account_blocks ADD COLUMN reason TEXT; -- null, too, once it is lifted
