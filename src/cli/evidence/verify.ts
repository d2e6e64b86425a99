/** `evidence verify` of an archive: of a part of a ledger, or of chosen records as the console gives them out. */
import { KEYS, README } from "../../evidence/archive/form.ts";
import { describeMissing, LATE_MS } from "../../evidence/archive/manifest.ts";
import { type ArchiveVerdict, type Replays, verifyArchive } from "../../evidence/archive/verify-archive.ts";
import { areProvenRecords, type RecordsVerdict, verifyRecords } from "../../evidence/archive/verify-records.ts";
import { type Files, readZip } from "../../evidence/archive/zip-file.ts";
import type { PublicSigningKey } from "../../evidence/signatures/signing-keys.ts";
import { clock } from "../../platform/clock.ts";
import type { Instant } from "../../platform/instant.ts";
import { EXIT, fail, failUnreadable } from "../fail.ts";
import { type OutputOptions, print, type Style } from "../output.ts";
import { describeReplay, exitCodeOf } from "./replay.ts";

const OWN_KEYS = `by the archive's own keys: that they are the service's is to be seen elsewhere (--keys: the address of its /.well-known/jwks.json, or a file with it)`;

/** `keys`: null if none were given. Sets the exit code. */
export async function verifyArchiveFile(
  file: string,
  content: Uint8Array,
  keys: readonly PublicSigningKey[] | null,
  options: OutputOptions,
): Promise<void> {
  const zip = readZip(content);
  if (!zip.ok) return fail(`${file}: not proven: ${zip.reason}`);
  const { files } = zip;
  if (areProvenRecords(files)) return await verifyRecordsFile(file, files, keys, options);
  const verdict = await verifyArchive(files, keys, clock.now()).catch(failUnreadable(file));
  if (!verdict.ok) fail(`${file}: not proven: ${verdict.reason}`);
  print(describe(verdict, keys !== null), options, (style) => tell(verdict, keys !== null, style));
  const replayed = exitCodeOf([...verdict.replays.different, ...verdict.replays.incomplete]);
  process.exitCode = replayed === EXIT.yes && verdict.manifest.missing ? EXIT.unknown : replayed;
}

type Proven = Extract<ArchiveVerdict, { ok: true }>;

const describe = (
  { manifest, kid, signedAt, records, heads, documents, whole, replays }: Proven,
  givenKeys: boolean,
) => ({
  ...{ proven: true, keys: givenKeys ? "given" : "of the archive", kid, signed_at: iso(signedAt) },
  ...{ fi: manifest.fi, from: manifest.from, to: manifest.to, first: manifest.first, last: manifest.last },
  ...{ records, heads, documents, whole, missing: manifest.missing ?? [], replays },
});

function tell(
  { manifest, kid, signedAt, records, heads, documents, whole, replays }: Proven,
  givenKeys: boolean,
  style: Style,
) {
  const { fi, from, to, first, last, missing = [] } = manifest;
  // what is still to come, or on its way, cannot be in it
  const isWhole = whole.from === from && Date.parse(whole.to) >= Math.min(Date.parse(to), signedAt - LATE_MS);
  return [
    `${style.good("proven:")} records ${first.seq} to ${last.seq} of ${fi} are ${missing.length === 0 ? "whole and" : "not whole; what is there is"} unaltered, signed at ${iso(signedAt)} by the key ${kid}`,
    `  from ${from} to ${to} and on to a signed head: ${records} records, ${heads} heads, ${documents} documents`,
    ...missing.map((gap) => `  ${style.bad("missing:")} ${describeMissing(gap)}`),
    ...(isWhole ? [] : [`  ${style.doubtful(`that no record is left out is shown ${describeSpan(whole)}`)}`]),
    ...(givenKeys ? [] : [`  ${style.doubtful(OWN_KEYS)}`]),
    ...tellReplays(replays, style),
  ].join("\n");
}

const describeSpan = ({ from, to }: Proven["whole"]): string =>
  Date.parse(from) < Date.parse(to) ? `from ${from} to ${to} alone` : "of no time";

const iso = (time: Instant): string => new Date(time).toISOString();

function tellReplays({ equal, compared, reworded, different, incomplete }: Replays, style: Style): string[] {
  const { answer, results, checks, nothing } = compared;
  return [
    `  made again: ${equal} equal (${answer} whole answers, ${results} all results, ${checks} verdicts and decisions, ${nothing} without a check${reworded > 0 ? `; ${reworded} in other words` : ""}), ${different.length} different, ${incomplete.length} incomplete`,
    ...[...different, ...incomplete].map(({ id, ...result }) => `  ${id} ${describeReplay(result, style)}`),
  ];
}

async function verifyRecordsFile(
  file: string,
  files: Files,
  keys: readonly PublicSigningKey[] | null,
  options: OutputOptions,
): Promise<void> {
  const verdict = await verifyRecords(files, keys).catch(failUnreadable(file));
  if (!verdict.ok) fail(`${file}: not proven: ${verdict.reason}`);
  const { records, heads, documents, replays } = verdict;
  const signed = heads.map(({ seq, time, kid }) => ({ seq, signed_at: time, kid }));
  const summary = { proven: true, keys: keys ? "given" : "of the archive", fi: records[0]?.fi, records, heads: signed };
  print({ ...summary, documents, replays }, options, (style) => tellRecords(verdict, keys !== null, style));
  process.exitCode = exitCodeOf([...replays.different, ...replays.incomplete]);
}

/** Records that are told one by one; of more the number says enough. */
const TOLD_RECORDS = 10;

function tellRecords(
  { records, heads, documents, replays }: Extract<RecordsVerdict, { ok: true }>,
  givenKeys: boolean,
  style: Style,
) {
  const kids = [...new Set(heads.map(({ kid }) => kid))].join(", ");
  return [
    `${style.good("proven:")} ${records.length === 1 ? "the record" : `each of ${records.length} records`} of ${records[0]?.fi} is unaltered, in ${heads.length === 1 ? "a head" : `${heads.length} heads`} signed by the key ${kids}; ${documents} documents`,
    ...records
      .slice(0, TOLD_RECORDS)
      .map(({ seq, id, event, time, outcome }) => `  record ${seq}, evidence ${id}: ${event} at ${time}, ${outcome}`),
    ...(records.length > TOLD_RECORDS ? [`  and ${records.length - TOLD_RECORDS} more`] : []),
    "  that no other record belongs to them is not shown: evidence export shows it",
    `  ${README} and ${KEYS} are not proven`,
    ...(givenKeys ? [] : [`  ${style.doubtful(OWN_KEYS)}`]),
    ...tellReplays(replays, style),
  ].join("\n");
}
