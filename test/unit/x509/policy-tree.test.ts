import fc from "fast-check";
import { expect, test } from "vitest";
import { makeCertificate } from "../../../fixtures/makers/made-pki.ts";
import { readPathExtensions } from "../../../src/x509/extensions.ts";
import { applyPolicies, finishPolicies, preparePolicies, startPolicies } from "../../../src/x509/policies.ts";
import { ANY, findPolicyFault, type PolicyLink } from "./policy-tree.ts";

const reading = readPathExtensions(makeCertificate({ subject: "PSP" }).certificate);
if (!reading.ok) throw new Error(reading.reason);
const { extensions: none } = reading;

function findFault(path: readonly PolicyLink[]): number | null {
  const state = startPolicies();
  for (const [index, { selfIssued, ...own }] of path.entries()) {
    const extensions = { ...none, ...own };
    const last = index === path.length - 1;
    const problem =
      applyPolicies(state, extensions, { selfIssued, last }) ??
      (last ? finishPolicies(state, extensions) : preparePolicies(state, extensions, selfIssued));
    if (problem !== null) return index;
  }
  return null;
}

const some = fc.constantFrom("1.2.3.1", "1.2.3.2", "1.2.3.3");
const policies = fc.uniqueArray(fc.oneof(some, some, fc.constant(ANY)), { minLength: 1 }).map((each) => new Set(each));
const skip = fc.nat({ max: 3 });
const link: fc.Arbitrary<PolicyLink> = fc.record({
  policies: fc.option(policies, { freq: 20, nil: null }),
  policyMappings: fc.option(fc.array(fc.tuple(some, some), { minLength: 1, maxLength: 4 }), { freq: 2, nil: null }),
  policyConstraints: fc.option(
    fc.record({
      requireExplicitPolicy: fc.option(skip, { freq: 4, nil: null }),
      inhibitPolicyMapping: fc.option(skip, { freq: 2, nil: null }),
    }),
    { freq: 2, nil: null },
  ),
  inhibitAnyPolicy: fc.option(skip, { freq: 2, nil: null }),
  selfIssued: fc.boolean(),
});

test("of any path the same certificate is at fault as by the tree of RFC 5280", () => {
  let [valid, faulty] = [0, 0];
  const path = fc.array(link, { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(path, (links) => {
      const fault = findPolicyFault(links);
      if (fault === null) valid++;
      else faulty++;
      expect(findFault(links)).toBe(fault);
    }),
    { numRuns: 1000 },
  );
  // neither is rare: about 130 valid ones are drawn, of a deviation of 9
  expect(Math.min(valid, faulty)).toBeGreaterThan(50);
});
