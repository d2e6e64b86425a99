/** Paths are given as the extensions of their certificates, from below the anchor down to the leaf. */
import { expect, test } from "vitest";
import { at, type Holder, type MadeExtension, makeCertificate } from "../../../fixtures/makers/made-pki.ts";
import {
  ANY_POLICY,
  caExtensions,
  inhibitAnyPolicy,
  policies,
  policyConstraints,
  policyMappings,
} from "../../../fixtures/makers/path-extensions.ts";
import { buildPath } from "../../../src/x509/path.ts";

const P1 = "1.2.3.1";
const P2 = "1.2.3.2";
const P3 = "1.2.3.3";
const root = makeCertificate({ subject: "Root", extensions: caExtensions() });

interface Link {
  extensions: MadeExtension[];
  selfIssued?: boolean;
}
const link = (...extensions: MadeExtension[]): Link => ({ extensions });
const selfIssued = (...extensions: MadeExtension[]): Link => ({ extensions, selfIssued: true });

function search(links: Link[]) {
  const chain: Holder[] = [root];
  for (const [n, { extensions, selfIssued: again }] of links.entries()) {
    const issuer = chain[n] ?? root;
    const subject = again ? (issuer.certificate.subject.rdns[0]?.[0]?.value ?? "") : `Certificate ${n}`;
    const last = n === links.length - 1;
    chain.push(makeCertificate({ subject, issuer, extensions: [...(last ? [] : caExtensions()), ...extensions] }));
  }
  const [leaf = root, ...issuers] = chain.slice(1).reverse();
  return buildPath({
    leaf: leaf.certificate,
    issuers: issuers.map(({ certificate }) => certificate),
    anchors: [root.certificate],
    now: at("2026-06-15T12:00:00Z"),
  });
}

async function judge(links: Link[]): Promise<string> {
  const result = await search(links);
  return result.ok ? "valid" : (result.message.split("on: ")[1] ?? result.message);
}

const NONE_HOLDS = "no certificate policy is valid for the path, but one is required";
const EXPLICIT = policyConstraints(0);

