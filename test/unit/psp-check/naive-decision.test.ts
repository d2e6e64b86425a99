/** From raw register files to the answer: what the service says, and a model that knows none of its code (naive-decision.ts). */

import fc from "fast-check";
import { expect, test } from "vitest";
import { parseAuthorisationNumber } from "../../../src/eidas/authorisation-number.ts";
import { paymentServicesOf } from "../../../src/eidas/roles.ts";
import { readKnownCountry } from "../../../src/platform/country.ts";
import { decide } from "../../../src/psp-check/decision.ts";
import { checkRegisters } from "../../../src/registers/check.ts";
import { EbaRegisters } from "../../../src/registers/import/eba-registers.ts";
import { readRegisterValue } from "../../../src/registers/import/own-form.ts";
import { CATEGORIES } from "../../../src/registers/psp-record.ts";
import type { Register } from "../../../src/registers/register.ts";
import { ALL_TRUE } from "../../all-true.ts";
import { readingOf } from "../registers/reading-of.ts";
import { decideNaively, type EbaRaw, type OwnCategory, type OwnFile, partsOf, type World } from "./naive-decision.ts";

const PUBLISHED = "2026-11-01T00:00:00Z";
const OIDS: Record<string, string> = { PSP_AS: "1", PSP_PI: "2", PSP_AI: "3", PSP_IC: "4", PSP_CB: "5" };

function registersOf({ own, eba }: World): Register[] {
  const read = own.map((file) => {
    const one = readRegisterValue({ ...file, ncaId: "N", ncaName: "N", published: PUBLISHED });
    if (!one.ok) throw new Error(JSON.stringify(one.problems));
    return one.register;
  });
  const gathered = new EbaRegisters();
  for (const record of eba) gathered.add(record);
  return [...read, ...gathered.registers(PUBLISHED)];
}

/** What the service says, in the model's form. */
function answer(world: World) {
  const { certificate, now } = world;
  const number = parseAuthorisationNumber(certificate.number);
  if (!number.ok) return null;
  const registers = registersOf(world);
  const jurisdiction = readKnownCountry(world.jurisdiction) ?? "";
  const at = Date.parse(now);
  const read = (country: string) => readingOf(registers, country, number.text, undefined, [], at);
  const home = read(number.country);
  const host = jurisdiction === number.country ? null : read(jurisdiction);
  const { good } = certificate;
  const validity = { ...ALL_TRUE, notRevoked: good };
  const roles = certificate.roles.map((name) => ({ oid: `0.4.0.19495.1.${OIDS[name]}`, name }));
  const { payments, accounts } = decide({
    verdicts: { validity, warnings: [] },
    services: paymentServicesOf(roles),
    ...{ pspId: number.pspId, home, jurisdiction, now: at },
    bankPassports: world.accepts === undefined ? null : world.accepts ? "accept" : "refuse",
  });
  const maxAges = { nca: null, "credit-institutions": null, eba: null };
  const asked = { authNumber: number.text, jurisdiction, home, host, subjectName: null, now: at, maxAges };
  const { homeRegister, hostRegister } = checkRegisters({ ...asked, codes: true });
  // version 1 has the same but for the codes, and the ways of passports
  const first = checkRegisters({ ...asked, codes: false });
  for (const { passportOut } of homeRegister.categoryEntries) delete passportOut?.ways;
  for (const one of [homeRegister, hostRegister])
    if (one) one.warning_codes = one.warning_codes?.length ? one.warning_codes : undefined;
  expect(first).toEqual({
    homeRegister: { ...homeRegister, warning_codes: undefined },
    ...(hostRegister && { hostRegister: { ...hostRegister, warning_codes: undefined } }),
  });
  const brief = ({
    categoryName: name,
    pspAuthStatus: status,
    pspLegalName: _,
    ...rest
  }: {
    categoryName: string;
    pspAuthStatus: string | null;
    pspLegalName: string;
  }) => ({ name, status, ...rest });
  return {
    payments: payments.allowed,
    accounts: accounts.allowed,
    home: homeRegister.categoryEntries.map((entry) => {
      const { pspPaymentServices: services, ...rest } = entry;
      return { ...brief(rest as never), services };
    }),
    homeWarnings: homeRegister.warning_codes ?? [],
    host: hostRegister ? hostRegister.categoryEntries.map((entry) => brief(entry)) : null,
    hostWarnings: hostRegister ? (hostRegister.warning_codes ?? []) : null,
  };
}

