/** People sign in at a provider that is not ours (panva's oidc-provider), in a browser, to the service that runs; with a secret and with a key. */
import { generateKeyPairSync } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import Provider from "oidc-provider";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { audit, BROWSER, launch } from "../spec/interface/page-audit.ts";
import { ROOT, SANDBOX_FI, startService } from "../spec/service.ts";
import { life, live } from "./own-service.ts";
import { STATE_DIR } from "./own-state.ts";
import { json, run } from "./run-here.ts";

const FI = SANDBOX_FI.fi_reference_id;
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  olivia: ["officers"],
  adam: ["admins", "audit"],
  ada: ["audit"],
  eve: ["cooks"],
};

interface Peer {
  readonly issuer: string;
  readonly server: Server;
}

/** Answers at an address of its own. Whoever signs in is whom they say they are. */
async function startPeer(publicKey: object): Promise<Peer> {
  const server = createServer((request, response) => void provider.callback()(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const at = (part: string) => `${life().url}/console/sign-in/${FI}${part}`;
  const client = {
    ...{ redirect_uris: [at("/callback")], post_logout_redirect_uris: [at("")] },
    ...{ backchannel_logout_uri: at("/logout"), backchannel_logout_session_required: true },
  };
  const provider = new Provider(issuer, {
    clients: [
      { client_id: "by-secret", client_secret: "a secret of the client", ...client },
      { client_id: "by-key", token_endpoint_auth_method: "private_key_jwt", jwks: { keys: [publicKey] }, ...client },
    ],
    claims: { openid: ["sub", "groups"], profile: ["name"] },
    conformIdTokenClaims: false,
    // its own refuses addresses of this machine
    fetch: (url: string, { method, headers, body }: RequestInit) =>
      fetch(url, { method, headers, body } as RequestInit),
    cookies: { keys: ["a key of the test"] },
    features: {
      ...{ devInteractions: { enabled: true }, rpInitiatedLogout: { enabled: true } },
      backchannelLogout: { enabled: true },
    },
    findAccount: (_, id) => ({
      accountId: id,
      claims: async () => ({ sub: id, name: `${id} of the bank`, groups: GROUPS[id] ?? [] }),
    }),
  });
  return { issuer, server };
}

/** As a person does it: our link, the provider's form, its consent, and back. */
async function signIn(page: Page, name: string): Promise<void> {
  await page.goto(`${life().url}/console/sign-in/${FI}`);
  await page.getByRole("link", { name: "Sign in at your organisation" }).click();
  await page.locator("input[name=login]").fill(name);
  await page.locator("input[name=password]").fill("any");
  await page.locator("button[type=submit]").click();
  await page.locator("button[type=submit]").click();
  await page.waitForURL(`${life().url}/**`);
}

const FOLDER = join(ROOT, "fixtures/certificates");

/** An officer checks forty certificates, looks at why one is refused and at its PSP, blocks an account, and takes the evidence away. */
async function actAsOfficer(page: Page, cookie: string): Promise<void> {
  const at = (path: string) => `${life().url}/console${path}`;
  const pems = (await readdir(FOLDER)).filter((name) => name.endsWith(".pem"));
  const files = await Promise.all(
    Array.from({ length: 40 }, async (_, i) => {
      const name = pems[i % pems.length] ?? "";
      return { name: `${i}-${name}`, mimeType: "application/x-pem-file", buffer: await readFile(join(FOLDER, name)) };
    }),
  );
  await page.goto(at("/check"));
  await page.getByLabel("Certificate files").setInputFiles(files);
  await page.getByLabel("Country of the account").selectOption("XX");
  await page.getByRole("button", { name: "Check", exact: true }).click();
  await page.locator("tbody tr:not(.more)").nth(39).waitFor();
  expect(await page.locator("tbody tr:not(.more)").count()).toBe(40);
  await page.locator("tbody tr").filter({ hasText: "scenario-5.pem" }).first().getByRole("link").first().click();
  await page
    .getByText(/revoked/)
    .first()
    .waitFor();

  await page.goto(at("/psps/PSDXX-TEST-000005"));
  await page.getByRole("heading", { level: 1 }).waitFor();
  expect(await page.locator("main").textContent()).toContain("PSDXX-TEST-000005");

  await page.goto(at("/permissions/block?account=story-account"));
  await page.locator("input[name=scopes]").first().check();
  await page.locator("input[name=reason]").fill("the customer's card was stolen");
  await page.getByRole("button", { name: "Set the block" }).click();
  await page.getByText("The block of the account is as you set it.").waitFor();
  expect(await page.locator("main").textContent()).toContain("the customer's card was stolen");

  const csv = await (await fetch(at("/evidence?as=csv"), { headers: { Cookie: cookie } })).text();
  expect(csv).toContain("PSDXX-TEST-000005");
  expect(csv).not.toContain("story-account");
}

/** An auditor takes away what proves the answers about one PSP, verifies it without the service, and is refused every change. */
async function actAsAuditor(page: Page): Promise<void> {
  await page.goto(`${life().url}/console/evidence?psp=PSDXX-TEST-000005`);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "an archive that proves each of these records" }).click(),
  ]);
  const archive = join(STATE_DIR, "auditor.zip");
  await download.saveAs(archive);
  const verified = await json("evidence", "verify", archive, "--keys", `${life().url}/.well-known/jwks.json`);
  expect(verified).toMatchObject({ proven: true, fi: FI, keys: "given", replays: { different: [], incomplete: [] } });
  const { records } = verified as {
    readonly records: readonly { readonly checks: readonly { readonly psp: string }[] }[];
  };
  expect(records.length).toBeGreaterThan(0);
  for (const { checks } of records) expect(checks.map(({ psp }) => psp)).toContain("PSDXX-TEST-000005");
  for (const path of ["/check", "/permissions/block?account=one", "/permissions/withdraw?permission=1", "/webhooks"])
    expect([path, (await page.goto(`${life().url}/console${path}`))?.status()]).toEqual([path, 403]);
}

