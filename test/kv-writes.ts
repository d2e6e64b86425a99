/** Workers KV whose writes a test carries out, or does not; it reads as always. */
type Write = (method: "put" | "delete", key: unknown, carryOut: () => Promise<unknown>) => Promise<unknown>;

export function aroundWrites(kv: KVNamespace, write: Write): KVNamespace {
  return new Proxy(kv, {
    get(target, property) {
      const value = Reflect.get(target, property, target);
      if (typeof value !== "function") return value;
      if (property !== "put" && property !== "delete") return value.bind(target);
      return (...args: unknown[]) => write(property, args[0], () => Reflect.apply(value, target, args));
    },
  });
}

/** The store until its n-th write or removal: that and all later ones fail, as in an invocation that was killed. */
export function breakingAt(kv: KVNamespace, n: number): KVNamespace {
  let writes = 0;
  return aroundWrites(kv, async (_method, _key, carryOut) => {
    if (++writes >= n) throw new Error("the store is gone");
    return await carryOut();
  });
}
