/** Requests of clients: their way to an isolate and back, and what is lost on it. */
import { LightRequest } from "./http-messages.ts";
import { CLOUDFLARE, Invocation } from "./invocation.ts";
import type { Isolate } from "./isolate.ts";
import type { Random } from "./random.ts";
import type { Scheduler } from "./scheduler.ts";
import type { Swarm } from "./swarm.ts";
import type { Counters, Trace } from "./trace.ts";

/** What a client sends. */
export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Of a page of the console: sent as a browser sends it. */
  readonly form?: Readonly<Record<string, string>>;
}

/** A request and what came of it. Instants are true ones, in milliseconds since 1970. */
export interface Exchange extends Sent {
  readonly id: number;
  readonly sentAt: number;
  readonly isolate: Isolate;
  /** By the isolate's clock; null: it never arrived. */
  arrivedAt: number | null;
  /** When the Worker had ended it, or its isolate was dead; null: it is under way. */
  servedAt: number | null;
  /** When its client had the answer, or knew that there is none. */
  answeredAt: number | null;
  /** 0: no answer came. */
  status: number;
  json: Json;
  evidenceId: string | null;
  /** Of an answer that is no JSON. */
  page: { readonly text: string; readonly cookie: string | null } | null;
}

// biome-ignore lint/suspicious/noExplicitAny: clients look into answers of every shape
type Json = any;

const NETWORK_MS = { from: 2, to: 60 } as const;
/** How long a client waits, and one that leaves soon. */
const PATIENCE_MS = 30_000;
const HANG_UP_MS = { from: 1, to: 250 } as const;

interface RequestsParts {
  readonly scheduler: Scheduler;
  readonly counters: Counters;
  readonly trace: Trace;
  readonly swarm: Pick<Swarm, "limits" | "hangUps" | "lostAnswers">;
  /** To which each is added. */
  readonly exchanges: Exchange[];
  /** An isolate of this location. */
  readonly place: (location: string, random: Random) => Isolate;
  readonly envOf: (isolate: Isolate) => unknown;
  /** Whether nothing fails any more. */
  readonly isHealed: () => boolean;
  readonly answered: (exchange: Exchange) => void;
}

export class Requests {
  readonly #parts: RequestsParts;

  constructor(parts: RequestsParts) {
    this.#parts = parts;
  }

  /** A request of a client near this location, who draws `random`. Its answer, or that none came. `chosen`: by which isolate. */
  send(location: string, sent: Sent, random: Random, chosen?: Isolate): Promise<Exchange> {
    const { scheduler, counters, trace, swarm, exchanges } = this.#parts;
    const isHealed = () => this.#parts.isHealed();
    const isolate = chosen ?? this.#parts.place(location, random);
    const exchange: Exchange = {
      ...sent,
      id: exchanges.length + 1,
      sentAt: scheduler.now,
      isolate,
      arrivedAt: null,
      servedAt: null,
      answeredAt: null,
      status: 0,
      json: null,
      evidenceId: null,
      page: null,
    };
    exchanges.push(exchange);
    trace.mark(`request ${exchange.id} to ${isolate.name}: ${sent.method} ${sent.path}`);
    return new Promise((resolve) => {
      const end = () => {
        if (exchange.answeredAt !== null) return;
        exchange.answeredAt = scheduler.now;
        trace.mark(`answer ${exchange.id}: ${exchange.status} ${JSON.stringify(exchange.json)}`);
        this.#parts.answered(exchange);
        resolve(exchange);
      };
      const travel = () => random.between(NETWORK_MS.from, NETWORK_MS.to);
      const invocation = new Invocation(isolate, isHealed() ? CLOUDFLARE : swarm.limits, counters, () => {
        exchange.servedAt ??= scheduler.now;
      });
      const leave = () => {
        invocation.release();
        end();
      };
      const giveUp = scheduler.after(PATIENCE_MS, leave);
      const dead = () => {
        exchange.servedAt ??= scheduler.now;
        scheduler.after(travel(), end);
      };
      scheduler.after(travel(), () => {
        if (!isolate.alive) return dead();
        exchange.arrivedAt = isolate.now();
        const forget = isolate.onDeath(dead);
        if (!isHealed() && random.chance(swarm.hangUps))
          scheduler.after(random.between(HANG_UP_MS.from, HANG_UP_MS.to), () => {
            if (exchange.servedAt !== null) return;
            counters.fault("a client leaves");
            trace.mark(`the client of request ${exchange.id} leaves`);
            scheduler.cancel(giveUp);
            leave();
          });
        // as the platform does where the Worker throws
        const thrown = (error: unknown) => {
          trace.note(() => `${isolate.name} throws ${String(error)}`);
          return { status: 500 };
        };
        const served = this.#serve(exchange, invocation).catch(thrown);
        void served.then((answer) => {
          forget();
          if (exchange.servedAt !== null) return;
          exchange.servedAt = scheduler.now;
          invocation.release();
          if (!isHealed() && random.chance(swarm.lostAnswers)) {
            counters.fault("an answer is lost");
            return;
          }
          scheduler.after(travel(), () => {
            if (exchange.answeredAt !== null) return;
            scheduler.cancel(giveUp);
            Object.assign(exchange, answer);
            end();
          });
        });
      });
    });
  }

  async #serve({ isolate, method, path, headers, body, form }: Exchange, invocation: Invocation) {
    const sent = form ? new URLSearchParams(form).toString() : JSON.stringify(body);
    const described = form ? FORM_TYPE : body === undefined ? {} : describeJson(sent);
    const origin = path.startsWith("/console") ? "http://localhost" : "https://gate.example";
    const request = new LightRequest(`${origin}${path}`, {
      method,
      headers: { "CF-Connecting-IP": "192.0.2.1", ...headers, ...described },
      ...(sent !== undefined && { body: sent }),
    });
    const env = this.#parts.envOf(isolate);
    const response = await invocation.run(() => isolate.entry.fetch(request, env, invocation.context));
    const text = await response.text();
    const isJson = text !== "" && response.headers.get("content-type")?.startsWith("application/json");
    return {
      status: response.status,
      json: isJson ? (JSON.parse(text) as Json) : null,
      evidenceId: response.headers.get("x-evidence-id"),
      page: isJson ? null : { text, cookie: response.headers.get("set-cookie") },
    };
  }
}

const FORM_TYPE = { "Content-Type": "application/x-www-form-urlencoded" } as const;
const describeJson = (text: string) => ({
  "Content-Type": "application/json",
  "Content-Length": String(Buffer.byteLength(text)),
});
