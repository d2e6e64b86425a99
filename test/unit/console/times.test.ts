/** Times on the console's pages have one form, also those in sentences of an answer. */
import { expect, test } from "vitest";
import { writeDates } from "../../../src/console/elements.tsx";

test.each([
  [
    "has been revoked since 2025-06-01T00:00:00.000Z (keyCompromise).",
    'since <time datetime="2025-06-01T00:00:00.000Z">1 Jun 2025, 00:00 UTC</time> (keyCompromise).',
  ],
  ["it expired on 2022-01-01T00:00:00Z.", 'on <time datetime="2022-01-01T00:00:00.000Z">1 Jan 2022, 00:00 UTC</time>.'],
  ["valid from 2020-01-01 to 2070-01-01.", "valid from 1 Jan 2020 to 1 Jan 2070."],
])("dates have one form: %s", (sentence, shown) => {
  expect(String(writeDates(sentence))).toContain(shown);
});

test.each(["PSDXX-TEST-2020-01-01", "https://qtsp.example/2026-01-01/list.xml", "order.2026-01-01", "2026-13-45"])(
  "what is no date stays as it is: %s",
  (text) => {
    expect(String(writeDates(`of ${text} here`))).toBe(`of ${text} here`);
  },
);