const pick = <Value>(...values: Value[]) => fc.constantFrom(...values);
/** Mostly the first. */
const mostly = <Value>(first: Value, ...others: Value[]) =>
  fc.oneof({ arbitrary: fc.constant(first), weight: 3 }, { arbitrary: pick(...others), weight: 1 });

const HOMES = [
  { codes: ["XX", "xx"], ncas: ["TEST"], owner: "XX_TEST" },
  { codes: ["GR", "EL", "el"], ncas: ["BOG"], owner: "EL_BOG" },
  { codes: ["GB", "UK"], ncas: ["FCA"], owner: "GB_FCA" },
  { codes: ["FI"], ncas: ["FINFSA", "FIN-FSA"], owner: "FI_FIN-FSA" },
  { codes: ["ES", "es"], ncas: ["BDE", "BE"], owner: "ES_BE" },
];
type Home = (typeof HOMES)[number];
// one of them with a Cyrillic letter
const reference = mostly("100", "1-00", "1 00", "A7", "a7", "\u04107", "7");
const services = mostly([7, 8], [7], [8], [1, 5], [], [8, 7, 7]);
const country = pick("XX", "XY", "GR", "EL", "GB", "UK", "FI", "ES");
const numberOf = ({ codes, ncas }: Home) =>
  fc.tuple(pick(...codes), pick(...ncas), reference).map(([code, nca, one]) => `PSD${code}-${nca}-${one}`);
/** As on certificates. */
const spelled = (home: Home) =>
  fc
    .tuple(numberOf(home), mostly("-", "_", "–", " - "), fc.boolean())
    .map(([number, dash, lower]) => (lower ? number.toLowerCase() : number).replaceAll("-", dash));

const ownCategory = (name: fc.Arbitrary<string | null>, passportIn: (string | null)[]): fc.Arbitrary<OwnCategory> =>
  fc.record({
    ...{ category: name, legalName: fc.constant("Example Ltd"), services },
    status: mostly<string | null>("Authorised", "Registered", "Unauthorised", "Withdrawn", null),
    passportOut: fc.uniqueArray(fc.record({ country, services }), {
      maxLength: 3,
      selector: ({ country }) => partsOf(`PSD${country}-A-1`)?.[0],
    }),
    ...(passportIn.length > 0 && { passportIn: pick(...passportIn) }),
  });

/** A file has nothing of what it lacks. */
const withoutLacking = (file: OwnFile): OwnFile => ({
  ...file,
  psps: file.psps.map((psp) => ({
    ...psp,
    categories: psp.categories.map(({ services, passportOut, ...rest }) => ({
      ...rest,
      ...(!file.lacks?.includes("services") && { services }),
      passportOut: file.lacks?.includes("passports") ? [] : passportOut,
    })),
  })),
});

function ownFile(of: Home, psps: readonly Home[]): fc.Arbitrary<OwnFile> {
  return pick<OwnFile["source"]>("nca", "nca", "credit-institutions").chain((source) => {
    const name = source === "nca" ? pick(...CATEGORIES, null) : fc.constant("Credit Institution");
    const psp = pick(...psps).chain((home) =>
      fc.record({
        authNumber: numberOf(home),
        agent: mostly(false, true),
        categories: fc.uniqueArray(ownCategory(name, home === of ? [] : [home.codes[0] ?? "", null]), {
          ...{ minLength: 1, maxLength: 3, selector: ({ category }) => category },
        }),
      }),
    );
    return fc
      .record({
        country: pick(...of.codes),
        source: fc.constant(source),
        lacks: mostly<NonNullable<OwnFile["lacks"]>>([], ["services"], ["passports"], ["services", "passports"]),
        whole: mostly<string[]>([], ["Payment Institution", "E-Money Institution"], [...CATEGORIES]),
        psps: fc.uniqueArray(psp, { maxLength: 3, selector: ({ authNumber }) => authNumber }),
      })
      .map(withoutLacking);
  });
}

