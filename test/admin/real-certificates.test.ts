/**
 * End to end: the real lists imported as an operator does, then the shared certificates checked at a time when
 * they lived. Whether they were revoked then nobody can say any more, and the answer has to say that.
 */
import "./own-state.ts";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { readShared, sharedData } from "../shared-data.ts";

const { importTrustFile } = await import("../../src/admin/trust-files.ts");
const { ROOT, STATE, withStores } = await import("../../src/admin/stores.ts");

interface Reading {
  readonly file: string;
  readonly notBefore: string;
  readonly notAfter: string;
}
interface Answer {
  readonly eIDAS: {
    readonly validity: Readonly<Record<"validQTSP" | "validSignature" | "notRevoked" | "notExpired", boolean>>;
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
    withStores({ remote: false }, async ({ env }) => {
      for (const list of LISTS) {
        const bytes = readFileSync(join(sharedData ?? "", `trusted-lists/${list}.xml`));
        const taken = await importTrustFile(env, { name: `${list}.xml`, bytes, pivots: [] }, {});
        if (!taken.ok) throw new Error(taken.message);
      }
    }),
  );

  const check = async ({ file, notBefore, notAfter }: Reading): Promise<Answer> => {
    const at = new Date((Date.parse(notBefore) + Date.parse(notAfter)) / 2).toISOString();
    const path = join(sharedData ?? "", "certificates", file);
    const args = ["run", "-s", "admin", "--", "psp", "check", path, "--jurisdiction", "CZ", "--at", at];
    const env = { ...process.env, STATE_DIR: STATE };
    return JSON.parse((await promisify(execFile)("npm", args, { cwd: ROOT, env })).stdout);
  };

  test("the one that a listed QTSP issued has a valid QTSP and a valid signature, with the list as evidence", async () => {
    const reading = readings.find(({ file }) => file === GENUINE);
    if (!reading) throw new Error(`${GENUINE} is not in the index`);
    const { eIDAS, evidence } = await check(reading);
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
