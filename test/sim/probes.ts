/** The same calls for a simulated store and for that of workerd, and all that was answered. */

type Said = readonly unknown[];

/** What a call answers, or that it failed. */
async function say(call: () => Promise<unknown>): Promise<unknown> {
  try {
    return await call();
  } catch (error) {
    return { failed: error instanceof Error ? error.message : String(error) };
  }
}

export async function probeD1(db: D1Database): Promise<Said> {
  const said: unknown[] = [];
  const bind = (sql: string, values: readonly unknown[]) => db.prepare(sql).bind(...values);
  const all = async (sql: string, ...values: unknown[]) =>
    said.push(await say(async () => (await bind(sql, values).all()).results));
  const changes = async (sql: string, ...values: unknown[]) =>
    said.push(await say(async () => (await bind(sql, values).run()).meta.changes));
  await changes(
    "CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, at INTEGER, bytes BLOB) STRICT",
  );
  await changes("CREATE TABLE parts (thing INTEGER NOT NULL REFERENCES things (id)) STRICT");
  await changes("INSERT INTO things (id, name, at) VALUES (?1, ?2, ?3)", 1, "one", 1_780_000_000_000);
  await changes("INSERT INTO things (id, name) VALUES (2, 'two'), (3, 'three')");
  await all("SELECT * FROM things ORDER BY id DESC");
  await all(
    "SELECT typeof(?1) AS number, typeof(?2) AS text, ?1 / 2 AS half, CAST(?1 / 2 AS INTEGER) AS whole",
    5,
    "a",
  );
  await all("SELECT ?2 AS second, ?1 AS first, ?2 AS again", "a", "b");
  await all("UPDATE things SET at = coalesce(at, ?1) WHERE id < ?2 RETURNING id, at", 7, 3);
  await changes("UPDATE things SET at = 8 WHERE id = 99");
  await changes("UPDATE things SET bytes = ?1 WHERE id = 1", new Uint8Array([1, 2, 3]).buffer);
  await all("SELECT bytes, length(bytes) AS length FROM things WHERE id = 1");
  said.push(await say(() => db.prepare("SELECT name FROM things WHERE id = ?1").bind(9).first()));
  said.push(await say(() => db.prepare("SELECT name, at FROM things WHERE id = 2").first("at")));
  said.push(await say(() => db.prepare("SELECT id, name FROM things ORDER BY id").raw()));
  said.push(await say(() => db.prepare("INSERT INTO things (id, name) VALUES (4, 'two')").run()));
  said.push(await say(() => db.prepare("INSERT INTO things (id, name, at) VALUES (4, 'four', 'later')").run()));
  said.push(await say(() => db.prepare("INSERT INTO parts (thing) VALUES (77)").run()));
  said.push(await say(() => db.prepare("SELECT * FROM missing").all()));
  said.push(await say(async () => db.prepare("SELECT ?1").bind(undefined)));
  const batch = (...statements: string[]) =>
    say(async () =>
      (await db.batch(statements.map((sql) => db.prepare(sql)))).map(({ results, meta }) => [results, meta.changes]),
    );
  said.push(await batch("SELECT id FROM things ORDER BY id", "SELECT name FROM things ORDER BY id"));
  said.push(await batch("SELECT id FROM things", "SELECT * FROM missing"));
  said.push(await batch("INSERT INTO parts (thing) VALUES (1)", "SELECT count(*) AS parts FROM parts"));
  said.push(await batch("INSERT INTO parts (thing) VALUES (2)", "INSERT INTO parts (thing) VALUES (78)"));
  await changes(
    "CREATE TRIGGER no_four BEFORE INSERT ON things WHEN NEW.id = 4 BEGIN SELECT RAISE(ABORT, 'four is not'); END",
  );
  await changes("INSERT INTO things (id, name) VALUES (4, 'four')");
  await all("SELECT (SELECT count(*) FROM parts) AS parts, (SELECT count(*) FROM things) AS things");
  return said;
}

