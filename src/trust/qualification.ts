
/** One QualificationElement: the qualifiers apply to every certificate that meets the criteria. */
export interface Qualification {
  /** The last segment of each URI: "NotQualified", "QCForWSA". A URI from another vocabulary is kept in full. */
  qualifiers: string[];
  criteria: Criterion;
  /** Whether the extension that contains it is critical. If absent, an unknown qualification may be ignored. */
  critical?: true;
}

/** A criteria list (section 5.5.9.2.2) or one criterion, all of whose identifiers must be present. */
export type Criterion =
  | { all: Criterion[] }
  | { atLeastOne: Criterion[] }
  | { none: Criterion[] }
  /** Bits that must be set, and bits that must be clear: bit n of RFC 5280 section 4.2.1.3 is `1 << n`. */
  | { keyUsage: { set: number; clear: number } }
  | { policies: string[] }
  | { purposes: string[] }
  /** Attribute types that the subject must have, with any value. */
  | { subject: string[] }
  /** The name of a criterion that is not supported. */
  | { unknown: string };
