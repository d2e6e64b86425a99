/**
 * The PSPs of a load run, and what is special about each of their certificates. Everything follows from the index, so
 * that expected answers can be computed from it.
 */

export const HOME = "XA";
export const HOST = "XB";
export const NCA_NAMES: Readonly<Record<string, string>> = {
  [HOME]: "Load Authority of XA",
  [HOST]: "Load Authority of XB",
};
export const CERTIFICATES = 1_000;
const CERTIFICATES_PER_PSP = 4;

type Standing = "both" | "accounts only" | "unauthorised" | "absent" | "credit institution";
type Fault = "expired" | "revoked" | "unlisted" | null;
type Scope = "payments" | "accounts";

export interface PlannedCertificate {
  readonly index: number;
  /** In its normal form. */
  readonly pspId: string;
  readonly legalName: string;
  readonly commonName: string;
  readonly standing: Standing;
  readonly inHostRegister: boolean;
  readonly fault: Fault;
  readonly roles: readonly ("PSP_PI" | "PSP_AI" | "PSP_AS")[];
}

const STANDINGS: readonly Standing[] = [
  ...Array<Standing>(6).fill("both"),
  "accounts only",
  "unauthorised",
  "absent",
  "credit institution",
];

export function planCertificate(index: number): PlannedCertificate {
  const psp = Math.floor(index / CERTIFICATES_PER_PSP);
  const number = String(psp).padStart(6, "0");
  const standing = STANDINGS[psp % STANDINGS.length] ?? "both";
  return {
    index,
    pspId: `PSD${HOME}-LOAD-${number}`,
    legalName: `Load Payments ${number} Ltd`,
    commonName: `psd2-${index}.load.invalid`,
    standing,
    inHostRegister: psp % 3 === 0 && standing !== "absent",
    // 17 is prime to all the other cycles, so that each fault meets each standing
    fault: ({ 5: "expired", 9: "revoked", 13: "unlisted" }[index % 17] as Fault | undefined) ?? null,
    roles: ROLES[standing] ?? ["PSP_PI", "PSP_AI"],
  };
}

const ROLES: Partial<Record<Standing, PlannedCertificate["roles"]>> = {
  "accounts only": ["PSP_AI"],
  "credit institution": ["PSP_AS"],
};

export interface PlannedCategory {
  readonly category: string;
  readonly status: "Authorised" | "Registered" | "Unauthorised";
  /** As the register lists them; a credit institution is entitled to all eight without a list. */
  readonly services: readonly number[];
  /** To the host country. */
  readonly passported: readonly number[];
}

/** The PSP's categories in its home register. */
export const CATEGORIES: Readonly<Record<Standing, readonly PlannedCategory[]>> = {
  both: [
    { category: "E-Money Institution", status: "Authorised", services: [8], passported: [8] },
    { category: "Payment Institution", status: "Authorised", services: [7], passported: [] },
  ],
  "accounts only": [{ category: "AISP", status: "Registered", services: [8], passported: [8] }],
  unauthorised: [{ category: "Payment Institution", status: "Unauthorised", services: [7, 8], passported: [7, 8] }],
  absent: [],
  "credit institution": [
    { category: "Credit Institution", status: "Authorised", services: [1, 2, 3, 4, 5, 6, 7, 8], passported: [1, 7, 8] },
  ],
};

/** Whether the PSP with this certificate may use the scope at home. */
export const isEntitled = ({ fault, standing }: PlannedCertificate, scope: Scope): boolean =>
  fault === null &&
  (standing === "both" || standing === "credit institution" || (standing === "accounts only" && scope === "accounts"));
