/**
 * A header `eidas` that is empty, or has the name that it had until version 1.6, was meant to be read: no endpoint goes on without
 * it as if the PSP had shown no certificate.
 */
import { beforeAll, expect, test } from "vitest";
import { ENDPOINTS } from "../../../src/http/endpoints.ts";
import { OPERATIONS } from "../../../src/reference/resources.ts";
import { send } from "../samples.ts";
import { eidasHeader, loadSandbox } from "../sandbox.ts";

beforeAll(loadSandbox);

/** Of a PSP that shows another one: where it is absent, and where it has to be there. */
const READERS = ENDPOINTS.map(({ method, path }) => `${method} ${path}`).filter((endpoint) =>
  ["optional", "bearer", "eidas", "subject"].includes(String(OPERATIONS[endpoint]?.psp)),
);
const FORMS = [
  ["empty", { eidas: "" }, /^Header eidas is empty/],
  ["as x-eidas", { eidas: undefined, "x-eidas": eidasHeader("scenario-1") }, /x-eidas was renamed to eidas/],
] as const;

test("the table has the endpoints where the header may be absent", () => {
  for (const endpoint of ["POST /v1/psp/signatures", "POST /v1/introspect", "GET /v1/access"])
    expect(READERS).toContain(endpoint);
});

test.each(READERS.flatMap((endpoint) => FORMS.map((form) => [endpoint, ...form] as const)))(
  "%s refuses the header eidas %s",
  async (endpoint, _, headers, title) => {
    const { status, body } = await send(endpoint, { headers });
    expect([400, 401, 404]).toContain(status);
    expect(body.errors).toEqual([
      expect.objectContaining({ code: "certificate_missing", title: expect.stringMatching(title) }),
    ]);
  },
);
