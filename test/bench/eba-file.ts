/**
 * A made-up golden copy of the EBA register, of the real one's size and shape: some 330,000 records in 217 MB, all but
 * 6,650 of them agents, in no order. The same every time. Names and numbers are invented.
 */
import { createHash } from "node:crypto";
import { Readable, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Zip, ZipDeflate } from "fflate";
import { Random, weighted } from "../random.ts";

export const FULL_SIZE_RECORDS = 330_000;
const INSTITUTION_SHARE = 6_650 / FULL_SIZE_RECORDS;
const CHUNK_CHARACTERS = 1 << 16;

/** Owner and its share of the agents, in thousandths; institutions are spread evenly. */
const OWNERS = (
  "FR_ACPR 300, IT_BI 180, ES_BE 120, IE_CBI 90, LT_BL 60, BE_NBB 50, PL_PFSA 40, SE_FINA 30, DE_BAFIN 30, NL_DNB 20, " +
  "FI_FIN-FSA 15, AT_FMA 15, PT_BP 10, GR_BOG 10, BG_BNB 10, CZ_CNB 5, LV_LV 5, MT_MFSA 5, LU_CSSF 5"
)
  .split(", ")
  .map((entry) => entry.split(" ") as [owner: string, share: string]);
const drawOwner = weighted(OWNERS.map(([, share]) => Number(share)));
const COUNTRIES = OWNERS.map(([owner]) => owner.slice(0, 2));
const list = (text: string): readonly string[] => text.split(" ");
const TYPES = list("PSD_PI PSD_PI PSD_EMI PSD_AISP PSD_EPI PSD_EEMI PSD_BR PSD_BR PSD_EXC PSD_ENL");
const SERVICES = list("ES_010 PS_010 PS_020 PS_03A PS_03B PS_03C PS_05A PS_05B PS_060 PS_070 PS_080");
const WORDS = list("Société Zahlungs Pagamenti Πληρωμές Плащания Servicios Betal Mokėjimai Finance Group");

/** The file's text, piece by piece. */
function* generateEba(records: number): Generator<string> {
  const draws = new Random(20260816);
  const random = (below: number) => draws.below(below);
  const pick = <Item>(items: readonly Item[]) => items[random(items.length)] as Item;
  const name = () =>
    `${pick(WORDS)} ${pick(WORDS)} ${random(1e6).toString(36).toUpperCase()} ${pick(["S.A.", "GmbH", "UAB", "S.r.l."])}`;
  const services = (countries: readonly string[], most: number) =>
    countries.map((country) => ({ [country]: SERVICES.filter(() => random(SERVICES.length) < most) }));

  const institution = (i: number) => {
    const [owner] = pick(OWNERS);
    const type = pick(TYPES);
    const reference = `${10_000 + i}`;
    const branch = type === "PSD_BR";
    return {
      CA_OwnerID: owner,
      EntityCode: `${owner}!${reference}${branch ? `!${pick(COUNTRIES)}` : ""}`,
      EntityType: type,
      Properties: [
        ...(branch ? [] : [{ ENT_NAT_REF_COD: reference }]),
        { ENT_NAM: random(20) === 0 ? [name(), name()] : name() },
        { ENT_ADD: `${1 + random(300)} ${name()}` },
        { ENT_COU_RES: owner.slice(0, 2) },
        ...(branch
          ? [{ ENT_TYP_PAR_ENT: "PSD_PI" }, { ENT_COD_PAR_ENT: `${owner}!${reference}` }, { DER_CHI_ENT_AUT: "Active" }]
          : [{ ENT_AUT: random(3) === 0 ? ["2019-03-15", "2024-07-01"] : "2019-03-15" }]),
      ],
      Services: services(COUNTRIES, 6),
      __EBA_EntityVersion: "20260815120000000",
    };
  };
  const agent = (i: number) => {
    const [owner = ""] = OWNERS[drawOwner(draws)] ?? [];
    return {
      CA_OwnerID: owner,
      EntityCode: `PSD_PI!${owner}!${10_000 + random(6_650)}!${i}`,
      EntityType: "PSD_AG",
      Properties: [
        { ENT_NAT_REF_COD: `${400_000_000 + i}` },
        { ENT_NAM: name() },
        { ENT_NAM_COM: name() },
        { ENT_ADD: `${1 + random(300)} ${name()}` },
        { ENT_TOW_CIT_RES: pick(WORDS).toUpperCase() },
        { ENT_POS_COD: `${10_000 + random(80_000)}` },
        { ENT_COU_RES: pick(COUNTRIES) },
        { ENT_TYP_PAR_ENT: "PSD_PI" },
        { ENT_COD_PAR_ENT: `${owner}!${10_000 + random(6_650)}` },
        { DER_CHI_ENT_AUT: "Active" },
      ],
      Services: services([pick(COUNTRIES), pick(COUNTRIES), pick(COUNTRIES)], 4),
      __EBA_EntityVersion: "20260815120000000",
    };
  };

  let text = `[[${JSON.stringify({ __EBA_Disclaimer: { EN: "invented" } })}],[`;
  let separator = "";
  for (let i = 0; i < records; i++) {
    const record = random(1e6) < INSTITUTION_SHARE * 1e6 ? institution(i) : agent(i);
    text += separator + JSON.stringify(record);
    separator = ",";
    if (text.length < CHUNK_CHARACTERS) continue;
    yield text;
    text = "";
  }
  yield `${text}]]`;
}

/** The same as a ZIP with its `.sha256` beside it, as the EBA packs it. */
export async function writeEba(out: Writable, records: number, zipped: boolean): Promise<void> {
  if (!zipped) return pipeline(Readable.from(generateEba(records)), out);
  const member = "download-PSDMD-202608160000.json";
  const hash = createHash("sha256");
  const pieces = function* () {
    const packed: Uint8Array[] = [];
    const zip = new Zip((error, piece) => {
      if (error) throw error;
      packed.push(piece);
    });
    const json = new ZipDeflate(member, { level: 6 });
    zip.add(json);
    for (const text of generateEba(records)) {
      const bytes = Buffer.from(text);
      hash.update(bytes);
      json.push(bytes);
      yield* packed.splice(0);
    }
    json.push(new Uint8Array(), true);
    const sidecar = new ZipDeflate(`${member}.sha256`);
    zip.add(sidecar);
    sidecar.push(Buffer.from(`${hash.digest("hex")}  ${member}\n`), true);
    zip.end();
    yield* packed.splice(0);
  };
  return pipeline(Readable.from(pieces()), out);
}
