import { expect, test } from "vitest";
import { configurationWarnings, readBaseUrl } from "../../../src/http/errors/errors.ts";

test.each([
  ["", null],
  ["https://gate.bank.example", "https://gate.bank.example"],
  ["https://gate.bank.example/", "https://gate.bank.example"],
  ["https://gate.bank.example:8443/psp/gate/", "https://gate.bank.example:8443/psp/gate"],
  ["https://GATE.bank.example", "https://gate.bank.example"],
])("BASE_URL %j is the address %j", (configured, url) => {
  expect(readBaseUrl(configured)).toEqual({ ok: true, url });
  expect(configurationWarnings({ BASE_URL: configured })).toEqual([]);
});

test.each([
  ["gate.bank.example", "https://"],
  ["http://gate.bank.example", "https://"],
  ["https:gate.bank.example", "https://"],
  ["https:///gate", "https://"],
  ["/psp", "https://"],
  ["https://gate bank", "is not a URL"],
  ["https://user:secret@gate.bank.example", "credentials"],
  ["https://gate.bank.example/?a=b", "no query"],
  ["https://gate.bank.example/#", "no fragment"],
])("BASE_URL %j is refused: %s", (configured, reason) => {
  expect(readBaseUrl(configured)).toEqual({ ok: false, message: expect.stringContaining(reason) });
  expect(configurationWarnings({ BASE_URL: configured })).toEqual([expect.stringContaining(reason)]);
});
