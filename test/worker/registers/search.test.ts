/** Finding a PSP in what the registers have loaded: the rule, and the page for people. */
import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { importRegister } from "../../../src/registers/import/import-register.ts";
import { replaceLinks } from "../../../src/registers/import/stored-links.ts";
import { AgentRoll, type Register } from "../../../src/registers/register.ts";
import { describeEntry, MOST_FOUND, searchRegisters } from "../../../src/registers/search.ts";
import { Visitor } from "../console/visitor.ts";
import { loadSandbox } from "../sandbox.ts";

const NOW = Date.parse("2026-11-28T12:00:00Z");
const LEI = "213800SGT5S6EKUW2987";

beforeAll(async () => {
  await loadSandbox();
  const base = { services: [7, 8], passportOut: { FR: [8] }, established: { FR: [7], ES: [7] } };
  const many = Array.from({ length: MOST_FOUND + 1 }, (_, i) => ({
    ...{ authNumber: `PSDIT-BI-9${i}`, agent: false },
    categories: [{ ...base, category: "AISP" as const, legalName: `Molti ${i}`, status: "Registered" as const }],
  }));
  const register: Register = {
    ...{ country: "IT", source: "nca", ncaId: "IT-BI", ncaName: "Bank of Italy", published: "2026-11-27T00:00:00Z" },
    psps: [
      {
        ...{ authNumber: "PSDIT-BI-C 562-51", agent: false, numbers: [{ kind: "lei", number: LEI }] },
        categories: [
          {
            ...base,
            ...{ category: "Payment Institution", status: ["2020-01-01"], legalName: "Società Éxample S.p.A." },
            otherNames: ["<Esempio>"],
          },
        ],
      },
      ...many,
    ],
    ...{ agents: new AgentRoll(), refused: [] },
  };
  await replaceLinks(
    env.DB,
    [{ country: "IT", source: "the authority" }],
    [
      {
        ...{ country: "IT", number: "PSDIT-BI-55555", kind: "supervisor_number" },
        ...{ target: { kind: "lei", number: LEI }, source: "the authority", asOf: "2026-11-01" },
      },
    ],
  );
  await importRegister(env, register, { now: NOW, force: true });
});

const numbers = async (sought: string, country: string | null = null) =>
  (await searchRegisters(env.KV, sought, country)).entries.map(({ psp }) => psp.authNumber);

const ONE = ["PSDIT-BI-C 562-51"];
test.each<[what: string, sought: string, expected: string[]]>([
  ["a part of the name, without accents and in any case", "societa EXAMPLE", ONE],
  ["another name", "esempio", ONE],
  ["words in another order", "example societ", ONE],
  ["the whole number, in another spelling", "psdit_bi_c56251", ONE],
  ["the register's reference alone", "C56251", ONE],
  ["the end of it", "6251", ONE],
  ["a number that a link leads to it", "PSDIT-BI-55555", ONE],
  ["the LEI", LEI.toLowerCase(), ONE],
  ["the beginning of the LEI is no number", "213800SGT", []],
  ["a number of another country", "PSDFR-ACPR-C56251", []],
  ["punctuation alone", "---", []],
])("%s", async (_, sought, expected) => {
  expect(await numbers(sought)).toEqual(expected);
});

test("one country alone, and so many at most", async () => {
  expect(await numbers("example", "XX")).toEqual([]);
  expect(await numbers("example", "IT")).toEqual(ONE);
  const { entries, more } = await searchRegisters(env.KV, "molti", null);
  expect([entries.length, more]).toEqual([MOST_FOUND, true]);
});

test("an entry is told with its names, numbers, statuses and both ways", async () => {
  const { entries } = await searchRegisters(env.KV, "esempio", null);
  expect(entries.map((entry) => describeEntry(entry, NOW))).toEqual([
    {
      ...{ country: "IT", source: "nca", authorisation_number: "PSDIT-BI-C 562-51", psp_id: "PSDIT-BI-C56251" },
      ...{ names: ["Società Éxample S.p.A.", "<Esempio>"], numbers: [{ kind: "lei", number: LEI }], as_of: null },
      linked: [{ number: "PSDIT-BI-55555", kind: "supervisor_number", source: "the authority", as_of: "2026-11-01" }],
      categories: [
        {
          ...{ category: "Payment Institution", status: "Authorised", services: [7, 8], from: null },
          abroad: [
            { country: "ES", ways: [{ way: "establishment", paymentServices: [7] }] },
            {
              country: "FR",
              ways: [
                { way: "services", paymentServices: [8] },
                { way: "establishment", paymentServices: [7] },
              ],
            },
          ],
        },
      ],
    },
  ]);
});

test("a bank's officer searches on a page, which a register's text cannot write", async () => {
  const visitor = new Visitor();
  expect((await visitor.get("/console/sources/search?q=esempio")).status).toBe(303);
  await visitor.signIn();
  expect((await visitor.get("/console/sources")).text).toContain('action="/console/sources/search');
  const page = await visitor.get("/console/sources/search?q=esempio");
  expect(page.text).toContain("One PSP");
  expect(page.text).toContain("&lt;Esempio&gt;");
  expect(page.text).not.toContain("<Esempio>");
  expect(page.text).toContain("7 by a branch");
  expect((await visitor.get("/console/sources/search?q=nobody+at+all")).text).toContain("None: look whether");
  expect((await visitor.get("/console/sources/search?q=ab")).text).toContain("at least 3 characters");
  expect((await visitor.get("/console/sources/search?q=abc&country=Q1")).text).toContain("no country");
});
