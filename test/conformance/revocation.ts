/**
 * OCSP answers and CRLs in a JSON file (`kind` says which): is each authentic for its
 * issuer? Older suites hold SHA-1 and 1,024-bit RSA, which were accepted in their time.
 */
import * as z from "zod";
import { fromBase64 } from "../../src/platform/encoding.ts";
import { verifyCrlAuthenticity } from "../../src/revocation/crl-check.ts";
import { verifyOcspAuthenticity } from "../../src/revocation/ocsp.ts";
import { parseCertificate } from "../../src/x509/certificate.ts";
import { CURRENT_LIMITS, type SignatureLimits } from "../../src/x509/signature.ts";
import { readPems, readReadable } from "./pem.ts";
import type { CaseAnswer, SuiteCase, SuiteKind } from "./suite.ts";

const suite = z.object({
  kind: z.enum(["ocsp", "crl"]),
  verifyTime: z.string().nullish(),
  maxAgeSeconds: z.number().nullish(),
  tests: z.array(
    z.object({
      id: z.string(),
      response: z.string(),
      issuer: z.string(),
      certificate: z.string().nullish(),
      expect: z.enum(["valid", "invalid"]),
    }),
  ),
});

type Suite = z.infer<typeof suite>;
type Test = Suite["tests"][number];

/** Until this day the CA/Browser Forum let OCSP answers be signed with SHA-1 (ballot SC53). */
const SHA1_ENDED = Date.parse("2022-06-01T00:00:00Z");
const LIMITS_OF_OLD: SignatureLimits = { minRsaBits: 1024, allowSha1: true };

export const revocationSuites: SuiteKind = {
  name: "revocation answers",
  recognises: ({ json }) =>
    z.object({ kind: z.enum(["ocsp", "crl"]), tests: z.array(z.unknown()) }).safeParse(json).success,
  read: ({ json }, now) => {
    const parsed = suite.parse(json);
    const time = parsed.verifyTime ? Date.parse(parsed.verifyTime) : now;
    if (Number.isNaN(time)) throw new Error(`verifyTime ${parsed.verifyTime} is no time`);
    return parsed.tests.map((test) => toCase(test, parsed, time));
  },
};

const toCase = (test: Test, { kind, maxAgeSeconds }: Suite, now: number): SuiteCase => ({
  id: test.id,
  expected: test.expect,
  expectsAccept: test.expect === "valid",
  run: async (): Promise<CaseAnswer> => {
    const response = fromBase64(test.response) ?? readPems(test.response)[0] ?? new Uint8Array(0);
    const limits = now < SHA1_ENDED ? LIMITS_OF_OLD : CURRENT_LIMITS;
    const certificate = test.certificate ? parseCertificate(readPems(test.certificate)[0] ?? new Uint8Array(0)) : null;
    const input = { certificate, now, maxAgeSeconds: maxAgeSeconds ?? null, limits };
    const reasons: string[] = [];
    // some cases give a chain: any of its certificates may be the issuer that is meant
    for (const issuer of readReadable([test.issuer])) {
      const answer =
        kind === "ocsp"
          ? await verifyOcspAuthenticity({ ...input, issuer, response })
          : await verifyCrlAuthenticity({ ...input, issuer, crl: response });
      if (answer.status !== "unusable") return answered(true, `it says ${answer.status}`);
      reasons.push(`${answer.reason}: ${answer.message}`);
    }
    return answered(false, reasons.join("; ") || "the issuer's certificate cannot be read");
  },
});

const answered = (accepted: boolean, reason: string): CaseAnswer => ({
  accepted,
  actual: accepted ? "valid" : "invalid",
  reason,
  notApplicable: null,
});
