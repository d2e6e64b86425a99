/** What actors do in a history. Each entry of the plan is a story of its own, with its own random numbers. */
import { BANKS, Bank } from "./bank.ts";
import { BY_EBA, CHANGING, eidas, NUMBERS, PSPS } from "./certificates.ts";
import { publishByEba, refreshEba } from "./eba-changes.ts";
import {
  type Attempt,
  type Code,
  type Facts,
  SCOPES,
  type Scope,
  type StatusForm,
  type Token,
  type Watch,
} from "./facts.ts";
import { flood } from "./flood.ts";
import type { Kind } from "./kinds.ts";
import { changeLists, refreshLists } from "./list-changes.ts";
import { Officer } from "./officer.ts";
import { disable, erase } from "./operator.ts";
import { CERTIFICATE_NAMES } from "./qtsp.ts";
import type { Random } from "./random.ts";
import { changeRegister } from "./register-changes.ts";
import type { World } from "./world.ts";

export interface Actors {
  readonly facts: Facts;
  readonly world: World;
  readonly accounts: readonly string[];
}

interface Stage extends Actors {
  readonly banks: readonly Bank[];
  readonly random: Random;
  readonly bank: Bank;
  readonly account: string;
}

export async function act(actors: Actors, kind: Kind, random: Random): Promise<void> {
  // each story draws for itself: without one of them the others stay as they are
  const banks = BANKS.map((credentials) => new Bank(actors.world, credentials, random));
  const acting = banks.filter((_, i) => actors.world.swarm.banks.includes(i));
  const stage = { ...actors, random, banks, bank: random.pick(acting), account: random.pick(actors.accounts) };
  switch (kind) {
    case "core grant":
      return await coreGrant(stage);
    case "consent grant":
      return await consentGrant(stage, "accounts");
    case "payment grant":
      return await consentGrant(stage, "payments");
    case "withdrawal of all":
      return await withdrawAll(stage);
    case "withdrawal of a consent":
      return await withdrawConsent(stage);
    case "revocation of a token":
      return await revoke(stage);
    case "deletion of a consent":
      return await deleteConsent(stage);
    case "list of permissions":
      return await listPermissions(stage);
    case "block":
      return await block(stage);
    case "introspection":
      return await introspectAny(stage);
    case "audit":
      return await audit(stage);
    case "status of an institution":
      return await setStatus(stage);
    case "PSP check":
      return await check(stage);
    case "disabling of an institution":
      return await disable({ ...stage, fi: stage.bank.fi });
    case "erasure of an account":
      return await erase({ ...stage, fi: stage.bank.fi }, stage.account);
    case "watch":
      return await watch(stage);
    case "register change":
      return await changeRegister(stage.world, stage.facts, random);
    case "change of lists":
      return await changeLists(stage.world, random);
    case "refresh of lists":
      return await refreshLists(stage.world, random);
    case "publication by the EBA":
      return await publishByEba(stage.world, random);
    case "refresh of the EBA's register":
      return await refreshEba(stage.world, stage.facts, random);
    case "flood":
      return await flood(stage.world, random);
    case "revocation of a certificate":
      return await revokeCertificate(stage);
  }
}

const REDIRECT = "https://psp.example/callback";

async function coreGrant(stage: Stage): Promise<void> {
  const { facts, world, bank, account, random } = stage;
  const [psp, scope] = [random.pick(world.swarm.psps), random.pick(SCOPES)];
  const parameters = { response_type: "code", redirect_uri: REDIRECT, scope };
  const body = { account_id: account, client_request_query_parameters: parameters };
  const issue = await bank.insist(3, "POST", "/v1/oauth2/authorization_codes", {
    headers: { eidas: eidas(psp) },
    body,
  });
  const text: string | undefined = issue.json?.data?.redirect_uri?.parameters?.code;
  if (issue.status !== 201 || text === undefined) return;
  const code: Code = {
    flow: "core",
    fi: bank.fi,
    account,
    psp,
    scope,
    consentId: null,
    consentEndsAt: null,
    text,
    issue,
    attempts: [],
  };
  facts.codes.push(code);
  await useCode(stage, code, async (as, given) => {
    const sent = { grant_type: "authorization_code", code: text, redirect_uri: REDIRECT };
    const use = { account_id: account, client_request_query_parameters: sent };
    return await bank.call("POST", "/v1/oauth2/tokens", { headers: { eidas: eidas(as) }, body: use }, given);
  });
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

async function consentGrant(stage: Stage, scope: Scope): Promise<void> {
  const { facts, world, bank, account, random } = stage;
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
    const text: string | undefined = issue.json?.data?.redirect_uri?.parameters?.code;
    if (issue.status !== 201 || text === undefined) break;
    const code: Code = {
      flow: "obie",
      fi: bank.fi,
      account,
      psp,
      scope,
      consentId,
      consentEndsAt: endsAt,
      text,
      issue,
      attempts: [],
    };
    facts.codes.push(code);
    const use = useCode(stage, code, async (as, given) => {
      const own = as === psp ? ccgToken : await obtainCcg(stage, as, scope);
      if (own === null) return null;
      const body = { auth_code: text, redirect_uri: REDIRECT };
      return await bank.call("POST", "/v1/obie/tokens", { headers: { ccg_token: own }, body }, given);
    });
    // of one payment both codes may be on their way
    if (random.chance(0.5)) await use;
    uses.push(use);
  }
  await Promise.all(uses);
}

