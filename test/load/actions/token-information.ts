/** What is said of a token that was given before: its record, or its open-banking information. */
import { wholeNumberFrom } from "../answer-difference.ts";
import type { Bank } from "../bank.ts";
import { drawOne } from "../mix.ts";
import { planCertificate } from "../world/plan.ts";
import { obtainCcgToken } from "./ccg-tokens.ts";
import { readRecord, runCoreFlow } from "./core-flow.ts";
import { forgetEnding, type KnownToken } from "./known-token.ts";
import { NO_STORE } from "./redirect.ts";

export async function askForToken(bank: Bank): Promise<void> {
  forgetEnding(bank.tokens, Date.now() / 1_000);
  if (bank.tokens.length === 0) await runCoreFlow(bank);
  const token = drawOne(bank.random, bank.tokens);
  // of an open-banking token either endpoint tells
  if (token.flow === "open banking" && bank.random() < 0.5) await readInformation(bank, token);
  else await readRecord(bank, token);
}

async function readInformation(bank: Bank, token: KnownToken): Promise<void> {
  const headers = await obtainCcgToken(bank, planCertificate(token.certificate), token.scope);
  const { text, revokedAt } = token;
  const exp = Number(token.exp);
  await bank.ask(
    { method: "GET", path: `/v1/obie/tokens/${text}`, headers: { ...headers, version: bank.drawVersion() } },
    ({ sentAt, receivedAt }) => ({
      status: 200,
      headers: NO_STORE,
      body: {
        data: {
          access_token: text,
          expires_in:
            revokedAt === null
              ? wholeNumberFrom(exp - Math.floor(receivedAt / 1_000), exp - Math.floor(sentAt / 1_000))
              : 0,
          token_type: "bearer",
          active: revokedAt === null,
        },
      },
    }),
  );
}
