import { describe, expect, test } from "vitest";
import { describeProblem } from "../../../src/registers/import/form-fields.ts";
import { readRegisterFile, readRegisterValue } from "../../../src/registers/import/own-form.ts";
import { AgentRoll } from "../../../src/registers/register.ts";

const CATEGORY = { category: "Payment Institution", legalName: "Example Ltd", status: "Authorised", services: [7] };
const PSP = { authNumber: "PSDXX-TEST-1", categories: [CATEGORY] };
const FILE = {
  country: "xx",
  ncaId: "XX-TEST",
  ncaName: "Authority",
  published: "2026-11-01T01:00:00+01:00",
  psps: [PSP],
};

const withCategory = (more: object, pspMore: object = {}) => ({
  ...FILE,
  psps: [{ ...PSP, ...pspMore, categories: [{ ...CATEGORY, ...more }] }],
});

function problemsOf(value: unknown): string[] {
  const read = readRegisterValue(value);
  return read.ok ? [] : read.problems.map(describeProblem);
}

describe("an authorisation number", () => {
  test.each([
    ["PSDXX-TEST-1", true],
    ["psdXX-TEST-1", false],
    ["PSDxx-TEST-1", true],
    ["PSDXX-T-1-2", true],
    ["PSDXX--1", false],
    ["PSDXX-TEST-", false],
    ["PSDXX-TEST-1\n2", false],
    ["xPSDXX-TEST-1", false],
    ["PSD1X-TEST-1", false],
    ["PSDXXX-TEST-1", false],
  ])("%j has the form: %s", (authNumber, valid) => {
    expect(problemsOf({ ...FILE, psps: [{ ...PSP, authNumber }] }).length === 0).toBe(valid);
  });
});

