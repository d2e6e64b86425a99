/**
 * A QTSP: the certificates that it has issued, and the OCSP answers and CRLs that it signs in advance every some seconds. Keys,
 * certificates and signatures are made once for a process, and are the same in each: RSA by PKCS #1 draws nothing.
 */
import type { KeyObject } from "node:crypto";
import {
  crlAt,
  type Holder,
  keyUsage,
  type MadeExtension,
  makeCertificate,
  makeCrl,
  makeOcspResponse,
  ocspAt,
  sequence,
} from "../../fixtures/makers/made-pki.ts";
import { alternativeNames, basicConstraints, dns, extendedKeyUsage } from "../../fixtures/makers/path-extensions.ts";
import { encodeQcStatements } from "../../src/sandbox/pki/qc-statements.ts";
import type { Certificate } from "../../src/x509/certificate.ts";
import { encodeDer, encodeOid, Tag } from "../../src/x509/der.ts";
import { makeKey, RSA_SHA256 } from "./rsa-keys.ts";

const HOST = "qtsp.example";
const CRL_URL = `http://${HOST}/crl`;
const OCSP_URL = `http://${HOST}/ocsp/`;

interface Plan {
  readonly authNumber: string;
  readonly organisation: string;
  readonly serial: string;
  readonly sources: readonly ("OCSP" | "CRL")[];
}

/** PSPs of the sandbox's register for both services, with certificates whose revocation is asked for over the network. */
const PLANS = {
  "by both": { authNumber: "PSDXX-TEST-000004", organisation: "Dahlia", serial: "11", sources: ["OCSP", "CRL"] },
  "by OCSP": { authNumber: "PSDXX-TEST-000006", organisation: "Fern", serial: "12", sources: ["OCSP"] },
  "by CRL": { authNumber: "PSDXX-TEST-000015", organisation: "Oak", serial: "13", sources: ["CRL"] },
} as const satisfies Record<string, Plan>;

export type CertificateName = keyof typeof PLANS;
export const CERTIFICATE_NAMES = Object.keys(PLANS) as CertificateName[];
const sourcesOf = (name: CertificateName): readonly ("OCSP" | "CRL")[] => PLANS[name].sources;

const attribute = (oid: string, value: string) =>
  encodeDer(Tag.set, sequence(encodeOid(oid), encodeDer(Tag.utf8String, Buffer.from(value))));

/** EN 319 412-4, TS 119 495. */
const pspExtensions = ({ organisation, sources, authNumber }: Plan, name: CertificateName): MadeExtension[] => [
  basicConstraints(false),
  keyUsage(0),
  extendedKeyUsage("1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2"),
  alternativeNames(dns(`${organisation.toLowerCase()}.example`)),
  { oid: "2.5.29.32", value: sequence(sequence(encodeOid("0.4.0.19495.3.1"))) },
  ...(sources.includes("OCSP") ? [ocspAt(`${OCSP_URL}${encodeURIComponent(name)}`)] : []),
  ...(sources.includes("CRL") ? [crlAt(CRL_URL)] : []),
  {
    oid: "1.3.6.1.5.5.7.1.3",
    value: new Uint8Array(
      encodeQcStatements({
        ...{ type: "web", roles: ["PSP_PI", "PSP_AI"] },
        ...{ ncaName: "Test Authority of XX", ncaId: authNumber.slice(3, 10) },
      }),
    ),
  },
];

interface Made {
  readonly ca: Holder;
  /** A PSP's own key, by which it signs what its QTSP would not. */
  readonly forger: KeyObject;
  readonly certificates: ReadonlyMap<CertificateName, Holder>;
}

let made: Made | null = null;

function make(): Made {
  const scheme = RSA_SHA256;
  const ca = makeCertificate({
    ...{ subject: "Simulated QTSP", key: makeKey("qtsp"), scheme, serial: "01" },
    extensions: [basicConstraints(true, 0), keyUsage(5, 6)],
  });
  const forger = makeKey("psp");
  const certificates = CERTIFICATE_NAMES.map((name) => {
    const plan = PLANS[name];
    const subject = sequence(
      attribute("2.5.4.6", "XX"),
      attribute("2.5.4.10", `${plan.organisation} Payments Ltd`),
      attribute("2.5.4.97", plan.authNumber),
      attribute("2.5.4.3", `${plan.organisation.toLowerCase()}.example`),
    );
    const extensions = pspExtensions(plan, name);
    const { serial } = plan;
    return [name, makeCertificate({ subject, issuer: ca, key: forger, scheme, serial, extensions })] as const;
  });
  return { ca, forger, certificates: new Map(certificates) };
}

const makeOnce = (): Made => {
  made ??= make();
  return made;
};

const holderOf = (name: CertificateName): Holder => {
  const found = makeOnce().certificates.get(name);
  if (!found) throw new Error(`no certificate "${name}"`);
  return found;
};

const base64 = (der: Uint8Array): string => Buffer.from(der).toString("base64");

/** As the header `eidas` carries it; null: the QTSP has issued none of this name. */
export const findCertificate = (name: string): string | null =>
  name in PLANS ? base64(holderOf(name as CertificateName).certificate.der) : null;

/** Of its CA, as trusted lists name it. */
export const qtspCertificate = (): Certificate => makeOnce().ca.certificate;

type Status = "good" | "revoked" | "hold" | "unknown";

