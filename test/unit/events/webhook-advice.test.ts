/** What `webhook test` advises for each outcome of an attempt, as events/deliveries.ts describes it. */
import { expect, test } from "vitest";
import { adviceFor } from "../../../src/cli/webhook/test-event.ts";
import { describeOutcome } from "../../../src/events/deliveries.ts";

const advise = (outcome: string | null) => adviceFor({ id: "wh_1", url: "https://bank.example:8443/in", outcome });
const answered = (status: number, page = false) => describeOutcome({ kind: "answer", status, retryAfter: null, page });

test.each([
  [answered(200, true), "https://bank.example:8443/in answers with a web page", "exempted from logins"],
  [answered(307), "https://bank.example:8443/in redirects", "then webhook remove wh_1"],
  [answered(401), "https://bank.example:8443/in refuses", "webhook rotate --webhook wh_1"],
  [answered(403), "https://bank.example:8443/in refuses", "a gateway has to let POST through"],
  [answered(404), "no receiver takes POST at https://bank.example:8443/in", "ask the bank for the path"],
  [answered(410), "https://bank.example:8443/in wants no more events", "webhook add"],
  [answered(500), "https://bank.example:8443/in refuses, where 2xx was expected", "the receiver's own log"],
  [answered(521), "nothing answers at bank.example:8443", "its firewall"],
  [answered(526), "TLS with bank.example:8443 failed", "its intermediates"],
  ["could not be reached: TLS failed", "TLS with bank.example:8443 failed", "of a public CA"],
  ["could not be reached", "nothing answers at bank.example:8443", "its name in DNS"],
  ["did not answer in time", "https://bank.example:8443/in took more than ten seconds", "handle the event afterwards"],
  [
    "was not asked: its address is not https",
    "nothing was sent to https://bank.example:8443/in",
    "webhook remove wh_1",
  ],
  ["could not be signed for: the token key k is gone", "the secret of wh_1 is lost", "rotate --webhook wh_1 --now"],
  [null, "no scheduled run has made the delivery", "test again"],
])("%s: %s", (outcome, wrong, todo) => {
  const advice = advise(outcome) ?? "";
  expect(advice.startsWith(wrong)).toBe(true);
  expect(advice).toContain(todo);
});

test.each([200, 202, 204])("nothing for %d", (status) => {
  expect(advise(answered(status))).toBeNull();
});
