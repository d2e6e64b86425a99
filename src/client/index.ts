/** The package's public names. */

export type { Authorization, CallOptions, Listing, Page } from "./call.ts";
export type { ErrorCode } from "./error-codes.ts";
export type { RetryAdvice, Whose } from "./errors.ts";
export {
  CallError,
  NetworkError,
  type Problem,
  PspGateError,
  RedirectError,
  TimeoutError,
  UnexpectedAnswerError,
} from "./errors.ts";
export { type Access, PspGate } from "./psp-gate.ts";
export type * from "./records.ts";
export type { HeaderValues, RawAnswer, RawRequest } from "./request.ts";
export type { Fetch, PspGateOptions, RetryOptions, Version } from "./settings.ts";
export { type FieldValues, VerificationError } from "./verification.ts";
export type { ProvenAnswer, ReceivedAnswer, SentRequest, SigningKeys, VerifyOptions } from "./verify-answer.ts";
export { verifyAnswer } from "./verify-answer.ts";
export { verifyWebhook } from "./verify-webhook.ts";
