/** The options of a client: mistakes are noticed when it is made. */
import { describe, expect, test } from "vitest";
import { PspGate } from "../../../src/client/index.ts";
import { json, makeClient } from "./fake-service.ts";

const up = json(200, { status: "up" });

describe("baseUrl", () => {
  test.each([
    ["https://gate.test", "https://gate.test/health"],
    ["https://gate.test/", "https://gate.test/health"],
    ["HTTPS://Gate.test:443//", "https://gate.test/health"],
    ["https://bank.test:8443/psp-gate/", "https://bank.test:8443/psp-gate/health"],
    ["http://localhost:8787", "http://localhost:8787/health"],
    ["http://127.0.0.1:8787", "http://127.0.0.1:8787/health"],
    ["http://[::1]:8787", "http://[::1]:8787/health"],
  ])("%s", async (baseUrl, expected) => {
    const { gate, asked } = makeClient([up], { baseUrl });
    await gate.health();
    expect(asked[0]?.url).toBe(expected);
  });

  test.each([
    "",
    "gate.test",
    "//gate.test",
    "ftp://gate.test",
    "https://user:pass@gate.test",
    "https://gate.test?x=1",
    "https://gate.test/#v1",
    // credentials would travel readable
    "http://gate.test",
    "http://127.0.0.1.gate.test",
    "http://localhost.gate.test",
  ])("%s is refused", (baseUrl) => {
    expect(() => makeClient([], { baseUrl })).toThrow(TypeError);
  });

  test("http to another host needs a word", async () => {
    const { gate, asked } = makeClient([up], { baseUrl: "http://gate.internal", allowHttp: true });
    await gate.health();
    expect(asked[0]?.url).toBe("http://gate.internal/health");
  });
});

describe("credentials", () => {
  test("are sent in UTF-8, as RFC 7617 has it", async () => {
    const { gate, asked } = makeClient([up], { clientId: "bänk", clientSecret: "gehéim:€" });
    await gate.status();
    const given = asked[0]?.headers.get("authorization")?.replace("Basic ", "");
    expect(Buffer.from(given ?? "", "base64").toString("utf8")).toBe("bänk:gehéim:€");
  });

  test.each([
    { clientId: "" },
    { clientId: "my:bank" },
    { clientSecret: "" },
    { clientSecret: "with a line break\n" },
    { clientSecret: undefined as unknown as string },
    { fiReferenceId: "" },
    { version: "1.7" as "1" },
    { retry: { limit: -1 } },
    { retry: { limit: 0.5 } },
  ])("%o is refused, without a word of the secret", (options) => {
    expect(() => makeClient([], options)).toThrow(TypeError);
    expect(() => makeClient([], options)).not.toThrow(/line break\n|my:bank/);
  });
});

test("the global fetch is the one of the time of the call", async () => {
  const options = {
    baseUrl: "https://gate.test",
    clientId: "a",
    clientSecret: "b",
    fiReferenceId: "PSDXX-TEST-FI0001",
  };
  const gate = new PspGate(options);
  const original = globalThis.fetch;
  globalThis.fetch = async () => Response.json({ status: "up" });
  try {
    expect(await gate.health()).toEqual({ status: "up" });
  } finally {
    globalThis.fetch = original;
  }
});

test("version latest is sent, and types the answers", async () => {
  const { gate, asked } = makeClient<"latest">([json(200, { eIDAS: {}, decision: { accounts: { allowed: true } } })], {
    version: "latest",
  });
  const check = await gate.psp.check({ eidas: "MIIE", jurisdiction: "FI" });
  expect(check.decision.accounts.allowed).toBe(true);
  expect(asked[0]?.headers.get("version")).toBe("latest");
});

describe("a call's own", () => {
  test("transaction reference is sent", async () => {
    const { gate, asked } = makeClient([up]);
    await gate.status({ transactionReference: "2026-11-22/payment-4711" });
    expect(asked[0]?.headers.get("transaction_reference")).toBe("2026-11-22/payment-4711");
  });

  test("certificate may be a PEM file with its line breaks", async () => {
    const { gate, asked } = makeClient([json(200, { active: false })]);
    await gate.introspect({
      token: "t",
      eidas: "-----BEGIN CERTIFICATE-----\r\nMIIE\r\nAAAA\r\n-----END CERTIFICATE-----\r\n",
    });
    expect(asked[0]?.headers.get("eidas")).toBe("-----BEGIN CERTIFICATE----- MIIE AAAA -----END CERTIFICATE-----");
  });

  test.each(["", ".", "..", undefined as unknown as string])(
    "id %o is no part of a path: nothing is sent",
    async (id) => {
      const { gate, asked } = makeClient([up]);
      // DELETE /v1/accounts/{account_id}/permissions/ would be another operation: all of them
      await expect(gate.accounts.withdrawPermission({ account_id: "a", permission_id: id })).rejects.toThrow(TypeError);
      expect(asked).toHaveLength(0);
    },
  );

  test("a DELETE with a parameter that it does not know is refused: it would end more than meant", async () => {
    const { gate, asked } = makeClient([up]);
    const some = { account_id: "a", scopes: ["accounts"] };
    await expect(gate.accounts.deleteBlock(some)).rejects.toThrow(/^scopes is no parameter of DELETE /);
    const one = { account_id: "a", permission_id: "p" };
    await expect(gate.accounts.withdrawAllPermissions(one)).rejects.toThrow(TypeError);
    expect(asked).toHaveLength(0);
  });

  test.each([undefined, null, "", 7, new Uint8Array()])("certificate %o is refused, not left out", async (given) => {
    const { gate, asked } = makeClient([json(200, { active: true })]);
    // the token would be active whoever shows it
    await expect(gate.introspect({ token: "t", eidas: given as unknown as string })).rejects.toThrow(TypeError);
    expect(asked).toHaveLength(0);
    await gate.introspect({ token: "t" });
    expect(asked[0]?.headers.has("eidas")).toBe(false);
  });
});
