/** The registers of a sandbox as lists of PSPs, and how one is added to them or changed. Pure. */
import { isCountry, isUserAssigned } from "../platform/country.ts";
import { readRegisterValue } from "../registers/import/own-form.ts";
import { CATEGORIES, type Category, type CategoryRecord, type PspRecord } from "../registers/psp-record.ts";
import {
  authorityOf,
  isSandboxCountry,
  parseSandboxNumber,
  SANDBOX_COUNTRIES,
  type SandboxCountry,
} from "./sandbox-number.ts";

export type SandboxRegisters = Readonly<Record<SandboxCountry, readonly PspRecord[]>>;

/** What a PSP is to be like; what is absent stays as it is. */
export interface PspWishes {
  readonly name?: string | undefined;
  readonly category?: Category | undefined;
  readonly status?: string | undefined;
  readonly services?: readonly number[] | undefined;
  /** Whole: an empty one takes all passports away. */
  readonly passports?: readonly { readonly country: string; readonly services: readonly number[] }[] | undefined;
}

export type RegisterChange =
  | { readonly ok: true; readonly registers: SandboxRegisters; readonly psp: PspRecord }
  | { readonly ok: false; readonly message: string };

const refuse = (message: string) => ({ ok: false, message }) as const;

/** `number`: in capitals, of the sandbox. */
export function addPsp(registers: SandboxRegisters, number: string, wishes: PspWishes): RegisterChange {
  if (findPsp(registers, number)) return refuse(`${number} is in the register already: sandbox psp set changes it`);
  const { category = "Payment Institution", services = [7, 8], status = "Authorised", ...rest } = wishes;
  return replacePsp(registers, number, [newCategory(category, { ...rest, services, status })], true);
}

/** With a category that the PSP does not have, it gets it. */
export function changePsp(registers: SandboxRegisters, number: string, wishes: PspWishes): RegisterChange {
  const psp = findPsp(registers, number);
  if (!psp) return refuse(`${number} is not in the register: sandbox psp list shows who is, sandbox psp add adds it`);
  const { categories } = psp;
  const [first, ...others] = categories;
  const { category: named, name } = wishes;
  if (named !== undefined && categories.every(({ category }) => category !== named)) {
    const added = { ...wishes, name: name ?? first?.legalName, status: wishes.status ?? "Authorised" };
    return replacePsp(registers, number, [...categories, newCategory(named, added)], wishes.passports !== undefined);
  }
  if (others.length > 0 && named === undefined && (wishes.services || wishes.passports))
    return refuse(
      `${number} has the categories ${categories.map(({ category }) => category).join(" and ")}: say by --category whose services and passports these are`,
    );
  const isMeant = (record: CategoryRecord) => named === undefined || record.category === named;
  const changed = categories.map((record) => (isMeant(record) ? changeCategory(record, wishes) : record));
  return replacePsp(registers, number, changed, wishes.passports !== undefined);
}

export const findPsp = (registers: SandboxRegisters, number: string): PspRecord | null => {
  const parsed = parseSandboxNumber(number);
  if (!parsed.ok) return null;
  return registers[parsed.country].find(({ authNumber }) => authNumber === parsed.number) ?? null;
};

const newCategory = (category: Category, { name = "", status, services = [], passports = [] }: PspWishes) => ({
  ...{ category, legalName: name, status: status as CategoryRecord["status"], services },
  passportOut: passportsOf(passports),
});

const passportsOf = (passports: NonNullable<PspWishes["passports"]>): CategoryRecord["passportOut"] =>
  Object.fromEntries(passports.map(({ country, services }) => [country, services]));

const changeCategory = (record: CategoryRecord, { name, status, services, passports }: PspWishes): CategoryRecord => ({
  ...record,
  ...(name !== undefined && { legalName: name }),
  ...(status !== undefined && { status: status as CategoryRecord["status"] }),
  ...(services && { services }),
  ...(passports && { passportOut: passportsOf(passports) }),
});

/**
 * Reads the PSP as an importer would read it from a file, so that nothing is stored that no file could say. The other
 * country's register follows where it has the PSP, or where passports were `asked` for: else an absence there is meant.
 */
