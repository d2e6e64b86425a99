/** Loads the sandbox into local stores: trusted list, registers, CRLs, and its financial institutions. */

import { insertFinancialInstitution, listFinancialInstitutions } from "../../institutions/financial-institutions.ts";
import { clock } from "../../platform/clock.ts";
import { fromBase64 } from "../../platform/encoding.ts";
import { hashSecret } from "../../platform/secrets.ts";
import { importRegister } from "../../registers/import/import-register.ts";
import { readRegisterFile } from "../../registers/import/own-form.ts";
import { importCrl } from "../../revocation/crl-import.ts";
import { isSandboxCountry } from "../../sandbox/sandbox-number.ts";
import { readSandboxRegisters } from "../../sandbox/sandbox-registers.ts";
import { importTrustList } from "../../trust/trust-import.ts";
import { parseCertificate } from "../../x509/certificate.ts";
import { fail } from "../fail.ts";
import { whenSettled } from "../sources/settled-import.ts";
import type { Sandbox } from "./files.ts";

/** Its people sign in at a provider of their own, too (start/sandbox-people.ts). */
export const SANDBOX_BANK = { name: "Sandbox Bank", fiReferenceId: "PSDXX-TEST-FI0001" };
const SANDBOX_FIS = [
  { ...SANDBOX_BANK, clientId: "sandbox-fi", secret: "sandbox-secret" },
  { name: "Other Bank", fiReferenceId: "PSDXX-TEST-FI0002", clientId: "other-fi", secret: "other-secret" },
];

/**
 * Idempotent: data that is loaded already is not written again. PSPs of one's own (`sandbox psp add`) stay. The sandbox's
 * authorities publish their registers now: else all of it would be stale a month after the files' own date.
 */
export async function seedSandbox({ DB, KV }: Pick<Env, "DB" | "KV">, sandbox: Sandbox): Promise<void> {
  const now = clock.now();
  await importTrustList(KV, sandbox.trust, now);
  const { registers: own } = await whenSettled(() => readSandboxRegisters({ DB, KV }));
  const registers = sandbox.registers.map((text) => {
    const file = readRegisterFile(text);
    return file.ok ? file.register : fail(`fixtures/registers: ${JSON.stringify(file.problems)}`);
  });
  const recorded = new Set(registers.flatMap(({ psps }) => psps.map(({ authNumber }) => authNumber)));
  for (const { psps, country, ...rest } of registers) {
    const added = isSandboxCountry(country) ? own[country].filter(({ authNumber }) => !recorded.has(authNumber)) : [];
    const register = { ...rest, country, published: new Date(now).toISOString(), psps: [...psps, ...added] };
    await whenSettled(() => importRegister({ KV, DB }, register, { now, force: true }));
  }
  for (const crl of sandbox.crls) {
    const [der, issuer] = [fromBase64(crl.base64), fromBase64(crl.issuer)];
    if (der && issuer) await importCrl(KV, { url: crl.url, der, issuer: parseCertificate(issuer), now });
  }
  const known = new Set((await listFinancialInstitutions(DB)).map((row) => row.fi_reference_id));
  for (const { secret, ...fi } of SANDBOX_FIS) {
    if (known.has(fi.fiReferenceId)) continue;
    await insertFinancialInstitution(DB, { ...fi, secretHash: hashSecret(secret), now });
  }
}
