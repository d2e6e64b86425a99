/** When a ledger's object is called next without a request: the platform keeps one alarm for it. */
export class LedgerAlarm {
  readonly #storage: Pick<DurableObjectStorage, "getAlarm" | "setAlarm">;
  /** Undefined: not known yet. */
  #at: number | null | undefined;

  constructor(storage: Pick<DurableObjectStorage, "getAlarm" | "setAlarm">) {
    this.#storage = storage;
  }

  /** Sets it to this instant (milliseconds since 1970), if it does not ring before. */
  async ring(at: number): Promise<void> {
    if (this.#at === undefined) this.#at = await this.#storage.getAlarm();
    if (this.#at !== null && this.#at <= at) return;
    this.#at = at;
    await this.#storage.setAlarm(at).catch((error: unknown) => {
      this.#at = undefined;
      throw error;
    });
  }

  /** It has rung: none is set. */
  rang(): void {
    this.#at = null;
  }
}
