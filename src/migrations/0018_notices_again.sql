-- A notice is told again from the first institution whose database did not answer (src/events/notices.ts). Only adds: a
-- Worker of before leaves such institutions out.
ALTER TABLE notices ADD COLUMN left_out INTEGER; -- null: none, since it was begun
