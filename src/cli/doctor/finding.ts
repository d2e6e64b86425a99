/** What `doctor` finds: one sentence for each thing that it looks at, and what is to be done about it. */
import { EXIT, type ExitCode } from "../fail.ts";
import type { Style } from "../output.ts";

export const AREAS = [
  "configuration",
  "stores",
  "records",
  "sources",
  "clock",
  "webhooks",
  "token keys",
  "root of trust",
] as const;
type Area = (typeof AREAS)[number];

/** `unknown`: it could not be found out, because a store or a source did not answer. `note`: all is well without it, too. */
type State = "good" | "to do" | "unknown" | "note";

export interface Finding {
  readonly area: Area;
  readonly state: State;
  readonly message: string;
  /** What to do; null exactly where the state is good. */
  readonly todo: string | null;
}

export const good = (area: Area, message: string): Finding => ({ area, state: "good", message, todo: null });
export const toDo = (area: Area, message: string, todo: string): Finding => ({ area, state: "to do", message, todo });
export const unknown = (area: Area, message: string, todo: string): Finding => ({
  ...{ area, state: "unknown", message, todo },
});

export const note = (area: Area, message: string, todo: string): Finding => ({ area, state: "note", message, todo });

/** Of all together: something to do counts more than something unknown, and a note does not count. */
export const stateOf = (findings: readonly Finding[]): Exclude<State, "note"> =>
  (["to do", "unknown"] as const).find((state) => findings.some((finding) => finding.state === state)) ?? "good";

export const exitCodeOf = (state: ReturnType<typeof stateOf>): ExitCode =>
  ({ good: EXIT.yes, "to do": EXIT.no, unknown: EXIT.unknown })[state];

/** By area, each with what is to be done below it. */
export function describeFindings(findings: readonly Finding[], style: Style): string {
  const marks = {
    good: style.good("✓"),
    "to do": style.bad("✗"),
    unknown: style.doubtful("?"),
    note: style.doubtful("!"),
  };
  const count = (state: State) => findings.filter((finding) => finding.state === state).length;
  const heads = {
    good: style.good("✓ nothing is to be done"),
    "to do": style.bad(`✗ to be done: ${count("to do")}`),
    unknown: style.doubtful(`? could not be found out: ${count("unknown")}`),
  };
  return [
    heads[stateOf(findings)],
    ...AREAS.flatMap((area) => {
      const own = findings.filter((finding) => finding.area === area);
      return own.length === 0
        ? []
        : ["", style.strong(area), ...own.flatMap((finding) => describeFinding(finding, marks))];
    }),
  ].join("\n");
}

const describeFinding = ({ state, message, todo }: Finding, marks: Readonly<Record<State, string>>): string[] => [
  `  ${marks[state]} ${message}`,
  ...(todo === null ? [] : [`    → ${todo}`]),
];
