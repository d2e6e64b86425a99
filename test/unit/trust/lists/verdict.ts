/** The name of the rule that a list breaks, or "taken". */

import { bytesOf, type Signer } from "../../../../fixtures/makers/signed-list.ts";
import { answerRefusals } from "../../../../src/trust/lists/elements.ts";
import { verifyList } from "../../../../src/trust/lists/verify.ts";

export async function verdict(text: string, ...permitted: readonly Signer[]): Promise<string> {
  const answer = await answerRefusals(async () => ({
    ok: true as const,
    list: await verifyList(bytesOf(text), () => permitted.map((one) => one.der)),
  }));
  return answer.ok ? "taken" : answer.reason;
}
