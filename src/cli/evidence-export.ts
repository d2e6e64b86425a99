/** `evidence export`: a part of an institution's ledger, with all that it rests on, as one archive. */
import { writeFile } from "node:fs/promises";
import type { Command } from "commander";
import type { UnsignedArchive } from "../evidence/archive/archive.ts";
import type { MissingRecords } from "../evidence/archive/manifest.ts";
import { clock } from "../platform/clock.ts";
import { VERSION } from "../platform/version.ts";
import { readRange } from "./audit.ts";
import { type AuditOptions, type AuditService, addAuditOptions, withAuditService } from "./audit-service.ts";
import { EXIT, fail } from "./fail.ts";
import { addOutputOptions, type OutputOptions, print } from "./output.ts";

const HELP = `
The archive begins with the record before the minute before the range, and goes on to the first head signed a minute after it,
where there are such, so that it shows that no record is left out, also none that came late. It has every document once, and does
not replace a file. Records that are damaged in the service's store are named, in the archive, too, and the rest is written: it ends
with 3 then. A head that verifies by no key is left out and named.
It can be verified on a machine without the service: evidence verify FILE.

Example:
  evidence export november.zip --fi PSDFI-FINFSA-0001 --from 2026-11-01T00:00:00Z --to 2026-12-01T00:00:00Z`;

export function addExportCommand(evidence: Command): void {
  const command = evidence
    .command("export <file>")
    .description("write a part of an institution's ledger, with all that it rests on, as one archive")
    .requiredOption("--from <instant>", "records from this time on, e.g. 2026-11-22T00:00:00Z")
    .requiredOption("--to <instant>", "records before this time");
  addOutputOptions(addAuditOptions(command))
    .addHelpText("after", HELP)
    .action(async (file: string, options: AuditOptions & OutputOptions & { from: string; to: string }) => {
      const { from = 0, to = 0 } = readRange(options);
      if (from >= to) fail("--from is not before --to", EXIT.usage);
      const made = await withAuditService(options, (service) => makeArchive(service, options.fi, { from, to }));
      await writeFile(file, made.bytes, { flag: "wx", mode: 0o600 }).catch((error: Error) =>
        fail(`${file} cannot be written: ${error.message}`),
      );
      const { records, documents, missing, missingRecords, refusedHeads } = made;
      const gaps = { missing_records: missingRecords, refused_heads: refusedHeads };
      const summary = { file, bytes: made.bytes.length, records, documents, missing, ...gaps };
      const { describeMissing } = await import("../evidence/archive/manifest.ts");
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

interface Made {
  readonly bytes: Uint8Array;
  readonly records: number;
  readonly documents: number;
  /** SHA-256 of documents that the service does not keep. */
  readonly missing: readonly string[];
  readonly missingRecords: readonly MissingRecords[];
  readonly refusedHeads: readonly string[];
}

async function makeArchive(
  service: AuditService,
  fi: string,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<Made> {
  const { fillArchive } = await import("../evidence/archive/archive.ts");
  const { acceptSignature, SIGNED_PATH, writeSignature } = await import("../evidence/archive/manifest.ts");
  const { gatherChain } = await import("./evidence-chain.ts");
  const { gatherDocuments } = await import("./evidence-documents.ts");
  const keys = await service.keys();
  const chain = await gatherChain(service, fi, { from, to }, keys);
  const { documents, missing } = await gatherDocuments(service, chain.records);
  const iso = (time: number): string => new Date(time).toISOString();
  const about = { fi, release: VERSION, made_at: iso(clock.now()), from: iso(from), to: iso(to) };
  const { before, last, heads, missing: missingRecords, refusedHeads } = chain;
  const texts = chain.records.map(({ text }) => text);
  const archive = fillArchive({ about, missing: missingRecords, before, last, heads, keys, documents, records: texts });
  const answer = await service.ask(SIGNED_PATH, { "Accept-Signature": acceptSignature(archive.manifest) });
  const body = await answer.text();
  if (!answer.ok || !answer.headers.has("signature"))
    fail(`${service.url} did not sign the archive: it answered ${answer.status}`, EXIT.unknown);
  const sent = { fi_reference_id: fi, version: "latest" };
  const signature = writeSignature({
    sent: (name) => sent[name as keyof typeof sent],
    answered: (name) => answer.headers.get(name) ?? "",
    ...{ status: answer.status, body },
  });
  const counted = { records: texts.length, documents: documents.size };
  return { bytes: close(archive, signature), ...counted, missing, missingRecords, refusedHeads };
}

function close(archive: UnsignedArchive, signature: string): Uint8Array {
  try {
    return archive.close(signature);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return fail(`${error.message}: export a shorter time`);
  }
}
