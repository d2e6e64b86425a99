/** `npm run demo` against a running service, and what only a whole process can show: a restart in mid-flow. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eidasHeader, endService, ROOT, SANDBOX_FI, type Service, startService } from "./service.ts";

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => endService(service));

async function runDemo(...options: string[]): Promise<{ code: number; output: string }> {
  const child = spawn("npm", ["run", "-s", "demo", "--", "--base-url", service.url, ...options], { cwd: ROOT });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  const [code] = (await once(child, "exit")) as [number];
  return { code, output };
}

test("the demo walks through both flows, again and again", async () => {
  for (const _ of [1, 2]) {
    const { code, output } = await runDemo();
    expect(output).not.toContain("✗");
    expect(output).toMatch(/(\d+) of \1 steps as they should be/);
    expect(code).toBe(0);
  }
});

test("the demo exits with 1 when an answer is not what it should be, and says which", async () => {
  const { code, output } = await runDemo("--secret", "wrong");
  expect(output).toContain("✗ status 401 instead of 201");
  expect(code).toBe(1);
});

test("the demo exits with 1 when there is no service", async () => {
  const { code, output } = await runDemo("--base-url", "http://127.0.0.1:1");
  expect(output).toMatch(/error: http:\/\/127\.0\.0\.1:1: ./);
  expect(code).toBe(1);
});

test("a code outlives a restart of the service, and is then used once", async () => {
  const post = async (path: string, body: object) => {
    const headers = { ...SANDBOX_FI, eidas: await eidasHeader("scenario-1"), "Content-Type": "application/json" };
    return fetch(service.url + path, { method: "POST", headers, body: JSON.stringify(body) });
  };
  const redirect_uri = "https://psp.example/callback";
  const request = { response_type: "code", redirect_uri, scope: "accounts" };
  const issued = await post("/v1/oauth2/authorization_codes", {
    account_id: "restarted",
    client_request_query_parameters: request,
  });
  const { data } = (await issued.json()) as { data: { redirect_uri: { parameters: { code: string } } } };
  await service.stop();
  service = await startService({ state: service.state });
  const exchange = () =>
    post("/v1/oauth2/tokens", {
      account_id: "restarted",
      client_request_query_parameters: {
        grant_type: "authorization_code",
        code: data.redirect_uri.parameters.code,
        redirect_uri,
      },
    });
  expect((await exchange()).status).toBe(201);
  expect((await exchange()).status).toBe(403);
});
