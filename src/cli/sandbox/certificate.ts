/** `sandbox certificate`: a PSP's QWAC or QSealC with its key, as files that curl, OpenSSL and a browser's import take. */
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Command, Option } from "commander";
import { clock } from "../../platform/clock.ts";
import { readSandboxRegisters } from "../../sandbox/sandbox-registers.ts";
import { EXIT, fail } from "../fail.ts";
import { makeFolder } from "../made-folder.ts";
import { describeFields, print } from "../output.ts";
import { whenSettled } from "../sources/settled-import.ts";
import { withStores } from "../stores.ts";
import { type Common, commandsOf } from "../target.ts";
import { openCa } from "./ca-key.ts";
import { requireNumber, requireSandbox } from "./psp.ts";

interface CertificateOptions extends Common {
  psp: string;
  type: "qwac" | "qsealc";
  roles: ("PSP_AS" | "PSP_PI" | "PSP_AI" | "PSP_IC")[];
  key: "rsa" | "ec";
  days: string;
  expired?: boolean;
  revoked?: boolean;
  unlisted?: boolean;
  name?: string;
  out: string;
}

const ROLES = ["PSP_AS", "PSP_PI", "PSP_AI", "PSP_IC"];
const MOST_DAYS = 3650;

const AFTER = `
It writes certificate.pem, key.pem (mode 0600) and issuer.pem into the folder of the PSP's number within that of --out. They
replace those that are there. The key is nowhere else.
A browser takes them as one file:
  openssl pkcs12 -export -inkey key.pem -in certificate.pem -certfile issuer.pem -out psp.p12

Examples:
  sandbox certificate --psp PSDXX-TEST-001001
  sandbox certificate --psp PSDXX-TEST-001001 --type qsealc --roles PSP_AI --days 30 --out my-seal
  sandbox certificate --psp PSDXX-TEST-001001 --revoked`;

export function addSandboxCertificate(sandbox: Command): void {
  commandsOf(sandbox)("certificate", "make a PSP's certificate and its key, valid or with what a bank has to refuse")
    .requiredOption("--psp <number>", "the PSP's authorisation number")
    .addOption(new Option("--type <type>", "for TLS or for seals").choices(["qwac", "qsealc"]).default("qwac"))
    .addOption(new Option("--roles <roles...>", "its roles").choices(ROLES).default(["PSP_PI", "PSP_AI"]))
    .addOption(new Option("--key <kind>", "RSA 2048 or P-256").choices(["rsa", "ec"]).default("rsa"))
    .option("--days <number>", "how long it is valid", "365")
    .option("--expired", "its days ended yesterday")
    .option("--revoked", "its CA has revoked it")
    .option("--unlisted", "its CA is on no trusted list")
    .option("--name <name>", "the PSP's name; without: as its register has it")
    .option(
      "--out <folder>",
      "where a folder with the PSP's number is made for the files",
      join(".wrangler", "sandbox"),
    )
    .addHelpText("after", AFTER)
    .action(makeCertificate);
}

async function makeCertificate(options: CertificateOptions): Promise<void> {
  const target = requireSandbox(options);
  const number = requireNumber("--psp", options.psp);
  const days = /^\d{1,4}$/.test(options.days) ? Number(options.days) : 0;
  if (days < 1 || days > MOST_DAYS) fail(`--days: a number from 1 to ${MOST_DAYS}`, EXIT.usage);
  const { issueCertificate, writePem } = await import("../../sandbox/issue-certificate.ts");
  const { findPsp } = await import("../../sandbox/sandbox-psps.ts");
  const { loadCa, loadCrl } = await import("../../sandbox/sandbox-load.ts");
  const ca = await openCa(target);
  const issued = await withStores(target, async ({ env }) => {
    const { registers } = await whenSettled(() => readSandboxRegisters(env));
    const name =
      options.name?.trim() ||
      findPsp(registers, number)?.categories[0]?.legalName ||
      fail(`${number} is not in the register: sandbox psp add, or --name for a certificate of a PSP that is in none`);
    await loadCa(env.KV, ca, clock.now());
    const wishes = {
      ...{ number, name, days, roles: options.roles },
      type: options.type === "qwac" ? ("web" as const) : ("seal" as const),
      key: options.key === "rsa" ? ("rsa-2048" as const) : ("p-256" as const),
      ...{ expired: options.expired === true, revoked: options.revoked === true, unlisted: options.unlisted === true },
    };
    const made = await issueCertificate(ca, wishes, clock.now());
    await loadCrl(env.KV, made, clock.now());
    return made;
  });
  const folder = join(options.out, number);
  await makeFolder(folder);
  const files = {
    certificate: join(folder, "certificate.pem"),
    key: join(folder, "key.pem"),
    issuer: join(folder, "issuer.pem"),
  };
  await writeFile(files.certificate, writePem("CERTIFICATE", issued.certificate));
  await writeFile(files.issuer, writePem("CERTIFICATE", issued.issuer));
  // one that is there keeps its mode
  await rm(files.key, { force: true });
  await writeFile(files.key, writePem("PRIVATE KEY", issued.privateKey), { mode: 0o600, flag: "wx" });
  const made = {
    ...{ number, type: options.type, roles: options.roles },
    ...{ not_before: issued.notBefore.toISOString(), not_after: issued.notAfter.toISOString(), ...files },
  };
  print(
    made,
    options,
    (style) => `${style.good("made")} a certificate of ${number}\n${describeFields(made, style, "  ")}`,
  );
}
