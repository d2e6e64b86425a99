/** The package's public names. */
export type { RetryAdvice, Whose } from "./advice.ts";
export type { CallOptions } from "./call.ts";
export type { ErrorCode } from "./error-codes.ts";
export {
  CallError,
  NetworkError,
  type Problem,
  PspGateError,
  RedirectError,
  TimeoutError,
  UnexpectedAnswerError,
} from "./errors.ts";
export type { Listing, Page } from "./listing.ts";
export { PspGate } from "./psp-gate.ts";
export type * from "./records.ts";
export type { Authorization } from "./redirect.ts";
export type { RetryOptions } from "./retry.ts";
export type { Fetch, PspGateOptions, Version } from "./settings.ts";
export type { HeaderValues, RawAnswer, RawRequest } from "./transport.ts";