const DAYS = ["2019-01-01", "2026-11-20", "2026-11-21", "2026-11-22", "2099-01-01"];
const days = fc.oneof(
  { arbitrary: fc.subarray(DAYS, { minLength: 1 }), weight: 4 },
  pick<string[]>([], ["2019-01-01"], ["2019-01-01"], ["2019-01-01", "soon"], ["2020-01-01", "2019-01-01"], ["soon"]),
);
const ebaRecord = ({ owner, codes }: Home): fc.Arbitrary<EbaRaw> =>
  fc
    .record({
      type: mostly(
        "PSD_PI",
        "PSD_EMI",
        "PSD_AISP",
        "PSD_EPI",
        "PSD_EEMI",
        "PSD_BR",
        "PSD_AG",
        "PSD_EXC",
        "PSD_ENL",
        "PSD_NEW",
      ),
      references: fc.uniqueArray(reference, { maxLength: 2 }),
      ...{ code: reference, days },
      services: fc.array(
        fc.record({
          country: fc.oneof(fc.constant(codes[0] ?? ""), country),
          codes: mostly(["PS_070", "PS_080"], ["PS_080"], ["PS_070", "ES_010"], ["PS_03A", "PS_03B"], []),
        }),
        { maxLength: 3 },
      ),
    })
    .map(({ type, references, code, days, services }) => ({
      ...{
        CA_OwnerID: owner,
        EntityCode: `${owner}!${code}`,
        EntityType: type,
        __EBA_EntityVersion: "20261120000000000",
      },
      Properties: [
        { ENT_NAM: "Example Ltd" },
        { ENT_AUT: days },
        ...(references.length > 0 ? [{ ENT_NAT_REF_COD: references }] : []),
      ],
      Services: services.map((one) => ({ [one.country]: one.codes })),
    }));

const worlds: fc.Arbitrary<World> = fc.tuple(pick(...HOMES), pick(...HOMES)).chain(([home, host]) =>
  fc.record({
    certificate: fc.record({
      number: fc.oneof(
        { arbitrary: spelled(home), weight: 15 },
        pick("PSDFI", "VATFI-1", "PSDGRC-BOG-100", "PSD\u{212A}R-BOG-100", "PSDXX--", ""),
      ),
      roles: mostly(["PSP_PI", "PSP_AI"], ["PSP_PI"], ["PSP_AI"], ["PSP_AS"], ["PSP_IC"], ["PSP_CB", "PSP_AI"], []),
      good: mostly(true, true, false),
    }),
    // of a country and source one file
    own: fc.uniqueArray(fc.oneof(ownFile(home, [home]), ownFile(host, [home, host])), {
      ...{ maxLength: 3, selector: ({ country, source }) => `${partsOf(`PSD${country}-A-1`)?.[0]} ${source}` },
    }),
    eba: fc.uniqueArray(fc.oneof(ebaRecord(home), ebaRecord(host)), {
      ...{ maxLength: 4, selector: ({ EntityType, EntityCode }) => `${EntityType} ${EntityCode}` },
    }),
    jurisdiction: fc.oneof(pick(...home.codes), pick(...host.codes), country),
    accepts: pick(true, false, undefined),
    now: pick(
      ...["2026-11-20T21:59:59.999Z", "2026-11-20T22:00:00.000Z", "2026-11-20T22:59:59.999Z"],
      ...["2026-11-20T23:00:00.000Z", "2026-11-20T23:59:59.999Z", "2026-11-21T00:00:00.000Z"],
      "2026-11-21T12:00:00.000Z",
    ),
  }),
);

const sorted = (said: ReturnType<typeof decideNaively>) => {
  const order = <Entry>(entries: Entry[]) =>
    entries.toSorted((a, b) => (JSON.stringify(a, KEYS) < JSON.stringify(b, KEYS) ? -1 : 1));
  return said && { ...said, home: order(said.home), host: said.host && order(said.host) };
};
const KEYS = ["name", "status", "services"];

const same = (world: World) => {
  const expected = decideNaively(world);
  expect(sorted(answer(world) as never)).toEqual(sorted(expected));
  return expected;
};

