/**
 * What the Worker fetches: the QTSP's OCSP responder and CRL, trusted lists, the EBA's registers, receivers of webhooks. Every other host is
 * unreachable, after a while.
 */
import { type EbaFile, EbaPublisher, type EbaSource } from "./eba-publisher.ts";
import type { Isolate } from "./isolate.ts";
import { ListPublisher } from "./list-publisher.ts";
import { Qtsp, type Said } from "./qtsp.ts";
import type { Random } from "./random.ts";
import type { Scheduler } from "./scheduler.ts";
import type { Issue } from "./signed-issues.ts";
import type { Counters, Trace } from "./trace.ts";
import {
  findReceiver,
  isReceiver,
  PUBLIC_ADDRESS,
  type Received,
  type Receivers,
  receive,
} from "./webhook-receivers.ts";

/**
 * What may happen to an answer of a source. `older`: one of some periods ago. `forged`: it says good, signed by the PSP's own
 * key; of a list, the next one, which says the opposite; of a file of the EBA, another than its metadata name. `unknown`: the responder does not know the certificate. `huge`: it does not end.
 */
export const SOURCE_FATES = ["older", "forged", "unknown", "broken", "huge", "slow", "silent", "error"] as const;
export type SourceFate = (typeof SOURCE_FATES)[number];

export interface Sources {
  /** Of their answers. */
  readonly share: number;
  readonly fates: readonly SourceFate[];
  /** So many times as long as usual they last. */
  readonly lastsTimes: number;
}

const UNREACHABLE_MS = { from: 5, to: 500 } as const;
const TRIP_MS = { from: 4, to: 60 } as const;
const SLOW_MS = { from: 800, to: 8_000 } as const;
/** As old as what lasts usually. */
const OLDEST_PERIODS = 8;
/** One piece for all: nobody keeps it. */
const PIECE = new Uint8Array(1_048_576);

/** What the QTSP said, and an isolate received. */
export interface Heard extends Said {
  readonly isolate: Isolate;
  /** True time, in milliseconds since 1970. */
  readonly at: number;
}

/** An issue of a list that reached an isolate. Instants are true ones. */
export interface IssueHeard {
  readonly issue: Issue;
  readonly at: number;
}

/** Metadata of the EBA, or an answer of its search, that reached an isolate. */
interface FileHeard {
  readonly source: EbaSource;
  readonly file: EbaFile;
  readonly at: number;
}

interface NetworkParts {
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly sources: Sources;
  readonly receivers: Receivers;
  readonly counters: Counters;
  readonly trace: Trace;
}

type Posted = Parameters<typeof receive>[1];

/** What a source sends, and what that says if it is its own. */
interface Found {
  readonly der: Uint8Array<ArrayBuffer>;
  readonly said?: readonly Said[];
  readonly issue?: Issue | null;
  readonly file?: EbaFile | null;
  readonly ofEba?: EbaSource;
}

interface Answer extends Omit<Found, "der"> {
  readonly response: Response;
  /** Null: none is sent. */
  readonly delayMs: number | null;
}

export class Network {
  readonly qtsp: Qtsp;
  readonly publisher: ListPublisher;
  readonly heard: Heard[] = [];
  readonly eba: EbaPublisher;
  readonly issuesHeard: IssueHeard[] = [];
  readonly filesHeard: FileHeard[] = [];
  readonly received: Received[] = [];
  readonly #parts: NetworkParts;
  #healed = false;

  constructor(parts: NetworkParts) {
    this.#parts = parts;
    this.qtsp = new Qtsp(() => parts.scheduler.now, parts.sources.lastsTimes);
    // a history begins now
    this.publisher = new ListPublisher(parts.scheduler.now, () => parts.scheduler.now);
    this.eba = new EbaPublisher(parts.scheduler.now, () => parts.scheduler.now);
  }

  /** From now on every source answers as it should. */
  heal(): void {
    this.#healed = true;
  }

