/** A webhook of `npm start` may lead to the machine itself, and no further than one of a deployment otherwise. */
import { expect, test } from "vitest";
import { checkTarget, readTargets } from "../../../src/events/webhook-target.ts";

const resolve = async (host: string) => (host === "bank.example" ? ["8.8.8.8"] : ["127.0.0.1"]);
const isTaken = async (url: string, set: string) =>
  (await checkTarget(url, readTargets({ WEBHOOK_TARGETS: set }), resolve)).ok;

test.each([
  // what, taken by npm start, taken by a deployment
  ["http://127.0.0.1:9999/events", true, false],
  ["http://127.8.8.8/events", true, false],
  ["http://0x7f.1/events", true, false],
  ["http://localhost:9999/events", true, false],
  ["http://[::1]:9999/events", true, false],
  ["https://localhost/events", true, false],
  ["https://bank.example/events", true, true],
  // a name that only leads here today
  ["http://rebound.example/events", false, false],
  ["https://rebound.example/events", false, false],
  ["http://localhost.bank.example/events", false, false],
  ["http://bank.example/events", false, false],
  ["http://10.0.0.1/events", false, false],
  ["http://169.254.169.254/latest", false, false],
  ["http://0.0.0.0/events", false, false],
  ["http://[::ffff:127.0.0.1]/events", false, false],
  ["ftp://127.0.0.1/events", false, false],
  ["http://user:pass@127.0.0.1/events", false, false],
])("%s", async (url, here, deployed) => {
  expect([await isTaken(url, "loopback"), await isTaken(url, "public")]).toEqual([here, deployed]);
});

test("a setting that is unknown is the strict one", async () => {
  expect(await isTaken("http://127.0.0.1/", "Loopback")).toBe(false);
});
