-- When a certificate was last observed, and whether its PSP was in its home register then: a country with many that are
-- not is one whose numbers differ (src/registers/holes.ts). Both are null before its next observation.
ALTER TABLE shown_certificates ADD COLUMN observed_on TEXT; -- a day of UTC: 2026-11-28
ALTER TABLE shown_certificates ADD COLUMN in_register INTEGER CHECK (in_register IN (0, 1)); -- null: the register was not loaded, or ambiguous

-- the PSPs of a day
CREATE INDEX shown_certificates_by_day ON shown_certificates (observed_on, psp_id, in_register) WHERE observed_on IS NOT NULL;
