/** What credentials cost, whoever asks: one read and two comparisons, so that the time tells nothing of them. */
import { expect, test, vi } from "vitest";
import { authenticate } from "../../src/institutions/financial-institutions.ts";
import { hashSecret, sameSecret } from "../../src/platform/secrets.ts";

vi.mock("../../src/platform/secrets.ts", { spy: true });

const NOW = Date.parse("2026-11-22T00:00:00Z");
const FI = { fi_id: 1, name: "Bank", status: "active" };
const ONE_SECRET = { ...FI, secret_hash: hashSecret("new"), old_secret_hash: null, old_secret_until: null };
const TWO_SECRETS = { ...ONE_SECRET, old_secret_hash: hashSecret("old"), old_secret_until: NOW + 1 };

test.each([
  ["the secret", ONE_SECRET, "new", true],
  ["a wrong secret", ONE_SECRET, "wrong", false],
  ["the new one of two", TWO_SECRETS, "new", true],
  ["the old one of two", TWO_SECRETS, "old", true],
  ["the old one of two at its end", { ...TWO_SECRETS, old_secret_until: NOW }, "old", false],
  ["none of two", TWO_SECRETS, "wrong", false],
  ["nothing where no second secret is", ONE_SECRET, "", false],
  ["the secret of a disabled institution", { ...ONE_SECRET, status: "disabled" }, "new", false],
  ["the secret for another institution", { ...ONE_SECRET, fi_id: null, name: null, status: null }, "new", false],
  ["an unknown client", null, "new", false],
])("%s", async (_, row, secret, ok) => {
  const first = vi.fn(async () => row);
  const db = { prepare: () => ({ bind: () => ({ first }) }) } as unknown as D1Database;
  vi.mocked(sameSecret).mockClear();
  expect(await authenticate(db, "client", secret, "PSDXX-TEST-FI0001", NOW)).toMatchObject({ ok });
  expect(first).toHaveBeenCalledTimes(1);
  expect(sameSecret).toHaveBeenCalledTimes(2);
});
