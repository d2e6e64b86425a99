/** An institution that was disabled stays so until somebody enables it who saw that: a form from before, which comes late, does not. */
import { isBefore, type StatusForm } from "../facts.ts";
import { WATCHED_FI } from "../seed.ts";
import type { Invariant } from "./invariant.ts";

const NAME = "disabled stays disabled";
const STATUS = "SELECT status FROM financial_institutions WHERE fi_reference_id = ?1";

/** The browser is sent on when it was done. */
const isDone = ({ exchange }: StatusForm): boolean => exchange.status === 303;

export const disabledStaysDisabled: Invariant = {
  name: NAME,
  onStep: ({ world, facts, broken, occurred }, store) => {
    if (store !== "D1") return;
    const enablings = facts.statusForms.filter(({ to }) => to === "active");
    const disabling = facts.statusForms.find(
      (each) => each.to === "disabled" && isDone(each) && enablings.every(({ form }) => isBefore(form, each.exchange)),
    );
    if (!disabling) return;
    if (enablings.length > 0) occurred(NAME);
    if (world.database.read(STATUS, WATCHED_FI)[0]?.["status"] !== "disabled")
      broken(NAME, `${WATCHED_FI} is active again, after request ${disabling.exchange.id} had disabled it`);
  },
};
