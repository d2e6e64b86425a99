/** Certificates, what they say of a PSP, and the texts and files in which they come. */
import { X509Certificate } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { readCertificateFile } from "../../../src/console/check/certificate-file.ts";
import { parseEidasHeader, readFirstCertificate } from "../../../src/eidas/eidas-header.ts";
import { describeCertificate, readPsp } from "../../../src/eidas/psd2.ts";
import { QC_STATEMENTS_EXTENSION } from "../../../src/eidas/qc-statements.ts";
import { sameBytes, toBase64, toHex } from "../../../src/platform/encoding.ts";
import {
  describeSilence,
  listCrlUrls,
  listIssuerUrls,
  listOcspUrls,
} from "../../../src/revocation/distribution-points.ts";
import { type Certificate, CertificateError, parseCertificate } from "../../../src/x509/certificate.ts";
import { readCertificateBag } from "../../../src/x509/certificate-bag.ts";
import { children, type Der, encodeDer, readDer } from "../../../src/x509/der.ts";
import { readPathExtensions } from "../../../src/x509/extensions.ts";
import { nameKey, sameName, writeName } from "../../../src/x509/name.ts";
import { readVerificationKey } from "../../../src/x509/public-key.ts";
import { readSignatureScheme } from "../../../src/x509/signature-scheme.ts";
import { readOurs, readTheirs } from "../../unit/x509/second-reader.ts";
import { type Corpus, decode, readSharedFiles } from "../corpus.ts";
import { fromLatin1, must, readOrRefuse, type Target, toBytes, toLatin1 } from "../target.ts";

export function certificateTargets({ certificates, statements }: Corpus): Target[] {
  const ders = certificates.map(decode);
  const [lawful = new Uint8Array()] = ders;
  const pem = (der: Uint8Array) => `-----BEGIN CERTIFICATE-----\n${toBase64(der)}\n-----END CERTIFICATE-----\n`;
  const texts = [
    toBase64(lawful),
    ders
      .slice(0, 3)
      .map((der) => `:${toBase64(der)}:`)
      .join(", "),
    ders.slice(0, 2).map(toBase64).join(","),
    encodeURIComponent(pem(lawful)),
    ders.slice(20, 22).map(pem).join(""),
    toBase64(toBytes(pem(lawful))),
    `"${pem(lawful).replaceAll("\n", "\\n")}"`,
    "(null)",
  ];
  const base = parseCertificate(lawful);
  return [
    {
      ...{ name: "certificate", form: "der", stepsPerByte: 60, share: 6 },
      corpus: [
        ...ders,
        ...readSharedFiles("certificates", ".pem").flatMap((file) => readCertificateBag(file).map(({ der }) => der)),
      ],
      check: (input) => {
        const certificate = readOrRefuse(() => parseCertificate(input), CertificateError);
        if (certificate) checkCertificate(certificate, input);
        const header = parseEidasHeader(toBase64(input));
        must(
          !header.ok || certificate === null || sameBytes(header.leaf.der, input),
          "the header reads another certificate",
        );
        must(header.ok || certificate === null || input.length > 16 * 1024, "the header refuses what the parser reads");
      },
    },
    {
      ...{ name: "qc-statements", form: "der", stepsPerByte: 60, share: 6, corpus: statements.map(decode) },
      check: (value) => {
        const psp = readPsp({ ...base, extensions: [{ oid: QC_STATEMENTS_EXTENSION, critical: false, value }] });
        checkPsp(psp);
        must(psp.ncaId !== null || psp.warnings.length > 0, "a statement without an NCA has no warning");
      },
    },
    {
      ...{ name: "eidas-header", form: "text", stepsPerByte: 200, share: 2, maxBytes: 20_000 },
      corpus: texts.map(fromLatin1),
      words: [
        "-----BEGIN CERTIFICATE-----",
        "-----END CERTIFICATE-----",
        "-----BEGIN PRIVATE KEY-----",
        "%2B",
        "%0A",
        "\\n",
        "(null)",
        "LS0t",
        "MIIB",
        ", :",
        ":",
      ],
      check: (input) => checkHeader(toLatin1(input)),
    },
    {
      ...{ name: "certificate-file", form: "bytes", stepsPerByte: 200, maxBytes: 20_000 },
      corpus: [lawful, ...texts.map(fromLatin1)],
      words: ["\xef\xbb\xbf", "-----BEGIN PKCS7-----", "-----BEGIN CERTIFICATE-----"],
      check: (input) => {
        const file = readCertificateFile(input);
        must(file.ok || file.message !== "", "a refusal without a reason");
        for (const { der } of readCertificateBag(input))
          must(parseCertificate(der).der.length > 0, "a bag of what is none");
      },
    },
  ];
}

