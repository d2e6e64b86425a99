/** Elements of POST /v1/psp/checks whose check may cost many calls: together more than one request may make. */

import { eidasHeader } from "../../sandbox.ts";
import { eidasOf, makeQtsp } from "../../trust/made-qtsp.ts";

const ISSUERS = 9;

/**
 * Twenty certificates of the sandbox, each with nine CA certificates of strangers. No path needs those; but until the
 * paths are known, their CRLs count.
 */
export async function makeLongChains(): Promise<{ eIDAS: string; jurisdictions: string[] }[]> {
  const ca = (i: number) => ({ organisation: `CA ${i}`, commonName: `CA ${i}`, crlUrl: `http://crl.invalid/${i}` });
  const root = await makeQtsp(ca(ISSUERS));
  const strangers = await Promise.all(Array.from({ length: ISSUERS }, (_, i) => makeQtsp(ca(i), root)));
  const certificates = strangers.map(({ certificate }) => certificate);
  return Array.from({ length: 20 }, (_, i) => {
    // another order is another chain
    const turned = [...certificates.slice(i % ISSUERS), ...certificates.slice(0, i % ISSUERS)];
    const leaf = eidasHeader(`scenario-${1 + Math.floor(i / ISSUERS)}`);
    return { eIDAS: leaf + eidasOf(...turned), jurisdictions: ["XX"] };
  });
}
