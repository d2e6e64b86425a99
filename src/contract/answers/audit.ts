/** What an institution's ledger says of itself. */
import * as z from "zod";
import { digest, instant } from "./field.ts";

const number = z.int().min(0);

export const ledgerHead = z.object({
  data: z.object({
    seq: number,
    hash: digest,
    time: instant.nullable(),
    jws: z
      .string()
      .regex(/^[\w-]+\.[\w-]+\.[\w-]+$/)
      .nullable(),
    kept_from: number.nullable(),
  }),
});
export type LedgerHead = z.output<typeof ledgerHead>;
