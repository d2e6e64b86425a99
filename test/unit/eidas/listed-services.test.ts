/**
 * Property: what a trusted list says of a certificate, against TS 119 615 clauses 4.3 and 4.4 written a second time, step
 * by step and without regard to cost: for each of the three uses at each of the two times, then compared.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { at, makeCertificate } from "../../../fixtures/makers/made-pki.ts";
import { policies } from "../../../fixtures/makers/path-extensions.ts";
import { distinguishedName } from "../../../fixtures/suites/distinguished-name.ts";
import { judgeServices } from "../../../src/eidas/qualified-service.ts";
import type {
  CertificateUse,
  Criterion,
  ListedAnchor,
  Qualification,
  StatusPeriod,
} from "../../../src/trust/anchors.ts";

const YEARS = ["2017", "2019", "2021", "2023", "2025"].map((year) => `${year}-01-01T00:00:00Z`);
const NOW = at("2026-06-01T00:00:00Z");
const TYPES = { signature: "0.4.0.1862.1.6.1", seal: "0.4.0.1862.1.6.2", "web-authentication": "0.4.0.1862.1.6.3" };
const USES = Object.keys(TYPES) as CertificateUse[];
const QUALIFIER = { signature: "QCForESig", seal: "QCForESeal", "web-authentication": "QCForWSA" } as const;
const issuedBy = (...name: Parameters<typeof distinguishedName>) => {
  const issuer = makeCertificate({ subject: distinguishedName(...name) });
  return ["2018", "2022", "2025"].map((year) => {
    const notBefore = at(`${year}-06-01T00:00:00Z`);
    return makeCertificate({ subject: "PSP", issuer, notBefore, extensions: [policies("1.2.3")] }).certificate;
  });
};
const leaves = issuedBy(["C", "AT"], ["CN", "CA"]);

const leafOf = ({ issued, leaves: own = leaves }: Case) => {
  const leaf = own[issued];
  if (!leaf) throw new Error("no such leaf");
  return leaf;
};

interface Case {
  readonly services: readonly {
    readonly country: string;
    readonly source?: string;
    readonly qtspName?: string;
    readonly periods: readonly StatusPeriod[];
  }[];
  /** Of `leaves`. */
  readonly issued: number;
  readonly leaves?: typeof leaves;
  readonly compliance: boolean;
  readonly types: readonly CertificateUse[];
}

const holds: Criterion = { all: [{ policies: ["1.2.3"] }] };
const fails: Criterion = { none: [{ policies: ["1.2.3"] }] };
const qualification = fc.record({
  qualifiers: fc.subarray(["NotQualified", "QCStatement", ...Object.values(QUALIFIER)], { minLength: 1, maxLength: 2 }),
  criteria: fc.oneof({ arbitrary: fc.constant(holds), weight: 3 }, fc.constant(fails)),
});
const period = fc.record({
  status: fc.oneof({ arbitrary: fc.constant("granted"), weight: 5 }, fc.constantFrom("withdrawn", "setbynationallaw")),
  uses: fc.oneof(fc.subarray(USES, { minLength: 1 }), fc.constantFrom<CertificateUse[]>(...USES.map((use) => [use]))),
  qualifications: fc.oneof({ arbitrary: fc.constant<Qualification[]>([]), weight: 2 }, fc.array(qualification)),
});
const service = fc
  .record({
    years: fc.subarray(YEARS, { minLength: 1, maxLength: 2 }),
    drawn: fc.tuple(period, period),
    country: fc.oneof({ arbitrary: fc.constant("AT"), weight: 4 }, fc.constant("BE")),
    qtspName: fc.oneof({ arbitrary: fc.constant("QTSP"), weight: 9 }, fc.constant("Other QTSP")),
  })
  .map(({ years, drawn, ...names }) => ({
    ...names,
    periods: years.map((from, i): StatusPeriod => ({ ...(drawn[i] ?? drawn[0]), from })),
  }));
const cases = fc.record<Case>({
  services: fc.array(service, { minLength: 1, maxLength: 3 }),
  issued: fc.nat(leaves.length - 1),
  compliance: fc.nat(4).map((drawn) => drawn > 0),
  // several are a decision of our own (docs/decisions/certificates.md)
  types: fc.constantFrom<CertificateUse[]>([], ...USES.map((use) => [use])),
});

