/** The EBA's code list of competent authorities (RDL_COM_AUT_PSD): country code, `_`, the NCA's acronym -> name. */
const NCA_NAMES: Readonly<Record<string, string>> = {
  AT_FMA: "Austrian Financial Market Authority",
  BE_NBB: "National Bank of Belgium",
  BG_BNB: "Bulgarian National Bank",
  HR_HNB: "Croatian National Bank",
  CY_CBC: "Central Bank of Cyprus",
  CZ_CNB: "Czech National Bank",
  DK_DFSA: "Danish Financial Supervisory Authority",
  EE_FI: "Estonian Financial Supervision Authority",
  "FI_FIN-FSA": "Finnish Financial Supervisory Authority",
  FR_ACPR: "Prudential Supervisory and Resolution Authority",
  DE_BAFIN: "Federal Financial Supervisory Authority",
  GR_BOG: "Bank of Greece",
  HU_CBH: "Central Bank of Hungary",
  IS_CBI: "Central Bank of Iceland",
  IE_CBI: "Central Bank of Ireland",
  IT_BI: "Bank of Italy",
  LV_FCMC: "Financial and Capital Market Commission",
  LI_FMA: "Financial Market Authority Liechtenstein",
  LT_BL: "Bank of Lithuania",
  LU_CSSF: "Commission for the Supervision of Financial Sector",
  MT_MFSA: "Malta Financial Services Authority",
  NL_DNB: "The Netherlands Bank",
  NO_FSA: "The Financial Authority of Norway",
  PL_PFSA: "Polish Financial Supervision Authority",
  PT_BP: "Bank of Portugal",
  RO_NBR: "National Bank of Romania",
  SK_NBS: "National Bank of Slovakia",
  SI_BS: "Bank of Slovenia",
  ES_BE: "Bank of Spain",
  SE_FINA: "Swedish Financial Supervisory Authority",
  GB_FCA: "Financial Conduct Authority (FCA)",
  // not on the list, but in use for Latvia's institutions since the central bank replaced the FCMC in 2023
  LV_LV: "Bank of Latvia",
};

/** The name of an NCA by its code on the EBA's list (`FI_FIN-FSA`); the acronym if the code is not on the list. */
export const ncaName = (code: string): string => NCA_NAMES[code] ?? code.slice(code.indexOf("_") + 1);

/** The name of a country's NCA on the EBA's list; "" if it has none. */
export function ncaNameOfCountry(country: string): string {
  const code = Object.keys(NCA_NAMES).findLast((known) => known.startsWith(`${country}_`));
  return code === undefined ? "" : ncaName(code);
}
