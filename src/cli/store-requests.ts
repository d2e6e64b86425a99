/** D1 and KV as the commands use them (local-stores.ts), by requests: what is asked of them in one moment is sent as one. */

export interface StoreRequest {
  readonly binding: string;
  readonly method: string;
  readonly args: readonly unknown[];
  /** D1's; without them it is of KV. */
  readonly statements?: readonly Statement[];
  /** Of a session of D1; null outside of one. */
  readonly constraint?: string | null;
}
interface Statement {
  readonly sql: string;
  /** Null: nothing is bound. */
  readonly params: readonly unknown[] | null;
}
/** What the store answered, or the message of its error. */
export interface StoreAnswer {
  readonly message?: string;
  /** An ArrayBuffer, in base64. */
  readonly bytes?: string;
  /** A Map's. */
  readonly entries?: readonly (readonly [string, unknown])[];
  readonly value?: unknown;
}
export type Ask = (request: StoreRequest) => Promise<unknown>;

/** An import writes sixteen entries at once. */
export function gather(send: (requests: readonly StoreRequest[]) => Promise<readonly StoreAnswer[]>): Ask {
  let waiting: { readonly request: StoreRequest; readonly settle: PromiseWithResolvers<unknown> }[] = [];
  const flush = async () => {
    const sent = waiting;
    waiting = [];
    try {
      const answers = await send(sent.map(({ request }) => request));
      for (const [i, { settle }] of sent.entries()) {
        const { message, bytes, entries, value } = answers[i] ?? { message: "no answer" };
        if (message !== undefined) settle.reject(new Error(message));
        else settle.resolve(bytes === undefined ? (entries ? new Map(entries) : value) : toArrayBuffer(bytes));
      }
    } catch (error) {
      for (const { settle } of sent) settle.reject(error);
    }
  };
  return (request) => {
    const settle = Promise.withResolvers<unknown>();
    if (waiting.push({ request, settle }) === 1) setImmediate(flush);
    return settle.promise;
  };
}

/** Of texts, bytes and JSON; it has no streams. */
export function makeKeyValues(ask: Ask, binding: string): object {
  const call =
    (method: string) =>
    (...args: unknown[]) =>
      ask({ binding, method, args: args.map(encode) });
  const methods = ["get", "getWithMetadata", "put", "delete", "list"];
  return Object.fromEntries(methods.map((method) => [method, call(method)]));
}

const encode = (value: unknown) =>
  value instanceof ArrayBuffer || ArrayBuffer.isView(value) ? { bytes: toBase64(value) } : value;

const toArrayBuffer = (base64: string): ArrayBuffer => Uint8Array.from(Buffer.from(base64, "base64")).buffer;

const toBase64 = (bytes: ArrayBuffer | ArrayBufferView): string =>
  (bytes instanceof ArrayBuffer
    ? Buffer.from(bytes)
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  ).toString("base64");

export const makeDatabase = (ask: Ask, binding: string, constraint: string | null = null): object => ({
  prepare: (sql: string) => makeStatement(ask, binding, constraint, { sql, params: null }),
  batch: (statements: readonly Statement[]) => {
    const asked = statements.map(({ sql, params }) => ({ sql, params }));
    return ask({ binding, constraint, statements: asked, method: "batch", args: [] });
  },
  withSession: (other = "first-unconstrained") => makeDatabase(ask, binding, other),
});

function makeStatement(ask: Ask, binding: string, constraint: string | null, { sql, params }: Statement): object {
  const call =
    (method: string) =>
    (...args: unknown[]) =>
      ask({ binding, constraint, statements: [{ sql, params }], method, args });
  return {
    ...{ sql, params },
    bind: (...bound: unknown[]) => {
      // D1 refuses it, and JSON would make it null
      if (bound.includes(undefined)) throw new TypeError("D1_TYPE_ERROR: undefined is bound to a statement");
      return makeStatement(ask, binding, constraint, { sql, params: bound.map(encode) });
    },
    ...{ all: call("all"), first: call("first"), raw: call("raw"), run: call("run") },
  };
}
