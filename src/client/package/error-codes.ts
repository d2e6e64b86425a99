/** Makes `src/client/error-codes.ts` from the error catalogue. */
import { ENTRIES } from "../../http/errors/every-code.ts";

const HEADER = `// Made from the service's error catalogue by \`npm run client:types\`: not to be edited.

/** The codes of the catalogue, by whose business the error is, and when the same request may be sent again. */
export const CODES = {
`;
const FOOTER = `} as const;

export type ErrorCode = (typeof CODES)[keyof typeof CODES][number];
`;

export function writeErrorCodes(): string {
  const groups = Map.groupBy(Object.entries(ENTRIES), ([, { whose, retry }]) => `${whose} ${retry}`);
  const members = [...groups].map(([advice, codes]) => {
    const lines = codes.map(([code]) => `    "${code}",\n`).join("");
    return `  "${advice}": [\n${lines}  ],\n`;
  });
  return HEADER + members.join("") + FOOTER;
}