type Check = "qualified" | "not qualified" | "indeterminate";

/** CHECK_1 to CHECK_3 at one time. */
function check(use: CertificateUse, { services, compliance, types }: Case, time: number): Check {
  // PRO-4.4.4-01; a list that is the only one to have the key is heard all the same: a decision of our own (docs/decisions/trusted-lists.md)
  const own = services.filter(({ country }) => country === "AT");
  const states: StatusPeriod[] = [];
  const providers = new Set<string | undefined>();
  for (const { periods, qtspName } of own.length > 0 ? own : services) {
    // PRO-4.3.4-03 (b): newest first, the first that had begun
    const state = [...periods].reverse().find(({ from }) => Date.parse(from) <= time);
    if (state) providers.add(qtspName);
    if (state?.uses?.includes(use)) states.push(state);
  }
  // PRO-4.3.4-11
  if (providers.size > 1) return "indeterminate";
  // PRO-4.3.4-06, -08, -10 with PRO-4.4.4-09, -17, -25: two entries for one use with two statuses
  if (new Set(states.map(({ status }) => status)).size > 1) return "indeterminate";
  // PRO-4.4.4-10, -18, -26
  if (states.length === 0 || states.some(({ status }) => status === "withdrawn")) return "not qualified";
  // PRO-4.4.4-10A, -18A, -26A
  if (states.some(({ status }) => status !== "granted")) return "indeterminate";
  // PRO-4.4.4-11, -19, -27
  const said = new Set<string>();
  for (const state of states)
    for (const { qualifiers, criteria } of state.qualifications ?? [])
      if (criteria === holds) for (const qualifier of qualifiers) said.add(qualifier);
  // PRO-4.4.4-12, -20, -28
  const foreign = USES.some((other) => other !== use && said.has(QUALIFIER[other]));
  if (foreign || (said.has("NotQualified") && said.has("QCStatement"))) return "indeterminate";
  // tables 1 to 3, by their columns
  if (said.has("NotQualified")) return "not qualified";
  if (said.has(QUALIFIER[use])) return said.has("QCStatement") || compliance ? "qualified" : "not qualified";
  if (!compliance && !said.has("QCStatement")) return "not qualified";
  if (types.length > 0) return types.includes(use) ? "qualified" : "not qualified";
  return use === "signature" && compliance ? "qualified" : "not qualified";
}

function mayBeRelied(drawn: Case): boolean {
  const [atIssue, now] = [leafOf(drawn).notBefore, NOW].map((time) => {
    const qualified = USES.filter((use) => check(use, drawn, time) === "qualified");
    // PRO-4.4.4-32 and table 4: qualified for two uses at once is an error
    return qualified.length === 1 ? qualified[0] : undefined;
  });
  // PRO-4.4.4-34 to -36: the same at issue as now. Whether other uses are a no or not known is not compared
  return now !== undefined && now !== "signature" && now === atIssue;
}

const anchorOf = ({
  country,
  source = "eIDAS",
  qtspName = "QTSP",
  periods,
}: Case["services"][number]): ListedAnchor => ({
  certificate: "",
  source,
  jurisdiction: country,
  qtspName,
  serviceName: "CA",
  periods: [...periods],
  ...{ listSequenceNumber: 1, listIssuedAt: "2026-06-01T00:00:00Z", listNextUpdate: null },
});

function judgeAll(drawn: Case) {
  const { services, compliance, types } = drawn;
  const [first, ...others] = services.map(anchorOf);
  if (!first) throw new Error("no service");
  const claims = { qcCompliance: compliance, qcLegislation: false, qcTypes: types.map((type) => TYPES[type]) };
  return judgeServices({ services: [first, ...others], leaf: leafOf(drawn), claims, now: NOW });
}
const judge = (drawn: Case): string | null => judgeAll(drawn).fault;

test("services of one key are relied on exactly as the standard says", () => {
  const counted = { yes: 0, no: 0 };
  fc.assert(
    fc.property(cases, (drawn) => {
      const expected = mayBeRelied(drawn);
      counted[expected ? "yes" : "no"]++;
      expect(judge(drawn) === null).toBe(expected);
    }),
    { numRuns: 1_500 },
  );
  // about 105, of a deviation of 9
  expect(counted.yes).toBeGreaterThan(25);
});

