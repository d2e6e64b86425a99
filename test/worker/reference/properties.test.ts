/**
 * From the document alone: requests drawn from it, and such with one thing changed, get a status and a form that it
 * promises (test/contract/checked.ts holds each answer against it), never 500; and what it does not take is refused.
 */
import { document } from "virtual:contract";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { type Credentials, drawRequest } from "../../contract/drawn-requests.ts";
import { call } from "../bank.ts";
import { ccgToken } from "../samples.ts";
import { eidasHeader, loadSandbox, SANDBOX_FI } from "../sandbox.ts";

const ROWS = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, path, operation] as const),
);
/** The same requests each time: a failure prints the seed, and the request in its smallest form. */
const BOUNDS = { seed: 20260101, numRuns: 40 };
/** Of POST /v1/psp/checks: each is judged by itself, and refused within its 200. */
const ELEMENT = /^\/checks\/\d/;

/** What is refused of that which the document takes: rules that no schema can say. */
const BEYOND_SCHEMAS: readonly string[] = [
  // what is in it: DER in base64
  "certificate_unreadable",
  // one parameter by another
  "account_id_missing",
  // beside body, and of known digests
  "body_digest_invalid",
  // ISO's countries
  "jurisdiction_invalid",
  "account_id_invalid",
  "transaction_from_date_time_invalid",
  // the days that a month has
  "transaction_to_date_time_invalid",
  "from_invalid",
  "to_invalid",
  // by the time of the request
  "expiration_date_time_invalid",
  // the list of ISO 4217, and the digits that a currency of it has
  "currency_invalid",
  "amount_invalid",
  // of the scope accounts only
  "permission_invalid",
  // from an earlier answer
  "cursor_invalid",
  "after_invalid",
  // the form of PSD2, of which any spelling is taken
  "authorisation_number_invalid",
  // of all parameters together
  "body_too_large",
  // a head has to be signed by the service
  "head_invalid",
];

let credentials: Credentials = {};
beforeAll(async () => {
  await loadSandbox();
  credentials = {
    fi_reference_id: [SANDBOX_FI.fi_reference_id],
    eidas: [eidasHeader("scenario-1"), eidasHeader("accounts-only")],
    ccg_token: [await ccgToken("accounts"), await ccgToken("payments")],
  };
});

const codesOf = (body: { errors: readonly { code: string }[] }) => body.errors.map(({ code }) => code);

describe.each(ROWS)("%s", (name, path, operation) => {
  const [method = ""] = name.split(" ");
  test.each([
    ["what the document takes", true],
    ["one thing of it changed", false],
  ])("%s is answered as it says", async (_, valid) => {
    await fc.assert(
      fc.asyncProperty(drawRequest(document, path, operation, credentials, valid), async (request) => {
        const { status, body } = await call(method, request.path, request);
        expect([500, 503]).not.toContain(status);
        if (valid && status === 400) expect(BEYOND_SCHEMAS).toEqual(expect.arrayContaining(codesOf(body)));
        if (request.forbidden && !ELEMENT.test(request.changes[0] ?? ""))
          expect([status, body?.errors], "what the document does not take").toEqual([
            expect.toSatisfy((each: number) => each >= 400),
            expect.anything(),
          ]);
      }),
      BOUNDS,
    );
  });
});
