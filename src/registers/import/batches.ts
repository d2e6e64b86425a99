/** Work on many things, so many at a time: of a batch with one that fails no other is begun, unlike in lanes (lanes.ts). */
export async function inBatches<Item>(items: Iterable<Item>, size: number, work: (item: Item) => Promise<void>) {
  let underWay: Promise<void>[] = [];
  for (const item of items) {
    underWay.push(work(item));
    if (underWay.length < size) continue;
    await Promise.all(underWay);
    underWay = [];
  }
  await Promise.all(underWay);
}
