/** Certificates with unusual encodings (fixtures/suites/certificates): the reading and the warnings of each. */
import { describe, expect, test } from "vitest";
import { makeOdd, readingOf } from "../../../fixtures/suites/certificates/odd-certificate.ts";
import { ODD_STATEMENTS } from "../../../fixtures/suites/certificates/odd-statements.ts";
import { ODD_SUBJECTS } from "../../../fixtures/suites/certificates/odd-subjects.ts";
import { describeCertificate, readPsp } from "../../../src/eidas/psd2.ts";
import { sentencesOf } from "./sentences-of.ts";

describe.each([
  ["subject", ODD_SUBJECTS],
  ["statements", ODD_STATEMENTS],
])("a certificate with an oddity of its %s", (_, certificates) => {
  test.each(certificates)("$id", (odd) => {
    const { certificate } = makeOdd(odd);
    const psp = readPsp(certificate);
    const expected = readingOf(odd);
    expect(psp).toMatchObject({ ...expected });
    expect(sentencesOf(psp)).toEqual((odd.warns ?? []).map((warning) => expect.stringMatching(warning)));
    const { roles, qcTypes, ...described } = expected;
    expect(describeCertificate(certificate)).toMatchObject({
      ...described,
      qcTypes: qcTypes.length > 0 ? qcTypes : null,
      roles: roles.map(({ oid }) => STANDARD_NAMES[oid] ?? oid),
    });
  });
});

const STANDARD_NAMES: Readonly<Record<string, string>> = {
  "0.4.0.19495.1.1": "PSP_AS",
  "0.4.0.19495.1.2": "PSP_PI",
  "0.4.0.19495.1.3": "PSP_AI",
  "0.4.0.19495.1.4": "PSP_IC",
  "0.4.0.19495.1.5": "PSP_CB",
};
