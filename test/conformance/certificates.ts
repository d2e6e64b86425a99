/**
 * PSD2 certificates: an index (JSON) lists the files beside it with their fields. Each file reads as the index says, and
 * the issuers that it names (in issuers/) signed it.
 */
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { readPsp } from "../../src/eidas/psd2.ts";
import { type Certificate, parseCertificate } from "../../src/x509/certificate.ts";
import { verifySignature } from "../../src/x509/signature.ts";
import { readPems } from "./pem.ts";
import type { CaseAnswer, SuiteKind } from "./suite.ts";

const entry = z.object({
  file: z.string(),
  sha256: z.string(),
  subject: z.object({ O: z.array(z.string()), organizationIdentifier: z.array(z.string()) }),
  issuer: z.object({ CN: z.array(z.string()) }),
  notBefore: z.string(),
  notAfter: z.string(),
  roles: z.array(z.object({ oid: z.string(), name: z.string() })),
  ncaName: z.string().nullable(),
  ncaId: z.string().nullable(),
  qcType: z.array(z.string()).nullable(),
  signedBy: z.array(z.string()),
});
const suite = z.array(entry).min(1);

type Entry = z.infer<typeof entry>;

export const certificateSuites: SuiteKind = {
  name: "certificates",
  recognises: ({ json }) =>
    z
      .array(z.object({ file: z.string(), sha256: z.string() }))
      .min(1)
      .safeParse(json).success,
  read: ({ path, json }) =>
    suite.parse(json).map((each) => ({
      id: each.file,
      expected: "read as the index says",
      expectsAccept: true,
      run: () => runCase(dirname(path), each),
    })),
};

async function runCase(folder: string, each: Entry): Promise<CaseAnswer> {
  const certificate = await readCertificate(join(folder, each.file));
  const read = describe(certificate);
  const expected = describeEntry(each);
  const differing = Object.keys(expected).filter((field) => !isDeepStrictEqual(read[field], expected[field]));
  const unsigned = await findUnsigned(certificate, join(folder, "issuers"), each.signedBy);
  const problems = [...differing.map((field) => `${field} is ${JSON.stringify(read[field])}`), ...unsigned];
  return {
    accepted: problems.length === 0,
    actual: problems.length === 0 ? "read as the index says" : "read otherwise",
    reason: problems.join("; ") || "every field",
    notApplicable: null,
  };
}

async function readCertificate(path: string): Promise<Certificate> {
  const [der = new Uint8Array()] = readPems(await readFile(path, "latin1"));
  return parseCertificate(der);
}

type Reading = Readonly<Record<string, unknown>>;

const day = (time: number): string => new Date(time).toISOString().slice(0, "YYYY-MM-DD".length);

function describe(certificate: Certificate): Reading {
  const psp = readPsp(certificate);
  return {
    sha256: certificate.fingerprint,
    pspSubjectName: psp.pspSubjectName,
    authNumber: psp.authNumber,
    QTSPCommonName: psp.QTSPCommonName,
    notBefore: day(certificate.notBefore),
    notAfter: day(certificate.notAfter),
    roles: psp.roles.map(({ oid, name }) => ({ oid, name })),
    ncaName: psp.ncaName,
    ncaId: psp.ncaId,
    qcTypes: [...psp.qcTypes],
  };
}

function describeEntry({ subject, issuer, qcType, ...rest }: Entry): Reading {
  const [identifier] = subject.organizationIdentifier;
  return {
    sha256: rest.sha256,
    pspSubjectName: subject.O[0] ?? null,
    // ETSI TS 119 495 section 5.2.1: another scheme's identifier is no authorisation number
    authNumber: identifier?.startsWith("PSD") ? identifier : null,
    QTSPCommonName: issuer.CN[0] ?? null,
    notBefore: rest.notBefore,
    notAfter: rest.notAfter,
    roles: rest.roles,
    ncaName: rest.ncaName,
    ncaId: rest.ncaId,
    qcTypes: qcType ?? [],
  };
}

/** The named issuers whose key does not verify the certificate's signature. */
async function findUnsigned(certificate: Certificate, folder: string, issuers: readonly string[]): Promise<string[]> {
  const { signatureAlgorithm: algorithm, tbs: data, signature } = certificate;
  const problems: string[] = [];
  for (const file of issuers) {
    const { publicKey } = await readCertificate(join(folder, file));
    const verified = await verifySignature({ algorithm, publicKey, data, signature });
    if (!verified.ok) problems.push(`not signed by ${file}: ${verified.reason}`);
  }
  return problems;
}
