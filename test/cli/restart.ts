/** `npm start` as a process: its port, Ctrl-C, and that a second start goes on where the first one ended. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { findFreePort } from "../free-port.ts";
import { eidasHeader, ROOT, SANDBOX_FI, startService } from "../spec/service.ts";
import { life, live } from "./own-service.ts";

async function call(method: string, path: string, headers: Record<string, string> = {}, body?: object) {
  const type = body && { "Content-Type": "application/json" };
  const response = await fetch(life().url + path, {
    method,
    headers: { ...SANDBOX_FI, ...type, ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  return { status: response.status, body: (await response.json()) as any };
}

export function testRestart(): void {
  test("of what wrangler prints only the address and errors are shown", () => {
    const [beforeReady = ""] = life().output().split("Ready on");
    expect(beforeReady.replace(/^npm warn .*\n/gm, "")).toMatch(
      /^\n> .* start\n> exec .*node .*start\.ts.*\n\npsp-gate \d+\.\d+\.\d+ migrates, .*\n\[wrangler:info\] $/,
    );
  });

  const start = async (args: readonly string[], state = "/nowhere/writable") => {
    const env = { ...process.env, STATE_DIR: state };
    const child = spawn(process.execPath, ["src/cli/start/start.ts", ...args], { cwd: ROOT, env });
    const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
    return { code, stdout, stderr };
  };

  test.each([
    ["its help", "--help", { code: 0, stdout: expect.stringMatching(/^Usage: npm start -- \[--port N/), stderr: "" }],
    ["a port that is none", "--port=abc", { code: 2, stdout: "", stderr: expect.stringMatching(/^error: --port: a/) }],
    ["no port", "--port", { code: 2, stdout: "", stderr: expect.stringMatching(/^error: --port: a number up to/) }],
    [
      "no file",
      "--address-file",
      { code: 2, stdout: "", stderr: expect.stringMatching(/^error: --address-file: a p/) },
    ],
  ])("before it touches the stores: %s", async (_, option, told) => {
    expect(await start([option])).toEqual(told);
  });

  test("a second one on its port is told at once, before it touches the stores", async () => {
    const { port } = new URL(life().url);
    const state = await mkdtemp(join(tmpdir(), "psp-gate-second-"));
    const said = `^error: Address already in use \\(127.0.0.1:${port}\\): is npm start`;
    expect(await start([`--port=${port}`], state)).toEqual({
      ...{ code: 1, stdout: "", stderr: expect.stringMatching(said) },
    });
    expect((await readdir(state)).filter((name) => !name.startsWith("lock.sqlite"))).toEqual([]);
    await rm(state, { recursive: true });
  });

  test("Ctrl-C ends it with 0; a second start keeps codes, consents and tokens, and verifies what was issued before", async () => {
    const certificate = await eidasHeader("scenario-1");
    const redirect_uri = "https://psp.example/callback";
    const created = await call("POST", "/v1/obie/ccg_tokens", {}, { eIDAS: certificate, scope: "accounts" });
    const ccg = { ccg_token: created.body.access_token };
    const consent = await call("POST", "/v1/obie/account_access_consents", ccg, {
      data: { permissions: ["ReadAccountsBasic"] },
    });
    const { consent_id } = consent.body.data;
    const obtainCode = async () =>
      (
        await call("POST", "/v1/obie/authorization_codes", ccg, {
          consent_id,
          psu_account_id: "restarted",
          redirect_uri,
          scope: "accounts",
        })
      ).body.data.redirect_uri.parameters.code;
    const redeem = (auth_code: string) => call("POST", "/v1/obie/tokens", ccg, { auth_code, redirect_uri });
    const redeemed = await obtainCode();
    const token = (await redeem(redeemed)).body.data.access_token;

    const core = (more: object) => ({
      account_id: "restarted core",
      client_request_query_parameters: { redirect_uri, ...more },
    });
    const ofPsp = { eidas: certificate };
    const query = core({ response_type: "code", scope: "accounts" });
    const obtainCoreCode = async () =>
      (await call("POST", "/v1/oauth2/authorization_codes", ofPsp, query)).body.data.redirect_uri.parameters.code;
    const restart = async () => {
      const begun = performance.now();
      const [open, code] = [await obtainCode(), await obtainCoreCode()];
      expect(await life().stop()).toBe(0);
      await expect(fetch(`${life().url}/errors`)).rejects.toThrow();
      const port = await findFreePort();
      live(await startService({ state: life().state, port }));
      expect([life().url, life().output()]).toEqual([
        `http://127.0.0.1:${port}`,
        expect.stringContaining(`Ready on ${life().url}`),
      ]);
      return { open, code, took: performance.now() - begun };
    };
    let { open, code, took } = await restart();
    // a code lives for a minute, and on a loaded machine a start may take longer
    while (took > 40_000) ({ open, code, took } = await restart());
    const exchange = () => call("POST", "/v1/oauth2/tokens", ofPsp, core({ grant_type: "authorization_code", code }));

    // the keys persist: so do the CCG token and the access token
    const information = await call("GET", `/v1/obie/tokens/${token}`, ccg);
    expect(information.body.data).toMatchObject({ access_token: token, active: true });
    const read = await call("GET", `/v1/obie/account_access_consents/${consent_id}`, ccg);
    expect(read.body.data).toMatchObject({ consent_id, status: "Authorised" });
    const list = await call("GET", "/v1/oauth2/account/restarted/tokens");
    expect(list.body.data).toMatchObject([{ token, active: true }]);
    // what was used stays used, what was not works once
    expect((await redeem(redeemed)).body.errors[0].code).toBe("code_used");
    expect((await redeem(open)).status).toBe(201);
    expect((await redeem(open)).body.errors[0].code).toBe("code_used");
    expect((await exchange()).status).toBe(201);
    expect((await exchange()).status).toBe(403);
  });
}
