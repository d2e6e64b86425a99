/**
 * Work on many things, a few at a time. An invocation may wait for the beginning of six answers at once, of stores and of
 * servers together: a seventh waits until one of them has begun, and the time limit of its request runs meanwhile. workerd
 * on a machine of one's own lets any number wait.
 * https://developers.cloudflare.com/workers/platform/limits/#simultaneous-open-connections
 */
export async function inLanes<Item>(
  lanes: number,
  waiting: IterableIterator<Item>,
  work: (item: Item) => Promise<void>,
) {
  // all take from the one iterator
  const lane = async () => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}
