/** Finds the programs that the tests use as peers where people have them. Null when there is none. */
import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Homebrew keeps OpenSSL out of PATH: macOS's own `openssl` is LibreSSL, which answers otherwise. */
const OPENSSL_PLACES = ["/opt/homebrew/opt/openssl@3/bin/openssl", "/usr/local/opt/openssl@3/bin/openssl"];

const BROWSERS = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const BROWSER_PLACES = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/** The path of OpenSSL 3 or later. */
export const findOpenssl = (): string | null =>
  [...inPath(["openssl"]), ...OPENSSL_PLACES].find(
    (path) => isExecutable(path) && /^OpenSSL ([3-9]|\d\d)\./.test(opensslVersion(path)),
  ) ?? null;

/** The first line of `openssl version`; empty when it does not run. */
export const opensslVersion = (path: string): string =>
  spawnSync(path, ["version"], { encoding: "utf8" }).stdout?.trim() ?? "";

/** The path of Chromium or Chrome: `CHROME_PATH`, then PATH, then the usual places. */
export function findBrowser(): string | null {
  const named = process.env["CHROME_PATH"];
  if (named && !isExecutable(named)) throw new Error(`CHROME_PATH names no program: ${named}`);
  return named || ([...inPath(BROWSERS), ...BROWSER_PLACES].find(isExecutable) ?? null);
}

/** The gateways of docs/examples/gateways, by what Debian's packages call them. */
export const GATEWAY_PACKAGES = ["nginx", "haproxy", "caddy", "apache2"] as const;
export type GatewayPackage = (typeof GATEWAY_PACKAGES)[number];

/** /usr/sbin is not in everybody's PATH. */
const SERVER_PLACES = ["/usr/sbin", "/usr/bin", "/usr/local/sbin", "/usr/local/bin"];
/** What Apache's Lua asks by: Debian's lua-socket. */
const LUA_SOCKET = "/usr/share/lua/5.3/socket.lua";

/** The path of a gateway, if it and what its example needs are there. */
export const findGateway = (name: GatewayPackage): string | null =>
  name === "apache2" && !existsSync(LUA_SOCKET)
    ? null
    : (SERVER_PLACES.map((folder) => join(folder, name)).find(isExecutable) ?? null);

/** The path of age, the program by the author of the format of sealed keys. */
export const findAge = (): string | null => inPath(["age"]).find(isExecutable) ?? null;

const inPath = (names: readonly string[]): string[] => {
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return names.flatMap((name) => folders.map((folder) => join(folder, name)));
};

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
