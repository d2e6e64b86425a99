/** The table of endpoints: a request's path is looked up once (src/endpoints.ts). */
import { describe, expect, it } from "vitest";
import { OPERATIONS } from "../../src/contract/operations.ts";
import { ENDPOINTS, findEndpoints, OLDER_ENDPOINTS, OPERATION } from "../../src/endpoints.ts";

const ALL = [...ENDPOINTS, ...OPERATION, ...OLDER_ENDPOINTS];
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
    for (const { path } of OLDER_ENDPOINTS) {
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
