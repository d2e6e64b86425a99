/** The metadata that the EBA publishes for its register: the latest file, its time and its checksum. */
import * as z from "zod";
import { fetchLimited } from "../platform/fetch-limited.ts";
import type { RefreshEnv } from "./step.ts";

export interface EbaMetadata {
  /** Of the ZIP. */
  readonly url: string;
  /** Of the ZIP, in lower-case hex. */
  readonly sha256: string;
  /** ISO 8601. */
  readonly published: string;
}

const FORM = z.object({
  latest_version_relative_zip_path: z.string().min(1),
  sha256_hash: z.string().regex(/^[0-9a-fA-F]{64}$/),
  // "Mon Aug 24 16:00:29 UTC 2026"
  timestamp: z.string().refine((text) => !Number.isNaN(Date.parse(text))),
  golden_copy_path_context: z.string(),
});

const MAX_METADATA_BYTES = 64 * 1024;

/** Does not throw: every failure is a result. */
export async function fetchEbaMetadata({
  EBA_METADATA_URL: url,
  EBA_FILES_URL: filesUrl,
  REFRESH_TIMEOUT_SECONDS,
}: RefreshEnv): Promise<({ ok: true } & EbaMetadata) | { ok: false; message: string }> {
  const timeoutMs = REFRESH_TIMEOUT_SECONDS * 1000;
  const fetched = await fetchLimited({ url, method: "GET", maxBytes: MAX_METADATA_BYTES, timeoutMs });
  if (!fetched.ok) return { ok: false, message: `${url} ${fetched.message}` };
  const parsed = FORM.safeParse(parseJson(new TextDecoder().decode(fetched.bytes)));
  if (!parsed.success) return { ok: false, message: `${url}: not the metadata of the EBA's register` };
  const { latest_version_relative_zip_path: path, sha256_hash, timestamp, golden_copy_path_context } = parsed.data;
  const zip = URL.parse(path, filesUrl || golden_copy_path_context);
  if (!zip) return { ok: false, message: `${url}: does not contain the file's URL` };
  const published = new Date(timestamp).toISOString();
  return { ok: true, url: zip.href, sha256: sha256_hash.toLowerCase(), published };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
