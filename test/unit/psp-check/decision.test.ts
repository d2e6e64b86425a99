import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Validity } from "../../../src/eidas/validity.ts";
import { VERDICT_NAMES } from "../../../src/eidas/verdict-codes.ts";
import type { VerdictName } from "../../../src/eidas/verdicts.ts";
import type { Warning } from "../../../src/eidas/warnings.ts";
import {
  AT_HOME,
  type Decision,
  type DecisionInput,
  decide,
  findVerdictError,
} from "../../../src/psp-check/decision.ts";
import { REASONS } from "../../../src/psp-check/every-reason.ts";
import type { RegisterReading } from "../../../src/registers/lookup.ts";
import type { RegisterManifest } from "../../../src/registers/manifest.ts";
import type { AuthorisationStatus, CategoryRecord, PspRecord } from "../../../src/registers/psp-record.ts";
import { ALL_TRUE } from "../../all-true.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const PSP = "PSDXX-TEST-1";

type Status = AuthorisationStatus | null | string[];
const category = (
  status: Status,
  services: number[],
  passportOut: Record<string, number[]> = {},
  name: CategoryRecord["category"] = "Payment Institution",
): CategoryRecord => ({ category: name, legalName: "Example Ltd", status, services, passportOut });

const MANIFEST: RegisterManifest = {
  ...{ country: "XX", source: "nca", ncaId: "XX-TEST", ncaName: "XX Authority", published: "2026-11-01T00:00:00Z" },
  ...{ fetchedAt: "2026-11-20T00:00:00.000Z", psps: 1, agents: 0, refused: 0, hash: "", run: "" },
};
const reading = (...records: CategoryRecord[]): RegisterReading => ({
  country: "XX",
  manifests: [MANIFEST],
  categories: records.map((record) => ({
    source: "nca",
    psp: { authNumber: PSP, agent: false, categories: records },
    record,
  })),
  ambiguous: false,
});
const AUTHORISED = reading(category("Authorised", [7, 8]));

const given = (more: Partial<DecisionInput> = {}): DecisionInput => ({
  verdicts: { validity: ALL_TRUE, warnings: [] },
  services: [7, 8],
  pspId: PSP,
  home: AUTHORISED,
  ...AT_HOME,
  now: NOW,
  ...more,
});
const codes = ({ payments, accounts }: Decision) => ({
  payments: payments.reasons.map(({ code }) => code),
  accounts: accounts.reasons.map(({ code }) => code),
});
const both = (...reasons: string[]) => ({ payments: reasons, accounts: reasons });
const failing = (validity: Partial<Validity>, ...warnings: Warning[]) => ({
  verdicts: { validity: { ...ALL_TRUE, ...validity }, warnings },
});

