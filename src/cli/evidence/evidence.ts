/**
 * `evidence verify | export`: what a saved, signed answer or an archive of a ledger proves, and such an archive.
 * `replay` and `compare` are in files of their own.
 */

import { writeFile } from "node:fs/promises";
import type { Command } from "commander";
import { parseSavedExchange, type SavedExchange } from "../../evidence/signatures/saved-exchange.ts";
import type { Verdict } from "../../evidence/signatures/verify-exchange.ts";
import { clock } from "../../platform/clock.ts";
import { EXIT, fail, failUnreadable, readInput } from "../fail.ts";
import { addOutputOptions, type OutputOptions, print } from "../output.ts";
import { readRange } from "./audit.ts";
import { type AuditOptions, addAuditOptions, readKeys, withAuditService } from "./audit-service.ts";
import { addCompareCommand } from "./compare.ts";
import { addReplayCommand } from "./replay.ts";

const HELP = `
FILE is an archive of evidence export, or of records that the console gave out; --keys may be left out, then only
its own keys are there. Or it is JSON:
  {"request": {"method", "url", "headers": {...}}, "response": {"status", "headers": {...}, "body": "..."}}
or the request's line and headers, an empty line, and what curl -i printed; or the latter alone, with
--request FILE for the former (what curl -v marks with > is such a file).

Exit codes: 0 proven, 1 not proven, 3 the files or the keys could not be read; of an archive also 1 if an answer comes
out differently, and 3 if one cannot be made again.

Example:
  npm run admin -- evidence verify check.txt --keys https://gate.bank.example/.well-known/jwks.json`;

export function addEvidenceCommands(program: Command): void {
  const evidence = program.command("evidence").description("what answers prove");
  addOutputOptions(
    evidence
      .command("verify <file>")
      .description("check a saved, signed answer, or an archive, against the service's public keys")
      .option("--keys <file or address>", "the service's public keys (RFC 7517)")
      .option("--request <file>", "the request's line and headers, where the file has the answer alone"),
  )
    .addHelpText("after", HELP)
    .action(async (file: string, options: OutputOptions & { keys?: string; request?: string }) => {
      const keys = options.keys === undefined ? null : await readKeys(options.keys);
      const content = await readInput(file);
      const { isZip } = await import("../../evidence/archive/zip-file.ts");
      if (isZip(content)) {
        const { verifyArchiveFile } = await import("./verify.ts");
        return await verifyArchiveFile(file, content, keys, options);
      }
      if (!keys)
        fail(
          "--keys: the service's public keys are needed: a file, or an address such as https://gate.bank.example/.well-known/jwks.json",
          EXIT.usage,
        );
      const head = options.request === undefined ? undefined : await readInput(options.request);
      const parsed = parseSavedExchange(content, head);
      if (!parsed.ok) fail(`${file}: ${parsed.reason}`, EXIT.unknown);
      // its library is loaded by this command only
      const { verifyExchange } = await import("../../evidence/signatures/verify-exchange.ts");
      const verdict = await verifyExchange(parsed, keys, clock.now()).catch(failUnreadable(file));
      if (!verdict.ok) fail(`${file}: not proven: ${verdict.reason}`);
      print(describe(parsed, verdict), options, (style) => `${style.good("proven:")} ${tell(parsed, verdict)}`);
    });
  addReplayCommand(evidence);
  addExportCommand(evidence);
  addCompareCommand(evidence);
}

type Proven = Extract<Verdict, { ok: true }>;

const describe = ({ request, answer }: SavedExchange, { kid, target, signedAt, evidenceId, nonce }: Proven) => ({
  ...{ proven: true, kid, signed_at: new Date(signedAt).toISOString(), evidence_id: evidenceId, nonce },
  ...{ method: request.method, target, status: answer.status },
});

function tell({ request, answer }: SavedExchange, { kid, target, signedAt, evidenceId }: Proven): string {
  const fi = request.headers.find(({ name }) => name === "fi_reference_id")?.value;
  const asked = `${request.method} ${target}${fi === undefined ? "" : ` of ${fi}`}`;
  const id = evidenceId === null ? "" : `, evidence ${evidenceId}`;
  return `${asked} was answered ${answer.status} with this content, signed at ${new Date(signedAt).toISOString()} by the key ${kid}${id}`;
}

const EXPORT_HELP = `
The archive begins with the record before the minute before the range, and goes on to the first head signed a minute after it,
where there are such, so that it shows that no record is left out, also none that came late. It has every document once, and does
not replace a file. Where no record is in the range, nothing is written, and it ends with 0. Records that are damaged in the service's store are named, in the archive, too, and the rest is written: it ends
with 3 then. A head that verifies by no key is left out and named.
It can be verified on a machine without the service: evidence verify FILE. Doctor says when the last export was made, and what it left.

Example:
  evidence export november.zip --fi PSDFI-FINFSA-0001 --from 2026-11-01T00:00:00Z --to 2026-12-01T00:00:00Z`;

function addExportCommand(evidence: Command): void {
  const command = evidence
    .command("export <file>")
    .description("write a part of an institution's ledger, with all that it is based on, as one archive")
    .requiredOption("--from <instant>", "records from this time on, e.g. 2026-11-22T00:00:00Z")
    .requiredOption("--to <instant>", "records before this time");
  addOutputOptions(addAuditOptions(command))
    .addHelpText("after", EXPORT_HELP)
    .action(async (file: string, options: AuditOptions & OutputOptions & { from: string; to: string }) => {
      const { from = 0, to = 0 } = readRange(options);
      if (from >= to) fail("--from is not before --to", EXIT.usage);
      const { makeArchive } = await import("./archive.ts");
      const [{ NoRecords }, { noteExport }] = await Promise.all([import("./chain.ts"), import("./exports.ts")]);
      const made = await withAuditService(options, async (service, db) => {
        const archive = await makeArchive(service, options.fi, { from, to }).catch((error: unknown) => {
          // a month without a request is exported as well: there is nothing of it to be lost
          if (error instanceof NoRecords) return error;
          throw error;
        });
        if (!(archive instanceof NoRecords))
          await writeFile(file, archive.bytes, { flag: "wx", mode: 0o600 }).catch((error: Error) =>
            fail(`${file} cannot be written: ${error.message}`),
          );
        await noteExport(db, options.fi, { from, to });
        return archive;
      });
      if (made instanceof NoRecords)
        return print({ file: null, records: 0 }, options, () => `${made.message}: nothing is written`);
      const { records, documents, missing, missingRecords, refusedHeads } = made;
      const gaps = { missing_records: missingRecords, refused_heads: refusedHeads };
      const summary = { file, bytes: made.bytes.length, records, documents, missing, ...gaps };
      const { describeMissing } = await import("../../evidence/archive/manifest.ts");
      print(summary, options, (style) => {
        const lost = missing.length > 0 ? `, ${style.doubtful(`${missing.length} are not kept`)}` : "";
        return [
          `${style.good("written")} ${file}: ${records} records, ${documents} documents${lost}`,
          ...missingRecords.map((gap) => `  ${style.bad("not in it:")} ${describeMissing(gap)}`),
          ...refusedHeads.map((reason) => `  ${style.doubtful("left out:")} ${reason}`),
        ].join("\n");
      });
      // what was asked for is not all there
      if (missingRecords.length > 0) process.exitCode = EXIT.unknown;
    });
}
