/** The EBA, which publishes the register of XY: metadata that name a ZIP. One PSP loses its authorisation there, and has it again. */
import { createHash } from "node:crypto";
import { zipSync } from "fflate";

const HOST = "https://eba.example/";
export const EBA_METADATA_URL = `${HOST}filemetadata`;
const FILES_URL = `${HOST}files/`;

/** A file of the EBA. */
export interface EbaFile {
  /** From 0 on. */
  readonly number: number;
  /** Whether it says so of the PSP of `home-xy`. */
  readonly authorised: boolean;
  /** True time, in milliseconds since 1970. */
  readonly uploadedAt: number;
}

/** What an address has; `file` where it is metadata. */
interface Published {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly file: EbaFile | null;
}

const DAY_MS = 86_400_000;
const SECOND_MS = 1_000;
/** It is made so long before it can be fetched. */
const UPLOAD_MS = 60_000;
const COUNTRY = "XY";
const NUMBERS = ["000001", "000002", "000003", "000004"] as const;
/** A file's time in the ZIP, which the machine would give. */
const PACKED_AT = "2026-01-01T00:00:00";

/** What is loaded when a history begins. */
export const firstEbaFile = (start: number): EbaFile => ({ number: 0, authorised: true, uploadedAt: start - DAY_MS });

/** When it was made, by its metadata. */
export const publishedAt = ({ uploadedAt }: EbaFile): number =>
  Math.floor((uploadedAt - UPLOAD_MS) / SECOND_MS) * SECOND_MS;

const writeRecord = (number: string, isAuthorised: boolean) => ({
  CA_OwnerID: `${COUNTRY}_TEST`,
  EntityCode: `${COUNTRY}_TEST!${number}`,
  EntityType: "PSD_PI",
  __EBA_EntityVersion: "20261001120000000",
  Properties: [
    { ENT_NAT_REF_COD: number },
    { ENT_NAM: `Institution ${number}` },
    { ENT_AUT: ["2019-01-01", ...(isAuthorised ? [] : ["2026-10-01"])] },
  ],
  Services: [COUNTRY, "XX"].map((country) => ({ [country]: ["PS_070", "PS_080"] })),
});

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

const packed = new Map<boolean, Uint8Array<ArrayBuffer>>();

/** By what it says: made once for a process. */
export function packFile(authorised: boolean): Uint8Array<ArrayBuffer> {
  const known = packed.get(authorised);
  if (known) return known;
  const records = NUMBERS.map((number, i) => writeRecord(number, i > 0 || authorised));
  const document = Buffer.from(JSON.stringify([[{ __EBA_Disclaimer: {} }], records]));
  const parts = { "PSDMD.json": document, "PSDMD.json.sha256": Buffer.from(sha256(document)) };
  const zip = new Uint8Array(zipSync(parts, { mtime: PACKED_AT }));
  packed.set(authorised, zip);
  return zip;
}

/** As the EBA writes it: Fri Nov 20 16:00:29 UTC 2026. */
function writeTimestamp(instant: number): string {
  const [weekday = "", day, month, year, time] = new Date(instant).toUTCString().split(" ");
  return [weekday.slice(0, -1), month, day, time, "UTC", year].join(" ");
}

const writeMetadata = (file: EbaFile): Uint8Array<ArrayBuffer> =>
  new Uint8Array(
    Buffer.from(
      JSON.stringify({
        latest_version_relative_zip_path: `${file.number}.zip`,
        sha256_hash: sha256(packFile(file.authorised)),
        timestamp: writeTimestamp(publishedAt(file)),
        golden_copy_path_context: FILES_URL,
      }),
    ),
  );

/** In one history. */
export class EbaPublisher {
  /** In their order. */
  readonly files: EbaFile[];
  readonly #now: () => number;

  constructor(start: number, now: () => number) {
    this.files = [firstEbaFile(start)];
    this.#now = now;
  }

  get newest(): EbaFile {
    return this.files.at(-1) ?? firstEbaFile(this.#now());
  }

  publish(authorised: boolean): void {
    const { number, uploadedAt } = this.newest;
    // two of one second would be equally new
    this.files.push({ number: number + 1, authorised, uploadedAt: Math.max(this.#now(), uploadedAt + SECOND_MS) });
  }

  /** What the address has, as of `late` files ago. `forged`: a ZIP that says the opposite. Null: it has nothing. */
  answer(url: string, late: number, forged: boolean): Published | null {
    if (url === EBA_METADATA_URL) {
      const file = this.files[Math.max(0, this.files.length - 1 - late)] ?? this.newest;
      return { bytes: writeMetadata(file), file };
    }
    const file = this.files.find(({ number }) => url === `${FILES_URL}${number}.zip`);
    return file ? { bytes: packFile(file.authorised !== forged), file: null } : null;
  }
}
