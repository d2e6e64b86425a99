/** Name constraints (RFC 5280 section 4.2.1.10): which names may appear in certificates below a CA. */
import type { Certificate } from "./certificate.ts";
import { children, context, type Der, DerError, expect, readDer, Tag } from "./der.ts";
import { isEmptyName, type Name } from "./name.ts";
import { type AlternativeName, covers, isConstraintBase, readAlternativeName } from "./name-forms.ts";
import type { PathBudget } from "./path-budget.ts";

export interface NameConstraints {
  readonly permitted: readonly AlternativeName[];
  readonly excluded: readonly AlternativeName[];
}

const EMAIL_ADDRESS = "1.2.840.113549.1.9.1";

export function readNameConstraints(value: Uint8Array): NameConstraints {
  const what = "nameConstraints";
  const fields = children(expect(readDer(value, what), Tag.sequence, what), what);
  const permitted = readSubtrees(fields, 0, what);
  const excluded = readSubtrees(fields, 1, what);
  if (fields.length > 0 || permitted.length + excluded.length === 0) throw new DerError(`${what}: malformed`);
  return { permitted, excluded };
}

function readSubtrees(fields: Der[], n: number, what: string): AlternativeName[] {
  if (fields[0]?.tag !== context(n)) return [];
  const subtrees = children(expect(fields.shift(), context(n), what), what);
  if (subtrees.length === 0) throw new DerError(`${what}: empty subtrees`);
  return subtrees.map((subtree) => {
    const [base, ...bounds] = children(expect(subtree, Tag.sequence, what), what);
    if (!base) throw new DerError(`${what}: a subtree without base`);
    // RFC 5280 section 4.2.1.10: minimum is always 0, the default that DER omits, and maximum is absent
    if (bounds.length > 0) throw new DerError(`${what}: a subtree with minimum or maximum`);
    const name = readAlternativeName(base, what);
    if (!isConstraintBase(name)) throw new DerError(`${what}: a ${name.form} base that is malformed`);
    return name;
  });
}

/** The subject's e-mail addresses count if no alternative name is one (RFC 5280 section 4.2.1.10). */
export function listConstrainedNames(
  certificate: Certificate,
  alternativeNames: readonly AlternativeName[] | null,
): AlternativeName[] {
  const { subject } = certificate;
  const names = alternativeNames ?? [];
  return [
    ...(isEmptyName(subject) ? [] : [{ form: "directory" as const, name: subject }]),
    ...names,
    ...(names.some(({ form }) => form === "email") ? [] : listSubjectEmails(subject)),
  ];
}

const listSubjectEmails = (subject: Name): AlternativeName[] =>
  subject.rdns
    .flat()
    .flatMap(({ oid, value }) => (oid === EMAIL_ADDRESS ? [{ form: "email" as const, text: value ?? "" }] : []));

/** Returns the first violation of one CA's constraints, or null. Null means nothing if `budget` ran out meanwhile. */
export function findForbiddenName(
  constraints: NameConstraints,
  names: readonly AlternativeName[],
  budget: PathBudget,
): string | null {
  for (const name of names) {
    const excluded = constraints.excluded.filter(({ form }) => form === name.form);
    const permitted = constraints.permitted.filter(({ form }) => form === name.form);
    if (!budget.spend("comparisons", excluded.length + permitted.length)) return null;
    for (const base of excluded) {
      const covered = covers(base, name, "excluded");
      if (covered !== false)
        return `${describe(name)} is ${covered ? "excluded by" : "not comparable with"} the name constraints`;
    }
    if (permitted.length > 0 && !permitted.some((base) => covers(base, name, "permitted") === true))
      return `${describe(name)} is not permitted by the name constraints`;
  }
  return null;
}

function describe(name: AlternativeName): string {
  switch (name.form) {
    case "dns":
    case "email":
    case "uri":
      return `the name ${JSON.stringify(name.text.slice(0, 100))}`;
    default:
      return `a name of the form ${name.form}`;
  }
}
