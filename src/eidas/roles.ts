/** The roles of ETSI TS 119 495 (Annex A, version 1.8.1). The OID identifies a role; its name may only warn. */
import { quote } from "../platform/quotation.ts";
import { type Warning, warning } from "./warnings.ts";

export interface Role {
  readonly oid: string;
  /** roleOfPspName, unchanged; null if it is absent or not a character string. */
  readonly name: string | null;
}

interface KnownRole {
  readonly name: string;
  /** Payment services 1 to 8 of PSD2's Annex I, as the interface maps them. */
  readonly paymentServices: readonly number[];
}

const KNOWN_ROLES: ReadonlyMap<string, KnownRole> = new Map([
  ["0.4.0.19495.1.0", { name: "Unspecified", paymentServices: [] }],
  ["0.4.0.19495.1.1", { name: "PSP_AS", paymentServices: [1, 2, 3, 4, 5, 6, 7, 8] }],
  ["0.4.0.19495.1.2", { name: "PSP_PI", paymentServices: [7] }],
  ["0.4.0.19495.1.3", { name: "PSP_AI", paymentServices: [8] }],
  // the interface's PSP_CBPII: issuing of card-based payment instruments
  ["0.4.0.19495.1.4", { name: "PSP_IC", paymentServices: [5] }],
  // new in version 1.8.1: international central bank, international public authority, two for verification of payee
  ["0.4.0.19495.1.5", { name: "PSP_CB", paymentServices: [] }],
  ["0.4.0.19495.1.6", { name: "PSP_PA", paymentServices: [] }],
  ["0.4.0.19495.1.51", { name: "VOP_RS", paymentServices: [] }],
  ["0.4.0.19495.1.52", { name: "VOP_VS", paymentServices: [] }],
]);

const KNOWN_NAMES = new Set(Array.from(KNOWN_ROLES.values(), (role) => role.name));

/** GEN-5.2.3-5: PSPs with these roles have no NCA, and ncaId is `NA`. */
export const ROLES_WITHOUT_NCA: ReadonlySet<string> = new Set(["0.4.0.19495.1.5", "0.4.0.19495.1.6"]);

export const roleName = (role: Role): string => KNOWN_ROLES.get(role.oid)?.name ?? role.oid;

export function paymentServicesOf(roles: readonly Role[]): number[] {
  const services = new Set(roles.flatMap((role) => KNOWN_ROLES.get(role.oid)?.paymentServices ?? []));
  return [...services].sort((a, b) => a - b);
}

export function roleRemarks(role: Role): Warning[] {
  const known = KNOWN_ROLES.get(role.oid);
  const name = role.name === null ? "no name" : `name ${quote(role.name)}`;
  if (!known) {
    const sentence = `OID ${role.oid} (${name}) is not a role of ETSI TS 119 495; it gives no payment service`;
    return [warning("role_unknown", sentence)];
  }
  const standard = `OID ${role.oid} (${known.name})`;
  const remarks: Warning[] = [];
  const unusual = (sentence: string) => remarks.push(warning("role_name_unusual", sentence));
  if (role.name === null) unusual(`no name for ${standard}`);
  else if (role.name !== known.name && KNOWN_NAMES.has(role.name))
    unusual(`${name} contradicts ${standard}; the OID counts`);
  else if (role.name !== known.name) unusual(`${name} is not the one of ${standard}; the OID counts`);
  if (known.paymentServices.length === 0)
    remarks.push(warning("role_without_service", `${known.name} gives no payment service`));
  return remarks;
}
