-- The console finds the permissions that a PSP has at an institution (src/grants/permission-list.ts); those of payment
-- order consents it finds by payment_order_consents_by_psp. Only adds.

CREATE INDEX account_access_consents_by_psp ON account_access_consents (fi_id, psp_id, id)
WHERE account_id IS NOT NULL;
CREATE INDEX core_permissions_by_psp ON core_permissions (fi_id, psp_id, id);
