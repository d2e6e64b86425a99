-- Lifetimes of an institution's access tokens, in seconds; null: those of the deployment.
-- The bounds are those of src/grants/token-lifetimes.ts. Only adds: the Worker deployed before this does not read them.
ALTER TABLE financial_institutions ADD COLUMN payments_token_seconds INTEGER
  CHECK (payments_token_seconds BETWEEN 60 AND 31622400);
ALTER TABLE financial_institutions ADD COLUMN accounts_token_seconds INTEGER
  CHECK (accounts_token_seconds BETWEEN 60 AND 31622400);
