import { describe, expect, test } from "vitest";
import { readEbaFile } from "../../../src/registers/import/eba-file.ts";
import { EbaRegisters } from "../../../src/registers/import/eba-registers.ts";
import { listPassports } from "../../../src/registers/passport.ts";
import type { Register } from "../../../src/registers/register.ts";
import { statusAt } from "../../../src/registers/status.ts";
import { readShared, sharedData } from "../../shared-data.ts";
import { readingOf } from "./reading-of.ts";

const PUBLISHED = "2026-08-16T00:00:16.000Z";
const NOW = Date.parse("2026-11-21T12:00:00Z");

function gather(...records: unknown[]): { registers: Register[]; all: EbaRegisters } {
  const all = new EbaRegisters();
  for (const record of records) all.add(record);
  return { all, registers: [...all.registers(PUBLISHED)] };
}

/** With the reference that its code ends with, where it has none of its own. */
function record(more: object, properties: object[] = []) {
  const made = {
    CA_OwnerID: "IT_BI",
    EntityCode: "IT_BI!100",
    EntityType: "PSD_PI",
    Properties: [{ ENT_NAM: "Esempio S.p.A." }, { ENT_AUT: ["2019-01-01"] }, ...properties],
    Services: [],
    __EBA_EntityVersion: "20260814223344848",
    ...more,
  };
  const hasReference = !Array.isArray(made.Properties) || made.Properties.some((one) => "ENT_NAT_REF_COD" in one);
  const reference = { ENT_NAT_REF_COD: made.EntityCode?.split("!").at(-1) };
  return hasReference ? made : { ...made, Properties: [...made.Properties, reference] };
}

const found = (registers: Register[], authNumber: string, country = authNumber.slice(3, 5)) =>
  readingOf(registers, country, authNumber).categories.map(({ record: { category }, record: one, psp }) => ({
    category: psp.agent ? "Agent" : category,
    legalName: one.legalName,
    status: statusAt(psp, one, NOW),
    services: one.services,
    passportOut: one.passportOut,
  }));

