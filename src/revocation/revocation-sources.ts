/** Lists the revocation sources that a certificate names, how to ask each one, and how to check its answers. */

import { sameBytes } from "../platform/encoding.ts";
import type { LimitedRequest } from "../platform/fetch-limited.ts";
import type { Instant } from "../platform/instant.ts";
import type { Certificate } from "../x509/certificate.ts";
import { sameName } from "../x509/name.ts";
import { MAX_CRL_BYTES } from "./crl.ts";
import { type CrlAnswer, checkCrl } from "./crl-check.ts";
import { crlSlot, isSignedBy, toVerifiedCrl } from "./crl-slot.ts";
import { listCrlUrls, listOcspUrls } from "./distribution-points.ts";
import type { CacheSlot } from "./kept-answers.ts";
import { checkOcspResponse, type OcspAnswer } from "./ocsp.ts";
import { encodeOcspRequest, OCSP_REQUEST_TYPE } from "./ocsp-request.ts";
import { MAX_OCSP_BYTES } from "./ocsp-response.ts";
import { ocspSlot, toVerifiedOcsp } from "./ocsp-slot.ts";
import type { RevocationSource, Signed } from "./revocation-status.ts";
import type { VerifiedAnswer } from "./verified-answer.ts";

export interface Issued {
  readonly certificate: Certificate;
  readonly issuer: Certificate;
  /** Other certificates of the issuer's name whose keys may have signed its CRLs: see `CrlCheck`. */
  readonly signers?: readonly Certificate[];
}

/** The path of a certificate whose key may have signed CRLs of its name, itself first; or a listed service alone. */
export type SignerPath = readonly [Certificate, ...Certificate[]];

/** The certificate at this place of a path, leaf first, and its issuer. */
export function issuedAt(
  path: readonly Certificate[],
  place: number,
  signers: readonly SignerPath[] = [],
): Issued & { readonly signerPaths: readonly SignerPath[] } {
  const [certificate, issuer] = [path[place], path[place + 1] ?? path[place]];
  if (!certificate || !issuer) throw new RangeError(`a path of ${path.length} has no certificate ${place}`);
  const signerPaths = signers.filter((way) => mayClear(way, { certificate, issuer }));
  return { certificate, issuer, signers: signerPaths.map(([signer]) => signer), signerPaths };
}

/** A key whose own path is based on the certificate must not clear it. */
const mayClear = (way: SignerPath, { certificate, issuer }: Issued): boolean =>
  sameName(way[0].subject, issuer.subject) &&
  !sameKey(way[0], issuer) &&
  !way.some((each) => sameKey(each, certificate));

const sameKey = (a: Certificate, b: Certificate): boolean => sameBytes(a.publicKey.spki, b.publicKey.spki);

export interface Source {
  readonly kind: RevocationSource;
  readonly url: string;
  /** Null when the certificate names several responders, because they share one slot. */
  readonly keptFrom: string | null;
  readonly slot: CacheSlot;
  /** Identifies those who may have signed its answer, of which another check may know more. */
  readonly signers: string;
  readonly makeRequest: () => Omit<LimitedRequest, "url" | "timeoutMs" | "signal">;
  /** Never throws because of the contents. `ended`: at its signing, if that is before `now`, whatever its nextUpdate. */
  readonly check: (der: Uint8Array, now: Instant, ended?: boolean) => Promise<OcspAnswer | CrlAnswer>;
  readonly toVerified: (der: Uint8Array, answer: Signed) => VerifiedAnswer;
  readonly concerns: (answer: VerifiedAnswer) => boolean;
}

/** In the certificate's order. Without a nonce: answers are stored and shared (RFC 5019 section 2.1.1). */
export function listOcspSources(issued: Issued): Source[] {
  const slot = ocspSlot(issued);
  const urls = listOcspUrls(issued.certificate);
  return urls.map((url) => ({
    kind: "OCSP",
    url,
    keptFrom: urls.length === 1 ? url : null,
    slot,
    signers: "",
    makeRequest: () => ({
      method: "POST",
      body: encodeOcspRequest({ ...issued, nonce: null }),
      contentType: OCSP_REQUEST_TYPE,
      maxBytes: MAX_OCSP_BYTES,
    }),
    check: checkAnswer("OCSP", issued),
    toVerified: toVerifiedOcsp,
    concerns: () => true,
  }));
}

export const listCrlSources = (issued: Issued, urls = listCrlUrls(issued.certificate)): Source[] =>
  urls.map((url) => ({
    kind: "CRL",
    url,
    keptFrom: url,
    slot: crlSlot(url, issued.certificate.issuer, [issued.issuer, ...(issued.signers ?? [])]),
    signers: (issued.signers ?? []).map(({ fingerprint }) => fingerprint).join(" "),
    makeRequest: () => ({ method: "GET", maxBytes: MAX_CRL_BYTES }),
    check: checkAnswer("CRL", issued),
    toVerified: (der, answer) => toVerifiedCrl(der, ("signer" in answer && answer.signer) || issued.issuer),
    concerns: (answer) => [issued.issuer, ...(issued.signers ?? [])].some((signer) => isSignedBy(answer, signer)),
  }));

/**
 * The CRLs on the responder `delegate`: those that it and the certificate both name, else the first of its own, else
 * the certificate's. `areOthers`: the certificate does not name them.
 */
export function listDelegateSources(
  delegate: Certificate,
  { certificate, ...by }: Issued,
): { readonly crls: readonly Source[]; readonly areOthers: boolean } {
  const [own, theirs] = [listCrlUrls(delegate), listCrlUrls(certificate)];
  const shared = own.length > 0 ? theirs.filter((url) => own.includes(url)) : theirs;
  const urls = shared.length > 0 ? shared : own.slice(0, 1);
  return { crls: listCrlSources({ ...by, certificate: delegate }, urls), areOthers: shared.length === 0 };
}

export const checkAnswer =
  (kind: RevocationSource, issued: Issued): Source["check"] =>
  (der, now, ended = false) =>
    kind === "CRL"
      ? checkCrl({ crl: der, ...issued, now, ended })
      : checkOcspResponse({ response: der, ...issued, now, ended });
