/**
 * A bank under load: the tests' bank, which holds every answer against the contract. What follows from the question is held here:
 * the status, the code of the error, and fields of the body.
 */
import { isDeepStrictEqual } from "node:util";
import { Random } from "../random.ts";
import type { Answer, Bank, Call } from "../raw-bank.ts";
import { faultOf } from "./certificates.ts";
import type { Kind, MixSlice, MixTask } from "./load-slice.ts";

const at = (value: unknown, way: string): unknown =>
  way.split(".").reduce<unknown>((inner, key) => Reflect.get(Object(inner), key), value);
export const textAt = (value: unknown, way: string): string => String(at(value, way));

/** What fields of an answer are, by their ways; "" is the whole. */
type Fields = Readonly<Record<string, unknown>>;

/** Throws a sentence about the first that is another. */
function holdFields(body: unknown, fields: Fields): void {
  for (const [way, expected] of Object.entries(fields)) {
    const given = way === "" ? body : at(body, way);
    if (!isDeepStrictEqual(given, expected))
      throw new Error(`${way} is ${JSON.stringify(given)?.slice(0, 300)}, expected: ${JSON.stringify(expected)}`);
  }
}

/** `expected`: a status, or with the code of the error: "404 token_not_found". Answers the body. */
export function holdAnswer(answer: Answer | undefined, expected: number | string, fields: Fields = {}): unknown {
  const [status, code] = String(expected).split(" ");
  try {
    holdFields(answer, { status: Number(status), ...(code !== undefined && { "body.errors.0.code": code }) });
    holdFields(answer?.body, fields);
  } catch (error) {
    const given = `${answer?.status} ${JSON.stringify(answer?.body)?.slice(0, 500)}`;
    throw new Error(`${(error as Error).message}. Answer: ${given}`);
  }
  return answer?.body;
}

export interface KnownToken {
  readonly text: string;
  readonly account: string;
  readonly scope: string;
  readonly openBanking: boolean;
  active: boolean;
  /** Milliseconds of the process. */
  readonly forgottenAt: number;
}

const REMEMBERED_TOKENS = 100;
/** One source address after the other, each far below the limit of the address. */
const REQUESTS_PER_ADDRESS = 5_000;

export type Request = readonly [method: string, path: string, call?: Call];

export class LoadBank {
  readonly task: MixTask;
  readonly number: number;
  readonly random: Random;
  readonly tokens: KnownToken[] = [];
  readonly #own: Bank;
  readonly #other: Bank;
  #slice: MixSlice | null = null;
  #kind: Kind = "PSP check";
  #asked = 0;
  #names = 0;

  /** `number`: of this bank among all of the run. `other`: the other institution. */
  constructor(task: MixTask, number: number, own: Bank, other: Bank) {
    this.task = task;
    this.number = number;
    this.random = new Random(task.seed * 100_003 + number);
    this.#own = own;
    this.#other = other;
  }

  /** What it asks from now on is counted there, as this. */
  begin(kind: Kind, slice: MixSlice): void {
    this.#kind = kind;
    this.#slice = slice;
  }

  one<Element>(elements: readonly Element[]): Element {
    return elements[this.random.below(elements.length)] as Element;
  }

  /** A name that nothing else of the run has. */
  name(prefix: string): string {
    return `${prefix}-${this.number}-${++this.#names}`;
  }

  /** As {@link holdAnswer}. */
  async ask(request: Request, expected: number | string, fields: Fields = {}, isOther = false): Promise<unknown> {
    const answer = await this.exchange(request, isOther);
    try {
      return holdAnswer(answer, expected, fields);
    } catch (error) {
      throw new Error(`${request[0]} ${request[1].slice(0, 120)}: ${(error as Error).message}`);
    }
  }

  async exchange([method, path, call = {}]: Request, isOther = false): Promise<Answer> {
    const address = this.number * 4_096 + (Math.floor(this.#asked++ / REQUESTS_PER_ADDRESS) % 4_096);
    const source = `10.${(address >> 16) & 255}.${(address >> 8) & 255}.${address & 255}`;
    // the newest version adds fields to PSP checks only
    const version = this.random.chance(0.2) ? "latest" : "1";
    const headers = { version, "CF-Connecting-IP": source, transaction_reference: this.name("load"), ...call.headers };
    const began = performance.now();
    const answer = await (isOther ? this.#other : this.#own)(method, path, { ...call, headers });
    this.#slice?.latencies[this.#kind].push(performance.now() - began);
    if (this.#slice && answer.status >= 500) this.#slice.serverErrors++;
    return answer;
  }

  /** A certificate without a fault, and never seen before where `forged`: one bit of its signature is another. */
  eidas(forged = false): string {
    let index = this.random.below(this.task.leaves.length);
    while (faultOf(index) !== null) index = this.random.below(this.task.leaves.length);
    const der = Buffer.from(this.task.leaves[index] ?? "", "base64");
    // of an RSA signature's 256 bytes the first is left alone: above the modulus it would be refused in other words
    const place = der.length - 1 - this.random.below(255);
    if (forged) der[place] = (der[place] ?? 0) ^ (1 << this.random.below(8));
    return der.toString("base64");
  }

  remember(token: KnownToken): void {
    if (this.tokens.push(token) > REMEMBERED_TOKENS) this.tokens.shift();
  }
}