describe("the EBA's records", () => {
  test("give home services and passports from Services, in numbers", () => {
    const services = [
      { IT: ["ES_010", "PS_010", "PS_020", "PS_03A", "PS_03B", "PS_03C"] },
      { FR: "PS_04A" },
      { EL: ["PS_05A", "PS_05B"] },
      { FR: ["PS_060", "PS_04C"] },
      { XX: ["PS_070", "PS_080", "PS_090", "PS_00A"] },
    ];
    const { registers } = gather(record({ Services: services }));
    expect(found(registers, "PSDIT-BI-100")).toEqual([
      {
        category: "Payment Institution",
        legalName: "Esempio S.p.A.",
        status: "Authorised",
        services: [1, 2, 3],
        passportOut: { FR: [4, 6], GR: [5], XX: [7, 8] },
      },
    ]);
  });

  test("are found by a certificate's number with the abbreviation of ETSI's annex, where the EBA has another", () => {
    const owned = { CA_OwnerID: "HR_HNB", EntityCode: "HR_HNB!2408", Services: [{ HR: "PS_080" }] };
    const { registers } = gather(record(owned));
    const one = { category: "Payment Institution", services: [8] };
    expect(found(registers, "PSDHR-CNB-2408")).toMatchObject([one]);
    expect(found(registers, "PSDHR-HNB-2408")).toMatchObject([one]);
    expect(found(registers, "PSDHR-CNB-2409")).toEqual([]);
    // two entries for one authority's reference are two, however they are abbreviated
    const two = gather(record(owned), record({ ...owned, CA_OwnerID: "HR_CNB", EntityCode: "HR_CNB!2408" }));
    expect(readingOf(two.registers, "HR", "PSDHR-CNB-2408").ambiguous).toBe(true);
  });

  test("give no service for a code that only contains one", () => {
    const { registers } = gather(record({ Services: [{ IT: ["XPS_010", "PS_0200", "PS_030"] }] }));
    expect(found(registers, "PSDIT-BI-100")).toMatchObject([{ services: [3] }]);
  });

  test("have their services in order and without repetition, and none where none is given", () => {
    const { registers } = gather(
      record({ Services: [{ IT: ["PS_080", "PS_010", "PS_03A", "PS_080"] }] }),
      record({ EntityType: "PSD_EMI", Services: undefined }),
    );
    expect(found(registers, "PSDIT-BI-100").map(({ services }) => services)).toEqual([[1, 3, 8], []]);
  });

  test("share one list of services in memory where they have the same", () => {
    const services = [{ IT: ["PS_070", "PS_080"] }, { FR: ["PS_080", "PS_070"] }];
    const { registers } = gather(record({ Services: services }), record({ EntityType: "PSD_EMI", Services: services }));
    const [one, other] = registers[0]?.psps[0]?.categories ?? [];
    expect(one?.services).toEqual([7, 8]);
    expect(other?.services).toBe(one?.services);
    expect(other?.passportOut["FR"]).toBe(one?.services);
  });

  test("are counted, institutions and all", () => {
    const { all } = gather(record({}), record({ EntityType: "PSD_BR" }), record({ EntityType: "PSD_AG" }), 7);
    expect([all.records, all.institutions]).toEqual([4, 1]);
  });

  test("have their names without the blanks around them", () => {
    const { registers } = gather(record({ Properties: [{ ENT_NAM: " Esempio S.p.A. " }] }));
    expect(found(registers, "PSDIT-BI-100")).toMatchObject([{ legalName: "Esempio S.p.A." }]);
  });

  test("have their reference without the blanks around it", () => {
    const { registers } = gather(record({}, [{ ENT_NAT_REF_COD: [" A-1 "] }]));
    expect(registers[0]?.psps.map(({ authNumber }) => authNumber)).toEqual(["PSDIT-BI-A-1"]);
  });

  test.each<[string, object[]]>([
    ["none", []],
    ["one of blanks", [{ ENT_NAT_REF_COD: [" "] }]],
    // by its check digits
    ["an LEI", [{ ENT_NAT_REF_COD: ["213800SGT5S6EKUW2987"] }]],
  ])("without a reference, here %s, are found by no number, and are named", (_, properties) => {
    const reference = properties.length > 0 ? properties : [{ ENT_NAT_REF_COD: [] }];
    const { registers, all } = gather(record({ EntityCode: "IT_BI!54167" }, reference));
    expect(registers[0]?.psps).toEqual([]);
    expect(all.unnumbered).toEqual({ count: 1, names: ["Esempio S.p.A."] });
  });

  test("of Portugal have their code for a reference, as no other authority's", () => {
    const properties = [{ ENT_NAT_REF_COD: [] }];
    const { registers } = gather(
      record({ CA_OwnerID: "PT_BP", EntityCode: "PSD_PI!PT_BP!8703" }, properties),
      record({ CA_OwnerID: "FR_ACPR", EntityCode: "FR_ACPR!54167" }, properties),
    );
    expect(registers.flatMap(({ psps }) => psps.map(({ authNumber }) => authNumber))).toEqual(["PSDPT-BP-8703"]);
  });

  test("have the name in Latin letters first, and keep the others", () => {
    const names = ["Πληρωμές Α.Ε.", "Pliromes S.A.", " Pliromes S.A. ", "Pay"];
    const { registers } = gather(record({ Properties: [{ ENT_NAM: names }] }));
    expect(registers[0]?.psps[0]?.categories).toMatchObject([
      { legalName: "Pliromes S.A.", otherNames: ["Πληρωμές Α.Ε.", "Pay"] },
    ]);
  });

  test("of unknown types, and unknown codes of services, are counted", () => {
    const { all } = gather(
      record({ Services: [{ IT: ["PS_070", "PS_090", "ES_010"] }] }),
      record({ EntityType: "PSD_NEW", Services: [{ IT: ["PS_090"] }] }),
      record({ EntityType: "CRD_CRE_INS" }),
    );
    expect([all.unknownTypes, all.unknownServices]).toEqual([{ PSD_NEW: 1, CRD_CRE_INS: 1 }, { PS_090: 2 }]);
    expect(all.institutions).toBe(1);
  });

  test("have texts and numbers for references, and nothing of another type", () => {
    const references = [null, true, 7, { A: "B" }, ["C"], "A-1"];
    const { registers } = gather(record({}, [{ ENT_NAT_REF_COD: references }]));
    expect(registers[0]?.psps.map(({ authNumber }) => authNumber)).toEqual(["PSDIT-BI-7", "PSDIT-BI-A-1"]);
  });

  const statuses: [string, unknown, string | null][] = [
    ["a day as text", "2013-06-10", "Authorised"],
    ["a withdrawal today", ["2019-01-01", "2026-11-21"], "Withdrawn"],
    ["a withdrawal tomorrow", ["2019-01-01", "2026-11-22"], "Authorised"],
    ["a second authorisation", ["2019-01-01", "2020-01-01", "2026-11-21"], "Authorised"],
    ["an authorisation to come", ["2026-11-22"], "Unauthorised"],
    ["no day", [], null],
  ];
  test.each(statuses)("have the status of ENT_AUT, here %s, before that of Services", (_, days, status) => {
    const properties = [{ ENT_NAM: "Esempio" }, { ENT_AUT: days }];
    const { registers } = gather(record({ Properties: properties, Services: [{ IT: ["PS_070"] }] }));
    expect(found(registers, "PSDIT-BI-100")).toMatchObject([{ status, services: [7] }]);
  });

  test("of one reference and several types are one PSP with several categories", () => {
    const { registers } = gather(
      record({ EntityType: "PSD_EMI" }),
      record({}),
      record({ EntityType: "PSD_EPI" }),
      record({ EntityType: "PSD_EEMI" }),
      record({ EntityType: "PSD_AISP" }),
      record({ EntityType: "PSD_NEW" }),
    );
    expect(found(registers, "PSDIT-BI-100").map(({ category, status }) => [category, status])).toEqual([
      ["E-Money Institution", "Authorised"],
      ["Payment Institution", "Authorised"],
      ["Exempt Payment Institution", "Registered"],
      ["Exempt E-Money Institution", "Registered"],
      ["AISP", "Registered"],
      [null, null],
    ]);
  });

  test("of one type and code count in their latest version", () => {
    const versions = ["20260101000000000", "20260301000000000", "20260201000000000"];
    const { registers, all } = gather(
      ...versions.map((version) => record({ __EBA_EntityVersion: version }, [{ ENT_NAT_REF_COD: version }])),
    );
    expect(registers[0]?.psps.map(({ authNumber }) => authNumber)).toEqual(["PSDIT-BI-20260301000000000"]);
    expect(all.latestVersion).toBe("20260301000000000");
  });

  test("of one type and reference but two codes are ambiguous", () => {
    const { registers } = gather(record({}), record({ EntityCode: "PSD_PI!IT_BI!100" }));
    expect(readingOf(registers, "IT", "PSDIT-BI-100")).toMatchObject({ categories: [], ambiguous: true });
  });

  test("of one type and reference but two codes are ambiguous, another type between them or not", () => {
    const { registers } = gather(
      record({}),
      record({ EntityType: "PSD_EMI" }),
      record({ EntityCode: "PSD_PI!IT_BI!100" }),
    );
    expect(readingOf(registers, "IT", "PSDIT-BI-100")).toMatchObject({ categories: [], ambiguous: true });
  });

  test("of a branch are left out where any record of its number is malformed", () => {
    const branch = { EntityType: "PSD_BR", EntityCode: "IT_BI!100!7" };
    const malformed = record({ EntityCode: "IT_BI!100!7", Services: { IT: ["PS_010"] } });
    expect(gather(record(branch), malformed).registers[0]?.psps).toEqual([]);
    expect(gather(record(branch)).registers[0]?.psps).toHaveLength(1);
  });

  test("with several references are found by each", () => {
    const { registers } = gather(record({}, [{ ENT_NAT_REF_COD: ["A-1", "B 2", " "] }]));
    for (const number of ["PSDIT-BI-A-1", "PSDIT-BI-A1", "PSDIT-BI-b2"])
      expect(found(registers, number)).toHaveLength(1);
    expect(found(registers, "PSDIT-BI-100")).toEqual([]);
  });

  test("of excluded providers and of those entitled by national law are told as what they are, without a status", () => {
    const { registers } = gather(record({ EntityType: "PSD_EXC" }), record({ EntityType: "PSD_ENL" }));
    expect(found(registers, "PSDIT-BI-100").map(({ category, status }) => [category, status])).toEqual([
      ["Excluded from PSD2", null],
      ["Entitled under national law", null],
    ]);
  });

  test("of agents are found under their own reference, and never hide an institution", () => {
    const { registers } = gather(
      record({}),
      record({ EntityType: "PSD_AG", EntityCode: "PSD_PI!IT_BI!100!7" }, [{ ENT_NAT_REF_COD: "0700" }]),
      record({ EntityType: "PSD_AG", EntityCode: "PSD_PI!IT_BI!100!8" }, [{ ENT_NAT_REF_COD: "100" }]),
      record({ EntityType: "PSD_AG", EntityCode: "PSD_PI!IT_BI!100!9" }, [{ ENT_NAT_REF_COD: [] }]),
      record({ EntityType: "PSD_AG", EntityCode: "A" }, [{ ENT_NAT_REF_COD: "0800" }, { DER_CHI_ENT_AUT: "Active" }]),
      record({ EntityType: "PSD_AG", EntityCode: "B" }, [{ ENT_NAT_REF_COD: "0900" }, { DER_CHI_ENT_AUT: "Inactive" }]),
    );
    const agent = { category: "Agent", legalName: "Esempio S.p.A.", status: null, services: [], passportOut: {} };
    expect(found(registers, "PSDIT-BI-0700")).toEqual([agent]);
    expect(found(registers, "PSDIT-BI-0800")).toEqual([agent]);
    for (const number of ["0900", "100!9", "9"]) expect(found(registers, `PSDIT-BI-${number}`)).toEqual([]);
    expect(found(registers, "PSDIT-BI-100")).toMatchObject([{ category: "Payment Institution" }]);
    expect(registers[0]?.agents.size).toBe(3);
  });

  test("of branches are found under their own reference, by their parent's name, and not under its reference", () => {
    const branch = (code: string) => ({
      ...record({ EntityType: "PSD_BR", EntityCode: code, Services: [{ ES: ["PS_070"] }] }),
      Properties: [{ ENT_COD_PAR_ENT: "IT_BI!100" }, { ENT_NAT_REF_COD: code.split("!").at(-1) }],
    });
    const { registers } = gather(branch("IT_BI!100!7"), branch("PSD_PI!IT_BI!100"), record({}));
    expect(found(registers, "PSDIT-BI-7")).toEqual([
      {
        category: "Branch",
        legalName: "Esempio S.p.A.",
        status: null,
        services: [],
        passportOut: { ES: [7] },
      },
    ]);
    expect(found(registers, "PSDIT-BI-100")).toMatchObject([{ category: "Payment Institution", passportOut: {} }]);
  });

  const ofBranch = (properties: object[], more: object = {}) => ({
    ...record({
      EntityType: "PSD_BR",
      EntityCode: "IT_BI!100",
      Services: [{ ES: ["PS_070", "PS_080"] }, { FR: ["PS_070"] }],
    }),
    Properties: [{ ENT_COU_RES: "ES" }, { ENT_TYP_PAR_ENT: "PSD_PI" }, { ENT_COD_PAR_ENT: "IT_BI!100" }, ...properties],
    ...more,
  });
  const ACTIVE = { DER_CHI_ENT_AUT: "Active" };
  test.each<[string, unknown[], object | undefined]>([
    ["that is active gives what it does in its own country", [ofBranch([ACTIVE])], { ES: [7, 8] }],
    ["that is inactive gives nothing", [ofBranch([{ DER_CHI_ENT_AUT: "Inactive" }])], undefined],
    ["that does not say that it is active gives nothing", [ofBranch([])], undefined],
    ["that is withdrawn gives nothing", [ofBranch([ACTIVE, { ENT_AUT: ["2019-01-01", "2020-01-01"] }])], undefined],
    [
      "of an institution of another type gives nothing",
      [
        ofBranch([], {
          Properties: [{ ENT_COU_RES: "ES" }, { ENT_TYP_PAR_ENT: "PSD_EMI" }, { ENT_COD_PAR_ENT: "IT_BI!100" }, ACTIVE],
        }),
        record({ EntityType: "PSD_EMI" }),
      ],
      undefined,
    ],
    ["in its own home country gives nothing", [ofBranch([ACTIVE], { Services: [{ IT: ["PS_070"] }] })], undefined],
    [
      "adds to another one's",
      [
        ofBranch([ACTIVE], { Services: [{ ES: "PS_070" }] }),
        ofBranch([ACTIVE], { EntityCode: "IT_BI!100!2", Services: [{ ES: "PS_080" }] }),
      ],
      { ES: [7, 8] },
    ],
  ])("of a branch %s", (_, branches, established) => {
    const { registers } = gather(...branches, record({}));
    const { categories } = readingOf(registers, "IT", "PSDIT-BI-100");
    const parent = categories.find(({ record: { category } }) => category === "Payment Institution");
    expect(parent?.record.established).toEqual(established);
  });

  test("belong to the country of their NCA, whose name the manifest bears", () => {
    const { registers } = gather(
      record({ CA_OwnerID: "EL_BOG", EntityCode: "EL_BOG!1" }),
      record({ CA_OwnerID: "FI_FIN-FSA", EntityCode: "FI_FIN-FSA!2858394-9" }),
      record({ CA_OwnerID: "LV_LV", EntityCode: "LV_LV!1" }),
      record({ CA_OwnerID: "ZZ_NEW", EntityCode: "ZZ_NEW!1" }),
    );
    expect(registers.map(({ country, ncaId, ncaName }) => [country, ncaId, ncaName])).toEqual([
      ["FI", "FI-FIN-FSA", "Finnish Financial Supervisory Authority"],
      ["GR", "GR-BOG", "Bank of Greece"],
      ["LV", "LV-LV", "Bank of Latvia"],
      ["ZZ", "ZZ-NEW", "NEW"],
    ]);
    // the certificate of a Finnish bank in shared/data/certificates spells its NCA like this
    expect(found(registers, "PSDFI-FINFSA-2858394-9")).toHaveLength(1);
    for (const spelling of ["PSDFI-FINFSA-28583949", "PSDFI_FIN-FSA-28583949", "psdfin-fin-fsa-2858394-9"])
      expect(found(registers, spelling, "FI")).toHaveLength(1);
  });

  test.each<[what: string, owners: string[], ncaId: string]>([
    ["of which the later has more", ["IT_A", "IT_B", "IT_B"], "IT-B"],
    ["of which the earlier has more", ["IT_A", "IT_A", "IT_B"], "IT-A"],
    ["with as many each", ["IT_B", "IT_A"], "IT-B"],
  ])(
    "of two NCAs of one country, %s, are in one register under the one with most, then the first",
    (_, owners, ncaId) => {
      const { registers } = gather(
        ...owners.map((owner, i) => record({ CA_OwnerID: owner, EntityCode: `${owner}!${i}` })),
      );
      expect(registers.map((register) => register.ncaId)).toEqual([ncaId]);
      expect(registers[0]?.psps).toHaveLength(owners.length);
    },
  );

  test("of one NCA are not another's whose acronym and references have the same letters", () => {
    const { registers } = gather(
      record({ EntityType: "PSD_EMI" }, [{ ENT_NAT_REF_COD: "S-100" }]),
      record({ EntityType: "PSD_AG", EntityCode: "PSD_PI!IT_BI!100!7" }, [{ ENT_NAT_REF_COD: "S-700" }]),
    );
    expect(found(registers, "PSDIT-BI-S100")).toHaveLength(1);
    expect(found(registers, "PSDIT-BIS-100")).toEqual([]);
    expect(found(registers, "PSDIT-BI-S700")).toHaveLength(1);
    expect(found(registers, "PSDIT-BIS-700")).toEqual([]);
  });

  test("that an earlier import kept under FIN-FSA are still found", () => {
    const stored = gather(record({ CA_OwnerID: "FI_FIN-FSA", EntityCode: "FI_FIN-FSA!2858394-9" })).registers.map(
      (register) => ({
        ...register,
        psps: register.psps.map((psp) => ({ ...psp, authNumber: "PSDFI-FIN-FSA-2858394-9" })),
      }),
    );
    expect(found(stored, "PSDFI-FINFSA-2858394-9")).toHaveLength(1);
  });

  const faults: [string, object][] = [
    ["no name", { Properties: [{ ENT_AUT: ["2019-01-01"] }] }],
    ["a name of blanks", { Properties: [{ ENT_NAM: "  " }] }],
    ["a day with a sign", { Properties: [{ ENT_NAM: "E" }, { ENT_AUT: ["+002019-01-01"] }] }],
    ["a day that is none", { Properties: [{ ENT_NAM: "E" }, { ENT_AUT: ["2019-13-01"] }] }],
    ["a moment for a day", { Properties: [{ ENT_NAM: "E" }, { ENT_AUT: ["2019-01-01T00:00:00Z"] }] }],
    ["days out of order", { Properties: [{ ENT_NAM: "E" }, { ENT_AUT: ["2019-01-02", "2019-01-01", "2020-01-01"] }] }],
    ["services of no country", { Services: [{ Italy: ["PS_010"] }] }],
    ["services in another shape", { Services: { IT: ["PS_010"] } }],
  ];
  test.each(faults)("are refused for the whole PSP when one has %s", (_, fault) => {
    const { registers } = gather(record({ EntityType: "PSD_EMI" }), record(fault));
    expect(registers[0]?.psps).toEqual([]);
    const readable = [expect.objectContaining({ category: "E-Money Institution", status: ["2019-01-01"] })];
    expect(registers[0]?.refused).toEqual([
      {
        ...{ authNumber: "PSDIT-BI-100", reason: expect.stringMatching(/^PSD_PI IT_BI!100: /) },
        ...{ category: "Payment Institution", readable },
      },
    ]);
  });

  test("of one institution are refused together when one version cannot be read, which may be the later one", () => {
    const { registers } = gather(record({}), record({ Properties: [{ ENT_AUT: ["2019-01-01"] }] }));
    const refused = { authNumber: "PSDIT-BI-100", reason: expect.any(String), category: "Payment Institution" };
    expect(registers[0]?.refused).toEqual([refused]);
  });

  const BOTH = ["2019-01-01", "2020-01-01"];
  const withdrawals: [string, object][] = [
    ["without a name", { Properties: [{ ENT_AUT: BOTH }] }],
    ["with services that cannot be read", { Properties: [{ ENT_AUT: BOTH }], Services: { IT: ["PS_010"] } }],
  ];
  test.each(withdrawals)("are believed when they end with a withdrawal, %s: no earlier record stays", (_, fault) => {
    const { registers } = gather(record(fault));
    expect(registers[0]?.refused).toEqual([]);
    expect(found(registers, "PSDIT-BI-100")).toMatchObject([{ status: "Withdrawn", services: [] }]);
  });

  test.each<[string, (string | null)[]]>([
    ["on no day", ["2019-01-01", "soon"]],
    ["of what began on no day", [null, "2020-01-01"]],
    ["before it began", ["2019-01-02", "2019-01-01"]],
  ])("that end with a withdrawal %s have no known status, and leave the PSP's other categories alone", (_, days) => {
    const { registers } = gather(
      record({ EntityType: "PSD_EMI" }),
      record({ Properties: [{ ENT_NAM: "E" }, { ENT_AUT: days }], Services: [{ IT: "PS_080" }] }),
    );
    expect(registers[0]).toMatchObject({ refused: [], undated: ["PSDIT-BI-100"] });
    expect(found(registers, "PSDIT-BI-100")).toMatchObject([
      { category: "E-Money Institution", status: "Authorised" },
      { category: "Payment Institution", status: null, services: [8] },
    ]);
  });

  const nobodys: [string, unknown][] = [
    ["no object", "x"],
    ["no code", record({ EntityCode: undefined })],
    ["an NCA that is no text", record({ CA_OwnerID: ["IT_BI"] })],
    ["an NCA with a line break", record({ CA_OwnerID: "IT_BI\nIT" })],
    ["a name of blanks", record({ EntityType: "PSD_AG", Properties: [{ ENT_NAM: " " }] })],
    ["an NCA of no country", record({ CA_OwnerID: "Banca" })],
    ["an NCA of no letters", record({ CA_OwnerID: "IT_-" })],
    ["an NCA of a country of three letters", record({ CA_OwnerID: "XIT_BI" })],
    ["a type that is no text", record({ EntityType: 7 })],
    ["properties in another shape", record({ Properties: { ENT_NAM: "E" } })],
    ["an agent without a name", record({ EntityType: "PSD_AG", Properties: [] })],
  ];
  test.each(nobodys)("that are nobody's, with %s, are counted and leave the others alone", (_, nobody) => {
    const { all, registers } = gather(nobody, record({}));
    expect(all.unreadable).toHaveLength(1);
    expect(registers[0]?.psps).toHaveLength(1);
  });
});

