/** Mutants that change nothing that can be seen: no test can notice them. They are left out of the score. */
export interface Equivalent {
  /** Null for any. */
  readonly file: string | null;
  /** As `npm run mutants` prints it: `original -> replacement`. */
  readonly change: string;
  /** A part of the line that is changed, where the change alone could be one of several. */
  readonly inLine?: string;
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
    file: "src/revocation/kept-answers.ts",
    change: "a === b -> false",
    reason: "saves comparing an array with itself",
  },
  {
    file: "src/revocation/crl.ts",
    change: "known.length < MAX_KNOWN_ENCODINGS -> false",
    reason: "saves reading the same extensions again for each entry",
  },
  {
    file: "src/revocation/verified-answer.ts",
    change: "a.thisUpdate > b.thisUpdate -> a.thisUpdate >= b.thisUpdate",
    reason: "equal ones do not come this far",
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
  {
    file: "src/eidas/certificate-text.ts",
    change: "labelEnd < 0 -> labelEnd <= 0",
    reason: "the label ends behind the ten characters of its beginning, or nowhere",
  },
  {
    file: "src/eidas/certificate-text.ts",
    change: "end < 0 -> end <= 0",
    reason: "the END line is behind the BEGIN line, or nowhere",
  },
  {
    file: "src/eidas/certificate-text.ts",
    change: "end + 8 -> end - 8",
    reason: "the characters before the END line are the block's own, in which a comma is refused for the same reason",
  },
  {
    file: "src/eidas/certificate-text.ts",
    change: "/=+/ -> /=/",
    reason: "an empty piece of base64 is no bytes",
  },
  {
    file: "src/registers/import/eba-record.ts",
    change: 'typeof type === "string" -> true',
    reason: "a set of texts has nothing else in it",
  },
  {
    file: "src/registers/import/eba-record.ts",
    change: '[] -> ["Stryker was here"]',
    inLine: ".exec(",
    reason: "the first element of the match, the whole, is not used",
  },
  {
    file: "src/registers/import/eba-record.ts",
    change: "country === null -> false",
    inLine: "!acronym",
    reason: "without a country the expression has matched no acronym either",
  },
  {
    file: "src/registers/import/eba-record.ts",
    change:
      "distinct.every((reference) => /[\\p{L}\\p{N}]/u.test(reference)) -> distinct.some(reference => /[\\p{L}\\p{N}]/u.test(reference))",
    reason: "references have a letter or digit each, and of tails there is one",
  },
  {
    file: "src/registers/import/eba-registers.ts",
    change: "identity?.country -> identity.country",
    reason: "there is an identity where there are its numbers",
  },
  {
    file: "src/registers/import/eba-registers.ts",
    change: 'institutions.filter(({ category }) => category === "Branch") -> institutions',
    reason: "the numbers of all others are taken by then",
  },
  {
    file: "src/registers/import/eba-registers.ts",
    change: 'category === "Branch" -> true',
    reason: "the numbers of all others are taken by then",
  },
  {
    file: "src/revocation/answer-memory.ts",
    change: "this.#bytes > this.#capacity -> true",
    reason: "gives up nothing while there is room",
  },
  {
    file: "src/revocation/answer-memory.ts",
    change: "this.#bytes > this.#capacity -> this.#bytes >= this.#capacity",
    reason: "gives up nothing while there is room",
  },
  {
    file: "src/revocation/verified-answer.ts",
    change: "a.crlNumber > b.crlNumber -> a.crlNumber >= b.crlNumber",
    reason: "equal ones do not come this far",
  },
  {
    file: "src/revocation/verified-answer.ts",
    change: "all.length <= MAX_LINES -> false",
    reason: "saves sorting what is all kept",
  },
  {
    file: "src/revocation/verified-answer.ts",
    change: "all.length <= MAX_LINES -> all.length < MAX_LINES",
    reason: "saves sorting what is all kept",
  },
  {
    file: "src/trust/lists/document.ts",
    change: "!documentElement -> false",
    reason: "the parser refuses a text without an element",
  },
  {
    file: "src/x509/der-kind.ts",
    change: '[] -> ["Stryker was here"]',
    reason: "what is no value has no tag that a shape names",
  },
  {
    file: "src/x509/der-kind.ts",
    change: "der?.tag -> der.tag",
    reason: "a shape of two values has a first and a second",
  },
  {
    file: "src/x509/der-values.ts",
    change: '[] -> ["Stryker was here"]',
    inLine: ".exec(full)",
    reason: "the text was checked to be fourteen digits and Z",
  },
  {
    file: "src/x509/path.ts",
    change: "!child -> false",
    reason: "a path has its leaf at least",
  },
  {
    file: "src/x509/path.ts",
    change: "refused.length === candidates.length -> true",
    reason: "where a link verified, the search came further, and that failure is kept",
  },
  {
    file: "src/x509/signature.ts",
    change: "false -> true",
    inLine: "importKey(",
    reason: "a public key may be read again by whoever has it",
  },
  {
    file: "src/eidas/psd2-statement.ts",
    change: "home !== null -> true",
    reason: "no country's code is null",
  },
  {
    file: "src/revocation/ocsp.ts",
    change: "!single -> false",
    reason: "an answer about the certificate has one of the three statuses",
  },
  {
    file: "src/eidas/authorisation-number.ts",
    change: "NORMAL_ALREADY.test(text) -> false",
    reason: "a shortcut, which the whole way confirms",
  },
  {
    file: "src/eidas/authorisation-number.ts",
    change: '[] -> ["Stryker was here"]',
    inLine: ".exec(normal)",
    reason: "the first element of the match, the whole, is not used",
  },
  {
    file: "src/eidas/authorisation-number.ts",
    change: "/[\\p{Pd}\\u2212_]+/gu -> /[\\p{Pd}\\u2212_]/gu",
    reason: "each of several is replaced by nothing",
  },
  {
    file: "src/eidas/authorisation-number.ts",
    change: "/\\s+/g -> /\\s/g",
    reason: "each of several is replaced by nothing",
  },
  {
    file: "src/eidas/authorisation-number.ts",
    change: "/[a-z]+/g -> /[a-z]/g",
    reason: "each of several is made a capital",
  },
  {
    file: "src/eidas/qualified-service.ts",
    change: "fault === null -> true",
    inLine: "typedByList",
    reason: "a use that the list states and does not grant is refused either way",
  },
  {
    file: "src/eidas/qualified-service.ts",
    change: "false -> true",
    inLine: "typedByList: false",
    reason: "what has a fault is not asked whether the list states it",
  },
  {
    file: "src/eidas/qualified-use.ts",
    change: "type === undefined -> false",
    reason: "no use is named undefined",
  },
  {
    file: "src/eidas/validity.ts",
    change: "suspects.length > 0 -> true",
    reason: "saves loading the rule where nobody is suspected",
  },
  {
    file: "src/eidas/validity.ts",
    change: "suspects.length > 0 -> suspects.length >= 0",
    reason: "saves loading the rule where nobody is suspected",
  },
  {
    file: "src/eidas/stranger.ts",
    change: "built.path.slice(1) -> built.path",
    reason: "the leaf is where the search begins, and issues nothing on the way up",
  },
  {
    file: "src/registers/entitlement.ts",
    change: "passportOut[country]?.includes -> passportOut[country].includes",
    reason: "the country was found just before",
  },
  {
    file: "src/registers/entitlement.ts",
    change: "false -> true",
    inLine: "passportOut[country]",
    reason: "the country was found just before",
  },
  {
    file: "src/registers/status.ts",
    change: 'new Date(now).toISOString().slice(0, "YYYY-MM-DD".length) -> new Date(now).toISOString()',
    reason: "of two texts of which one begins with the other the shorter is first",
  },
  {
    file: "src/grants/redirect-uri.ts",
    change: "/^(\\[.*\\]|[^:[]*)(?::(.*))?$/ -> /^(\\[.*\\]|[^:[]*)(?::(.*))$/",
    reason: "without a port the authority is the host",
  },
  {
    file: "src/grants/redirect-uri.ts",
    change: "/^[1-9]\\d{0,4}$/ -> /^[1-9]\\d{0,4}/",
    reason: "what is more than digits is no number up to 65535, or no URL",
  },
];
