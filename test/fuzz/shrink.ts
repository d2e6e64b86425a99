/** Makes an input smaller for as long as the same thing is wrong with it. */

/** Enough for some kilobytes; then it is small enough to be read. */
const MAX_TRIES = 3_000;

/** `fails` says whether the same fault shows. Pieces go first, halves before bytes; then bytes become plain. */
export async function shrink(input: Uint8Array, fails: (input: Uint8Array) => Promise<boolean>): Promise<Uint8Array> {
  let best = input;
  let tries = 0;
  const attempt = async (smaller: Uint8Array): Promise<boolean> => {
    if (++tries > MAX_TRIES || !(await fails(smaller))) return false;
    best = smaller;
    return true;
  };
  for (let size = best.length >> 1; size > 0 && tries < MAX_TRIES; size >>= 1)
    for (let at = 0; at < best.length && tries < MAX_TRIES; )
      if (!(await attempt(new Uint8Array(Buffer.concat([best.subarray(0, at), best.subarray(at + size)]))))) at += size;
  for (let at = 0; at < best.length && tries < MAX_TRIES; at++)
    if (best[at] !== 0x30) await attempt(best.with(at, 0x30));
  return best;
}
