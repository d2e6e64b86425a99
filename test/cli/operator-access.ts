/** Operators of the console by Cloudflare Access: its assertions, with a team of our own that serves its keys. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { life } from "./own-service.ts";

const AUDIENCE = "c".repeat(64);
const ALGORITHM = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");

let keys: CryptoKeyPair;
let server: Server;
let team: string;
const asked: (string | undefined)[] = [];

/** Starts the team; answers the variables of a service that trusts it. */
export async function startTeam(): Promise<Record<string, string>> {
  const shape = { ...ALGORITHM, modulusLength: 2048, publicExponent: Uint8Array.of(1, 0, 1) };
  keys = (await crypto.subtle.generateKey(shape, true, ["sign", "verify"])) as CryptoKeyPair;
  const jwk = { ...(await crypto.subtle.exportKey("jwk", keys.publicKey)), kid: "own", alg: "RS256", use: "sig" };
  server = createServer((request, response) => {
    asked.push(request.url);
    response.setHeader("Content-Type", "application/json").end(JSON.stringify({ keys: [jwk] }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  team = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { ACCESS_TEAM_DOMAIN: team, ACCESS_AUDIENCE: AUDIENCE };
}
export const stopTeam = (): void => void server.close();

async function assertionOf(claims: object = {}): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const whole = {
    aud: [AUDIENCE],
    email: "ops@bank.example",
    iss: team,
    iat: now,
    nbf: now,
    exp: now + 600,
    ...claims,
  };
  const text = `${encode({ alg: "RS256", kid: "own", typ: "JWT" })}.${encode(whole)}`;
  const signature = await crypto.subtle.sign(ALGORITHM.name, keys.privateKey, Buffer.from(text));
  return `${text}.${Buffer.from(signature).toString("base64url")}`;
}

const open = async (assertion: string) => {
  const answer = await fetch(`${life().url}/console/check`, {
    headers: { "Cf-Access-Jwt-Assertion": assertion },
    redirect: "manual",
  });
  return [answer.status, (await answer.text()).includes("ops@bank.example")];
};

export function testOperatorAccess(): void {
  test("an operator is who the team's key says; an assertion for another application is refused", async () => {
    expect(await open(await assertionOf())).toEqual([200, true]);
    expect(await open(await assertionOf({ aud: ["d".repeat(64)] }))).toEqual([403, false]);
    expect(await open(`${(await assertionOf()).slice(0, -20)}${"A".repeat(20)}`)).toEqual([403, false]);
    expect(asked).toEqual(["/cdn-cgi/access/certs"]);
    expect(life().output()).not.toContain("eyJ");
  });
}