const CERTIFICATE = { number: "PSDES-BDE-100", roles: ["PSP_PI", "PSP_AI"], good: true };
const category = (name: string): OwnCategory => ({
  ...{ category: name, legalName: "Example Ltd", status: "Authorised", services: [7, 8], passportOut: [] },
});
const ofEba = (owner: string, EntityType: string, Services: EbaRaw["Services"]): EbaRaw => ({
  ...{ CA_OwnerID: owner, EntityCode: `${owner}!100`, EntityType, __EBA_EntityVersion: "20261120000000000", Services },
  Properties: [{ ENT_NAM: "Example Ltd" }, { ENT_AUT: ["2019-01-01"] }, { ENT_NAT_REF_COD: "100" }],
});
/** What it found at first. */
test.each<[string, World, object]>([
  [
    "an institution that another register of its country has as an agent of the same category",
    {
      ...{ certificate: CERTIFICATE, jurisdiction: "ES", now: "2026-11-21T12:00:00Z" },
      own: [
        {
          ...{ country: "ES", source: "nca" },
          psps: [{ authNumber: "PSDES-BE-100", agent: true, categories: [category("Payment Institution")] }],
        },
      ],
      eba: [ofEba("ES_BE", "PSD_PI", [{ ES: ["PS_070", "PS_080"] }])],
    },
    { payments: true, accounts: true },
  ],
  [
    "services under both codes of a country",
    {
      ...{ certificate: { ...CERTIFICATE, number: "PSDEL-BOG-100" }, jurisdiction: "GR", now: "2026-11-21T12:00:00Z" },
      ...{ own: [], eba: [ofEba("GR_BOG", "PSD_PI", [{ EL: ["PS_070"] }, { GR: ["PS_080"] }])] },
    },
    { payments: true, accounts: true },
  ],
  [
    "an agent by the other abbreviation of its authority",
    {
      ...{ certificate: CERTIFICATE, jurisdiction: "ES", now: "2026-11-21T12:00:00Z" },
      ...{ own: [], eba: [ofEba("ES_BE", "PSD_AG", [])] },
    },
    { payments: false, home: [{ name: "Agent", status: null, services: [] }] },
  ],
])("%s", (_, world, expected) => {
  expect(same(world)).toMatchObject(expected);
});

/** Of an institution that the EBA's register passports to the host: of the other worlds one in sixty has a yes abroad. */
const abroad = fc.tuple(worlds, pick(...HOMES), pick(...HOMES)).map(([world, home, host]): World => {
  const [code = "", hostCode = ""] = [home.codes[0], host.codes[0]];
  const own = ofEba(
    home.owner,
    "PSD_PI",
    [code, hostCode].map((each) => ({ [each]: ["PS_070", "PS_080"] })),
  );
  return {
    ...world,
    certificate: { ...CERTIFICATE, number: `PSD${code}-${home.ncas[0]}-100` },
    eba: [own, ...world.eba.filter(({ EntityCode }) => EntityCode !== own.EntityCode)],
    jurisdiction: hostCode,
  };
});

/** A bank of a register of banks, in another country: its own form may list passports. */
const bankAbroad = fc.tuple(abroad, pick<boolean | undefined>(true, true, false)).map(([world, accepts]): World => {
  const [code = ""] = partsOf(world.certificate.number) ?? [];
  const bank = {
    authNumber: world.certificate.number,
    agent: false,
    categories: [{ ...category("Credit Institution"), services: [] }],
  };
  const own = { country: code, source: "credit-institutions" as const, psps: [bank] };
  return { ...world, own: [own], eba: [], accepts };
});

test("the service answers what the interface and the README say, whatever stands in the registers", () => {
  const outcomes = { yes: 0, no: 0, abroad: 0, accepted: 0, ambiguous: 0, disagree: 0, "no number": 0 };
  fc.assert(
    fc.property(fc.oneof({ arbitrary: worlds, weight: 7 }, abroad, bankAbroad), (world) => {
      const expected = same(world);
      if (!expected) outcomes["no number"]++;
      else {
        const isAllowed = expected.payments || expected.accounts;
        outcomes[isAllowed ? "yes" : "no"]++;
        if (isAllowed && expected.host) outcomes.abroad++;
        const refused = isAllowed && expected.host && decideNaively({ ...world, accepts: false });
        if (refused && !(refused.payments || refused.accounts)) outcomes.accepted++;
        if (expected.homeWarnings.includes("register_ambiguous")) outcomes.ambiguous++;
        if (expected.homeWarnings.includes("sources_disagree")) outcomes.disagree++;
      }
    }),
    { numRuns: 2_000 },
  );
  // it says something of each: about 95 have no number, and more of all else, of a deviation of 9
  expect(Math.min(...Object.values(outcomes))).toBeGreaterThan(10);
});
