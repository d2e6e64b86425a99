/** `psp check` and `certificate show`: a certificate as the service reads and judges it, at any time. */
import type { Command } from "commander";
import type { BankPassports } from "../institutions/financial-institutions.ts";
import { clock } from "../platform/clock.ts";
import { readKnownCountry } from "../platform/country.ts";
import { boundedInstant, type Instant } from "../platform/instant.ts";
import { showInvisible } from "../platform/quotation.ts";
import type { Chain } from "../psp-check/check-budget.ts";
import type { Decision } from "../psp-check/decision.ts";
import type { PspReport } from "../psp-check/psp-report.ts";
import type { Remark } from "../psp-check/sentences.ts";
import { EXIT, type ExitCode, fail, readInput } from "./fail.ts";
import { BANK_PASSPORTS_OPTION } from "./institution/options.ts";
import { addOutputOptions, describeFields, drawTable, type OutputOptions, print, type Style } from "./output.ts";
import { withStores } from "./stores.ts";
import { type Common, commandsOf, targetOf } from "./target.ts";

export function addPspCommands(program: Command): void {
  const psp = program.command("psp").description("payment service providers");
  commandsOf(psp)(
    "check <file>",
    "check a PSP's certificate and registers: in sentences, or as JSON the answer of GET /v1/psp/eidas",
  )
    .requiredOption("--jurisdiction <country>", "two-letter country of the transaction")
    .option(...BANK_PASSPORTS_OPTION)
    .option("--at <instant>", "at this time, by what is loaded now, e.g. 2020-06-01T00:00:00Z (now by default)")
    .addHelpText(
      "after",
      "\nIt ends with 0 if the PSP may initiate payments or read accounts, else with 1, or with 3 if this service lacks data.\n\nExample:\n  psp check fixtures/certificates/scenario-1.pem --jurisdiction XX",
    )
    .action(async (path: string, options: Common & Given) => {
      const jurisdiction =
        readKnownCountry(options.jurisdiction) ??
        fail(`--jurisdiction: ${options.jurisdiction} is not a two-letter country code such as FI`, EXIT.usage);
      const now = options.at === undefined ? clock.now() : boundedInstant(Date.parse(options.at));
      if (now === null) fail(`--at: ${options.at} is not an instant such as 2020-06-01T00:00:00Z`, EXIT.usage);
      const { checkPsp } = await import("../psp-check/psp-check.ts");
      const { decideOnCheck } = await import("../psp-check/decision.ts");
      const { registerMaxAges } = await import("../registers/manifest.ts");
      const { describePsp } = await import("../psp-check/psp-report.ts");
      const { describeCheck } = await import("../psp-check/answer.ts");
      const { findCountryProblem } = await import("../routes/psp/eidas.ts");
      const chain = await readChain(path);
      const { check, maxAges } = await withStores(targetOf(options), async ({ env, ctx }) => ({
        ...(await checkPsp({ env, ctx, chain, jurisdiction, now })),
        maxAges: registerMaxAges(env),
      }));
      const problem = findCountryProblem(jurisdiction, check);
      if (problem) fail(problem.title ?? problem.code, EXIT.usage);
      const decision = decideOnCheck(
        check,
        { jurisdiction, bankPassports: options.bankPassports ?? null },
        now,
        maxAges,
      );
      const answer = describeCheck(check, jurisdiction, "latest", maxAges, now, decision);
      print(answer, options, (style) => {
        const reportAt = (time: Instant) => describePsp(check, { ...answer, decision }, jurisdiction, time);
        // what was loaded today is not of a time that lies ahead of --at
        return describePspReport({ ...reportAt(now), sources: reportAt(clock.now()).sources }, style);
      });
      if (options.at !== undefined) console.error(judgedBy(now));
      process.exitCode = exitCodeOf(decision);
    });
}

interface Given {
  jurisdiction: string;
  bankPassports?: BankPassports;
  at?: string;
}

/** Lists, registers and CRLs are replaced as they are loaded; what an answer was based on is kept with its record alone. */
const judgedBy = (at: Instant): string =>
  `note: judged at ${new Date(at).toISOString()} by the lists and registers that are loaded now, because earlier ones are not kept. What was answered then: audit list, evidence replay`;

/** Yes, if the PSP may use a scope. If only what this service lacks stands against one, it could not be found out. */
function exitCodeOf(decision: Decision): ExitCode {
  const scopes = Object.values(decision);
  if (scopes.some(({ allowed }) => allowed)) return EXIT.yes;
  const unknown = scopes.some(({ reasons }) => reasons.every(({ whose }) => whose === "source"));
  return unknown ? EXIT.unknown : EXIT.no;
}

export function addCertificateCommands(program: Command): void {
  addOutputOptions(
    program
      .command("certificate")
      .description("eIDAS certificates")
      .command("show <file>")
      .description("print what the service reads from a certificate"),
  )
    .addHelpText("after", "\nExample:\n  certificate show fixtures/certificates/scenario-1.pem")
    .action(async (path: string, options: OutputOptions) => {
      const { describeCertificate } = await import("../eidas/psd2.ts");
      const { leaf } = await readChain(path);
      const description = describeCertificate(leaf);
      print(description, options, (style) => describeFields(description, style));
    });
}

/** As the `eidas` header would be read: PEM or base64, a leaf or a chain; or plain DER. */
export async function readChain(path: string): Promise<Chain> {
  const bytes = await readInput(path);
  const text = bytes[0] === 0x30 ? bytes.toString("base64") : bytes.toString("latin1");
  const { parseEidasHeader } = await import("../eidas/eidas-header.ts");
  const chain = parseEidasHeader(text);
  return chain.ok ? chain : fail(`${path} is no certificate that can be read: ${chain.message}`, EXIT.unknown);
}

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
  const mark = (has: boolean | null) => (has === null ? style.doubtful("?") : has ? style.good("✓ yes") : "–");
  const rows = services.map(({ service, name, onCertificate, atHome, passported }) => [
    `  ${service} ${name}`,
    mark(onCertificate),
    mark(atHome),
    ...(abroad ? [mark(passported)] : []),
  ]);
  return drawTable(
    ["  service", "on the certificate", "in the home register", ...(abroad ? ["passport"] : [])],
    rows,
    style,
  );
}
