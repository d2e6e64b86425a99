/** The Qualifications extension as lists write it, and what of it is kept. */
import { describe, expect, test } from "vitest";
import type { Criterion } from "../../../../src/trust/anchors.ts";
import { parseXml } from "../../../../src/trust/lists/document.ts";
import { readQualifications } from "../../../../src/trust/lists/qualifications.ts";

const QUALIFIER = "http://uri.etsi.org/TrstSvc/TrustedList/SvcInfoExt/";

const read = (...extensions: string[]) => {
  const names =
    'xmlns="http://uri.etsi.org/02231/v2#" xmlns:q="http://uri.etsi.org/TrstSvc/SvcInfoExt/eSigDir-1999-93-EC-TrustedList/#" xmlns:t="http://uri.etsi.org/02231/v2/additionaltypes#" xmlns:x="http://uri.etsi.org/01903/v1.3.2#"';
  const text = `<ServiceInformationExtensions ${names}>${extensions.join("")}</ServiceInformationExtensions>`;
  return readQualifications(parseXml(text));
};
const extension = (content: string, critical = 'Critical="true"') => `<Extension ${critical}>${content}</Extension>`;
const qualifications = (...elements: string[]) => `<q:Qualifications>${elements.join("")}</q:Qualifications>`;
const element = (criteria: string, ...uris: string[]) =>
  `<q:QualificationElement><q:Qualifiers>${uris.map((uri) => `<q:Qualifier uri="${uri}"/>`).join("")}</q:Qualifiers>${criteria}</q:QualificationElement>`;
const list = (assert: string, ...criteria: string[]) =>
  `<q:CriteriaList assert="${assert}">${criteria.join("")}</q:CriteriaList>`;
const identifier = (oid: string, as = "") => `<x:Identifier${as && ` Qualifier="${as}"`}>${oid}</x:Identifier>`;
const policies = (...identifiers: string[]) =>
  `<q:PolicySet>${identifiers.map((one) => `<q:PolicyIdentifier>${one}<x:Description>of a policy</x:Description></q:PolicyIdentifier>`).join("")}</q:PolicySet>`;
const keyUsage = (...bits: [name: string, value: string][]) =>
  `<q:KeyUsage>${bits.map(([name, value]) => `<q:KeyUsageBit name="${name}">${value}</q:KeyUsageBit>`).join("")}</q:KeyUsage>`;
const others = (...criteria: string[]) => `<q:otherCriteriaList>${criteria.join("")}</q:otherCriteriaList>`;
const purposes = (...oids: string[]) =>
  `<t:ExtendedKeyUsage>${oids.map((oid) => `<t:KeyPurposeId>${identifier(oid)}</t:KeyPurposeId>`).join("")}</t:ExtendedKeyUsage>`;
const subject = (...oids: string[]) =>
  `<t:CertSubjectDNAttribute>${oids.map((oid) => `<t:AttributeOID>${identifier(oid)}</t:AttributeOID>`).join("")}</t:CertSubjectDNAttribute>`;
const POLICY = policies(identifier("1.2.3"));

test("an element is kept with its qualifiers, its criteria and whether it is critical", () => {
  const one = element(list("all", POLICY), `${QUALIFIER}NotQualified`, `${QUALIFIER}QCForWSA`);
  const kept = { qualifiers: ["NotQualified", "QCForWSA"], criteria: { all: [{ policies: ["1.2.3"] }] } };
  const critical = { ...kept, critical: true };
  expect(read(extension(qualifications(one)))).toEqual([critical]);
  expect(read(extension(qualifications(one), 'Critical="false"'))).toEqual([kept]);
  expect(read(extension(qualifications(one), 'Critical="0"'))).toEqual([kept]);
  expect(read(extension(qualifications(one), ""))).toEqual([critical]);
});

test("the elements of several extensions are kept in order", () => {
  const of = (name: string) => element(list("all", POLICY), QUALIFIER + name);
  const extensions = [
    extension(qualifications(of("One"), of("Two")) + qualifications(of("Three"))),
    extension("<a/>", 'Critical="false"'),
  ];
  const read4 = read(...extensions, extension(qualifications(of("Four"))));
  expect(read4.map(({ qualifiers }) => qualifiers)).toEqual([["One"], ["Two"], ["Three"], ["Four"]]);
});

