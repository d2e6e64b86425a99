/** A PKI of three for tests of paths, and the search over whatever they make of it. */

import { at, type Holder, type MadeExtension, makeCertificate } from "../../../fixtures/makers/made-pki.ts";
import { caExtensions } from "../../../fixtures/makers/path-extensions.ts";
import type { Certificate } from "../../../src/x509/certificate.ts";
import { buildPath } from "../../../src/x509/path.ts";

export const NOW = at("2026-06-15T12:00:00Z");

/** A CA; without `issuer` a root. */
export const ca = (subject: string, issuer?: Holder, extensions: MadeExtension[] = caExtensions()) =>
  makeCertificate({ subject, extensions, ...(issuer ? { issuer } : {}) });

export const certificates = (...holders: Holder[]): Certificate[] => holders.map(({ certificate }) => certificate);

export const root = ca("Root");
export const middle = ca("Middle", root);
export const leaf = makeCertificate({ subject: "PSP", issuer: middle });

export const build = (from: Holder, issuers: Holder[], anchors: Holder[], now = NOW) =>
  buildPath({ leaf: from.certificate, issuers: certificates(...issuers), anchors: certificates(...anchors), now });
