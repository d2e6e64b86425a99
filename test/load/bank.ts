/** A bank under load: it sends one request at a time, knows what each answer has to be, and remembers what it was given. */
import { OTHER_FI, SANDBOX_FI } from "../sandbox-fis.ts";
import type { KnownToken } from "./actions/known-token.ts";
import { Form, findDifference, textLike } from "./answer-difference.ts";
import type { Exchange, Expected } from "./connection.ts";
import { type Call, Connection, type Received } from "./connection.ts";
import { record } from "./latency-histogram.ts";
import type { ActionKind, Random } from "./mix.ts";
import { noteWrong, type RunRecord } from "./run-record.ts";
import type { World } from "./world/certificates.ts";

/** The action cannot go on: its answer was wrong, which has been counted. */
export class WrongAnswer extends Error {}

const EVIDENCE_ID = textLike("an evidence id", /^[0-9a-z]{9}[A-Za-z0-9_-]{22}$/);
const REQUEST_ID = textLike("a UUID", /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
/** Every fifth request asks for the newest version, which adds fields to PSP checks only. */
const LATEST_SHARE = 0.2;

export class Bank {
  readonly url: string;
  readonly number: number;
  readonly world: World;
  readonly random: Random;
  /** Its credentials, and those of the other institution, whose banks are the odd ones. */
  readonly identity: Readonly<Record<string, string>>;
  readonly otherIdentity: Readonly<Record<string, string>>;
  /** Tokens that it may ask about. */
  readonly tokens: KnownToken[] = [];
  readonly #connection: Connection;
  readonly #second: Connection;
  readonly #run: RunRecord;
  #kind: ActionKind = "PSP check";
  #references = 0;

  /** `number`: of this bank among all of the run, from 0. */
  constructor(url: string, number: number, world: World, random: Random, run: RunRecord) {
    this.url = url;
    this.number = number;
    this.world = world;
    this.random = random;
    this.#run = run;
    [this.identity, this.otherIdentity] = number % 2 === 0 ? [SANDBOX_FI, OTHER_FI] : [OTHER_FI, SANDBOX_FI];
    this.#connection = new Connection(url, 2 * number);
    this.#second = new Connection(url, 2 * number + 1);
  }

  /** What it does from now on is counted as this. */
  begin(kind: ActionKind): void {
    this.#kind = kind;
    this.#run.actions[kind]++;
  }

  drawVersion(): "1" | "latest" {
    return this.random() < LATEST_SHARE ? "latest" : "1";
  }

  /** A name that nothing else of the run has. */
  makeName(prefix: string): string {
    return `${prefix}-${this.number}-${++this.#references}`;
  }

  /**
   * Sends a request and holds its answer, whole, against the expected one, which may relate to the exchange. Throws
   * {@link WrongAnswer}.
   */
  async ask(call: Call, expect: (exchange: Exchange) => Expected, { second = false } = {}): Promise<Exchange> {
    const exchange = await this.exchange(call, { second });
    this.hold(call, exchange, expect(exchange));
    return exchange;
  }

  /** Holds an answer, whole, against the expected one. Throws {@link WrongAnswer}. */
  hold(call: Call, exchange: Exchange, expected: Expected): void {
    const difference = describeDifference(exchange, expected);
    if (difference !== null) this.#refuse(call, exchange, difference);
  }

  /** As {@link ask}, but the caller judges the status and the body; the headers that every answer has are held here. */
  async exchange(call: Call, { second = false } = {}): Promise<Exchange> {
    const reference = this.makeName("load");
    const headers = { ...call.headers, transaction_reference: call.headers["transaction_reference"] ?? reference };
    const received = await (second ? this.#second : this.#connection).send({ ...call, headers }).catch((error) => {
      this.#refuse(call, null, `no answer: ${error}`);
    });
    this.#run.requests++;
    if (received.status >= 500) this.#run.serverErrors++;
    record(this.#run.latencies[this.#kind], received.milliseconds);
    const requestId = String(received.headers["x-request-id"]);
    const exchange = { ...received, body: parseBody(received.text), requestId };
    const difference = findDifference(
      {
        "x-request-id": REQUEST_ID,
        ...(call.path.startsWith("/v1/") && { "x-evidence-id": EVIDENCE_ID }),
        "ratelimit-policy": '"per-ip";q=15000;w=300',
        ratelimit: new Form(
          `"per-ip";r=${received.remaining};t= 1 to 301`,
          (value) =>
            Number(/^"per-ip";r=(\d+);t=(?:[1-9]\d?|[12]\d\d|30[01])$/.exec(String(value))?.[1]) === received.remaining,
        ),
        ...(isPrintable(headers.transaction_reference) && { transaction_reference: headers.transaction_reference }),
      },
      pick(received.headers, COMMON_HEADERS),
      "the header",
    );
    if (difference !== null) this.#refuse(call, exchange, difference);
    return exchange;
  }

  #refuse(call: Call, exchange: Exchange | null, difference: string): never {
    const got = exchange === null ? "" : ` Answer: ${exchange.status} ${exchange.text.slice(0, 500)}`;
    noteWrong(this.#run, `${this.#kind}: ${call.method} ${call.path.slice(0, 120)}: ${difference}.${got}`);
    throw new WrongAnswer(difference);
  }

  async close(): Promise<void> {
    await Promise.all([this.#connection.close(), this.#second.close()]);
  }
}

const COMMON_HEADERS = ["x-request-id", "x-evidence-id", "ratelimit-policy", "ratelimit", "transaction_reference"];
/** Of the connection, not of the answer. */
const CONNECTION_HEADERS = ["connection", "content-length", "transfer-encoding", "keep-alive", "date"];

function describeDifference(exchange: Exchange, { status, body, headers = {} }: Expected): string | null {
  const length = exchange.headers["content-length"];
  if (length !== undefined && Number(length) !== Buffer.byteLength(exchange.text))
    return `Content-Length is ${length}, and the body has ${Buffer.byteLength(exchange.text)} bytes`;
  const others = Object.fromEntries(
    Object.entries(exchange.headers).filter(
      ([name]) => !COMMON_HEADERS.includes(name) && !CONNECTION_HEADERS.includes(name),
    ),
  );
  const expected = {
    status,
    headers: {
      ...(body !== null && { "content-type": "application/json" }),
      ...(status === 401 && { "www-authenticate": 'psp-gate realm="headers of the interface"' }),
      ...headers,
    },
    body,
  };
  return findDifference(expected, { status: exchange.status, headers: others, body: exchange.body });
}

const isPrintable = (text: string): boolean => /^[\x20-\x7e]{1,128}$/.test(text);

const pick = (headers: Received["headers"], names: readonly string[]) =>
  Object.fromEntries(names.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])));

/** What is not JSON is compared as text. */
function parseBody(text: string): unknown {
  if (text === "") return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
