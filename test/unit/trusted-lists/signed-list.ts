/**
 * Trusted lists of our own making, signed without the code under test: every part is written in its canonical form,
 * so that its digest is that of the text as it stands here.
 */
import "reflect-metadata";
import { createHash } from "node:crypto";
import * as x509 from "@peculiar/x509";
import { toBase64 } from "../../../src/encoding.ts";

x509.cryptoProvider.set(crypto);

export const EXCLUSIVE = "http://www.w3.org/2001/10/xml-exc-c14n#";
export const INCLUSIVE = "http://www.w3.org/TR/2001/REC-xml-c14n-20010315";
export const ENVELOPED = "http://www.w3.org/2000/09/xmldsig#enveloped-signature";
const LIST = "http://uri.etsi.org/02231/v2#";
export const DS = "http://www.w3.org/2000/09/xmldsig#";
export const XADES = "http://uri.etsi.org/01903/v1.3.2#";
const TYPES = "http://uri.etsi.org/02231/v2/additionaltypes#";
export const MORE = "http://www.w3.org/2001/04/xmldsig-more#";
const ECDSA_SHA256 = `${MORE}ecdsa-sha256`;

export interface Signer {
  readonly der: Uint8Array;
  readonly privateKey: CryptoKey;
}

export type KeyAlgorithm = Parameters<typeof crypto.subtle.generateKey>[0];
export const PKCS1 = "RSASSA-PKCS1-v1_5";

export const rsaKey = (name: string, hash: string, modulusLength = 2048): KeyAlgorithm => ({
  name,
  hash,
  modulusLength,
  publicExponent: Uint8Array.of(1, 0, 1),
});

const P256: KeyAlgorithm = { name: "ECDSA", namedCurve: "P-256" };

/** A self-signed certificate for 2026. */
export async function makeSigner(algorithm: KeyAlgorithm = P256, commonName = "List operator"): Promise<Signer> {
  const keys = (await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"])) as CryptoKeyPair;
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: "01",
    name: `CN=${commonName}, C=CZ`,
    notBefore: new Date("2026-01-01T00:00:00Z"),
    notAfter: new Date("2026-12-31T23:59:59Z"),
    signingAlgorithm: { name: "ECDSA", hash: "SHA-256", saltLength: 32, ...(algorithm as object) },
    keys,
    extensions: [new x509.BasicConstraintsExtension(false)],
  });
  return { der: new Uint8Array(certificate.rawData), privateKey: keys.privateKey };
}

export interface Content {
  readonly territory?: string;
  readonly type?: string;
  readonly version?: string;
  readonly sequenceNumber?: number;
  readonly issued?: string;
  readonly nextUpdate?: string;
  readonly information?: string;
  readonly pointers?: string;
  /** Null for a list without the element. */
  readonly providers?: string | null;
}

/** The list without its signature, in canonical form. */
export function listContent(content: Content = {}): string {
  const { territory = "CZ", version = "6", sequenceNumber = 7, information = "", pointers = "" } = content;
  const { issued = "2026-08-09T20:30:00Z" } = content;
  const kind = territory === "EU" ? "EUlistofthelists" : "EUgeneric";
  const { type = `http://uri.etsi.org/TrstSvc/TrustedList/TSLType/${kind}` } = content;
  const { nextUpdate = "<dateTime>2027-02-07T21:30:00Z</dateTime>", providers = "" } = content;
  return `<TrustServiceStatusList xmlns="${LIST}" Id="list" TSLTag="http://uri.etsi.org/19612/TSLTag"><SchemeInformation><TSLVersionIdentifier>${version}</TSLVersionIdentifier><TSLSequenceNumber>${sequenceNumber}</TSLSequenceNumber><TSLType>${type}</TSLType><SchemeInformationURI>${information}</SchemeInformationURI><SchemeTerritory>${territory}</SchemeTerritory><PointersToOtherTSL>${pointers}</PointersToOtherTSL><ListIssueDateTime>${issued}</ListIssueDateTime><NextUpdate>${nextUpdate}</NextUpdate></SchemeInformation>${providers === null ? "" : `<TrustServiceProviderList>${providers}</TrustServiceProviderList>`}</TrustServiceStatusList>`;
}

export function pointer(territory: string, signers: readonly Signer[], mimeType = "application/vnd.etsi.tsl+xml") {
  const identities = signers.map(({ der }) => `<ServiceDigitalIdentity>${identity(der)}</ServiceDigitalIdentity>`);
  const fact = (text: string) => `<OtherInformation>${text}</OtherInformation>`;
  return `<OtherTSLPointer><ServiceDigitalIdentities>${identities.join("")}</ServiceDigitalIdentities><TSLLocation>https://lists.example/${territory}.xml</TSLLocation><AdditionalInformation>${fact(`<SchemeTerritory>${territory}</SchemeTerritory>`)}${fact(`<t:MimeType xmlns:t="${TYPES}">${mimeType}</t:MimeType>`)}${fact('<SchemeOperatorName><Name xml:lang="cs">Úřad</Name><Name xml:lang="en">Office</Name></SchemeOperatorName>')}</AdditionalInformation></OtherTSLPointer>`;
}

export const identity = (der: Uint8Array) =>
  `<DigitalId><X509Certificate>${toBase64(der)}</X509Certificate></DigitalId>`;

export type SigningParameters = Parameters<typeof crypto.subtle.sign>[0];

