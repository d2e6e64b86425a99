/** Ledgers that do not answer. */
const fails = async () => {
  throw new Error("internal error; reference = secret-of-the-inside");
};

export const unreachableLedger = {
  getByName: () => ({ append: fails, state: fails, head: fails, list: fails, find: fails, range: fails, heads: fails }),
} as unknown as Env["LEDGER"];
