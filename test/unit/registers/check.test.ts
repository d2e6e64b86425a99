import { describe, expect, test } from "vitest";
import { checkRegisters, findStale } from "../../../src/registers/check.ts";
import { readRegisterValue } from "../../../src/registers/import/own-form.ts";
import { DEFAULT_REGISTER_MAX_AGES_MS } from "../../../src/registers/manifest.ts";
import type { NumberLink } from "../../../src/registers/number-links.ts";
import { AgentRoll, type Register } from "../../../src/registers/register.ts";
import { readingOf } from "./reading-of.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");

const category = (name: string | null, status: string | null, services: number[], more: object = {}) => ({
  category: name,
  legalName: "Example Ltd",
  status,
  services,
  ...more,
});

function register(country: string, psps: object[], more: object = {}): Register {
  const file = {
    country,
    ncaId: `${country}-TEST`,
    ncaName: `${country} Authority`,
    published: "2026-11-01T00:00:00Z",
  };
  const read = readRegisterValue({ ...file, ...more, psps });
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.register;
}

const psp = (reference: string, categories: object[], more: object = {}) => ({
  authNumber: `PSDXX-TEST-${reference}`,
  categories,
  ...more,
});

const REGISTERS = [
  register("XX", [
    psp("ONE", [category("Payment Institution", "Authorised", [7, 8])]),
    psp("TWO", [
      category("E-Money Institution", "Authorised", [8], { passportOut: [{ country: "XY", services: [8] }] }),
      category("Payment Institution", "Authorised", [7]),
    ]),
    psp("EXEMPT", [
      category("Exempt Payment Institution", "Authorised", [7]),
      category("Exempt E-Money Institution", "Registered", [8]),
      category("AISP", "Authorised", [8]),
    ]),
    psp("AGENT", [category(null, "Authorised", [])], { agent: true }),
    psp("UNDOCUMENTED", [category(null, "Authorised", [7])]),
    psp("WITHDRAWN", [category("Payment Institution", "Withdrawn", [7])]),
    psp("UNAUTHORISED", [category("AISP", "Unauthorised", [8])]),
    psp("BANK", [category("Credit Institution", "Authorised", [1])]),
    psp("A-B", [category("AISP", "Registered", [8])]),
    psp("AB", [category("AISP", "Registered", [8])]),
    psp("C-D", [category("AISP", "Registered", [8])]),
  ]),
  register("XY", [
    psp("TWO", [category("E-Money Institution", "Authorised", [8], { passportIn: "XX" })]),
    psp("ONE", [category("Payment Institution", "Withdrawn", [7], { passportIn: null })]),
  ]),
];

function check(authNumber: string, jurisdiction = "XX", registers = REGISTERS, now = NOW, codes = false) {
  const host = jurisdiction.toUpperCase();
  return checkRegisters({
    authNumber,
    jurisdiction,
    home: readingOf(registers, authNumber.slice(3, 5), authNumber),
    host: host === authNumber.slice(3, 5) ? null : readingOf(registers, host, authNumber),
    subjectName: "Subject on the certificate",
    now,
    maxAges: DEFAULT_REGISTER_MAX_AGES_MS,
    codes,
  });
}

const entry = (categoryName: string, pspAuthStatus: string | null, pspPaymentServices: number[], more = {}) => ({
  categoryName,
  pspLegalName: "Example Ltd",
  pspAuthStatus,
  pspPaymentServices,
  ...more,
});

