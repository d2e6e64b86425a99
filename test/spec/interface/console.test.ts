/** The console in a browser, as people use it: by mouse, by keyboard, without a script, on paper. */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findTool } from "../../tools.ts";
import { ROOT } from "../service.ts";
import { BASE_URL, call, eidas } from "./bank.ts";
import { audited, CREDENTIALS, FORM, follow, on, signIn, signInAsOperator } from "./console-visits.ts";
import { audit, BROWSER, expectLight, launch, listen } from "./page-audit.ts";

/** The same service by another name: for a browser another site. */
const OTHER_SITE = BASE_URL.replace("127.0.0.1", "localhost");
const certificate = (name: string): string => join(ROOT, `fixtures/certificates/${name}.pem`);

/** An answer without what belongs to its request alone: the page of a result can be opened again and shared. */
function ofNoRequest(answer: { evidence: { oldest: object } }): object {
  const { id, checked_at, release, oldest, ...evidence } = answer.evidence as Record<string, object>;
  const { age_seconds, ...oldestThing } = oldest as Record<string, number>;
  expect([id, checked_at, release, age_seconds]).not.toContain(undefined);
  return { ...answer, evidence: { ...evidence, oldest: oldestThing } };
}

describe.runIf(BROWSER)("the console in a browser", () => {
  let browser: Browser;
  let context: BrowserContext;
  let operators: BrowserContext;
  let nobody: BrowserContext;
  let heard: string[];
  beforeAll(async () => {
    browser = await launch();
    [context, operators, nobody] = await Promise.all([
      browser.newContext(),
      browser.newContext(),
      browser.newContext(),
    ]);
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    heard = listen([context, operators], [BASE_URL, OTHER_SITE]);
    await on(context, signIn);
    await on(operators, signInAsOperator);
  });
  afterAll(() => browser.close());

  async function check(page: Page, names: readonly string[], jurisdiction = "XX"): Promise<void> {
    await page.goto(FORM);
    await page.getByLabel("Certificate files").setInputFiles(names.map(certificate));
    await page.getByLabel("Country of the account").selectOption(jurisdiction);
    await page.getByRole("button", { name: "Check", exact: true }).click();
    await page.waitForURL(/\/console\/check\/[\w-]{22}$/);
  }

  describe("every page: axe finds nothing, light and dark, on a phone and a desk; it is light in bytes, too", () => {
    audited(
      "form",
      () => context,
      (page) => page.goto(FORM),
    );
    audited(
      "form-of-operators",
      () => operators,
      (page) => page.goto(FORM),
    );
    audited(
      "result-good",
      () => context,
      (page) => check(page, ["scenario-1"], "XY"),
    );
    audited(
      "result-expired",
      () => context,
      (page) => check(page, ["scenario-4"]),
    );
    audited(
      "result-revoked",
      () => context,
      (page) => check(page, ["chain-revoked-issuer"]),
    );
    audited(
      "result-unlisted",
      () => context,
      (page) => check(page, ["unlisted-qtsp"]),
    );
    audited(
      "results",
      () => context,
      (page) => check(page, ["scenario-1", "scenario-2", "scenario-4", "scenario-5", "unlisted-qtsp", "chain-valid"]),
    );
    audited(
      "lost",
      () => context,
      (page) => page.goto(`${BASE_URL}/console/nothing`),
    );
    audited(
      "form-refused",
      () => context,
      async (page) => {
        await page.goto(FORM);
        await page.getByRole("button", { name: "Check", exact: true }).click();
        await page.getByRole("alert").waitFor();
      },
    );
    test("sign-in", () =>
      on(nobody, async (page) => {
        await page.goto(`${BASE_URL}/console`);
        // it opens what is folded
        await audit(page, "console-sign-in");
        await page.getByLabel("Client id").fill("sandbox-fi");
        await page.getByLabel("Client secret").fill("wrong");
        await page.getByRole("textbox", { name: /^Institution/ }).fill("PSDXX-TEST-FI0001");
        await page.getByRole("button", { name: "Sign in", exact: true }).click();
        await page.getByRole("alert").waitFor();
        await audit(page, "console-sign-in-refused");
        await expectLight(page);
      }));
  });

  const byKeyboard = async (page: Page) => {
    await page.goto(`${BASE_URL}/console`);
    /** Tab until the element with this name has the focus; each stop on the way must be marked. */
    const goTo = async (name: string) => {
      for (let i = 0; i < 40; i++) {
        await page.keyboard.press("Tab");
        const [label, outline] = (await page.evaluate(`(() => {
          const at = document.activeElement;
          const label = at.labels?.[0]?.textContent ?? at.textContent;
          return [label.trim(), getComputedStyle(at).outlineStyle];
        })()`)) as [string, string];
        expect([label, outline]).not.toEqual([label, "none"]);
        if (label.startsWith(name)) return;
      }
      throw new Error(`no way by Tab to: ${name}`);
    };
    await goTo("Skip to content");
    await goTo(CREDENTIALS);
    await page.keyboard.press("Enter");
    await goTo("Client id");
    await page.keyboard.type("sandbox-fi");
    await goTo("Client secret");
    await page.keyboard.type("sandbox-secret");
    await goTo("Institution");
    await page.keyboard.type("PSDXX-TEST-FI0001");
    await page.keyboard.press("Enter");
    await page.waitForURL(FORM);
    await goTo("Skip to content");
    await page.keyboard.press("Enter");
    await goTo("or paste certificates");
    await page.keyboard.insertText(await readFile(certificate("scenario-1"), "utf8"));
    await goTo("Country of the account");
    await page.keyboard.type("XY");
    await goTo("Check");
    await page.keyboard.press("Enter");
    await page.waitForURL(/check\/[\w-]{22}$/);
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Amber Payments Ltd");
    await goTo("The path in words");
    await page.keyboard.press("Enter");
    expect(await page.getByRole("listitem").filter({ hasText: "Trusted list of XX" }).isVisible()).toBe(true);
    await page.goto(FORM);
    await goTo("Sign out");
    await page.keyboard.press("Enter");
    await page.waitForURL(/sign-in$/);
  };
  test("by keyboard alone: sign in, choose a country, check, read, sign out; the focus is always seen", () =>
    on(nobody, byKeyboard));

  test("by screen reader: landmarks, one heading of the first level, and the pictures in words", () =>
    on(context, async (page) => {
      await check(page, ["scenario-1"]);
      for (const role of ["banner", "navigation", "main", "contentinfo"] as const)
        expect([role, await page.getByRole(role).count()]).toEqual([role, 1]);
      expect(await page.getByRole("heading", { level: 1 }).count()).toBe(1);
      const picture = page.getByRole("img", {
        name: /^An unbroken path: Amber Payments Ltd .* then Trusted list of XX/,
      });
      expect(await picture.count()).toBe(1);
    }));

  test("files that are dropped anywhere on the form are the files of the form", () =>
    on(context, async (page) => {
      await page.goto(FORM);
      const pem = await readFile(certificate("scenario-1"), "utf8");
      await page.evaluate(`(() => {
        const data = new DataTransfer();
        data.items.add(new File([${JSON.stringify(pem)}], "dropped.pem"));
        const place = document.querySelector("textarea");
        place.dispatchEvent(new DragEvent("dragenter", { bubbles: true, dataTransfer: data }));
        if (!document.querySelector(".drop").classList.contains("over")) throw new Error("not marked");
        place.dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: data }));
      })()`);
      await page.getByRole("button", { name: "Check", exact: true }).click();
      await page.waitForURL(/check\/[\w-]{22}$/);
      expect(await page.getByText("dropped.pem").count()).toBe(1);
    }));

  test.runIf(findTool("curl"))("the curl command that is copied gets the answer that is shown", () =>
    on(context, async (page) => {
      await check(page, ["chain-valid"]);
      await page.getByText("As a call of the API").click();
      await page.getByRole("button", { name: "Copy as curl" }).click();
      await page.getByRole("button", { name: "Copied" }).waitFor();
      const command = (await page.evaluate("navigator.clipboard.readText()")) as string;
      const run = await promisify(execFile)("bash", ["-c", `${command} --silent`], {
        env: { ...process.env, CLIENT_SECRET: "sandbox-secret" },
      });
      await page.getByText("The answer as JSON").click();
      const shown = JSON.parse((await page.locator("#json").textContent()) ?? "");
      expect(shown.decision.payments.allowed).toBe(true);
      expect(ofNoRequest(JSON.parse(run.stdout))).toEqual(shown);
      const api = await call("GET", "/v1/psp/eidas?jurisdiction=XX", {
        headers: { ...(await eidas("chain-valid")), version: "latest" },
      });
      expect(ofNoRequest(api.body)).toEqual(shown);
    }),
  );

  test("the report is printed on one page, without menu and buttons", () =>
    on(context, async (page) => {
      await check(page, ["scenario-1"], "XY");
      const pdf = (await page.pdf({ format: "A4" })).toString("latin1");
      expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
      await page.emulateMedia({ media: "print" });
      expect(await page.getByRole("button").count()).toBe(0);
      expect(await page.getByRole("navigation").count()).toBe(0);
      expect(await page.getByText("The PSP may initiate payments in XY.").isVisible()).toBe(true);
    }));

  test("without a script everything can be read and checked; what needs one is not shown", async () => {
    const plain = await browser.newContext({ javaScriptEnabled: false });
    const page = await plain.newPage();
    await signIn(page);
    await check(page, ["scenario-4"]);
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Dahlia Payments Ltd");
    await page.getByText("As a call of the API").click();
    expect(await page.locator("#curl").isVisible()).toBe(true);
    expect(await page.getByRole("button", { name: /Copy|Print/ }).count()).toBe(0);
    await page.getByRole("button", { name: "Check again" }).click();
    await page.waitForURL(/check\/[\w-]{22}$/);
    await plain.close();
  });

  test("a link on another site's page leads a colleague to the result; one of another institution finds nothing", async () => {
    const address = await on(context, async (page) => {
      await check(page, ["scenario-1"]);
      return page.url();
    });
    await on(context, async (page) => {
      // the cookie is not sent when its link is followed
      await page.goto(`${OTHER_SITE}/errors`);
      await page.evaluate(`document.body.innerHTML = '<a href="${address}">the result</a>'`);
      await page.getByText("the result").click();
      await page.getByRole("heading", { name: "Amber Payments Ltd" }).waitFor();
      expect(page.url()).toBe(address);
    });
    await on(operators, async (page) => {
      expect((await page.goto(address))?.status()).toBe(404);
      expect(await page.getByText("Amber").count()).toBe(0);
    });
  });

  /** Where each of these characters stands, from the left, of the first text below `main` that has them all. */
  const placesOf = (page: Page, sought: string): Promise<number[]> =>
    page.evaluate(`(() => {
      const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
      for (let node = texts.nextNode(); node; node = texts.nextNode()) {
        const at = node.data.indexOf(${JSON.stringify(sought)});
        if (at < 0) continue;
        return Array.from({ length: ${sought.length} }, (_, i) => {
          const range = document.createRange();
          range.setStart(node, at + i);
          range.setEnd(node, at + i + 1);
          return range.getBoundingClientRect().left;
        });
      }
      return [];
    })()`);

  test("a name from the right turns nothing around beside it", () =>
    on(context, async (page) => {
      const [shown, hebrew] = ["amber\u202e4711", "\u05d0\u05d1\u05d2"];
      const mimeType = "application/x-pem-file";
      const buffer = await readFile(certificate("scenario-1"));
      await page.goto(FORM);
      await page.getByLabel("Certificate files").setInputFiles([
        { name: shown, buffer, mimeType },
        { name: hebrew, buffer: Buffer.from("none"), mimeType },
      ]);
      await page.getByLabel("Country of the account").selectOption("XX");
      await page.getByRole("button", { name: "Check", exact: true }).click();
      await page.waitForURL(/check\/[\w-]{22}$/);
      const places = await placesOf(page, "4711");
      expect([places.length, places]).toEqual([4, places.toSorted((a, b) => a - b)]);
      await follow(page, page.locator("tbody a").first());
      // a number after a name in Hebrew letters would stand on its left
      await page.evaluate(`document.querySelector("h1").innerHTML = "<b>${hebrew}</b> <code>4711</code>"`);
      const [name = [], number = []] = [await placesOf(page, hebrew), await placesOf(page, "4711")];
      expect(Math.max(...name)).toBeLessThan(Math.min(...number));
    }));

  test("an operator checks as of another instant", () =>
    on(operators, async (page) => {
      await page.goto(FORM);
      await page.getByLabel("Certificate files").setInputFiles(certificate("scenario-4"));
      await page.getByLabel("Country of the account").selectOption("XX");
      await page.getByLabel("For which institution?").selectOption("PSDXX-TEST-FI0001");
      await page.getByLabel("As of").fill("2021-06-01T12:00:00");
      await page.getByRole("button", { name: "Check", exact: true }).click();
      await page.waitForURL(/check\/[\w-]{22}$/);
      expect(await page.getByText("The certificate is valid from 1 Jan 2020 to 1 Jan 2022.").count()).toBe(1);
    }));

  test("no page loaded anything from elsewhere, or was refused anything by its policy", () => {
    expect(heard).toEqual([]);
  });
});