  fetch(isolate: Isolate, input: unknown, init: unknown): Promise<Response> {
    const { scheduler, random, trace } = this.#parts;
    const url = String(input);
    const { signal } = (init ?? {}) as { readonly signal?: AbortSignal };
    const receiver = findReceiver(url);
    trace.note(() => `${isolate.name} asks ${url}`);
    return new Promise((resolve, reject) => {
      signal?.addEventListener("abort", () => reject(signal.reason));
      const unreachable = () => reject(new Error("Network connection lost."));
      scheduler.after(random.between(TRIP_MS.from, TRIP_MS.to), () => {
        const answer = receiver === null ? this.#answer(url) : this.#receive(receiver, init as Posted);
        if (!answer) return void isolate.after(random.between(UNREACHABLE_MS.from, UNREACHABLE_MS.to), unreachable);
        if (answer.delayMs === null) return;
        isolate.after(random.between(TRIP_MS.from, TRIP_MS.to) + answer.delayMs, () => {
          if (signal?.aborted) return;
          for (const each of answer.said ?? []) this.heard.push({ ...each, isolate, at: scheduler.now });
          if (answer.issue) this.issuesHeard.push({ issue: answer.issue, at: scheduler.now });
          const { file, ofEba } = answer;
          if (file && ofEba) this.filesHeard.push({ source: ofEba, file, at: scheduler.now });
          resolve(answer.response);
        });
      });
    });
  }

  /** As DNS: its addresses, IPv4. */
  resolve(isolate: Isolate, host: string): Promise<string[]> {
    const { random } = this.#parts;
    return new Promise((resolve, reject) => {
      isolate.after(random.between(TRIP_MS.from, TRIP_MS.to), () =>
        isReceiver(host) ? resolve([PUBLIC_ADDRESS]) : reject(new Error(`ENOTFOUND ${host}`)),
      );
    });
  }

  #receive(fi: string, init: Posted): Answer {
    const { scheduler, random, counters, trace, receivers } = this.#parts;
    const fate = !this.#healed && random.chance(receivers.share) ? random.pick(receivers.fates) : null;
    if (fate) counters.fault(`receiver ${fate}`);
    const { received, ...answer } = receive(fi, init, fate, random);
    if (received) this.received.push({ ...received, at: scheduler.now });
    trace.mark(
      `the receiver of ${fi} ${received ? `takes ${received.id}` : "takes nothing"}${fate ? ` (${fate})` : ""}`,
    );
    return answer;
  }

  #answer(url: string): Answer | null {
    const { random, counters, trace, sources } = this.#parts;
    const found = this.#find(url, null);
    if (!found) return null;
    const fate = !this.#healed && random.chance(sources.share) ? random.pick(sources.fates) : null;
    if (fate) {
      counters.fault(`${found.ofEba ? "EBA" : found.issue ? "list" : "source"} ${fate}`);
      trace.note(() => `${url} answers (${fate})`);
    }
    const delayMs = fate === "silent" ? null : fate === "slow" ? random.between(SLOW_MS.from, SLOW_MS.to) : 0;
    const unread = (response: Response): Answer => ({ response, delayMs });
    switch (fate) {
      case "broken":
        return unread(new Response(found.der.slice(0, random.between(0, found.der.length - 1))));
      case "error":
        return unread(new Response("busy", { status: random.pick([404, 429, 500, 503]) }));
      case "huge":
        return unread(new Response(endless()));
      default: {
        const { der, ...rest } = this.#find(url, fate) ?? found;
        return { ...rest, response: new Response(der), delayMs };
      }
    }
  }

  #find(url: string, fate: SourceFate | null): Found | null {
    const { random, sources } = this.#parts;
    const late = fate === "older" ? random.between(1, OLDEST_PERIODS * sources.lastsTimes) : 0;
    const wish = fate === "forged" || fate === "unknown" ? fate : "as it is";
    const ofEba = this.eba.answer(url, late, fate === "forged");
    if (ofEba) return { der: ofEba.bytes, file: ofEba.file, ofEba: ofEba.source };
    return (
      this.qtsp.find(url, late, wish) ??
      (fate === "forged" ? this.publisher.forge(url, random.chance(0.5)) : this.publisher.answer(url, late))
    );
  }
}

const endless = () => new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(PIECE) });
