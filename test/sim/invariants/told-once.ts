/**
 * Each change of a PSP that a bank watches is listed once and in order, and each listed event is delivered: at least once, signed,
 * and of one PSP in the order of the list. When all is well again, nothing is left to deliver.
 */

import { BANKS, Bank } from "../bank.ts";
import { NUMBERS, WATCHED } from "../certificates.ts";
import { areFarApart } from "../clocks.ts";
import { type Facts, isAnswered, type Watch } from "../facts.ts";
import { Random } from "../random.ts";
import { findPossible, MEMORY_MS, says, sourceOf } from "../register-changes.ts";
import type { Invariant, Judged } from "./invariant.ts";

const NAME = "told once";
/** Until KV shows an import everywhere (3 minutes), the next run, a message that was lost (10 minutes), and receivers that rest. */
const SETTLED_MS = 1_200_000;
const PENDING = "SELECT count(*) AS pending FROM webhook_deliveries WHERE status = 'pending'";

// biome-ignore lint/suspicious/noExplicitAny: events of every type
type Event = any;

export const toldOnce: Invariant = {
  name: NAME,
  atEnd: async (judged) => {
    const { world, broken, occurred } = judged;
    if (!world.swarm.events) return;
    // by clocks that differ by much, leases and pauses last for an hour
    const isTimely = !areFarApart(world.swarm.clocks);
    await world.scheduler.sleep(isTimely ? SETTLED_MS : 0);
    for (const credentials of BANKS) {
      const bank = new Bank(world, credentials, new Random(credentials.clientId));
      const events = await listAll(bank);
      if (events === null) return broken(NAME, `the events of ${bank.fi} cannot be read`);
      lookAtList(judged, bank.fi, events);
      if (isTimely) lookAtDeliveries(judged, bank.fi, events);
      if (isTimely) lookAtChanges(judged, bank.fi, events);
    }
    if (!isTimely) return;
    occurred(`${NAME}: nothing is left`);
    const [row] = world.database.read(PENDING);
    if (row?.["pending"] !== 0) broken(NAME, `${row?.["pending"]} deliveries are still pending`);
    // one that says that nothing is left to do may be on its way
    for (let minutes = 3; world.queue.size > 0 && minutes > 0; minutes--) await world.scheduler.sleep(60_000);
    if (world.queue.size > 0) broken(NAME, `${world.queue.size} messages are still in the queue`);
  },
};

async function listAll(bank: Bank): Promise<Event[] | null> {
  const events: Event[] = [];
  for (let after = ""; ; ) {
    const page = await bank.insist(5, "GET", `/v1/events${after === "" ? "" : `?after=${encodeURIComponent(after)}`}`);
    if (page.status !== 200) return null;
    events.push(...page.json.data);
    if (page.json.data.length === 0) return events;
    after = page.json.next_after;
  }
}

const statusOf = (state: Event): string => state.categories.map((each: Event) => each.status).join();

/** None twice, and of one PSP each goes on from the one before. */
function lookAtList({ facts, broken, occurred }: Judged, fi: string, events: readonly Event[]): void {
  const seen = new Set<string>();
  for (const event of events) {
    occurred(`${NAME}: listed`);
    const news = event.type === "psp.certificate_revoked" ? JSON.stringify(event.data.after) : event.id;
    if (seen.has(news)) broken(NAME, `${event.id} of ${fi} is listed twice`);
    seen.add(news);
  }
  for (const psp of WATCHED) {
    const changes = changesOf(events, psp);
    const since = findWatch(facts, fi, psp)?.exchange.json.data.watched_since;
    changes.forEach(({ data, id }, i) => {
      const before = changes[i - 1];
      // with the end of a watch, or of its grants, the institution knew nothing any more
      const isOfWatch = before && since !== undefined && before.timestamp >= since;
      if (isOfWatch && JSON.stringify(before.data.after) !== JSON.stringify(data.before))
        broken(NAME, `${id} of ${fi} does not go on from ${before.id}: it says "${statusOf(data.before)}" before`);
    });
  }
}

