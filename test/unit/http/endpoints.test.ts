/** The table of endpoints: a request's path is looked up once (src/http/endpoints.ts). */
import { describe, expect, it, vi } from "vitest";
import { PAGES } from "../../../src/console/pages.ts";
import { CONSOLE_FORMS, ENDPOINTS, findEndpoints } from "../../../src/http/endpoints.ts";
import { OPERATIONS } from "../../../src/reference/resources.ts";
import { OPERATION } from "../../../src/routes/endpoints.ts";
import { FORMS_OF_1_6 } from "../../../src/routes/v1_6/endpoints.ts";

const ALL = [...ENDPOINTS, ...OPERATION, ...FORMS_OF_1_6];
const OPEN = { LEGACY_1_6: "true" };
const example = (path: string): string => path.replaceAll(/\{\w+\}/g, "x.y-z");

describe("findEndpoints", () => {
  // a lookup that ends at the first path that fits is right only as long as no other fits, too
  it.each([...new Set(ALL.map(({ path }) => path))])("%s has all its methods and no other path's", (path) => {
    const found = findEndpoints(example(path), OPEN);
    expect(found).toEqual(ALL.filter((endpoint) => endpoint.path === path));
    const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
    const others = ALL.filter((other) => other.path !== path && pattern.test(example(other.path)));
    expect(others.filter(({ path: other }) => other.includes("{"))).toEqual([]);
  });

  it("hides the paths of version 1.6 unless they are open", () => {
    for (const { path } of FORMS_OF_1_6) {
      expect(findEndpoints(example(path))).toEqual([]);
      expect(findEndpoints(example(path), { LEGACY_1_6: "false" })).toEqual([]);
    }
  });

  it.each([
    "",
    "/v1",
    "/v1/obie/tokens/",
    "/v1/obie/tokens/a/b",
    "/v1/obie/tokens/a/",
    "//v1/obie/tokens",
    "/V1/obie/tokens",
  ])("knows no %j", (path) => {
    expect(findEndpoints(path, OPEN)).toEqual([]);
  });
});

describe("the parameters of a query", () => {
  const own = ENDPOINTS.filter(({ query }) => query).map(
    ({ method, path, query }) => [`${method} ${path}`, query] as const,
  );

  // one that is missing here would be refused before its route reads it
  it.each(own)("%s has those of its schema", (name, query) => {
    expect(query).toEqual(Object.keys(OPERATIONS[name]?.query?.shape ?? {}));
  });
});

describe("what is recorded (evidence without holes)", () => {
  const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

  it("is each endpoint that changes anything: it names its event, and one that only reads has none but for checks", () => {
    const acting = ALL.filter(({ method }) => method !== "GET");
    expect(acting.length).toBeGreaterThan(15);
    expect(acting.filter(({ event }) => !event).map(nameOf)).toEqual(["POST /v1/introspect"]);
    const reading = ALL.filter(({ method, event }) => method === "GET" && event).map(nameOf);
    expect(reading).toEqual(["GET /v1/psp/eidas", "GET /v1/tpp/eidas"]);
  });

  it("is a form of version 1.6 as its successor is", () => {
    const events = FORMS_OF_1_6.map(({ path, event = null }) => [path, event]);
    expect(events).toEqual([
      ["/v1/obie/ccg_token", "ccg_token.issue"],
      ["/v1/obie/authorization_code", "code.issue"],
      ["/v1/obie/token", "code.redemption"],
      ["/v1/obie/token/{token}", null],
      ["/v1/tpp/eidas", "psp.checked"],
    ]);
  });

  it("is each form of the console that changes what the API would record; others say why they are not", () => {
    const forms = PAGES.flatMap((page) => (page.post ? [{ path: page.path, form: page.form }] : []));
    const recorded = forms.flatMap(({ form, path }) => ("unrecorded" in form ? [] : [{ form, path }]));
    expect(recorded.map(({ form }) => nameOf(form)).sort()).toEqual(Object.values(CONSOLE_FORMS).map(nameOf).sort());
    for (const { form, path } of recorded) expect(form.path).toBe(path);
    expect(forms.flatMap(({ form, path }) => ("unrecorded" in form ? [path] : [])).sort()).toEqual([
      "/console/events/replay",
      "/console/evidence/{id}",
      "/console/institutions/rotate",
      "/console/sandbox",
      "/console/sign-in",
      "/console/sign-in/operator",
      "/console/sign-in/{reference}/link/{secret}",
      "/console/sign-in/{reference}/logout",
      "/console/sign-out",
      "/console/webhooks/test",
    ]);
  });
});

it("a fixed path is found without a pattern, another one with each at most once", async () => {
  vi.resetModules();
  const patterns = vi.spyOn(globalThis, "RegExp");
  const { findEndpoints: find } = await import("../../../src/http/endpoints.ts");
  patterns.mockClear();
  expect(find("/v1/psp/eidas")).toHaveLength(1);
  expect(patterns).not.toHaveBeenCalled();
  for (const token of ["a", "b"]) expect(find(`/v1/oauth2/tokens/${token}`)).toHaveLength(2);
  expect(new Set(patterns.mock.calls.map(String)).size).toBe(patterns.mock.calls.length);
  vi.restoreAllMocks();
});
