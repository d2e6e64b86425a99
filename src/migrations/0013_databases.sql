-- In which database an institution's tokens, consents and permissions are: 1 is DB, n is DB_n (src/databases.ts). Only
-- adds: all that there is stays in the first. Every database has every table. The row of the first is the one that
-- counts; another database holds a copy of the rows of its institutions (src/institution-placement.ts), because the
-- statements that store a token, the trigger of 0007 and the foreign keys read it there.
ALTER TABLE financial_institutions ADD COLUMN database INTEGER NOT NULL DEFAULT 1 CHECK (database >= 1);
