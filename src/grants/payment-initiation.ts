/**
 * A payment order: UK Open Banking's domestic payment initiation (OBWriteDomestic2, "Initiation") in snake case, with
 * its maximum lengths. The interface does not define this object.
 */

import * as z from "zod";
import { once } from "../platform/memory.ts";
import { optional, text } from "../platform/schemas.ts";
import { AMOUNT_PATTERN, findAmountFault } from "./amounts.ts";
import { findCurrencyDigits } from "./currencies.ts";

const account = once(() =>
  z.object({ scheme_name: text(40), identification: text(256), name: text(350) }, "is not an object"),
);

/** The patterns are for the document: what is wrong is said below. */
const amount = () => text(19).meta({ pattern: AMOUNT_PATTERN.source });
const currency = () => text(3).meta({ pattern: "^[A-Z]{3}$" });

const instructedAmount = () =>
  z.object({ amount: amount(), currency: currency() }, "is not an object").superRefine((given, ctx) => {
    const digits = findCurrencyDigits(given.currency);
    if (digits === null) {
      ctx.addIssue({ code: "custom", path: ["currency"], message: "is not a currency of ISO 4217" });
      return;
    }
    const fault = findAmountFault(given.amount, digits);
    if (fault !== null) ctx.addIssue({ code: "custom", path: ["amount"], message: fault });
  });

export const initiation = once(() =>
  z.object(
    {
      instruction_identification: text(35),
      end_to_end_identification: text(35),
      instructed_amount: instructedAmount(),
      debtor_account: optional(account().extend({ name: optional(text(350)) })),
      creditor_account: account(),
      remittance_information: optional(
        z.object({ unstructured: optional(text(140)), reference: optional(text(35)) }, "is not an object"),
      ),
    },
    "is not an object",
  ),
);