describe("the conditions, one by one", () => {
  const table: [string, Partial<DecisionInput>, { payments: string[]; accounts: string[] }][] = [
    ["all are met", {}, both()],
    ["no certificate is shown, and the register entitles", { verdicts: null, services: null }, both()],
    ["an expired certificate", failing({ notExpired: false }), both("certificate_expired")],
    ["a QTSP that is not approved", failing({ validQTSP: false }), both("qtsp_invalid")],
    ["a signature that does not verify", failing({ validSignature: false }), both("signature_invalid")],
    ["a revoked certificate", failing({ notRevoked: false }), both("certificate_revoked")],
    [
      "all four verdicts false",
      failing({ ...ALL_TRUE, validQTSP: false, validSignature: false, notRevoked: false, notExpired: false }),
      both("certificate_expired", "qtsp_invalid", "signature_invalid", "certificate_revoked"),
    ],
    ["no authorisation number", { pspId: null, home: null }, both("certificate_authorisation_number_missing")],
    ["the role for accounts only", { services: [8] }, { payments: ["role_not_on_certificate"], accounts: [] }],
    ["no role of the two", { services: [1, 2, 5] }, both("role_not_on_certificate")],
    ["a register that cannot be read", { home: null }, both("register_unreadable")],
    ["a register that is not loaded", { home: { ...reading(), manifests: [] } }, both("register_not_loaded")],
    ["an ambiguous number", { home: { ...reading(), ambiguous: true } }, both("register_ambiguous")],
    ["no entry", { home: reading() }, both("not_in_register")],
    [
      "another service",
      { home: reading(category("Authorised", [7])) },
      { payments: [], accounts: ["service_not_in_register"] },
    ],
    ["a withdrawn authorisation", { home: reading(category("Withdrawn", [7, 8])) }, both("authorisation_withdrawn")],
    [
      "a day of withdrawal that has come",
      { home: reading(category(["2020-01-01", "2026-11-21"], [7, 8])) },
      both("authorisation_withdrawn"),
    ],
    ["a day of withdrawal to come", { home: reading(category(["2020-01-01", "2026-11-22"], [7, 8])) }, both()],
    ["an unauthorised PSP", { home: reading(category("Unauthorised", [7, 8])) }, both("unauthorised")],
    ["no documented status", { home: reading(category(null, [7, 8])) }, both("status_not_documented")],
    ["a branch", { home: reading(category("Authorised", [7, 8], {}, "Branch")) }, both("status_not_documented")],
    [
      "a registered AISP",
      { home: reading(category("Registered", [8], {}, "AISP")) },
      {
        payments: ["service_not_in_register"],
        accounts: [],
      },
    ],
    ["a credit institution", { home: reading(category("Authorised", [], {}, "Credit Institution")) }, both()],
    [
      "the service in a withdrawn category, beside an authorised one without it",
      { home: reading(category("Withdrawn", [7]), category("Authorised", [8], {}, "E-Money Institution")) },
      { payments: ["authorisation_withdrawn"], accounts: [] },
    ],
  ];
  test.each(table)("%s", (_, more, expected) => {
    expect(codes(decide(given(more)))).toEqual(expected);
  });

  test("all reasons are given, in the order of the conditions", () => {
    const decision = decide(
      given({
        ...failing({ notRevoked: false, validSignature: false }),
        ...{ services: [8], home: reading(category("Withdrawn", [7, 8], { XY: [8] })), jurisdiction: "XY" },
      }),
    );
    expect(codes(decision)).toEqual({
      payments: [
        ...["signature_invalid", "certificate_revoked", "role_not_on_certificate"],
        ...["authorisation_withdrawn", "service_not_passported"],
      ],
      accounts: ["signature_invalid", "certificate_revoked", "authorisation_withdrawn"],
    });
  });

  test("every warning about a false verdict is a reason, and warnings about other things are none", () => {
    const warnings: Warning[] = [
      { code: "signature_invalid", sentence: "of a verdict that holds" },
      { code: "certificate_revoked", sentence: "the leaf" },
      { code: "revocation_unknown", sentence: "its issuer" },
      { code: "role_missing", sentence: "of no verdict" },
    ];
    const input = given(failing({ notRevoked: false }, ...warnings));
    expect(decide(input).accounts).toEqual({
      allowed: false,
      reasons: [
        { code: "certificate_revoked", message: "the leaf", whose: "psp" },
        { code: "revocation_unknown", message: "its issuer", whose: "qtsp" },
      ],
    });
    // the 401 has one code for both
    expect(input.verdicts && findVerdictError(input.verdicts)).toEqual({
      code: "certificate_revoked",
      message: "the leaf",
    });
    const unknown = failing({ notRevoked: false }, ...warnings.slice(2));
    expect(findVerdictError(unknown.verdicts)).toEqual({ code: "certificate_revoked", message: "its issuer" });
    expect(findVerdictError({ validity: ALL_TRUE, warnings })).toBeNull();
  });

  test.each<[keyof Validity, Warning["code"]]>([
    ["notExpired", "certificate_expired"],
    ["validQTSP", "qtsp_invalid"],
    ["validSignature", "signature_invalid"],
  ])("the sentence of %s is the reason's and the error's", (verdict, code) => {
    const warnings: Warning[] = [
      { code: "not_in_register", sentence: "of another thing" },
      { code, sentence: "why" },
    ];
    const { verdicts } = failing({ [verdict]: false }, ...warnings);
    expect(decide(given({ verdicts })).payments.reasons).toMatchObject([{ code, message: "why" }]);
    expect(findVerdictError(verdicts)).toEqual({ code, message: "why" });
  });

  test("a stale register decides all the same, and a reason that it gives says that it is stale", () => {
    const maxAges = { nca: 3_600_000, "credit-institutions": null, eba: null };
    expect(decide(given({ maxAges })).accounts).toEqual({ allowed: true, reasons: [] });
    const withdrawn = { home: reading(category("Withdrawn", [7, 8])) };
    const sentence = `the authorisation of PSP ${PSP} has been withdrawn in its home register`;
    const message = (more: Partial<DecisionInput>) =>
      decide(given({ ...withdrawn, ...more })).accounts.reasons.map((each) => each.message);
    expect(message({ maxAges })).toEqual([
      `${sentence}; the nca register of XX is older than 1 hours: it was published 2026-11-01T00:00:00Z and fetched 2026-11-20T00:00:00.000Z`,
    ]);
    expect(message({ maxAges: { ...maxAges, nca: null } })).toEqual([sentence]);
    expect(message({})).toEqual([sentence]);
  });

  test("a reason says whose it is", () => {
    const whose = (more: Partial<DecisionInput>) => decide(given(more)).payments.reasons.map((reason) => reason.whose);
    expect(whose(failing({ validQTSP: false }))).toEqual(["qtsp"]);
    expect(whose({ services: [] })).toEqual(["psp"]);
    expect(whose({ home: reading() })).toEqual(["nca"]);
    expect(whose({ home: null })).toEqual(["source"]);
    expect(whose({ home: { ...reading(), manifests: [] } })).toEqual(["source"]);
    expect(whose({ home: { ...reading(), ambiguous: true } })).toEqual(["source"]);
  });
});

