/** `sandbox psp add | set | list`: the PSPs of a sandbox, whose changes are told to institutions at once. */
import { utimes } from "node:fs/promises";
import { type Command, Option } from "commander";
import { clock } from "../../platform/clock.ts";
import { listRegisters } from "../../registers/manifest.ts";
import { AUTHORISATION_STATUSES, CATEGORIES, type PspRecord, servicesOf } from "../../registers/psp-record.ts";
import { nextSandboxNumber, parseSandboxNumber, SANDBOX_COUNTRIES } from "../../sandbox/sandbox-number.ts";
import type { PspWishes, RegisterChange, SandboxRegisters } from "../../sandbox/sandbox-psps.ts";
import { readSandboxRegisters, tellChanges, writeSandboxRegister } from "../../sandbox/sandbox-registers.ts";
import { EXIT, fail } from "../fail.ts";
import { drawTable, print, type Style } from "../output.ts";
import { withLease } from "../sources/lease.ts";
import { whenSettled } from "../sources/settled-import.ts";
import { DEV_VARS, withStores } from "../stores.ts";
import { type Common, commandsOf, type MakeCommand, type Target, targetOf } from "../target.ts";
import { deliverDue } from "../webhook/local-deliveries.ts";

/** With the reader of registers, whose library no other command waits for. */
const loadPsps = () => import("../../sandbox/sandbox-psps.ts");

interface WishOptions extends Common {
  name?: string;
  number?: string;
  category?: string;
  services?: string;
  status?: string;
  passport?: string[];
}

const AFTER_ADD = `
Numbers are of XX or XY, which are no countries: nothing of a sandbox can pass for a real PSP. Each --passport is a
country and its services; one to XY or XX is entered in that country's register, too.

Examples:
  sandbox psp add --name 'My Payments Ltd'
  sandbox psp add --name 'My Accounts Ltd' --category AISP --services 8 --passport XY:8 FI:8`;

const AFTER_SET = `
What is not named stays. Institutions that watch the PSP, or have tokens or consents of it, get the event at once;
checks follow within two minutes.
The recorded PSPs (fixtures/README.md) are as they were recorded again after the next npm start.

Examples:
  sandbox psp set PSDXX-TEST-001001 --status Withdrawn
  sandbox psp set PSDXX-TEST-001001 --category AISP --services 8`;

/** Returns the noun, for the commands that stand elsewhere. Production has no sandbox. */
export function addSandboxPspCommands(program: Command): Command {
  const sandbox = program.command("sandbox").description("PSPs to try things with; never in production");
  const command = commandsOf(sandbox.command("psp").description("PSPs in the sandbox's registers"));

  addWishes(command, "add", "add a PSP: authorised for payments and accounts, if nothing else is said")
    .requiredOption("--name <name>", "its legal name")
    .option("--number <number>", "its authorisation number, e.g. PSDXX-TEST-001001; without: the next one that is free")
    .addHelpText("after", AFTER_ADD)
    .action(async (options: WishOptions) => {
      const [{ addPsp }, wishes] = [await loadPsps(), await readWishes(options)];
      const given = options.number === undefined ? null : requireNumber("--number", options.number);
      await change(options, "added", (registers) => {
        const taken = SANDBOX_COUNTRIES.flatMap((country) => registers[country].map(({ authNumber }) => authNumber));
        return addPsp(registers, given ?? nextSandboxNumber(taken), wishes);
      });
    });

  addWishes(command, "set", "change a PSP: what is not named stays")
    .argument("<number>", "its authorisation number")
    .option("--name <name>", "its legal name")
    .addHelpText("after", AFTER_SET)
    .action(async (text: string, options: WishOptions) => {
      const [{ changePsp }, number, wishes] = [
        await loadPsps(),
        requireNumber("number", text),
        await readWishes(options),
      ];
      if (Object.values(wishes).every((wish) => wish === undefined))
        fail("sandbox psp set: nothing is to be changed: say --status, --services, --passport, --name", EXIT.usage);
      await change(options, "changed", (registers) => changePsp(registers, number, wishes));
    });

  command("list", "list the PSPs of the sandbox, with what their home register says").action(
    async (options: Common) => {
      const target = requireSandbox(options);
      const registers = await withStores(target, ({ env }) => readSettled(env));
      const { listPsps } = await loadPsps();
      const psps = listPsps(registers).map(describePsp);
      print(psps, options, (style) => drawPsps(psps, style));
    },
  );
  return sandbox;
}

/** Fails for production: what is sandbox there could say yes to somebody. */
export function requireSandbox(options: Common): Target {
  const target = targetOf(options);
  if (target.remote && target.environment === null)
    fail(
      "production has no sandbox, and gets none: this works on the stores of npm start, and with --env staging on that deployment",
    );
  return target;
}

/** A running `npm start` forgets what it had read. */
export async function letStartForget({ remote }: Target): Promise<void> {
  const touched = clock.now() / 1000;
  if (!remote) await utimes(DEV_VARS, touched, touched).catch(() => {});
}

