/** Countries as lists spell them and as everyone else does. */

// Commission Implementing Decision (EU) 2015/1505 follows the EU's own style guide here
const ISO_OF: Readonly<Record<string, string>> = { EL: "GR", UK: "GB" };

/** ISO 3166 of a scheme territory: "EL" is "GR", "UK" is "GB"; "EU" stays, being no country. */
export const isoTerritory = (onList: string): string => ISO_OF[onList] ?? onList;