test("a critical extension that is not known makes the service's certificates doubtful; any other is passed over", () => {
  const unknown = (name: string) => ({
    qualifiers: [],
    criteria: { unknown: `the extension ${name}` },
    critical: true,
  });
  expect(read(extension("<Limits/>"))).toEqual([unknown("Limits")]);
  expect(read(extension("<t:Qualifications/>"))).toEqual([unknown("Qualifications")]);
  expect(read(extension("<Limits/>", 'Critical="false"'))).toEqual([]);
  const known = ["<ExpiredCertsRevocationInfo/>", "<t:TakenOverBy/>", "<AdditionalServiceInformation/>"];
  expect(read(...known.map((content) => extension(` ${content} `)), extension(""))).toEqual([]);
});

test("a qualifier of the directive's vocabulary is shortened, any other kept whole", () => {
  const before = "http://uri.etsi.org/TrstSvc/eSigDir-1999-93-EC-TrustedList/SvcInfoExt/QCNoSSCD";
  const other = "http://lists.example/NotQualified";
  const [kept] = read(extension(qualifications(element(list("all", POLICY), before, other))));
  expect(kept?.qualifiers).toEqual(["QCNoSSCD", other]);
});

test("a qualifier's blanks around it do not count", () => {
  const [kept] = read(extension(qualifications(element(list("all", POLICY), ` ${QUALIFIER}NotQualified `))));
  expect(kept?.qualifiers).toEqual(["NotQualified"]);
});

const criteriaOf = (criteria: string): Criterion | undefined =>
  read(extension(qualifications(element(criteria, `${QUALIFIER}QCForWSA`))))[0]?.criteria;

test("text and comments between criteria are none", () => {
  expect(criteriaOf(list("all", "\n ", POLICY, "<!-- a comment -->"))).toEqual({ all: [{ policies: ["1.2.3"] }] });
  expect(criteriaOf(list("all", others("\n ", purposes("1.2.4"), "<!-- a comment -->")))).toEqual({
    all: [{ purposes: ["1.2.4"] }],
  });
  expect(criteriaOf(list("all", "\n<!-- a comment -->"))).toEqual({ unknown: "an empty criteria list" });
});

describe("criteria", () => {
  test.each<[what: string, criterion: string, expected: Criterion]>([
    ["a policy", POLICY, { policies: ["1.2.3"] }],
    ["several policies", policies(identifier("1.2.3"), identifier("2.16.4")), { policies: ["1.2.3", "2.16.4"] }],
    ["a policy as URN", policies(identifier("urn:oid:1.2.246.5", "OIDAsURN")), { policies: ["1.2.246.5"] }],
    ["a policy after oid:", policies(identifier("oid:1.3.76.36.1.1.22")), { policies: ["1.3.76.36.1.1.22"] }],
    ["a plain policy that is called a URI", policies(identifier(" 1.3.6.1 ", "OIDAsURI")), { policies: ["1.3.6.1"] }],
    [
      "key usages",
      keyUsage(["digitalSignature", "true"], ["nonRepudiation", "false"], ["keyCertSign", "0"], ["crlSign", "1"]),
      { keyUsage: { set: 1 | (1 << 6), clear: (1 << 1) | (1 << 5) } },
    ],
    ["a key usage that is not", keyUsage(["nonRepudiation", "false"]), { keyUsage: { set: 0, clear: 1 << 1 } }],
    [
      "purposes",
      others(purposes("1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2")),
      { purposes: ["1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2"] },
    ],
    ["attributes of the subject", others(subject("2.5.4.97")), { subject: ["2.5.4.97"] }],
    ["a nested list", list("none", POLICY), { none: [{ policies: ["1.2.3"] }] }],
  ])("%s", (_, criterion, expected) => {
    expect(criteriaOf(list("atLeastOne", criterion))).toEqual({ atLeastOne: [expected] });
  });

  test("of several kinds stand in one list, without its description", () => {
    const text = list(
      "all",
      keyUsage(["nonRepudiation", "true"]),
      POLICY,
      list("atLeastOne", POLICY),
      "<q:Description/>",
      others(subject("2.5.4.5"), purposes("1.2.3.4")),
    );
    expect(criteriaOf(text)).toEqual({
      all: [
        { keyUsage: { set: 2, clear: 0 } },
        { policies: ["1.2.3"] },
        { atLeastOne: [{ policies: ["1.2.3"] }] },
        { subject: ["2.5.4.5"] },
        { purposes: ["1.2.3.4"] },
      ],
    });
  });
});

