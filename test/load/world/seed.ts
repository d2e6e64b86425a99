/** Lays out the stores of the service that is loaded, and tells what the generator has to know of them. */
import { findPending, migrate } from "../../../src/cli/migrations.ts";
import { seedSandbox } from "../../../src/cli/sandbox.ts";
import { clock } from "../../../src/platform/clock.ts";
import { manifestKey } from "../../../src/registers/keys.ts";
import type { RegisterManifest } from "../../../src/registers/manifest.ts";
import { makePki, readTrust } from "./certificates.ts";
import { HOME, HOST } from "./plan.ts";
import { writeRegisters } from "./registers.ts";
import type { World } from "./world.ts";

/** The institutions are those of the sandbox. */
export async function seedWorld({ DB, KV }: Pick<Env, "DB" | "KV">): Promise<World> {
  const now = clock.now();
  const { issuer, trustFile, ...made } = await makePki();
  await migrate(DB, (await findPending(DB)).migrations);
  await seedSandbox(
    { DB, KV },
    {
      trust: readTrust(trustFile, now),
      registers: writeRegisters(now),
      crls: [{ url: made.crl.url, base64: made.crl.base64, issuer: issuer.base64 }],
    },
  );
  const [anchor] = trustFile.anchors;
  const [period] = anchor?.periods ?? [];
  if (anchor === undefined || period === undefined) throw new Error("the load run's trusted list is empty");
  return {
    ...made,
    issuer,
    trust: {
      source: trustFile.source,
      jurisdiction: trustFile.jurisdiction,
      service: anchor.serviceName,
      status: period.status,
      since: period.from,
      listSequenceNumber: trustFile.sequenceNumber,
      listIssuedAt: trustFile.issuedAt,
      listNextUpdate: trustFile.nextUpdate,
    },
    registers: await Promise.all([HOME, HOST].map((country) => readRegister(KV, country))),
  };
}

/** The digest of a register is the service's own notion: read here, and expected in each answer from then on. */
async function readRegister(KV: KVNamespace, country: string): Promise<World["registers"][number]> {
  const manifest = await KV.get<RegisterManifest>(manifestKey(country, "nca"), "json");
  if (manifest === null) throw new Error(`no register of ${country} was loaded`);
  const { source, hash: snapshot, published, fetchedAt } = manifest;
  return { country, source, snapshot, published, fetchedAt };
}
