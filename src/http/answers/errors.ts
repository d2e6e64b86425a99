/** The interface's error form. */
import * as z from "zod";

export const errors = z
  .array(
    z.object({
      id: z.string(),
      /** Which codes an operation may answer with which status is in the document (error-codes.ts). */
      code: z.string(),
      title: z.string(),
      link: z.string(),
    }),
  )
  .min(1);
export type Errors = z.output<typeof errors>;

export const errorAnswer = z.object({ errors });
