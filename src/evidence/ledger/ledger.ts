/**
 * The ledger of one institution: one Durable Object, named by the institution's id. What it does is in
 * institution-ledger.ts, which no start of the Worker waits for.
 */

import { DurableObject } from "cloudflare:workers";
import { clock } from "../../platform/clock.ts";
import type { Instant } from "../../platform/instant.ts";
import type { ActPage, ActQuery } from "./act-index.ts";
import type { HeadComparison } from "./chain.ts";
import type { Damage } from "./damage.ts";
import type { Head, SignedEnd } from "./head.ts";
import type { InstitutionLedger, LedgerState, LedgerTotals } from "./institution-ledger.ts";
import type { LedgerEntry } from "./record.ts";
import type { RecordProof } from "./record-proofs.ts";
import type { RecordQuery } from "./record-query.ts";
import type { RecordPage } from "./record-search.ts";
import type { RefusalQuery, RefusalTotal, RefusedMost, TrafficCount } from "./traffic.ts";

export class Ledger extends DurableObject<Env> {
  #opened: Promise<InstitutionLedger> | undefined;

  async #open(): Promise<InstitutionLedger> {
    this.#opened ??= import("./institution-ledger.ts").then(
      (module) => new module.InstitutionLedger(this.ctx.storage, this.env),
    );
    try {
      return await this.#opened;
    } catch (error) {
      // else each call, and the six tries of an alarm, would fail with it for as long as the object lives
      this.#opened = undefined;
      throw error;
    }
  }

  /** See {@link InstitutionLedger.append}. The platform holds the answer until the row is durable. */
  async append(fiId: number, entries: readonly LedgerEntry[], again: boolean): Promise<{ seq: number }> {
    return (await this.#open()).append(fiId, entries, again, clock.now());
  }

  async head(): Promise<Head | null> {
    return (await this.#open()).head(clock.now());
  }

  async compare(kept: SignedEnd, fi: string): Promise<(HeadComparison & { readonly head: Head | null }) | null> {
    return (await this.#open()).compare(kept, fi, clock.now());
  }

  async heads(from: number, to: number, covered: number): Promise<Head[]> {
    return (await this.#open()).headSearch.between(from, to, covered);
  }

  async list(query: RecordQuery): Promise<RecordPage> {
    return (await this.#open()).search.list(query);
  }

  async find(id: string): Promise<string | Damage | null> {
    return (await this.#open()).search.find(id);
  }

  async range(from: number, to: number): Promise<RecordPage> {
    return (await this.#open()).search.range(from, to);
  }

  async prove(seqs: readonly number[]): Promise<(RecordProof | null)[]> {
    return (await this.#open()).prove(seqs, clock.now());
  }

  async acts(query: ActQuery): Promise<ActPage> {
    return (await this.#open()).acts.list(query);
  }

  async kept(): Promise<number> {
    return (await this.#open()).kept;
  }

  async counts(from: Instant, to: Instant): Promise<TrafficCount[]> {
    return (await this.#open()).traffic.read(from, to);
  }

  async refusals(query: RefusalQuery): Promise<RefusalTotal[]> {
    return (await this.#open()).traffic.readRefusals(query);
  }

  async mostRefused(
    days: Pick<RefusalQuery, "from" | "to">,
    leftOut: readonly string[],
    limit: number,
  ): Promise<RefusedMost[]> {
    return (await this.#open()).traffic.readMostRefused(days, leftOut, limit);
  }

  async totals(from: Instant): Promise<LedgerTotals> {
    return (await this.#open()).totals(from);
  }

  async state(): Promise<LedgerState> {
    return (await this.#open()).state(clock.now());
  }

  override async alarm(): Promise<void> {
    await (await this.#open()).keep(clock.now());
  }
}
