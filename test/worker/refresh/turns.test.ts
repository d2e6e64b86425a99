/** Whose turn it is in a scheduled run: what fails, or takes long, does not hold up the others. */
import { env } from "cloudflare:workers";
import { beforeEach, expect, test, vi } from "vitest";
import { addRefreshes } from "../../../src/refresh/refreshes.ts";
import { dueInOrder, trustTask } from "../../../src/refresh/schedule.ts";
import { refreshDue, STANDING_TASKS } from "../../../src/refresh/scheduled.ts";
import { failingDatabase } from "../faults/failing-database.ts";

const START = Date.parse("2026-11-22T12:00:00Z");
const MINUTE = 60_000;
const FAR = START + 100 * 24 * 60 * MINUTE;
const LISTS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"].map((letter) => trustTask("eIDAS", `X${letter}`));

const alone = Object.fromEntries(
  Object.entries(env).filter(([name]) => !name.startsWith("DB_") && name !== "EVENTS"),
) as typeof env;

beforeEach(async () => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  await env.DB.exec("DELETE FROM refreshes");
  await addRefreshes(env.DB, STANDING_TASKS, FAR);
  await addRefreshes(env.DB, LISTS, START);
});

/** The tasks that had a turn in each of `runs` runs, a minute apart. */
async function turns(runs: number, fetches: typeof fetch): Promise<string[][]> {
  vi.stubGlobal("fetch", fetches);
  const had: string[][] = [];
  for (let at = START; had.length < runs; at += MINUTE)
    had.push((await refreshDue(alone, () => at)).map((one) => one.task));
  vi.unstubAllGlobals();
  return had;
}

const dueAt = (task: string, at: number) =>
  env.DB.prepare("UPDATE refreshes SET due_at = ?2 WHERE task = ?1").bind(task, at).run();

/** As if the list of lists named them all, at an address. */
const nameLists = () =>
  env.KV.put(
    "trust/list-of-lists",
    JSON.stringify({
      sequenceNumber: 1,
      pointers: LISTS.map((task) => {
        const territoryOnList = task.slice(-2);
        return { territoryOnList, location: `https://lists.test/${territoryOnList}`, signers: [], mimeType: "x" };
      }),
    }),
  );

test("while every list is refused, events have their turn within two minutes", async () => {
  await nameLists();
  await dueAt("events", START);
  const had = await turns(8, async () => new Response("<html>Maintenance</html>"));
  const withEvents = had.flatMap((tasks, run) => (tasks.includes("events") ? [run] : []));
  expect(withEvents.slice(0, 3)).toEqual([0, 2, 4]);
  // and the lists theirs: one in each run
  expect(had.map((tasks) => tasks.filter((task) => task !== "events").length)).toEqual(Array(8).fill(1));
});

test("while no list can be fetched, all are asked in one run, and the rest has its turn", async () => {
  await nameLists();
  for (const task of ["events", "retention"]) await dueAt(task, START + 1);
  const had = await turns(2, async () => new Response("", { status: 503 }));
  expect(had).toEqual([LISTS, ["events", "retention"]]);
});

test("a source that takes a minute to fail is the last one of its run, which would keep the lease from the next", async () => {
  await nameLists();
  let now = START;
  vi.stubGlobal("fetch", async () => {
    now += MINUTE;
    throw new TypeError("no answer");
  });
  expect(await refreshDue(alone, () => now)).toHaveLength(1);
  vi.unstubAllGlobals();
});

test("a database that does not answer fails the events, and no source waits for it", async () => {
  await nameLists();
  await dueAt("events", START - MINUTE);
  vi.spyOn(console, "error").mockImplementation(() => {});
  vi.stubGlobal("fetch", async () => new Response("", { status: 503 }));
  const results = await refreshDue(
    { ...alone, DB_2: failingDatabase(env.DB, () => true, "before") } as typeof env,
    () => START,
  );
  vi.unstubAllGlobals();
  expect(results[0]).toMatchObject({ task: "events", ok: false });
  expect(results.map(({ task }) => task)).toEqual(["events", ...LISTS]);
});

test("a long sweep does not come first twice in a row", () => {
  const events = { task: "events", dueAt: START };
  const list = { task: LISTS[0] ?? "", dueAt: START - MINUTE };
  expect([dueInOrder([events, list], START), dueInOrder([events, list], START + MINUTE)]).toEqual([
    [list, events],
    [events, list],
  ]);
});
