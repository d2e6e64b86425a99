/**
 * Path suites in the form of x509-limbo (C2SP; limbo-schema.json there), judged by the very path code of the service, as
 * in production: with the certificates, the anchors and the time of the case, and nothing else. What a case asks beyond
 * is not judged here: a name, a purpose, a limit of its own. A yes to such a case says nothing if that alone speaks for a no.
 */
import * as z from "zod";
import { MAX_CERTIFICATE_BYTES } from "../../src/eidas/eidas-header.ts";
import { type Certificate, CertificateError, parseCertificate } from "../../src/x509/certificate.ts";
import { readPathExtensions } from "../../src/x509/extensions.ts";
import { sameName } from "../../src/x509/name.ts";
import { buildPath } from "../../src/x509/path.ts";
import { findRevocationProblem } from "./path-revocation.ts";
import { bearsName } from "./peer-name.ts";
import { readPems, readReadable } from "./pem.ts";
import type { CaseAnswer, SuiteCase, SuiteKind } from "./suite.ts";

const peerName = z.object({ kind: z.enum(["DNS", "IP", "RFC822"]), value: z.string() });

const testcase = z.object({
  id: z.string(),
  validation_kind: z.enum(["SERVER", "CLIENT"]),
  trusted_certs: z.array(z.string()),
  untrusted_intermediates: z.array(z.string()),
  peer_certificate: z.string(),
  validation_time: z.string().nullish(),
  extended_key_usage: z.array(z.string()).default([]),
  expected_result: z.enum(["SUCCESS", "FAILURE"]),
  expected_peer_name: peerName.nullish(),
  expected_peer_names: z.array(peerName).default([]),
  max_chain_depth: z.number().nullish(),
  crls: z.array(z.string()).default([]),
});

const suite = z.object({ testcases: z.array(testcase) });

type Testcase = z.infer<typeof testcase>;

const ANY_PURPOSE = "2.5.29.37.0";

const PURPOSES: Readonly<Record<string, string>> = {
  anyExtendedKeyUsage: ANY_PURPOSE,
  serverAuth: "1.3.6.1.5.5.7.3.1",
  clientAuth: "1.3.6.1.5.5.7.3.2",
  codeSigning: "1.3.6.1.5.5.7.3.3",
  emailProtection: "1.3.6.1.5.5.7.3.4",
  timeStamping: "1.3.6.1.5.5.7.3.8",
  OCSPSigning: "1.3.6.1.5.5.7.3.9",
};

export const pathSuites: SuiteKind = {
  name: "paths",
  recognises: ({ json }) => z.object({ testcases: z.array(z.unknown()) }).safeParse(json).success,
  read: ({ json }, now) => suite.parse(json).testcases.map((each) => toCase(each, now)),
};

const toCase = (each: Testcase, now: number): SuiteCase => ({
  id: each.id,
  expected: each.expected_result,
  expectsAccept: each.expected_result === "SUCCESS",
  run: () => runCase(each, now),
});

async function runCase(each: Testcase, now: number): Promise<CaseAnswer> {
  const leaf = readLeaf(each.peer_certificate);
  if ("reason" in leaf) return refuse(leaf.reason);
  const time = each.validation_time ? Date.parse(each.validation_time) : now;
  if (Number.isNaN(time)) throw new Error(`validation_time ${each.validation_time} is no time`);
  const input = {
    issuers: readReadable(each.untrusted_intermediates),
    anchors: readReadable(each.trusted_certs),
    now: time,
  };
  const result = await buildPath({ ...input, leaf });
  if (!result.ok) return refuse(`${result.reason}: ${result.message}`);
  const revocation =
    each.crls.length > 0 ? await findRevocationProblem(result.path, each.crls.flatMap(readPems), input) : null;
  if (revocation !== null) return refuse(revocation);
  const notApplicable =
    findNameMatter(each, leaf) ?? findPurposeMatter(each, result.path) ?? findDepthMatter(each, result.path);
  return { accepted: true, actual: "SUCCESS", reason: "the path is valid", notApplicable };
}

function readLeaf(pem: string): Certificate | { reason: string } {
  const der = readPems(pem)[0] ?? new Uint8Array(0);
  if (der.length > MAX_CERTIFICATE_BYTES) return { reason: `too large: ${der.length} bytes` };
  try {
    return parseCertificate(der);
  } catch (error) {
    if (error instanceof CertificateError) return { reason: `malformed: ${error.message}` };
    throw error;
  }
}

/** RFC 5280 section 4.2.1.12. A server's certificate is for serverAuth when the case says nothing else. */
function findPurposeMatter(each: Testcase, path: readonly Certificate[]): string | null {
  const { extended_key_usage: named, validation_kind: kind } = each;
  const wanted = named.length === 0 && kind === "SERVER" ? ["serverAuth"] : named;
  const missing = wanted.find((purpose) => path.slice(0, -1).some((one) => !isFor(one, PURPOSES[purpose] ?? purpose)));
  return missing === undefined
    ? null
    : `a certificate is for other purposes than the case's ${missing}; what a PSP's key is used for is judged where it is used`;
}

function isFor(certificate: Certificate, purpose: string): boolean {
  const reading = readPathExtensions(certificate);
  const usages = reading.ok ? reading.extensions.extendedKeyUsage : null;
  return !usages || usages.includes(purpose) || usages.includes(ANY_PURPOSE);
}

function findDepthMatter({ max_chain_depth: depth }: Testcase, path: readonly Certificate[]): string | null {
  const counted = path.slice(1, -1).filter(({ subject, issuer }) => !sameName(subject, issuer)).length;
  return depth == null || counted <= depth
    ? null
    : `the path has more intermediates (${counted}) than the case allows (${depth}); the service has one limit for all`;
}

/** The certificate does not bear the name that the case asks for. */
function findNameMatter(each: Testcase, leaf: Certificate): string | null {
  const wanted = [...(each.expected_peer_name ? [each.expected_peer_name] : []), ...each.expected_peer_names];
  const missing = wanted.find((name) => !bearsName(leaf, name));
  return missing
    ? `the certificate does not bear the peer's name ${missing.value}; names of servers and mailboxes are not judged here`
    : null;
}

const refuse = (reason: string): CaseAnswer => ({ accepted: false, actual: "FAILURE", reason, notApplicable: null });
