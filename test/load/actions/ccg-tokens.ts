/** CCG tokens: each opens the open-banking endpoints for one PSP and scope, for an hour. */
import { textLike } from "../answer-difference.ts";
import type { Bank } from "../bank.ts";
import type { PlannedCertificate } from "../world/plan.ts";
import { eidasOf, type Scope } from "./psps.ts";
import { NO_STORE } from "./redirect.ts";

const CCG_TOKEN = textLike("a CCG token", /^[A-Za-z0-9]{1,32}\.[A-Za-z0-9_-]{40,2048}$/);
const CCG_SECONDS = 3_600;

/** The headers of the PSP's further requests. */
export async function obtainCcgToken(
  bank: Bank,
  psp: PlannedCertificate,
  scope: Scope,
): Promise<Record<string, string>> {
  const { body } = await bank.ask(
    {
      method: "POST",
      path: "/v1/obie/ccg_tokens",
      headers: { ...bank.identity, version: bank.drawVersion(), "content-type": "application/json" },
      body: JSON.stringify({ eIDAS: eidasOf(bank, psp), scope }),
    },
    () => ({
      status: 201,
      headers: NO_STORE,
      body: {
        psp_id: psp.pspId,
        access_token: CCG_TOKEN,
        expires_in: CCG_SECONDS,
        token_type: "bearer",
        scope,
        payment_service_number: scope === "payments" ? 7 : 8,
        active: true,
      },
    }),
  );
  return { ...bank.identity, ccg_token: String(Reflect.get(Object(body), "access_token")) };
}
