import { expect, test } from "vitest";
import { judgePace } from "../../../src/events/pace.ts";

test.each([
  ["the first answer is noted, and nothing rests", null, 9_000, { answerMs: 9_000, slow: true, restMs: null }],
  ["what is near what is known is not written again", 5_000, 9_000, { answerMs: null, slow: true, restMs: null }],
  ["one that becomes slow rests", 200, 9_000, { answerMs: 9_000, slow: true, restMs: 45_000 }],
  ["one that becomes slower, and is not slow, goes on", 200, 1_500, { answerMs: 1_500, slow: false, restMs: null }],
  ["one that becomes quick is noted as the quickest", 9_000, 3, { answerMs: 200, slow: false, restMs: null }],
  ["of the quickest nothing is told apart", 200, 3, { answerMs: null, slow: false, restMs: null }],
])("%s", (_, known, took, pace) => {
  expect(judgePace(known, took)).toEqual(pace);
});
