/** pkijs and `@peculiar/x509` in Node, as a program that ../peers.ts asks (see there for its lines). `node libraries.mjs NAME` */
import "reflect-metadata";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { X509Certificate, X509ChainBuilder, X509Crl } from "@peculiar/x509";
import * as pkijs from "pkijs";

/** Its engine validates a path, with CRLs or OCSP answers where there are any. */
async function askPkijs({ time, anchors, issuers, leaf, crls, answers }) {
  const trustedCerts = anchors.map((der) => pkijs.Certificate.fromBER(der));
  const engine = new pkijs.CertificateChainValidationEngine({
    trustedCerts,
    // the certificate in question is the last one
    certs: [...trustedCerts, ...issuers.map((der) => pkijs.Certificate.fromBER(der)), pkijs.Certificate.fromBER(leaf)],
    crls: crls.map((der) => pkijs.CertificateRevocationList.fromBER(der)),
    ocsps: answers.map((der) => {
      const { responseBytes } = pkijs.OCSPResponse.fromBER(der);
      return pkijs.BasicOCSPResponse.fromBER(responseBytes.response.valueBlock.valueHexView);
    }),
    checkDate: new Date(time),
  });
  return (await engine.verify({ passedWhenNotRevValues: crls.length + answers.length === 0 })).result;
}

/** It links certificates by name and signature. Dates and CRLs are the caller's, and what it has for them is used. */
async function askX509({ time, anchors, issuers, leaf, crls }) {
  const trusted = anchors.map((der) => new X509Certificate(der));
  const certificates = [...trusted, ...issuers.map((der) => new X509Certificate(der))];
  const chain = await new X509ChainBuilder({ certificates }).build(new X509Certificate(leaf));
  const anchor = chain.findIndex((one) => trusted.some((root) => root.equal(one)));
  if (anchor < 1) return false;
  const path = chain.slice(0, anchor + 1);
  if (path.slice(0, -1).some(({ notBefore, notAfter }) => time < +notBefore || time > +notAfter)) return false;
  const lists = crls.map((der) => new X509Crl(der));
  for (const [i, certificate] of lists.length === 0 ? [] : path.slice(0, -1).entries()) {
    const { publicKey } = path[i + 1];
    let covered = false;
    for (const list of lists) {
      if (list.issuer !== certificate.issuer || time < +list.thisUpdate || time > +(list.nextUpdate ?? time)) continue;
      if (!(await list.verify({ publicKey }))) continue;
      if (list.findRevoked(certificate)) return false;
      covered = true;
    }
    if (!covered) return false;
  }
  return true;
}

/** A search of paths may take for ever; then there is no verdict. */
const LONGEST_MS = 5_000;
const ask = { pkijs: askPkijs, x509: askX509 }[process.argv[2]];
let cases = [];
for await (const line of createInterface({ input: process.stdin })) {
  const [command, file] = line.split("\t");
  if (command === "load") {
    const list = (text) =>
      text === "" ? [] : text.split(",").map((one) => new Uint8Array(Buffer.from(one, "base64")));
    cases = (await readFile(file, "utf8")).split("\n").map((row) => {
      const [time, ...fields] = row.split("\t");
      const [anchors, issuers, [leaf], crls, answers] = fields.map(list);
      return { time: Number(time), anchors, issuers, leaf, crls, answers };
    });
    console.log("loaded");
  } else {
    let verdicts = "";
    for (const one of cases) {
      const limit = new Promise((resolve) => setTimeout(resolve, LONGEST_MS, null).unref());
      // what it throws at is no yes
      const verdict = await Promise.race([ask(one).catch(() => false), limit]);
      verdicts += verdict === null ? "-" : verdict ? "1" : "0";
    }
    console.log(verdicts);
  }
}
