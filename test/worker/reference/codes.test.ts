/**
 * A code that comes with several statuses, 404 where the interface's table has no 400: at each operation that the document names
 * it comes, and with that status. That no other code comes is checked of all answers (test/contract/checked.ts).
 */
import { document } from "virtual:contract";
import { beforeAll, expect, test } from "vitest";
import type { OpenApiResponse } from "../../../src/reference/open-api.ts";
import { codesOf } from "../bank.ts";
import { membersOf, withMember } from "../mistakes/mistake.ts";
import { type Change, sampleOf, send } from "../samples.ts";
import { eidasHeader, loadSandbox } from "../sandbox.ts";

beforeAll(loadSandbox);

/** By code: the operations that the document says it of, each with the status. */
const DOCUMENTED = new Map<string, [operation: string, status: number][]>();
for (const [path, methods] of Object.entries(document.paths))
  for (const [method, { responses }] of Object.entries(methods))
    for (const [status, response] of Object.entries(responses)) {
      const schema = (response as OpenApiResponse).content?.["application/json"]?.schema;
      const codes = schema?.allOf?.flatMap(
        ({ properties }) => properties?.["errors"]?.items?.properties?.["code"]?.enum ?? [],
      );
      for (const code of (codes ?? []) as string[])
        DOCUMENTED.set(code, [...(DOCUMENTED.get(code) ?? []), [`${method.toUpperCase()} ${path}`, Number(status)]]);
    }

const inHeader = (name: string, value: string | undefined) => (): Change => ({ headers: { [name]: value } });
/** In the query, or where the body has a member of this name. */
const asParameter =
  (name: string, value: unknown) =>
  (operation: string): Change => {
    const { body = {}, query = "" } = sampleOf(operation);
    const member = membersOf(body).find((way) => way.at(-1) === name);
    if (member) return { body: withMember(body, member, value) };
    const given = new URLSearchParams(query);
    given.delete(name);
    if (value !== undefined) given.set(name, String(value));
    return { query: `?${given}` };
  };
const ofCertificate =
  (value: string | undefined) =>
  (operation: string): Change =>
    sampleOf(operation).credential === null && "eIDAS" in (sampleOf(operation).body ?? {})
      ? asParameter("eIDAS", value)(operation)
      : { headers: { eidas: value ?? "" } };
/** Of the path, or of the body. */
const ofAccount =
  (segment: string, value: string | undefined) =>
  (operation: string): Change =>
    operation.includes("{account_id}") ? { segment } : asParameter("account_id", value)(operation);

const WAYS: Readonly<Record<string, (operation: string, status: number) => Change>> = {
  version_missing: inHeader("version", undefined),
  version_invalid: inHeader("version", "2"),
  transaction_reference_invalid: inHeader("transaction_reference", "x".repeat(129)),
  body_too_large: () => ({ body: "x".repeat(2 ** 20 + 1) }),
  // by its old name it is the gateway's mistake, not the PSP's
  certificate_missing: (operation, status) =>
    operation === "GET /v1/access" && status === 400
      ? { headers: { eidas: undefined, "x-eidas": eidasHeader("scenario-1") } }
      : ofCertificate(undefined)(operation),
  certificate_unreadable: ofCertificate("AAAA"),
  account_id_missing: ofAccount("", undefined),
  account_id_invalid: ofAccount("x".repeat(257), "x".repeat(257)),
  jurisdiction_missing: asParameter("jurisdiction", undefined),
  jurisdiction_invalid: asParameter("jurisdiction", "DEU"),
  cursor_invalid: asParameter("cursor", "2"),
};
/** Each of its operations has a row: mistakes/grants.ts. */
const ELSEWHERE = "consent_expired";

const severalStatuses = [...DOCUMENTED].flatMap(([code, places]) =>
  new Set(places.map(([, status]) => status)).size > 1 ? [code] : [],
);

test("there is a way to meet each code of several statuses, and cursor_invalid is one", () => {
  expect([...Object.keys(WAYS), ELSEWHERE].toSorted()).toEqual(severalStatuses.toSorted());
});

test.each(Object.keys(WAYS))("%s comes where the document says so, with that status", async (code) => {
  for (const [operation, status] of DOCUMENTED.get(code) ?? []) {
    const answer = await send(operation, WAYS[code]?.(operation, status));
    expect([operation, answer.status, codesOf(answer)]).toEqual([operation, status, expect.arrayContaining([code])]);
  }
});