test("a no has the same reason and the same evidence in whatever order the services are listed, and a yes stays one", () => {
  let refused = 0;
  fc.assert(
    fc.property(cases, fc.infiniteStream(fc.nat()), (drawn, numbers) => {
      const shuffled = drawn.services
        .map((one) => [numbers.next().value ?? 0, one] as const)
        .sort(([a], [b]) => a - b)
        .map(([, one]) => one);
      const [one, other] = [judgeAll(drawn), judgeAll({ ...drawn, services: shuffled })];
      expect(other.fault).toBe(one.fault);
      if (one.fault === null) return;
      refused++;
      expect(other.anchor).toEqual(one.anchor);
    }),
    { numRuns: 1_500 },
  );
  expect(refused).toBeGreaterThan(500);
});

const entry = (country: string, ...periods: [from: string, status: string, ...uses: CertificateUse[]][]) => ({
  country,
  periods: periods.map(([year, status, ...uses]) => ({ from: `${year}-01-01T00:00:00Z`, status, uses })),
});
const TWO_STATUSES = "the trusted list gives the QTSP's service two statuses for seal";

// the certificate is of June 2022
test.each<[string, Case["services"], string | null]>([
  [
    "a second entry, withdrawn for the use",
    [entry("AT", ["2017", "granted", "seal"]), entry("AT", ["2025", "withdrawn", "seal"])],
    TWO_STATUSES,
  ],
  [
    "withdrawn for it at the issue",
    [entry("AT", ["2017", "granted", "seal"]), entry("AT", ["2017", "withdrawn", "seal"], ["2023", "granted", "seal"])],
    TWO_STATUSES,
  ],
  [
    "withdrawn for another use",
    [entry("AT", ["2017", "granted", "seal"]), entry("AT", ["2025", "withdrawn", "signature"])],
    null,
  ],
  ["withdrawn without a use", [entry("AT", ["2017", "granted", "seal"]), entry("AT", ["2025", "withdrawn"])], null],
  [
    "withdrawn without a word on uses",
    [
      entry("AT", ["2017", "granted", "seal"]),
      { country: "AT", periods: [{ status: "withdrawn", from: "2025-01-01T00:00:00Z", uses: null }] },
    ],
    null,
  ],
  // a list speaks for its own country only
  [
    "withdrawn by another source",
    [entry("AT", ["2017", "granted", "seal"]), { ...entry("AT", ["2025", "withdrawn", "seal"]), source: "OBIE" }],
    null,
  ],
  [
    "withdrawn on another list",
    [entry("AT", ["2017", "granted", "seal"]), entry("BE", ["2025", "withdrawn", "seal"])],
    null,
  ],
  [
    "the use moved to a second entry",
    [
      entry("AT", ["2017", "granted", "seal"], ["2025", "granted", "signature"]),
      entry("AT", ["2025", "granted", "seal"]),
    ],
    null,
  ],
  [
    "the use ended in one entry before it began in another",
    [
      entry("AT", ["2017", "granted", "seal"], ["2023", "granted", "signature"]),
      entry("AT", ["2099", "granted", "seal"]),
    ],
    "the QTSP's service has the grant for signature only, not for seal, now",
  ],
  [
    "two entries, one granted for another use and one withdrawn",
    [
      entry("AT", ["2017", "granted", "signature"]),
      entry("AT", ["2017", "granted", "seal"], ["2023", "withdrawn", "seal"]),
    ],
    "the QTSP's service has the status withdrawn now",
  ],
  [
    "two entries that are both withdrawn now, one of them at the issue",
    [
      entry("AT", ["2017", "granted", "seal"], ["2025", "withdrawn", "seal"]),
      entry("AT", ["2017", "withdrawn", "seal"]),
    ],
    "the QTSP's service has the status withdrawn now",
  ],
])("a seal of a service with %s, in either order", (_, services, fault) => {
  for (const listed of [services, [...services].reverse()])
    expect(judge({ services: listed, issued: 1, compliance: true, types: ["seal"] })).toBe(fault);
});