/** A code may be added, and none may be removed or renamed. */
test("the codes of reasons are these, each with a meaning of its own", () => {
  expect(Object.keys(REASONS)).toEqual([
    ...[
      "certificate_expired",
      "qtsp_invalid",
      "list_of_lists_expired",
      "signature_invalid",
      "certificate_revoked",
      "revocation_unknown",
    ],
    ...["certificate_authorisation_number_missing", "role_not_on_certificate"],
    ...["register_unreadable", "register_not_loaded", "register_ambiguous", "not_in_register"],
    "outside_psd2",
    ...["service_not_in_register", "authorisation_withdrawn", "unauthorised", "status_not_documented"],
    ...["service_not_passported", "passport_not_published"],
  ]);
  const meanings = Object.values(REASONS).map(({ meaning }) => meaning);
  expect(new Set(meanings).size).toBe(meanings.length);
});

describe("passports", () => {
  const home = (passportOut: Record<string, number[]>, services = [7, 8]) =>
    reading(category("Authorised", services, passportOut));
  const NOT_PASSPORTED = "service_not_passported";
  const table: [string, RegisterReading, string | null, { payments: string[]; accounts: string[] }][] = [
    ["no jurisdiction", home({}), null, both()],
    ["the home country", home({}), "XX", both()],
    ["the home country, whatever is passported there", home({ XX: [] }), "XX", both()],
    ["both services passported", home({ XY: [7, 8] }), "XY", both()],
    ["7 only", home({ XY: [7] }), "XY", { payments: [], accounts: [NOT_PASSPORTED] }],
    ["8 only", home({ XY: [8] }), "XY", { payments: [NOT_PASSPORTED], accounts: [] }],
    ["other services only", home({ XY: [1, 2, 3] }), "XY", both(NOT_PASSPORTED)],
    ["an empty passport", home({ XY: [] }), "XY", both(NOT_PASSPORTED)],
    ["no passport", home({}), "XY", both(NOT_PASSPORTED)],
    ["a passport to a third country", home({ XZ: [7, 8] }), "XY", both(NOT_PASSPORTED)],
    ["a name of Object.prototype", home({}), "constructor", both(NOT_PASSPORTED)],
    [
      "a passport for a service that home does not give",
      home({ XY: [7, 8] }, [8]),
      "XY",
      { payments: ["service_not_in_register"], accounts: [] },
    ],
    [
      "a passport of a withdrawn category, beside an authorised one without passport",
      reading(category("Withdrawn", [7], { XY: [7] }), category("Authorised", [7], {}, "E-Money Institution")),
      "XY",
      { payments: [NOT_PASSPORTED], accounts: ["service_not_in_register", NOT_PASSPORTED] },
    ],
    [
      "a passport of one of two authorised categories",
      reading(category("Authorised", [7]), category("Authorised", [7], { XY: [7] }, "E-Money Institution")),
      "XY",
      { payments: [], accounts: ["service_not_in_register", NOT_PASSPORTED] },
    ],
    [
      "a credit institution: all services at home, passports as they are listed",
      reading(category("Authorised", [], { XY: [8] }, "Credit Institution")),
      "XY",
      { payments: [NOT_PASSPORTED], accounts: [] },
    ],
    [
      "a withdrawn PSP with its passports",
      reading(category("Withdrawn", [7, 8], { XY: [7, 8] })),
      "XY",
      both("authorisation_withdrawn"),
    ],
  ];
  test.each(table)("%s", (_, read, jurisdiction, expected) => {
    expect(codes(decide(given({ home: read, jurisdiction })))).toEqual(expected);
  });
});

