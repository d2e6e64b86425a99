/** A golden copy of the EBA's register on loopback, with its metadata: made of invented records, packed as the EBA packs. */
import { createHash } from "node:crypto";
import { zipSync } from "fflate";
import type { Sources } from "./sources.ts";

export const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

export interface Institution {
  readonly country: string;
  readonly number: number;
  readonly name: string;
}

export const many = (country: string, count: number, name = "Old Ltd"): Institution[] =>
  Array.from({ length: count }, (_, number) => ({ country, number, name }));

const toRecord = ({ country, number, name }: Institution) => ({
  CA_OwnerID: `${country}_NCA`,
  EntityCode: `${country}_NCA!${number}`,
  EntityType: "PSD_PI",
  Properties: [{ ENT_NAT_REF_COD: String(number) }, { ENT_NAM: name }, { ENT_AUT: ["2019-01-01"] }],
  Services: [{ [country]: ["PS_070", "PS_080"] }],
});

/** The ZIP: one JSON document and its checksum, which `wrongInside` spoils. */
export function packRegister(
  institutions: readonly Institution[],
  wrongInside = false,
  __EBA_EntityVersion = "20261120120000000",
): Uint8Array {
  const records = institutions.map((one) => ({ ...toRecord(one), __EBA_EntityVersion }));
  return packRecords(records, wrongInside);
}

/** A file's time in the ZIP, which the machine would give. */
const PACKED_AT = "2026-01-01T00:00:00";

export function packRecords(records: readonly object[], wrongInside = false): Uint8Array<ArrayBuffer> {
  const document = Buffer.from(JSON.stringify([[{ __EBA_Disclaimer: {} }], records]));
  const checksum = Buffer.from(sha256(wrongInside ? new Uint8Array() : document));
  return new Uint8Array(zipSync({ "PSDMD.json": document, "PSDMD.json.sha256": checksum }, { mtime: PACKED_AT }));
}

export const PUBLISHED = new Date("2026-11-20T16:00:29Z");

/** As the EBA writes it: Fri Nov 20 16:00:29 UTC 2026. */
export function writeTimestamp(date: Date): string {
  const [weekday = "", day, month, year, time] = date.toUTCString().split(" ");
  return [weekday.slice(0, -1), month, day, time, "UTC", year].join(" ");
}

/**
 * Serves the ZIP and metadata that name it; `hash`: another's where the metadata lie. `published`: of a register
 * that has to be fresh by the machine's clock, the present.
 */
export function publish(
  sources: Sources,
  name: string,
  zip: Uint8Array,
  { hash = sha256(zip), published = PUBLISHED } = {},
): void {
  sources.file(`/eba/${name}.zip`, zip);
  const metadata = {
    latest_version_relative_zip_path: `${name}.zip`,
    latest_version_relative_zip_size: String(zip.length),
    latest_version_relative_sha256_path: `${name}.zip.sha256`,
    sha256_hash: hash,
    timestamp: writeTimestamp(published),
    golden_copy_path_context: "https://euclid.eba.europa.eu/register/downloads/PSDMD/",
  };
  sources.file("/filemetadata.json", Buffer.from(JSON.stringify(metadata)));
}
