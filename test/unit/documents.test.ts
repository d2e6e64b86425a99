/** What documents name is there, and each document is plain. */
import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { ROOMS } from "../checks/layers.ts";

const ROOT = join(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
// THIRD-PARTY.md is made by a command
const DOCUMENTS = [
  ...globSync(["*.md", "docs/**/*.md", "fixtures/README.md", "test/README.md", "src/client/README.md"], { cwd: ROOT }),
].filter((path) => path !== "THIRD-PARTY.md");
const GUIDES = globSync("src/reference/guides/*.md", { cwd: ROOT });

const withoutCode = (text: string): string => text.replace(/^```[\s\S]*?^```$/gm, "");
/** The first column of the tables of a document. */
const rowsOf = (path: string): string[] => [...read(path).matchAll(/^\| (.*?) +\|/gm)].map(([, cell = ""]) => cell);
/** The anchor that GitHub gives a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

test("README.md has at most 100 lines of at most 160 columns, test/README.md at most 105 lines", () => {
  const lines = read("README.md").trimEnd().split("\n");
  expect(lines.length).toBeLessThanOrEqual(100);
  expect(lines.filter((line) => line.length > 160)).toEqual([]);
  expect(read("test/README.md").trimEnd().split("\n").length).toBeLessThanOrEqual(105);
});

test("relative links lead to files and headings", () => {
  const isBroken = (path: string, link: string): boolean => {
    const [file = "", anchor] = link.split("#");
    const target = file === "" ? path : join(dirname(path), file);
    if (!existsSync(join(ROOT, target))) return true;
    const headings = () => [...read(target).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => anchorOf(heading));
    return anchor !== undefined && !headings().includes(anchor);
  };
  const broken = DOCUMENTS.flatMap((path) =>
    [...withoutCode(read(path)).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, link = ""]) => link)
      .filter((link) => !/^[a-z]+:/.test(link) && isBroken(path, link))
      .map((link) => `${path}: ${link}`),
  );
  expect(broken).toEqual([]);
});

test("every `npm run` of a document is a script, and every script is named in one", () => {
  const scripts = Object.keys(JSON.parse(read("package.json")).scripts);
  const named = [...DOCUMENTS, ...GUIDES].flatMap((path) =>
    [...read(path).matchAll(/\bnpm (?:run (?:-s )?([\w:]+)|(start|test)\b)/g)].map(([, run, own]) => run ?? own ?? ""),
  );
  expect(named.filter((name) => !scripts.includes(name))).toEqual([]);
  expect(scripts.filter((name) => !named.includes(name))).toEqual([]);
});

test("nginx of a guide writes to no folder of the system: an ordinary user may not", () => {
  const starting = GUIDES.map(read).filter((text) => /^(exec )?nginx -p|^ +exec nginx -p/m.test(text));
  expect(starting).toHaveLength(2);
  for (const text of starting) {
    expect(text).toContain("s|^http {|& access_log off; include user.conf;|");
    expect(text.replace(/\s+/g, " ")).toContain(
      `for part in client_body proxy fastcgi uwsgi scgi; do echo "\${part}_temp_path $part;"`,
    );
  }
});

test("every table of D1, of a ledger, and every variable has its row", () => {
  const tables = (text: string) => [...text.matchAll(/CREATE TABLE (?:IF NOT EXISTS )?(\w+)/g)].map(([, name]) => name);
  const sources = globSync(["src/migrations/*.sql", "src/evidence/ledger/*.ts"], { cwd: ROOT }).map(read);
  const storage = rowsOf("docs/storage.md").join("\n");
  expect(sources.flatMap(tables).filter((name) => !storage.includes(`\`${name}\``))).toEqual([]);

  const [, vars = ""] = /^\[vars\]\n([\s\S]*?)^# Staging/m.exec(read("wrangler.toml")) ?? [];
  const settings = rowsOf("docs/operate.md").flatMap((cell) => {
    const [first = "", ...others] = [...cell.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name);
    // `ACCESS_TOKEN_SECONDS`, `_PAYMENTS`: what is added to the first, or takes the place of its last word
    return [
      first,
      ...others.flatMap((name) => (name.startsWith("_") ? [first + name, first.replace(/_[A-Z]+$/, name)] : [name])),
    ];
  });
  const names = [...vars.matchAll(/^(\w+) =/gm)].map(([, name = ""]) => name);
  expect(names.length).toBeGreaterThan(20);
  expect(names.filter((name) => !settings.includes(name))).toEqual([]);
});

test("16: a setting has the default in operate.md that wrangler.toml gives it", () => {
  const [, table = ""] = /^\| Variable +\| Default +\|[^\n]*\n([\s\S]*?)\n\n/m.exec(read("docs/operate.md")) ?? [];
  const [, vars = ""] = /^\[vars\]\n([\s\S]*?)^# Staging/m.exec(read("wrangler.toml")) ?? [];
  const values = new Map([...vars.matchAll(/^(\w+) = "?(.*?)"?$/gm)].map(([, name = "", value = ""]) => [name, value]));
  const rows = [...table.matchAll(/^\| (`.*?) +\| (.*?) +\|/gm)].map(([, names = "", cell = ""]) => ({ names, cell }));
  expect(rows.length).toBeGreaterThan(20);
  const wrong = rows.flatMap(({ names, cell }) => {
    const [first = "", ...others] = [...names.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name);
    const given = [first, ...others]
      .map((name) => [name, first + name, first.replace(/_[A-Z]+$/, name)].find((each) => values.has(each)) ?? name)
      .map((name) => values.get(name) ?? "in no file");
    const said = cell.replaceAll("`", "").split(", ");
    // a word such as "none" is no value, and an address is told by whose it is; 0 is "as the first"
    const isSaid = (value: string, i: number) =>
      /^(https:.*)?$/.test(value)
        ? !cell.includes("`") && !/\d/.test(cell)
        : value === (said[i] ?? said[0]) || (i > 0 && value === "0");
    return given.every(isSaid) ? [] : [`${names}: ${cell}, not ${given.join(", ")}`];
  });
  expect(wrong).toEqual([]);
});

test("16: a migration that a comment names is there", () => {
  const migrations = readdirSync(join(ROOT, "src/migrations")).map((name) => name.slice(0, 4));
  const sources = globSync(["src/**/*.{ts,tsx,sql}", "test/**/*.ts", "docs/**/*.md"], { cwd: ROOT });
  const gone = sources.flatMap((path) =>
    [...read(path).matchAll(/\bmigration (\d{4})\b/gi)]
      .filter(([, number = ""]) => !migrations.includes(number))
      .map(([said]) => `${path}: ${said}`),
  );
  expect(gone).toEqual([]);
});

