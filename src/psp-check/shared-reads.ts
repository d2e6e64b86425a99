/**
 * Workers KV for many checks in one request: a request may make 1,000 calls, and six at a time. What is asked for in
 * one turn of the event loop is read together, a hundred keys in a call, and a key that is being read is not read again.
 * A value that has arrived is forgotten here: the isolate's memories keep what is worth keeping.
 */
import { bulkReads } from "../platform/stores.ts";

/** The same store; only `get` differs: of one key as bytes, or of several as JSON, which is all that a check reads. */
export function shareReads(kv: KVNamespace): KVNamespace {
  const bytes = new Map<string, Promise<ArrayBuffer | null>>();
  const json = new Map<string, Promise<unknown>>();
  let turn: { readonly keys: string[]; readonly values: Promise<ReadonlyMap<string, unknown>> } | null = null;

  const getBytes = (key: string) =>
    bytes.get(key) ?? keepUntilSettled(bytes, key, kv.get(key, "arrayBuffer") as Promise<ArrayBuffer | null>);

  const getJson = async (keys: readonly string[]) => {
    const values = keys.map((key) => json.get(key) ?? keepUntilSettled(json, key, joinTurn(key)));
    const read = await Promise.all(values);
    return new Map(keys.map((key, i) => [key, read[i]]));
  };

  const joinTurn = async (key: string): Promise<unknown> => {
    if (turn === null) {
      const keys: string[] = [];
      turn = { keys, values: Promise.resolve().then(() => endTurn(keys)) };
    }
    turn.keys.push(key);
    return (await turn.values).get(key) ?? null;
  };

  const endTurn = async (keys: readonly string[]): Promise<ReadonlyMap<string, unknown>> => {
    turn = null;
    const calls = [...bulkReads(keys)].map((some) => kv.get(some, "json"));
    return new Map((await Promise.all(calls)).flatMap((values) => [...values]));
  };

  const get = (keys: string | readonly string[]) => (typeof keys === "string" ? getBytes(keys) : getJson(keys));
  return new Proxy(kv, {
    get(target, property) {
      if (property === "get") return get;
      const value: unknown = Reflect.get(target, property, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

function keepUntilSettled<Value>(reads: Map<string, Promise<Value>>, key: string, read: Promise<Value>) {
  reads.set(key, read);
  const forget = () => void reads.delete(key);
  read.then(forget, forget);
  return read;
}
