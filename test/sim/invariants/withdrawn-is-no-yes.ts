/**
 * A PSP that has lost its authorisation gets nothing, two minutes after the import of the register that says so. One that has it
 * is not refused for that.
 */

import { errorsOf } from "../bank.ts";
import { eidas, WATCHED } from "../certificates.ts";
import { keepTime } from "../clocks.ts";
import type { Facts } from "../facts.ts";
import { findPossible, MEMORY_MS } from "../register-changes.ts";
import type { Exchange } from "../requests.ts";
import type { Invariant } from "./invariant.ts";

const NAME = "withdrawn is no yes";

function findPsp(facts: Facts, exchange: Exchange): string | undefined {
  const code = facts.attempts.get(exchange)?.code ?? facts.introspections.get(exchange)?.token.code;
  if (code) return code.psp;
  const shown = exchange.headers["eidas"] ?? (exchange.body as { readonly eIDAS?: string } | undefined)?.eIDAS;
  return WATCHED.find((name) => eidas(name) === shown);
}

/** Null: the answer is about something else. */
function isAllowed(exchange: Exchange): boolean | null {
  const { json, status, path } = exchange;
  // it says who asks; the registers are read at each use of it
  if (path === "/v1/obie/ccg_tokens") return null;
  const entries: readonly { readonly pspAuthStatus?: string }[] | undefined = json?.homeRegister?.categoryEntries;
  if (entries) return entries.some(({ pspAuthStatus }) => pspAuthStatus === "Authorised");
  if (errorsOf(exchange).includes("payment_service_invalid")) return false;
  if (status === 201) return true;
  // a token is active for as long as its customer agrees: beside it stands what its PSP may do (docs/decisions/codes-and-tokens.md)
  const { allowed, reasons = [] } = json?.psp?.decision ?? {};
  const isWithdrawn = reasons.some(({ code }: { readonly code: string }) => code === "authorisation_withdrawn");
  return allowed === true || isWithdrawn ? !isWithdrawn : null;
}

export const withdrawnIsNoYes: Invariant = {
  name: NAME,
  onAnswer: ({ world, facts, broken, occurred }, exchange) => {
    // a memory lasts longer by a clock that is slow
    if ((facts.imports.length === 0 && !world.swarm.eba) || !keepTime(world.swarm.clocks)) return;
    const psp = findPsp(facts, exchange);
    const allowed = isAllowed(exchange);
    if (psp === undefined || allowed === null) return;
    const possible = findPossible(world, facts, psp, exchange.sentAt - MEMORY_MS, exchange.answeredAt ?? 0);
    if (possible.size > 1) return;
    occurred(possible.has(false) ? NAME : `${NAME}: authorised`);
    if (allowed && possible.has(false))
      broken(NAME, `request ${exchange.id} was accepted of "${psp}", which lost its authorisation`);
    if (!allowed && possible.has(true))
      broken(NAME, `request ${exchange.id} was refused of "${psp}", which is authorised`);
  },
};