/** What it says of a certificate. Instants in milliseconds since 1970. */
export interface Said {
  readonly name: CertificateName;
  readonly kind: "OCSP" | "CRL";
  readonly status: Status;
  readonly thisUpdate: number;
  readonly nextUpdate: number;
}

/** What it sends, and what that says if it is its own. */
export interface Signed {
  readonly der: Uint8Array<ArrayBuffer>;
  readonly said: readonly Said[];
}

/** It signs in advance, so often, and for so long. */
const PERIODS = { OCSP: { everyMs: 10_000, lastsMs: 80_000 }, CRL: { everyMs: 20_000, lastsMs: 100_000 } } as const;
const HOLD = 6;
const KEY_COMPROMISE = 1;

/** By what they say: many histories ask alike. */
const signatures = new Map<string, Uint8Array<ArrayBuffer>>();
const MOST_SIGNATURES = 5_000;

function signOnce(question: unknown, signIt: () => Uint8Array): Uint8Array<ArrayBuffer> {
  const key = JSON.stringify(question);
  const known = signatures.get(key) ?? new Uint8Array(signIt());
  if (signatures.size >= MOST_SIGNATURES) signatures.clear();
  signatures.set(key, known);
  return known;
}

interface Change {
  readonly name: CertificateName;
  readonly at: number;
  readonly status: Exclude<Status, "unknown">;
}

/** In one history. */
export class Qtsp {
  readonly changes: Change[] = [];
  readonly #now: () => number;
  readonly #lastsTimes: number;

  /** `lastsTimes`: so many times as long as usual every other of its answers lasts, so that an older one may end after a newer one. */
  constructor(now: () => number, lastsTimes: number) {
    this.#now = now;
    this.#lastsTimes = lastsTimes;
  }

  set(name: CertificateName, status: Change["status"]): void {
    this.changes.push({ name, at: this.#now(), status });
  }

  /** The last change up to an instant. */
  #changeAt(name: CertificateName, at: number): Change | undefined {
    return this.changes.findLast((change) => change.name === name && change.at <= at);
  }

  /** What the address has: as of `late` periods ago. `forged`: signed by a PSP, who says good. Null: it has nothing. */
  find(url: string, late: number, wish: "as it is" | "unknown" | "forged"): Signed | null {
    const kind = url === CRL_URL ? "CRL" : "OCSP";
    const { everyMs, lastsMs } = PERIODS[kind];
    const period = Math.floor(this.#now() / everyMs) - late;
    const thisUpdate = period * everyMs;
    const span = { thisUpdate, nextUpdate: thisUpdate + lastsMs * (period % 2 === 0 ? this.#lastsTimes : 1) };
    if (kind === "CRL") return this.#signCrl(span, wish === "forged");
    const name = CERTIFICATE_NAMES.find((each) => url === `${OCSP_URL}${encodeURIComponent(each)}`);
    return name ? this.#signOcsp(name, span, wish) : null;
  }

  #signOcsp(
    name: CertificateName,
    span: Pick<Said, "thisUpdate" | "nextUpdate">,
    wish: "as it is" | "unknown" | "forged",
  ): Signed {
    const { ca, forger } = makeOnce();
    const change = this.#changeAt(name, span.thisUpdate);
    const status = wish === "unknown" ? wish : wish === "forged" ? "good" : (change?.status ?? "good");
    const said = { name, kind: "OCSP", status, ...span } as const;
    const revocation = describeRevocation(status, change);
    const der = signOnce([said, revocation, wish], () =>
      makeOcspResponse({
        responder: wish === "forged" ? { ...ca, key: forger } : ca,
        producedAt: span.thisUpdate,
        singles: [{ certificate: holderOf(name).certificate, issuer: ca.certificate, ...span, ...revocation }],
      }),
    );
    return { der, said: wish === "forged" ? [] : [said] };
  }

  #signCrl(span: Pick<Said, "thisUpdate" | "nextUpdate">, forged: boolean): Signed {
    const { ca, forger } = makeOnce();
    const listed = CERTIFICATE_NAMES.filter((name) => sourcesOf(name).includes("CRL"));
    const each = listed.map((name) => {
      const change = forged ? undefined : this.#changeAt(name, span.thisUpdate);
      return { name, change, status: change?.status ?? ("good" as const) };
    });
    const entries = each.flatMap(({ name, change, status }) =>
      status === "good" ? [] : [{ serial: PLANS[name].serial, ...describeRevocation(status, change) }],
    );
    const number = Math.floor(span.thisUpdate / PERIODS.CRL.everyMs)
      .toString(16)
      .padStart(8, "0");
    const der = signOnce(["CRL", span, entries, forged], () =>
      makeCrl({
        ...{ issuer: ca, ...span, entries, ...(forged && { signer: forger }) },
        extensions: [{ oid: "2.5.29.20", value: encodeDer(Tag.integer, Buffer.from(number, "hex")) }],
      }),
    );
    const said = each.map(({ name, status }) => ({ name, kind: "CRL" as const, status, ...span }));
    return { der, said: forged ? [] : said };
  }
}

function describeRevocation(status: Status, change: Change | undefined) {
  if (status === "good" || status === "unknown") return { status };
  // since when, as roughly as it signs: fewer answers differ
  const revokedAt = Math.floor((change?.at ?? 0) / PERIODS.OCSP.everyMs) * PERIODS.OCSP.everyMs;
  return { status: "revoked" as const, revokedAt, reason: status === "hold" ? HOLD : KEY_COMPROMISE };
}
