/** `evidence verify` of an archive of a ledger, and of the proof of one record as the console gives it out. */
import { describeMissing, LATE_MS } from "../../evidence/archive/manifest.ts";
import { type ProofVerdict, verifyProof } from "../../evidence/archive/record-proof.ts";
import { type ArchiveVerdict, verifyArchive } from "../../evidence/archive/verify-archive.ts";
import type { PublicSigningKey } from "../../evidence/signatures/signing-keys.ts";
import { clock } from "../../platform/clock.ts";
import type { Instant } from "../../platform/instant.ts";
import { EXIT, fail, failUnreadable } from "../fail.ts";
import { type OutputOptions, print, type Style } from "../output.ts";
import { describeReplay, exitCodeOf } from "./replay.ts";

const ownKeys = (file: "archive" | "proof"): string =>
  `by the ${file}'s own keys: that they are the service's is to be seen elsewhere (--keys: the address of its /.well-known/jwks.json, or a file with it)`;

/** `keys`: null if none were given. Sets the exit code. */
export async function verifyArchiveFile(
  file: string,
  content: Uint8Array,
  keys: readonly PublicSigningKey[] | null,
  options: OutputOptions,
): Promise<void> {
  const verdict = await verifyArchive(content, keys, clock.now()).catch(failUnreadable(file));
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
  const { equal, compared, reworded, different, incomplete } = replays;
  const { answer, results, checks, nothing } = compared;
  // what is still to come, or on its way, cannot be in it
  const isWhole = whole.from === from && Date.parse(whole.to) >= Math.min(Date.parse(to), signedAt - LATE_MS);
  return [
    `${style.good("proven:")} records ${first.seq} to ${last.seq} of ${fi} are ${missing.length === 0 ? "whole and" : "not whole; what is there is"} unaltered, signed at ${iso(signedAt)} by the key ${kid}`,
    `  from ${from} to ${to} and on to a signed head: ${records} records, ${heads} heads, ${documents} documents`,
    ...missing.map((gap) => `  ${style.bad("missing:")} ${describeMissing(gap)}`),
    ...(isWhole ? [] : [`  ${style.doubtful(`that no record is left out is shown ${describeSpan(whole)}`)}`]),
    ...(givenKeys ? [] : [`  ${style.doubtful(ownKeys("archive"))}`]),
    `  made again: ${equal} equal (${answer} whole answers, ${results} all results, ${checks} verdicts and decisions, ${nothing} without a check${reworded > 0 ? `; ${reworded} in other words` : ""}), ${different.length} different, ${incomplete.length} incomplete`,
    ...[...different, ...incomplete].map(({ id, ...result }) => `  ${id} ${describeReplay(result, style)}`),
  ].join("\n");
}

const describeSpan = ({ from, to }: Proven["whole"]): string =>
  Date.parse(from) < Date.parse(to) ? `from ${from} to ${to} alone` : "of no time";

const iso = (time: Instant): string => new Date(time).toISOString();

/** `keys`: null if none were given: then only those of the file are there. Sets the exit code. */
export async function verifyProofFile(
  file: string,
  text: string,
  keys: readonly PublicSigningKey[] | null,
  options: OutputOptions,
): Promise<void> {
  const verdict = await verifyProof(text, keys).catch(failUnreadable(file));
  if (!verdict.ok) fail(`${file}: not proven: ${verdict.reason}`);
  const { record, kid, signedAt, replay } = verdict;
  const summary = { proven: true, keys: keys ? "given" : "of the proof", kid, signed_at: signedAt, record, replay };
  print(summary, options, (style) => tellProof(verdict, keys !== null, style));
  process.exitCode = exitCodeOf([replay]);
}

function tellProof(
  { record, kid, signedAt, replay }: Extract<ProofVerdict, { ok: true }>,
  givenKeys: boolean,
  style: Style,
) {
  const { seq, fi, id, event, time, outcome } = record;
  return [
    `${style.good("proven:")} record ${seq} of ${fi}, evidence ${id}: ${event} at ${time}, ${outcome}; its chain was signed at ${signedAt} by the key ${kid}`,
    ...(givenKeys ? [] : [`  ${style.doubtful(ownKeys("proof"))}`]),
    `  made again: ${describeReplay(replay, style)}`,
  ].join("\n");
}
