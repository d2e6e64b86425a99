-- How long the receiver of a webhook takes to answer: a run takes no more of its deliveries than it answers in a share of the
-- time (src/events/pace.ts). A Worker of before leaves it as it is.
ALTER TABLE webhooks ADD COLUMN answer_ms INTEGER; -- of a recent answer; null: it has given none
