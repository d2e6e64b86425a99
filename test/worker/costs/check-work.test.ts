/** How often a check hashes: each piece of the first one once, and of a seen one the credentials alone. Counted, not timed. */
import crypto from "node:crypto";
import { expect, test, vi } from "vitest";
import { fromBase64, toHex } from "../../../src/platform/encoding.ts";
import { call } from "../bank.ts";
import { eidasHeader, loadSandbox, SANDBOX_FI } from "../sandbox.ts";

/** What was hashed, in its order: all of the service's hashes go through these two. */
const hashed: string[] = [];
const note = (data: unknown) =>
  hashed.push(typeof data === "string" ? data : Buffer.from(data as Uint8Array).toString("latin1"));
const { hash, createHash } = crypto;
vi.spyOn(crypto, "hash").mockImplementation(((algorithm: string, data: string, encoding: "hex") => {
  note(data);
  return hash(algorithm, data, encoding);
}) as typeof hash);
vi.spyOn(crypto, "createHash").mockImplementation(((algorithm: string) => {
  const made = createHash(algorithm);
  const update = made.update.bind(made) as (data: unknown) => typeof made;
  return Object.assign(made, {
    update: (data: unknown) => {
      note(data);
      return update(data);
    },
  });
}) as typeof createHash);

const header = eidasHeader("scenario-1");
const check = () => call("GET", "/v1/psp/eidas?jurisdiction=XX", { headers: { eidas: header } });

/** Keys of RSA and names of keys are shorter, and are digested again where they are needed: that takes a microsecond. */
const SHORTEST_CERTIFICATE = 500;

test("the first check of a certificate hashes none twice, so it parses none twice", async () => {
  await loadSandbox();
  hashed.length = 0;
  expect((await check()).status).toBe(200);
  const leaf = Buffer.from(fromBase64(header) ?? []).toString("latin1");
  expect(hashed.filter((text) => text === leaf)).toHaveLength(1);
  const long = hashed.filter(({ length }) => length >= SHORTEST_CERTIFICATE);
  const twice = long.filter((text, i, all) => all.indexOf(text) < i);
  expect(twice.map((text) => toHex(Buffer.from(text.slice(0, 50), "latin1")))).toEqual([]);
});

test("a seen check hashes the credentials, whose memory has no secrets, and not its header", async () => {
  expect((await check()).status).toBe(200);
  hashed.length = 0;
  expect((await check()).status).toBe(200);
  const credentials = `${SANDBOX_FI.Authorization}\n${SANDBOX_FI.fi_reference_id}`;
  // what else is hashed by then is of the records of the checks before
  expect(hashed.filter((text) => text === credentials)).toHaveLength(1);
  expect(hashed.filter((text) => text === header)).toEqual([]);
});
