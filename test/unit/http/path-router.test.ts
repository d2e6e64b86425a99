/** The router that remembers finds what the one finds that does not, and remembers no more than endpoints. */
import { TrieRouter } from "hono/router/trie-router";
import { expect, test } from "vitest";
import { PathRouter } from "../../../src/http/path-router.ts";

function fill<Router extends TrieRouter<string>>(router: Router): Router {
  router.add("ALL", "/v1/*", "ledger");
  router.add("GET", "/v1/psp/eidas", "check");
  router.add("GET", "/v1/oauth2/tokens/:token", "token");
  router.add("ALL", "*", "lost");
  return router;
}

test("it finds the same, the first time and again", () => {
  const [trie, router] = [fill(new TrieRouter<string>()), fill(new PathRouter<string>())];
  const asked = ["/v1/psp/eidas", "/v1/oauth2/tokens/one", "/v1/oauth2/tokens/two", "/v1/oauth2/tokens", "/lost"];
  for (const path of [...asked, ...asked])
    for (const method of ["GET", "POST"]) expect(router.match(method, path)).toEqual(trie.match(method, path));
});

test("only an endpoint without a parameter is remembered", () => {
  const router = fill(new PathRouter<string>());
  for (let i = 0; i < 1_000; i++) for (const path of [`/v1/oauth2/tokens/${i}`, `/${i}`]) router.match("GET", path);
  router.match("GET", "/v1/oauth2/tokens/{token}");
  expect(router.size).toBe(0);
  router.match("GET", "/v1/psp/eidas");
  router.match("PATCH", "/v1/psp/eidas");
  expect(router.size).toBe(1);
});
