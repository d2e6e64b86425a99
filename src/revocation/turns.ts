/** A request asks five sources at once and leaves one of its six connections (lanes.ts) to the stores. */
const AT_ONCE = 5;

interface Turns {
  free: number;
  readonly waiting: (() => void)[];
}

/** By the request's context. */
const turns = new WeakMap<object, Turns>();

export async function inTurn<Result>(request: object, ask: () => Promise<Result>): Promise<Result> {
  const mine = turns.get(request) ?? { free: AT_ONCE, waiting: [] };
  turns.set(request, mine);
  if (mine.free > 0) mine.free--;
  else await new Promise<void>((resolve) => mine.waiting.push(resolve));
  try {
    return await ask();
  } finally {
    const next = mine.waiting.shift();
    if (next) next();
    else mine.free++;
  }
}
