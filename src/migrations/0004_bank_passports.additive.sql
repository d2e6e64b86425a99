-- What an institution chose for banks abroad, whose passports no register publishes (src/psp-check/decision.ts): whether their
-- authorisation at home is enough. Null: it never chose, which counts as refuse.
ALTER TABLE financial_institutions ADD COLUMN bank_passports TEXT CHECK (bank_passports IN ('accept', 'refuse'));
