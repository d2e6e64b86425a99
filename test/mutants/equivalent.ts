/** Mutants that change nothing that can be seen: no test can notice them. They are left out of the score. */
export interface Equivalent {
  /** Null for any. */
  readonly file: string | null;
  /** As `npm run mutants` prints it: `original -> replacement`. */
  readonly change: string;
  readonly reason: string;
}

const NOTHING_ELSE_IS_THROWN = "any other error is a fault of the program, and is thrown on";

export const EQUIVALENT: readonly Equivalent[] = [
  { file: null, change: "error instanceof DerError -> true", reason: NOTHING_ELSE_IS_THROWN },
  { file: null, change: "error instanceof CertificateError -> true", reason: NOTHING_ELSE_IS_THROWN },
  {
    file: null,
    change: "error instanceof DerError || error instanceof CertificateError -> true",
    reason: NOTHING_ELSE_IS_THROWN,
  },
  {
    file: "src/eidas/eidas-header.ts",
    change: "error instanceof CertificateError && der -> true",
    reason: NOTHING_ELSE_IS_THROWN,
  },
  {
    file: "src/registers/import/eba-registers.ts",
    change: "record.version > this.latestVersion -> record.version >= this.latestVersion",
    reason: "the same text in the place of itself",
  },
  {
    file: "src/registers/import/eba-registers.ts",
    change: "a < b -> a <= b",
    reason: "the keys of a map: no two are equal",
  },
  {
    file: "src/registers/import/own-form-csv.ts",
    change: "rows[start]?.agent -> rows[start].agent",
    reason: "start is the index of a row",
  },
  {
    file: "src/revocation/cache-slot.ts",
    change: "a === b -> false",
    reason: "saves comparing an array with itself",
  },
  {
    file: "src/revocation/crl-entries.ts",
    change: "known.length < MAX_KNOWN_ENCODINGS -> false",
    reason: "saves reading the same extensions again for each entry",
  },
  {
    file: "src/revocation/ocsp-slot.ts",
    change: "signedAt < now -> signedAt <= now",
    reason: "the same check at the same time again",
  },
  {
    file: "src/revocation/ocsp-slot.ts",
    change: "{ if (error instanceof DerError) return null; throw error; } -> {}",
    reason: "undefined is no earlier than now, so that it does as null, and any other error is a fault of the program",
  },
  {
    file: "src/revocation/verified-answer.ts",
    change: "a.thisUpdate > b.thisUpdate -> a.thisUpdate >= b.thisUpdate",
    reason: "equal ones do not come this far",
  },
  {
    file: "src/trusted-lists/verify.ts",
    change: "!documentElement -> false",
    reason: "parseXml refuses a document without an element",
  },
  {
    file: "src/x509/der-values.ts",
    change:
      "/^(\\d{4})(\\d\\d)(\\d\\d)(\\d\\d)(\\d\\d)(\\d\\d)Z$/ -> /(\\d{4})(\\d\\d)(\\d\\d)(\\d\\d)(\\d\\d)(\\d\\d)Z$/",
    reason: "the text was checked to be fourteen digits and Z",
  },
  {
    file: "src/x509/signature-scheme.ts",
    change: "fields.shift()?.content -> fields.shift().content",
    reason: "the tag of the field was read just before",
  },
  {
    file: "src/x509/path-rules.ts",
    change: "constraints.length === 0 -> false",
    reason: "saves the listing of names that nothing constrains",
  },
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
    reason: "Node reads the name of a digest in either case",
  },
  {
    file: "src/x509/rsa.ts",
    change: "s >= n -> s > n",
    reason: "the modulus itself is 0 modulo itself, and 0 is no encoded message",
  },
];
