/** The entries of PSPs whose new records are malformed: they stay as of an earlier snapshot. */

import { normaliseAuthorisationNumber } from "../../eidas/authorisation-number.ts";
import { clock } from "../../platform/clock.ts";
import type { StoredPsps } from "../entries.ts";
import { entryKey, pspName } from "../keys.ts";
import type { PspRecord } from "../psp-record.ts";
import type { RefusedPsp, Register } from "../register.ts";
import { inBatches } from "./batches.ts";
import { shortSha256, UNKNOWN_HASH } from "./import-plan.ts";
import type { StoredRegister } from "./stored-register.ts";

const READS_AT_ONCE = 16;

/**
 * By their names, with the publication that they are as of: what is kept of an earlier snapshot is not to pass for this
 * one's. Null while KV may show one as it was before. One that then is not what the index says is not kept.
 */
export async function readKept(
  kv: KVNamespace,
  { country, source, refused }: Register,
  { manifest, index, unknown, settledAt }: StoredRegister,
): Promise<Map<string, string> | null> {
  const nameOf = ({ authNumber }: Pick<PspRecord, "authNumber">) => pspName(authNumber);
  const names = new Set(refused.map(nameOf).filter((name) => name in index || unknown.has(name)));
  const byNumber = Map.groupBy(refused, ({ authNumber }) => normaliseAuthorisationNumber(authNumber));
  const settled = clock.now() >= settledAt;
  const kept = new Map<string, string>();
  let certain = true;
  await inBatches(names, READS_AT_ONCE, async (name) => {
    const stored = await kv.get<StoredPsps>(entryKey(country, source, name), "json");
    const isUnknown = unknown.has(name) || index[name] === UNKNOWN_HASH;
    const isAsIndexed = !isUnknown && stored !== null && shortSha256(JSON.stringify(stored)) === index[name];
    if (!settled && !(manifest && isAsIndexed)) certain = false;
    if (!manifest || !stored || !(isUnknown || isAsIndexed)) return;
    const stays = stored.map((psp) => ({ ...withReadable(psp, byNumber), asOf: psp.asOf ?? manifest.published }));
    if (stays.some(({ categories }) => categories.length > 0)) kept.set(name, JSON.stringify(stays));
  });
  return certain ? kept : null;
}

/**
 * What the new snapshot says counts, whatever of the PSP's other records cannot be read. Of what is stored only the categories
 * stay whose record is malformed: another one that the snapshot has no more is gone.
 */
function withReadable(psp: PspRecord, byNumber: ReadonlyMap<string, readonly RefusedPsp[]>): PspRecord {
  const its = byNumber.get(normaliseAuthorisationNumber(psp.authNumber)) ?? [];
  // the first of a number, as its others have the same
  const [first] = its;
  // another NCA's PSP in the same entry
  if (!first) return psp;
  const { readable = [] } = first;
  const older = psp.categories.filter(
    ({ category }) =>
      its.some((one) => one.category === category) && !readable.some((one) => one.category === category),
  );
  return { ...psp, categories: [...readable, ...older] };
}
