/** Lays out the stores of the service that is loaded. The institutions are those of the sandbox. */
import { findPending, migrate } from "../../../src/cli/database/migrations.ts";
import { seedSandbox } from "../../../src/cli/sandbox/sandbox.ts";
import { clock } from "../../../src/platform/clock.ts";
import { makePki, readTrust, type World } from "./certificates.ts";
import { CATEGORIES, CERTIFICATES, HOME, HOST, NCA_NAMES, type PlannedCertificate, planCertificate } from "./plan.ts";

export async function seedWorld({ DB, KV }: Pick<Env, "DB" | "KV">): Promise<World> {
  const now = clock.now();
  const { certificates, crl, trustFile } = await makePki();
  await migrate(DB, (await findPending(DB)).migrations);
  await seedSandbox({ DB, KV }, { trust: readTrust(trustFile, now), registers: writeRegisters(now), crls: [crl] });
  return { certificates };
}

const DAY_MILLISECONDS = 86_400_000;

/** Texts of the home and the host register, published a day before `now` (milliseconds since 1970). */
function writeRegisters(now: number): string[] {
  const published = `${new Date(now - DAY_MILLISECONDS).toISOString().slice(0, 10)}T00:00:00Z`;
  const psps = new Map<string, PlannedCertificate>();
  for (let index = 0; index < CERTIFICATES; index++) {
    const plan = planCertificate(index);
    psps.set(plan.pspId, plan);
  }
  const home = [...psps.values()].filter(({ standing }) => standing !== "absent").map(describeAtHome);
  const host = [...psps.values()].filter(({ inHostRegister }) => inHostRegister).map(describeAtHost);
  return [
    { country: HOME, psps: home },
    { country: HOST, psps: host },
  ].map(({ country, psps }) =>
    JSON.stringify({ country, ncaId: `${country}-LOAD`, ncaName: NCA_NAMES[country], published, psps }),
  );
}

const describeAtHome = ({ pspId, legalName, standing }: PlannedCertificate) => ({
  authNumber: pspId,
  categories: CATEGORIES[standing].map(({ category, status, services, passported }) => ({
    category,
    legalName,
    status,
    // of a credit institution no services are listed: it is entitled to all eight
    ...(category !== "Credit Institution" && { services }),
    ...(passported.length > 0 && { passportOut: [{ country: HOST, services: passported }] }),
  })),
});

const describeAtHost = ({ pspId, legalName }: PlannedCertificate) => ({
  authNumber: pspId,
  categories: [{ category: "Payment Institution", legalName, status: "Authorised", services: [8], passportIn: HOME }],
});