test("every room, every folder of test/ and every decision is in its list", () => {
  const named = (path: string) =>
    rowsOf(path).flatMap((cell) => [...cell.matchAll(/`([\w-]+)\//g)].map(([, name]) => name));
  const rooms = rowsOf("docs/architecture.md").flatMap((cell) => /^`([\w-]+)\/`$/.exec(cell)?.[1] ?? []);
  expect(rooms).toEqual([...ROOMS, "migrations"]);
  const folders = readdirSync(join(ROOT, "test"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.map(({ name }) => name).filter((name) => !named("test/README.md").includes(name))).toEqual([]);
  const decisions = readdirSync(join(ROOT, "docs/decisions")).filter((name) => name !== "README.md");
  expect(decisions.filter((name) => !read("docs/decisions/README.md").includes(`(${name})`))).toEqual([]);
});

test("a file that a document names is there", () => {
  const gone = DOCUMENTS.flatMap((path) =>
    [...withoutCode(read(path)).matchAll(/`((?:src|test|fixtures|docs)\/[\w./-]+)`/g)]
      .filter(([, name = ""]) => !existsSync(join(ROOT, name)))
      .map(([, name]) => `${path}: ${name}`),
  );
  expect(gone).toEqual([]);
});

test("every attack of the threat model names what stops it, and a test that shows it", () => {
  const [, tables = ""] = /^## What stops each\n([\s\S]*?)^## /m.exec(read("docs/threat-model.md")) ?? [];
  const rows = [...tables.matchAll(/^\| (?!Attack |-)(.*) \|$/gm)].map(([, row = ""]) => row.split("|"));
  expect(rows.length).toBeGreaterThan(30);
  expect(rows.filter(([, stops = "", shown = ""]) => stops.trim() === "" || !shown.includes("`test/"))).toEqual([]);
});

test("each rule of TS 119 615 in clauses 4.1 to 4.4 has a row: where it is kept and which test shows it, or why it is not", () => {
  const rows = [...read("docs/ts-119-615.md").matchAll(/^\| (PRO-.*) \|$/gm)].map(([, row = ""]) =>
    row.split("|").map((cell) => cell.trim()),
  );
  const numbered = (clause: string, last: number, more: readonly string[] = []) => {
    const numbers = Array.from({ length: last }, (_, i) => `${i + 1}`.padStart(2, "0"));
    return [...numbers, ...more].toSorted().map((number) => `PRO-${clause}.4-${number}`);
  };
  expect(rows.map(([rule]) => rule)).toEqual([
    ...[...numbered("4.1", 17), ...numbered("4.2", 12)],
    ...[...numbered("4.3", 11, ["03A", "03B"]), ...numbered("4.4", 36, ["10A", "18A", "26A"])],
  ]);
  const isProven = (where: string) => where.includes("`src/") && where.includes("`test/");
  const wrong = rows.filter(([, asks = "", here = "", why = "", where = ""]) => {
    if (asks === "") return true;
    if (here === "done") return !isProven(where);
    if (here === "differs") return why === "" || !isProven(where);
    return here !== "not done" || why === "";
  });
  expect(wrong).toEqual([]);
});

test("a file that a comment in src/ names is there", () => {
  const folder = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" });
  const files = folder.filter((path) => /\.tsx?$/.test(path));
  const made = read(".gitignore");
  const isThere = (name: string) =>
    made.includes(name) || files.some((path) => `/${path}`.endsWith(`/${name}`)) || existsSync(join(ROOT, name));
  const gone = files.flatMap((path) =>
    [...read(join("src", path)).matchAll(/^\s*(?:\/?\*|\/\/).*$/gm)]
      .flatMap(([comment]) => [...comment.matchAll(/[\w./-]+\.tsx?\b/g)])
      .flatMap(([name]) => (isThere(name) ? [] : [`${path}: ${name}`])),
  );
  expect(gone).toEqual([]);
});

/** The words of each sentence of prose; an item of a list is a sentence. Code, tables and headings are none. */
function sentenceLengths(text: string): number[] {
  const prose = withoutCode(text).replace(/^(?:\||#|!\[).*$/gm, "");
  const blocks = prose.split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )/).map((block) => block.replace(/\s+/g, " "));
  return blocks
    .flatMap((block) =>
      block
        .replace(/\]\([^)]*\)/g, "]")
        .replace(/`[^`]*`/g, "CODE")
        .split(/(?<=[.!?]) (?=[A-Z0-9"(*])/),
    )
    .map((sentence) => sentence.match(/[\p{L}\p{N}][\p{L}\p{N}'’./%-]*/gu)?.length ?? 0)
    .filter((words) => words > 0)
    .toSorted((a, b) => a - b);
}

test("sentences are short: half of a document's have at most 16 words, few over 28, none over 40", () => {
  const hard = DOCUMENTS.filter((path) => {
    const lengths = sentenceLengths(read(path));
    const long = lengths.filter((words) => words > 28).length;
    return (lengths[lengths.length >> 1] ?? 0) > 16 || long > lengths.length * 0.05 || (lengths.at(-1) ?? 0) > 40;
  });
  expect(hard).toEqual([]);
});
