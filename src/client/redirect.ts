/** The answer to a request for an authorization code: in either case an address for the customer's browser. */
import { type CallOptions, type Connection, callOperation } from "./call.ts";
import type { Problem } from "./errors.ts";
import type { Operation } from "./operation.ts";
import type { RedirectRecord, RedirectRefusal } from "./records.ts";

/**
 * A refusal is a result, not an exception: the PSP has to learn of it by the redirect, exactly as of a code (RFC 6749
 * section 4.1.2.1). So a bank that looks at nothing else sends the browser to `redirect_uri.full_uri`, and is right.
 */
export type Authorization =
  | { readonly granted: true; readonly redirect_uri: RedirectRecord }
  | {
      readonly granted: false;
      readonly redirect_uri: RedirectRefusal;
      /** For the bank's own log; the PSP gets OAuth's `error` and `error_description`. */
      readonly errors: readonly Problem[];
    };

export async function authorize(
  connection: Connection,
  operation: Operation,
  parameters: object,
  options?: CallOptions,
): Promise<Authorization> {
  const { status, body } = await callOperation(connection, operation, parameters, options);
  const { redirect_uri } = body["data"] as { redirect_uri: never };
  return status === operation.accept
    ? { granted: false, redirect_uri, errors: body["errors"] as Problem[] }
    : { granted: true, redirect_uri };
}
