/**
 * Certificates of the Open Banking Directory of the United Kingdom (OBWAC, OBSeal) are by no QTSP. What is said to people of
 * a check of one names the Directory instead. For people only: no rule depends on it.
 */
import { isDirectoryNumber } from "../eidas/authorisation-number.ts";
import type { WarningCode } from "../eidas/every-warning.ts";
import { FINDINGS, type ReasonCode } from "./every-reason.ts";

/** Under which the operator loads the Directory's CAs: `trust import ca.pem --source OBIE --jurisdiction GB`. */
const SOURCE = "OBIE";

export const isDirectorySource = (source: string): boolean => source === SOURCE || source.startsWith(`${SOURCE}-`);

/** The common names of its CAs, such as `OpenBanking Issuing CA`. */
const ISSUER = /^open ?banking\b/i;

/** Of a check: the source of its anchor, the certificate's issuer, and the PSP's number in normal form. */
export interface CertificateOrigin {
  readonly source: string | null;
  readonly issuer: string | null;
  readonly pspId: string | null;
}

const isByDirectory = ({ source, issuer, pspId }: CertificateOrigin): boolean =>
  source === null ? ISSUER.test(issuer ?? "") || isDirectoryNumber(pspId ?? "") : isDirectorySource(source);

type Code = WarningCode | ReasonCode;

export interface Words {
  /** What is to be done about a warning or reason. */
  readonly cureOf: (code: Code) => string;
  /** A sentence in these words. */
  readonly write: (text: string) => string;
  readonly byDirectory: boolean;
}

export const USUAL_WORDS: Words = {
  cureOf: (code) => FINDINGS[code].cure,
  write: (text) => text,
  byDirectory: false,
};

const CURES: Partial<Record<Code, string>> = {
  qtsp_invalid:
    "Do not rely on the certificate. Ask the PSP for its current one from the Open Banking Directory; if the Directory's CA is missing here, the operator loads it (trust import).",
};

/** Where the number is the Directory's own. */
const CURES_OF_NUMBER: Partial<Record<Code, string>> = {
  not_in_register:
    "The number is the Open Banking Directory's own, and no register has it. Ask the PSP for a certificate with its number at the FCA.",
};

const QTSP = /\b(?:(?:the PSP's|the|its|a) )?QTSP\b/g;

const write = (text: string): string => text.replaceAll(QTSP, "the Open Banking Directory");

export function wordsFor(origin: CertificateOrigin): Words {
  if (!isByDirectory(origin)) return USUAL_WORDS;
  const cures = { ...CURES, ...(isDirectoryNumber(origin.pspId ?? "") && CURES_OF_NUMBER) };
  return { cureOf: (code) => cures[code] ?? write(FINDINGS[code].cure), write, byDirectory: true };
}
