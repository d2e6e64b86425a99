/**
 * The header `transaction_reference`: the caller's own name for what it is doing, so that its records and this service's
 * log can be joined. It is optional, logged, and given back with the answer, also with an error.
 */
import { createMiddleware } from "hono/factory";
import type { AppEnv, TransactionReference } from "../context.ts";
import { ApiError } from "../errors/errors.ts";

const MAX_CHARACTERS = 128;

/** Null without the header. Neither names the value: it may be a secret that was sent in the wrong header. */
export function parseTransactionReference(given: string | undefined): TransactionReference | null {
  if (given === undefined) return null;
  if (given === "") return { ok: false, fault: "is empty" };
  if (given.length > MAX_CHARACTERS) return { ok: false, fault: `is ${given.length} characters long` };
  if (!/^[\x20-\x7e]+$/.test(given)) return { ok: false, fault: "has a character that is not printable ASCII" };
  return { ok: true, text: given };
}

/** Refuses a value that cannot be logged and given back as it is. */
export const transactionReference = createMiddleware<AppEnv>(async (c, next) => {
  const reference = c.get("reference");
  if (reference && !reference.ok) {
    const title = `Header transaction_reference ${reference.fault}: send 1 to ${MAX_CHARACTERS} printable ASCII characters`;
    throw new ApiError({ code: "transaction_reference_invalid", title });
  }
  await next();
});
