/**
 * The usual mistakes of an integrator: each answer says how to fix the request. New rows go into the files of mistakes/,
 * one for each noun; nothing here changes.
 */
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { CATALOGUE, isErrorCode } from "../../../src/http/errors/error-response.ts";
import { ENTRIES } from "../../../src/http/errors/every-code.ts";
import { codesOf } from "../bank.ts";
import { SAMPLES, sampleOf, send } from "../samples.ts";
import { loadSandbox } from "../sandbox.ts";
import { ACCESS_MISTAKES } from "./access.ts";
import { AUDIT_MISTAKES } from "./audit.ts";
import { BODY_MISTAKES } from "./bodies.ts";
import { CHECK_MISTAKES } from "./checks.ts";
import { EVERY_PARAMETER } from "./every-parameter.ts";
import { GRANT_MISTAKES } from "./grants.ts";
import { HEADER_MISTAKES } from "./headers.ts";
import { type Mistake, membersOf, withMember } from "./mistake.ts";
import { PARAMETER_MISTAKES } from "./parameters.ts";
import { PATH_MISTAKES } from "./paths.ts";
import { PSP_MISTAKES } from "./psps.ts";
import { SERVICE_FAULTS } from "./service.ts";
import { SIGNATURE_MISTAKES } from "./signatures.ts";

const MISTAKES: readonly Mistake[] = [
  ...HEADER_MISTAKES,
  ...PATH_MISTAKES,
  ...BODY_MISTAKES,
  ...PARAMETER_MISTAKES,
  ...SIGNATURE_MISTAKES,
  ...EVERY_PARAMETER,
  ...PSP_MISTAKES,
  ...GRANT_MISTAKES,
  ...ACCESS_MISTAKES,
  ...CHECK_MISTAKES,
  ...AUDIT_MISTAKES,
  ...SERVICE_FAULTS,
];

beforeAll(loadSandbox);
afterEach(() => void vi.useRealTimers());

test.each(MISTAKES)("$what", async ({ send, status, challenge: ofPsp, errors }) => {
  const answer = await send();
  expect([answer.status, answer.body.errors.map(({ code }: { code: string }) => code)]).toEqual([
    status,
    errors.map(([code]) => code),
  ]);
  // RFC 9110 section 15.5.2. By Basic the institution's credentials are asked for, and by nothing else
  const challenge = answer.headers.get("WWW-Authenticate")?.replace(/ .*/, "");
  const ofInstitution = errors.some(([code]) => code.startsWith("credentials_"));
  expect(challenge).toBe(ofPsp ?? (status !== 401 ? undefined : ofInstitution ? "Basic" : "psp-gate"));
  for (const [i, [, title]] of errors.entries()) expect(answer.body.errors[i].title).toMatch(title);
  // what was sent as a secret, or could be one, comes back in no answer
  expect(JSON.stringify(answer.body)).not.toMatch(/s3cret/);
});

test("the rows above provoke every code of the catalogue with each of its statuses, and no other", () => {
  const provoked = new Set(MISTAKES.flatMap(({ status, errors }) => errors.map(([code]) => `${status} ${code}`)));
  const listed = [...CATALOGUE].flatMap(([code, { statuses }]) => statuses.map((status) => `${status} ${code}`));
  expect([...provoked].sort()).toEqual(listed.sort());
});

describe("the example of a parameter in the catalogue is taken", () => {
  const members = Object.entries(SAMPLES).flatMap(([endpoint, { body = {} }]) =>
    membersOf(body).map((path) => [endpoint, path.join("."), path] as const),
  );
  test.each(members)("%s %s", async (endpoint, _, path) => {
    const code = `${path.at(-1)}_invalid`;
    const example = isErrorCode(code) ? ENTRIES[code].example : undefined;
    // the example of a certificate is not JSON
    if (example === undefined) return expect(path).toEqual(["eIDAS"]);
    const [name, value] = Object.entries(JSON.parse(`{${example}}`))[0] ?? [];
    expect(name).toBe(path.at(-1));
    const answer = await send(endpoint, { body: withMember(sampleOf(endpoint).body ?? {}, path, value) });
    // an object's example need not show all its members
    const codes = answer.status === 400 ? codesOf(answer) : [];
    expect(codes.filter((code) => !code.endsWith("_missing"))).toEqual([]);
  });
});
