/**
 * The basis of a PSP check: the document that names everything that the check is based on, so that the check can be made
 * again from kept documents as of its instant (evidence replay). Its SHA-256 is in the ledger's record.
 *
 * Each document has its SHA-256: DER as it is, everything else as the JSON text that was hashed.
 */
import type { MissingIssuer } from "../eidas/sought-issuers.ts";
import type { ValidityCheck } from "../eidas/validity.ts";
import { hashText } from "../platform/node-crypto.ts";
import type { RegisterReading } from "../registers/lookup.ts";
import type { RegisterMaxAges } from "../registers/manifest.ts";
import type { RevocationEvidence, RevocationSource } from "../revocation/revocation-status.ts";
import { digestOnce } from "../revocation/revocation-status.ts";
import type { KnownAnchor, ListedAnchor } from "../trust/anchors.ts";
import type { Certificate } from "../x509/certificate.ts";
import type { Chain } from "./check-budget.ts";

/** What one source said on one certificate: a verified OCSP response or CRL, or why there was none. */
export type BasisAnswer =
  | {
      readonly source: RevocationSource;
      readonly url: string | null;
      /** SHA-256 of the DER of the OCSP response or CRL. */
      readonly sha256: string;
      /** SHA-256 of the DER of the certificate whose key signed a CRL; null for an OCSP response. */
      readonly issuer: string | null;
      /** What CRLs said on the certificate of the responder that signed it; absent if that was not to be checked. */
      readonly responder?: readonly BasisAnswer[];
    }
  | {
      readonly source: RevocationSource;
      readonly url: string | null;
      readonly status: "unusable" | "unavailable";
      readonly reason: string | null;
      readonly message: string;
    };

export interface Basis {
  readonly form: 1;
  /** SHA-256 of each DER, as presented: the leaf first. */
  readonly chain: readonly string[];
  /** Which of them was presented before the leaf; absent if the leaf came first. */
  readonly first?: string;
  /** Whether they were presented joined by commas. */
  readonly joined?: true;
  /** Issuers that were not presented; absent if none were looked for: see eidas/sought-issuers.ts. */
  readonly sought?: {
    /** SHA-256 of the DER of each that was found, and where it was fetched; null: it was kept. */
    readonly found: readonly { readonly certificate: string; readonly url: string | null }[];
    readonly missing: MissingIssuer | null;
  };
  /** SHA-256 of the JSON of the listed services that were looked at (`ListedAnchor[]`), in their order. */
  readonly anchors: string;
  /** One for each certificate of the path but the anchor, leaf first; empty if no path leads to an anchor. */
  readonly revocation: readonly { readonly certificate: string; readonly answers: readonly BasisAnswer[] }[];
  /** SHA-256 of the JSON of the `RegisterReading`; null if none was read. */
  readonly home: string | null;
  /** From which age on a register's warning is given, in milliseconds, by source; null: never. */
  readonly registerMaxAges: RegisterMaxAges;
  /** As `home`, of other countries: by ISO code in alphabetical order. A record of several jurisdictions has them all. */
  readonly hosts: Readonly<Record<string, string>>;
}

/** What a check is based on in whichever jurisdiction. */
export type Grounds = Omit<Basis, "hosts">;

interface GroundsInput {
  readonly chain: Chain;
  readonly anchors: readonly KnownAnchor[];
  readonly verdict: Pick<ValidityCheck, "path" | "revocation">;
  readonly home: RegisterReading | null;
  readonly registerMaxAges: RegisterMaxAges;
}

/** What a check is based on, and the documents that it names. */
export function gatherGrounds({ chain, anchors, verdict, home, registerMaxAges }: GroundsInput): {
  readonly grounds: Grounds;
  readonly documents: readonly KeptDocument[];
} {
  const { path, revocation } = verdict;
  const presented = [chain.leaf, ...chain.issuers];
  const { issuers = [], missing = null } = chain.sought ?? {};
  const listed = listDocument(anchors);
  const reading = home && jsonDocument(home);
  const said = revocation
    .flatMap((status) => status.said)
    .flatMap((answer) => [answer, ...(answer.responder?.said ?? [])]);
  const grounds: Grounds = {
    form: 1,
    chain: presented.map(({ fingerprint }) => fingerprint),
    ...(chain.first && { first: chain.first.fingerprint }),
    ...(chain.joined && { joined: true }),
    ...(chain.sought && {
      sought: {
        found: issuers.map(({ certificate, url }) => ({ certificate: certificate.fingerprint, url })),
        missing,
      },
    }),
    anchors: listed.sha256,
    revocation: revocation.map(({ said }, i) => ({
      certificate: path[i]?.fingerprint ?? "",
      answers: said.map((each) => describeAnswer(each, path[i + 1] ?? path[i])),
    })),
    home: reading?.sha256 ?? null,
    registerMaxAges,
  };
  return {
    grounds,
    documents: [
      { ...certificateDocument(chain.leaf), leaf: true },
      // the path's as well: an issuer's certificate verifies what it signed
      ...new Map(
        [...chain.issuers, ...issuers.map(({ certificate }) => certificate), ...path.slice(1)].map((certificate) => [
          certificate.fingerprint,
          certificateDocument(certificate),
        ]),
      ).values(),
      ...said.flatMap(({ answer }) => signerOf(answer) ?? []).map(certificateDocument),
      ...said.flatMap(({ der }) => (der ? [{ sha256: digestOnce(der), bytes: () => der }] : [])),
      listed,
      ...(reading ? [reading] : []),
    ],
  };
}

