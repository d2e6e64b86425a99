/** The verdicts of a certificate that nothing is wrong with. Which they are, test/spec/interface/psp-check.test.ts says. */

import type { Validity } from "../src/eidas/validity.ts";
import { VERDICT_NAMES } from "../src/eidas/verdict-codes.ts";

export const ALL_TRUE = Object.fromEntries(VERDICT_NAMES.map((name) => [name, true])) as Validity;
