/** OCSP answers and CRLs: their structure, and that nobody but the signer has them say anything. */
import { fromBER } from "asn1js";
import { toHex } from "../../../src/platform/encoding.ts";
import { findEntry, parseCrl } from "../../../src/revocation/crl.ts";
import { checkCrl } from "../../../src/revocation/crl-check.ts";
import { checkOcspResponse } from "../../../src/revocation/ocsp.ts";
import { parseOcspResponse } from "../../../src/revocation/ocsp-response.ts";
import { parseCertificate } from "../../../src/x509/certificate.ts";
import { DerError } from "../../../src/x509/der.ts";
import { type Corpus, decode, type KnownAnswers } from "../corpus.ts";
import { must, readOrRefuse, type Target } from "../target.ts";

export function revocationTargets({ ocsp, crls }: Corpus): Target[] {
  const [ofOcsp, ofCrls] = [issuedOf(ocsp), issuedOf(crls)];
  const [ocspAnswers, lists] = [ocsp.answers.map(decode), crls.answers.map(decode)];
  const [signedOcsp, signedCrls] = [signedBy(ocspAnswers, tbsOfOcsp), signedBy(lists, tbsOfCrl)];
  return [
    {
      ...{ name: "ocsp", form: "der", stepsPerByte: 100, share: 4, corpus: ocspAnswers },
      check: async (input) => {
        const tbs = readOrRefuse(() => tbsOfOcsp(input), DerError);
        if (tbs) mustBeReadable(input);
        const answer = await checkOcspResponse({ response: input, ...ofOcsp });
        must(
          answer.status === "unusable" || signedOcsp.has(toHex(tbs ?? input)),
          "an answer that nobody signed counts",
        );
      },
    },
    {
      ...{ name: "crl", form: "der", stepsPerByte: 100, share: 4, corpus: lists },
      check: async (input) => {
        const crl = readOrRefuse(() => parseCrl(input), DerError);
        if (crl) mustBeReadable(input);
        for (const serial of [[], [1], [0xff, 0xff]]) if (crl) findEntry(crl.entries, Uint8Array.from(serial));
        const answer = await checkCrl({ crl: input, ...ofCrls });
        must(
          answer.status === "unusable" || signedCrls.has(toHex(crl?.tbs ?? input)),
          "a CRL that nobody signed counts",
        );
      },
    },
  ];
}

/** What ours accepts is DER, and so BER: a lax reader must read it, to its end. */
function mustBeReadable(input: Uint8Array): void {
  // it throws at times that no calendar of its own has
  const read = readOrRefuse(() => fromBER(new Uint8Array(input).buffer), Error);
  must(read === null || read.offset === input.length, "asn1js does not read it to its end");
}

const issuedOf = ({ issuer, certificate, verifyTime }: KnownAnswers) => ({
  issuer: parseCertificate(decode(issuer)),
  certificate: certificate === null ? null : parseCertificate(decode(certificate)),
  now: Date.parse(verifyTime),
});

/** What an issuer signed, in hex. */
const signedBy = (known: readonly Uint8Array[], tbsOf: (input: Uint8Array) => Uint8Array | null): ReadonlySet<string> =>
  new Set(known.map((input) => toHex(readOrRefuse(() => tbsOf(input), DerError) ?? new Uint8Array())));

const tbsOfOcsp = (input: Uint8Array): Uint8Array | null => {
  const read = parseOcspResponse(input);
  return read.status === "successful" ? read.basic.tbs : null;
};
const tbsOfCrl = (input: Uint8Array): Uint8Array => parseCrl(input).tbs;
