/**
 * A small world whose material changes: services on trusted lists, certificates that they issue to PSPs of made-registers.ts,
 * and what institutions are told. All of it by the code that imports, checks and sweeps, on the stores.
 */

import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { X509Certificate } from "@peculiar/x509";
import { expect } from "vitest";
import { describeEvent, type EventType, type WrittenEvent } from "../../../src/events/event.ts";
import { listEvents } from "../../../src/events/event-log.ts";
import { observeCertificate } from "../../../src/events/observations.ts";
import { memories } from "../../../src/platform/memory.ts";
import type { Chain } from "../../../src/psp-check/check-budget.ts";
import { checkPsp, type PspCheck } from "../../../src/psp-check/psp-check.ts";
import { runEvents } from "../../../src/refresh/events.ts";
import { recordSuccess } from "../../../src/refresh/refreshes.ts";
import { trustTask } from "../../../src/refresh/schedule.ts";
import { eventList } from "../../../src/routes/events.answer.ts";
import type { Authority } from "../../../src/sandbox/pki/authority.ts";
import type { StatusPeriod } from "../../../src/trust/anchors.ts";
import { importTrustList } from "../../../src/trust/trust-import.ts";
import { parseCertificate } from "../../../src/x509/certificate.ts";
import { eidasOf, loadListOfLists, PERIOD } from "../trust/made-qtsp.ts";

/** The events themselves. Throws if one has not exactly the fields that the document promises for its type. */
export function checkForm(events: readonly WrittenEvent[]): WrittenEvent[] {
  const known = eventList.parse({ data: events, next_after: "" }).data;
  expect(known).toEqual(events);
  return [...events];
}

/** Of each PSP of a test that shows a certificate. */
const OF_MET: readonly EventType[] = ["psp.first_seen", "psp.certificate_ends_soon"];

export const MINUTE = 60_000;
export const DAY = 1_440 * MINUTE;

/** An entry of a trusted list, with its history. */
export interface Entry {
  readonly qtsp: Pick<Authority, "certificate">;
  readonly jurisdiction: string;
  readonly periods: readonly StatusPeriod[];
}

/** As of the start of all certificates, unless `from` says otherwise. */
export const period = (
  status: string,
  uses: StatusPeriod["uses"] = ["web-authentication", "seal"],
  from: number = PERIOD.notBefore.getTime(),
): StatusPeriod => ({ status, from: new Date(from).toISOString(), uses });

/** Imports a list of XX, or of another jurisdiction, as a refresh does. Milliseconds since 1970. */
export async function loadList(
  entries: readonly Entry[],
  now: number,
  more: { jurisdiction?: string; nextUpdate?: number | undefined; source?: string } = {},
) {
  const { jurisdiction = "XX", nextUpdate = now + 180 * 86_400_000, source = "eIDAS" } = more;
  const anchors = entries.map(({ qtsp, periods }, i) => ({
    ...{ certificate: eidasOf(qtsp.certificate), source, jurisdiction, qtspName: "QTSP", serviceName: `Service ${i}` },
    periods: [...periods],
  }));
  await loadListOfLists(now);
  await importTrustList(
    env.KV,
    {
      ...{ source, jurisdiction, sequenceNumber: 1, issuedAt: period("").from, services: anchors.length, anchors },
      nextUpdate: new Date(nextUpdate).toISOString(),
    },
    now,
  );
  await recordSuccess(env.DB, trustTask(source, jurisdiction), {}, now);
}

export const chainOf = (leaf: X509Certificate, ...issuers: X509Certificate[]): Chain => {
  const read = (one: X509Certificate) => parseCertificate(new Uint8Array(one.rawData));
  return { leaf: read(leaf), issuers: issuers.map(read) };
};

/** The check of a certificate, as every endpoint makes it. What it notes of it is awaited, by an isolate that is new. */
export async function show(chain: Chain, now: number): Promise<PspCheck> {
  const check = await look(chain, now);
  const ctx = createExecutionContext();
  for (const suffix of ["", " revoked"]) memories.get("observations")?.delete(`${chain.leaf.fingerprint}${suffix}`);
  observeCertificate(env, ctx, chain, check, now);
  await waitOnExecutionContext(ctx);
  return check;
}

/** The check alone. */
export const look = async (chain: Chain, now: number): Promise<PspCheck> =>
  (await checkPsp({ env, ctx: { waitUntil: () => {} }, chain, jurisdiction: null, now })).check;

/** The deployment without a queue: what is delivered is tried elsewhere. */
const alone = Object.fromEntries(
  Object.entries(env).filter(([name]) => !name.startsWith("DB_") && name !== "EVENTS"),
) as typeof env;

/** The events' task, from its first run on. */
export class Schedule {
  #state: unknown = {};
  readonly #read = new Map<number, number>();

  /** Runs, a minute apart from `now` on, until there is nothing to do and all is settled; returns when that is. */
  async settle(now: number): Promise<number> {
    for (let [at, quiet] = [now, 0]; ; at += MINUTE) {
      const result = await runEvents({ env: alone, stepState: this.#state, now: at, maxWrites: 500, maxListBytes: 0 });
      this.#state = result.stepState;
      if (!result.ok) throw new Error(result.message);
      quiet = result.quiet === true ? quiet + 1 : 0;
      if (quiet > 3) return at + MINUTE;
    }
  }

  /** What an institution was told since it was asked last; of PSPs that it met only if `types` says so (met-psps.test.ts). */
  async told(fiId: number, types = (type: EventType) => !OF_MET.includes(type)): Promise<WrittenEvent[]> {
    const events = await listEvents(env.DB, fiId, this.#read.get(fiId) ?? 0, 100);
    this.#read.set(fiId, events.at(-1)?.seq ?? this.#read.get(fiId) ?? 0);
    return checkForm(events.map(describeEvent)).filter(({ type }) => types(type));
  }
}
