-- What a write that is held up on its way is told from a newer one by (src/store-error.ts). Only adds: a Worker of before
-- leaves these columns as they are.

-- Larger with each change of `status`; of two changes the larger counts, whichever is carried out last
-- (src/institution-placement.ts).
ALTER TABLE financial_institutions ADD COLUMN status_version INTEGER NOT NULL DEFAULT 0;
