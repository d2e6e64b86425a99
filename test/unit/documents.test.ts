/** The maps in the documents are of this tree. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
/** The first column of the tables of a document. */
const rowsOf = (path: string): string[] => [...read(path).matchAll(/^\| (.*?) +\|/gm)].map(([, cell = ""]) => cell);

test.each(["src", "test"])("every folder of %s/ is in the table of its README", (folder) => {
  const named = rowsOf(`${folder}/README.md`).flatMap((cell) =>
    [...cell.matchAll(/`([\w-]+)\//g)].map(([, name]) => name),
  );
  const folders = readdirSync(join(ROOT, folder), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.map(({ name }) => name).filter((name) => !named.includes(name))).toEqual([]);
});

test("where a change begins, according to CONTRIBUTING.md, there is a file or folder", () => {
  const paths = [...read("CONTRIBUTING.md").matchAll(/`((?:src|test)\/[^`]+)`/g)].map(([, path = ""]) => path);
  expect(paths.length).toBeGreaterThan(15);
  expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test("a file that a comment in src/ names is there", () => {
  const folder = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" });
  const files = folder.filter((path) => /\.tsx?$/.test(path));
  const isThere = (name: string) =>
    files.some((path) => `/${path}`.endsWith(`/${name}`)) || existsSync(join(ROOT, name));
  const gone = files.flatMap((path) =>
    [...read(join("src", path)).matchAll(/^\s*(?:\/?\*|\/\/).*$/gm)]
      .flatMap(([comment]) => [...comment.matchAll(/[\w./-]+\.tsx?\b/g)])
      .flatMap(([name]) => (isThere(name) ? [] : [`${path}: ${name}`])),
  );
  expect(gone).toEqual([]);
});
