/**
 * The valid_policy_tree of RFC 5280 section 6.1 by the letter, which grows exponentially: the second opinion on
 * policies.ts. The inputs are the service's: any policy will do, none is demanded.
 */
import type { PathExtensions } from "../../../src/x509/extensions.ts";

export const ANY = "2.5.29.32.0";

/** What a certificate says, and whether it is self-issued. */
export type PolicyLink = Pick<
  PathExtensions,
  "policies" | "policyMappings" | "policyConstraints" | "inhibitAnyPolicy"
> & { readonly selfIssued: boolean };

interface Node {
  readonly policy: string;
  expected: ReadonlySet<string>;
  children: Node[];
}
const node = (policy: string, expected: ReadonlySet<string> = new Set([policy])): Node => ({
  policy,
  expected,
  children: [],
});

/** Returns which certificate of the path is at fault, counted from below the anchor, or null. */
export function findPolicyFault(path: readonly PolicyLink[]): number | null {
  const n = path.length;
  // 6.1.2
  let tree: Node | null = node(ANY);
  let [explicitPolicy, policyMapping, inhibitAnyPolicy] = [n + 1, n + 1, n + 1];
  const level = (depth: number): Node[] => {
    let nodes = tree ? [tree] : [];
    for (let i = 0; i < depth; i++) nodes = nodes.flatMap(({ children }) => children);
    return nodes;
  };
  /** Deletes nodes above the depth that have no children. */
  const prune = (depth: number) => {
    for (let i = depth - 1; i > 0; i--)
      for (const parent of level(i - 1))
        parent.children = parent.children.filter(({ children }) => children.length > 0);
    if (tree?.children.length === 0) tree = null;
  };
  for (const [index, link] of path.entries()) {
    const i = index + 1;
    const { policies, policyMappings, policyConstraints, selfIssued } = link;
    // 6.1.3 (d) (1)
    for (const policy of policies ?? []) {
      if (policy === ANY) continue;
      const expecting = level(i - 1).filter(({ expected }) => expected.has(policy));
      const parents = expecting.length > 0 ? expecting : level(i - 1).filter((each) => each.policy === ANY);
      for (const parent of parents) parent.children.push(node(policy));
    }
    // (d) (2)
    if (policies?.has(ANY) && (inhibitAnyPolicy > 0 || (i < n && selfIssued)))
      for (const parent of level(i - 1))
        for (const policy of parent.expected)
          if (!parent.children.some((child) => child.policy === policy)) parent.children.push(node(policy));
    // (d) (3), (e)
    if (policies) prune(i);
    else tree = null;
    // (f)
    if (explicitPolicy === 0 && !tree) return index;
    if (i === n) break;
    // 6.1.4 (a), (b)
    if (policyMappings?.flat().includes(ANY)) return index;
    for (const [from] of policyMappings ?? []) {
      const to = new Set(policyMappings?.flatMap((pair) => (pair[0] === from ? [pair[1]] : [])));
      const mapped = level(i).filter(({ policy }) => policy === from);
      if (policyMapping === 0) {
        for (const parent of level(i - 1)) parent.children = parent.children.filter((child) => !mapped.includes(child));
        prune(i);
      } else if (mapped.length > 0) for (const each of mapped) each.expected = to;
      else
        for (const parent of level(i - 1))
          if (parent.policy === ANY && parent.children.some(({ policy }) => policy === ANY))
            parent.children.push(node(from, to));
    }
    // (h), (i), (j)
    const passed = selfIssued ? 0 : 1;
    const count = (left: number, own: number | null | undefined) =>
      Math.min(Math.max(0, left - passed), own ?? Infinity);
    explicitPolicy = count(explicitPolicy, policyConstraints?.requireExplicitPolicy);
    policyMapping = count(policyMapping, policyConstraints?.inhibitPolicyMapping);
    inhibitAnyPolicy = count(inhibitAnyPolicy, link.inhibitAnyPolicy);
  }
  // 6.1.5 (a), (b), (g)
  const demanded = explicitPolicy <= 1 || path[n - 1]?.policyConstraints?.requireExplicitPolicy === 0;
  return demanded && !tree ? n - 1 : null;
}