test.each<[string, Link[], string]>([
  ["no policies, none demanded", [link(), link()], "valid"],
  ["different policies, none demanded", [link(policies(P1)), link(policies(P2))], "valid"],
  ["one policy throughout, demanded", [link(policies(P1), EXPLICIT), link(policies(P1))], "valid"],
  ["different policies, demanded", [link(policies(P1), EXPLICIT), link(policies(P2))], NONE_HOLDS],
  ["no policy in the leaf, demanded", [link(policies(P1), EXPLICIT), link()], NONE_HOLDS],
  ["no policy on the way, demanded", [link(policies(P1), EXPLICIT), link(), link(policies(P1))], NONE_HOLDS],
  ["demanded by the leaf itself", [link(policies(P1)), link(policies(P2), EXPLICIT)], NONE_HOLDS],
  ["demanded after one more certificate", [link(policyConstraints(1)), link(), link()], NONE_HOLDS],
  ["demanded after two more certificates", [link(policyConstraints(2)), link(), link()], NONE_HOLDS],
  ["demanded again, but later", [link(policies(P1), EXPLICIT), link(policyConstraints(3)), link()], NONE_HOLDS],
  ["demanded by the leaf of what it would issue", [link(policies(P1)), link(policyConstraints(1))], "valid"],
  ["demanded of the leaf by its issuer", [link(policyConstraints(1)), link()], NONE_HOLDS],
  ["demanded later, self-issued ones not counted", [link(policyConstraints(2)), selfIssued(), link()], "valid"],
  ["demanded after more certificates than there are", [link(policyConstraints(3)), link(), link()], "valid"],
  ["anyPolicy above", [link(policies(ANY_POLICY), EXPLICIT), link(policies(P1))], "valid"],
  ["anyPolicy below", [link(policies(P1), EXPLICIT), link(policies(ANY_POLICY))], "valid"],
  ["anyPolicy inhibited", [link(policies(P1), EXPLICIT, inhibitAnyPolicy(0)), link(policies(ANY_POLICY))], NONE_HOLDS],
  [
    "anyPolicy inhibited below anyPolicy",
    [link(policies(ANY_POLICY), EXPLICIT, inhibitAnyPolicy(0)), link(policies(ANY_POLICY))],
    NONE_HOLDS,
  ],
  [
    "anyPolicy inhibited after one more certificate, before it",
    [link(policies(P1), EXPLICIT, inhibitAnyPolicy(1)), link(policies(ANY_POLICY))],
    "valid",
  ],
  [
    "anyPolicy inhibited after one more certificate, behind it",
    [link(policies(P1), EXPLICIT, inhibitAnyPolicy(1)), link(policies(P1)), link(policies(ANY_POLICY))],
    NONE_HOLDS,
  ],
  [
    "anyPolicy inhibited after one more certificate, self-issued ones not counted",
    [link(policies(P1), EXPLICIT, inhibitAnyPolicy(1)), selfIssued(policies(P1)), link(policies(ANY_POLICY))],
    "valid",
  ],
  [
    "anyPolicy inhibited again, but later",
    [
      link(policies(P1), EXPLICIT, inhibitAnyPolicy(0)),
      link(policies(P1), inhibitAnyPolicy(3)),
      link(policies(ANY_POLICY)),
    ],
    NONE_HOLDS,
  ],
  [
    "anyPolicy inhibited, but for the self-issued",
    [link(policies(P1), EXPLICIT, inhibitAnyPolicy(0)), selfIssued(policies(ANY_POLICY)), link(policies(P1))],
    "valid",
  ],
  [
    "anyPolicy inhibited, a self-issued leaf included",
    [link(policies(P1), EXPLICIT, inhibitAnyPolicy(0)), selfIssued(policies(ANY_POLICY))],
    NONE_HOLDS,
  ],
  ["mapped", [link(policies(P1), policyMappings([P1, P2]), EXPLICIT), link(policies(P2))], "valid"],
  ["mapped away", [link(policies(P1), policyMappings([P1, P2]), EXPLICIT), link(policies(P1))], NONE_HOLDS],
  ["mapped to two", [link(policies(P1), policyMappings([P1, P2], [P1, P3]), EXPLICIT), link(policies(P3))], "valid"],
  [
    "mapped from anyPolicy's",
    [link(policies(ANY_POLICY), policyMappings([P1, P2]), EXPLICIT), link(policies(P2))],
    "valid",
  ],
  [
    "mapped, but the policy is not held",
    [link(policies(P3), policyMappings([P1, P2]), EXPLICIT), link(policies(P2))],
    NONE_HOLDS,
  ],
  [
    "mapping inhibited",
    [link(policies(P1), policyConstraints(0, 0)), link(policies(P1), policyMappings([P1, P2])), link(policies(P2))],
    NONE_HOLDS,
  ],
  [
    "mapping inhibited, and the policy is gone",
    [link(policies(P1), policyConstraints(0, 0)), link(policies(P1), policyMappings([P1, P2])), link(policies(P1))],
    NONE_HOLDS,
  ],
  [
    "mapping inhibited, and another policy is not mapped",
    [
      link(policies(P1, P3), policyConstraints(0, 0)),
      link(policies(P1, P3), policyMappings([P1, P2])),
      link(policies(P3)),
    ],
    "valid",
  ],
  [
    "mapping inhibited after one more certificate, before it",
    [link(policies(P1), policyConstraints(0, 1)), link(policies(P1), policyMappings([P1, P2])), link(policies(P2))],
    "valid",
  ],
  ...[
    ["after one more certificate, behind it", policyConstraints(0, 1), link(policies(P1)), NONE_HOLDS] as const,
    ["after one more, self-issued not counted", policyConstraints(0, 1), selfIssued(policies(P1)), "valid"] as const,
    ["at once, and for good", policyConstraints(0, 0), link(policies(P1)), NONE_HOLDS] as const,
    ["again, but later", policyConstraints(0, 0), link(policies(P1), policyConstraints(3, 3)), NONE_HOLDS] as const,
  ].map(([when, constraints, between, expected]): [string, Link[], string] => [
    `mapping inhibited ${when}`,
    [link(policies(P1), constraints), between, link(policies(P1), policyMappings([P1, P2])), link(policies(P2))],
    expected,
  ]),
  [
    "mapping from anyPolicy",
    [link(policies(P1), policyMappings([ANY_POLICY, P1])), link()],
    "a policy mapping from or to anyPolicy",
  ],
  [
    "mapping to anyPolicy beside another",
    [link(policies(P1), policyMappings([P1, P2], [P2, ANY_POLICY])), link()],
    "a policy mapping from or to anyPolicy",
  ],
  [
    "mapping to anyPolicy",
    [link(policies(P1), policyMappings([P1, ANY_POLICY])), link()],
    "a policy mapping from or to anyPolicy",
  ],
])("%s", async (_, links, expected) => {
  expect(await judge(links)).toBe(expected);
});

// RFC 5280 section 6.1.3 (f)
test("the certificate that leaves no policy is at fault, not the leaf", async () => {
  const links = [link(policies(P1), EXPLICIT), link(policies(P2)), link(policies(P2))];
  expect(await search(links)).toMatchObject({
    message: `the issuer's certificate "Certificate 1" cannot be relied on: ${NONE_HOLDS}`,
  });
});

test("policies that map to each other in eight CAs take no longer than they are many", async () => {
  const all = Array.from({ length: 24 }, (_, n) => `1.2.4.${n}`);
  const pairs = all.flatMap((from) => all.map((to): [string, string] => [from, to]));
  const links = Array.from({ length: 8 }, () => link(policies(...all), policyMappings(...pairs)));
  expect(await judge([...links, link(policies(...all), EXPLICIT)])).toBe("valid");
});