type Redeem = (psp: string, sent: (exchange: Attempt["exchange"]) => void) => Promise<Attempt["exchange"] | null>;

async function obtainCcg({ bank }: Stage, psp: string, scope: Scope): Promise<string | null> {
  const body = { eIDAS: eidas(psp), scope };
  return (await bank.insist(3, "POST", "/v1/obie/ccg_tokens", { body })).json?.access_token ?? null;
}

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
async function introspectAny(stage: Stage): Promise<void> {
  const { facts, random, banks } = stage;
  if (facts.tokens.length > 0) await introspect(stage, random.pick(banks), random.pick(facts.tokens));
}

async function withdraw(stage: Stage, consentId: string | null): Promise<void> {
  const { facts, bank, account } = stage;
  const path = `/v1/accounts/${account}/permissions${consentId === null ? "" : `/${consentId}`}?by=customer`;
  await bank.insist(3, "DELETE", path, {}, (exchange) =>
    facts.ends.push({ fi: bank.fi, account, consentId, token: null, exchange }),
  );
}

/** The customer may agree again at once. */
async function withdrawAll(stage: Stage): Promise<void> {
  await withdraw(stage, null);
  if (stage.random.chance(0.5)) await coreGrant(stage);
}

async function withdrawConsent(stage: Stage): Promise<void> {
  const { facts, bank, random } = stage;
  const known = facts.codes.filter(({ fi, consentId }) => fi === bank.fi && consentId !== null);
  if (known.length === 0) return;
  const { account, consentId } = random.pick(known);
  await withdraw({ ...stage, account }, consentId);
}

/** Its PSP ends it. */
async function deleteConsent(stage: Stage): Promise<void> {
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

/** As the bank shows them to its customer. */
async function listPermissions({ facts, bank, account }: Stage): Promise<void> {
  await bank.call("GET", `/v1/accounts/${account}/permissions`, {}, (exchange) =>
    facts.listings.set(exchange, { fi: bank.fi, account }),
  );
}

async function revoke({ facts, bank, random }: Stage): Promise<void> {
  const known = facts.tokens.filter(({ code }) => code.fi === bank.fi);
  if (known.length === 0) return;
  const token = random.pick(known);
  const { account } = token.code;
  await bank.insist(3, "DELETE", `/v1/oauth2/tokens/${token.text}`, {}, (exchange) =>
    facts.ends.push({ fi: bank.fi, account, consentId: null, token, exchange }),
  );
}

/** The bank blocks an account, and lifts that later. */
async function block({ facts, bank, account, random }: Stage): Promise<void> {
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

/** An operator enables an institution, and another one soon disables it. */
async function setStatus({ facts, world, random }: Stage): Promise<void> {
  const note = (change: StatusForm) => void facts.statusForms.push(change);
  const enabling = new Officer(world, random.fork("enables")).setStatus("active", random.between(1, 2), note);
  await world.scheduler.sleep(random.between(2_000, 15_000));
  await new Officer(world, random.fork("disables")).setStatus("disabled", 3, note);
  await enabling;
}

/** The auditor keeps a head. */
async function audit({ facts, bank }: Stage): Promise<void> {
  const exchange = await bank.call("GET", "/v1/audit/head");
  const head = exchange.json?.data;
  // 0: no record yet
  if (exchange.status === 200 && head?.seq > 0) facts.heads.push({ fi: bank.fi, seq: head.seq, hash: head.hash });
}

/** Some times, as before each access. */
async function check({ world, bank, random }: Stage): Promise<void> {
  const headers = { eidas: eidas(random.pick(world.swarm.psps)) };
  for (let times = random.between(1, 3); times > 0; times--) {
    await bank.call("GET", "/v1/psp/eidas?version=latest&jurisdiction=XX", { headers });
    await world.scheduler.sleep(random.between(1_000, 50_000));
  }
}

/** A QTSP revokes a certificate, or holds it, and lifts that. */
async function revokeCertificate({ world, random }: Stage): Promise<void> {
  const { network, scheduler, trace } = world;
  const issued = CERTIFICATE_NAMES.filter((name) => world.swarm.psps.includes(name));
  if (issued.length === 0) return;
  const name = random.pick(issued);
  if (network.qtsp.changes.some((change) => change.name === name)) return;
  const status = random.chance(0.6) ? "revoked" : "hold";
  trace.mark(`the QTSP sets the certificate "${name}": ${status}`);
  network.qtsp.set(name, status);
  if (status === "revoked") return;
  await scheduler.sleep(random.between(15_000, 60_000));
  trace.mark(`the QTSP sets the certificate "${name}": good`);
  network.qtsp.set(name, "good");
}

/** A bank begins to watch a PSP, and sometimes ends that. */
async function watch({ world, facts, bank, random }: Stage): Promise<void> {
  const psp = random.pick<Watch["psp"]>(world.swarm.eba ? [...CHANGING, BY_EBA] : CHANGING);
  const note = (begins: boolean) => (exchange: Attempt["exchange"]) =>
    void facts.watches.push({ fi: bank.fi, psp, begins, exchange });
  const path = `/v1/psp/watches/${NUMBERS[psp]}`;
  await bank.insist(3, "PUT", path, { body: {} }, note(true));
  if (random.chance(0.8)) return;
  await world.scheduler.sleep(random.between(1_000, 60_000));
  await bank.insist(2, "DELETE", path, {}, note(false));
}
