/** Whether a read signature was made by the holder of a valid QSealC, and of the PSP that shows itself in TLS. */
import { parseEidasHeader } from "../../eidas/eidas-header.ts";
import { quote } from "../../platform/quotation.ts";
import type { Certificate } from "../../x509/certificate.ts";
import { readVerificationKey, type VerificationKey } from "../../x509/public-key.ts";
import { prepareByScheme } from "../../x509/signature.ts";
import type { Chain } from "../check-budget.ts";
import { findVerdictError } from "../decision.ts";
import type { PspCheck } from "../psp-check.ts";
import { compareIssuer } from "./issuer.ts";
import { problem, type SignatureProblem } from "./problems.ts";
import type { KeyScheme, SignatureReading } from "./request.ts";

type ChosenCertificate =
  | { readonly ok: true; readonly chain: Chain }
  | { readonly ok: false; readonly problems: readonly SignatureProblem[] };

/** `given`: what the bank brings; null if it brings none. Where the request has one, too, both have to be the same. */
export function chooseCertificate(
  { certificate, problems }: SignatureReading,
  given: string | null,
): ChosenCertificate {
  const texts = [given, certificate].filter((text) => text !== null);
  const [first, second] = texts.map((text) => parseEidasHeader(text));
  // a signature that is not there, or says nothing, needs no certificate
  if (!first)
    return { ok: false, problems: problems.some(({ code }) => code === "signature_missing") ? [] : [MISSING] };
  for (const chain of [first, ...(second ? [second] : [])])
    if (!chain.ok)
      return { ok: false, problems: [problem("certificate_unreadable", `the certificate is ${chain.message}`)] };
  if (!first.ok) return { ok: false, problems: [] };
  if (second?.ok && second.leaf.fingerprint !== first.leaf.fingerprint)
    return { ok: false, problems: [problem("certificate_differs", "the request has another certificate than eIDAS")] };
  return { ok: true, chain: first };
}

const MISSING = problem("certificate_missing", "the request has no certificate: send it as eIDAS");

/** What a check says that counts here. */
type Checked = Pick<PspCheck, "validity" | "warnings" | "psp" | "uses">;

/** All that is known against the signature beyond its reading. `tls`: of the connection, if the bank sent its certificate. */
export async function judgeSignature(
  reading: SignatureReading,
  leaf: Certificate,
  check: Checked,
  tls: Checked | null,
): Promise<SignatureProblem[]> {
  return [
    ...findOtherCertificate(reading, leaf),
    ...findOtherIssuer(reading, leaf),
    ...(await findForgery(reading, leaf)),
    ...findNoSeal(check),
    ...(tls ? findOtherPsp(check, tls) : []),
  ];
}

function findOtherCertificate(
  { names }: SignatureReading,
  { serialNumber, fingerprint }: Certificate,
): SignatureProblem[] {
  const refuse = (named: string) => [
    problem("certificate_differs", `the signature names ${named}, the certificate has another`),
  ];
  if (names.sha256 !== undefined && names.sha256 !== fingerprint) return refuse("a SHA-256");
  if (names.serial === undefined) return [];
  const serial = BigInt(`0x${serialNumber || "0"}`);
  const written = [serial.toString(16), serial.toString(10)];
  return written.includes(names.serial.replace(/^0+(?=.)/, ""))
    ? []
    : refuse(`the serial number ${names.serial.slice(0, 64)}`);
}

const findOtherIssuer = ({ issuer }: SignatureReading, leaf: Certificate): SignatureProblem[] =>
  issuer !== null && compareIssuer(issuer, leaf) === "differs"
    ? [problem("issuer_differs", `iss is ${quote(issuer)}, the certificate is of another`)]
    : [];

/** One of the schemes has to fit the key, and one of the writings has to be signed. */
async function findForgery({ signed }: SignatureReading, { publicKey }: Certificate): Promise<SignatureProblem[]> {
  if (!signed) return [];
  const read = readVerificationKey(publicKey);
  if (!read.ok) return [problem("algorithm_refused", `the certificate has ${read.reason}`)];
  const schemes = signed.schemes.filter((each) => fits(each, read.key));
  let refused = "the algorithm is not one for the certificate's key";
  let isTried = false;
  for (const { scheme } of schemes)
    for (const data of signed.data) {
      const prepared = prepareByScheme(scheme, { publicKey, data, signature: signed.signature });
      if (prepared.ok && (await prepared.verify()).ok) return [];
      if (prepared.ok) isTried = true;
      else refused = prepared.reason;
    }
  if (!isTried) return [problem("algorithm_refused", refused)];
  const salt = await findOtherSalt(signed, publicKey, read.key);
  return [problem("signature_wrong", salt ?? WRONG)];
}

/** RFC 9421 section 3.3.1 and RFC 7518 section 3.5 fix the salt of RSA-PSS; libraries that set none take these. */
async function findOtherSalt(
  signed: NonNullable<SignatureReading["signed"]>,
  publicKey: Certificate["publicKey"],
  key: VerificationKey,
): Promise<string | null> {
  if (key.family !== "rsa") return null;
  for (const { scheme } of signed.schemes) {
    if (scheme.family !== "rsa-pss") continue;
    // the salt that a profile fixes is as long as the hash
    const longest = key.modulus.length - scheme.saltLength - 2;
    for (const saltLength of new Set([20, 32, longest]))
      for (const data of signed.data) {
        const other = { ...scheme, saltLength };
        const prepared = prepareByScheme(other, { publicKey, data, signature: signed.signature });
        if (saltLength !== scheme.saltLength && prepared.ok && (await prepared.verify()).ok)
          return `the key and the covered parts are right, but RSA-PSS has a salt of ${saltLength} bytes here: it has to be ${scheme.saltLength}, as long as the hash`;
      }
  }
  return null;
}

function fits({ scheme, curve }: KeyScheme, key: VerificationKey): boolean {
  if (key.family === "rsa") return scheme.family === "rsa-pkcs1" || scheme.family === "rsa-pss";
  if (key.family === "ec") return scheme.family === "ecdsa" && key.curve === curve;
  return scheme.family === "ed25519";
}

const WRONG = "the signature does not verify: another key signed, or a covered part was changed";

/** RTS article 34: what is signed is sealed. */
function findNoSeal(check: Checked): SignatureProblem[] {
  const invalid = findVerdictError(check);
  return [
    ...(invalid ? [problem("certificate_not_valid", invalid.message)] : []),
    ...(check.uses.includes("seal")
      ? []
      : [problem("certificate_no_seal", "the certificate is not qualified for seals")]),
  ];
}

function findOtherPsp({ psp }: Checked, tls: Checked): SignatureProblem[] {
  const invalid = findVerdictError(tls);
  const [signer, client] = [psp.pspId, tls.psp.pspId];
  const isSame = signer !== null && signer === client;
  return [
    ...(invalid ? [problem("tls_certificate_not_valid", invalid.message)] : []),
    ...(isSame ? [] : [problem("psp_differs", `signed by ${signer ?? "no PSP"}, TLS of ${client ?? "no PSP"}`)]),
  ];
}