function checkCertificate(certificate: Certificate, input: Uint8Array): void {
  must(sameBytes(certificate.der, input), "the parsed bytes are not the given ones");
  must(sameBytes(encodeAgain(readDer(input, "")), input), "what is accepted does not encode to itself");
  checkPsp(readPsp(certificate));
  must(JSON.stringify(describeCertificate(certificate)).isWellFormed(), "a description that is no Unicode");
  readPathExtensions(certificate);
  for (const list of [listOcspUrls, listCrlUrls, listIssuerUrls])
    for (const url of list(certificate)) must(/^https?:/i.test(url), "an address of another scheme");
  must(describeSilence(certificate) !== "", "a silence without a reason");
  readVerificationKey(certificate.publicKey);
  readSignatureScheme(certificate.signatureAlgorithm);
  const { issuer, subject } = certificate;
  writeName(subject);
  must(
    sameName(issuer, subject) === (nameKey(issuer) === nameKey(subject)),
    "names are the same, and their keys are not",
  );
  compareWithOpenssl(certificate);
  compareWithLibrary(certificate);
}

function checkPsp(psp: ReturnType<typeof readPsp>): void {
  must(psp.warnings.length <= 32, "more than 32 warnings");
  must(
    psp.paymentServices.every((service) => service >= 1 && service <= 8),
    "a payment service that is none",
  );
  must((psp.authNumber === null) === (psp.homeCountry === null), "a number without a country, or the other way round");
}

/** All that is constructed is taken apart, and put together again. */
function encodeAgain({ tag, content, raw }: Der): Uint8Array {
  const parts = (tag & 0x20) === 0 ? null : readOrRefuse(() => children({ tag, content, raw }, ""), Error);
  return encodeDer(tag, ...(parts === null ? [content] : parts.map(encodeAgain)));
}

/** What OpenSSL reads, it must read so. It refuses more: keys that it does not know, and contents of extensions. */
function compareWithOpenssl(certificate: Certificate): void {
  const theirs = readOrRefuse(() => new X509Certificate(certificate.der), Error);
  if (!theirs) return;
  const number = (hex: string) => hex.replace(/^-?0*/, "").toLowerCase();
  const isNegative = Number.parseInt(certificate.serialNumber.slice(0, 2), 16) >= 0x80;
  must(
    isNegative || number(theirs.serialNumber) === number(certificate.serialNumber),
    "OpenSSL reads another serial number",
  );
  must(sameBytes(new Uint8Array(theirs.raw), certificate.der), "OpenSSL reads other bytes");
  const time = readOrRefuse(() => theirs.validToDate.getTime(), Error);
  must(time === null || Number.isNaN(time) || time === certificate.notAfter, "OpenSSL reads another notAfter");
}

/** Of the library's fields those that it reads by the same rule: it is laxer with texts and names of attributes. */
const FIELDS = ["notBefore", "notAfter", "publicKey", "extensions", "signature"] as const;

function compareWithLibrary(certificate: Certificate): void {
  const ours = readOurs(certificate);
  const theirs = readOrRefuse(() => readTheirs(certificate.der), Error);
  for (const field of theirs ? FIELDS : []) {
    const value = readOrRefuse<unknown>(() => theirs?.[field](), Error);
    must(value === null || isDeepStrictEqual(value, ours[field]), `@peculiar/x509 reads another ${field}`);
  }
}

function checkHeader(text: string): void {
  const header = parseEidasHeader(text);
  const first = readFirstCertificate(text);
  if (!header.ok) {
    must(header.reason !== "" && header.message !== "", "a refusal without a reason");
    return;
  }
  const all = [header.leaf, ...header.issuers];
  must(all.length <= 10, "more than ten certificates");
  must(
    first === null || all.some(({ fingerprint }) => fingerprint === first.fingerprint),
    "the one read ahead is not among them",
  );
  const again = parseEidasHeader(all.map(({ der }) => `:${toBase64(der)}:`).join(", "));
  // two PSPs in one list are refused, which other forms cannot tell from issuers
  must(again.ok || again.reason === "several-values", "written as RFC 9440 has it, it is refused");
  if (again.ok)
    must(toHex(again.leaf.der) === toHex(header.leaf.der), "written as RFC 9440 has it, another is the PSP's");
}
