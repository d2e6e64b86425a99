/**
 * End to end: the real lists imported as an operator does, then the shared certificates checked at a time when
 * they lived. Whether they were revoked then nobody can say any more, and the answer has to say that.
 */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { Validity } from "../../src/eidas/validity.ts";
import { readShared, sharedData } from "../shared-data.ts";
import { runAdmin } from "./admin-command.ts";
import { STATE_DIR } from "./own-state.ts";
import { withOwnStores } from "./own-stores.ts";

const { importTrustFile } = await import("../../src/cli/sources/trust-files.ts");
const { readChain } = await import("../../src/cli/psp.ts");
const { checkPsp } = await import("../../src/psp-check/psp-check.ts");
const { registerMaxAges } = await import("../../src/registers/manifest.ts");
const { decideOnCheck } = await import("../../src/psp-check/decision.ts");
const { describeCheck } = await import("../../src/psp-check/answer.ts");

interface Reading {
  readonly file: string;
  readonly notBefore: string;
  readonly notAfter: string;
}
interface Answer {
  readonly eIDAS: {
    readonly validity: Validity;
    readonly warning: readonly string[];
  };
  readonly evidence: { readonly anchor: object | null; readonly path: readonly object[] };
}

const LISTS = ["EU-LOTL", "AT", "BE", "CZ", "EL", "FI", "IE", "SE"];
const readings: Reading[] = sharedData ? JSON.parse(readShared("certificates/index.json")) : [];
/** The others' issuers are test authorities, in no country of those lists, or did not sign what was edited. */
const GENUINE = "dss__banka-creditas-a-s.pem";

describe.runIf(sharedData)("certificates checked with the real lists, at a time when they lived", () => {
  beforeAll(() =>
    withOwnStores(async ({ env }) => {
      for (const list of LISTS) {
        const bytes = readFileSync(join(sharedData ?? "", `trusted-lists/${list}.xml`));
        const taken = await importTrustFile(env, { name: `${list}.xml`, bytes, pivots: [] }, {});
        if (!taken.ok) throw new Error(taken.message);
      }
    }),
  );

  const pathOf = ({ file }: Reading) => join(sharedData ?? "", "certificates", file);
  const middleOf = ({ notBefore, notAfter }: Reading) => (Date.parse(notBefore) + Date.parse(notAfter)) / 2;

  /** As an operator asks. */
  const command = async (reading: Reading): Promise<Answer> => {
    const at = new Date(middleOf(reading)).toISOString();
    const asked = ["psp", "check", pathOf(reading), "--jurisdiction", "CZ", "--at", at];
    return JSON.parse((await runAdmin({ STATE_DIR }, ...asked)).stdout);
  };

  /** What that command does, in this process. */
  const check = (reading: Reading): Promise<Answer> =>
    withOwnStores(async ({ env, ctx }) => {
      const now = middleOf(reading);
      const chain = await readChain(pathOf(reading));
      const { check } = await checkPsp({ env, ctx, chain, jurisdiction: "CZ", now });
      const maxAges = registerMaxAges(env);
      const decision = decideOnCheck(check, { jurisdiction: "CZ", bankPassports: null }, now, maxAges);
      return JSON.parse(JSON.stringify(describeCheck(check, "CZ", "latest", maxAges, now, decision)));
    });

  test("the one that a listed QTSP issued has a valid QTSP and a valid signature, with the list as evidence", async () => {
    const reading = readings.find(({ file }) => file === GENUINE);
    if (!reading) throw new Error(`${GENUINE} is not in the index`);
    const { eIDAS, evidence } = await command(reading);
    expect(eIDAS.validity).toMatchObject({ validQTSP: true, validSignature: true, notExpired: true });
    expect(evidence.anchor).toMatchObject({
      ...{ source: "eIDAS", jurisdiction: "CZ", service: expect.any(String), status: "granted" },
      ...{ since: expect.any(String), listSequenceNumber: expect.any(Number) },
      ...{ listIssuedAt: expect.any(String), listNextUpdate: expect.any(String) },
    });
    expect(evidence.path.length).toBeGreaterThan(1);
    if (!eIDAS.validity.notRevoked)
      expect(eIDAS.warning).toContainEqual(
        expect.stringMatching(/^notRevoked: the certificate of .*: its status is unknown because/),
      );
  });

  test.each(readings.filter(({ file }) => file !== GENUINE))("$file has none", async (reading) => {
    const { eIDAS, evidence } = await check(reading);
    expect(eIDAS.validity).toMatchObject({ validQTSP: false, validSignature: false, notRevoked: false });
    expect(evidence).toMatchObject({ anchor: null, path: [], revocation: [] });
  });
});
