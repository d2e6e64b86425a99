/** What an isolate has in the place of the process's own globals: nothing here reads the machine's clock, or draws. */
import * as nodeCrypto from "node:crypto";
import type { Random } from "./random.ts";

export const dateOf = (now: () => number) =>
  class extends Date {
    constructor(...parts: readonly unknown[]) {
      // most are of one value, and a spread is slow
      if (parts.length < 2) super((parts.length === 0 ? now() : parts[0]) as number);
      else super(...(parts as [number, number]));
    }

    static override now(): number {
      return now();
    }
  };

export const signals = (setTimeout: (run: () => void, milliseconds: number) => number) => ({
  any: (given: AbortSignal[]) => AbortSignal.any(given),
  abort: (reason?: unknown) => AbortSignal.abort(reason),
  timeout: (milliseconds: number) => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new DOMException("timed out", "TimeoutError")), milliseconds);
    return controller.signal;
  },
});

export function uuid(random: Random): string {
  const bytes = random.fill(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Buffer.from(bytes).toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

const secretKeys = new Map<string, nodeCrypto.KeyObject>();
const MOST_KEYS = 1_000;

/** Imported once for equal bytes: to import a key takes five times as long as its HMAC. */
function secretKey(key: Uint8Array): nodeCrypto.KeyObject {
  const name = Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString("latin1");
  let made = secretKeys.get(name);
  if (!made) {
    made = nodeCrypto.createSecretKey(key);
    if (secretKeys.size >= MOST_KEYS) secretKeys.clear();
    secretKeys.set(name, made);
  }
  return made;
}

export const fastCrypto = {
  ...nodeCrypto,
  createHmac: (algorithm: string, key: Uint8Array) => nodeCrypto.createHmac(algorithm, secretKey(key)),
  createSecretKey: secretKey,
};

/** Of WebCrypto: the same question has the same answer in each history, and a signature takes long. */
const answered = new Map<string, Promise<unknown>>();
const MOST_ANSWERED = 2_000;
const keyNames = new WeakMap<object, number>();
let keysNamed = 0;

const nameValue = (_: string, value: unknown): unknown => {
  if (value instanceof CryptoKey) {
    if (!keyNames.has(value)) keyNames.set(value, ++keysNamed);
    return `key ${keyNames.get(value)}`;
  }
  if (value instanceof ArrayBuffer) return Buffer.from(value).toString("base64");
  return value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value;
};

function ask(method: string, values: unknown[]): Promise<unknown> {
  const question = JSON.stringify([method, values], nameValue);
  let answer = answered.get(question);
  if (!answer) {
    const call = Reflect.get(crypto.subtle, method) as (...values: unknown[]) => Promise<unknown>;
    answer = call.apply(crypto.subtle, values);
    if (answered.size >= MOST_ANSWERED) answered.clear();
    answered.set(question, answer);
  }
  return answer;
}

/** WebCrypto, whose every answer comes by an event. Only what asks by plain data and bytes, and draws nothing, is here. */
export const threaded = (inThread: <Result>(work: Promise<Result>) => Promise<Result>) =>
  Object.fromEntries(
    ["importKey", "verify"].map((method) => [method, (...values: unknown[]) => inThread(ask(method, values))]),
  );

/** Node reads its own in another thread. Here it is the body of a form. */
export class Joined {
  constructor(chunks: readonly Uint8Array[]) {
    // biome-ignore lint/correctness/noConstructorReturn: bytes stand for it
    return new Uint8Array(Buffer.concat(chunks));
  }
}

/** A stream of gzip in one piece: Node's own works in another thread. */
export const whole = (change: (bytes: Uint8Array) => Uint8Array) =>
  class {
    readonly readable: ReadableStream;
    readonly writable: WritableStream;

    constructor() {
      const chunks: Uint8Array[] = [];
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>({
        transform: (chunk) => void chunks.push(new Uint8Array(chunk)),
        flush: (controller) => controller.enqueue(new Uint8Array(change(Buffer.concat(chunks)))),
      });
      [this.readable, this.writable] = [readable, writable];
    }
  };
