/** Why a list was refused. The rules in this folder throw; `answerRefusals` turns the error into a result. */

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

/** Thrown when a rule is violated. */
export class ListRefused extends Error {
  override readonly name = "ListRefused";
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Runs the rules and returns a refusal for the first violated one. Any other error is a bug and is thrown again. */
export async function answerRefusals<T>(rules: () => Promise<T>): Promise<T | Refusal> {
  try {
    return await rules();
  } catch (error) {
    if (error instanceof ListRefused) return { ok: false, reason: error.reason, message: error.message };
    throw error;
  }
}
