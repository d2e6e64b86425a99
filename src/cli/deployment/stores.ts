/**
 * The stores of a deployment over Cloudflare's API: each is the one that the deployed Worker has, else the one of its
 * title, and is made only if there is none. So a deployment that failed anywhere can be run again.
 */

import { CommandError, fail } from "../fail.ts";
import { type Account, ApiRefusal, callAccount } from "./cloudflare-api.ts";
import type { StoreIds } from "./deployed-stores.ts";

export interface Wanted {
  readonly kind: keyof typeof KINDS;
  readonly binding: string;
  readonly title: string;
}

/** `jurisdiction`: empty for none. `find` answers null where there is no such store, and fails where it lies elsewhere. */
interface Kind {
  readonly find: (account: Account, title: string, jurisdiction: string) => Promise<string | null>;
  readonly make: (account: Account, title: string, jurisdiction: string) => Promise<string>;
}

const read = async (account: Account, path: string) => (await callAccount(account, "GET", path)).result;
const post = async (account: Account, path: string, body: object) =>
  Object((await callAccount(account, "POST", path, body)).result);
/** A title at most once, as Cloudflare has it. */
const idOf = (rows: unknown, title: string, name: string, id: string): string | null =>
  (rows as readonly Readonly<Record<string, string>>[]).find((row) => row[name] === title)?.[id] ?? null;

const PER_PAGE = 1000;

/** Each jurisdiction has its own buckets. */
const inJurisdiction = (jurisdiction: string) => (jurisdiction === "" ? {} : { "cf-r2-jurisdiction": jurisdiction });

const hasBucket = (account: Account, title: string, jurisdiction: string): Promise<boolean> =>
  callAccount(account, "GET", `/r2/buckets/${title}`, undefined, inJurisdiction(jurisdiction)).then(
    () => true,
    (error: unknown) => {
      if (error instanceof ApiRefusal && error.codes.includes(NO_BUCKET)) return false;
      throw error;
    },
  );

/** The sentence of a store that can be used only where it is. */
export const liesElsewhere = (what: string, there: string, wanted: string): string =>
  `${what} lies in ${there === "" ? "no jurisdiction" : there} and not in ${wanted === "" ? "none" : wanted}, which cannot be changed: restore a backup into a new service, or set JURISDICTION = "${there}"`;

const KINDS = {
  // developers.cloudflare.com/api/resources/r2/subresources/buckets/
  "R2 bucket": {
    find: async (account, title, jurisdiction) => {
      if (await hasBucket(account, title, jurisdiction)) return title;
      if (jurisdiction !== "" && (await hasBucket(account, title, "")))
        fail(liesElsewhere(`the R2 bucket ${title}`, "", jurisdiction));
      return null;
    },
    make: async (account, name, jurisdiction) =>
      Object((await callAccount(account, "POST", "/r2/buckets", { name }, inJurisdiction(jurisdiction))).result).name,
  },
  // developers.cloudflare.com/api/resources/d1/subresources/database/
  "D1 database": {
    find: async (account, title, jurisdiction) => {
      const id = idOf(await read(account, `/d1/database?name=${encodeURIComponent(title)}`), title, "name", "uuid");
      const { jurisdiction: there } = Object(id === null ? {} : await read(account, `/d1/database/${id}`));
      if (there !== undefined && (there ?? "") !== jurisdiction)
        fail(liesElsewhere(`the D1 database ${title}`, there ?? "", jurisdiction));
      return id;
    },
    make: async (account, name, jurisdiction) =>
      (await post(account, "/d1/database", { name, ...(jurisdiction !== "" && { jurisdiction }) })).uuid,
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

/** Those that there are, and those that a deployment makes. */
export interface FoundStores {
  readonly ids: StoreIds;
  readonly missing: readonly Wanted[];
}

/** `known`: ids that wrangler.toml or the deployed Worker has. `account` null: nobody is asked, and no other is there. */
export async function findStores(
  account: Account | null,
  wanted: readonly Wanted[],
  known: StoreIds,
  jurisdiction: string,
): Promise<FoundStores> {
  const ids = new Map<string, string>();
  const missing: Wanted[] = [];
  for (const one of wanted) {
    const { kind, binding, title } = one;
    const { find }: Kind = KINDS[kind];
    const ask = () => account && find(account, title, jurisdiction).catch(failed(`find the ${kind} ${title}`));
    const id = known.get(binding) ?? (await ask());
    if (id === null) missing.push(one);
    else ids.set(binding, id);
  }
  return { ids, missing };
}

/** Makes the missing ones. `made` grows by each. Fails with a sentence. */
export async function makeStores(
  account: Account,
  { ids: existing, missing }: FoundStores,
  jurisdiction: string,
  made: string[],
): Promise<StoreIds> {
  const ids = new Map(existing);
  for (const { kind, binding, title } of missing) {
    const { find, make }: Kind = KINDS[kind];
    const makeIt = () => make(account, title, jurisdiction).catch(failed(`make the ${kind} ${title}`));
    // a refusal may come after it took effect
    const id = await makeIt().catch(async (error: unknown) => {
      const other = await find(account, title, jurisdiction).catch(() => null);
      if (other === null) throw error;
      return other;
    });
    made.push(`${kind} ${title}`);
    ids.set(binding, id);
  }
  return ids;
}

/** For a rejection: fails with a sentence that names what could not be done. */
export const failed =
  (what: string) =>
  (error: unknown): never => {
    if (error instanceof CommandError) throw error;
    const message = error instanceof Error ? error.message : String(error);
    const help = error instanceof ApiRefusal && error.codes.includes(NO_R2) ? `\n${R2_HELP}` : "";
    return fail(`could not ${what}: ${message}${help}`);
  };