describe("a PSP in its home register", () => {
  const table: [string, string, object[]][] = [
    ["with one category has one entry", "ONE", [entry("Payment Institution", "Authorised", [7, 8])]],
    [
      "with two categories has one entry for each, in the register's order",
      "TWO",
      [entry("E-Money Institution", "Authorised", [8]), entry("Payment Institution", "Authorised", [7])],
    ],
    [
      "that is exempt or an AISP is Registered instead of Authorised",
      "EXEMPT",
      [
        entry("Exempt Payment Institution", "Registered", [7]),
        entry("Exempt E-Money Institution", "Registered", [8]),
        entry("AISP", "Registered", [8]),
      ],
    ],
    ["that is an agent has the status null", "AGENT", [entry("Agent", null, [])]],
    ["without a documented category has the status null", "UNDOCUMENTED", [entry("Not documented", null, [7])]],
    ["that was withdrawn says so", "WITHDRAWN", [entry("Payment Institution", "Withdrawn", [7])]],
    ["that is unauthorised says so, even as an AISP", "UNAUTHORISED", [entry("AISP", "Unauthorised", [8])]],
    [
      "that is a credit institution is entitled to all eight services, whatever the register writes",
      "BANK",
      [entry("Credit Institution", "Authorised", [1, 2, 3, 4, 5, 6, 7, 8])],
    ],
    ["is found in another spelling", "CD", [entry("AISP", "Registered", [8])]],
    ["is found in small letters and with other dashes", "c\u2013d_", [entry("AISP", "Registered", [8])]],
  ];
  test.each(table)("%s", (_, reference, categoryEntries) => {
    expect(check(`PSDXX-TEST-${reference}`)).toEqual({
      homeRegister: { ncaName: "XX Authority", ncaCountryCode: "XX", registerType: "Home", categoryEntries },
    });
  });
});

describe("a PSP that is not in its home register", () => {
  test("has no entries and rule 4's warning", () => {
    expect(check("PSDXX-TEST-NOBODY").homeRegister).toEqual({
      ncaName: "XX Authority",
      ncaCountryCode: "XX",
      registerType: "Home",
      categoryEntries: [],
      warning: ["could not find a register entry for PSP PSDXX-TEST-NOBODY"],
    });
  });

  test.each(["a-b", "A-B", "AB"])("is not taken for one of two that only a dash tells apart: %s", (reference) => {
    const { homeRegister } = check(`PSDXX-TEST-${reference}`);
    expect(homeRegister.categoryEntries).toEqual([]);
    expect(homeRegister.warning).toEqual([
      `could not find a register entry for PSP PSDXX-TEST-${reference}`,
      `several entries of the XX registers match PSDXX-TEST-${reference}, so none of them is used`,
    ]);
  });

  test.each(["PSDXX-TES-TONE", "PSDXX-T-ESTONE", "PSDXX-TESTO-NE", "PSDXX-TESTONE"])(
    "is not taken for another NCA's, whose number has the same letters: %s",
    (authNumber) => {
      const { homeRegister, hostRegister } = check(authNumber, "XY");
      expect([homeRegister.categoryEntries, hostRegister?.categoryEntries]).toEqual([[], []]);
      expect(homeRegister.warning).toEqual([`could not find a register entry for PSP ${authNumber}`]);
    },
  );

  test("of a country whose register is not loaded is told only that", () => {
    expect(check("PSDZZ-NCA-1", "ZZ").homeRegister).toEqual({
      ncaName: "",
      ncaCountryCode: "ZZ",
      registerType: "Home",
      categoryEntries: [],
      warning: ["no register of ZZ is loaded"],
    });
  });

  test("because the certificate has no number, or one of no country, is told so", () => {
    const unknown = { jurisdiction: "XX", home: null, host: null, subjectName: null, now: NOW, codes: false };
    const maxAges = DEFAULT_REGISTER_MAX_AGES_MS;
    expect(checkRegisters({ ...unknown, maxAges, authNumber: null })).toEqual({
      homeRegister: {
        ncaName: "",
        ncaCountryCode: "",
        registerType: "Home",
        categoryEntries: [],
        warning: ["the certificate has no authorisation number, so there is no register to look it up in"],
      },
    });
    expect(checkRegisters({ ...unknown, maxAges, authNumber: "12345987" }).homeRegister.warning).toEqual([
      "could not find a register entry for PSP 12345987",
      "the authorisation number 12345987 does not name the PSP's home country",
    ]);
  });
});

