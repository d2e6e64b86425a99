/**
 * The four verdicts on a certificate, in the order of the answer, and all that is said of them: by warnings, by the error of
 * a PSP that is refused, as reasons of a decision, and in words for people. Their rules are in validity.ts.
 *
 * The texts are long, and a start needs names and codes only. It takes these from verdict-codes.ts, which is computed when
 * the Worker is built (src/cli/build/worker-modules.ts).
 */
import { countryName } from "../platform/country.ts";
import type { Instant } from "../platform/instant.ts";

/** A warning about a false verdict, which is a reason against both scopes, too. */
interface VerdictWarning {
  readonly code: string;
  /** Who can remove it. */
  readonly whose: "psp" | "qtsp" | "source";
  readonly meaning: string;
  /** What a bank does about it. */
  readonly cure: string;
  /** The verdict in a sentence, where this stands against it. */
  readonly sentence: string;
}

interface Verdict {
  /** What true means. */
  readonly meaning: string;
  /** As a heading. */
  readonly name: string;
  /** True, in a sentence of the report on a check. */
  readonly good: (checked: Checked) => string;
  /** In sentences of the report on a record of the ledger. */
  readonly kept: { readonly good: string; readonly bad: string };
  /** The first has the code of the error. */
  readonly warnings: readonly [VerdictWarning, ...VerdictWarning[]];
  /** In the error reference: see http/errors/entry.ts. */
  readonly error: Readonly<Record<"title" | "rule" | "cause" | "cure" | "example", string>>;
}

/** Of a PSP check what the sentences name. */
interface Checked {
  readonly psp: { readonly QTSPCommonName: string | null; readonly notBefore: Instant; readonly notAfter: Instant };
  readonly evidence: {
    readonly anchor: { readonly source: string; readonly jurisdiction: string; readonly serviceName: string } | null;
    readonly path: readonly unknown[];
    readonly revocation: readonly { readonly source: string; readonly producedAt: string }[];
  };
}

const day = (instant: Instant | string): string => new Date(instant).toISOString().slice(0, 10);