/** An administrator adds a webhook, and erases the officer's name. */
async function actAsAdministrator(page: Page): Promise<void> {
  await page.goto(`${life().url}/console/webhooks`);
  await page.getByLabel("Address").fill("http://127.0.0.1:9/story");
  await page.getByRole("button", { name: "Add the webhook" }).click();
  await page.getByText(/^whsec_/).waitFor();
  await page.goto(`${life().url}/console/webhooks`);
  const webhook = page.getByRole("article", { name: "http://127.0.0.1:9/story" });
  await webhook.locator("summary").last().click();
  await webhook.getByRole("button", { name: "Remove the webhook" }).click();
  await webhook.waitFor({ state: "detached" });

  await page.goto(`${life().url}/console/people/acts`);
  expect(await page.locator("main").textContent()).toContain("olivia of the bank");
  await page.goto(`${life().url}/console/people`);
  await page.getByRole("link", { name: "Erase the name… olivia of the bank" }).click();
  await page.getByRole("button", { name: /Erase/ }).first().click();
  await page.waitForURL("**/console/people**");
  await page.goto(`${life().url}/console/people/acts`);
  const acts = await page.locator("main").textContent();
  expect([acts?.includes("olivia"), acts?.includes("a person whose name was erased")]).toEqual([false, true]);
}