describe("in another jurisdiction", () => {
  test("the home entries say what is passported there, and the host register answers, in lower case too", () => {
    for (const jurisdiction of ["XY", "xy", "xY"]) {
      expect(check("PSDXX-TEST-TWO", jurisdiction)).toEqual({
        homeRegister: {
          ncaName: "XX Authority",
          ncaCountryCode: "XX",
          registerType: "Home",
          categoryEntries: [
            entry("E-Money Institution", "Authorised", [8], {
              passportOut: { countryCode: "XY", paymentServices: [8] },
            }),
            entry("Payment Institution", "Authorised", [7], {
              passportOut: { countryCode: "XY", paymentServices: [] },
            }),
          ],
        },
        hostRegister: {
          ncaName: "XY Authority",
          ncaCountryCode: "XY",
          registerType: "Host",
          categoryEntries: [
            {
              categoryName: "E-Money Institution",
              pspLegalName: "Example Ltd",
              pspAuthStatus: "Authorised",
              passportIn: { countryCode: "XX" },
            },
          ],
        },
      });
    }
  });

  test("a host entry that does not tell the home country has no passportIn", () => {
    expect(check("PSDXX-TEST-ONE", "XY").hostRegister?.categoryEntries).toEqual([
      { categoryName: "Payment Institution", pspLegalName: "Example Ltd", pspAuthStatus: "Withdrawn" },
    ]);
  });

  test("a PSP that the host register lacks has rule 3's warning with its legal name", () => {
    expect(check("PSDXX-TEST-EXEMPT", "XY").hostRegister).toEqual({
      ncaName: "XY Authority",
      ncaCountryCode: "XY",
      registerType: "Host",
      categoryEntries: [],
      warning: ["PSP Example Ltd could not be found in the XY Authority register"],
    });
  });

  test("a PSP that neither register knows is named as on the certificate", () => {
    const { homeRegister, hostRegister } = check("PSDXX-TEST-NOBODY", "XY");
    expect(homeRegister.warning).toEqual(["could not find a register entry for PSP PSDXX-TEST-NOBODY"]);
    expect(hostRegister?.warning).toEqual([
      "PSP Subject on the certificate could not be found in the XY Authority register",
    ]);
  });

  test("one whose register is not loaded has no entries and says only that", () => {
    expect(check("PSDXX-TEST-ONE", "zz").hostRegister).toEqual({
      ncaName: "",
      ncaCountryCode: "ZZ",
      registerType: "Host",
      categoryEntries: [],
      warning: ["no register of ZZ is loaded"],
    });
  });

  test("one whose register is not loaded still has its NCA's name", () => {
    expect(check("PSDXX-TEST-ONE", "IT").hostRegister).toEqual({
      ncaName: "Bank of Italy",
      ncaCountryCode: "IT",
      registerType: "Host",
      categoryEntries: [],
      warning: ["no register of IT is loaded"],
    });
  });
});

test("with codes, each warning has its own, in both registers", () => {
  const late = NOW + 40 * 24 * 3_600_000;
  const codesOf = (authNumber: string, jurisdiction: string, now = NOW) => {
    const { homeRegister, hostRegister } = check(authNumber, jurisdiction, REGISTERS, now, true);
    return [homeRegister, hostRegister].map((block) => block?.warning_codes?.join(" ") ?? "");
  };
  expect(codesOf("PSDXX-TEST-ONE", "XX")).toEqual(["", ""]);
  expect(codesOf("PSDXX-TEST-NOBODY", "XY")).toEqual(["not_in_register", "not_in_host_register"]);
  expect(codesOf("PSDXX-TEST-AB", "ZZ")).toEqual(["not_in_register register_ambiguous", "register_not_loaded"]);
  expect(codesOf("PSDXX-TEST-NOBODY", "XY", late)).toEqual([
    "not_in_register register_stale",
    "not_in_host_register register_stale",
  ]);
  expect(checkRegisters({ ...UNKNOWN, authNumber: null }).homeRegister.warning_codes).toEqual([
    "authorisation_number_missing",
  ]);
  expect(checkRegisters({ ...UNKNOWN, authNumber: "1" }).homeRegister.warning_codes).toEqual([
    ...["not_in_register", "home_country_unknown"],
  ]);
});
const UNKNOWN = {
  ...{ jurisdiction: "XX", home: null, host: null, subjectName: null, now: NOW, codes: true },
  maxAges: DEFAULT_REGISTER_MAX_AGES_MS,
};