describe("the JSON form", () => {
  test("is read with its defaults", () => {
    expect(readRegisterValue(FILE)).toEqual({
      ok: true,
      register: {
        country: "XX",
        source: "nca",
        ncaId: "XX-TEST",
        ncaName: "Authority",
        published: "2026-11-01T00:00:00.000Z",
        psps: [{ authNumber: "PSDXX-TEST-1", agent: false, categories: [{ ...CATEGORY, passportOut: {} }] }],
        agents: new AgentRoll(),
        refused: [],
      },
    });
  });

  test("takes EL for GR and UK for GB, and sorts services", () => {
    const passportOut = [
      { country: "uk", services: [8, 7, 8] },
      { country: "EL", services: [] },
    ];
    const read = readRegisterValue(withCategory({ passportOut }));
    expect(read.ok && read.register.psps[0]?.categories[0]?.passportOut).toEqual({ GB: [7, 8], GR: [] });
  });

  test("gives a credit institution all eight services where none are written", () => {
    const bank = {
      category: "Credit Institution",
      legalName: "Bank",
      status: "Authorised",
      passportOut: [{ country: "XY" }],
    };
    const read = readRegisterValue({ ...FILE, source: "credit-institutions", psps: [{ ...PSP, categories: [bank] }] });
    const all = [1, 2, 3, 4, 5, 6, 7, 8];
    expect(read.ok && read.register.psps[0]?.categories[0]).toMatchObject({ services: all, passportOut: { XY: all } });
  });

  const at = "psps[0].categories[0]";
  const faults: [string, unknown, string[]][] = [
    [
      "a service beyond 8",
      withCategory({ services: [7, 9] }),
      [`${at}.services[1]: 9 is not a payment service (1 to 8)`],
    ],
    [
      "a passport without services",
      withCategory({ passportOut: [{ country: "XY" }] }),
      [`${at}.passportOut[0].services: is missing`],
    ],
    [
      "a service as text",
      withCategory({ services: ["7"] }),
      [`${at}.services[0]: "7" is not a payment service (1 to 8)`],
    ],
    [
      "an unknown category",
      withCategory({ category: "Bank" }),
      [
        `${at}.category: "Bank" is not a register category: Payment Institution, Exempt Payment Institution, E-Money Institution, Exempt E-Money Institution, AISP, Credit Institution`,
      ],
    ],
    [
      "an unknown status",
      withCategory({ status: "authorised" }),
      [`${at}.status: "authorised" is not an authorisation status: Authorised, Registered, Unauthorised, Withdrawn`],
    ],
    ["an unknown field", withCategory({ licence: 1 }), [`${at}: Unrecognized key: "licence"`]],
    ["no legal name", withCategory({ legalName: " " }), [`${at}.legalName: is empty`]],
    [
      "no services",
      withCategory({ services: undefined }),
      [`${at}.services: is missing: only a credit institution is entitled to all`],
    ],
    [
      "what the register lacks",
      { ...withCategory({ passportOut: [{ country: "XY", services: [8] }] }), lacks: ["services", "passports"] },
      [
        `${at}.services: is given, and the register lacks services`,
        `${at}.passportOut: is given, and the register lacks passports`,
      ],
    ],
    [
      "what no register may lack",
      { ...FILE, lacks: ["status"] },
      ['lacks[0]: "status" is not what a register may lack: services, passports'],
    ],
    [
      "a passport twice",
      withCategory({
        passportOut: [
          { country: "XY", services: [] },
          { country: "xy", services: [] },
        ],
      }),
      [`${at}.passportOut[1].country: XY is already passportOut[0]`],
    ],
    [
      "a passport to nowhere",
      withCategory({ passportOut: [{ country: "XYZ", services: [] }] }),
      [`${at}.passportOut[0].country: "XYZ" is not a two-letter country`],
    ],
    [
      "a category twice",
      { ...FILE, psps: [{ ...PSP, categories: [CATEGORY, CATEGORY] }] },
      ['psps[0].categories[1].category: "Payment Institution" is already categories[0]'],
    ],
    ["a PSP twice", { ...FILE, psps: [PSP, PSP] }, ["psps[1].authNumber: PSDXX-TEST-1 is already psps[0]"]],
    [
      "no category",
      { ...FILE, psps: [{ ...PSP, categories: [] }] },
      ["psps[0].categories: is empty: an undocumented category is one with category null"],
    ],
    [
      "a number of another form",
      withCategory({}, { authNumber: "XX-1" }),
      ['psps[0].authNumber: "XX-1" does not have the form PSD, country, "-", NCA, "-", reference'],
    ],
    [
      "a number without a reference",
      withCategory({}, { authNumber: "PSDXX-TEST--" }),
      ['psps[0].authNumber: "PSDXX-TEST--" does not have the form PSD, country, "-", NCA, "-", reference'],
    ],
    [
      "a foreign PSP that is no host entry",
      withCategory({}, { authNumber: "PSDXY-TEST-1" }),
      [`${at}.passportIn: nothing is neither XY, the country of PSDXY-TEST-1, nor null`],
    ],
    [
      "a passport in for a PSP at home",
      withCategory({ passportIn: "XY" }),
      [`${at}.passportIn: XY passports nobody in: PSDXX-TEST-1 is at home here`],
    ],
    [
      "a payment institution among credit institutions",
      { ...FILE, source: "credit-institutions" },
      [`${at}.category: "Payment Institution" in a register of credit institutions`],
    ],
    [
      "a date for an instant",
      { ...FILE, published: "2026-11-01" },
      ['published: "2026-11-01" is not an instant such as 2026-11-01T00:00:00Z'],
    ],
    [
      "the EBA as its source",
      { ...FILE, source: "eba" },
      ['source: "eba" is not a source of this form: nca, credit-institutions'],
    ],
  ];
  test.each(faults)("refuses %s and names the place", (_, value, problems) => {
    expect(problemsOf(value)).toEqual(problems);
  });

  test("names every fault, not just the first", () => {
    expect(
      problemsOf({ ...FILE, country: "", psps: [{ ...PSP, categories: [{ ...CATEGORY, services: [0, 9] }] }] }),
    ).toHaveLength(3);
  });

  test("that is no JSON is refused without throwing", () => {
    const read = readRegisterFile("<html>");
    expect(read.ok ? "" : read.problems.map(describeProblem).join()).toMatch(/^the file is not JSON: /);
  });

  test("may begin with a byte order mark", () => {
    expect(readRegisterFile(`\uFEFF${JSON.stringify(FILE)}`).ok).toBe(true);
  });
});
