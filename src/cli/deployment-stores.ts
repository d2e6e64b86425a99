/**
 * The stores of a deployment over Cloudflare's API: each is the one that the deployed Worker has, else the one of its
 * title, and is made only if there is none. So a deployment that failed anywhere can be run again.
 */
import { type Account, ApiRefusal, callAccount } from "./cloudflare-api.ts";
import type { StoreIds } from "./deployed-stores.ts";
import { fail } from "./fail.ts";

export interface Wanted {
  readonly kind: keyof typeof KINDS;
  readonly binding: string;
  readonly title: string;
}

/** Null: no such store. `make` answers its id, too. */
interface Kind {
  readonly find: (account: Account, title: string) => Promise<string | null>;
  readonly make: (account: Account, title: string) => Promise<string>;
}

const read = async (account: Account, path: string) => (await callAccount(account, "GET", path)).result;
const post = async (account: Account, path: string, body: object) =>
  Object((await callAccount(account, "POST", path, body)).result);
/** A title at most once, as Cloudflare has it. */
const idOf = (rows: unknown, title: string, name: string, id: string): string | null =>
  (rows as readonly Readonly<Record<string, string>>[]).find((row) => row[name] === title)?.[id] ?? null;

const PER_PAGE = 1000;

const KINDS = {
  // developers.cloudflare.com/api/resources/r2/subresources/buckets/
  "R2 bucket": {
    find: (account, title) =>
      read(account, `/r2/buckets/${title}`).then(
        () => title,
        (error: unknown) => {
          if (error instanceof ApiRefusal && error.codes.includes(NO_BUCKET)) return null;
          throw error;
        },
      ),
    make: async (account, name) => (await post(account, "/r2/buckets", { name })).name,
  },
  // developers.cloudflare.com/api/resources/d1/subresources/database/
  "D1 database": {
    find: async (account, title) =>
      idOf(await read(account, `/d1/database?name=${encodeURIComponent(title)}`), title, "name", "uuid"),
    make: async (account, name) => (await post(account, "/d1/database", { name })).uuid,
  },
  // developers.cloudflare.com/api/resources/kv/subresources/namespaces/
  "KV namespace": {
    find: async (account, title) => {
      for (let page = 1; ; page++) {
        const rows = await read(account, `/storage/kv/namespaces?per_page=${PER_PAGE}&page=${page}`);
        const id = idOf(rows, title, "title", "id");
        if (id !== null || (rows as readonly unknown[]).length < PER_PAGE) return id;
      }
    },
    make: async (account, title) => (await post(account, "/storage/kv/namespaces", { title })).id,
  },
  // developers.cloudflare.com/api/resources/queues/
  queue: {
    find: async (account, title) =>
      idOf(await read(account, `/queues?name=${encodeURIComponent(title)}`), title, "queue_name", "queue_id"),
    make: async (account, queue_name) => (await post(account, "/queues", { queue_name })).queue_id,
  },
} as const satisfies Record<string, Kind>;

/** Cloudflare's code for a bucket that the account does not have, and for an account in which R2 was never enabled. */
const NO_BUCKET = 10_006;
const NO_R2 = 10_042;
const R2_HELP = `The account has no R2, where kept evidence and old records go. Either enable it (dash.cloudflare.com, R2), or run without
it: take the table [[r2_buckets]] of EVIDENCE out of wrangler.toml. Then evidence is not kept, and of each institution's
ledger only the newest GiB, in its Durable Object. Then: npm run deploy`;

/** `known`: ids that wrangler.toml or the deployed Worker has. `made` grows by each that is made. Fails with a sentence. */
export async function findOrMake(
  account: Account,
  wanted: readonly Wanted[],
  known: StoreIds,
  made: string[],
): Promise<StoreIds> {
  const ids = new Map<string, string>();
  for (const { kind, binding, title } of wanted) {
    const { find, make }: Kind = KINDS[kind];
    const id = known.get(binding) ?? (await find(account, title).catch(failed(`find the ${kind} ${title}`)));
    if (id !== null) {
      ids.set(binding, id);
      continue;
    }
    const makeIt = () => make(account, title).catch(failed(`make the ${kind} ${title}`));
    // a refusal may come after it took effect
    const found = await makeIt().catch(async (error: unknown) => {
      const other = await find(account, title).catch(() => null);
      if (other === null) throw error;
      return other;
    });
    made.push(`${kind} ${title}`);
    ids.set(binding, found);
  }
  return ids;
}

const failed =
  (what: string) =>
  (error: unknown): never => {
    const message = error instanceof Error ? error.message : String(error);
    const help = error instanceof ApiRefusal && error.codes.includes(NO_R2) ? `\n${R2_HELP}` : "";
    return fail(`could not ${what}: ${message}${help}`);
  };
