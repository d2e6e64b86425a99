import { expect, test } from "vitest";
import { describeProblem } from "../../../src/registers/import/form-fields.ts";
import { readRegisterValue } from "../../../src/registers/import/own-form.ts";
import { readRegisterCsv } from "../../../src/registers/import/own-form-csv.ts";

const HEADER =
  "country,ncaId,ncaName,published,source,authNumber,agent,category,legalName,status,services,passportOut,passportIn";
const HEAD = "XX,XX-TEST,Authority,2026-11-01T00:00:00Z,";
const csv = (...rows: string[]) => [HEADER, ...rows.map((row) => `${HEAD}${row}`)].join("\r\n");

test("the CSV form says the same as the JSON form", () => {
  const file = {
    ...{ country: "XX", ncaId: "XX-TEST", ncaName: "Authority", published: "2026-11-01T00:00:00Z" },
    psps: [
      {
        authNumber: "PSDXX-TEST-1",
        categories: [
          { category: "E-Money Institution", legalName: "One, Ltd", status: "Authorised", services: [8] },
          {
            ...{ category: "Payment Institution", legalName: 'One "1" Ltd', status: "Withdrawn", services: [7, 8] },
            passportOut: [
              { country: "XY", services: [7, 8] },
              { country: "GR", services: [] },
            ],
          },
        ],
      },
      {
        ...{ authNumber: "PSDXX-TEST-2", agent: true },
        categories: [{ category: null, legalName: "Two", status: null, services: [] }],
      },
      {
        authNumber: "PSDXX-TEST-3",
        categories: [{ category: "Credit Institution", legalName: "Three", status: "Authorised" }],
      },
      {
        authNumber: "PSDXY-TEST-4",
        categories: [{ category: "AISP", legalName: "Four", status: "Registered", services: [8], passportIn: null }],
      },
    ],
  };
  const text = csv(
    'nca,PSDXX-TEST-1,,E-Money Institution,"One, Ltd",Authorised,8,,',
    "nca,PSDXX-TEST-2,true,,Two,,,,",
    'nca,PSDXX-TEST-1,,Payment Institution,"One ""1"" Ltd",Withdrawn,7 8,XY:7 8; EL:,',
    "nca,PSDXX-TEST-3,false,Credit Institution,Three,Authorised,,,",
    "nca,PSDXY-TEST-4,,AISP,Four,Registered,8,,unknown",
  );
  expect(readRegisterCsv(`\uFEFF${text}`)).toEqual(readRegisterValue(file));
});

const GOOD = "nca,PSDXX-TEST-1,,AISP,One,Registered,8,,";
const faults: [string, string, string][] = [
  [
    "a service beyond 8",
    csv(GOOD, "nca,PSDXX-TEST-2,,AISP,Two,,9,,"),
    "row 3, column services: 9 is not a payment service (1 to 8)",
  ],
  [
    "a service in words",
    csv("nca,PSDXX-TEST-2,,AISP,Two,,AIS,,"),
    'row 2, column services: "AIS" is not a payment service (1 to 8)',
  ],
  [
    "a service of two digits",
    csv("nca,PSDXX-TEST-2,,AISP,Two,,10,,"),
    "row 2, column services: 10 is not a payment service (1 to 8)",
  ],
  [
    "a service that begins with a digit",
    csv("nca,PSDXX-TEST-2,,AISP,Two,,7x,,"),
    'row 2, column services: "7x" is not a payment service (1 to 8)',
  ],
  [
    "a passport of an unknown service",
    csv("nca,PSDXX-TEST-2,,AISP,Two,,8,XY:0,"),
    "row 2, column passportOut: 0 is not a payment service (1 to 8)",
  ],
  [
    "a number of another form",
    csv(GOOD, "nca,2,,AISP,Two,,8,,"),
    'row 3, column authNumber: "2" does not have the form PSD, country, "-", NCA, "-", reference',
  ],
  ["a category twice", csv(GOOD, GOOD), 'row 3, column category: "AISP" is already categories[0]'],
  [
    "an agent in words",
    csv("nca,PSDXX-TEST-2,yes,AISP,Two,,8,,"),
    'row 2, column agent: "yes" is neither true nor false',
  ],
  [
    "a PSP that is an agent in one row only",
    csv(GOOD, "nca,PSDXX-TEST-1,true,,One,,,,"),
    'row 3, column agent: "true" is not "", as row 2 says',
  ],
  [
    "two countries",
    `${csv(GOOD)}\r\nXY,${HEAD.slice(3)}${GOOD}`,
    'row 3, column country: "XY" is not "XX", as row 2 says',
  ],
  ["a bad country", csv(GOOD).replace("\nXX,", "\nXXX,"), 'row 2, column country: "XXX" is not a two-letter country'],
  [
    "a cell too few",
    csv(GOOD, "nca,PSDXX-TEST-2"),
    "the file is not CSV: Invalid Record Length: expect 13, got 6 on line 3",
  ],
  [
    "an unknown column",
    `${HEADER},licence\n`,
    `row 1, column licence: is not one of ${HEADER.replaceAll(",", ", ")}, lacks, whole`,
  ],
  ["a missing column", "country,ncaId\n", "row 1, column ncaName: is missing"],
  [
    "an open quote",
    `${HEADER}\n"`,
    "the file is not CSV: Quote Not Closed: the parsing is finished with an opening quote at line 2",
  ],
  ["nothing", "", "row 1, column country: is missing"],
  ["a header alone", HEADER, "row 1: no PSP follows the header"],
];
test.each(faults)("refuses %s and names row and column", (_, text, expected) => {
  const read = readRegisterCsv(text);
  expect(read.ok ? [] : read.problems.map(describeProblem)).toEqual([expected]);
});

test.each([
  ["", "nca"],
  ["nca", "nca"],
  ["credit-institutions", "credit-institutions"],
])("the source %j is %s", (source, expected) => {
  const read = readRegisterCsv(csv(`${source},PSDXX-TEST-3,,Credit Institution,Three,Authorised,,,`));
  expect(read.ok && read.register.source).toBe(expected);
});

test.each(["XY", "XY:", "XY: "])(
  "the passport %j of a credit institution is for all services, as in JSON",
  (passport) => {
    const read = readRegisterCsv(csv(`nca,PSDXX-TEST-3,,Credit Institution,Three,Authorised,,${passport},`));
    expect(read.ok && read.register.psps[0]?.categories[0]?.passportOut).toEqual({ XY: [1, 2, 3, 4, 5, 6, 7, 8] });
  },
);

test.each([";", "\t"])("cells may be separated by %j", (delimiter) => {
  const text = csv(GOOD);
  expect(readRegisterCsv(text.replaceAll(",", delimiter))).toEqual(readRegisterCsv(text));
  expect(readRegisterCsv(text)).toMatchObject({ ok: true });
});

test("a file says in two more columns what its register does not publish, and of what it has all", () => {
  const row = (services: string) =>
    `${HEAD}nca,PSDXX-TEST-1,,Payment Institution,One,Authorised,${services},,,services|passports,Payment Institution`;
  const read = readRegisterCsv(`${HEADER},lacks,whole\n${row("")}`);
  expect(read.ok && read.register).toMatchObject({
    ...{ lacks: ["services", "passports"], whole: ["Payment Institution"] },
    psps: [{ categories: [{ services: [], passportOut: {} }] }],
  });
  const given = readRegisterCsv(`${HEADER},lacks,whole\n${row("7")}`);
  expect(given.ok ? [] : given.problems.map(describeProblem)).toEqual([
    "row 2, column services: is given, and the register lacks services",
  ]);
});
