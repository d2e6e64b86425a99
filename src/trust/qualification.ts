/**
 * What a trusted list says of single certificates of a CA/QC service, over their own word: the Qualifications extension
 * (TS 119 612 section 5.5.9.2), in the form in which it is kept with each period of the service's status.
 */

/** One QualificationElement: the qualifiers hold for every certificate that meets the criteria. */
export interface Qualification {
  /** The last segment of each URI: "NotQualified", "QCForWSA"; a URI of another vocabulary is kept whole. */
  qualifiers: string[];
  criteria: Criterion;
  /** Of the extension that it stands in. Absent when it is not: whoever does not understand it may ignore it. */
  critical?: true;
}

/** A criteria list (section 5.5.9.2.2), which may hold others, or one criterion. Each list of identifiers must be met whole. */
export type Criterion =
  | { all: Criterion[] }
  | { atLeastOne: Criterion[] }
  | { none: Criterion[] }
  /** Bits that have to be set, and bits that must not be: bit n of RFC 5280 section 4.2.1.3 is `1 << n`. */
  | { keyUsage: { set: number; clear: number } }
  | { policies: string[] }
  | { purposes: string[] }
  /** Attributes that the subject must have, whatever their value. */
  | { subject: string[] }
  /** What is not understood, by name. */
  | { unknown: string };
