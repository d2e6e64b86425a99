/**
 * The EBA, which publishes the register of XY, as metadata that name a ZIP, and that of the banks of XX, as the answer of its search. One
 * PSP of each loses its authorisation there, and has it again. Of the search nobody keeps older answers: they have no date.
 */
import { BANKS, EBA } from "../../src/registers/sources.ts";
import { packRecords, sha256, writeTimestamp } from "../refresh/eba-source.ts";

const HOST = "https://eba.example/";
export const EBA_METADATA_URL = `${HOST}filemetadata`;
export const EBA_SEARCH_URL = `${HOST}search`;
export type EbaSource = typeof EBA | typeof BANKS;
const FILES_URL = `${HOST}files/`;

/** What the EBA publishes at once: a file, and what its search answers. */
export interface EbaFile {
  /** From 0 on. */
  readonly number: number;
  /** Whether it says so of the PSPs of `home-xy` and of `credit-institution`. */
  readonly authorised: boolean;
  /** The search does not have that bank: its entry stays as it was, until another answer lacks it, hours later. */
  readonly lacksBank: boolean;
  /** True time, in milliseconds since 1970. */
  readonly uploadedAt: number;
}

/** What an address has; `file` where it is metadata. */
interface Published {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly file: EbaFile | null;
  readonly source: EbaSource;
}

const DAY_MS = 86_400_000;
const SECOND_MS = 1_000;
/** It is made so long before it can be fetched. */
const UPLOAD_MS = 60_000;
const COUNTRY = "XY";
const NUMBERS = ["000001", "000002", "000003", "000004"] as const;

/** What is loaded when a history begins. */
export const firstEbaFile = (start: number): EbaFile => ({
  ...{ number: 0, authorised: true, lacksBank: false, uploadedAt: start - DAY_MS },
});

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

const BANK_NUMBERS = ["000013", "000014", "000015", "000016"] as const;

const writeBank = (number: string, isAuthorised: boolean) => ({
  _payload: {
    ...{ CA_OwnerID: "XX_TEST", EntityCode: `XX${number}`, EntityType: "CRD_CRE_INS" },
    __EBA_EntityVersion: "20261001120000000",
    Properties: [
      ...[{ ENT_NAT_REF_COD: number }, { ENT_NAM: `Bank ${number}` }, { ENT_COU_RES: "XX" }],
      { ENT_AUT: ["2019-01-01", ...(isAuthorised ? [] : ["2026-10-01"])] },
    ],
  },
});

/** All banks. */
export const writeBanks = ({ authorised, lacksBank }: EbaFile): Uint8Array<ArrayBuffer> =>
  new Uint8Array(
    Buffer.from(
      JSON.stringify(
        BANK_NUMBERS.slice(lacksBank ? 1 : 0).map((number) =>
          writeBank(number, number !== BANK_NUMBERS[0] || authorised),
        ),
      ),
    ),
  );

const packed = new Map<boolean, Uint8Array<ArrayBuffer>>();

/** By what it says: made once for a process. */
export function packFile(authorised: boolean): Uint8Array<ArrayBuffer> {
  const known = packed.get(authorised);
  if (known) return known;
  const zip = packRecords(NUMBERS.map((number, i) => writeRecord(number, i > 0 || authorised)));
  packed.set(authorised, zip);
  return zip;
}

const writeMetadata = (file: EbaFile): Uint8Array<ArrayBuffer> =>
  new Uint8Array(
    Buffer.from(
      JSON.stringify({
        latest_version_relative_zip_path: `${file.number}.zip`,
        sha256_hash: sha256(packFile(file.authorised)),
        timestamp: writeTimestamp(new Date(publishedAt(file))),
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

  publish(authorised: boolean, lacksBank = false): void {
    const { number, uploadedAt } = this.newest;
    // two of one second would be equally new
    this.files.push({
      number: number + 1,
      authorised,
      lacksBank,
      uploadedAt: Math.max(this.#now(), uploadedAt + SECOND_MS),
    });
  }

  /** What the address has, as of `late` files ago. `forged`: a ZIP that says the opposite. Null: it has nothing. */
  answer(url: string, late: number, forged: boolean): Published | null {
    if (url === EBA_METADATA_URL) {
      const file = this.files[Math.max(0, this.files.length - 1 - late)] ?? this.newest;
      return { bytes: writeMetadata(file), file, source: EBA };
    }
    if (url === EBA_SEARCH_URL) return { bytes: writeBanks(this.newest), file: this.newest, source: BANKS };
    const file = this.files.find(({ number }) => url === `${FILES_URL}${number}.zip`);
    return file ? { bytes: packFile(file.authorised !== forged), file: null, source: EBA } : null;
  }
}