describe("several sources of one country", () => {
  const own = register("XX", [psp("ONE", [category("Payment Institution", "Withdrawn", [7])])]);
  const eba: Register = {
    ...register("XX", [
      psp("ONE", [category("Payment Institution", "Authorised", [7]), category("AISP", "Registered", [8])]),
    ]),
    source: "eba",
    published: "2026-11-21T00:00:00.000Z",
    ncaName: "EBA's name for it",
    agents: AgentRoll.of([
      { authNumber: "PSDXX-TEST-ONE", legalName: "One as an agent" },
      { authNumber: "PSDXX-TEST-ONLYAGENT", legalName: "An agent" },
    ]),
  };
  const registers = [eba, own];

  test("of a category in two sources the stricter counts; the others are added", () => {
    const { homeRegister } = check("PSDXX-TEST-ONE", "XX", registers, NOW, true);
    expect(homeRegister.categoryEntries).toEqual([
      entry("Payment Institution", "Withdrawn", [7]),
      entry("AISP", "Registered", [8]),
    ]);
    expect(homeRegister.warning_codes).toEqual(["sources_disagree"]);
    expect(homeRegister.warning).toEqual([
      "the registers of XX disagree on the category Payment Institution of PSP PSDXX-TEST-ONE: nca says Withdrawn; eba says Authorised. The stricter counts",
    ]);
  });

  test("an agent is found under its own number with the status null", () => {
    expect(check("PSDXX-TEST-ONLYAGENT", "XX", registers).homeRegister).toEqual({
      ncaName: "XX Authority",
      ncaCountryCode: "XX",
      registerType: "Home",
      categoryEntries: [{ ...entry("Agent", null, []), pspLegalName: "An agent" }],
    });
  });
});

describe("an old snapshot", () => {
  const days = (n: number) => NOW + n * 24 * 3_600_000;

  test("of a file brought by hand warns a month after its publication, however lately it was brought", () => {
    expect(check("PSDXX-TEST-ONE", "XX", REGISTERS, days(10)).homeRegister.warning).toBeUndefined();
    expect(check("PSDXX-TEST-ONE", "XX", REGISTERS, days(20)).homeRegister.warning).toEqual([
      "the nca register of XX is older than 744 hours: it was published 2026-11-01T00:00:00.000Z and fetched 2026-11-20T00:00:00.000Z",
    ]);
  });

  test("of the EBA warns two days after its publication, however lately it was fetched", () => {
    const eba = REGISTERS.map((one): Register => ({ ...one, source: "eba", published: "2026-11-19T11:00:00.000Z" }));
    const { homeRegister, hostRegister } = check("PSDXX-TEST-ONE", "XY", eba);
    expect(homeRegister.warning).toEqual([expect.stringContaining("the eba register of XX is older than 48 hours")]);
    expect(hostRegister?.warning).toEqual([expect.stringContaining("the eba register of XY is older than 48 hours")]);
    expect(homeRegister.categoryEntries).toHaveLength(1);
  });
});

test("an entry that stays warns of its age in the second source of its category, too", () => {
  const one = psp("ONE", [category("Payment Institution", "Authorised", [7])]);
  const eba = register("XX", [one]);
  const [stored] = eba.psps;
  if (!stored) throw new Error("no PSP");
  const asOf = "2026-11-21T06:00:00.000Z";
  const registers: Register[] = [
    register("XX", [one]),
    { ...eba, source: "eba", published: "2026-11-21T11:00:00.000Z", psps: [{ ...stored, asOf }] },
  ];
  expect(check("PSDXX-TEST-ONE", "XX", registers).homeRegister.warning).toEqual([
    `the entry of PSDXX-TEST-ONE in the eba register of XX is that published ${asOf}: its record in a later file cannot be read`,
  ]);
  // what was recorded before readings said it of their manifests
  const [, second] = registers;
  const { manifests, ...reading } = readingOf(second ? [second] : [], "XX", "PSDXX-TEST-ONE");
  const older = { ...reading, manifests: manifests.map(({ stays: _, ...manifest }) => manifest) };
  expect(findStale(older, DEFAULT_REGISTER_MAX_AGES_MS, NOW)).toMatchObject([{ code: "register_stale" }]);
});