const addWishes = (command: MakeCommand, name: string, description: string): Command =>
  command(name, description)
    .addOption(new Option("--category <category>", "its category").choices(CATEGORIES))
    .option("--services <numbers>", "its payment services, e.g. 7,8: 7 initiates payments, 8 reads accounts")
    .addOption(new Option("--status <status>", "its authorisation").choices(AUTHORISATION_STATUSES))
    .option("--passport <countries...>", "where else it may act, e.g. XY:7,8 FI:8; none: nowhere");

/** `where`: the option or argument that says it. */
export const requireNumber = (where: string, text: string): string => {
  const parsed = parseSandboxNumber(text);
  return parsed.ok ? parsed.number : fail(`${where}: ${text} ${parsed.message}`, EXIT.usage);
};

async function readWishes({ name, category, services, status, passport }: WishOptions): Promise<PspWishes> {
  const { isCategory, parsePassport, parseServices } = await loadPsps();
  const refusePassport = (text: string) =>
    fail(
      text.toLowerCase() === "none"
        ? "--passport: none stands alone: it takes all passports away"
        : `--passport: ${text} is not like XY:7,8, a country with payment services of 1 to 8`,
      EXIT.usage,
    );
  const passports =
    passport?.join().toLowerCase() === "none"
      ? []
      : passport?.map((text) => parsePassport(text) ?? refusePassport(text));
  const twice = passports?.find(({ country }, i) => passports.findIndex((one) => one.country === country) !== i);
  if (twice) fail(`--passport: ${twice.country} is named twice`, EXIT.usage);
  const numbers =
    services === undefined
      ? undefined
      : (parseServices(services) ??
        fail(`--services: ${services} is not like 7,8: payment services are 1 to 8`, EXIT.usage));
  return {
    ...{ name, status, services: numbers, passports },
    category: category !== undefined && isCategory(category) ? category : undefined,
  };
}

async function readSettled(env: Env): Promise<SandboxRegisters> {
  const read = await whenSettled(() => readSandboxRegisters(env));
  return read.registers;
}

/** Under the lease of imports, because the registers are read, changed and replaced as a whole. */
async function change(
  options: Common,
  done: string,
  make: (registers: SandboxRegisters) => RegisterChange,
): Promise<void> {
  const target = requireSandbox(options);
  const { psp, told, unregistered, deliveries } = await withStores(target, ({ env }) =>
    withLease(env.DB, async () => {
      const registers = await readSettled(env);
      const changed = make(registers);
      if (!changed.ok) fail(changed.message);
      // what an institution does not know yet it would learn as it is afterwards
      await tellChanges(env, clock.now(), "new");
      for (const country of SANDBOX_COUNTRIES)
        if (changed.registers[country] !== registers[country])
          await whenSettled(() => writeSandboxRegister(env, country, changed.registers[country], clock.now()));
      const told = await tellChanges(env, clock.now(), "all");
      const unregistered = await findUnregistered(env, changed.psp);
      return { psp: changed.psp, told, unregistered, deliveries: target.remote ? [] : await deliverDue(env) };
    }),
  );
  await letStartForget(target);
  const described = {
    ...describePsp(psp),
    countries_without_register: unregistered,
    told_institutions: told,
    deliveries,
  };
  print(described, options, (style) => {
    const news = told > 0 ? `, and ${told} ${told === 1 ? "institution was" : "institutions were"} notified` : "";
    const made = deliveries.map(({ webhook, outcome }) => `\n${webhook}: the receiver ${outcome}`).join("");
    const alone = unregistered.map((country) => `\n${style.doubtful(country)}: ${ALONE}`).join("");
    return `${style.good(done)} ${psp.authNumber}${news}\n${drawPsps([described], style)}${alone}${made}`;
  });
}

const ALONE = "no register is loaded of this country, so a check for it knows the home register's passport alone";

/** The countries of its passports of which no register is loaded. */
async function findUnregistered({ KV }: Pick<Env, "KV">, { categories }: PspRecord): Promise<string[]> {
  const countries = new Set(categories.flatMap(({ passportOut }) => Object.keys(passportOut)));
  if (countries.size === 0) return [];
  const loaded = new Set((await listRegisters(KV)).map(({ country }) => country));
  return [...countries].filter((country) => !loaded.has(country));
}

const describePsp = ({ authNumber, categories }: PspRecord) => ({
  number: authNumber,
  categories: categories.map((record) => ({
    ...{ category: record.category, name: record.legalName, status: record.status, services: servicesOf(record) },
    passports: Object.entries(record.passportOut).map(([country, services]) => ({ country, services })),
  })),
});

function drawPsps(psps: readonly ReturnType<typeof describePsp>[], style: Style): string {
  const rows = psps.flatMap(({ number, categories }) =>
    categories.map(({ category, name, status, services, passports }) => [
      ...[number, name, category ?? "not documented", String(status), services.join(" ")],
      passports.map((one) => `${one.country} ${one.services.join(" ")}`).join(", "),
    ]),
  );
  return rows.length === 0
    ? "no PSP: sandbox psp add"
    : drawTable(["number", "name", "category", "status", "services", "passports"], rows, style);
}
