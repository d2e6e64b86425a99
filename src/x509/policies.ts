/**
 * Certificate policies (RFC 5280 section 6.1 with RFC 9618) where any policy is acceptable and none is required: a path
 * fails only if one of its CAs requires an explicit policy and none is valid. In the policy graph only the last level
 * determines the next one, so only that is kept.
 */
import type { PathExtensions } from "./extensions.ts";

const ANY_POLICY = "2.5.29.32.0";

export interface PolicyState {
  /** Each valid policy, and the policies expected in the next certificate. */
  level: Map<string, ReadonlySet<string>>;
  explicitPolicy: number;
  policyMapping: number;
  inhibitAnyPolicy: number;
}

/** RFC 5280 section 6.1.2 begins its counters with more than the path has certificates. */
export const startPolicies = (): PolicyState => ({
  level: new Map([[ANY_POLICY, new Set([ANY_POLICY])]]),
  explicitPolicy: Infinity,
  policyMapping: Infinity,
  inhibitAnyPolicy: Infinity,
});

/** RFC 5280 section 6.1.3 (d) to (f), for every certificate below the anchor. Returns what is wrong, or null. */
export function applyPolicies(
  state: PolicyState,
  { policies }: PathExtensions,
  certificate: { readonly selfIssued: boolean; readonly last: boolean },
): string | null {
  const anyAllowed = state.inhibitAnyPolicy > 0 || (certificate.selfIssued && !certificate.last);
  state.level = policies ? nextLevel(state.level, policies, anyAllowed) : new Map();
  return state.explicitPolicy === 0 && state.level.size === 0
    ? "no certificate policy is valid for the path, but one is required"
    : null;
}

function nextLevel(
  level: PolicyState["level"],
  policies: ReadonlySet<string>,
  anyAllowed: boolean,
): PolicyState["level"] {
  const expected = new Set([...level.values()].flatMap((set) => [...set]));
  const next: PolicyState["level"] = new Map();
  for (const policy of policies)
    if (policy !== ANY_POLICY && (expected.has(policy) || level.has(ANY_POLICY))) next.set(policy, new Set([policy]));
  if (policies.has(ANY_POLICY) && anyAllowed) for (const policy of expected) next.set(policy, new Set([policy]));
  return next;
}

/** RFC 5280 section 6.1.4 (a), (b), (h) to (j), for every certificate but the leaf. Returns what is wrong, or null. */
export function preparePolicies(
  state: PolicyState,
  { policyMappings, policyConstraints, inhibitAnyPolicy }: PathExtensions,
  selfIssued: boolean,
): string | null {
  if (policyMappings) {
    if (policyMappings.some((pair) => pair.includes(ANY_POLICY))) return "a policy mapping from or to anyPolicy";
    mapPolicies(state, policyMappings);
  }
  if (!selfIssued) {
    state.explicitPolicy = Math.max(0, state.explicitPolicy - 1);
    state.policyMapping = Math.max(0, state.policyMapping - 1);
    state.inhibitAnyPolicy = Math.max(0, state.inhibitAnyPolicy - 1);
  }
  state.explicitPolicy = Math.min(state.explicitPolicy, policyConstraints?.requireExplicitPolicy ?? Infinity);
  state.policyMapping = Math.min(state.policyMapping, policyConstraints?.inhibitPolicyMapping ?? Infinity);
  state.inhibitAnyPolicy = Math.min(state.inhibitAnyPolicy, inhibitAnyPolicy ?? Infinity);
  return null;
}

function mapPolicies({ level, policyMapping }: PolicyState, mappings: readonly (readonly [string, string])[]): void {
  const mapped = new Map<string, Set<string>>();
  for (const [from, to] of mappings) mapped.set(from, (mapped.get(from) ?? new Set()).add(to));
  for (const [from, to] of mapped) {
    if (policyMapping === 0) level.delete(from);
    // For anyPolicy RFC 5280 adds a node here. It can be omitted: the next certificate may hold any policy anyway.
    else if (level.has(from)) level.set(from, to);
  }
}

/** RFC 5280 section 6.1.5 (a), (b) and (g), for the leaf. Returns what is wrong, or null. */
export function finishPolicies(state: PolicyState, { policyConstraints }: PathExtensions): string | null {
  const demanded = state.explicitPolicy <= 1 || policyConstraints?.requireExplicitPolicy === 0;
  return demanded && state.level.size === 0 ? "no certificate policy is valid for the path, but one is required" : null;
}
