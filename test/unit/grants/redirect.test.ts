import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { composeFullUri, findRedirectUriFault, readNativeRedirects } from "../../../src/grants/redirect-uri.ts";
import { webUrl } from "../../web-addresses.ts";
import { anyCharacter } from "../any-character.ts";

const NONE = readNativeRedirects("");
const LOOPBACK = readNativeRedirects("loopback");
const PRIVATE_USE = readNativeRedirects("private-use");
const BOTH = readNativeRedirects("loopback private-use");

describe("https with a real host may be a redirect URI, whatever else is allowed", () => {
  test.each([
    "https://psp.example/cb",
    "https://psp.example",
    "https://psp.example?tenant=1",
    "https://psp.example:8443/cb?tenant=1",
    "https://psp.example:65535/cb",
    "HTTPS://PSP.example/%7Euser",
    "https://psp.example/@user?to=a@b",
    "https://psp.example/cb?decode=1&substate=2",
    "https://xn--zahlungen-mnchen-tzb.example/cb",
    "https://a-b.c1.example/*.html",
    "https://192.0.2.1/cb",
    "https://[2001:db8:0:0::1]:8443/cb",
  ])("%s", (uri) => {
    for (const native of [NONE, LOOPBACK, PRIVATE_USE, BOTH]) expect(findRedirectUriFault(uri, native)).toBeNull();
  });
});

describe("a loopback address is for those who allow it (RFC 8252 section 7.3)", () => {
  test.each(["http://localhost:3000/cb", "http://127.0.0.1/cb", "http://127.3.2.1:1/", "http://[::1]:80/cb"])(
    "%s",
    (uri) => {
      for (const native of [LOOPBACK, BOTH]) expect(findRedirectUriFault(uri, native)).toBeNull();
      for (const native of [NONE, PRIVATE_USE]) expect(findRedirectUriFault(uri, native)).toBe("is http, not https");
    },
  );

  test.each(["https://localhost/cb", "https://app.localhost/", "https://127.0.0.10:8443/cb", "https://[::1]/cb"])(
    "%s",
    (uri) => {
      expect(findRedirectUriFault(uri, LOOPBACK)).toBeNull();
      expect(findRedirectUriFault(uri, NONE)).toBe("has a loopback address as its host");
    },
  );

  test.each([
    "http://psp.example/cb",
    "http://127.0.0.1.psp.example/cb",
    "http://localhost.psp.example/cb",
    "http://128.0.0.1/cb",
    "http://[::2]/cb",
    "http://psp.example/https:/cb",
  ])("%s is none", (uri) => {
    expect(findRedirectUriFault(uri, BOTH)).toBe("is http, which is allowed only for a loopback address");
    expect(findRedirectUriFault(uri, NONE)).toBe("is http, not https");
  });
});

describe("a private-use scheme is for those who allow it (RFC 8252 section 7.1)", () => {
  test.each([
    ...["com.psp.app:/cb", "com.psp.app:/cb?x=1", "com.psp.app://callback/x", "COM.Psp-2.App:/"],
    ...["com.psp.https:/cb", "https.psp.app:/cb", "com.psp.app:/cb?to=http://a@b"],
  ])("%s", (uri) => {
    for (const native of [PRIVATE_USE, BOTH]) expect(findRedirectUriFault(uri, native)).toBeNull();
    for (const native of [NONE, LOOPBACK])
      expect(findRedirectUriFault(uri, native)).toBe("is not an absolute https URI");
  });

  test.each([
    ["psp:/cb", "has a scheme that is not a reverse domain name, as in com.example.app:/callback"],
    ["javascript:alert(1)", "has a scheme that is not a reverse domain name, as in com.example.app:/callback"],
    ["data:/x,y", "has a scheme that is not a reverse domain name, as in com.example.app:/callback"],
    ["/cb", "is not an absolute https URI"],
    ["1com.psp.app:/cb", "is not an absolute https URI"],
    ["x+com.psp.app:/cb", "has a scheme that is not a reverse domain name, as in com.example.app:/callback"],
    ["ftp://psp.example/", "has a scheme that is not a reverse domain name, as in com.example.app:/callback"],
    ["com..app:/cb", "has a scheme that is not a reverse domain name, as in com.example.app:/callback"],
    ["com.psp.:/cb", "has a scheme that is not a reverse domain name, as in com.example.app:/callback"],
    ["com.psp.app:cb", "has no path after its scheme, as in com.example.app:/callback"],
    ["com.psp.app:", "has no path after its scheme, as in com.example.app:/callback"],
    ["com.psp.app://user@host/cb", "contains credentials"],
    ["com.psp.app://[/cb", 'has the host "[", which is neither a domain name nor an IP address'],
    ["com.psp.app:/cb#x", "has a fragment"],
    ["com.psp.app:/cb?code=1", "already has the parameter code, which this service adds"],
  ])("%s is refused: it %s", (uri, fault) => expect(findRedirectUriFault(uri, BOTH)).toBe(fault));
});

