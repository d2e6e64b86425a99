/**
 * The configurations of docs/examples/gateways against the headers of GET /v1/access: each of them is taken from the answer, and
 * none from the PSP. test/cli/gateways.test.ts attacks those that run on this machine; of the others the text has to do.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { ACCESS_HEADERS } from "../../src/routes/access.ts";

const ROOT = join(import.meta.dirname, "../..");
const readExample = (file: string): string => readFileSync(join(ROOT, "docs/examples/gateways", file), "utf8");
const namesIn = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, name = ""]) => name);

const underscored = (name: string): string => name.replaceAll("-", "_");
const BOTH_SPELLINGS = ACCESS_HEADERS.flatMap((name) => [...new Set([name, underscored(name)])]);

describe("what the backend is told is that of the answer, and all of it", () => {
  test.each(["access.lua", "apache-access.lua", "envoy.yaml", "kong.yaml"])("%s", (file) => {
    const [, list = ""] = /FOR_BACKEND = \{([^}]*)\}/.exec(readExample(file)) ?? [];
    expect(namesIn(list, /"([^"]*)"/g)).toEqual(ACCESS_HEADERS);
  });

  test("nginx.conf", () => {
    const text = readExample("nginx.conf");
    for (const name of ACCESS_HEADERS) {
      const variable = underscored(name);
      expect(text).toMatch(new RegExp(`auth_request_set \\$${variable} +\\$upstream_http_${variable};`));
      expect(text).toMatch(new RegExp(`proxy_set_header ${name} +\\$${variable};`));
    }
    expect(text).toContain("underscores_in_headers off;");
  });

  test("Caddyfile", () => {
    const text = readExample("Caddyfile");
    const [before = "", after = ""] = text.split("forward_auth");
    expect(namesIn(before, /request_header -(\S+)/g)).toEqual([...BOTH_SPELLINGS, "Connection"]);
    expect(/copy_headers (.*)/.exec(after)?.[1]?.split(" ")).toEqual(ACCESS_HEADERS);
  });

  test("the guide names each", () => {
    const guide = readFileSync(join(ROOT, "src/reference/guides/gateways.md"), "utf8");
    const [, sentence = ""] = /With 200 the headers (.*?) are for your backend/s.exec(guide) ?? [];
    expect(namesIn(sentence, /`([^`]*)`/g)).toEqual(ACCESS_HEADERS);
  });
});

/** Without a dot at the beginning of a segment, an empty segment, or anything but letters, digits, `_`, `.`, `~` and `-`. */
const PLAIN_PATH = String.raw`/accounts(/[\w~-][\w.~-]*)+/?`;

test.each(["nginx.conf", "haproxy.cfg", "Caddyfile", "apache.conf", "envoy.yaml"])(
  "%s names paths that every backend reads in one way",
  (file) => expect(readExample(file)).toContain(PLAIN_PATH),
);

test("Envoy refuses the names that a backend may confuse, and takes the whole path as it is", () => {
  const { static_resources } = parse(readExample("envoy.yaml"));
  const [{ typed_config: manager }] = static_resources.listeners[0].filter_chains[0].filters;
  expect(manager).toMatchObject({
    common_http_protocol_options: { headers_with_underscores_action: "REJECT_REQUEST" },
    normalize_path: true,
    merge_slashes: true,
    path_with_escaped_slashes_action: "REJECT_REQUEST",
  });
  const [{ routes }] = manager.route_config.virtual_hosts;
  expect(routes).toEqual([{ match: { safe_regex: { regex: PLAIN_PATH } }, route: { cluster: "bank" } }]);
});

test("Kong refuses such a path before it asks, and drops no header that it has set", () => {
  const [service] = parse(readExample("kong.yaml")).services;
  const [script]: [string] = service.plugins[0].config.access;
  const [before = "", after = ""] = script.split("request_uri");
  expect(before).toContain('if path:find("[^%w/._~-]") or path:find("/[./]") then return kong.response.exit(404) end');
  expect(before).toContain("local path = kong.request.get_raw_path()");
  expect(namesIn(after, /clear_header\((.*)\)$/gm)).toEqual(['"Connection"', "name", '(name:gsub("-", "_"))']);
});

test("HAProxy refuses at once when the service is down: it asks by a backend that tries once", () => {
  const [, gate = ""] = /\nbackend gate\n(.*)/s.exec(readExample("haproxy.cfg")) ?? [];
  expect(gate).toContain("retries 0\n");
  expect(readExample("haproxy.cfg")).toMatch(/timeout connect 2s/);
  const [, asked] = /local GATE = "http:\/\/([\d.:]+)\//.exec(readExample("access.lua")) ?? [];
  expect(readExample("haproxy.cfg")).toContain(`frontend gate\n    bind ${asked}\n    default_backend gate\n`);
});