export const VERDICTS = {
  validQTSP: {
    meaning: "A trusted list approved the issuer for such a certificate when it was issued, and does now.",
    name: "Issuer approved",
    good: ({ psp, evidence: { anchor } }) =>
      `The issuer ${psp.QTSPCommonName ?? "of the certificate"} is a qualified trust service provider${
        anchor
          ? `: the ${anchor.source} trusted list of ${countryName(anchor.jurisdiction)} approves its service ${anchor.serviceName}`
          : ""
      }.`,
    kept: {
      good: "A qualified service of a trusted list issued it.",
      bad: "No path led from it to a qualified service of a trusted list.",
    },
    warnings: [
      {
        code: "qtsp_invalid",
        whose: "qtsp",
        meaning: "validQTSP is false: no trusted list approves the issuer for such a certificate, then and now",
        cure: "Do not rely on the certificate. Ask the PSP for one from a QTSP that a trusted list approves; if the list of its country is missing here, the operator loads it.",
        sentence: "No trusted list approves the issuer for such a certificate.",
      },
      {
        code: "list_of_lists_expired",
        whose: "source",
        meaning:
          "validQTSP is false: the trusted list does not count, as the list of lists that names it is not loaded, or ended more than half a year ago",
        cure: "The operator of this service looks at the refresh of the list of lists (status). Until it is loaded anew, no certificate of its lists counts as valid.",
        sentence:
          "Whether a trusted list approves the issuer is not known: the list of lists is not loaded here, or ended too long ago.",
      },
    ],
    error: {
      title: "The certificate's issuer is not an approved QTSP",
      rule: "The certificate's path ends at a CA/QC service that was granted on a trusted list when the certificate was issued, and still is.",
      cause:
        "The issuer is not on a trusted list or was withdrawn, or an intermediate certificate was neither sent nor found.",
      cure: "Send the issuers' certificates after the PSP's. If the title says that one is being fetched, send the request again. The warnings of GET /v1/psp/eidas say what is missing.",
      example: "cat psp.pem issuer.pem > eidas.pem",
    },
  },
  validSignature: {
    meaning:
      "Every signature from the certificate to the listed issuer verifies, and none of these certificates is expired.",
    name: "Genuine",
    good: ({ evidence: { path } }) =>
      `The certificate is genuine: an unbroken path of ${path.length} certificates leads from it to the trusted list.`,
    kept: {
      good: "Every signature on the path was right.",
      bad: "No path whose signatures, rules and periods were all right led from it to a trusted list.",
    },
    warnings: [
      {
        code: "signature_invalid",
        whose: "psp",
        meaning: "validSignature is false: there is no certificate path, or it is broken or has an expired certificate",
        cure: "Do not rely on the certificate. Ask the PSP for all certificates from its own up to its QTSP's, and for new ones where one has ended.",
        sentence: "The certificate is not proved to be genuine: no valid path leads from it to a trusted list.",
      },
    ],
    error: {
      title: "A signature on the certificate's path does not verify",
      rule: "Every certificate on the path is signed with the key of the next, and none is expired.",
      cause:
        "A certificate was altered, was sent with a different CA of the same name, or an issuer's certificate is expired.",
      cure: "Send the issuers' certificates that the QTSP publishes for this certificate.",
      example: "openssl verify -untrusted issuer.pem -CAfile anchor.pem psp.pem",
    },
  },
  notRevoked: {
    meaning:
      "OCSP or a CRL says of every certificate on the path that it is not revoked. False if nothing can be known.",
    name: "Not revoked",
    good: ({ evidence: { revocation } }) => {
      const asked = revocation.map(({ source, producedAt }) => `${source} of ${day(producedAt)}`);
      return `The certificate is not revoked${asked.length > 0 ? ` (${asked.join(", ")})` : ""}.`;
    },
    kept: {
      good: "It was not revoked.",
      bad: "It or one of its issuers was revoked, or nobody could say whether it was.",
    },
    warnings: [
      {
        code: "certificate_revoked",
        whose: "psp",
        meaning:
          "notRevoked is false: a certificate of the path is revoked, or counts as revoked because one is expired",
        cure: "Do not rely on the certificate. Ask the PSP for a new one.",
        sentence: "The certificate is revoked, or counts as revoked.",
      },
      {
        code: "revocation_unknown",
        whose: "qtsp",
        meaning: "notRevoked is false: no OCSP response or CRL says whether a certificate of the path is revoked",
        cure: "A broken path comes first. Else repeat the check in a minute: a QTSP that goes on not to answer is for the PSP to ask. Until then the certificate does not count as valid.",
        sentence: "Whether the certificate is revoked could not be found out, so it does not count as valid.",
      },
    ],
    error: {
      title: "The certificate is revoked, or its status is unknown",
      rule: "OCSP or a CRL confirms for every certificate on the path that it is not revoked. If the status is unknown, the certificate is treated as revoked.",
      cause: "The QTSP revoked it, or neither its OCSP responder nor its CRL could be reached and verified.",
      cure: "The title says which. If it is revoked, the PSP needs a new certificate; if the status is unknown, try again later.",
      example: "openssl x509 -in psp.pem -noout -ext authorityInfoAccess,crlDistributionPoints",
    },
  },
  notExpired: {
    meaning: "Now lies between the certificate's first and last instant.",
    name: "In its period",
    good: ({ psp }) => `The certificate is valid from ${day(psp.notBefore)} to ${day(psp.notAfter)}.`,
    kept: { good: "It was within its period.", bad: "It was not within its period." },
    warnings: [
      {
        code: "certificate_expired",
        whose: "psp",
        meaning: "notExpired is false: the certificate is expired or not yet valid",
        cure: "Ask the PSP for its current certificate.",
        sentence: "The certificate is not valid at this time.",
      },
    ],
    error: {
      title: "The certificate is expired or not yet valid",
      rule: "The time of the request lies between the certificate's notBefore and notAfter.",
      cause: "The PSP has renewed its certificate, and the old one is still configured somewhere.",
      cure: "Send the current one. Codes, tokens and consents belong to the PSP and stay valid with its new certificate.",
      example: "openssl x509 -in psp.pem -noout -dates",
    },
  },
} as const satisfies Readonly<Record<string, Verdict>>;

export type VerdictName = keyof typeof VERDICTS;

/** Errors of http/errors/psps.ts, and reasons, too. */
export type VerdictError = (typeof VERDICTS)[VerdictName]["warnings"][0]["code"];
export type VerdictCode = (typeof VERDICTS)[VerdictName]["warnings"][number]["code"];
