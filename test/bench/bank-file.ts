/**
 * A made-up answer of the search of the EBA's register of credit institutions, of the real one's size and shape: 4,131 banks in 2
 * MB, a third of them German. The same every time. Names and numbers are invented.
 */
import { Random, weighted } from "../random.ts";

export const FULL_SIZE_BANKS = 4_131;

const OWNERS = (
  "DE_BAFIN 1287, PL_PFSA 566, AT_FMA 427, IT_BI 369, FR_ACPR 289, FI_FIN-FSA 171, NO_FSA 149, PT_BP 126, SE_FINA 120, " +
  "ES_BE 112, LU_CSSF 78, DK_DFSA 66, RO_NBR 60, NL_DNB 40, BE_NBB 31, HU_CBH 28, CZ_CNB 27, HR_HNB 21, MT_MFSA 19"
)
  .split(", ")
  .map((entry) => entry.split(" ") as [owner: string, banks: string]);
const drawOwner = weighted(OWNERS.map(([, banks]) => Number(banks)));
const WORDS = [
  "Sparkasse",
  "Volksbank",
  "Bank Spółdzielczy",
  "Banca",
  "Caisse",
  "Säästöpankki",
  "Sparebank",
  "Crédito",
];

export function writeBanks(count: number): string {
  const draws = new Random(20260816);
  const word = () => WORDS[draws.below(WORDS.length)] ?? "";
  const record = (i: number) => {
    const [owner = ""] = OWNERS[drawOwner(draws)] ?? [];
    const code = `5299${String(10_000_000_000_000 + i * 7)}`;
    const name = `${word()} ${word()} ${draws.below(1e6).toString(36).toUpperCase()}`;
    return {
      _payload: {
        ...{ CA_OwnerID: owner, EntityCode: code, EntityType: "CRD_CRE_INS" },
        Properties: [
          ...[{ ENT_COD: code }, { ENT_COD_TYP: "NON_LEI" }, { ENT_NAT_REF_COD: `${100_000 + i}` }],
          ...[{ ENT_NAM: name }, { ENT_COU_RES: owner.slice(0, 2) }, { ENT_TOW_CIT_RES: word().toUpperCase() }],
          ...(draws.below(5) === 0 ? [{ ENT_NAM_NON_LAT: `Банка ${name}` }] : []),
          ...[{ ENT_AUT: ["2013-11-20"] }, { EEA_DEP_GUA_SCH: `${owner.slice(0, 2)}_DGS` }, { COM_AUT: owner }],
        ],
        __EBA_EntityVersion: "20261103000000000",
      },
    };
  };
  return JSON.stringify(Array.from({ length: count }, (_, i) => record(i)));
}