test("a certificate for signatures is none for seals by what a second entry says", () => {
  const [one, two] = [entry("AT", ["2017", "granted", "signature"]), entry("AT", ["2017", "granted", "seal"])];
  const qualified = {
    ...two,
    periods: two.periods.map((each) => ({
      ...each,
      qualifications: [{ qualifiers: ["QCForESeal"], criteria: holds }],
    })),
  };
  const drawn: Case = { services: [one, qualified], issued: 1, compliance: true, types: ["signature"] };
  expect(judge(drawn)).toBe(
    "the trusted list contradicts itself on the certificate: it is for seals and for signatures",
  );
  expect(judge({ ...drawn, services: [qualified] })).toBeNull();
  // nor for signatures where it claims seals, too: then it is the certificate that names two uses
  expect(judge({ ...drawn, types: ["signature", "seal"] })).toBeNull();
});

const seal = (issued: number, ...services: Case["services"]): Case => ({
  ...{ services, issued, compliance: true, types: ["seal"] },
});
const AT_SIGNATURE = entry("AT", ["2017", "granted", "signature"]);
const AT_SEAL = entry("AT", ["2017", "granted", "seal"]);
const BE_SEAL = entry("BE", ["2017", "granted", "seal"]);
const BE_WITHDRAWN = entry("BE", ["2017", "granted", "seal"], ["2025", "withdrawn", "seal"]);

test("the evidence is the service that was granted at the issue, too, if one was", () => {
  const renewed = entry("AT", ["2025", "granted", "seal"]);
  const { fault, anchor } = judgeAll(seal(1, renewed, AT_SEAL));
  expect([fault, anchor.periods]).toEqual([null, AT_SEAL.periods]);
});

// PRO-4.4.4-01. CZ and SK both listed a CA of a company in CZ in 2019 and 2022, CZ for signatures, SK for seals, too
describe("of a key that two countries list, the issuer's country is believed", () => {
  const AT_WITHDRAWN = { ...BE_WITHDRAWN, country: "AT" };
  const WITHDRAWN = "the QTSP's service has the status withdrawn now";
  test.each<[string, Case, string | null]>([
    ["withdrawn there, granted abroad", seal(1, AT_WITHDRAWN, BE_SEAL), WITHDRAWN],
    ["granted there, withdrawn abroad", seal(1, BE_WITHDRAWN, AT_SEAL), null],
    [
      "granted there for another use",
      seal(1, BE_SEAL, AT_SIGNATURE),
      "when the certificate was issued, the QTSP's service had the grant for signature only, not for seal,",
    ],
    [
      "listed there after the issue",
      seal(0, BE_SEAL, entry("AT", ["2019", "granted", "seal"])),
      "when the certificate was issued, the QTSP's service had no status on the trusted list",
    ],
    ["unknown there", seal(1, BE_SEAL), null],
  ])("%s", (_, drawn, fault) => expect(judge(drawn)).toBe(fault));

  test.each<[string, string, Parameters<typeof distinguishedName>, string | null]>([
    ["in small letters", "AT", [["C", "at"]], WITHDRAWN],
    ["by another code than the list", "GR", [["C", "EL"]], WITHDRAWN],
    ["which has no list", "AT", [["C", "EU"]], null],
    ["which the name does not say", "AT", [["O", "CA"]], null],
  ])("%s", (_, country, issuer, fault) => {
    expect(judge({ ...seal(1, { ...AT_WITHDRAWN, country }, BE_SEAL), leaves: issuedBy(...issuer) })).toBe(fault);
  });

  test("and no other source is silenced by it", () => {
    expect(judge(seal(1, AT_WITHDRAWN, { ...BE_SEAL, source: "OBIE" }))).toBeNull();
  });
});

describe("of a key that one list has under two providers, nothing is believed (PRO-4.3.4-11)", () => {
  const other = { ...AT_SEAL, qtspName: "Other QTSP" };
  const TWO = `the trusted list gives the QTSP's service two providers: "Other QTSP" and QTSP`;
  test.each<[string, Case, string | null]>([
    ["with one status", seal(1, AT_SEAL, other), TWO],
    ["one of them without the use", seal(1, AT_SEAL, { ...AT_SIGNATURE, qtspName: "Other QTSP" }), TWO],
    ["before now", seal(1, AT_SEAL, { ...entry("AT", ["2025", "granted", "seal"]), qtspName: "Other QTSP" }), TWO],
    ["later", seal(1, AT_SEAL, { ...entry("AT", ["2099", "granted", "seal"]), qtspName: "Other QTSP" }), null],
    ["of two sources", seal(1, AT_SEAL, { ...other, source: "OBIE" }), null],
  ])("%s", (_, drawn, fault) => expect(judge(drawn)).toBe(fault));
});
