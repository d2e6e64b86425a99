/** What a form found of several certificates, as rows: one for each file, also for copies. Their totals and order. Pure. */
import { type ListFile, members } from "../list-file.tsx";
import type { CheckResult, Finding, KeptCheck } from "./kept-checks.ts";
import { listWhy } from "./report.tsx";

export interface ResultRow {
  readonly finding: Finding;
  /** Of the finding, from 1: by it its report is found. */
  readonly number: number;
  readonly file: string;
  /** The file before it that has the same certificate; null: it is the first. */
  readonly copyOf: string | null;
}

/** In the order of the form, copies behind their first. Results of earlier releases name no copies. */
export const listRows = ({ findings }: Pick<KeptCheck, "findings">): ResultRow[] =>
  findings.flatMap((finding, i) => {
    const files = finding.files ?? [finding.from];
    return files.map((file, copy) => ({
      ...{ finding, number: i + 1, file, copyOf: copy === 0 ? null : (files[0] ?? null) },
    }));
  });

export const isValid = ({ report }: CheckResult): boolean => report.verdicts.every(({ good }) => good);

const answerOf = (finding: Finding, scope: "payments" | "accounts"): string =>
  finding.ok ? (finding.report.decision.find((each) => each.scope === scope)?.answer ?? "unknown") : "not checked";

/** Of certificates, a copy counts once; `unchecked` are files. */
export function countResults(check: Pick<KeptCheck, "findings">) {
  const checked = check.findings.filter((finding): finding is CheckResult => finding.ok);
  const rows = listRows(check);
  const count = (scope: "payments" | "accounts") => checked.filter((each) => answerOf(each, scope) === "yes").length;
  return {
    ...{ files: rows.length, certificates: checked.length, valid: checked.filter(isValid).length },
    ...{ payments: count("payments"), accounts: count("accounts") },
    unchecked: rows.filter(({ finding }) => !finding.ok).length,
  };
}

/** By what each column is sorted. */
const KEYS = {
  file: ({ file }) => file,
  psp: ({ finding }) => (finding.ok ? (finding.name ?? "") : ""),
  number: ({ finding }) => (finding.ok ? (finding.authNumber ?? "") : ""),
  certificate: ({ finding }) => (finding.ok ? (isValid(finding) ? "valid" : "not valid") : "not checked"),
  payments: ({ finding }) => answerOf(finding, "payments"),
  accounts: ({ finding }) => answerOf(finding, "accounts"),
} as const satisfies Record<string, (row: ResultRow) => string>;
export type SortKey = keyof typeof KEYS;

export type Order = { readonly by: SortKey; readonly descending: boolean };

/** Of an address, such as `psp` or `-psp`; null: the order of the form. */
export function readOrder(text = ""): Order | null {
  const by = text.replace(/^-/, "");
  return Object.hasOwn(KEYS, by) ? { by: by as SortKey, descending: text.startsWith("-") } : null;
}

/** By the column that has it already in the other direction. */
export const writeOrder = (by: SortKey, shown: Order | null): string =>
  shown?.by === by && !shown.descending ? `-${by}` : by;

/** Digits by their number: `psp-9.pem` before `psp-10.pem`. */
const COLLATOR = new Intl.Collator("en", { numeric: true });

export function sortRows(rows: readonly ResultRow[], order: Order | null): readonly ResultRow[] {
  if (order === null) return rows;
  const key = KEYS[order.by];
  const direction = order.descending ? -1 : 1;
  return rows.toSorted((a, b) => direction * COLLATOR.compare(key(a), key(b)));
}

const ofChecked = ({ finding }: ResultRow): CheckResult | null => (finding.ok ? finding : null);
const day = (time: number | undefined): string | null =>
  time === undefined ? null : new Date(time).toISOString().slice(0, 10);

export const resultList = (check: KeptCheck, order: Order | null): ListFile<ResultRow> => ({
  name: "certificates",
  columns: {
    ...members("file"),
    same_certificate_as: ({ copyOf }) => copyOf,
    psp: (row) => ofChecked(row)?.name,
    number: (row) => ofChecked(row)?.authNumber,
    certificate: KEYS.certificate,
    valid_until: (row) => day(ofChecked(row)?.certificate.notAfter),
    country: () => check.jurisdiction,
    payments: KEYS.payments,
    accounts: KEYS.accounts,
    why_not: ({ finding }) => (finding.ok ? listWhy(finding.report).join(" ") : finding.message),
    sha256: (row) => ofChecked(row)?.certificate.sha256,
    evidence_id: (row) => ofChecked(row)?.evidenceId,
  },
  read: async () => ({ rows: sortRows(listRows(check), order), next: null }),
});
