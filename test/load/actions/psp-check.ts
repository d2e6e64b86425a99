/** GET /v1/psp/eidas of any certificate of the plan, for the home and the host country, in both versions. */
import type { Bank } from "../bank.ts";
import { expectedCheck } from "../world/expected-check.ts";
import { CERTIFICATES, HOME, HOST } from "../world/plan.ts";

export async function checkPsp(bank: Bank): Promise<void> {
  const index = Math.floor(bank.random() * CERTIFICATES);
  const jurisdiction = bank.random() < 0.5 ? HOME : HOST;
  const version = bank.drawVersion();
  await bank.ask(
    {
      method: "GET",
      path: `/v1/psp/eidas?jurisdiction=${jurisdiction.toLowerCase()}`,
      headers: { ...bank.identity, version, eidas: bank.world.certificates[index]?.base64 ?? "" },
    },
    (exchange) => ({
      status: 200,
      body: expectedCheck(bank.world, index, jurisdiction, version === "latest" ? exchange : null),
    }),
  );
}
