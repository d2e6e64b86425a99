/**
 * Parses one record of the EBA's register of credit institutions, as its search answers it: `{"_payload": {...}}`. It has no
 * services and no passports. Who has lost the authorisation is no longer in it, as a rule. Pure.
 */

import { readCountry } from "../../platform/country.ts";
import { isLei } from "../check-digits.ts";
import type { EntityNumber } from "../psp-record.ts";
import {
  areAscendingDays,
  composeNumber,
  isObject,
  mergeLists,
  type Names,
  orderNames,
  type Properties,
  readOwner,
  readReferences,
} from "./euclid-entity.ts";

const BANK = "CRD_CRE_INS";
const EEA_BRANCH = "CRD_EEA_BRA";
const OTHER_BRANCH = "CRD_NON_EEA_BRA";

/** All types of this register. */
export const BANK_TYPES: ReadonlySet<string> = new Set([BANK, EEA_BRANCH, OTHER_BRANCH]);

export interface Bank {
  readonly kind: "bank";
  /** The code of the NCA: `FI_FIN-FSA`. */
  readonly owner: string;
  readonly country: string;
  /** An LEI, or a code of the authority's own. */
  readonly code: string;
  /** Type, code and country, as authorities' own codes may be alike; a branch's has its place, too. */
  readonly key: string;
  /** One for each reference that the NCA gave; empty if it gave none. */
  readonly authNumbers: readonly string[];
  readonly numbers: readonly EntityNumber[];
  readonly names: Names;
  /** Null: it is the bank itself. */
  readonly branch: BankBranch | null;
  /**
   * Days (YYYY-MM-DD) on which authorisation was alternately given and withdrawn. Null: the last turn is a withdrawal, and
   * it cannot be read when.
   */
  readonly days: readonly string[] | null;
  /** yyyymmddhhmmssSSS. */
  readonly version: string;
}

interface BankBranch {
  /** Where it is: an ISO code; null if that is not said. */
  readonly country: string | null;
  /** Code and country of the bank that established it, which is one of the EEA; null for what is not said. */
  readonly parent: { readonly code: string | null; readonly country: string | null };
  /** Whether the record does not say that it is closed. */
  readonly active: boolean;
}

export type BankRecord =
  | Bank
  /** Of a type that this register does not have. */
  | { readonly kind: "other"; readonly type: string }
  /** `country` is null if the entity cannot be identified. A branch has no numbers here: no stored record depends on it. */
  | {
      readonly kind: "malformed";
      readonly country: string | null;
      readonly authNumbers: readonly string[];
      readonly reason: string;
    };

export function readBankRecord(value: unknown): BankRecord {
  const payload = isObject(value) ? value["_payload"] : null;
  if (!isObject(payload)) return malformed("no _payload");
  const { CA_OwnerID: ownerCode, EntityCode: code, EntityType: type, __EBA_EntityVersion: version } = payload;
  if (typeof ownerCode !== "string" || typeof code !== "string" || typeof type !== "string")
    return malformed("CA_OwnerID, EntityCode or EntityType is missing");
  if (!BANK_TYPES.has(type)) return { kind: "other", type };
  const properties = mergeLists(payload["Properties"]);
  if (!properties) return malformed(`${type} ${code}: Properties is not a list of objects`);
  const owner = readOwner(ownerCode);
  if (!owner) return malformed(`${type} ${code}: no country or authority can be made of ${ownerCode}`);
  const { country } = owner;
  const authNumbers = readReferences(properties).map((reference) => composeNumber(owner, reference));
  const identified = { country, authNumbers: type === BANK ? authNumbers : [] };
  const names = orderNames(["ENT_NAM", "ENT_NAM_NON_LAT"].flatMap((key) => properties.get(key) ?? []));
  if (!names) return malformed(`${type} ${code}: no ENT_NAM`, identified);
  const stated = properties.get("ENT_AUT") ?? [];
  // the last turn is a withdrawal: an earlier record that stayed without this one would be a wrong yes
  const ends = stated.length > 0 && stated.length % 2 === 0;
  const days = areAscendingDays(stated) ? stated : null;
  if (!days && !ends) return malformed(`${type} ${code}: ENT_AUT is not an ascending list of days`, identified);
  const place = type === BANK ? "" : ` ${properties.get("ENT_COU_RES")?.[0] ?? ""}`;
  return {
    ...{
      kind: "bank",
      owner: owner.code,
      country,
      code,
      key: `${type} ${country} ${code}${place}`,
      authNumbers,
      names,
      days,
    },
    numbers: isLei(code) ? [{ kind: "lei", number: code }] : [],
    branch: type === BANK ? null : readBranch(type, properties, ends),
    version: typeof version === "string" ? version : "",
  };
}

const malformed = (
  reason: string,
  identified: Pick<Bank, "authNumbers"> & { readonly country: string | null } = { country: null, authNumbers: [] },
): BankRecord => ({ kind: "malformed", ...identified, reason });

/** Of a bank outside the EEA there is no parent in this register. */
function readBranch(type: string, properties: Properties, ends: boolean): BankBranch {
  const first = (key: string): string | null => properties.get(key)?.[0]?.trim() ?? null;
  const status = first("DER_CHI_ENT_AUT");
  return {
    country: readCountry(first("ENT_COU_RES") ?? ""),
    parent: {
      code: type === EEA_BRANCH ? first("ENT_COD_CRE_INS_EST_BRA") : null,
      country: readCountry(first("COU_CRE_INS_EST_BRA") ?? ""),
    },
    active: !ends && (status === null || status === "Active"),
  };
}