/** Whoever has a session or not: from the sign-in page to the provider that `npm start` has opened, and in as an officer. */
async function signInAsSandboxOfficer(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/console/sign-in`);
  await page.getByRole("link", { name: "Sign in as a person of the Sandbox Bank" }).click();
  await page.getByRole("link", { name: "Sign in at your organisation" }).click();
  await page.getByRole("button", { name: "Continue as officer" }).click();
  await page.waitForURL(`${url}/console/check`);
  expect(await page.locator(".who").textContent()).toMatch(/Sandbox officer\s*officer/);
}

/** Before a provider is set for the institution, whose row it takes. */
export function testSandboxPeople(): void {
  test.runIf(BROWSER)("people of the sandbox sign in at the provider of npm start, which a restart keeps", async () => {
    const browser = await launch();
    try {
      const page = await (await browser.newContext()).newPage();
      const providerOf = async () => {
        await page.goto(`${life().url}/console/sign-in/${FI}/provider`);
        await page.getByRole("heading", { name: "Who are you?" }).waitFor();
        return new URL(page.url()).origin;
      };
      const signOutThere = async () => {
        await page.getByRole("heading", { name: "Sign out of the Sandbox Bank?" }).waitFor();
        await page.getByRole("button", { name: "Sign out" }).click();
      };
      const isSignedIn = async () => {
        await page.goto(`${life().url}/console/sources`);
        return new URL(page.url()).pathname === "/console/sources";
      };
      const issuer = await providerOf();
      await audit(page, "sandbox-provider");

      // by the machine's other name
      await signInAsSandboxOfficer(page, life().url.replace("127.0.0.1", "localhost"));
      await signInAsSandboxOfficer(page, life().url);
      await page.goto(`${life().url}/console/permissions/block?account=sandbox-account`);
      await page.locator("input[name=scopes]").first().check();
      await page.getByRole("button", { name: "Set the block" }).click();
      await page.getByText("The block of the account is as you set it.").waitFor();

      await page.getByRole("button", { name: "Sign out" }).click();
      await page.waitForURL(`${issuer}/end-session**`);
      await audit(page, "sandbox-provider-end");
      await signOutThere();
      await page.waitForURL(`${life().url}/console/sign-in/${FI}`);
      expect(await isSignedIn()).toBe(false);

      await signInAsSandboxOfficer(page, life().url);
      expect(await life().stop()).toBe(0);
      await expect(fetch(issuer)).rejects.toThrow();
      live(await startService({ state: life().state, port: Number(new URL(life().url).port) }));
      expect([await isSignedIn(), await providerOf()]).toEqual([true, issuer]);
      await signInAsSandboxOfficer(page, life().url);
      // who signs out there alone is signed out here
      await page.goto(`${issuer}/end-session`);
      await signOutThere();
      await page.getByRole("heading", { name: "You are signed out" }).waitFor();
      expect(await isSignedIn()).toBe(false);
    } finally {
      await browser.close();
    }
  });
}

export function testPeopleSignIn(): void {
  test.runIf(BROWSER)(
    "people sign in at their provider, each in their roles, and out of both",
    { timeout: 240_000 },
    async () => {
      const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
      const [secretFile, keyFile] = [join(STATE_DIR, "client-secret.txt"), join(STATE_DIR, "client-key.pem")];
      await writeFile(secretFile, "a secret of the client\n");
      await writeFile(keyFile, privateKey.export({ type: "pkcs8", format: "pem" }));
      const { issuer, server } = await startPeer({ ...publicKey.export({ format: "jwk" }), use: "sig", alg: "ES256" });
      const browser = await launch();
      try {
        const groups = ["--officers", "officers", "--administrators", "admins", "--auditors", "audit"];
        const set = await json(
          "fi",
          "sign-in",
          "set",
          "--reference",
          FI,
          "--issuer",
          issuer,
          "--client-id",
          "by-secret",
          "--client-secret-file",
          secretFile,
          ...groups,
        );
        expect(set).toMatchObject({
          auth_method: "client_secret_basic",
          credentials: "on",
          groups: { officer: ["officers"] },
        });
        expect(await json("fi", "sign-in", "test", "--reference", FI)).toMatchObject({
          ...{
            issuer,
            keys: 1,
            end_session_endpoint: `${issuer}/session/end`,
            backchannel_logout_session_supported: true,
          },
        });

        const page = await (await browser.newContext()).newPage();
        await signIn(page, "olivia");
        expect(new URL(page.url()).pathname).toBe("/console/check");
        expect(await page.locator(".who").textContent()).toContain("olivia of the bank");
        const copy = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
        const openWithCopy = async () =>
          (await fetch(`${life().url}/console/sources`, { headers: { Cookie: copy }, redirect: "manual" })).status;
        expect(await openWithCopy()).toBe(200);
        await actAsOfficer(page, copy);

        // out here, and on to the provider
        await page.getByRole("button", { name: "Sign out" }).click();
        await page.waitForURL(`${issuer}/session/end**`);
        expect(await openWithCopy()).toBe(303);
        await page.locator("button[name=logout]").click();
        await page.waitForURL(`${life().url}/console/sign-in/${FI}**`);

        const auditor = await (await browser.newContext()).newPage();
        await signIn(auditor, "ada");
        expect(await auditor.locator(".who").textContent()).toMatch(/ada of the bank\s*auditor/);
        await actAsAuditor(auditor);

        // with a key in the place of the secret
        await json("fi", "sign-in", "set", "--reference", FI, "--client-id", "by-key", "--private-key", keyFile);
        const administrator = await (await browser.newContext()).newPage();
        await signIn(administrator, "adam");
        expect(await administrator.locator(".who").textContent()).toMatch(/adam of the bank\s*auditor, administrator/);
        const refused = await administrator.goto(`${life().url}/console/permissions/block?account=one`);
        expect([refused?.status(), await administrator.locator("main").textContent()]).toEqual([
          403,
          expect.stringContaining("an officer"),
        ]);
        await actAsAdministrator(administrator);

        // who is signed out there is signed out here, without a click
        await administrator.goto(`${issuer}/session/end`);
        await administrator.locator("button[name=logout]").click();
        await expect
          .poll(async () => (await administrator.goto(`${life().url}/console/sources`))?.url(), { timeout: 60_000 })
          .toContain("/console/sign-in");

        const stranger = await (await browser.newContext()).newPage();
        await signIn(stranger, "eve");
        expect(await stranger.locator("main").textContent()).toContain("Your account has no role here");

        // an auditor's archive has what people did, and proves it
        const archive = join(STATE_DIR, "story.zip");
        const range = ["--from", "2026-01-01T00:00:00Z", "--to", "2100-01-01T00:00:00Z"];
        expect(await json("evidence", "export", archive, "--fi", FI, "--url", life().url, ...range)).toMatchObject({
          missing: [],
        });
        const keys = ["--keys", `${life().url}/.well-known/jwks.json`];
        expect(await json("evidence", "verify", archive, ...keys)).toMatchObject({ proven: true, fi: FI });

        expect((await run("fi", "sign-in", "show", "--reference", FI)).stdout).not.toContain("secret of");
        expect(await json("fi", "sign-in", "remove", "--reference", FI)).toMatchObject({ removed: true });
      } finally {
        await browser.close();
        server.close();
      }
    },
  );
}