/** A check, as far as its basis is concerned. */
interface Rested {
  readonly restsOn: Grounds;
  readonly host: RegisterReading | null;
}

type Checks = readonly [Rested, ...Rested[]];

/** Of a seen check a tenth of its processor time. */
const digests = new WeakMap<Rested, string>();

/** SHA-256, in lower-case hex, of the basis of one certificate's checks: of one, or of several for as many jurisdictions. */
export function basisOf(checks: Checks): string {
  const [first, ...more] = checks;
  const known = more.length === 0 ? digests.get(first) : undefined;
  if (known !== undefined) return known;
  const digest = textDocument(writeBasis(checks)).sha256;
  if (more.length === 0) digests.set(first, digest);
  return digest;
}

/** The basis, and the readings of the hosts that it names: what can be given of any check, also of one that is recalled. */
export const listBasis = (
  checks: Checks,
): { readonly basis: KeptDocument; readonly hosts: readonly KeptDocument[] } => ({
  basis: { sha256: basisOf(checks), bytes: () => encode(writeBasis(checks)) },
  hosts: listHosts(checks).map(jsonDocument),
});

const listHosts = (checks: Checks): RegisterReading[] =>
  checks.flatMap(({ host }) => host ?? []).sort((a, b) => (a.country < b.country ? -1 : 1));

const writeBasis = (checks: Checks): string =>
  JSON.stringify({
    ...checks[0].restsOn,
    hosts: Object.fromEntries(listHosts(checks).map((host) => [host.country, jsonDocument(host).sha256])),
  } satisfies Basis);

const certificateDocument = ({ fingerprint, der }: Certificate): KeptDocument => ({
  sha256: fingerprint,
  bytes: () => der,
});

const signerOf = (answer: RevocationEvidence["answer"]): Certificate | undefined =>
  "signer" in answer ? answer.signer : undefined;

function describeAnswer(
  { source, url, answer, der, proof, responder }: RevocationEvidence,
  issuer: Certificate | undefined,
): BasisAnswer {
  if (der) {
    const signer = source === "CRL" ? ((signerOf(answer) ?? issuer)?.fingerprint ?? null) : null;
    return {
      ...{ source, url: proof ? proof.url : url, sha256: digestOnce(der), issuer: signer },
      ...(responder && { responder: responder.said.map((each) => describeAnswer(each, issuer)) }),
    };
  }
  const { reason = null } = "reason" in answer ? answer : {};
  const message = "message" in answer ? answer.message : "";
  return { source, url, status: answer.status === "unavailable" ? "unavailable" : "unusable", reason, message };
}

const listDocument = (anchors: readonly KnownAnchor[]): KeptDocument =>
  textDocument(JSON.stringify(anchors.map(({ listed }): ListedAnchor => listed)));

export interface KeptDocument {
  readonly sha256: string;
  /** Called only if the document is not kept yet. */
  readonly bytes: () => Uint8Array;
  /** The certificate that a check is about. */
  readonly leaf?: true;
}

const jsonDigests = new WeakMap<object, string>();

/** The JSON of a value that never changes: its digest is made once. */
export function jsonDocument(value: object): KeptDocument {
  const known = jsonDigests.get(value);
  if (known !== undefined) return { sha256: known, bytes: () => encode(JSON.stringify(value)) };
  const document = textDocument(JSON.stringify(value));
  jsonDigests.set(value, document.sha256);
  return document;
}

export const textDocument = (text: string): KeptDocument => ({
  sha256: hashText("sha256", text),
  bytes: () => encode(text),
});

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
