/**
 * Each ledger is a chain without a gap, which holds each head that the auditor kept. Each answer that arrived has its record,
 * unless its isolate died within two seconds of it; of an institution that requires its records, each.
 */
import { checkChain, hashRecord } from "../../../src/evidence/ledger/chain.ts";
import { BANKS, Bank, errorsOf } from "../bank.ts";
import { eidas } from "../certificates.ts";
import { Random } from "../random.ts";
import type { Exchange } from "../requests.ts";
import type { World } from "../world.ts";
import type { Invariant, Judged } from "./invariant.ts";

const NAME = "the ledger is whole";
const REQUIRING = "PSDXX-TEST-FI0002";

/** Each check, grant, withdrawal, block and watch leaves a record (docs/interface.md). */
const RECORDED = [
  ["POST", /^\/v1\/(?:oauth2|obie)\/(?:authorization_codes|tokens)$/],
  ["POST", /^\/v1\/obie\/(?:ccg_tokens|account_access_consents|payment_order_consents)$/],
  ["DELETE", /^\/v1\/accounts\/[^/]+\/(?:permissions|block)/],
  ["PUT", /^\/v1\/accounts\/[^/]+\/block/],
  ["DELETE", /^\/v1\/oauth2\/tokens\//],
] as const;

const isRecorded = ({ method, path }: Exchange): boolean =>
  RECORDED.some(([verb, pattern]) => verb === method && pattern.test(path));

/** How soon after its answer a record of the default ledger is appended, where the stores answer. */
const APPENDED_MS = 2_000;
/** How long after an outage what gathered in it may be on its way. */
const CAUGHT_UP_MS = 30_000;

/** Whether it was appended before its isolate died. */
function isAppended({ swarm }: World, { isolate: { diedAt }, servedAt }: Exchange): boolean {
  if (diedAt === null) return true;
  if (servedAt === null || servedAt + APPENDED_MS > diedAt) return false;
  if (swarm.strayShare > 0 || swarm.limits.extendedMs < APPENDED_MS) return false;
  return !swarm.outages.some(
    ({ store, from, until }) =>
      (store === "object" || store === "D1") && from < diedAt && until + CAUGHT_UP_MS > servedAt,
  );
}

export const ledgerIsWhole: Invariant = {
  name: NAME,
  atEnd: async (judged) => {
    for (const credentials of BANKS) {
      const bank = new Bank(judged.world, credentials, new Random(credentials.clientId));
      await wake(judged, bank);
      await judgeLedger(judged, bank);
    }
  },
};

/** A request of each isolate takes up what waits in it. */
async function wake({ world }: Judged, bank: Bank): Promise<void> {
  for (let round = 0; round < 2; round++) {
    for (const isolate of world.isolates.filter(({ alive }) => alive)) {
      const body = { eIDAS: eidas("scenario-1"), scope: "accounts" };
      await bank.call("POST", "/v1/obie/ccg_tokens", { body }, undefined, isolate);
    }
    await world.scheduler.sleep(30_000);
  }
}

async function judgeLedger({ world, facts, broken, occurred }: Judged, bank: Bank): Promise<void> {
  const texts: string[] = [];
  for (let cursor: string | undefined = ""; cursor !== undefined; ) {
    const query = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const page: Exchange = await bank.insist(5, "GET", `/v1/audit/records?limit=200${query}`);
    if (page.status !== 200) return broken(NAME, `the records of ${bank.fi} cannot be read: ${page.status}`);
    texts.unshift(...page.json.data.map(({ text }: { text: string }) => text).reverse());
    cursor = page.json.next_cursor;
  }
  const chain = checkChain(texts);
  occurred(`${NAME}: chain`);
  if (!chain.ok) broken(NAME, `record ${chain.seq} of ${bank.fi} ${chain.reason}`);
  const ids = new Set<string>();
  for (const text of texts) {
    const { id } = JSON.parse(text) as { id: string };
    if (ids.has(id)) broken(NAME, `the record ${id} of ${bank.fi} is there twice`);
    ids.add(id);
  }
  for (const head of facts.heads.filter(({ fi }) => fi === bank.fi)) {
    occurred(`${NAME}: kept head`);
    const text = texts[head.seq - 1];
    if (text === undefined || hashRecord(text) !== head.hash)
      broken(NAME, `the chain of ${bank.fi} does not hold the head ${head.seq} that the auditor kept`);
  }
  for (const exchange of world.exchanges) {
    const { evidenceId, status, isolate, headers } = exchange;
    if (headers["fi_reference_id"] !== bank.fi || !isRecorded(exchange) || evidenceId === null || status === 0)
      continue;
    const required = bank.fi === REQUIRING;
    if (!required && !isAppended(world, exchange)) continue;
    // a store that failed before the institution was known: there is nobody whose ledger it would be
    if (status === 503 && !errorsOf(exchange).includes("answer_withheld")) continue;
    // while it was disabled: nobody's request
    if (status === 401 && errorsOf(exchange).includes("credentials_invalid")) continue;
    // withheld, and its isolate is dead: what it was to append later is gone
    if (status === 503 && !isolate.alive) continue;
    occurred(`${NAME}: ${required ? "required" : isolate.alive ? "default" : "before a death"}`);
    if (!ids.has(evidenceId)) broken(NAME, `request ${exchange.id} was answered with ${status} and has no record`);
  }
}
