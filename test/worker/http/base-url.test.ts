/** `errors[].link` leads to the service's own reference page, whatever name the caller wrote into the Host header. */
import { env } from "cloudflare:workers";
import { beforeAll, expect, test, vi } from "vitest";
import { call } from "../bank.ts";
import { loadSandbox } from "../sandbox.ts";

beforeAll(loadSandbox);

const linkOf = async (BASE_URL: string) =>
  (await call("GET", "/v1/nothing", { env: { ...env, BASE_URL } })).body.errors[0].link;

test("the link of an error begins with BASE_URL and not with the Host header", async () => {
  expect(await linkOf("https://gate.bank.example")).toBe("https://gate.bank.example/errors#path_not_found");
  expect(await linkOf("https://bank.example/psp-gate/")).toBe("https://bank.example/psp-gate/errors#path_not_found");
});

test("without BASE_URL it begins with the request's own origin", async () => {
  expect(await linkOf("")).toBe("http://service.test/errors#path_not_found");
});

test("a malformed BASE_URL breaks no request, is logged once, and stands in the status", async () => {
  const error = vi.spyOn(console, "error").mockImplementation(() => {});
  const links = [await linkOf("gate.bank.example"), await linkOf("gate.bank.example")];
  expect(links).toEqual(Array(2).fill("http://service.test/errors#path_not_found"));
  expect(error.mock.calls).toEqual([[expect.stringMatching(/configuration_invalid.*BASE_URL must begin with https/)]]);
  error.mockRestore();
  const status = await call("GET", "/status", { env: { ...env, BASE_URL: "gate.bank.example" } });
  expect(status.body.warnings).toEqual([expect.stringContaining("BASE_URL must begin with https")]);
  expect((await call("GET", "/status")).body.warnings).toEqual([]);
});
