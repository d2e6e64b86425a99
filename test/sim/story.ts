/** A failure as people read it: who did what at which virtual second, which fault struck, which promise broke. */
import { execFileSync } from "node:child_process";
import type { History } from "./history.ts";
import { START } from "./seed.ts";
import type { ThemeName } from "./themes.ts";

const LINE_CHARACTERS = 200;

const commit = (): string => {
  try {
    return execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim();
  } catch {
    return "unknown";
  }
};

/** What the calls of stores, logs and answers are to a reader: the first only where a fault met them. */
const isTold = (line: string): boolean =>
  !/ (?:asks|logs) /.test(line) || /\((?:refused|unanswered|silent|mute|late)\)$/.test(line);

/** Of the shortest history that was found, with its trace. */
export function tellStory(seed: string, theme: ThemeName | null, { broken, swarm, trace }: History): string {
  const { outages, clocks, strayShare, lostAnswers } = swarm;
  const windows = outages.map(
    ({ store, location, from, until, share }) =>
      `  ${((from - START) / 1000).toFixed(1)} s: ${share * 100} % of the calls of ${store} fail until ${((until - START) / 1000).toFixed(1)} s${location ? ` from ${location}` : ""}`,
  );
  const lines = trace.flatMap((line) => {
    const [, at = "0", what = ""] = /^(\d+) ([\s\S]*)$/.exec(line) ?? [];
    if (!isTold(line) || Number(at) > swarm.activeMs * 2) return [];
    return [`  ${(Number(at) / 1000).toFixed(3).padStart(8)} s  ${what.slice(0, LINE_CHARACTERS)}`];
  });
  const again = `--seed ${seed}${theme === null ? "" : ` --theme ${theme}`}`;
  return [
    `A promise broke. Again: npm run sim -- ${again} (commit ${commit()})`,
    ...broken.map(({ promise, how, at }) => `  ${at} s  "${promise}": ${how}`),
    `The world: clocks ${clocks}, ${strayShare * 100} % of calls fail anywhere, ${lostAnswers * 100} % of answers are lost`,
    ...windows,
    ...lines,
  ].join("\n");
}
