/**
 * Reads trust anchors from a file in the project's own format (trust/lists/ reads published trusted lists). JSON:
 *
 *     { "source": "sandbox", "jurisdiction": "XX", "sequenceNumber": 1,
 *       "issuedAt": "2026-11-01T00:00:00Z", "nextUpdate": "2027-05-01T00:00:00Z",
 *       "anchors": [
 *         { "certificate": "<base64 DER>", "qtspName": "Example QTSP", "serviceName": "Example CA",
 *           "periods": [
 *             { "status": "granted", "from": "2016-07-01T00:00:00Z", "uses": ["web-authentication"] } ] } ] }
 *
 * or PEM certificates, each of which is granted from its notBefore, for any use.
 */
import * as z from "zod";
import { canonicalCountry } from "../platform/country.ts";
import { fromBase64, toBase64 } from "../platform/encoding.ts";
import { boundedInstant, type Instant } from "../platform/instant.ts";
import { type Certificate, CertificateError, parseCertificate } from "../x509/certificate.ts";
import { AttributeType, findAttribute } from "../x509/name.ts";
import type { TrustList } from "./anchors.ts";

export type TrustFile = { ok: true; list: TrustList } | { ok: false; problems: string[] };

interface Named {
  readonly source?: string | undefined;
  readonly jurisdiction?: string | undefined;
}

const instant = z.iso
  .datetime({ offset: true })
  .refine((text) => boundedInstant(Date.parse(text)) !== null, "an instant of the years 0000 to 9999")
  .transform((text) => new Date(text).toISOString());
const name = z.string().trim().min(1).max(512);
const source = z.string().regex(/^[A-Za-z0-9-]{1,32}$/, "1 to 32 letters, digits and dashes");
const country = z
  .string()
  .regex(/^[A-Za-z]{2}$/, "a two-letter country code")
  .transform(canonicalCountry);

const certificate = z.string().superRefine((text, context) => {
  const read = readAnchor(text);
  if (typeof read === "string") context.addIssue({ code: "custom", message: read });
});

const FORM = z.strictObject({
  source,
  jurisdiction: country,
  sequenceNumber: z.int().nonnegative(),
  issuedAt: instant,
  nextUpdate: instant.nullable(),
  anchors: z.array(
    z.strictObject({
      certificate,
      qtspName: name,
      serviceName: name,
      periods: z
        .array(
          z.strictObject({
            status: z.string().regex(/^[a-z]+$/, "the last segment of a TS 119 612 status, e.g. granted"),
            from: instant,
            uses: z.array(z.enum(["web-authentication", "seal", "signature"])).nullable(),
          }),
        )
        .min(1)
        .transform((periods) => periods.toSorted((a, b) => Date.parse(a.from) - Date.parse(b.from))),
    }),
  ),
});

/** `named` and `now` provide what a PEM file does not have: source, jurisdiction and time of issue. */
export function readTrustFile(text: string, named: Named, now: Instant): TrustFile {
  if (text.includes("-----BEGIN CERTIFICATE-----")) return readPem(text, named, now);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return { ok: false, problems: [`neither PEM certificates nor JSON: ${(error as Error).message}`] };
  }
  const read = FORM.safeParse(json);
  if (!read.success)
    return { ok: false, problems: read.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`) };
  const { source, jurisdiction } = read.data;
  const anchors = read.data.anchors.map((anchor) => ({ ...anchor, source, jurisdiction }));
  return { ok: true, list: { ...read.data, services: anchors.length, anchors } };
}

function readPem(text: string, named: Named, now: Instant): TrustFile {
  const owner = z.object({ source, jurisdiction: country }).safeParse(named);
  if (!owner.success) return { ok: false, problems: ["PEM anchors need --source (e.g. OBIE) and --jurisdiction"] };
  const blocks = [...text.matchAll(/-----BEGIN CERTIFICATE-----([^-]*)-----END CERTIFICATE-----/g)];
  const problems: string[] = [];
  const anchors = blocks.flatMap(([, block = ""], index) => {
    const read = readAnchor(block.replaceAll(/\s/g, ""));
    if (typeof read === "string") {
      problems.push(`certificate ${index + 1}: ${read}`);
      return [];
    }
    const { subject, notBefore, der } = read;
    const owner =
      findAttribute(subject, AttributeType.organizationName) ?? findAttribute(subject, AttributeType.commonName) ?? "";
    return [
      {
        certificate: toBase64(der),
        qtspName: owner,
        serviceName: findAttribute(subject, AttributeType.commonName) ?? owner,
        periods: [{ status: "granted", from: new Date(notBefore).toISOString(), uses: null }],
      },
    ];
  });
  if (problems.length > 0) return { ok: false, problems };
  const list = {
    ...owner.data,
    sequenceNumber: 0,
    issuedAt: new Date(now).toISOString(),
    nextUpdate: null,
    services: anchors.length,
    anchors: anchors.map((anchor) => ({ ...anchor, ...owner.data })),
  };
  return { ok: true, list };
}

function readAnchor(base64: string): Certificate | string {
  const der = fromBase64(base64);
  if (!der) return "not base64";
  try {
    return parseCertificate(der);
  } catch (error) {
    if (error instanceof CertificateError) return error.message;
    throw error;
  }
}
