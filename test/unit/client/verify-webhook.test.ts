/** `verifyWebhook` of the client takes what the library of Standard Webhooks signs, and nothing else. */
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { VerificationError, verifyWebhook } from "../../../src/client/index.ts";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const OLD = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDAAAAAAAA";
const AT = Date.parse("2026-06-10T12:00:00Z");
const EVENT = { id: "evt_1", type: "webhook.test", timestamp: "2026-06-10T12:00:00.000Z", data: { psp_id: null } };
const BODY = JSON.stringify(EVENT);

const headersOf = (...secrets: string[]) => ({
  "webhook-id": "evt_1",
  "webhook-timestamp": String(AT / 1000),
  "webhook-signature": secrets.map((secret) => new Webhook(secret).sign("evt_1", new Date(AT), BODY)).join(" "),
});
const verify = (headers: object = {}, body: string | Uint8Array = BODY, secret = SECRET, now = AT) =>
  verifyWebhook(body, { ...headersOf(SECRET), ...headers }, secret, { now });

test("an event is taken: text or bytes, headers of fetch or of Node, any of two signatures", async () => {
  expect(await verify()).toEqual(EVENT);
  expect(await verify({}, new TextEncoder().encode(BODY))).toEqual(EVENT);
  expect(await verifyWebhook(BODY, new Headers(headersOf(SECRET)), SECRET, { now: AT })).toEqual(EVENT);
  expect(await verify({ "set-cookie": ["a", "b"], absent: undefined })).toEqual(EVENT);
  for (const secret of [OLD, SECRET]) expect(await verify(headersOf(OLD, SECRET), BODY, secret)).toEqual(EVENT);
  expect(await verify({}, BODY, SECRET, AT + 300_000)).toEqual(EVENT);
});

test.each<[string, () => Promise<unknown>]>([
  ["another body", () => verify({}, BODY.replace("null", "none"))],
  ["another id", () => verify({ "webhook-id": "evt_2" })],
  ["another time", () => verify({ "webhook-timestamp": String(AT / 1000 + 1) })],
  ["five minutes later", () => verify({}, BODY, SECRET, AT + 301_000)],
  ["five minutes before", () => verify({}, BODY, SECRET, AT - 301_000)],
  ["another secret", () => verify({}, BODY, OLD)],
  ["no id", () => verify({ "webhook-id": undefined })],
  ["no time", () => verify({ "webhook-timestamp": "now" })],
  ["no signature", () => verify({ "webhook-signature": undefined })],
  [
    "a signature of another version",
    () => verify({ "webhook-signature": headersOf(SECRET)["webhook-signature"].replace("v1,", "v2,") }),
  ],
  ["a signature that is not base64", () => verify({ "webhook-signature": "v1,=" })],
])("refused: %s", async (_, verified) => {
  await expect(verified()).rejects.toThrow(VerificationError);
});

test("what is no secret is a mistake of the receiver, not of the delivery", async () => {
  for (const secret of ["", "whsec_", "whsec_AAAA", "whsec_!"])
    await expect(verify({}, BODY, secret)).rejects.toThrow(TypeError);
});
