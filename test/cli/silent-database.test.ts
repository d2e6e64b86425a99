/** A database beside the first that does not answer: it is named, and holds nothing else up. */
import "./own-configuration.ts";
import { rmSync, writeFileSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { listDatabaseFiles, withStores } from "../../src/cli/stores.ts";
import { LOCAL } from "../../src/cli/target.ts";
import { json, run } from "./run-here.ts";

test("`database list` names it and ends with 1; `npm start` names it and goes on", async () => {
  await json("fi", "list");
  const before = await listDatabaseFiles();
  await json("database", "add");
  await json("fi", "list");
  const [file = ""] = (await listDatabaseFiles()).filter((name) => !before.includes(name));
  for (const suffix of ["-wal", "-shm"]) rmSync(`${file}${suffix}`, { force: true });
  writeFileSync(file, "no database ".repeat(1000));

  const listed = await run("database", "list");
  expect(listed.code).toBe(1);
  expect(JSON.parse(listed.stdout)).toMatchObject([{ error: null }, { error: expect.stringMatching(/./) }]);
  const complaints = vi.spyOn(console, "error").mockImplementation(() => {});
  expect(await withStores(LOCAL, async ({ pending }) => pending, { pending: "apply" })).toEqual([]);
  // the runtime writes a line of its own, too
  expect(complaints.mock.calls.flat()).toContainEqual(
    expect.stringMatching(/^error: DB_2 does not answer, and its institutions get 503: /),
  );
  complaints.mockRestore();
});