export async function probeKv(kv: KVNamespace): Promise<Said> {
  const said: unknown[] = [];
  const put = async (...call: Parameters<KVNamespace["put"]>) => said.push(await say(() => kv.put(...call)));
  await put("a/1", "text");
  await put("a/2", JSON.stringify({ deep: [1, null] }), { metadata: { of: "two" } });
  await put("b/1", new Uint8Array([1, 2, 255]).buffer, { expirationTtl: 60 });
  said.push(await say(() => kv.get("a/1")));
  said.push(await say(() => kv.get("a/2", "json")));
  said.push(await say(async () => [...new Uint8Array((await kv.get("b/1", "arrayBuffer")) ?? new ArrayBuffer(0))]));
  said.push(await say(() => kv.get("none", "json")));
  said.push(await say(async () => [...(await kv.get(["a/2", "none"], "json"))]));
  said.push(
    await say(async () => {
      const { value, metadata } = await kv.getWithMetadata("a/2", "json");
      return [value, metadata];
    }),
  );
  said.push(
    await say(async () => {
      const { value, metadata } = await kv.getWithMetadata("none", "json");
      return [value, metadata];
    }),
  );
  said.push(
    await say(async () => {
      const { keys, list_complete } = await kv.list({ prefix: "a/" });
      return [keys.map(({ name, metadata }) => [name, metadata ?? null]), list_complete];
    }),
  );
  said.push(await say(async () => typeof (await say(() => kv.put("c", "c", { expirationTtl: 30 })))));
  said.push(await say(() => kv.delete("a/1")));
  said.push(await say(() => kv.delete("none")));
  said.push(await say(async () => (await kv.list({ prefix: "" })).keys.map(({ name }) => name)));
  return said;
}

export async function probeR2(bucket: R2Bucket): Promise<Said> {
  const said: unknown[] = [];
  const bytes = new Uint8Array([1, 2, 3]);
  const sha256 = "039058c6f2c0cb492c533b0a4d14ef77cc0f78abccced5287d84a1a2011cfb81";
  const put = async (key: string, options: R2PutOptions) =>
    said.push(await say(async () => (await bucket.put(key, bytes, options)) !== null));
  await put("one", { sha256, onlyIf: new Headers({ "If-None-Match": "*" }) });
  await put("one", { onlyIf: { etagDoesNotMatch: "*" } });
  await put("two", { customMetadata: { answer: "x" } });
  said.push(
    await say(async () => typeof (await say(() => bucket.put("bad", bytes, { sha256: sha256.replace("0", "1") })))),
  );
  const head = async (key: string) =>
    said.push(
      await say(async () => {
        const found = await bucket.head(key);
        return found && [found.key, found.size, found.checksums.toJSON().sha256 ?? null, found.customMetadata ?? {}];
      }),
    );
  await head("one");
  await head("two");
  await head("none");
  said.push(
    await say(async () => [...new Uint8Array((await (await bucket.get("one"))?.arrayBuffer()) ?? new ArrayBuffer(0))]),
  );
  said.push(await say(() => bucket.get("none")));
  said.push(await say(() => bucket.delete(["one", "none"])));
  await head("one");
  return said;
}

/** In an object of its own. Its text runs in workerd, too: it uses nothing of this file. */
export async function probeStorage(storage: DurableObjectStorage): Promise<Said> {
  const said: unknown[] = [];
  storage.kv.put("code", { secretHash: "x", tokenId: null, givenBack: ["a"] });
  const read = storage.kv.get<{ givenBack: string[] }>("code");
  read?.givenBack.push("b");
  said.push(storage.kv.get("code"), storage.kv.get("none") ?? null, storage.kv.delete("none"));
  said.push(await storage.getAlarm());
  await storage.setAlarm(4_000_000_000_000);
  said.push(await storage.getAlarm());
  const { sql } = storage;
  sql.exec(
    "CREATE TABLE rows (id INTEGER PRIMARY KEY, text TEXT, bytes BLOB) STRICT; CREATE TABLE more (at INTEGER) STRICT",
  );
  sql.exec("INSERT INTO rows (id, text) VALUES (?1, ?2)", 1, "one");
  sql.exec("INSERT INTO rows (id, bytes) VALUES (?, ?)", 2, new Uint8Array([7, 8]).buffer);
  const rows = () =>
    [...sql.exec("SELECT * FROM rows ORDER BY id")].map((row) =>
      Object.entries(row).map(([name, value]) => [
        name,
        value instanceof ArrayBuffer ? [...new Uint8Array(value)] : value,
      ]),
    );
  said.push(rows());
  try {
    storage.transactionSync(() => {
      sql.exec("DELETE FROM rows");
      throw new Error("taken back");
    });
  } catch (error) {
    said.push(error instanceof Error ? error.message : "");
  }
  said.push(rows().length);
  storage.transactionSync(() => sql.exec("DELETE FROM rows WHERE id = ?1", 1));
  said.push(rows().length);
  await storage.deleteAll();
  said.push(storage.kv.get("code") ?? null);
  return said;
}
