/** Why a check ended as it did, in the sentences of its kept answer, with what to do about each. Pure. */
import { normaliseAuthorisationNumber } from "../../eidas/authorisation-number.ts";
import { VERDICT_CODES, VERDICT_NAMES } from "../../eidas/verdict-codes.ts";
import type { VerdictName } from "../../eidas/verdicts.ts";
import { type Words, wordsFor } from "../../psp-check/directory-words.ts";
import { FINDINGS } from "../../psp-check/every-reason.ts";
import type { Scope } from "../../registers/entitlement.ts";

/** A sentence of a kept answer. With version `latest` it has a code, so that it is known what to do. */
export interface KeptReason {
  readonly sentence: string;
  readonly code: string | null;
  readonly cure: string | null;
}

/** Why not, as a kept answer says: the warnings about a false verdict, whatever its version; of a scope with `latest` only. */
export interface KeptReasons {
  readonly ofVerdict: (field: VerdictName) => readonly KeptReason[];
  readonly ofScope: (scope: Scope) => readonly KeptReason[];
  /** All other warnings, of the certificate and of both registers. */
  readonly warnings: readonly KeptReason[];
}

/** Sentences about a verdict begin with its name. */
const VERDICT_NAME = new RegExp(`^(?:${VERDICT_NAMES.join("|")}): `);

interface Warned {
  readonly warning?: readonly string[];
  readonly warning_codes?: readonly string[];
}

interface KeptAnswer {
  readonly eIDAS?: Warned & {
    readonly data?: { readonly QTSPCommonName?: string | null; readonly authNumber?: string | null };
  };
  readonly evidence?: { readonly anchor?: { readonly source: string } | null };
  readonly homeRegister?: Warned;
  readonly hostRegister?: Warned;
  readonly decision?: Readonly<
    Record<Scope, { readonly reasons: readonly { readonly code: string; readonly message: string }[] }>
  >;
}

/** Of any other text: no reasons. */
export function readReasons(answer: unknown): KeptReasons {
  const { eIDAS, evidence, homeRegister, hostRegister, decision } = Object(answer) as KeptAnswer;
  const { QTSPCommonName = null, authNumber = null } = eIDAS?.data ?? {};
  const source = evidence?.anchor?.source ?? null;
  const pspId = authNumber && normaliseAuthorisationNumber(authNumber);
  const words = wordsFor({ source, issuer: QTSPCommonName, pspId });
  const [ofCertificate = [], ...ofRegisters] = [eIDAS, homeRegister, hostRegister].map((one) =>
    listWarnings(one, words),
  );
  const others = [ofCertificate, ...ofRegisters].flat();
  return {
    ofVerdict: (field) =>
      ofCertificate.flatMap((each) =>
        each.sentence.startsWith(`${field}: `) ? [{ ...each, sentence: each.sentence.slice(field.length + 2) }] : [],
      ),
    ofScope: (scope) =>
      (decision?.[scope].reasons ?? []).flatMap(({ code, message }) =>
        VERDICT_NAME.test(message) ? [] : [withCure(message, code, words)],
      ),
    warnings: others.filter(({ sentence }) => !VERDICT_NAME.test(sentence)),
  };
}

const listWarnings = ({ warning = [], warning_codes = [] }: Warned = {}, words: Words): KeptReason[] =>
  warning.map((sentence, i) => withCure(sentence, warning_codes[i] ?? null, words));

/** A code of an earlier release may be none of this one's. */
const withCure = (sentence: string, code: string | null, words: Words): KeptReason => ({
  ...{ sentence, code },
  cure: code !== null && Object.hasOwn(FINDINGS, code) ? words.cureOf(code as keyof typeof FINDINGS) : null,
});

/** Why a check had the outcome of a false verdict, as it was answered; null where no answer is kept. */
export function findReason(outcome: string, reasons: KeptReasons): KeptReason | null {
  const field = VERDICT_NAMES.find((each) => VERDICT_CODES[each][0] === outcome);
  return (field && reasons.ofVerdict(field)[0]) ?? null;
}

export const NO_REASONS = readReasons(null);
