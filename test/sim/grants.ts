/** A customer agrees, a PSP gets its code and exchanges it, and a resource server asks for the token. */
import type { Bank } from "./bank.ts";
import { eidas, PSPS } from "./certificates.ts";
import { withdraw } from "./endings.ts";
import { type Attempt, type Code, SCOPES, type Scope, type Token } from "./facts.ts";
import type { Exchange } from "./requests.ts";
import { obtainCcg, type Stage } from "./stage.ts";

const REDIRECT = "https://psp.example/callback";

export async function coreGrant(stage: Stage): Promise<void> {
  const { world, bank, account, random } = stage;
  const [psp, scope] = [random.pick(world.swarm.psps), random.pick(SCOPES)];
  const parameters = { response_type: "code", redirect_uri: REDIRECT, scope };
  const body = { account_id: account, client_request_query_parameters: parameters };
  const issue = await bank.insist(3, "POST", "/v1/oauth2/authorization_codes", {
    headers: { eidas: eidas(psp) },
    body,
  });
  const code = noteCode(stage, issue, { flow: "core", psp, scope, consentId: null, consentEndsAt: null });
  if (code === null) return;
  await useCode(stage, code, async (as, given) => {
    const sent = { grant_type: "authorization_code", code: code.text, redirect_uri: REDIRECT };
    const use = { account_id: account, client_request_query_parameters: sent };
    return await bank.call("POST", "/v1/oauth2/tokens", { headers: { eidas: eidas(as) }, body: use }, given);
  });
}

/** What the PSP was given; null: no code. */
function noteCode(
  { facts, bank, account }: Stage,
  issue: Exchange,
  about: Pick<Code, "flow" | "psp" | "scope" | "consentId" | "consentEndsAt">,
): Code | null {
  const text: string | undefined = issue.json?.data?.redirect_uri?.parameters?.code;
  if (issue.status !== 201 || text === undefined) return null;
  const code: Code = { ...about, fi: bank.fi, account, text, issue, attempts: [] };
  facts.codes.push(code);
  return code;
}

const OPEN_ENDED = {
  permissions: ["ReadAccountsBasic", "ReadBalances"],
  expiration_date_time: null,
  transaction_from_date_time: null,
  transaction_to_date_time: null,
};

const INITIATION = {
  instruction_identification: "ANSM021",
  end_to_end_identification: "FRESCO.21302.GFX.37",
  instructed_amount: { amount: "165.88", currency: "EUR" },
  creditor_account: { scheme_name: "IBAN", identification: "XX0700000000000001", name: "Acme Ltd" },
  remittance_information: { unstructured: "Invoice 37", reference: "FRESCO-037" },
};

export async function consentGrant(stage: Stage, scope: Scope): Promise<void> {
  const { world, bank, account, random } = stage;
  const psp = random.pick(world.swarm.psps);
  const ccgToken = await obtainCcg(stage, psp, scope);
  if (ccgToken === null) return;
  const headers = { ccg_token: ccgToken };
  const path = scope === "accounts" ? "account_access_consents" : "payment_order_consents";
  const endsAt =
    scope === "accounts" && random.chance(0.2) ? world.scheduler.now + random.between(30_000, 300_000) : null;
  const ends = endsAt === null ? {} : { expiration_date_time: new Date(endsAt).toISOString() };
  const data = scope === "accounts" ? { ...OPEN_ENDED, ...ends } : { initiation: INITIATION };
  const made = await bank.insist(3, "POST", `/v1/obie/${path}`, { headers, body: { data } });
  const consentId: string | undefined = made.json?.data?.consent_id;
  if (consentId === undefined) return;
  const uses: Promise<void>[] = [];
  for (let codes = random.between(1, 2); codes > 0; codes--) {
    const body = { consent_id: consentId, psu_account_id: account, redirect_uri: REDIRECT, scope };
    const issue = await bank.insist(3, "POST", "/v1/obie/authorization_codes", { headers, body });
    const code = noteCode(stage, issue, { flow: "obie", psp, scope, consentId, consentEndsAt: endsAt });
    if (code === null) break;
    const use = useCode(stage, code, async (as, given) => {
      const own = as === psp ? ccgToken : await obtainCcg(stage, as, scope);
      if (own === null) return null;
      const body = { auth_code: code.text, redirect_uri: REDIRECT };
      return await bank.call("POST", "/v1/obie/tokens", { headers: { ccg_token: own }, body }, given);
    });
    // of one payment both codes may be on their way
    if (random.chance(0.5)) await use;
    uses.push(use);
  }
  await Promise.all(uses);
}

type Redeem = (psp: string, sent: (exchange: Attempt["exchange"]) => void) => Promise<Attempt["exchange"] | null>;

/** The PSP exchanges its code, perhaps twice; a thief may try it, too. */
async function useCode(stage: Stage, code: Code, redeem: Redeem): Promise<void> {
  const { facts, bank, random } = stage;
  const { scheduler } = bank.world;
  const attempt = async (psp: string) => {
    const exchange = await redeem(psp, (sent) => {
      const made = { exchange: sent, code, lawful: psp === code.psp };
      code.attempts.push(made);
      facts.attempts.set(sent, made);
    });
    if (exchange?.status !== 201) return exchange;
    const token = { text: exchange.json.data.access_token as string, code, issue: exchange };
    facts.tokens.push(token);
    void useToken(stage, token);
    return exchange;
  };
  await scheduler.sleep(
    random.pick([random.between(50, 3_000), random.between(100, 20_000), random.between(50, 64_000)]),
  );
  if (random.chance(0.1)) await attempt(PSPS.find((psp) => psp !== code.psp) ?? code.psp);
  // a reload of the redirect's page
  const twice = random.chance(0.25) ? scheduler.sleep(random.between(0, 6_000)).then(() => attempt(code.psp)) : null;
  for (let tries = random.between(1, 6); tries > 0; tries--) {
    const exchange = await attempt(code.psp);
    if (exchange && exchange.status !== 0 && exchange.status < 500) break;
    // a library sends at once again, a person later
    await scheduler.sleep(random.pick([random.between(0, 300), random.between(500, 12_000)]));
  }
  await twice;
}

/** A resource server asks for the token some times. */
async function useToken(stage: Stage, token: Token): Promise<void> {
  const { bank, random } = stage;
  // a customer who regrets
  if (random.chance(0.2)) {
    await bank.world.scheduler.sleep(random.between(100, 5_000));
    await withdraw({ ...stage, account: token.code.account }, random.chance(0.5) ? null : token.code.consentId);
  }
  for (let times = random.between(0, 3); times > 0; times--) {
    await bank.world.scheduler.sleep(random.between(100, 40_000));
    await introspect(stage, bank, token);
  }
}

async function introspect({ facts }: Stage, bank: Bank, token: Token): Promise<void> {
  await bank.call("POST", "/v1/introspect", { body: { token: token.text } }, (exchange) =>
    facts.introspections.set(exchange, { exchange, token, fi: bank.fi }),
  );
}

/** Also at the other institution. */
export async function introspectAny(stage: Stage): Promise<void> {
  const { facts, random, banks } = stage;
  if (facts.tokens.length > 0) await introspect(stage, random.pick(banks), random.pick(facts.tokens));
}