describe("banks, whose passports are published nowhere", () => {
  const bankAt = (
    country: string,
    record: Partial<CategoryRecord> = {},
    source: "credit-institutions" | "nca" | "eba" = "credit-institutions",
    more: Partial<PspRecord> = {},
  ): RegisterReading => {
    const bank = { ...category("Authorised", [], {}, "Credit Institution"), ...record };
    const psp = { authNumber: PSP, agent: false, categories: [bank], ...more };
    const published = source === "credit-institutions" ? ({ passports: "not published" } as const) : {};
    return { ...reading(bank), country, categories: [{ source, psp, record: bank, ...published }] };
  };
  const [UNPUBLISHED, UNPASSPORTED] = [both("passport_not_published"), both("service_not_passported")];
  const YES = both();
  const WITHDRAWN = both("authorisation_withdrawn", "passport_not_published");
  const payments = (code: string) => ({ payments: [code], accounts: [] });
  const ofNcaToo = bankAt("DE");
  const table: [
    string,
    RegisterReading,
    string,
    refused: ReturnType<typeof both>,
    accepted: ReturnType<typeof both>,
  ][] = [
    ["at home", bankAt("DE"), "DE", YES, YES],
    ["in another state of the Union", bankAt("DE"), "ES", UNPUBLISHED, YES],
    ["in the EEA", bankAt("DE"), "IS", UNPUBLISHED, YES],
    ["from the EEA", bankAt("LI"), "NO", UNPUBLISHED, YES],
    ["in the United Kingdom", bankAt("DE"), "GB", UNPASSPORTED, UNPASSPORTED],
    ["from the United Kingdom", bankAt("GB"), "DE", UNPASSPORTED, UNPASSPORTED],
    ["in a third country", bankAt("DE"), "CH", UNPASSPORTED, UNPASSPORTED],
    ["in the sandbox's other country", bankAt("XX"), "XY", UNPASSPORTED, UNPASSPORTED],
    ["with a branch there", bankAt("PT", { established: { ES: [7, 8] } }), "ES", YES, YES],
    [
      "with a branch for 8 alone",
      bankAt("PT", { established: { ES: [8] } }),
      "ES",
      payments("passport_not_published"),
      YES,
    ],
    ["with a branch elsewhere", bankAt("PT", { established: { FR: [7, 8] } }), "ES", UNPUBLISHED, YES],
    ["with a passport in a file of its own form", bankAt("DE", { passportOut: { ES: [7, 8] } }), "ES", YES, YES],
    ["withdrawn", bankAt("DE", { status: "Withdrawn" }), "ES", WITHDRAWN, WITHDRAWN],
    [
      "without a documented status",
      bankAt("DE", { status: null }),
      "ES",
      both("status_not_documented", "passport_not_published"),
      both("status_not_documented", "passport_not_published"),
    ],
    [
      "as an agent",
      bankAt("DE", {}, "credit-institutions", { agent: true }),
      "ES",
      both("status_not_documented", "service_not_passported"),
      both("status_not_documented", "service_not_passported"),
    ],
    [
      "of another category",
      bankAt("DE", { category: "Payment Institution", services: [7, 8] }),
      "ES",
      UNPASSPORTED,
      UNPASSPORTED,
    ],
    ["of the authority's register, which has passports", bankAt("DE", {}, "nca"), "ES", UNPASSPORTED, UNPASSPORTED],
    ["of the EBA's register", bankAt("DE", {}, "eba"), "ES", UNPASSPORTED, UNPASSPORTED],
    [
      "beside a payment institution of another source",
      {
        ...ofNcaToo,
        categories: [...reading(category("Authorised", [7, 8])).categories, ...ofNcaToo.categories],
      },
      ...(["ES", UNPUBLISHED, YES] as const),
    ],
    [
      "withdrawn, beside a payment institution without a passport",
      {
        ...ofNcaToo,
        categories: [
          ...reading(category("Authorised", [7, 8])).categories,
          ...bankAt("DE", { status: "Withdrawn" }).categories,
        ],
      },
      ...(["ES", UNPASSPORTED, UNPASSPORTED] as const),
    ],
  ];

  test.each(table)("%s", (_, home, jurisdiction, refused, accepted) => {
    const choose = (bankPassports: DecisionInput["bankPassports"]) =>
      decide(given({ home, jurisdiction, bankPassports }));
    expect(codes(choose("refuse"))).toEqual(refused);
    expect(choose(null)).toEqual(choose("refuse"));
    expect(codes(choose("accept"))).toEqual(accepted);
    // what is said beside a yes is what is a reason without the choice
    for (const scope of ["payments", "accounts"] as const) {
      const said = choose("accept")[scope].accepted ?? [];
      const isChoice = refused[scope].length > accepted[scope].length;
      expect(said.map(({ code }) => code)).toEqual(isChoice ? ["passport_not_published"] : []);
      expect(choose("refuse")[scope]).not.toHaveProperty("accepted");
    }
  });

  test("the sentences say what is known, and whose the choice is", () => {
    const choose = (bankPassports: DecisionInput["bankPassports"]) =>
      decide(given({ home: bankAt("DE"), jurisdiction: "ES", bankPassports })).accounts;
    const known = `PSP ${PSP} is a credit institution in its home register, and passports of these are published nowhere: whether it has one to ES for payment service 8, which scope accounts needs, is not known`;
    expect(choose(null)).toEqual({
      allowed: false,
      reasons: [
        {
          ...{ code: "passport_not_published", whose: "source" },
          message: `${known}; an institution may choose to accept its authorisation at home`,
        },
      ],
    });
    expect(choose("accept")).toEqual({
      ...{ allowed: true, reasons: [] },
      accepted: [
        {
          ...{ code: "passport_not_published", whose: "source" },
          message: `${known}; the institution accepts its authorisation at home`,
        },
      ],
    });
  });

  test("the choice does not mend a certificate", () => {
    const decision = decide(
      given({
        ...failing({ notRevoked: false }),
        ...{ home: bankAt("DE"), jurisdiction: "ES", bankPassports: "accept" },
      }),
    );
    expect(codes(decision)).toEqual(both("certificate_revoked"));
  });

  test("where nobody could choose, as in records of earlier releases, it is a passport that is missing", () => {
    const decision = decide(given({ home: bankAt("DE"), jurisdiction: "ES", bankPassports: undefined }));
    expect(codes(decision)).toEqual(UNPASSPORTED);
    expect(decision.accounts.reasons[0]?.message).toMatch(/^the home register has no passport of PSP .* to ES /);
  });
});