describe("what is not understood is kept as unknown, with its name", () => {
  const deep = Array.from({ length: 9 }).reduce<string>((inner) => list("all", inner), POLICY);
  test.each<[what: string, criteria: string, name: RegExp]>([
    ["another element", list("all", "<q:Algorithm>RSA</q:Algorithm>"), /Algorithm/],
    ["another other criterion", list("all", others("<t:QcStatementSet/>")), /QcStatementSet/],
    ["a known name of another namespace", list("all", "<PolicySet/>"), /PolicySet/],
    [
      "a known name of another namespace among other criteria",
      list("all", others(purposes("1.2.3").replaceAll("t:ExtendedKeyUsage", "q:ExtendedKeyUsage"))),
      /^ExtendedKeyUsage$/,
    ],
    ["a key usage bit that does not exist", list("all", keyUsage(["sign", "true"])), /key usage sign true/],
    [
      "a key usage neither true nor false",
      list("all", keyUsage(["crlSign", "constructor"])),
      /key usage crlSign constr/,
    ],
    ["no key usage bit", list("all", keyUsage()), /key usage without bits/],
    ["no policy", list("all", policies()), /no identifiers of policies/],
    [
      "a policy that is no identifier",
      list("all", policies(identifier("http://policies.example/1"))),
      /PolicyIdentifier http/,
    ],
    ...["x1.2.3", "1.2.3x", "1.2.3,1.2.4"].map((text): [string, string, RegExp] => [
      ...([`a policy spelled ${text}`, list("all", policies(identifier(text))), /^PolicyIdentifier /] as const),
    ]),
    ["an empty list", list("all"), /empty/],
    ["a list of descriptions", list("all", "<q:Description>all</q:Description>"), /empty/],
    ["another assertion", list("most", POLICY), /most/],
    ["no assertion", list("all", POLICY).replace(' assert="all"', ""), /null/],
    ["no criteria list", "", /no criteria list/],
    ["lists nested too deep", deep, /nested deeper than 8/],
  ])("%s", (_, criteria, name) => {
    const text = JSON.stringify(criteriaOf(criteria));
    const [, unknown] = /"unknown":"([^"]*)"/.exec(text) ?? [];
    expect(unknown).toMatch(name);
  });

  test.each<[what: string, criterion: string, start: string]>([
    ["an element", `<q:${"N".repeat(101)}/>`, "N"],
    ["a key usage", keyUsage(["n".repeat(101), "true"]), "the key usage n"],
    ["an identifier", policies(identifier("n".repeat(101))), "PolicyIdentifier n"],
  ])("cut after 100 characters: %s", (_, criterion, start) => {
    const expected = start.padEnd(100, start.at(-1));
    expect(criteriaOf(list("all", criterion))).toEqual({ all: [{ unknown: expected }] });
  });

  test("beside what is understood", () => {
    expect(criteriaOf(list("atLeastOne", "<q:New/>", POLICY))).toEqual({
      atLeastOne: [{ unknown: "New" }, { policies: ["1.2.3"] }],
    });
  });
});

test("a service with more qualifications than any has is refused", () => {
  const many = Array.from({ length: 501 }, () => element(list("all", POLICY), `${QUALIFIER}QCForWSA`));
  expect(() => read(extension(qualifications(...many)))).toThrow("more than 500 qualifications");
});
