/** Why a list was not taken. Inside this folder a broken rule is thrown; verify.ts and take.ts turn it into data. */

export type RefusalReason =
  | "empty"
  | "too large"
  | "not UTF-8"
  | "document type"
  | "not well-formed"
  | "too deep"
  | "not a trusted list"
  | "no signature"
  | "several signatures"
  | "misplaced signature"
  | "duplicate Id"
  | "signature form"
  | "references"
  | "transforms"
  | "algorithm"
  | "unknown signer"
  | "signer not valid"
  | "digest"
  | "signature value"
  | "content"
  | "no list of lists"
  | "unknown territory"
  | "pivots"
  | "older than loaded";

export interface Refusal {
  readonly ok: false;
  readonly reason: RefusalReason;
  /** One sentence for the operator: what is wrong, and where. */
  readonly message: string;
}

/** A broken rule, on its way to the function that answers. */
export class ListRefused extends Error {
  override readonly name = "ListRefused";
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Runs the rules; the first broken one becomes the answer. Other errors are bugs, and stay errors. */
export async function answerRefusals<T>(rules: () => Promise<T>): Promise<T | Refusal> {
  try {
    return await rules();
  } catch (error) {
    if (error instanceof ListRefused) return { ok: false, reason: error.reason, message: error.message };
    throw error;
  }
}