function replacePsp(
  registers: SandboxRegisters,
  number: string,
  categories: readonly CategoryRecord[],
  asked: boolean,
): RegisterChange {
  const parsed = parseSandboxNumber(number);
  if (!parsed.ok) return refuse(`${number} ${parsed.message}`);
  const { country } = parsed;
  const unusable = categories
    .flatMap(({ passportOut }) => Object.keys(passportOut))
    .find((to) => to === country || !isCountry(to) || (isUserAssigned(to) && !isSandboxCountry(to)));
  if (unusable !== undefined)
    return refuse(
      unusable === country
        ? `--passport: ${country} is the PSP's home, where its --services say what it may do`
        : `--passport: ${unusable} is no country: XX, XY or one of ISO 3166-1 is expected`,
    );
  const read = readOne(country, number, categories);
  if (!read.ok) return read;
  const { psp } = read;
  const next: Record<SandboxCountry, readonly PspRecord[]> = { ...registers, [country]: put(registers[country], psp) };
  for (const host of SANDBOX_COUNTRIES) {
    if (host === country) continue;
    const known = registers[host].some(({ authNumber }) => authNumber === number);
    if (!known && !asked) continue;
    const there = psp.categories.flatMap(({ category, legalName, status, passportOut }) =>
      passportOut[host]
        ? [{ category, legalName, status, services: passportOut[host], passportOut: {}, passportIn: country }]
        : [],
    );
    const without = registers[host].filter(({ authNumber }) => authNumber !== number);
    next[host] = there.length > 0 ? put(without, { ...psp, categories: there }) : without;
  }
  return { ok: true, registers: next, psp };
}

const put = (psps: readonly PspRecord[], psp: PspRecord): PspRecord[] => [
  ...psps.filter(({ authNumber }) => authNumber !== psp.authNumber),
  psp,
];

function readOne(country: SandboxCountry, authNumber: string, categories: readonly CategoryRecord[]) {
  const written = categories.map(({ passportIn: _, passportOut, ...rest }) => ({
    ...rest,
    passportOut: Object.entries(passportOut).map(([to, services]) => ({ country: to, services })),
  }));
  const file = { country, ...authorityOf(country), published: "2026-01-01T00:00:00Z" };
  const read = readRegisterValue({ ...file, psps: [{ authNumber, categories: written }] });
  if (!read.ok) return refuse(read.problems.map(({ path, message }) => `${nameField(path)} ${message}`).join("; "));
  const [psp] = read.register.psps;
  return psp ? ({ ok: true, psp } as const) : refuse("no PSP was described");
}

/** `psps[0].categories[0].legalName` is the option that said it. */
function nameField(path: readonly (string | number)[]): string {
  const [field] = path.filter((step) => typeof step === "string").slice(2);
  const options: Record<string, string> = { legalName: "--name", passportOut: "--passport" };
  return `${options[field ?? ""] ?? `--${field}`}:`;
}

/** `XY:7,8`, or `XY` for both. */
export function parsePassport(text: string): { country: string; services: readonly number[] } | null {
  const [, country = "", services = "7,8"] = /^([A-Za-z]{2})(?::([\d,]+))?$/.exec(text.trim()) ?? [];
  const numbers = parseServices(services);
  return country === "" || numbers === null ? null : { country: country.toUpperCase(), services: numbers };
}

/** `7,8`; the empty text is no service. Null: not a list of payment services. */
export function parseServices(text: string): readonly number[] | null {
  const parts = text.trim() === "" ? [] : text.split(",").map((part) => part.trim());
  return parts.every((part) => /^[1-8]$/.test(part)) ? parts.map(Number) : null;
}

export const isCategory = (text: string): text is Category => CATEGORIES.some((category) => category === text);

/** By country and number. */
export const listPsps = (registers: SandboxRegisters) =>
  SANDBOX_COUNTRIES.flatMap((country) =>
    registers[country].filter(
      ({ authNumber }) => isSandboxCountry(authNumber.slice(3, 5)) && authNumber.startsWith(`PSD${country}`),
    ),
  ).toSorted((a, b) => (a.authNumber < b.authNumber ? -1 : 1));
