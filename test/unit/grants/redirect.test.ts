import { expect, test } from "vitest";
import { composeFullUri, findRedirectUriFault } from "../../../src/grants/redirect.ts";

test.each([
  "https://psp.example/cb",
  "https://psp.example",
  "https://psp.example:8443/cb?tenant=1",
  "HTTPS://PSP.example/%7Euser",
  "https://psp.example/@user?to=a@b",
  "http://localhost:3000/cb",
  "http://127.0.0.1/cb",
  "http://[::1]:80/cb",
  "https://psp.example/cb?decode=1&substate=2",
])("%s may be a redirect URI", (uri) => expect(findRedirectUriFault(uri)).toBeNull());

test.each([
  ["https://psp.example/cb#top", "has a fragment"],
  ["https://psp.example/cb#", "has a fragment"],
  ["http://psp.example/cb", "is http, which only a loopback address may be"],
  ["http://127.0.0.1.psp.example/cb", "is http, which only a loopback address may be"],
  ["http://localhost.psp.example/cb", "is http, which only a loopback address may be"],
  ["https://user@psp.example/cb", "holds credentials"],
  ["https://user:pw@psp.example/cb", "holds credentials"],
  ["https://@psp.example/cb", "holds credentials"],
  ["https://:@psp.example?cb", "holds credentials"],
  ["/cb", "is not an absolute https URI"],
  ["psp.example/cb", "is not an absolute https URI"],
  ["//psp.example/cb", "is not an absolute https URI"],
  ["https://", "is not an absolute https URI"],
  ["https:///cb", "is not an absolute https URI"],
  ["https:psp.example", "is not an absolute https URI"],
  ["https:\\\\psp.example\\cb", "is not an absolute https URI"],
  ["javascript:alert(1)", "is not an absolute https URI"],
  ["com.psp.app:/cb", "is not an absolute https URI"],
  ["https://psp.example/c b", "is not an absolute https URI"],
  ["https://psp.example/c\nb", "is not an absolute https URI"],
  [" https://psp.example/cb", "is not an absolute https URI"],
  ["https://psp.example/%zz", "is not an absolute https URI"],
  ["https://psp.example/ü", "is not an absolute https URI"],
  ["https://psp.example:99999/", "is not an absolute https URI"],
  ["https://psp.example/cb?code=1", "already has a parameter code"],
  ["https://psp.example/cb?a=1&state=x", "already has a parameter state"],
])("%j is refused: it %s", (uri, fault) => expect(findRedirectUriFault(uri)).toBe(fault));

test.each([
  ["https://psp.example/cb", { code: "c", state: "s" }, "https://psp.example/cb?code=c&state=s"],
  ["https://psp.example/cb", { code: "c", state: undefined }, "https://psp.example/cb?code=c"],
  ["https://psp.example/cb?a=1", { code: "c" }, "https://psp.example/cb?a=1&code=c"],
  ["https://psp.example/cb?", { code: "c" }, "https://psp.example/cb?code=c"],
  ["https://psp.example/cb?a&", { code: "c" }, "https://psp.example/cb?a&code=c"],
  ["https://psp.example/cb", { state: "a b&c=d#é+/%" }, "https://psp.example/cb?state=a%20b%26c%3Dd%23%C3%A9%2B%2F%25"],
])("%s with %j is %s", (base, parameters, full) => expect(composeFullUri(base, parameters)).toBe(full));

test("a state comes back byte for byte from the full address", () => {
  const state = "af0ifjsldkj é 漢 \u{1f600} +&=%20#?/";
  const full = new URL(composeFullUri("https://psp.example/cb?state2=x", { code: "c", state }));
  expect(full.searchParams.get("state")).toBe(state);
});