describe("where the register has another number than the certificate", () => {
  const link = (reference: string, target: string): NumberLink => ({
    ...{ country: "XX", number: `PSDXX-TEST-${reference}`, kind: "supervisor_number", source: "A file" },
    ...{ asOf: "2026-11-01", target: { kind: "register_number", number: `PSDXX-TEST-${target}` } },
  });
  const LUXEMBOURG = register("LU", [
    { authNumber: "PSDLU-CSSF-LUB00999", categories: [category("Payment Institution", "Authorised", [7])] },
  ]);
  const GERMANY = register("DE", [
    { authNumber: "PSDDE-BAFIN-HRB1", categories: [category("Payment Institution", "Authorised", [7])] },
  ]);

  function checkWith(authNumber: string, codes: boolean, links: readonly NumberLink[] = []) {
    const country = authNumber.slice(3, 5).toUpperCase();
    const home = readingOf([...REGISTERS, LUXEMBOURG, GERMANY], country, authNumber, undefined, links);
    const { homeRegister } = checkRegisters({
      ...{ authNumber, jurisdiction: country, home, host: null, subjectName: null },
      ...{ now: NOW, maxAges: DEFAULT_REGISTER_MAX_AGES_MS, codes },
    });
    return homeRegister;
  }

  test("a link that found the PSP is told, with latest", () => {
    const links = [link("900001", "ONE")];
    expect(checkWith("PSDXX-TEST-900001", true, links).categoryEntries).toMatchObject([
      {
        pspAuthStatus: "Authorised",
        found_by: {
          ...{ number: "PSDXX-TEST-900001", kind: "supervisor_number", source: "A file", as_of: "2026-11-01" },
          register_number: "PSDXX-TEST-ONE",
        },
      },
    ]);
    expect(checkWith("PSDXX-TEST-900001", false, links).categoryEntries[0]).not.toHaveProperty("found_by");
    expect(checkWith("PSDXX-TEST-ONE", true, links).categoryEntries[0]).not.toHaveProperty("found_by");
  });

  test("so is a rule, but no other spelling of one number", () => {
    const [entry] = checkWith("psdlu-cssf-B000-00999", true).categoryEntries;
    expect(entry?.found_by).toEqual({
      ...{ number: "psdlu-cssf-B000-00999", kind: "supervisor_number", source: "rule", as_of: null },
      register_number: "PSDLU-CSSF-LUB00999",
    });
    expect(checkWith("psdlu-cssf-LUB-00999", true).categoryEntries).toMatchObject([{ pspLegalName: "Example Ltd" }]);
    expect(checkWith("psdlu-cssf-LUB-00999", true).categoryEntries[0]).not.toHaveProperty("found_by");
  });

  test("links that contradict each other are told as what they are", () => {
    const told = checkWith("PSDXX-TEST-900001", true, [link("900001", "ONE"), link("900001", "TWO")]);
    expect(told.warning_codes).toEqual(["not_in_register", "register_ambiguous"]);
    expect(told.warning?.[1]).toMatch(
      /^the numbers that were imported for XX contradict each other on PSDXX-TEST-900001/,
    );
  });

  test("a PSP that is not found is told that numbers differ, in a country where they do", () => {
    const [told] = checkWith("PSDDE-BAFIN-106653", true).warning ?? [];
    expect(told).toMatch(
      /^could not find a register entry for PSP PSDDE-BAFIN-106653\. The authority's numbers differ here/,
    );
    expect(checkWith("PSDDE-BAFIN-106653", false).warning).toEqual([
      "could not find a register entry for PSP PSDDE-BAFIN-106653",
    ]);
    expect(checkWith("PSDXX-TEST-NOBODY", true).warning).toEqual([
      "could not find a register entry for PSP PSDXX-TEST-NOBODY",
    ]);
  });
});
