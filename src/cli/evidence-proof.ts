/** `evidence verify` of the proof of one record, as the console gives it out. */
import { type ProofVerdict, verifyProof } from "../evidence/archive/record-proof.ts";
import type { PublicSigningKey } from "../evidence/signatures/signing-keys.ts";
import { describeReplay, exitCodeOf } from "./evidence-replay.ts";
import { fail, failUnreadable } from "./fail.ts";
import { type OutputOptions, print, type Style } from "./output.ts";

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
  print(summary, options, (style) => tell(verdict, keys !== null, style));
  process.exitCode = exitCodeOf([replay]);
}

const OWN_KEYS =
  "by the proof's own keys: that they are the service's is to be seen elsewhere (--keys, a saved /.well-known/jwks.json)";

function tell(
  { record, kid, signedAt, replay }: Extract<ProofVerdict, { ok: true }>,
  givenKeys: boolean,
  style: Style,
) {
  const { seq, fi, id, event, time, outcome } = record;
  return [
    `${style.good("proven:")} record ${seq} of ${fi}, evidence ${id}: ${event} at ${time}, ${outcome}; its chain was signed at ${signedAt} by the key ${kid}`,
    ...(givenKeys ? [] : [`  ${style.doubtful(OWN_KEYS)}`]),
    `  made again: ${describeReplay(replay, style)}`,
  ].join("\n");
}
