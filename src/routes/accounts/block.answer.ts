/** The block of an account. */
import * as z from "zod";
import { instant, list, scope } from "../../http/answer-fields.ts";

export const accountBlock = z.object({ data: z.object({ scopes: list(scope), blocked_at: instant.nullable() }) });
export type AccountBlock = z.output<typeof accountBlock>;
