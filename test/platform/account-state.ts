/** An account's content: copied, so that a fault begins where the one before it began, and described, to be compared. */
import { DatabaseSync } from "node:sqlite";
import { RETIRED } from "../../src/evidence/signatures/signing-keys.ts";
import { dump, importDump } from "./databases.ts";
import type { Account } from "./platform.ts";

export function copyAccount({ databases, stores, scripts }: Account): Account {
  return {
    databases: databases.map((one) => {
      const sqlite = new DatabaseSync(":memory:");
      sqlite.exec("PRAGMA foreign_keys = off");
      importDump(sqlite, dump(one.sqlite));
      sqlite.exec("PRAGMA foreign_keys = on");
      return { ...one, sqlite, files: new Map() };
    }),
    stores: {
      ...stores,
      namespaces: stores.namespaces.map((one) => ({ ...one, values: new Map(one.values) })),
      buckets: new Set(stores.buckets),
      queues: stores.queues.map((one) => ({ ...one, consumers: [...one.consumers] })),
    },
    scripts: new Map(
      [...scripts].map(([name, one]) => [
        name,
        { ...one, versions: [...one.versions], secrets: new Map(one.secrets), crons: [...one.crons] },
      ]),
    ),
  };
}

export type State = ReturnType<typeof describeAccount>;

/** What an account has, without what differs from run to run: ids, times, secrets, and how often a Worker was sent. */
export function describeAccount({ databases, stores, scripts }: Account) {
  const titles = new Map([
    ...databases.map(({ uuid, name }) => [uuid, name] as const),
    ...stores.namespaces.map(({ id, title }) => [id, title] as const),
  ]);
  return {
    databases: databases.map(({ name, jurisdiction, sqlite }) => ({ name, jurisdiction, tables: readTables(sqlite) })),
    namespaces: stores.namespaces.map(({ title, values }) => ({
      title,
      values: [...values].map(([key, { value, metadata }]) => [key, value.toString("base64"), metadata]).sort(),
    })),
    buckets: [...stores.buckets],
    queues: stores.queues.map(({ name, consumers }) => ({ name, consumers: consumers.length })),
    workers: [...scripts].map(([name, { versions, secrets, crons, isPublic }]) => ({
      ...{ name, crons: crons.length, isPublic, secrets: [...secrets].map(describeSecret).sort() },
      bindings: (versions.at(-1)?.bindings ?? []).map((binding) => {
        const id = String(binding["id"] ?? binding["namespace_id"]);
        return `${binding.type} ${binding.name} ${titles.get(id) ?? ""}`;
      }),
    })),
  };
}

/** Times, client ids, keys' ids, digests and UUIDs; of a secret that was made anew, and of a status that was set twice. */
const DIFFERS =
  /(?<="secret_made_at":)null|(?<="status_version":)\d+|(?<=")[\w-]{43}(?=")|\b\d{13}\b|\b\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\b|\bfi-[\w-]{12}|\d{8}T\d{6}Z|\b[0-9a-f]{64}\b|\b[0-9a-f]{8}-[0-9a-f-]{27}\b/g;
const withoutIds = (text: string): string => text.replaceAll(DIFFERS, "…").replace(/(?<=SIGNING_KEY_…_).*/, "…");

/** A signing key without its private part only verifies. */
const describeSecret = ([name, value]: [string, string]): string =>
  `${withoutIds(name)}${value === RETIRED ? " verifies" : ""}`;

function readTables(sqlite: DatabaseSync): Record<string, string[]> {
  const tables = sqlite
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
    .all() as unknown as { name: string }[];
  return Object.fromEntries(
    tables.map(({ name }) => [
      name,
      sqlite
        .prepare(`SELECT * FROM "${name}"`)
        .all()
        .map((row) => withoutIds(JSON.stringify(row)))
        .sort(),
    ]),
  );
}

/** Ids of stores and names of secrets that were there and are not any more: whatever command runs, they stay. */
export function findGone(before: Account, after: Account): string[] {
  const list = ({ databases, stores, scripts }: Account) => [
    ...databases.map(({ name, uuid }) => `the database ${name} ${uuid}`),
    ...stores.namespaces.map(({ title, id }) => `the namespace ${title} ${id}`),
    ...[...scripts].flatMap(([worker, { secrets }]) =>
      [...secrets].map(([name, value]) => `the secret ${name} of ${worker}: ${value}`),
    ),
  ];
  const kept = list(after);
  return list(before).flatMap((one) => (kept.includes(one) ? [] : [`${one} is gone`]));
}
