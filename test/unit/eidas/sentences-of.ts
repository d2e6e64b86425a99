import type { Warning } from "../../../src/eidas/warnings.ts";

export const sentencesOf = ({ warnings }: { readonly warnings: readonly Warning[] }): string[] =>
  warnings.map(({ sentence }) => sentence);
