/** What the load generator draws. */
import { expect, test } from "vitest";
import { ACTION_KINDS, drawAction, drawOne, MIX, makeRandom } from "../../load/mix.ts";

const DRAWS = 20_000;

test("the shares sum to a hundred", () => {
  expect(ACTION_KINDS.reduce((sum, kind) => sum + MIX[kind], 0)).toBe(100);
});

test("each action is drawn as often as its share says", () => {
  const random = makeRandom(1);
  const drawn = Array.from({ length: DRAWS }, () => drawAction(random));
  for (const kind of ACTION_KINDS) {
    const share = (100 * drawn.filter((each) => each === kind).length) / DRAWS;
    expect(Math.abs(share - MIX[kind]), kind).toBeLessThan(1);
  }
});

test("the ends of the draw are the first and the last action", () => {
  expect(drawAction(() => 0)).toBe("PSP check");
  expect(drawAction(() => 0.699)).toBe("PSP check");
  expect(drawAction(() => 0.7)).toBe("token information");
  expect(drawAction(() => 0.999_999)).toBe("hostile input");
});

test("one seed draws the same again, another one does not, and all lie from 0 to below 1", () => {
  const draw = (seed: number) => Array.from({ length: 1_000 }, makeRandom(seed));
  expect(draw(7)).toEqual(draw(7));
  expect(draw(7)).not.toEqual(draw(8));
  expect(draw(7).every((number) => number >= 0 && number < 1)).toBe(true);
  expect(new Set(draw(7)).size).toBeGreaterThan(990);
});

test("of elements each is drawn, and none of nothing", () => {
  const random = makeRandom(3);
  expect(new Set(Array.from({ length: 100 }, () => drawOne(random, ["a", "b", "c"])))).toEqual(
    new Set(["a", "b", "c"]),
  );
  expect(() => drawOne(random, [])).toThrow("nothing to draw from");
});
