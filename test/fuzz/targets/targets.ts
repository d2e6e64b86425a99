/** Every reader that is fuzzed. */
import { readCorpus } from "../corpus.ts";
import type { Target } from "../target.ts";
import { certificateTargets } from "./certificates.ts";
import { evidenceTargets } from "./evidence.ts";
import { listTargets } from "./lists.ts";
import { registerTargets } from "./registers.ts";
import { requestTargets } from "./requests.ts";
import { revocationTargets } from "./revocation.ts";

export async function makeTargets(): Promise<Target[]> {
  const corpus = readCorpus();
  return [
    ...certificateTargets(corpus),
    ...revocationTargets(corpus),
    ...(await listTargets(corpus)),
    ...registerTargets(),
    ...requestTargets(corpus),
    ...evidenceTargets(corpus),
  ];
}
