/** `evidence compare`: whether the ledger of today contains a head that somebody has kept. */
import type { Command } from "commander";
import { verifyHead } from "../../evidence/ledger/head.ts";
import type { HeadComparisonAnswer, LedgerHead } from "../../routes/audit.answer.ts";
import { EXIT, type ExitCode, fail, readInput } from "../fail.ts";
import { addOutputOptions, type OutputOptions, print, type Style } from "../output.ts";
import { type AuditOptions, type AuditService, addAuditOptions, readKeys, withAuditService } from "./audit-service.ts";

const HELP = `
HEAD is a file with what GET /v1/audit/head answered, or with its member jws alone. The service compares it with the record of its
number, and follows the chain from there: through 8 files of records, or 8,192 records. Its signature is verified here, too:
against --keys if they are given, else against the keys that the service publishes today.

Exit codes: 0 the ledger contains the head, 1 it does not, or the head is not what the service has signed, 3 it could not be found out.

Example:
  npm run admin -- evidence compare head.json --fi PSDFI-FINFSA-0001 --keys saved-jwks.json`;

type Compared = HeadComparisonAnswer["data"];

export function addCompareCommand(evidence: Command): void {
  const command = evidence
    .command("compare <head>")
    .description("compare a kept, signed head with the institution's ledger of today")
    .option("--keys <file or address>", "the service's public keys (RFC 7517)");
  addOutputOptions(addAuditOptions(command))
    .addHelpText("after", HELP)
    .action(async (file: string, options: AuditOptions & OutputOptions & { keys?: string }) => {
      const jws = readHead(file, new TextDecoder().decode(await readInput(file)));
      const given = options.keys === undefined ? null : await readKeys(options.keys);
      const compared = await withAuditService(options, async (service) => {
        const checked = verifyHead(jws, given ?? (await service.keys()));
        if (!checked.ok) fail(`${file}: the head ${checked.reason}`);
        if (checked.head.fi !== options.fi) fail(`${file}: the head is of ${checked.head.fi}, not of ${options.fi}`);
        return await compare(service, jws);
      });
      print(compared, options, (style) => tell(options.fi, compared, style));
      process.exitCode = EXITS[compared.verdict];
    });
}

const EXITS: Readonly<Record<Compared["verdict"], ExitCode>> = {
  contained: EXIT.yes,
  differs: EXIT.no,
  shorter: EXIT.no,
  unknown: EXIT.unknown,
};

function readHead(file: string, text: string): string {
  if (!text.trimStart().startsWith("{")) return text.trim();
  try {
    const { data } = JSON.parse(text) as Partial<LedgerHead>;
    if (typeof data?.jws === "string") return data.jws;
    if (data?.jws === null) fail(`${file}: the head is not signed, so it proves nothing`, EXIT.unknown);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return fail(`${file}: expected is what GET /v1/audit/head answered, or its member jws`, EXIT.unknown);
}

async function compare(service: AuditService, jws: string): Promise<Compared> {
  const answer = await service.ask(`/v1/audit/head/comparison?${new URLSearchParams({ head: jws })}`, {});
  const { data, errors = [] } = (await answer.json().catch(() => ({}))) as Partial<HeadComparisonAnswer> & {
    errors?: { code: string; title: string }[];
  };
  if (answer.ok && data) return data;
  const titles = errors.map(({ title }) => title).join("; ");
  const isRefused = errors.some(({ code }) => code === "head_invalid");
  return fail(`${service.url} answered ${answer.status}: ${titles}`, isRefused ? EXIT.no : EXIT.unknown);
}

function tell(
  fi: string,
  { verdict, kept, found, followed_to, differs_at, gap, head }: Compared,
  style: Style,
): string {
  const whose = `the head of record ${kept.seq}, signed at ${kept.time},`;
  switch (verdict) {
    case "contained": {
      const rest =
        followed_to === head.seq
          ? "the chain goes on from it to the head of today"
          : `the chain was followed from it to record ${followed_to}${gap === null ? "" : ` (the next ones are ${gap})`}; the head of today is of record ${head.seq}`;
      return `${style.good("contained:")} ${whose} is in the ledger of ${fi}; ${rest}`;
    }
    case "differs":
      return `${style.bad("differs:")} ${whose} is not in the ledger of ${fi}: ${found === kept.hash ? `the chain is broken at record ${differs_at}` : `record ${kept.seq} has the hash ${found}, the head ${kept.hash}`}`;
    case "shorter":
      return `${style.bad("shorter:")} ${whose} is not in the ledger of ${fi}, which ends with record ${head.seq}: records were cut off, or an older state was put back`;
    case "unknown":
      return `${style.doubtful("not known:")} ${whose} cannot be compared: the record of its number is ${gap === "expired" ? "kept no longer" : gap}`;
  }
}
