/** `psp check` for people: the decision first, then what it rests on. */

import { showInvisible } from "../platform/quotation.ts";
import type { PspReport } from "../psp-check/psp-report.ts";
import type { Remark } from "../psp-check/sentences.ts";
import type { Style } from "./output.ts";
import { drawTable } from "./table.ts";

export function describePspReport(report: PspReport, style: Style): string {
  // names of certificates and registers are in its sentences: one line each, whatever a name holds
  const { identity, verdicts, decision, services, registers, warnings, sources } = JSON.parse(
    JSON.stringify(report),
    (_, value: unknown) => (typeof value === "string" ? showInvisible(value) : value),
  ) as PspReport;
  return [
    ...identity,
    ...section("Decision", style),
    ...decision.flatMap(({ answer, sentence, reasons }) => [
      `  ${MARKS[answer](style)} ${sentence}`,
      ...reasons.flatMap((reason) => drawRemark(reason, style, `      `, ` (${reason.whose})`)),
    ]),
    ...section("The certificate", style),
    ...verdicts.flatMap(({ field, good, sentence, reasons }) => [
      `  ${good ? style.good("✓") : style.bad("✗")} ${sentence} ${style.faint(field)}`,
      ...reasons.flatMap((reason) => drawRemark(reason, style, "      ")),
    ]),
    ...section("Payment services", style),
    drawServices(services, style),
    ...registers.flatMap(({ title, lines }) => [...section(title, style), ...lines.map((line) => `  ${line}`)]),
    ...(warnings.length === 0 ? [] : section("Warnings", style)),
    ...warnings.flatMap((warning) => drawRemark(warning, style, `  ${style.doubtful("!")} `)),
    ...(sources.length === 0 ? [] : section("Sources", style)),
    ...sources.map(
      ({ name, sentence, stale }) =>
        `  ${stale ? style.doubtful("!") : " "} ${name}: ${sentence}${stale ? ", stale" : ""}`,
    ),
  ].join("\n");
}

const MARKS = {
  yes: (style: Style) => style.good("✓"),
  no: (style: Style) => style.bad("✗"),
  unknown: (style: Style) => style.doubtful("?"),
} as const;

const section = (title: string, style: Style): string[] => ["", style.strong(title)];

/** What is wrong, and below it what is to be done. */
const drawRemark = ({ code, sentence, cure }: Remark, style: Style, lead: string, whose = ""): string[] => [
  `${lead}${sentence}${whose} ${style.faint(code)}`,
  `      → ${cure}`,
];

/** Without the column of passports where none is needed. */
function drawServices(services: PspReport["services"], style: Style): string {
  const abroad = services.some(({ passported }) => passported !== null);
  const mark = (has: boolean) => (has ? style.good("✓ yes") : "–");
  const rows = services.map(({ service, name, onCertificate, atHome, passported }) => [
    `  ${service} ${name}`,
    mark(onCertificate),
    mark(atHome),
    ...(abroad ? [mark(passported === true)] : []),
  ]);
  return drawTable(
    ["  service", "on the certificate", "in the home register", ...(abroad ? ["passport"] : [])],
    rows,
    style,
  );
}