describe("properties", () => {
  const statuses: Status[] = ["Registered", "Unauthorised", "Withdrawn", null];
  const days = [["2020-01-01"], ["2020-01-01", "2026-01-01"], ["2099-01-01"]];
  // that everything holds must not be rare
  const status = fc.oneof(
    { arbitrary: fc.constant<Status>("Authorised"), weight: 3 },
    fc.constantFrom(...statuses, ...days),
  );
  const services = fc.oneof({ arbitrary: fc.constant<number[]>([7, 8]), weight: 2 }, fc.subarray([1, 5, 7, 8]));
  const record = fc
    .record({
      status,
      services,
      passportOut: fc.dictionary(fc.constantFrom("XY", "XZ"), services, { maxKeys: 2, noNullPrototype: true }),
      name: fc.constantFrom("Payment Institution", "AISP", "Credit Institution", "Branch", null),
    })
    .map((one) => category(one.status, one.services, one.passportOut, one.name as CategoryRecord["category"]));
  // one agent in seven: an agent has no status
  const readings = fc.tuple(fc.array(record, { maxLength: 3 }), fc.nat(6), fc.nat(6), fc.nat(6)).map((drawn) => {
    const [records, agent, loaded, ambiguous] = drawn;
    const read = reading(...records);
    return {
      ...read,
      manifests: loaded === 0 ? [] : read.manifests,
      ambiguous: ambiguous === 0,
      categories: read.categories.map((found) => ({ ...found, psp: { ...found.psp, agent: agent === 0 } })),
    };
  });
  const mostly = fc.nat(9).map((drawn) => drawn > 0);
  const validity = fc.record(
    Object.fromEntries(VERDICT_NAMES.map((name) => [name, mostly])) as Record<VerdictName, typeof mostly>,
  );
  const inputs = fc.record<DecisionInput>({
    verdicts: fc.option(validity.map((one) => ({ validity: one, warnings: [] }))),
    services: fc.option(fc.subarray([5, 7, 8])),
    pspId: fc.option(fc.constant(PSP), { freq: 10 }),
    home: fc.option(readings, { freq: 10 }),
    jurisdiction: fc.constantFrom(null, "XX", "XY", "XZ"),
    bankPassports: fc.constantFrom("accept", "refuse", null, undefined),
    now: fc.constant(NOW),
  });

  /** The rule once more, as a conjunction. */
  const mayUse = (service: number, input: DecisionInput): boolean =>
    Object.values(input.verdicts?.validity ?? ALL_TRUE).every((verdict) => verdict) &&
    (input.services === null || input.services.includes(service)) &&
    input.pspId !== null &&
    input.home !== null &&
    input.home.manifests.length > 0 &&
    !input.home.ambiguous &&
    input.home.categories.some(
      ({ psp, record: { category, status, services, passportOut } }) =>
        !psp.agent &&
        category !== null &&
        category !== "Branch" &&
        (status === "Authorised" ||
          status === "Registered" ||
          (Array.isArray(status) && status[0] === "2020-01-01" && status.length === 1)) &&
        (category === "Credit Institution" || services.includes(service)) &&
        (input.jurisdiction === null ||
          input.jurisdiction === "XX" ||
          passportOut[input.jurisdiction]?.includes(service)),
    );

  test("a scope is allowed exactly if every condition holds, and exactly if there is no reason", () => {
    const allowed = { payments: 0, accounts: 0, refused: 0 };
    fc.assert(
      fc.property(inputs, (input) => {
        const decision = decide(input);
        for (const [scope, service] of [
          ["payments", 7],
          ["accounts", 8],
        ] as const) {
          expect(decision[scope].allowed).toBe(mayUse(service, input));
          expect(decision[scope].reasons.length === 0).toBe(decision[scope].allowed);
          allowed[decision[scope].allowed ? scope : "refused"]++;
        }
      }),
      { numRuns: 5_000 },
    );
    // the property says something of both outcomes: about 300 of each scope are expected
    expect(Math.min(...Object.values(allowed))).toBeGreaterThan(100);
  });

  test("one more condition that fails never removes a reason", () => {
    fc.assert(
      fc.property(inputs, fc.constantFrom(...VERDICT_NAMES), (input, verdict) => {
        const before = decide(input).payments.reasons.map(({ code }) => code);
        const validity = { ...(input.verdicts?.validity ?? ALL_TRUE), [verdict]: false };
        const after = decide({ ...input, verdicts: { validity, warnings: [] } }).payments.reasons.map(
          ({ code }) => code,
        );
        expect(after).toEqual(expect.arrayContaining(before));
        expect(after).not.toEqual([]);
      }),
    );
  });
});
