/** KV, R2 and queues over HTTP: developers.cloudflare.com/api/resources/kv/, /r2/ and /queues/ */
import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { ApiFault, type Route } from "./api.ts";

export interface HeldStores {
  readonly namespaces: { readonly id: string; readonly title: string; readonly values: Map<string, HeldValue> }[];
  readonly buckets: Set<string>;
  /** Whether R2 was enabled in the dashboard. */
  hasR2: boolean;
  readonly queues: { readonly id: string; readonly name: string; readonly consumers: unknown[] }[];
}

interface HeldValue {
  readonly value: Buffer;
  readonly metadata: unknown;
  /** Seconds since 1970. */
  readonly expiration: number | null;
}

export function storeRoutes(held: HeldStores): readonly Route[] {
  const { namespaces, buckets, queues } = held;
  const needR2 = () => {
    if (!held.hasR2) throw new ApiFault(403, 10_042, "Please enable R2 through the Cloudflare Dashboard.");
  };
  const namespace = (id: string | undefined) => {
    const found = namespaces.find((each) => each.id === id);
    if (!found) throw new ApiFault(404, 10_013, "namespace not found");
    return found;
  };
  const queue = (id: string | undefined) => {
    const found = queues.find((each) => each.id === id);
    if (!found) throw new ApiFault(404, 11_000, "queue not found");
    return found;
  };
  return [
    ["GET /storage/kv/namespaces", () => ({ result: namespaces.map(({ id, title }) => ({ id, title })) })],
    [
      "POST /storage/kv/namespaces",
      ({ body }) => {
        const { title } = JSON.parse(body.toString());
        if (namespaces.some((each) => each.title === title))
          throw new ApiFault(400, 10_014, "A namespace with this account ID and title already exists.");
        const made = { id: randomUUID().replaceAll("-", ""), title, values: new Map() };
        namespaces.push(made);
        return { result: { id: made.id, title } };
      },
    ],
    [
      "GET /storage/kv/namespaces/*/keys",
      ({ parts: [id], url }) => {
        const prefix = url.searchParams.get("prefix") ?? "";
        const limit = Number(url.searchParams.get("limit") ?? 1000);
        const after = url.searchParams.get("cursor") ?? "";
        const all = [...namespace(id).values].filter(([name]) => name.startsWith(prefix) && name > after).sort();
        const page = all.slice(0, limit);
        const cursor = all.length > limit ? (page.at(-1)?.[0] ?? "") : "";
        const result = page.map(([name, { metadata, expiration }]) => ({
          ...{ name, ...(metadata !== null && { metadata }), ...(expiration !== null && { expiration }) },
        }));
        return { result, info: { count: page.length, cursor } };
      },
    ],
    [
      "GET /storage/kv/namespaces/*/values/*",
      ({ parts: [id, key = ""] }) => {
        const held = namespace(id).values.get(key);
        if (!held) throw new ApiFault(404, 10_009, "get: 'key not found'");
        return { raw: held.value };
      },
    ],
    [
      "PUT /storage/kv/namespaces/*/values/*",
      async ({ parts: [id, key = ""], body, headers, url }) => {
        const expiration = url.searchParams.get("expiration");
        const type = headers["content-type"] ?? "";
        const form = type.startsWith("multipart/")
          ? await new Response(new Uint8Array(body), { headers: { "Content-Type": type } }).formData()
          : null;
        const value = form ? Buffer.from(await new Blob([form.get("value") ?? ""]).arrayBuffer()) : body;
        const metadata = form?.get("metadata");
        namespace(id).values.set(key, {
          ...{ value, metadata: metadata == null ? null : JSON.parse(String(metadata)) },
          expiration: expiration === null ? null : Number(expiration),
        });
        return { result: null };
      },
    ],
    [
      "DELETE /storage/kv/namespaces/*/values/*",
      ({ parts: [id, key = ""] }) => {
        namespace(id).values.delete(key);
        return { result: null };
      },
    ],
    [
      "PUT /storage/kv/namespaces/*/bulk",
      ({ parts: [id], body }) => {
        type Pair = {
          key: string;
          value: string;
          base64?: boolean;
          metadata?: unknown;
          expiration?: number;
          expiration_ttl?: number;
        };
        const entries = JSON.parse(body.toString()) as Pair[];
        if (entries.length > 10_000) throw new ApiFault(400, 10_025, "bulk: at most 10,000 pairs");
        for (const { key, value, base64 = false, metadata = null, expiration = null, expiration_ttl } of entries)
          namespace(id).values.set(key, {
            ...{ value: Buffer.from(value, base64 ? "base64" : "utf8"), metadata },
            expiration: expiration_ttl === undefined ? expiration : Math.floor(Date.now() / 1000) + expiration_ttl,
          });
        return { result: { successful_key_count: entries.length, unsuccessful_keys: [] } };
      },
    ],
    [
      "POST /storage/kv/namespaces/*/bulk/delete",
      ({ parts: [id], body }) => {
        const keys = JSON.parse(body.toString()) as string[];
        if (keys.length > 10_000) throw new ApiFault(400, 10_026, "bulk delete: at most 10,000 keys");
        for (const key of keys) namespace(id).values.delete(key);
        return { result: { successful_key_count: keys.length, unsuccessful_keys: [] } };
      },
    ],
    [
      "POST /storage/kv/namespaces/*/bulk/get",
      ({ parts: [id], body }) => {
        const { keys, type = "text", withMetadata = false } = JSON.parse(body.toString());
        if (keys.length > 100) throw new ApiFault(400, 10_029, "bulk get: at most 100 keys");
        const read = (key: string) => {
          const held = namespace(id).values.get(key);
          if (!held) return null;
          const value = type === "json" ? JSON.parse(held.value.toString()) : held.value.toString();
          return withMetadata ? { value, metadata: held.metadata } : value;
        };
        return { result: { values: Object.fromEntries(keys.map((key: string) => [key, read(key)])) } };
      },
    ],
    ["GET /r2/buckets", () => ({ result: { buckets: [...buckets].map((name) => ({ name })) } })],
    [
      "GET /r2/buckets/*",
      ({ parts: [title = ""], headers }) => {
        needR2();
        const name = nameIn(title, headers);
        if (!buckets.has(name)) throw new ApiFault(404, 10_006, "The specified bucket does not exist.");
        return { result: { name } };
      },
    ],
    [
      "POST /r2/buckets",
      ({ body, headers }) => {
        needR2();
        const name = nameIn(JSON.parse(body.toString()).name, headers);
        if (buckets.has(name)) throw new ApiFault(409, 10_004, "The bucket you tried to create already exists.");
        buckets.add(name);
        return { result: { name } };
      },
    ],
    [
      "GET /queues",
      ({ url }) => {
        const name = url.searchParams.get("name");
        const found = queues.filter((each) => name === null || each.name === name);
        return { result: found.map(describeQueue), info: { count: found.length, page: 1, total_count: found.length } };
      },
    ],
    [
      "POST /queues",
      ({ body }) => {
        const { queue_name: name } = JSON.parse(body.toString());
        if (queues.some((each) => each.name === name)) throw new ApiFault(409, 11_009, `Queue name '${name}' is taken`);
        const made = { id: randomUUID().replaceAll("-", ""), name, consumers: [] };
        queues.push(made);
        return { result: describeQueue(made) };
      },
    ],
    ["GET /queues/*", ({ parts: [id] }) => ({ result: describeQueue(queue(id)) })],
    ["GET /queues/*/consumers", ({ parts: [id] }) => ({ result: queue(id).consumers })],
    [
      "POST /queues/*/consumers",
      ({ parts: [id], body }) => {
        const asked = JSON.parse(body.toString());
        // what is sent as script_name is answered as script
        const made = { consumer_id: randomUUID(), script: asked.script_name, ...asked };
        queue(id).consumers.push(made);
        return { result: made };
      },
    ],
    [
      "PUT /queues/*/consumers/*",
      ({ parts: [id, consumer], body }) => {
        const { consumers } = queue(id);
        const at = consumers.findIndex((each) => Object(each).consumer_id === consumer);
        if (at < 0) throw new ApiFault(404, 11_004, "consumer not found");
        const asked = JSON.parse(body.toString());
        consumers[at] = { consumer_id: consumer, script: asked.script_name, ...asked };
        return { result: consumers[at] };
      },
    ],
  ];
}

/** Each jurisdiction has its own: developers.cloudflare.com/r2/reference/data-location/ */
const nameIn = (name: string, { "cf-r2-jurisdiction": jurisdiction }: IncomingHttpHeaders): string =>
  jurisdiction === undefined || jurisdiction === "default" ? name : `${jurisdiction}/${name}`;

const describeQueue = ({ id, name, consumers }: HeldStores["queues"][number]) => ({
  ...{ queue_id: id, queue_name: name, created_on: "2026-11-23T00:00:00Z", modified_on: "2026-11-23T00:00:00Z" },
  ...{ producers: [], producers_total_count: 0, consumers, consumers_total_count: consumers.length },
});
