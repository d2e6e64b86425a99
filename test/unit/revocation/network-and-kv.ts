/** What checks of revocation stand on, for tests without workerd: sources by URL, and KV in one place. */
import { afterAll, beforeAll, vi } from "vitest";
import type { checkRevocation } from "../../../src/revocation/revocation.ts";
import type { RevocationStatus } from "../../../src/revocation/revocation-status.ts";
import type { readRevocationCache } from "../../../src/revocation/revocation-store.ts";
import type { Certificate } from "../../../src/x509/certificate.ts";

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

/** What each URL sends, or how that is made when it is first asked; nothing where it has none. */
export const network = new Map<string, Uint8Array | (() => Uint8Array) | null>();
/** The URLs that were asked, in order. */
export const asked: string[] = [];

/** For the tests of one file. */
export function useNetwork(): void {
  beforeAll(() => {
    vi.stubGlobal("fetch", async (url: string) => {
      asked.push(url);
      const found = network.get(url);
      const body = typeof found === "function" ? found() : found;
      if (body && body !== found) network.set(url, body);
      if (!body) throw new TypeError("no such host");
      return new Response(Uint8Array.from(body));
    });
  });
  afterAll(() => {
    vi.unstubAllGlobals();
  });
}

/** KV in one place: what is put shows at once, and is gone when its time is over. */
export class Kv {
  readonly values = new Map<string, { value: Uint8Array; until: number; metadata: unknown }>();
  /** Keys, in order. */
  readonly puts: string[] = [];
  now: number;
  /** Puts are lost, or readings are of a location that nothing has reached. */
  fault: "none" | "put" | "get" = "none";

  constructor(now: number) {
    this.now = now;
  }

  async get(key: string): Promise<ArrayBuffer | null> {
    const found = this.fault === "get" ? undefined : this.values.get(key);
    return found && found.until > this.now ? Uint8Array.from(found.value).buffer : null;
  }

  async put(key: string, value: Uint8Array, options: { expirationTtl: number; metadata: unknown }): Promise<void> {
    if (this.fault === "put") throw new Error("KV PUT failed: 429 Too Many Requests");
    this.puts.push(key);
    const until = this.now + options.expirationTtl * 1000;
    this.values.set(key, { value: Uint8Array.from(value), until, metadata: options.metadata });
  }

  async list({ prefix }: { prefix: string }): Promise<object> {
    const keys = [...this.values]
      .filter(([name, { until }]) => name.startsWith(prefix) && until > this.now)
      .map(([name, { metadata }]) => ({ name, metadata }));
    return { keys, list_complete: true };
  }

  asKv(): KVNamespace {
    return this as unknown as KVNamespace;
  }
}

interface Checker {
  readonly checkRevocation: typeof checkRevocation;
  readonly readRevocationCache: typeof readRevocationCache;
}

/** The status of the first certificate on the path, and all that is done behind the answer. */
export async function checkWith(
  { checkRevocation, readRevocationCache }: Checker,
  path: readonly Certificate[],
  kv: Kv,
): Promise<RevocationStatus> {
  const pending: Promise<unknown>[] = [];
  // a put that fails is the log's matter
  const ctx = { waitUntil: (promise: Promise<unknown>) => void pending.push(promise.catch(() => {})) };
  const cached = await readRevocationCache(kv.asKv(), path, kv.now);
  const [status] = await checkRevocation({ kv: kv.asKv(), ctx, path, cached, now: kv.now });
  for (let next = pending.shift(); next; next = pending.shift()) await next;
  if (!status) throw new Error("no status");
  return status;
}