export interface SigningOptions {
  readonly signatureMethod?: string;
  readonly parameters?: SigningParameters;
  readonly canonicalisation?: string;
  readonly digestMethod?: string;
  readonly transforms?: readonly string[];
  /** Overrides of what the references say; their digests stay those of the honest parts. */
  readonly uri?: string;
  readonly propertiesUri?: string;
  readonly moreReferences?: string;
  /** Changes the SignedInfo before it is signed. */
  readonly edit?: (signedInfo: string) => string;
  readonly signingTime?: string;
  /** What the signed certificate reference names, when not the signer. */
  readonly namedSigner?: Signer;
  readonly certificateElement?: "SigningCertificate" | "SigningCertificateV2";
  readonly certificateDigestMethod?: string;
  readonly keyInfo?: string;
  readonly target?: string;
}

const HASHES: Readonly<Record<string, string>> = {
  "http://www.w3.org/2000/09/xmldsig#sha1": "sha1",
  "http://www.w3.org/2001/04/xmlenc#sha256": "sha256",
  "http://www.w3.org/2001/04/xmldsig-more#sha384": "sha384",
  "http://www.w3.org/2001/04/xmlenc#sha512": "sha512",
};
export const SHA256 = "http://www.w3.org/2001/04/xmlenc#sha256";

const digest = (data: string | Uint8Array, method: string) =>
  createHash(HASHES[method] ?? "sha256")
    .update(data)
    .digest("base64");

const empty = (name: string, attributes: string, content = "") => `<ds:${name} ${attributes}>${content}</ds:${name}>`;
const method = (name: string, uri: string) => empty(name, `Algorithm="${uri}"`);

/** The whole Signature element for a content. */
export async function signatureOf(content: string, signer: Signer, options: SigningOptions = {}): Promise<string> {
  const { canonicalisation = EXCLUSIVE, digestMethod = SHA256, signatureMethod = ECDSA_SHA256 } = options;
  const { transforms = [ENVELOPED, canonicalisation], uri = "", propertiesUri = "#properties" } = options;
  const exclusive = canonicalisation !== INCLUSIVE;
  const inherited = exclusive ? "" : ` xmlns="${LIST}" xmlns:ds="${DS}"`;
  const properties = signedProperties(signer, options);
  // exclusive canonicalisation declares ds where it is first used, inclusive where it is in scope
  const canonicalProperties = exclusive
    ? properties.replaceAll(/<(ds:\w+)/g, `<$1 xmlns:ds="${DS}"`)
    : properties.replace(" xmlns:xades", `${inherited} xmlns:xades`);
  const reference = (attributes: string, all: readonly string[], value: string) =>
    `<ds:Reference ${attributes}><ds:Transforms>${all.map((one) => (one.startsWith("<") ? one : method("Transform", one))).join("")}</ds:Transforms>${method("DigestMethod", digestMethod)}<ds:DigestValue>${value}</ds:DigestValue></ds:Reference>`;
  const references = [
    reference(`URI="${uri}"`, transforms, digest(content, digestMethod)),
    reference(
      `Type="http://uri.etsi.org/01903#SignedProperties" URI="${propertiesUri}"`,
      [canonicalisation],
      digest(canonicalProperties, digestMethod),
    ),
    options.moreReferences ?? "",
  ];
  const { edit = (unchanged) => unchanged } = options;
  const plain = `${method("CanonicalizationMethod", canonicalisation)}${method("SignatureMethod", signatureMethod)}${references.join("")}</ds:SignedInfo>`;
  const inner = edit(plain);
  const signed = `<ds:SignedInfo${exclusive ? ` xmlns:ds="${DS}"` : inherited}>${inner}`;
  const parameters = options.parameters ?? { name: "ECDSA", hash: "SHA-256" };
  const value = await crypto.subtle.sign(parameters, signer.privateKey, new TextEncoder().encode(signed));
  return `<ds:Signature xmlns:ds="${DS}" Id="signature"><ds:SignedInfo>${inner}<ds:SignatureValue>${toBase64(new Uint8Array(value))}</ds:SignatureValue>${options.keyInfo ?? ""}<ds:Object><xades:QualifyingProperties xmlns:xades="${XADES}" Target="${options.target ?? "#signature"}">${properties.replace(` xmlns:xades="${XADES}"`, "")}</xades:QualifyingProperties></ds:Object></ds:Signature>`;
}

function signedProperties(signer: Signer, options: SigningOptions): string {
  const { certificateElement = "SigningCertificateV2", certificateDigestMethod = SHA256 } = options;
  const { signingTime = "2026-08-09T20:35:00Z", namedSigner = signer } = options;
  return `<xades:SignedProperties xmlns:xades="${XADES}" Id="properties"><xades:SignedSignatureProperties><xades:SigningTime>${signingTime}</xades:SigningTime><xades:${certificateElement}><xades:Cert><xades:CertDigest>${method("DigestMethod", certificateDigestMethod)}<ds:DigestValue>${digest(namedSigner.der, certificateDigestMethod)}</ds:DigestValue></xades:CertDigest></xades:Cert></xades:${certificateElement}></xades:SignedSignatureProperties></xades:SignedProperties>`;
}

const END = "</TrustServiceStatusList>";

/** Puts a signature at the end of the root, as lists have it. */
export const envelop = (content: string, signature: string): string =>
  `${content.slice(0, -END.length)}${signature}${END}`;

export const signList = async (content: string, signer: Signer, options: SigningOptions = {}): Promise<string> =>
  envelop(content, await signatureOf(content, signer, options));

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
