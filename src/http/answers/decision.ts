/** Whether a PSP may use a scope, with the reasons against it. */
import * as z from "zod";
import { REASONS, type ReasonCode } from "../../psp-check/decision.ts";
import { list } from "./field.ts";

export const scopeDecision = z.object({
  allowed: z.boolean(),
  reasons: list(
    z.object({
      code: z.enum(Object.keys(REASONS) as ReasonCode[]),
      message: z.string(),
      whose: z.enum(["psp", "qtsp", "nca", "source"]),
    }),
  ),
});