describe("anything else is refused with what is wrong", () => {
  test.each([
    ["https://psp.example/cb#top", "has a fragment"],
    ["https://psp.example/cb#", "has a fragment"],
    ["https://user@psp.example/cb", "contains credentials"],
    ["https://user:pw@psp.example/cb", "contains credentials"],
    ["https://@psp.example/cb", "contains credentials"],
    ["https://:@psp.example?cb", "contains credentials"],
    ["/cb", "is not an absolute https URI"],
    ["psp.example/cb", "is not an absolute https URI"],
    ["//psp.example/cb", "is not an absolute https URI"],
    ["https://", "is not an absolute https URI"],
    ["https:///cb", "is not an absolute https URI"],
    ["https://?x", "is not an absolute https URI"],
    ["https:psp.example", "is not an absolute https URI"],
    ["https:\\\\psp.example\\cb", "is not an absolute https URI"],
    ["javascript:alert(1)", "is not an absolute https URI"],
    ["", "is not an absolute https URI"],
    [" https://psp.example/cb", "begins with whitespace"],
    ["https://psp.example/cb\n", "ends with whitespace"],
    ["https://[2001:db8::1]:0/cb", "has a port that is not from 1 to 65535"],
    ["https://psp.example/cb?code=1", "already has the parameter code, which this service adds"],
    ["https://psp.example/cb?a=1&state=x", "already has the parameter state, which this service adds"],
    ["https://psp.example/cb?a&%63ode=1", "already has the parameter code, which this service adds"],
  ])("%j is refused: it %s", (uri, fault) => {
    for (const native of [NONE, LOOPBACK]) expect(findRedirectUriFault(uri, native)).toBe(fault);
  });

  test.each([
    "*.psp.example",
    "psp.*",
    ".psp.example",
    "psp..example",
    "psp.example.",
    ".",
    "-psp.example",
    "psp-.example",
    "psp_1.example",
    "psp%2eexample",
    "psp%00.example",
    "$psp.example",
    `${"a".repeat(64)}.example`,
    `${"a.".repeat(127)}example`,
    "xn--.example",
    "2130706433",
    "0x7f.1",
    "127.1",
    "256.1.1.1",
    "192.0.2.010",
    "[::1",
    "[fe80::1%25eth0]",
    "[v1.x]",
    "[]",
  ])("the host %s is not one", (host) => {
    for (const uri of [`https://${host}`, `https://${host}/cb`, `https://${host}:8443?x`])
      expect(findRedirectUriFault(uri, BOTH)).toMatch(
        /^has the host .*, which is neither a domain name nor an IP address$/,
      );
  });

  test.each(["0", "00", "0443", "65536", "99999", "443a", "-1", ""])("the port %j is not one", (port) => {
    expect(findRedirectUriFault(`https://psp.example:${port}/cb`, NONE)).toBe("has a port that is not from 1 to 65535");
    expect(findRedirectUriFault(`http://127.0.0.1:${port}/cb`, LOOPBACK)).toBe(
      "has a port that is not from 1 to 65535",
    );
  });
});

describe("a character that a URI cannot hold is named, with its place and how to write it", () => {
  test.each([
    ["https://psp.example/c b", 'has " " at character 22, which must be percent-encoded as %20'],
    ["https://psp.example/c\nb", 'has "\\u{000a}" at character 22, which must be percent-encoded as %0A'],
    ["https://psp.example/für", 'has "ü" at character 22, which must be percent-encoded as %C3%BC'],
    ["https://psp.example/cb?x=😀é", 'has "😀" at character 26, which must be percent-encoded as %F0%9F%98%80'],
    ["https://psp.example/%F0é", 'has "é" at character 24, which must be percent-encoded as %C3%A9'],
    ['https://psp.example/"', 'has "\\"" at character 21, which must be percent-encoded as %22'],
    ["https://psp.example/a\\b", 'has "\\\\" at character 22, which must be percent-encoded as %5C'],
    ["https://psp.example/{x}", 'has "{" at character 21, which must be percent-encoded as %7B'],
    [
      "https://psp.example/%zz",
      'has "%" at character 21 without two hexadecimal digits after it; a percent sign is %25',
    ],
    [
      "https://psp.example/a%2",
      'has "%" at character 22 without two hexadecimal digits after it; a percent sign is %25',
    ],
    [
      "https://zahlungen-münchen.example/ü",
      'has "ü" at character 20, in its host, which must be written as xn--zahlungen-mnchen-tzb.example',
    ],
    ["https://psp example/cb", 'has " " at character 12, in its host'],
    ["https://psp.ex\ud800ample/cb", 'has "\\u{d800}" at character 15, in its host'],
    ["https://psp.example/\ud800", 'has "\\u{d800}" at character 21, which is half of a surrogate pair'],
    ["com.psp.app:/ü", 'has "ü" at character 14, which must be percent-encoded as %C3%BC'],
  ])("%j", (uri, fault) => expect(findRedirectUriFault(uri, BOTH)).toBe(fault));

  test("text of any kind is judged without throwing, and what passes is a URI that no parser repairs", () => {
    const near = fc
      .tuple(
        fc.constantFrom("https://", "http://", "HTTPS://", "com.psp.app:/", "com.psp.app://", "https:", ""),
        fc.string({ unit: fc.constantFrom(..."ab1.-*:@[]%0/?#ü \\_") }),
        fc.string({ unit: anyCharacter }),
      )
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(fc.oneof(near, webUrl(), fc.string({ unit: anyCharacter })), (text) => {
        if (findRedirectUriFault(text, BOTH) !== null) return;
        const { hostname, href } = new URL(text);
        expect(text.toLowerCase()).toContain(hostname.toLowerCase().replace(/^\[.*\]$/, "["));
        expect(href).not.toContain("#");
      }),
      { numRuns: 5_000 },
    );
  });
});

test.each([
  ["", false, false],
  ["loopback", true, false],
  [" private-use ", false, true],
  ["private-use, loopback", true, true],
  ["Loopback", false, false],
  ["all", false, false],
])("NATIVE_REDIRECTS %j", (words, loopback, privateUse) => {
  expect(readNativeRedirects(words)).toEqual({ loopback, privateUse });
});

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