interface StatusCase {
  EntityCode: string;
  EntityType: string;
  as_of: string;
  expected: "open" | "withdrawn";
}

describe.runIf(sharedData)("the EBA's real records", () => {
  const { cases: all } = JSON.parse(sharedData ? readShared("eba/ent_aut_status_cases.json") : '{"cases":[]}') as {
    cases: StatusCase[];
  };
  // it has no reference, so no number finds it
  const cases = all.filter(({ EntityCode }) => EntityCode !== "FR_ACPR!384558");
  const categories: Record<string, string> = {
    PSD_PI: "Payment Institution",
    PSD_EMI: "E-Money Institution",
    PSD_AISP: "AISP",
  };

  async function registersOf(path: string): Promise<Register[]> {
    const text = readShared(path);
    const stream = new Blob([text]).stream();
    const file = await readEbaFile(stream, { sha256: null, published: PUBLISHED });
    if (!file.ok) throw new Error(file.reason);
    expect(file.registers.unreadable).toEqual([]);
    return [...file.registers.registers(PUBLISHED)];
  }

  test.each(cases)(
    "$EntityCode as $EntityType is $expected on $as_of",
    async ({ EntityCode, EntityType, as_of, expected }) => {
      const registers = await registersOf("eba/psd2_golden_copy_sample.json");
      const [, owner = "", reference] = /^(?:PSD_PI!)?([A-Z]{2}_[^!]+)!(.+)$/.exec(EntityCode) ?? [];
      const authNumber = `PSD${owner.replace("_", "-")}-${reference}`;
      const reading = readingOf(registers, owner.slice(0, 2), authNumber);
      const one = reading.categories.find(({ record: { category } }) => category === categories[EntityType]);
      const status = one && statusAt(one.psp, one.record, Date.parse(as_of));
      const open = EntityType === "PSD_AISP" ? "Registered" : "Authorised";
      expect(status).toBe(expected === "open" ? open : "Withdrawn");
    },
  );

  test("have every institution of the sample with a reference, and no branch without one", async () => {
    const registers = await registersOf("eba/psd2_golden_copy_sample.json");
    const numbers = registers.flatMap(({ psps }) => psps.map(({ authNumber }) => authNumber));
    expect(numbers).toHaveLength(10);
    expect(found(registers, "PSDNL-DNB-F0038").map(({ category, status }) => [category, status])).toEqual([
      ["Payment Institution", "Withdrawn"],
      ["E-Money Institution", "Authorised"],
    ]);
    expect(found(registers, "PSDBE-NBB-0713629988!ES")).toEqual([]);
    // a number of the authority's own system
    expect(found(registers, "PSDFR-ACPR-54167")).toEqual([]);
  });

  test("of eupago: its Spanish branch gives both services there, its own entry neither", () => {
    const lists = JSON.parse(readShared("registers/eupago.json")) as unknown[][];
    const { registers } = gather(...lists.flat());
    const { categories, country } = readingOf(registers, "PT", "PSDPT-BP-8709");
    expect(categories.flatMap(({ record: one }) => listPassports(one, country, "ES", NOW))).toEqual([
      { way: "services", paymentServices: [3, 5, 6] },
      { way: "establishment", paymentServices: [3, 5, 6, 7, 8] },
    ]);
  });

  test("have the sample's agent under its own reference", () => {
    const { records } = JSON.parse(readShared("eba/agent_record_example.json")) as { records: unknown[] };
    const { registers } = gather(...records);
    expect(found(registers, "PSDFR-ACPR-440441681")).toMatchObject([{ category: "Agent", status: null }]);
  });
});
