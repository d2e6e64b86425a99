/** On a machine with git and Node alone `npm test` passes: every test asks test/tools.ts for what it needs beside them, and what is missing is named. */
import { globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import reportMissing, { describeMissing } from "../report-missing.ts";
import { findTool, TOOLS } from "../tools.ts";

const ROOT = join(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const NAMES = Object.keys(TOOLS) as (keyof typeof TOOLS)[];

test("each tool that is missing has one sentence, with the tests that are skipped", () => {
  expect(describeMissing((name) => `/usr/bin/${name}`)).toEqual([]);
  expect(describeMissing(() => null)).toHaveLength(NAMES.length);
  expect(describeMissing((name) => (name === "java" ? null : "/there"))).toEqual([
    "No Java 17 with its compiler: the guides' programs in it are skipped.",
  ]);
});

test("no test starts a tool by its name: it would fail where the tool is not there", () => {
  const programs = NAMES.flatMap((name) => TOOLS[name].looked).map((path) => path.replace(/^.*\//, ""));
  const any = `(?:${programs.join("|")})`;
  // as the program of a process, or as the first word of bash
  const started = new RegExp(`\\b(?:spawn|execFile)(?:Sync)?\\)?\\(\\s*["'\`]${any}["'\`]|\\brun\\(\\s*["'\`]${any} `);
  const files = globSync("{test,fixtures}/**/*.ts", { cwd: ROOT, exclude: (path) => path.includes("node_modules") });
  expect(files.length).toBeGreaterThan(500);
  expect(files.filter((path) => started.test(read(path)))).toEqual([]);
});

test("CONTRIBUTING.md names them all", () => {
  const page = read("CONTRIBUTING.md");
  for (const { title } of Object.values(TOOLS)) expect(page).toContain(/^\S+( [\d.]+)?/.exec(title)?.[0]);
});

describe("in a PATH of a test", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "psp-gate-tools-"));
    vi.stubEnv("PATH", folder);
    vi.stubEnv("CHROME_PATH", undefined);
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });
  const program = (name: string, prints: string): void =>
    writeFileSync(join(folder, name), `#!/bin/sh\necho '${prints}'\n`, { mode: 0o755 });

  test("one that is not there is null, and with CI=true an error that names it", () => {
    expect([findTool("promtool"), findTool("age"), findTool("curl")]).toEqual([null, null, null]);
    vi.stubEnv("CI", "true");
    vi.stubEnv("REQUIRE_SHARED_DATA", "");
    expect(reportMissing).toThrow(/No curl 7\.84: .* are skipped\.\n[\s\S]*No promtool: /);
    vi.stubEnv("CI", undefined);
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    reportMissing();
    expect(warn.mock.calls.flat().filter((line) => line.startsWith("No promtool: "))).toHaveLength(1);
  });

  test.each([
    ["openssl", "LibreSSL 3.3.6", "OpenSSL 3.0.19 27 Jan 2026 (Library: OpenSSL 3.0.19 27 Jan 2026)"],
    ["curl", "curl 7.81.0 (x86_64-pc-linux-gnu) libcurl/7.81.0", "curl 7.88.1 (x86_64-pc-linux-gnu) libcurl/7.88.1"],
    ["java", "java.base@17.0.9\njava.logging@17.0.9", "java.base@17.0.9\njdk.compiler@17.0.9"],
    ["java", "java.base@11.0.2\njdk.compiler@11.0.2", "java.base@21\njdk.compiler@21"],
  ] as const)("%s of another kind does not serve", (name, other, serving) => {
    program(name, other);
    expect(findTool(name)).not.toBe(join(folder, name));
    program(name, serving);
    expect(findTool(name)).toBe(join(folder, name));
  });

  test("a folder and a link that leads nowhere are no programs", () => {
    symlinkSync(folder, join(folder, "age"));
    symlinkSync(join(folder, "nothing"), join(folder, "promtool"));
    expect([findTool("age"), findTool("promtool")]).toEqual([null, null]);
  });
});
