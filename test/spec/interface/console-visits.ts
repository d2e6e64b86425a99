/** Visits to the console in a browser, as its tests begin them. */
import type { BrowserContext, Locator, Page } from "playwright-core";
import { test } from "vitest";
import { BASE_URL } from "./bank.ts";
import { audit, expectLight } from "./page-audit.ts";

/** The form of a check, where a sign-in leads to. */
export const FORM = `${BASE_URL}/console/check`;

/** What opens the form of credentials. */
export const CREDENTIALS = "Or with the credentials of your institution's systems";

export async function signIn(page: Page, who: "sandbox" | "other" = "sandbox"): Promise<void> {
  await page.goto(`${BASE_URL}/console/sign-in`);
  await page.getByText(CREDENTIALS).click();
  await page.getByLabel("Client id").fill(`${who}-fi`);
  await page.getByLabel("Client secret").fill(`${who}-secret`);
  const reference = who === "sandbox" ? "PSDXX-TEST-FI0001" : "PSDXX-TEST-FI0002";
  await page.getByRole("textbox", { name: /^Institution/ }).fill(reference);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL(FORM);
}

export async function signInAsOperator(page: Page): Promise<void> {
  await page.goto(`${BASE_URL}/console`);
  await page.getByRole("button", { name: "Continue as the operator" }).click();
  await page.waitForURL(FORM);
}

/** As a person of the sandbox's institution, at the provider of `npm start`. */
export async function signInAs(page: Page, role: "auditor" | "officer" | "administrator"): Promise<void> {
  await page.goto(`${BASE_URL}/console/sign-in/PSDXX-TEST-FI0001`);
  await follow(page, page.getByRole("link", { name: "Sign in at your organisation" }));
  await page.getByRole("button", { name: `Continue as ${role}` }).click();
  await page.waitForURL(`${BASE_URL}/console/**`);
}

/** Clicks what leads to another page, and waits for all of it: a click ends as soon as the page begins, and a count looks only once. */
export const follow = (page: Page, target: Locator) => Promise.all([page.waitForEvent("load"), target.click()]);

/** The page of this context, at first as on a desk: another window for each visit costs as much as the visit. */
export async function on<Result>(of: BrowserContext, use: (page: Page) => Promise<Result>): Promise<Result> {
  const page = of.pages()[0] ?? (await of.newPage());
  await page.emulateMedia({ media: null, colorScheme: null, reducedMotion: null });
  await page.setViewportSize({ width: 1280, height: 720 });
  return await use(page);
}

/** The test of a page that `open` leads to: its looks, its barriers, its weight. */
export const audited = (name: string, of: () => BrowserContext, open: (page: Page) => Promise<unknown>) =>
  test(name, () =>
    on(of(), async (page) => {
      await open(page);
      // what a form leads to can be seen, and measured, before its style sheet is there
      await page.waitForLoadState();
      await audit(page, `console-${name}`);
      await expectLight(page);
    }),
  );
