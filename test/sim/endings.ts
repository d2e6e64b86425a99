/** Customers, PSPs and banks end what was agreed to, or block an account. */
import { type Attempt, SCOPES } from "./facts.ts";
import { obtainCcg, type Stage } from "./stage.ts";

export async function withdraw(stage: Stage, consentId: string | null): Promise<void> {
  const { facts, bank, account } = stage;
  const path = `/v1/accounts/${account}/permissions${consentId === null ? "" : `/${consentId}`}?by=customer`;
  await bank.insist(3, "DELETE", path, {}, (exchange) =>
    facts.ends.push({ fi: bank.fi, account, consentId, token: null, exchange }),
  );
}

export async function withdrawConsent(stage: Stage): Promise<void> {
  const { facts, bank, random } = stage;
  const known = facts.codes.filter(({ fi, consentId }) => fi === bank.fi && consentId !== null);
  if (known.length === 0) return;
  const { account, consentId } = random.pick(known);
  await withdraw({ ...stage, account }, consentId);
}

/** Its PSP ends it. */
export async function deleteConsent(stage: Stage): Promise<void> {
  const { facts, bank, random } = stage;
  const known = facts.codes.filter(
    ({ fi, consentId, scope }) => fi === bank.fi && consentId !== null && scope === "accounts",
  );
  if (known.length === 0) return;
  const { account, consentId, psp } = random.pick(known);
  const ccgToken = await obtainCcg(stage, psp, "accounts");
  if (ccgToken === null) return;
  const headers = { ccg_token: ccgToken };
  await bank.insist(3, "DELETE", `/v1/obie/account_access_consents/${consentId}`, { headers }, (exchange) =>
    facts.ends.push({ fi: bank.fi, account, consentId, token: null, exchange }),
  );
}

export async function revoke({ facts, bank, random }: Stage): Promise<void> {
  const known = facts.tokens.filter(({ code }) => code.fi === bank.fi);
  if (known.length === 0) return;
  const token = random.pick(known);
  const { account } = token.code;
  await bank.insist(3, "DELETE", `/v1/oauth2/tokens/${token.text}`, {}, (exchange) =>
    facts.ends.push({ fi: bank.fi, account, consentId: null, token, exchange }),
  );
}

/** The bank blocks an account, and lifts that later. */
export async function block({ facts, bank, account, random }: Stage): Promise<void> {
  const path = `/v1/accounts/${account}/block`;
  const note = (blocks: boolean) => (exchange: Attempt["exchange"]) =>
    void facts.blocks.push({ fi: bank.fi, account, block: blocks, exchange });
  const put = () => bank.insist(3, "PUT", path, { body: { scopes: SCOPES } }, note(true));
  await put();
  await bank.world.scheduler.sleep(random.between(500, 20_000));
  await bank.insist(random.between(1, 3), "DELETE", path, {}, note(false));
  if (random.chance(0.5)) return;
  // that was a mistake: it blocks again, and lifts it much later
  await bank.world.scheduler.sleep(random.between(200, 5_000));
  await put();
  await bank.world.scheduler.sleep(random.between(30_000, 60_000));
  await bank.insist(3, "DELETE", path, {}, note(false));
}
