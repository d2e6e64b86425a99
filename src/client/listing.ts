/** A list that the service answers in pages. */
import type { Answer } from "./answer.ts";

export interface Page<Record> {
  readonly data: readonly Record[];
  /** The parameter `cursor` of the next page; null on the last one. */
  readonly next_cursor: string | null;
}

/**
 * `await listing` is the first page, `for await (const record of listing)` all records, one request for each page.
 * Nothing is sent before.
 */
export class Listing<Record, Shown extends Page<Record> = Page<Record>>
  implements PromiseLike<Shown>, AsyncIterable<Record>
{
  readonly #fetchPage: (cursor: string | undefined) => Promise<Shown>;
  readonly #first: string | undefined;

  /** `first`: the cursor to begin with, if any. */
  constructor(fetchPage: (cursor: string | undefined) => Promise<Shown>, first: string | undefined) {
    this.#fetchPage = fetchPage;
    this.#first = first;
  }

  // biome-ignore lint/suspicious/noThenProperty: a listing is awaited for its first page
  then<Kept = Shown, Failed = never>(
    kept?: ((page: Shown) => Kept | PromiseLike<Kept>) | null,
    failed?: ((reason: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Kept | Failed> {
    return this.#fetchPage(this.#first).then(kept, failed);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Record, void, undefined> {
    for (let cursor = this.#first; ; ) {
      const page = await this.#fetchPage(cursor);
      yield* page.data;
      if (page.next_cursor === null) return;
      cursor = page.next_cursor;
    }
  }
}

/** Of an answer whose body has `data`, and `next_cursor` unless it is the last page. */
export async function readPage<Record>(answer: Promise<Answer>): Promise<Page<Record>> {
  const { data, next_cursor } = (await answer).body;
  return { data: data as Record[], next_cursor: (next_cursor as string | undefined) ?? null };
}
