/** The sandbox's certificates in the console of `npm start`, in a browser. */
import { createPrivateKey, X509Certificate } from "node:crypto";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BASE_URL, call } from "./bank.ts";
import { audited, follow, on, signIn } from "./console-visits.ts";
import { BROWSER, launch, listen } from "./page-audit.ts";

const PAGE = `${BASE_URL}/console/sandbox`;

describe.runIf(BROWSER)("sandbox certificates in a browser", () => {
  let browser: Browser;
  let context: BrowserContext;
  let heard: string[];
  beforeAll(async () => {
    browser = await launch();
    context = await browser.newContext();
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    heard = listen([context], [BASE_URL]);
    await on(context, signIn);
  });
  afterAll(() => browser.close());

  async function make(page: Page, number: string, flaw = "none"): Promise<void> {
    await page.goto(PAGE);
    await page.getByLabel("Authorisation number").fill(number);
    await page.getByRole("combobox", { name: "For", exact: true }).selectOption("seal");
    await page.getByRole("combobox", { name: "What is wrong with it" }).selectOption(flaw);
    await follow(page, page.getByRole("button", { name: "Make the certificate" }));
  }

  audited(
    "sandbox",
    () => context,
    (page) => page.goto(PAGE),
  );
  audited(
    "sandbox-refused",
    () => context,
    (page) => make(page, "PSDXX-TEST-999999"),
  );
  audited(
    "sandbox-made",
    () => context,
    (page) => make(page, "PSDXX-TEST-000001"),
  );

  test("what is copied is a key and its certificate, which the service believes", () =>
    on(context, async (page) => {
      await make(page, "psdxx-test-000001");
      const copy = async (file: string): Promise<string> => {
        await page.getByRole("button", { name: `Copy ${file}` }).click();
        await page.getByRole("button", { name: "Copied" }).waitFor();
        await page.getByRole("button", { name: `Copy ${file}` }).waitFor();
        return (await page.evaluate("navigator.clipboard.readText()")) as string;
      };
      const key = createPrivateKey(await copy("key.pem"));
      const certificate = new X509Certificate(await copy("certificate.pem"));
      const issuer = new X509Certificate(await copy("issuer.pem"));
      expect([certificate.checkPrivateKey(key), certificate.verify(issuer.publicKey)]).toEqual([true, true]);
      const { body } = await check(certificate);
      expect(body.decision.accounts).toEqual({ allowed: true, reasons: [] });
    }));

  test("one that its CA has revoked is refused", () =>
    on(context, async (page) => {
      await make(page, "PSDXX-TEST-000001", "revoked");
      const shown = await page.getByRole("textbox", { name: "Certificate" }).inputValue();
      const { body } = await check(new X509Certificate(shown));
      expect(body.eIDAS.validity).toMatchObject({ validQTSP: true, notRevoked: false });
      expect(heard).toEqual([]);
    }));
});

const check = ({ raw }: X509Certificate) =>
  call("GET", "/v1/psp/eidas?jurisdiction=XX", { headers: { eidas: raw.toString("base64"), version: "latest" } });
