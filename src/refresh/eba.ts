/**
 * Refreshes the EBA's register: fetches its metadata and, if they name a file that is not loaded, imports that file as
 * a stream. A step that reaches its limit of writes leaves the rest to the next, which reads the file again.
 */
import * as z from "zod";
import { fetchLimited } from "../platform/fetch-limited.ts";
import { boundedInstant } from "../platform/instant.ts";
import { readEbaFile } from "../registers/import/eba-file.ts";
import { listImportRuns } from "../registers/import/stored-register.ts";
import { listRegisters } from "../registers/manifest.ts";
import { EBA } from "../registers/sources.ts";
import { download, importFetched } from "./fetched-file.ts";
import { forgetStepState } from "./refreshes.ts";
import { EBA_TASK, type RefreshEnv, type Step } from "./schedule.ts";

const STEP_STATE = z.object({ sha256: z.string() });

/** Ten times the size of the file in 2026. */
const MAX_FILE_BYTES = 200 * 1024 * 1024;

export const refreshEba: Step = async (input) => {
  const { env, stepState, now } = input;
  const metadata = await fetchEbaMetadata(env);
  if (!metadata.ok) return { ...metadata, light: true };
  const { url, sha256 } = metadata;
  const loaded = (await listRegisters(env.KV)).filter(({ source }) => source === EBA);
  // KV may not show a newer one yet, or an import of it broke off
  const known = [...loaded, ...(await listImportRuns(env.DB, EBA))];
  // none is loaded: KV has lost it, as with a new namespace. Published again later, it is imported again: else one from between
  // would pass for a newer one
  const isNoted = loaded.length > 0 && known.some(({ published }) => published >= metadata.published);
  if (isNoted && STEP_STATE.safeParse(stepState).data?.sha256 === sha256)
    return { ok: true, stepState, unfinished: false, heavy: false, summary: "the EBA's register is unchanged" };
  // a cache on the way may still have the metadata of a day before: that file would undo withdrawals
  const newer = known.find((one) => one.published > metadata.published && Date.parse(one.published) <= now);
  if (newer)
    return { ok: false, message: `${url} was published ${metadata.published}, and ${newer.published} is loaded` };
  const file = await download({ url, maxBytes: MAX_FILE_BYTES }, input, (bytes, onProgress) =>
    readEbaFile(bytes, { sha256, published: metadata.published, onProgress }),
  );
  if (!file.ok) return { ok: false, message: `${url}: ${file.reason}` };
  // if it is killed, what was loaded is no longer loaded
  await forgetStepState(env.DB, EBA_TASK);
  return await importFetched(input, file, { url, stateAfter: { sha256 } });
};

interface EbaMetadata {
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
  timestamp: z.string().refine((text) => boundedInstant(Date.parse(text)) !== null),
  golden_copy_path_context: z.string(),
});

const MAX_METADATA_BYTES = 64 * 1024;

/** Does not throw: every failure is a result. */
async function fetchEbaMetadata({
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
