/** Everything that a record of the ledger rests on, by SHA-256. */
import type { Basis } from "../psp-check/basis.ts";
import { parseDocument } from "./kept-reader.ts";
import type { LedgerRecord } from "./record.ts";

export interface RecordDocument {
  /** `answer`, `basis`, `certificate`, `OCSP answer`, `CRL`, ... */
  readonly kind: string;
  readonly sha256: string;
}

const one = (kind: string, sha256: string | null): RecordDocument[] => (sha256 === null ? [] : [{ kind, sha256 }]);

/** The documents that the record itself names; each basis names further ones. */
export const listNamedDocuments = ({ answer, checks }: LedgerRecord): RecordDocument[] => [
  ...one("answer", answer),
  ...checks.flatMap(({ basis }) => one("basis", basis)),
];

/** The documents that the basis of these bytes names; none if they are not those of a basis. */
export function listBasisContents(bytes: Uint8Array | null): RecordDocument[] {
  const basis = bytes && (parseDocument(bytes) as Basis | undefined);
  return basis?.form === 1 ? listBasisDocuments(basis) : [];
}

export const listBasisDocuments = ({ chain, anchors, revocation, home, hosts }: Basis): RecordDocument[] => [
  ...chain.flatMap((sha256) => one("certificate", sha256)),
  ...one("listed services", anchors),
  ...revocation.flatMap(({ answers }) =>
    answers.flatMap((answer) => {
      if (!("sha256" in answer)) return [];
      const { source, sha256, issuer } = answer;
      return [...one(source === "OCSP" ? "OCSP answer" : "CRL", sha256), ...one("certificate", issuer)];
    }),
  ),
  ...one("home register's entries", home),
  ...Object.values(hosts).flatMap((sha256) => one("host register's entries", sha256)),
];
