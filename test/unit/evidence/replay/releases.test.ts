/** One recorded answer of each release (fixtures/recorded-answers/): old evidence is to come out by the rules of the day. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { LedgerRecord } from "../../../../src/evidence/ledger/record.ts";
import { replay } from "../../../../src/evidence/replay/replay.ts";
import { VERSION } from "../../../../src/platform/version.ts";

const DIRECTORY = join(import.meta.dirname, "../../../../fixtures/recorded-answers");
const RELEASES = readdirSync(DIRECTORY).map((file) => file.slice(0, -".json".length));

interface Kept {
  readonly record: LedgerRecord;
  /** Base64 by SHA-256. */
  readonly documents: Readonly<Record<string, string>>;
}

const readKept = (release: string): Kept => JSON.parse(readFileSync(join(DIRECTORY, `${release}.json`), "utf8"));

const replayKept = ({ record, documents }: Kept) =>
  replay(record, async (sha256) => {
    const base64 = documents[sha256];
    return base64 === undefined ? null : Uint8Array.from(Buffer.from(base64, "base64"));
  });

const order = (release: string): number => {
  const [major = 0, minor = 0, patch = 0] = release.split(".").map(Number);
  return (major * 1_000 + minor) * 1_000 + patch;
};

test("the present release has one, or one before it that nothing has followed: fixtures/make-recorded-answer.ts", () => {
  expect(Math.max(...RELEASES.map(order))).toBeGreaterThanOrEqual(order(VERSION));
});

test.each(RELEASES)("the recorded answer of release %s is made again, equal", async (release) => {
  const kept = readKept(release);
  expect(kept.record.release).toBe(release);
  expect(await replayKept(kept)).toMatchObject({ ok: true, equal: true, compared: "answer" });
});
