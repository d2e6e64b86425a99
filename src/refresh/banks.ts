/**
 * Refreshes the EBA's register of credit institutions. Its search answers all of it, without a date or a checksum: it is as of
 * the fetch, and counts if its JSON ends, if it is no mere page, and within the limit on drops. Each step fetches it again.
 */
import { readBankFile } from "../registers/import/bank-file.ts";
import { listRegisters } from "../registers/manifest.ts";
import { BANKS, SOURCES } from "../registers/sources.ts";
import { download, importFetched } from "./fetched-file.ts";
import type { Step } from "./schedule.ts";

/** Ten times the size of the answer in 2022. */
const MAX_ANSWER_BYTES = 20 * 1024 * 1024;
/** Half as many as there were in 2022: the first answer has no earlier one that it could be compared with. */
const FEWEST_BANKS = 2_000;

/** As the register's own page asks for all banks. */
const SEARCH = { $and: [{ _messagetype: "EUCLIDMD" }, { "_payload.EntityType": "CRD_CRE_INS" }] };

export const refreshBanks: Step = async (input) => {
  const { env, now } = input;
  const url = env.EBA_SEARCH_URL;
  const headers = { "Content-Type": "application/json", Accept: "application/json" };
  const request = { url, init: { method: "POST", headers, body: JSON.stringify(SEARCH) }, maxBytes: MAX_ANSWER_BYTES };
  const fetchedAt = new Date(now).toISOString();
  const file = await download(request, input, (bytes, onProgress) => readBankFile(bytes, { fetchedAt, onProgress }));
  if (!file.ok) return { ok: false, message: `${url}: ${file.reason}` };
  const { registers, sha256 } = file;
  const loaded = (await listRegisters(env.KV)).filter(({ source }) => source === BANKS);
  if (loaded.length === 0 && registers.institutions < FEWEST_BANKS)
    return {
      ok: false,
      message: `${url} answers ${registers.institutions} banks: that cannot be all of them. If it is right, import it by hand`,
    };
  const result = await importFetched(input, file, { url, stateAfter: {} });
  const isUnchanged = loaded.length > 0 && loaded.every((one) => one.sha256 === sha256);
  return result.ok && !result.unfinished && isUnchanged
    ? { ...result, summary: `${SOURCES[BANKS].title} is unchanged; ${result.summary}` }
    : result;
};
