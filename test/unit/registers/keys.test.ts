import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { agentsName, pendingKey, pspName, registerKeys } from "../../../src/registers/keys.ts";

test("a PSP's name in KV is its number in normal form without dashes", () => {
  expect(pspName("psdel-BoG-1-2")).toBe("psp/PSDGRBOG12");
  // where the NCA ends is for the reader to tell
  expect(pspName("PSDXX-T-EST1")).toBe(pspName("PSDXX-TEST-1"));
});

test("a number of 256 bytes is its own name, a longer one its hash, for KV limits keys", () => {
  const longest = `PSDXX${"A".repeat(251)}`;
  expect(pspName(longest)).toBe(`psp/${longest}`);
  const sha256 = createHash("sha256").update(`${longest}A`).digest("hex");
  expect(pspName(`${longest}A`)).toBe(`psp/sha256:${sha256}`);
  expect(pspName("é".repeat(128))).toBe(`psp/${"é".repeat(128)}`);
  expect(pspName("é".repeat(129))).toMatch(/^psp\/sha256:/);
});

test("agents lie in 128 entries by FNV-1a of their number", () => {
  // the 32-bit hashes of "", "a" and "foobar" that its authors publish
  expect(agentsName("")).toBe(`agents/${0x811c9dc5 % 128}`);
  expect(agentsName("a")).toBe(`agents/${0xe40c292c % 128}`);
  expect(agentsName("foobar")).toBe(`agents/${0xbf9cf968 % 128}`);
  const names = new Set(Array.from({ length: 5_000 }, (_, i) => agentsName(`PSDXXTEST${i}`)));
  expect(names.size).toBe(128);
});

test("a check reads the register of each source, and of the EBA's the agents too", () => {
  const psp = "psp/PSDXXTEST1";
  expect(registerKeys("XX", "PSDXX-TEST-1")).toEqual([
    { source: "nca", manifest: "register/manifest/XX/nca", psps: [`register/XX/nca/${psp}`], agents: [] },
    {
      source: "credit-institutions",
      manifest: "register/manifest/XX/credit-institutions",
      psps: [`register/XX/credit-institutions/${psp}`],
      agents: [],
    },
    {
      source: "eba",
      manifest: "register/manifest/XX/eba",
      psps: [`register/XX/eba/${psp}`],
      agents: [`register/XX/eba/${agentsName("PSDXXTEST1")}`],
    },
  ]);
});

test("what an import has yet to write is kept for each register", () => {
  expect(pendingKey("XX", "eba")).toBe("register/XX/eba/pending");
});
