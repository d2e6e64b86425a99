/** The search of the EBA's register of credit institutions on loopback: it answers all banks, made of invented records. */
import type { Institution } from "./eba-source.ts";
import type { Sources } from "./sources.ts";

const toRecord = ({ country, number, name }: Institution) => ({
  _payload: {
    ...{ CA_OwnerID: `${country}_NCA`, EntityCode: `${country}-${number}`, EntityType: "CRD_CRE_INS" },
    Properties: [
      ...[{ ENT_COD_TYP: "NON_LEI" }, { ENT_NAT_REF_COD: String(number) }, { ENT_NAM: name }],
      ...[{ ENT_COU_RES: country }, { ENT_AUT: ["2019-01-01"] }],
    ],
    __EBA_EntityVersion: "20261120000000000",
  },
});

/** Of a name "" the record is malformed. */
export const writeBanks = (banks: readonly Institution[]): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(JSON.stringify(banks.map(toRecord))));

export const SEARCH_PATH = "/search";

export const answerBanks = (sources: Sources, banks: readonly Institution[]): void =>
  sources.file(SEARCH_PATH, writeBanks(banks));
