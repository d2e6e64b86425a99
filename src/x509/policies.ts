/**
 * Certificate policies along a path (RFC 5280 section 6.1 with RFC 9618), for the inputs that we give: any policy will
 * do, none is demanded, mapping and anyPolicy are allowed. So a path fails here only when one of its CAs demands that
 * a policy hold throughout (requireExplicitPolicy) and none does.
 *
 * RFC 9618's graph lets only its last level decide what comes next, and with "any policy" asked for, the outcome is
 * whether that level is empty. Therefore only the last level is kept: work and memory grow with what the certificates
 * hold, never exponentially.
 */
import type { PathExtensions } from "./extensions.ts";

const ANY_POLICY = "2.5.29.32.0";

export interface PolicyState {
  /** Valid policy -> the policies expected of the next certificate. Empty: no policy holds any more. */
  level: Map<string, ReadonlySet<string>>;
  explicitPolicy: number;
  policyMapping: number;
  inhibitAnyPolicy: number;
}

/** @param certificates on the path, the anchor not counted */
export const startPolicies = (certificates: number): PolicyState => ({
  level: new Map([[ANY_POLICY, new Set([ANY_POLICY])]]),
  explicitPolicy: certificates + 1,
  policyMapping: certificates + 1,
  inhibitAnyPolicy: certificates + 1,
});

/** Section 6.1.3 (d) to (f), for each certificate from the anchor down. Returns what is wrong, or null. */
export function applyPolicies(
  state: PolicyState,
  { policies }: PathExtensions,
  certificate: { readonly selfIssued: boolean; readonly last: boolean },
): string | null {
  const anyAllowed = state.inhibitAnyPolicy > 0 || (certificate.selfIssued && !certificate.last);
  state.level = policies ? nextLevel(state.level, policies, anyAllowed) : new Map();
  return state.explicitPolicy === 0 && state.level.size === 0 ? "no certificate policy holds, though one must" : null;
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
  if (policies.has(ANY_POLICY) && anyAllowed)
    for (const policy of expected) if (!next.has(policy)) next.set(policy, new Set([policy]));
  return next;
}

/** Section 6.1.4 (a), (b), (h) to (j), for each certificate but the leaf. Returns what is wrong, or null. */
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
    // under anyPolicy RFC 5280 adds a node here, which changes nothing: the next certificate may hold any policy as it is
    else if (level.has(from)) level.set(from, to);
  }
}

/** Section 6.1.5 (a), (b) and (g), for the leaf. Returns what is wrong, or null. */
export function finishPolicies(state: PolicyState, { policyConstraints }: PathExtensions): string | null {
  const demanded = state.explicitPolicy <= 1 || policyConstraints?.requireExplicitPolicy === 0;
  return demanded && state.level.size === 0 ? "no certificate policy holds, though one must" : null;
}
