/** docs/registers.md says what the rows of src/registers say. `vitest -u` writes its table anew. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { KNOWN_REGISTERS, TRIED, WITHOUT_READABLE_REGISTER } from "../../src/registers/national-registers.ts";
import { ncaNameOfCountry } from "../../src/registers/nca-names.ts";
import { SOURCES } from "../../src/registers/sources.ts";

const PAGE = join(import.meta.dirname, "../../docs/registers.md");
const HEAD = ["Country", "Authority", "Register", "Form", "Licence", "How fresh", "Tried", "Gives", "Lacks"];

const describeGiven = (gives: (typeof KNOWN_REGISTERS)[number]["gives"]): string => {
  if (gives === undefined) return "";
  return gives === "numbers"
    ? "numbers"
    : `entries of \`${gives}\`, ${SOURCES[gives].fetched ? "fetched" : "imported"}`;
};

function tabulate(): string {
  const rows = KNOWN_REGISTERS.map(({ country, register, form, licence, fresh, tried, gives, lacks }) => [
    ...[country ?? "EEA", country === null ? "European Banking Authority" : ncaNameOfCountry(country)],
    ...[register, form, licence, fresh, TRIED[tried], describeGiven(gives), lacks],
  ]);
  const without = WITHOUT_READABLE_REGISTER.map((country) => [
    ...[country, ncaNameOfCountry(country), "none is published in a form that a program can read"],
    ...HEAD.slice(3).map(() => ""),
  ]);
  // aligned, as the formatter does it
  const cells = [HEAD, ...rows, ...without];
  const widths = HEAD.map((_, i) => Math.max(...cells.map((row) => row[i]?.length ?? 0)));
  const line = (row: readonly string[], fill = " ") =>
    `| ${widths.map((n, i) => (row[i] ?? "").padEnd(n, fill)).join(" | ")} |`;
  const [head, ...body] = cells.map((row) => line(row));
  return [head, line([], "-"), ...body].join("\n");
}

test("the table of registers is that of the rows", async () => {
  const page = readFileSync(PAGE, "utf8");
  const made = page.replace(
    /(<!-- rows -->\n)[\s\S]*(<!-- \/rows -->)/,
    (_, start, end) => `${start}\n${tabulate()}\n\n${end}`,
  );
  await expect(made).toMatchFileSnapshot(PAGE);
});

test("a source of entries is described by what it publishes", () => {
  for (const { gives, lacks } of KNOWN_REGISTERS) {
    if (gives === undefined || gives === "numbers") continue;
    const { services, passports } = SOURCES[gives];
    expect([gives, lacks.includes("services"), lacks.includes("passports")]).toEqual([
      gives,
      services === "not published",
      passports === "not published",
    ]);
  }
});

test("each country is named once, and its authority is known", () => {
  const countries = [...KNOWN_REGISTERS.flatMap(({ country }) => country ?? []), ...WITHOUT_READABLE_REGISTER];
  expect(new Set(countries).size).toBe(countries.length);
  expect(countries.filter((country) => ncaNameOfCountry(country) === "")).toEqual([]);
});
