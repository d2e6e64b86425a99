/** Makes certificates that are odd where a test wants them odd, with a key that lives as long as the test run. */
import "reflect-metadata";
import * as x509 from "@peculiar/x509";
import { readPsp } from "../../../src/eidas/psd2.ts";
import { parseCertificate } from "../../../src/x509/certificate.ts";
import { Tag } from "../../../src/x509/der.ts";
import { encodeDer, encodeOid } from "../../../src/x509/der-encode.ts";

export const P256 = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };

export const keys = (await crypto.subtle.generateKey(P256, true, ["sign", "verify"])) as CryptoKeyPair;

/** A PSP's usual subject, in the form of @peculiar/x509's names. */
const USUAL_SUBJECT = "2.5.4.97=PSDXX-TEST-000001, C=XX, O=Some PSP, CN=psp.example";

export interface CertificateWish {
  subject?: string;
  issuer?: string;
  /** extnValue of QCStatements; null for none. */
  qcStatements?: Uint8Array | null;
  /** Beside QCStatements. */
  extensions?: x509.Extension[];
}

/** DER of a certificate signed by {@link keys}. */
export async function makeCertificate(wish: CertificateWish = {}): Promise<Uint8Array<ArrayBuffer>> {
  const { qcStatements = usualStatements(), extensions = [new x509.BasicConstraintsExtension(false)] } = wish;
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: "0102",
    subject: wish.subject ?? USUAL_SUBJECT,
    issuer: wish.issuer ?? "C=XX, O=Some QTSP, CN=Some QTSP CA",
    notBefore: new Date("2025-01-01T00:00:00Z"),
    notAfter: new Date("2055-01-01T00:00:00Z"),
    signingAlgorithm: P256,
    publicKey: keys.publicKey,
    signingKey: keys.privateKey,
    extensions: [
      ...extensions,
      ...(qcStatements ? [new x509.Extension("1.3.6.1.5.5.7.1.3", false, qcStatements)] : []),
    ],
  });
  return new Uint8Array(certificate.rawData);
}

export const sequence = (...parts: Uint8Array[]) => encodeDer(Tag.sequence, ...parts);
export const oid = encodeOid;
export const utf8 = (text: string) => encodeDer(Tag.utf8String, new TextEncoder().encode(text));
export const role = (number: number, name: string) => sequence(oid(`0.4.0.19495.1.${number}`), utf8(name));
export const statement = (id: string, ...info: Uint8Array[]) => sequence(oid(id), ...info);

export const qcCompliance = () => statement("0.4.0.1862.1.1");
export const qcType = (...numbers: number[]) =>
  statement("0.4.0.1862.1.6", sequence(...numbers.map((number) => oid(`0.4.0.1862.1.6.${number}`))));
/** The statement around whatever a test puts where PSD2QcType belongs. */
export const psd2 = (...parts: Uint8Array[]) => statement("0.4.0.19495.2", sequence(...parts));

/** QcCompliance, QcType web, and PSP_PI with PSP_AI of XX-TEST. */
const usualStatements = () =>
  sequence(
    qcCompliance(),
    qcType(3),
    psd2(sequence(role(2, "PSP_PI"), role(3, "PSP_AI")), utf8("Test Authority"), utf8("XX-TEST")),
  );

export const NCA = [utf8("Test Authority"), utf8("XX-TEST")];
/** A role as it should be read. */
export const roleOf = (number: number, name: string | null) => ({ oid: `0.4.0.19495.1.${number}`, name });
/** With what a warning about the PSD2 statement begins. */
export const PLACE = "QCStatements: PSD2 statement: ";

export const readMade = async (wish: CertificateWish) => readPsp(parseCertificate(await makeCertificate(wish)));
/** What is read of a certificate with these parts in its PSD2 statement, and flawless else. */
export const readStatement = (...parts: Uint8Array[]) =>
  readMade({ qcStatements: sequence(qcCompliance(), qcType(3), psd2(...parts)) });
