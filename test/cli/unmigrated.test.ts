/** A local database that lacks migrations: no command migrates it by itself, each says what does. */
import "./own-state.ts";
import { expect, test, vi } from "vitest";
import { findPending } from "../../src/cli/database/migrations.ts";
import { STATE, withStores } from "../../src/cli/stores.ts";
import { LOCAL } from "../../src/cli/target.ts";
import { json, run } from "./run-here.ts";

const LAST = "SELECT name FROM d1_migrations ORDER BY name DESC LIMIT 1";
const lastMigration = ({ env }: { env: Env }) => env.DB.prepare(LAST).first<string>("name");

test("commands refuse it, `status` and `doctor` tell; `npm start` opens it so that it is migrated", async () => {
  const last = await withStores(LOCAL, async (stores) => {
    const name = await lastMigration(stores);
    await stores.env.DB.prepare("DELETE FROM d1_migrations WHERE name = ?1").bind(name).run();
    return name;
  });
  const sentence = `the local database lacks ${last}: npm start migrates it, and no other command does`;
  expect(await run("fi", "list")).toEqual({ code: 3, stdout: "", stderr: `error: ${sentence}\n` });
  expect(await json("status")).toMatchObject({ status: "unknown", migrations: [last] });
  expect(await run("status", "--no-json")).toEqual({
    code: 1,
    stdout: `✗ needs migrating: ${sentence}\n`,
    stderr: "",
  });
  const offline = vi.spyOn(globalThis, "fetch").mockRejectedValue(new TypeError("no network"));
  const { status, findings } = await json("doctor");
  offline.mockRestore();
  expect(status).toBe("to do");
  expect(findings).toContainEqual({ area: "stores", state: "to do", message: sentence, todo: "npm start" });
  // nothing was migrated by asking
  expect(await withStores(LOCAL, lastMigration, { pending: "open" })).not.toBe(last);
  const stores = withStores(LOCAL, lastMigration, { pending: "apply" });
  // its tables are there already, so it fails: it was applied once more
  await expect(stores).rejects.toThrow(/already exists|duplicate column/);
});

test("data of a release below 1.0 is met with a sentence that says what to do, by `npm start` too, and is left as it is", async () => {
  const rename = (to: string) => (stores: { env: Env }) =>
    stores.env.DB.prepare("UPDATE d1_migrations SET name = ?1 WHERE id = (SELECT min(id) FROM d1_migrations)")
      .bind(to)
      .run();
  const withOpen = { pending: "open" } as const;
  const baseline = await withStores(
    LOCAL,
    async ({ env }) => {
      const { migrations } = await findPending(env.DB);
      for (const name of migrations)
        await env.DB.prepare("INSERT INTO d1_migrations (name) VALUES (?1)").bind(name).run();
      const name = await lastMigration({ env });
      await rename("0001_financial_institutions.sql")({ env });
      return name;
    },
    withOpen,
  );
  const sentence = `the local data is of a release below 1.0 and cannot be taken over: rm -rf ${STATE}, then npm start makes it new`;
  expect(await run("fi", "list")).toEqual({ code: 3, stdout: "", stderr: `error: ${sentence}\n` });
  expect(await run("status")).toMatchObject({ code: 3, stderr: `error: ${sentence}\n` });
  const started = withStores(LOCAL, rename(String(baseline)), { pending: "apply" });
  await expect(started).rejects.toThrow(sentence);
});