const changesOf = (events: readonly Event[], psp: Watch["psp"]): Event[] =>
  events.filter(({ type, data }) => type === "psp.status_changed" && data.psp_id === NUMBERS[psp]);

function lookAtDeliveries({ world, broken, occurred }: Judged, fi: string, events: readonly Event[]): void {
  const { received } = world.network;
  const first = new Map<string, number>();
  for (const each of received) {
    if (each.fi === fi && !each.isSigned) broken(NAME, `${each.id} was delivered to ${fi} without its signature`);
    if (each.fi === fi && !first.has(each.id)) first.set(each.id, each.at);
  }
  const last = new Map<string, number>();
  for (const { id, data } of events) {
    const at = first.get(id);
    occurred(`${NAME}: delivered`);
    if (at === undefined) broken(NAME, `${id} of ${fi} was not delivered`);
    else if (at < (last.get(data.psp_id) ?? 0)) broken(NAME, `${id} of ${fi} came before an earlier one of its PSP`);
    last.set(data.psp_id, Math.max(at ?? 0, last.get(data.psp_id) ?? 0));
  }
}

/** The watch that has been there since, undisturbed. */
function findWatch({ watches }: Facts, fi: string, psp: Watch["psp"]): Watch | undefined {
  const own = watches.filter((each) => each.fi === fi && each.psp === psp);
  return own.some(({ begins }) => !begins) ? undefined : own.find(({ exchange }) => isAnswered(exchange));
}

/** Whether it was authorised, in the order of the files that said so; null: it is not certain that the last one is loaded. */
function listStates({ world, facts }: Judged, psp: Watch["psp"]): readonly boolean[] | null {
  const source = sourceOf(psp);
  if (source === null)
    return facts.imports.every(({ endedAt }) => endedAt !== null)
      ? facts.imports.map(({ authorised }) => authorised[psp] ?? true)
      : null;
  const { files, newest } = world.network.eba;
  const last = facts.ebaLoads.findLast((load) => load.source === source);
  if (last?.number !== newest.number || !says(newest, source)) return null;
  return files.filter((file) => says(file, source)).map(({ authorised }) => authorised);
}

/** What is said last is true, and nothing is said that never was. */
function lookAtChanges(judged: Judged, fi: string, events: readonly Event[]): void {
  const { world, facts, broken, occurred } = judged;
  for (const psp of WATCHED) {
    const watch = findWatch(facts, fi, psp);
    const states = listStates(judged, psp);
    if (!watch || !states) continue;
    const changes = changesOf(events, psp);
    const told: boolean[] = changes.map(({ data }) => statusOf(data.after).includes("Authorised"));
    const last = states.at(-1) ?? true;
    occurred(`${NAME}: watched`);
    if (told.length > 0) occurred(`${NAME}: a change`);
    const turns = [true, ...states].filter((state, i, all) => i === 0 || state !== all[i - 1]);
    if (told.length >= turns.length && told.length > 0)
      broken(NAME, `${fi} was told of ${told.length} changes of "${psp}", and there were ${turns.length - 1}`);
    // what came before belongs to grants, with whose end the institution knew nothing any more
    const newest = changes.at(-1);
    if (newest && newest.timestamp < watch.exchange.json.data.watched_since) continue;
    const known = told.at(-1);
    if (known !== undefined && known !== last)
      broken(NAME, `${fi} was told last that "${psp}" is ${known ? "authorised" : "withdrawn"}`);
    const { sentAt, answeredAt } = watch.exchange;
    const [knew, ...others] = findPossible(world, facts, psp, sentAt - MEMORY_MS, answeredAt ?? sentAt);
    // by a grant of before it may know an earlier state, to which the PSP is back
    const hasGrants = facts.codes.some((code) => code.fi === fi && code.psp === psp);
    if (known === undefined && others.length === 0 && knew !== last && !hasGrants)
      broken(NAME, `${fi} was not told that "${psp}" is ${last ? "authorised" : "withdrawn"}`);
  }
}
