/** Parses one record of the golden copy of the EBA's Payment Institutions Register. */
import { readCountry } from "../../platform/country.ts";
import type { CategoryRecord, PaymentServices } from "../psp-record.ts";
import {
  areAscendingDays,
  composeNumber,
  isObject,
  mergeLists,
  type Names,
  type Owner,
  orderNames,
  type Properties,
  readOwner,
  readReferences,
} from "./euclid-entity.ts";

const CATEGORIES: ReadonlyMap<string, CategoryRecord["category"]> = new Map([
  ["PSD_PI", "Payment Institution"],
  ["PSD_EPI", "Exempt Payment Institution"],
  ["PSD_EMI", "E-Money Institution"],
  ["PSD_EEMI", "Exempt E-Money Institution"],
  ["PSD_AISP", "AISP"],
  ["PSD_BR", "Branch"],
  ["PSD_EXC", "Excluded from PSD2"],
  ["PSD_ENL", "Entitled under national law"],
]);

/**
 * Authorities that give no reference beside the code: PSD_PI!PT_BP!8703 is their number 8703. Elsewhere the code has an
 * LEI or a number of the authority's own system, which no certificate carries.
 */
const CODE_IS_REFERENCE: ReadonlySet<string> = new Set(["PT_BP"]);

interface EbaIdentity {
  /** The code of the NCA: `FI_FIN-FSA`. */
  readonly owner: string;
  readonly country: string;
  /** `PSD_PI FI_FIN-FSA!2858394-9`: type and code, because one code may be both a PI and an EMI. A branch's has its country, too. */
  readonly key: string;
  /** One for each reference that the NCA gave to the entity; empty if it gave none. */
  readonly authNumbers: readonly string[];
  /** Null for a type that is not on the EBA's code list, and for an agent. */
  readonly category: CategoryRecord["category"];
}

export interface EbaInstitution extends EbaIdentity {
  readonly kind: "institution";
  /** Null for a branch that has its parent's name, and where a withdrawn one lacks its own. */
  readonly names: Names | null;
  readonly type: string;
  readonly code: string;
  /** Of a branch; else null. */
  readonly branch: Branch | null;
  /**
   * Days (YYYY-MM-DD) on which authorisation was alternately given and withdrawn. Null: the last turn is a withdrawal, and
   * it cannot be read when: the EBA's form has no other field for the status, so it is not known.
   */
  readonly days: readonly string[] | null;
  /** Country -> payment services there, for the home country and for passports. */
  readonly services: ReadonlyMap<string, PaymentServices>;
  /** yyyymmddhhmmssSSS. */
  readonly version: string;
}

interface Branch {
  /** Where it is: an ISO code; null if that is not said. */
  readonly country: string | null;
  /** Type and code of its parent; null for what is not said. */
  readonly parent: { readonly type: string | null; readonly code: string | null };
  /** Whether the register says that it is active, and no day says otherwise. */
  readonly active: boolean;
}

interface EbaAgent extends EbaIdentity {
  readonly kind: "agent";
  readonly legalName: string;
}

export type EbaRecord =
  | EbaInstitution
  | EbaAgent
  /** Not the record of a payment service provider. `type`: of one that the EBA's code list does not have, else null. */
  | { readonly kind: "other"; readonly type: string | null }
  /** `identity` is null if the entity cannot be identified, or is an agent: no stored record depends on an agent's. */
  | { readonly kind: "malformed"; readonly identity: EbaIdentity | null; readonly reason: string };

