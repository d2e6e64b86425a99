/**
 * Finds the programs that the tests use beside git and Node: peers where people have them, and what runs the guides.
 * A test asks here and nowhere else: so what a machine lacks is skipped, and report-missing.ts names it.
 */
import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

export interface Tool {
  /** For people: with the least version. */
  readonly title: string;
  /** The tests that need it, as the subject of a sentence. */
  readonly tests: string;
  /** Names to look for in PATH, and whole paths; the first that serves is taken. */
  readonly looked: readonly string[];
  /** It serves if it prints this when it is called so: for programs that have unlike versions under one name. */
  readonly asked?: { readonly args: readonly string[]; readonly prints: RegExp };
  /** A file that its tests need as well. */
  readonly beside?: string;
  /** Debian's packages, which .ci/run installs. */
  readonly debian: string;
}

export const TOOLS = {
  openssl: {
    title: "OpenSSL 3",
    tests: "the tests that compare with it",
    // Homebrew keeps it out of PATH: macOS's own `openssl` is LibreSSL, which answers otherwise
    looked: ["openssl", "/opt/homebrew/opt/openssl@3/bin/openssl", "/usr/local/opt/openssl@3/bin/openssl"],
    asked: { args: ["version"], prints: /^OpenSSL ([3-9]|\d\d)\./ },
    debian: "openssl",
  },
  browser: {
    title: "Chromium or Chrome (CHROME_PATH)",
    tests: "the tests in a browser",
    looked: [
      ...["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"],
      "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
      "/Applications/Chromium.app/Contents/MacOS/Chromium",
    ],
    debian: "chromium",
  },
  curl: {
    title: "curl 7.84",
    tests: "the commands of the guides",
    looked: ["curl"],
    // `--json` and `%header{}`
    asked: { args: ["--version"], prints: /^curl (7\.(8[4-9]|9)|[89]|\d\d)/ },
    debian: "curl",
  },
  python: {
    title: "Python 3.9",
    tests: "the guides' programs in it, and what unpacks an archive by it",
    // in PATH it may be pyenv's script, which looks for one each time
    looked: ["/usr/bin/python3", "python3"],
    asked: { args: ["--version"], prints: /^Python 3\.(9|\d\d)/ },
    debian: "python3",
  },
  java: {
    title: "Java 17 with its compiler",
    tests: "the guides' programs in it",
    looked: ["java"],
    asked: { args: ["--list-modules"], prints: /^java\.base@(1[7-9]|[2-9]\d)[\s\S]*^jdk\.compiler@/m },
    debian: "openjdk-17-jdk-headless",
  },
  promtool: {
    title: "promtool",
    tests: "the tests of the metrics' form and of the alert rules",
    looked: ["promtool"],
    debian: "prometheus",
  },
  age: { title: "age", tests: "the tests that open sealed keys by it", looked: ["age"], debian: "age" },
  nginx: { title: "nginx", tests: "the tests of this gateway", looked: ["nginx"], debian: "nginx" },
  haproxy: { title: "HAProxy", tests: "the tests of this gateway", looked: ["haproxy"], debian: "haproxy" },
  caddy: { title: "Caddy", tests: "the tests of this gateway", looked: ["caddy"], debian: "caddy" },
  apache2: {
    title: "Apache with lua-socket",
    tests: "the tests of this gateway",
    looked: ["apache2"],
    beside: "/usr/share/lua/5.3/socket.lua",
    debian: "apache2 lua-socket",
  },
} as const satisfies Readonly<Record<string, Tool>>;

export type ToolName = keyof typeof TOOLS;

/** Servers are there, and not in everybody's PATH. */
const SERVER_FOLDERS = ["/usr/sbin", "/usr/local/sbin"];

/** The path of a tool that serves, with all that its tests need; null without one. A browser's is `CHROME_PATH`, where that is set. */
export function findTool(name: ToolName): string | null {
  const { looked, asked, beside }: Tool = TOOLS[name];
  if (beside !== undefined && !existsSync(beside)) return null;
  const named = name === "browser" ? process.env["CHROME_PATH"] : undefined;
  if (named && !isProgram(named)) throw new Error(`CHROME_PATH names no program: ${named}`);
  if (named) return named;
  const folders = [...(process.env["PATH"] ?? "").split(delimiter).filter(isAbsolute), ...SERVER_FOLDERS];
  const paths = looked.flatMap((one) => (isAbsolute(one) ? [one] : folders.map((folder) => join(folder, one))));
  return paths.find((path) => isProgram(path) && (!asked || asked.prints.test(print(path, asked.args)))) ?? null;
}

/** What it prints; empty when it does not run. */
export const print = (path: string, args: readonly string[]): string =>
  spawnSync(path, args, { encoding: "utf8" }).stdout?.trim() ?? "";

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
