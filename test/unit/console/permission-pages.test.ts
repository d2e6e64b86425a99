/** What the console's page of permissions says, and how it draws time. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { writeForCustomer } from "../../../src/console/permissions/customer-words.ts";
import { PermissionCard } from "../../../src/console/permissions/permission-card.tsx";
import { listTicks, scaleOf } from "../../../src/console/permissions/time-line.tsx";
import type { PermissionRecord } from "../../../src/routes/accounts/permissions.answer.ts";

const RECORD: PermissionRecord = {
  ...{ id: "id", status: "active", scope: "accounts", consent_id: "id", blocked: false },
  psp: { legal_name: "Amber", authorisation_number: "PSDXX-TEST-1", home_country: "XX", standing: "Authorised" },
  data: [{ group: "Your account details", words: ["Your account balance"] }],
  ...{ granted_at: "2026-01-05T10:00:00.000Z", valid_until: "2026-04-05T10:00:00.000Z", last_token_at: null },
  ...{ ended_at: null, ended_by: null },
};
const say = (changes: Partial<PermissionRecord>) => {
  const { heading, sentences } = writeForCustomer({ ...RECORD, ...changes });
  return [heading, ...sentences];
};
const ENDED = { status: "ended", ended_at: "2026-02-01T09:30:00.000Z" } as const;

test("of a PSP whose register is not read, or does not document it, nobody says that it is in none", async () => {
  const shown = (psp: PermissionRecord["psp"]) =>
    String(PermissionCard({ accountId: "a", record: { ...RECORD, psp }, reason: null, withdrawal: null }));
  expect(shown(RECORD.psp)).toContain("Authorised");
  const unknown = shown({ ...RECORD.psp, standing: null });
  expect(unknown).toContain("its home register is not loaded, says nothing of how it stands, or cannot be read now");
  expect(unknown).not.toContain("not found");
});

describe("what a customer could be shown", () => {
  test.each<[string, Partial<PermissionRecord>, string[]]>([
    [
      "it has an end",
      {},
      [
        "Amber can see",
        "You agreed on 5 Jan 2026.",
        "It ends on 5 Apr 2026, or when you stop it.",
        "Amber has not used it yet.",
      ],
    ],
    [
      "it has none",
      { valid_until: null, last_token_at: "2026-01-06T10:00:00.000Z" },
      [
        "Amber can see",
        "You agreed on 5 Jan 2026.",
        "It has no end: it goes on until you stop it.",
        "Last renewed on 6 Jan 2026.",
      ],
    ],
    [
      "one payment",
      { scope: "payments", valid_until: null },
      [
        "Amber can pay from your account",
        "You agreed on 5 Jan 2026.",
        "It is good for this one payment.",
        "Amber has not used it yet.",
      ],
    ],
    [
      "it lives for an hour",
      { valid_until: "2026-01-05T11:00:00.000Z" },
      [
        "Amber can see",
        "You agreed on 2026-01-05T10:00:00.000Z.",
        "It ends on 2026-01-05T11:00:00.000Z, or when you stop it.",
        "Amber has not used it yet.",
      ],
    ],
    [
      "the customer ended it",
      { ...ENDED, ended_by: "customer" },
      ["Amber could see", "You agreed on 5 Jan 2026.", "It ended on 1 Feb 2026: you stopped it."],
    ],
    [
      "the bank ended it",
      { ...ENDED, ended_by: "bank" },
      ["Amber could see", "You agreed on 5 Jan 2026.", "It ended on 1 Feb 2026: your bank stopped it."],
    ],
    [
      "the PSP ended it",
      { ...ENDED, ended_by: "psp" },
      ["Amber could see", "You agreed on 5 Jan 2026.", "It ended on 1 Feb 2026: Amber gave it up."],
    ],
    [
      "its code was used twice",
      { ...ENDED, ended_by: "code_used_twice" },
      [
        "Amber could see",
        "You agreed on 5 Jan 2026.",
        "It ended on 1 Feb 2026: somebody used Amber's code for it a second time. That can be a theft, so it was stopped.",
      ],
    ],
    [
      "it expired",
      { ...ENDED, ended_by: "expiry" },
      ["Amber could see", "You agreed on 5 Jan 2026.", "It ended on 1 Feb 2026: its time was over."],
    ],
    [
      "the authorisation is lost",
      { status: "ended", ended_by: "authorisation_lost" },
      ["Amber could see", "You agreed on 5 Jan 2026.", "It has ended: Amber is not authorised any more."],
    ],
  ])("%s", (_, changes, sentences) => expect(say(changes)).toEqual(sentences));

  test("a block, a period of transactions, and a PSP without a name", () => {
    const period = { transaction_from_date_time: "2025-01-01T00:00:00Z", transaction_to_date_time: null };
    const said = say({ blocked: true, ...period, psp: { ...RECORD.psp, legal_name: null } });
    expect(said[0]).toBe("PSDXX-TEST-1 can see");
    expect(said).toContain("Of transactions those from 1 Jan 2025 on.");
    expect(said.at(-1)).toContain("has paused this");
    expect(say({ blocked: true, ...ENDED }).join()).not.toContain("paused");
    expect(say({ transaction_from_date_time: null, transaction_to_date_time: "2026-01-01T00:00:00Z" })).toContain(
      "Of transactions those up to 1 Jan 2026.",
    );
  });
});

describe("the scale of the time line", () => {
  const instant = fc.integer({ min: Date.UTC(1990), max: Date.UTC(2200) });

  test("holds every time and now, and has two to eight marks, in order", () => {
    fc.assert(
      fc.property(fc.array(instant, { maxLength: 5 }), instant, (times, now) => {
        const scale = scaleOf(times, now);
        for (const time of [...times, now]) expect(time > scale.start && time < scale.end).toBe(true);
        const ticks = listTicks(scale).map(({ time }) => time);
        expect(ticks.every((time, i) => time >= scale.start && time <= scale.end && time > (ticks[i - 1] ?? 0))).toBe(
          true,
        );
        expect(ticks.length).toBeGreaterThanOrEqual(2);
        expect(ticks.length).toBeLessThanOrEqual(8);
      }),
    );
  });

  test.each([
    ["2026-11-22T04:58:00Z", "2026-11-22T05:58:00Z", ["05:00", "06:00"]],
    ["2026-11-22T04:58:00Z", "2026-11-25T05:58:00Z", ["23 Nov", "24 Nov", "25 Nov"]],
    ["2026-11-22T00:00:00Z", "2027-02-20T00:00:00Z", ["Dec 2026", "Jan 2027", "Feb 2027"]],
    ["2026-11-22T00:00:00Z", "2036-11-22T00:00:00Z", ["2028", "2030", "2032", "2034", "2036"]],
  ])("from %s to %s", (from, to, labels) => {
    const scale = scaleOf([Date.parse(to)], Date.parse(from));
    expect(listTicks(scale).map(({ label }) => label)).toEqual(labels);
  });
});