/** `onUnknownService`: called with each code of a service that is not on the EBA's code list. */
export function readEbaRecord(value: unknown, onUnknownService: (code: string) => void = () => {}): EbaRecord {
  if (!isObject(value)) return malformed(null, "not an object");
  if ("__EBA_Disclaimer" in value) return { kind: "other", type: null };
  const { CA_OwnerID: ownerCode, EntityCode: code, EntityType: type, __EBA_EntityVersion: version } = value;
  if (typeof ownerCode !== "string" || typeof code !== "string" || typeof type !== "string") {
    return malformed(null, "CA_OwnerID, EntityCode or EntityType is missing");
  }
  if (!type.startsWith("PSD_")) return { kind: "other", type };
  const properties = mergeLists(value["Properties"]);
  if (!properties) return malformed(null, `${type} ${code}: Properties is not a list of objects`);
  const owner = readOwner(ownerCode);
  if (!owner) return malformed(null, `${type} ${code}: no country or authority can be made of ${ownerCode}`);
  const names = orderNames(properties.get("ENT_NAM") ?? []);
  const identity = { ...identify(owner, code, type, properties), category: CATEGORIES.get(type) ?? null };
  if (type === "PSD_AG") return readAgent(identity, code, names, properties);

  const stated = properties.get("ENT_AUT") ?? [];
  // the last turn is a withdrawal: an earlier record that stayed without this one would be a wrong yes
  const ends = stated.length > 0 && stated.length % 2 === 0;
  if (names === null && identity.category !== "Branch" && !ends)
    return malformed(identity, `${type} ${code}: no ENT_NAM`);
  const days = areAscendingDays(stated) ? stated : null;
  if (!days && !ends) return malformed(identity, `${type} ${code}: ENT_AUT is not an ascending list of days`);
  const services = readServices(value["Services"], onUnknownService);
  if (!services && !ends) return malformed(identity, `${type} ${code}: Services is not a list of services by country`);
  return {
    ...{ kind: "institution", ...identity, names, type, code },
    branch: identity.category === "Branch" ? readBranch(properties, ends) : null,
    ...{ days, services: services ?? new Map() },
    version: typeof version === "string" ? version : "",
  };
}

const malformed = (identity: EbaIdentity | null, reason: string): EbaRecord => ({
  kind: "malformed",
  identity,
  reason,
});

function identify(owner: Owner, code: string, type: string, properties: Properties): Omit<EbaIdentity, "category"> {
  const own = readReferences(properties);
  const tail = code.split("!").at(-1) ?? "";
  const references = own.length === 0 && CODE_IS_REFERENCE.has(owner.code) && tail !== "" ? [tail] : own;
  // branches of one institution in several countries have its code
  const place = type === "PSD_BR" ? ` ${properties.get("ENT_COU_RES")?.[0] ?? ""}` : "";
  return {
    ...{ owner: owner.code, country: owner.country, key: `${type} ${code}${place}` },
    authNumbers: references.map((reference) => composeNumber(owner, reference)),
  };
}

/** An agent that is not active is none. */
function readAgent(identity: EbaIdentity, code: string, names: Names | null, properties: Properties): EbaRecord {
  if (isInactive(properties)) return { kind: "other", type: null };
  return names
    ? { kind: "agent", ...identity, legalName: names.legalName }
    : malformed(null, `PSD_AG ${code}: no ENT_NAM`);
}

const statusOfChild = (properties: Properties): string | undefined => properties.get("DER_CHI_ENT_AUT")?.[0]?.trim();
const isInactive = (properties: Properties): boolean => statusOfChild(properties) === "Inactive";

const readBranch = (properties: Properties, ends: boolean): Branch => ({
  country: readCountry(properties.get("ENT_COU_RES")?.[0] ?? ""),
  parent: {
    type: properties.get("ENT_TYP_PAR_ENT")?.[0] ?? null,
    code: properties.get("ENT_COD_PAR_ENT")?.[0] ?? null,
  },
  active: statusOfChild(properties) === "Active" && !ends,
});

/** PS_010 is 1, PS_03A to PS_03C are 3. */
const serviceNumber = (code: string): number | null => {
  const [, digit] = /^PS_0([1-8])[0A-Z]$/.exec(code) ?? [];
  return digit === undefined ? null : Number(digit);
};

/** The issuing of electronic money: no payment service. */
const OTHER_SERVICES: ReadonlySet<string> = new Set(["ES_010"]);

/** Equal lists share one object to save memory: there are few different ones, and an institution has about thirty. */
const knownServices = new Map<string, PaymentServices>();

function readServices(value: unknown, onUnknown: (code: string) => void): Map<string, PaymentServices> | null {
  const byCountry = mergeLists(value ?? []);
  if (!byCountry) return null;
  const services = new Map<string, PaymentServices>();
  for (const [code, codes] of byCountry) {
    const country = readCountry(code);
    if (country === null) return null;
    // EL and GR are one country
    const all = new Set(services.get(country));
    for (const service of codes) {
      const number = serviceNumber(service);
      if (number !== null) all.add(number);
      else if (!OTHER_SERVICES.has(service)) onUnknown(service);
    }
    const numbers = [...all].sort();
    const known = knownServices.get(numbers.join()) ?? numbers;
    knownServices.set(numbers.join(), known);
    services.set(country, known);
  }
  return services;
}
