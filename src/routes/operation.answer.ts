/** How the service itself is: its health, how fresh the data is, and the keys that sign its answers (RFC 7517, RFC 8037). */
import * as z from "zod";
import { country, instant, list, seconds } from "../http/answer-fields.ts";

export const health = z.object({
  status: z.enum(["up", "degraded", "down"]),
  reasons: list(
    z.enum([
      "no_trusted_list",
      "no_register",
      "trusted_list_stale",
      "register_stale",
      "trusted_list_failing",
      "register_failing",
      "register_incomplete",
      "refresh_overdue",
      "records_damaged",
      "schema_newer",
      "store_unreachable",
    ]),
  ),
  version: z.string(),
});
export type Health = z.output<typeof health>;

const failure = z.object({ at: instant, message: z.string() });

const refresh = z
  .object({
    checkedAt: instant.nullable(),
    nextCheck: instant,
    failures: z.int().min(0),
    lastError: failure.nullable(),
    refusedImport: failure.nullable(),
  })
  .nullable();

const source = {
  source: z.string(),
  jurisdiction: z.string().nullable(),
  loaded: z.boolean(),
  published: z.string().nullable(),
  fetchedAt: instant.nullable(),
  nextUpdate: instant.nullable(),
  stale: z.boolean(),
  refresh,
};
const count = z.int().min(0);

export const status = z.object({
  version: z.string(),
  status: z.enum(["up", "degraded"]),
  reasons: list(
    z.object({
      code: z.string(),
      message: z.string(),
      source: z.string().nullable(),
      jurisdiction: z.string().nullable(),
    }),
  ),
  trustedLists: list(z.object({ ...source, sequenceNumber: z.int().nullable(), services: count, anchors: count })),
  registers: list(
    z.object({
      ...source,
      snapshot: z.string().nullable(),
      psps: count,
      agents: count,
      refused: count,
      kept: list(z.string()),
      undated: list(z.string()),
      awaited: list(z.string()),
      dated: z.enum(["publication", "fetch"]).nullable(),
    }),
  ),
  holes: list(
    z.object({
      country,
      day: z.iso.date(),
      psps: count,
      notFound: count,
      certificateForm: z.string(),
      registerForms: list(z.string()),
      message: z.string(),
    }),
  ),
  crls: z.object({ loaded: count, nextUpdate: instant.nullable(), refresh }),
  warnings: list(z.string()),
});
export type Status = z.output<typeof status>;

export const signingKeys = z.object({
  keys: list(
    z.object({
      kty: z.literal("OKP"),
      crv: z.literal("Ed25519"),
      x: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
      kid: z.string(),
      use: z.literal("sig"),
      alg: z.literal("Ed25519"),
      nbf: seconds,
      exp: seconds.optional(),
    }),
  ),
});
export type SigningKeys = z.output<typeof signingKeys>;
