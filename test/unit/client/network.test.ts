/** The client over real connections: what Node's own fetch makes of a peer that misbehaves. */
import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";
import { afterEach, expect, test } from "vitest";
import { PspGate, type PspGateOptions } from "../../../src/client/index.ts";
import { failureOf, SECRET } from "./fake-service.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** The address of a peer that answers so, and how many requests it got. */
async function peer(answer: (...exchange: [...Parameters<RequestListener>, count: number]) => void) {
  const seen = { url: "", requests: 0 };
  const server = createServer((request, response) => answer(request, response, ++seen.requests));
  servers.push(server);
  await once(server.listen(0, "127.0.0.1"), "listening");
  seen.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return seen;
}

const clientOf = (baseUrl: string, options: Partial<PspGateOptions<"1">> = {}) =>
  new PspGate({
    ...{ baseUrl, clientId: "my-bank", clientSecret: SECRET, fiReferenceId: "PSDXX-TEST-FI0001" },
    ...{ retry: { limit: 1, random: () => 0 }, ...options },
  });

const up = JSON.stringify({ status: "up" });

test("a connection that is cut is made again", async () => {
  const cut = await peer((_, response, count) => (count === 1 ? response.destroy() : response.end(up)));
  expect(await clientOf(cut.url).status()).toEqual({ status: "up" });
  expect(cut.requests).toBe(2);
});

test("an answer that is cut half-way is none", async () => {
  const cut = await peer((_, response, count) => {
    if (count === 2) return response.end(up);
    response.writeHead(200, { "Content-Length": "100" });
    response.write("{", () => response.destroy());
    return undefined;
  });
  expect(await clientOf(cut.url).status()).toEqual({ status: "up" });
});

test("an exchange whose answer is cut is not repeated, and no secret is in its error", async () => {
  const cut = await peer((request, response) => void request.resume().on("end", () => response.destroy()));
  const exchange = { grant_type: "authorization_code", code: "code-c1", redirect_uri: "https://psp.test/cb" } as const;
  const error = await failureOf(
    clientOf(cut.url).oauth2.createToken({
      eidas: "MIIEcert",
      account_id: "account-a1",
      client_request_query_parameters: exchange,
    }),
  );
  expect(error).toMatchObject({ name: "NetworkError", attempts: 1, retry: "never" });
  expect(cut.requests).toBe(1);
  const shown = inspect(error, { depth: 20, showHidden: true, getters: true });
  for (const secret of [SECRET, btoa(`my-bank:${SECRET}`), "code-c1", "account-a1", "MIIEcert"])
    expect(shown).not.toContain(secret);
});

test("a redirect is not followed: the other host gets nothing", async () => {
  const other = await peer((_, response) => response.end(up));
  const moved = await peer((_, response) => response.writeHead(307, { Location: `${other.url}/status` }).end());
  expect(await failureOf(clientOf(moved.url).introspect({ token: "t", eidas: "MIIE" }))).toMatchObject({
    name: "RedirectError",
    status: 307,
    origin: other.url,
  });
  expect(other.requests).toBe(0);
});

test("a peer that stays silent ends with the timeout, or with the caller's signal", async () => {
  const silent = await peer(() => {});
  const error = await failureOf(clientOf(silent.url, { timeout: 20 }).status());
  expect(error).toMatchObject({ name: "TimeoutError", operation: "GET /status" });
  const aborting = new AbortController();
  const failure = failureOf(clientOf(silent.url).status({ signal: aborting.signal }));
  aborting.abort("the customer has gone");
  expect(await failure).toBe("the customer has gone");
});

test("nobody listens", async () => {
  const gone = await peer(() => {});
  for (const server of servers.splice(0)) await new Promise((closed) => server.close(closed));
  expect(await failureOf(clientOf(gone.url).status())).toMatchObject({
    message: `GET /status: no answer from ${gone.url} (ECONNREFUSED)`,
    attempts: 2,
  });
});

test("a raw request has the headers and the bytes that it is given", async () => {
  const echo = await peer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { authorization, version, "content-type": type } = request.headers;
      response.writeHead(418, { "Content-Type": "text/plain" });
      response.end(`${request.method} ${request.url} ${authorization} ${version} ${type} ${Buffer.concat(chunks)}`);
    });
  });
  const headers = { Authorization: "Bearer x", version: undefined, "Content-Type": "text/csv" };
  const answer = await clientOf(echo.url).request({ method: "PATCH", path: "/v1/x?y=1", headers, body: "a,b" });
  expect(answer).toMatchObject({ status: 418, body: "PATCH /v1/x?y=1 Bearer x undefined text/csv a,b" });
});
