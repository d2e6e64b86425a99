/** What actors do in a history. Each entry of the plan is a story of its own, with its own random numbers. */
import { BANKS, Bank } from "./bank.ts";
import { CHANGING, eidas, NUMBERS, WATCHED } from "./certificates.ts";
import { publishByEba, refreshEba } from "./eba-changes.ts";
import { block, deleteConsent, revoke, withdraw, withdrawConsent } from "./endings.ts";
import type { Attempt, StatusForm, Watch } from "./facts.ts";
import { flood } from "./flood.ts";
import { consentGrant, coreGrant, introspectAny } from "./grants.ts";
import type { Kind } from "./kinds.ts";
import { changeLists, refreshLists } from "./list-changes.ts";
import { Officer } from "./officer.ts";
import { disable, erase } from "./operator.ts";
import { endSessions } from "./people.ts";
import { CERTIFICATE_NAMES } from "./qtsp.ts";
import type { Random } from "./random.ts";
import { changeRegister } from "./register-changes.ts";
import type { Actors, Stage } from "./stage.ts";

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
    case "end of sessions":
      return await endSessions(stage);
    case "flood":
      return await flood(stage.world, random);
    case "revocation of a certificate":
      return await revokeCertificate(stage);
  }
}

/** The customer may agree again at once. */
async function withdrawAll(stage: Stage): Promise<void> {
  await withdraw(stage, null);
  if (stage.random.chance(0.5)) await coreGrant(stage);
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
  const psp = random.pick<Watch["psp"]>(world.swarm.eba ? WATCHED : CHANGING);
  const note = (begins: boolean) => (exchange: Attempt["exchange"]) =>
    void facts.watches.push({ fi: bank.fi, psp, begins, exchange });
  const path = `/v1/psp/watches/${NUMBERS[psp]}`;
  await bank.insist(3, "PUT", path, { body: {} }, note(true));
  if (random.chance(0.8)) return;
  await world.scheduler.sleep(random.between(1_000, 60_000));
  await bank.insist(2, "DELETE", path, {}, note(false));
}

/** As the bank shows them to its customer. */
async function listPermissions({ facts, bank, account }: Stage): Promise<void> {
  await bank.call("GET", `/v1/accounts/${account}/permissions`, {}, (exchange) =>
    facts.listings.set(exchange, { fi: bank.fi, account }),
  );
}
