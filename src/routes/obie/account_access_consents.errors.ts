/** Errors of account access consents. */
import { table } from "../../http/errors/entry.ts";

export const ACCOUNT_ACCESS_CONSENTS = table("caller", {
  permissions_missing: {
    title: "permissions is missing",
    rule: "An account access consent lists in data.permissions what the PSU consents to.",
    cause: "The list was omitted, or null was sent to mean all permissions.",
    cure: "List each permission. There is no value that means all of them.",
    example: '{"data": {"permissions": ["ReadAccountsBasic", "ReadBalances"], ...}}',
    whose: "psp",
  },
  permissions_invalid: {
    title: "permissions is not valid",
    rule: "The list contains at least one of UK Open Banking's account information permissions, and none twice.",
    cause: "A permission is misspelled or in the wrong case (the title gives its index, from 0), or the list is empty.",
    cure: "Copy the names from the title, which lists all permissions.",
    example: '"permissions": ["ReadAccountsBasic", "ReadBalances"]',
    whose: "psp",
  },
  expiration_date_time_invalid: {
    title: "expiration_date_time is not valid",
    rule: "It is a time in the future: a calendar date with a time and an offset from UTC. Without it the consent does not expire.",
    cause:
      "The offset is missing, only a date was sent, a week date or an ordinal date of ISO 8601 was sent, or the time is in the past.",
    cure: "Append the offset to the time: Z for UTC, or for example +02:00.",
    example: '"expiration_date_time": "2069-12-31T23:59:59Z"',
    whose: "psp",
  },
  transaction_from_date_time_invalid: {
    title: "transaction_from_date_time is not valid",
    rule: "It is a date and time with an offset from UTC, and not after transaction_to_date_time.",
    cause: "The start and the end were swapped, or the day does not exist, such as 30 February.",
    cure: "Omit it to start with the earliest transaction.",
    example: '"transaction_from_date_time": "2026-01-01T00:00:00+02:00"',
    whose: "psp",
  },
  transaction_to_date_time_invalid: {
    title: "transaction_to_date_time is not valid",
    rule: "It is a date and time with an offset from UTC, as transaction_from_date_time.",
    cause: "Seconds since 1970 were sent, or a local time without an offset.",
    cure: "Format it with an offset, or omit it for a period without an end.",
    example: '"transaction_to_date_time": "2026-12-31T23:59:59.5Z"',
    whose: "psp",
  },
});
