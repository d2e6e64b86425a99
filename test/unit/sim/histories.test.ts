/** The whole service in a simulated world (test/sim/): kept seeds, fresh ones, and that a seed says everything. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { prepare, runHistory } from "../../sim/history.ts";
import { PAST_FAULTS, readNoted } from "../../sim/past-faults.ts";
import { shrink } from "../../sim/shrink.ts";
import { tellStory } from "../../sim/story.ts";
import type { ThemeName } from "../../sim/themes.ts";
import { bundleText } from "../../sim/worker-function.ts";

const KEPT = join(import.meta.dirname, "../../sim/seeds");
/** As many as take, with the others, half a minute on a core. The same each time: a draw of chance would refuse good work. */
const FRESH = 50;
/** In so many of its histories the withdrawal by the clock is found: usually in the first. */
const ENOUGH = 20;

const setup = await prepare();

async function findStory(seed: string, theme: ThemeName | null = null): Promise<string> {
  const history = await runHistory(setup, seed, { theme });
  return history.broken.length === 0 ? "" : tellStory(seed, theme, await shrink(setup, seed, history));
}

test("the same seed gives the same trace, byte for byte", async () => {
  const [first, again] = [
    await runHistory(setup, "once more", { keepTrace: true }),
    await runHistory(setup, "once more", { keepTrace: true }),
  ];
  expect(first.trace.length).toBeGreaterThan(1_000);
  expect(again.trace).toEqual(first.trace);
  expect(again.digest).toBe(first.digest);
  const other = await runHistory(setup, "another");
  expect(other.digest).not.toBe(first.digest);
});

test("no promise breaks in the kept histories, each of which broke one once", async () => {
  const seeds = readdirSync(KEPT).filter((name) => name.endsWith(".md") && name !== "README.md");
  for (const name of seeds) expect(await findStory(name.replace(/\.md$/, ""))).toBe("");
});

test.each(Object.entries(readNoted()))("no promise breaks where it did: %s", async (_, { seed, theme }) => {
  expect(await findStory(seed, theme)).toBe("");
});

const fresh = (name: string, length: number, theme: ThemeName | null) =>
  Array.from({ length }, (_, i) => ({ seed: `${name} ${i}`, theme }));
// one seed in 27 draws the theme of people
test.each([...fresh("suite", FRESH, null), ...fresh("people", 5, "people")])(
  "no promise breaks in the history $seed",
  async ({ seed, theme }) => {
    expect(await findStory(seed, theme)).toBe("");
  },
);

test("each fault of the past can be put back: its place stands in the Worker, or in the operator's commands", async () => {
  const texts = [await bundleText(), await bundleText("test/sim/operator-commands.ts")];
  for (const { name, patches } of PAST_FAULTS)
    for (const { from } of patches)
      expect([name, texts.some((text) => text.split(from).length === 2)]).toEqual([name, true]);
});

test("a fault of the past that is put back is found, and told as a story", async () => {
  const [withdrawal] = PAST_FAULTS;
  const faulty = await prepare(withdrawal?.patches);
  for (let seed = 0; seed < ENOUGH; seed++) {
    const history = await runHistory(faulty, String(seed));
    if (history.broken.length === 0) continue;
    const shortest = await shrink(faulty, String(seed), history);
    expect(shortest.swarm.entries.length).toBeLessThan(history.swarm.entries.length);
    expect(tellStory(String(seed), null, shortest)).toMatch(/"ended is dead"[\s\S]*DELETE \/v1\/accounts/);
    return;
  }
  expect.unreachable("the withdrawal by the clock was not found");
});
