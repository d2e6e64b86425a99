/** The service's own path and revocation code in workerd, which ../peers.ts asks: a POST of cases, then a GET for the verdicts. */
import { fromBase64 } from "../../../src/platform/encoding.ts";
import { checkOcspResponse } from "../../../src/revocation/ocsp.ts";
import { type Certificate, CertificateError, parseCertificate } from "../../../src/x509/certificate.ts";
import { buildPath } from "../../../src/x509/path.ts";
import { findRevocationProblem } from "../../conformance/path-revocation.ts";

interface Case {
  readonly time: number;
  readonly lists: readonly (readonly Uint8Array[])[];
}

let cases: readonly Case[] = [];

const readCertificates = (ders: readonly Uint8Array[]): Certificate[] =>
  ders.flatMap((der) => {
    try {
      return [parseCertificate(der)];
    } catch (error) {
      if (error instanceof CertificateError) return [];
      throw error;
    }
  });

async function isAccepted({ time, lists }: Case): Promise<boolean> {
  const [trusted = [], others = [], own = [], crls = [], answers = []] = lists;
  const [leaf] = readCertificates(own);
  if (!leaf) return false;
  const material = { anchors: readCertificates(trusted), issuers: readCertificates(others), now: time };
  const result = await buildPath({ ...material, leaf });
  if (!result.ok) return false;
  if (crls.length > 0) return (await findRevocationProblem(result.path, crls, material)) === null;
  for (const [i, response] of answers.entries()) {
    const [certificate, issuer] = result.path.slice(i, i + 2);
    if (!certificate || !issuer) return false;
    if ((await checkOcspResponse({ response, certificate, issuer, now: time })).status !== "good") return false;
  }
  return true;
}

export default {
  async fetch(request) {
    if (request.method === "POST") {
      cases = (await request.text()).split("\n").map((row) => {
        const [time = "", ...fields] = row.split("\t");
        const read = (field: string) => field.split(",").flatMap((text) => (text === "" ? [] : [fromBase64(text)]));
        return { time: Number(time), lists: fields.map((field) => read(field).filter((der) => der !== null)) };
      });
      return new Response("loaded");
    }
    let verdicts = "";
    for (const one of cases) verdicts += (await isAccepted(one)) ? "1" : "0";
    return new Response(verdicts);
  },
} satisfies ExportedHandler;
