/** PSPs, sources, permissions, evidence, traffic, events and institutions in the console, in a browser: by mouse, by keyboard, without a script. */
import { readFile } from "node:fs/promises";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { verifyRecords } from "../../../src/evidence/archive/verify-records.ts";
import { readZip } from "../../../src/evidence/archive/zip-file.ts";
import type { PublicSigningKey } from "../../../src/evidence/signatures/signing-keys.ts";
import { BASE_URL, call, ccg, eidas, newAccount, obtainObieToken, obtainToken } from "./bank.ts";
import { audited, follow, on, signIn, signInAs, signInAsOperator } from "./console-visits.ts";
import { BROWSER, launch, listen } from "./page-audit.ts";

const PERMISSIONS = `${BASE_URL}/console/permissions`;
const INSTITUTIONS = `${BASE_URL}/console/institutions`;
const EVIDENCE = `${BASE_URL}/console/evidence`;
const TRAFFIC = `${BASE_URL}/console/traffic`;
const PSPS = `${BASE_URL}/console/psps`;
const EVENTS = `${BASE_URL}/console/events`;
const WEBHOOKS = `${BASE_URL}/console/webhooks`;
const REVOKED = "PSDXX-TEST-000005";
const PEOPLE = `${BASE_URL}/console/people`;
const OF_OTHER = "?fi=PSDXX-TEST-FI0002";
const ofAccount = (account: string): string => `${PERMISSIONS}?by=account&q=${account}`;

describe.runIf(BROWSER)("the console's pages in a browser", () => {
  let browser: Browser;
  let context: BrowserContext;
  let operators: BrowserContext;
  let administrators: BrowserContext;
  let heard: string[];
  beforeAll(async () => {
    browser = await launch();
    [context, operators, administrators] = (await Promise.all([1, 2, 3].map(() => browser.newContext()))) as [
      BrowserContext,
      BrowserContext,
      BrowserContext,
    ];
    await operators.grantPermissions(["clipboard-read", "clipboard-write"]);
    // leads to another host
    await on(administrators, (page) => signInAs(page, "administrator"));
    heard = listen([context, operators, administrators], [BASE_URL]);
    await on(context, signIn);
    await on(operators, signInAsOperator);
    // on this machine: nobody is there
    await on(administrators, async (page) => {
      await page.goto(WEBHOOKS);
      await page.getByLabel("Address").fill("http://127.0.0.1:9/events");
      await follow(page, page.getByRole("button", { name: "Add the webhook" }));
      await page.getByText(/^whsec_/).waitFor();
    });
  });
  afterAll(() => browser.close());

  /** An account with three permissions, one of them withdrawn: a consent, tokens for accounts, tokens for payments. */
  async function grantSome(): Promise<string> {
    const account = newAccount();
    await obtainObieToken(await ccg(), { psu_account_id: account });
    await obtainToken(account, "payments");
    const [payments] = (await call("GET", `/v1/accounts/${account}/permissions`)).body.data;
    await call("DELETE", `/v1/accounts/${account}/permissions/${payments.id}?by=customer`);
    await obtainToken(account);
    return account;
  }
  const statesOf = async (account: string): Promise<string[]> =>
    (await call("GET", `/v1/accounts/${account}/permissions`)).body.data.map(
      ({ status }: { status: string }) => status,
    );

  /**
   * Goes to the record of a check of a PSP whose certificate is revoked. Gives the link to it in lists: requests of other
   * files, for codes as well, leave records of that PSP at the same time.
   */
  async function goToRefusal(page: Page): Promise<string> {
    const { headers } = await call("GET", "/v1/psp/eidas?jurisdiction=XX", {
      headers: { ...(await eidas("scenario-5")), version: "latest" },
    });
    const link = `tbody a[href*="${headers.get("x-evidence-id")}"]`;
    // the record is written behind the answer
    await vi.waitUntil(
      async () => {
        await page.goto(`${EVIDENCE}?psp=${REVOKED}&outcome=certificate_revoked`);
        return (await page.locator(link).count()) > 0;
      },
      { timeout: 60_000, interval: 200 },
    );
    await follow(page, page.locator(link));
    await page.getByRole("heading", { name: "What it rested on" }).waitFor();
    return link;
  }

  /** Records whose words are as long as they get: no table is to be wider for it. */
  async function refuseAtLength(): Promise<void> {
    const headers = { ...(await eidas()), transaction_reference: "order.4711.".repeat(11) };
    await call("POST", "/v1/oauth2/tokens", { headers, body: { account_id: "1" } });
    await call("GET", "/v1/psp/eidas?jurisdiction=XX", { headers });
  }

  describe("axe finds nothing, light and dark, on a phone and a desk; the page is light in bytes, too", () => {
    const bank = () => context;
    const operator = () => operators;
    const administrator = () => administrators;
    audited("sources", bank, (page) => page.goto(`${BASE_URL}/console/sources`));
    audited("permissions-search", bank, (page) => page.goto(PERMISSIONS));
    audited("permissions-refused", bank, (page) => page.goto(`${PERMISSIONS}?by=psp&q=nobody`));
    audited("permissions-of-account", bank, async (page) => page.goto(ofAccount(await grantSome())));
    audited("permissions-of-psp", bank, (page) => page.goto(`${PERMISSIONS}?by=psp&q=PSDXX-TEST-000001`));
    audited("withdraw", bank, async (page) => {
      await page.goto(ofAccount(await grantSome()));
      await follow(page, page.getByRole("link", { name: "Withdraw… Amber" }).first());
      await page.getByRole("heading", { name: "Withdraw this permission?" }).waitFor();
    });
    audited("block", bank, async (page) => {
      const account = newAccount();
      await call("PUT", `/v1/accounts/${account}/block`, { body: { scopes: ["payments"] } });
      await page.goto(`${PERMISSIONS}/block?account=${account}`);
      await page.getByRole("button", { name: "Lift the block" }).waitFor();
    });
    audited("record", bank, async (page) => {
      await goToRefusal(page);
      await follow(page, page.getByRole("button", { name: "Make the answer again" }));
      await page.getByRole("status").waitFor();
    });
    audited("evidence", bank, async (page) => {
      await refuseAtLength();
      await page.goto(EVIDENCE);
    });
    audited("evidence-refused", bank, (page) => page.goto(`${EVIDENCE}?psp=no`));
    audited("evidence-by-name", bank, (page) => page.goto(`${EVIDENCE}?psp=payments&outcome=not_ok`));
    audited("webhooks", administrator, (page) => page.goto(WEBHOOKS));
    audited("webhook-refused", administrator, async (page) => {
      await page.goto(WEBHOOKS);
      await page.getByLabel("Address").fill("http://bank.example/events");
      await follow(page, page.getByRole("button", { name: "Add the webhook" }));
      await page.getByRole("alert").waitFor();
    });
    audited("webhook-forms", administrator, async (page) => {
      await page.goto(WEBHOOKS);
      await page.getByText("Rotate the secret").first().click();
      await page.getByText("Remove", { exact: false }).first().click();
      await page.getByRole("button", { name: "Make a new secret" }).first().waitFor();
    });
    audited("traffic", bank, (page) => page.goto(TRAFFIC));
    audited("traffic-of-nothing", operator, (page) => page.goto(`${TRAFFIC}${OF_OTHER}&span=month`));
    audited("events", bank, (page) => page.goto(EVENTS));
    audited("events-of-a-kind", bank, (page) => page.goto(`${EVENTS}?type=psp.first_seen&psp=nobody`));
    audited("psps", bank, async (page) => {
      await refuseAtLength();
      await page.goto(PSPS);
      await page.getByRole("table").waitFor();
    });
    audited("psps-refused", bank, async (page) => {
      await goToRefusal(page);
      await page.goto(`${PSPS}?filter=refused`);
      await page.getByRole("table").waitFor();
    });
    audited("psps-with-too-few-letters", bank, (page) => page.goto(`${PSPS}?q=ab`));
    audited("psp", bank, async (page) => {
      await goToRefusal(page);
      await page.goto(`${PSPS}/${REVOKED}`);
    });
    audited("psp-that-is-watched", bank, async (page) => {
      // the one that the guide watches, too: it lists the watches of the same bank
      await page.goto(PSPS);
      await page.getByLabel("Find a PSP").fill("psdxx-test-000001");
      await follow(page, page.getByRole("button", { name: "Find" }));
      await follow(page, page.getByRole("button", { name: "Watch", exact: true }));
      await page.getByRole("status").waitFor();
    });
    audited("record-of-withdrawal", bank, async (page) => {
      const { headers } = await call("DELETE", `/v1/accounts/${newAccount()}/permissions?by=customer`);
      const record = `${EVIDENCE}/${headers.get("x-evidence-id")}`;
      await vi.waitUntil(async () => (await page.goto(record))?.status() === 200, { timeout: 60_000, interval: 200 });
      await page.getByText("All permissions of the account were withdrawn by the API").waitFor();
    });
    // the page fits 390 px, and its buttons are whole at 1280: of a receiver with a long name that does not answer
    audited("events-of-failing-deliveries", operator, async (page) => {
      await page.goto(`${EVENTS}${OF_OTHER}`);
      await page.getByText("gives no answer").first().waitFor();
      await page
        .getByRole("button", { name: /^Deliver again/ })
        .first()
        .waitFor();
    });
    audited("psp-of-a-long-number", operator, async (page) => {
      await page.goto(`${PSPS}${OF_OTHER}`);
      await page.getByLabel("Find a PSP").fill(`PSDDE-BAFIN-${"9".repeat(100)}`);
      await follow(page, page.getByRole("button", { name: "Find" }));
      await follow(page, page.getByRole("button", { name: "Watch", exact: true }));
      await page.getByRole("button", { name: /^Stop watching/ }).waitFor();
    });
    audited("people", administrator, (page) => page.goto(PEOPLE));
    audited("acts", administrator, (page) => page.goto(`${PEOPLE}/acts`));
    audited("end-sessions", administrator, async (page) => {
      await page.goto(PEOPLE);
      await follow(page, page.getByRole("link", { name: "End sessions… Sandbox administrator" }));
    });
    audited("erase", administrator, async (page) => {
      await page.goto(PEOPLE);
      await follow(page, page.getByRole("link", { name: "Erase the name… Sandbox administrator" }));
    });
    audited("rotate-own", administrator, async (page) => {
      await page.goto(PEOPLE);
      await follow(page, page.getByRole("link", { name: "Rotate… sandbox-fi" }));
    });
    audited("institution-asked-for", operator, (page) => page.goto(EVIDENCE));
    audited("institutions", operator, (page) => page.goto(INSTITUTIONS));
    audited("rotate", operator, (page) => page.goto(`${INSTITUTIONS}/rotate?client=other-fi`));
    audited("disable", operator, (page) => page.goto(`${INSTITUTIONS}/status?reference=PSDXX-TEST-FI0002&to=disabled`));
  });

  test("sources: a country's tile leads to the row of its register", () =>
    on(context, async (page) => {
      await page.goto(`${BASE_URL}/console`);
      await follow(page, page.getByRole("link", { name: "Sources" }));
      const tile = page.getByRole("listitem").filter({ hasText: "Test country XX" });
      await tile.getByRole("link", { name: "Register" }).click();
      await page.waitForURL(/#register-XX$/);
      expect(await page.locator("tr:target").textContent()).toContain("the authority's own register");
    }));

  test("without a script: find an account, withdraw one permission, block, withdraw the others", async () => {
    const plain = await browser.newContext({ javaScriptEnabled: false });
    await on(plain, async (page) => {
      await signIn(page);
      const account = await grantSome();
      await page.goto(PERMISSIONS);
      await page.getByLabel("Which one").fill(account);
      await follow(page, page.getByRole("button", { name: "Search" }));
      expect(await page.getByRole("heading", { name: `3 permissions of account ${account}` }).count()).toBe(1);
      await follow(page, page.getByRole("link", { name: "Withdraw… Amber" }).first());
      expect(await statesOf(account)).toEqual(["active", "ended", "active"]);
      await page.getByLabel("The customer asked for it").check();
      await follow(page, page.getByRole("button", { name: "Withdraw the permission" }));
      expect(await page.getByRole("status").textContent()).toContain("The permission is withdrawn");
      expect(await statesOf(account)).toEqual(["ended", "ended", "active"]);

      await follow(page, page.getByRole("link", { name: "Block the account" }));
      await page.getByLabel("account information").check();
      await follow(page, page.getByRole("button", { name: "Set the block" }));
      expect(await page.getByText("Blocked for account information").count()).toBe(1);
      const blocked = async () => (await call("GET", `/v1/accounts/${account}/block`)).body.data.scopes;
      expect(await blocked()).toEqual(["accounts"]);
      await follow(page, page.getByRole("link", { name: "Change or lift the block" }));
      await follow(page, page.getByRole("button", { name: "Lift the block" }));
      expect(await page.getByRole("status").textContent()).toContain("The block of the account is lifted");
      expect(await blocked()).toEqual([]);

      await follow(page, page.getByRole("link", { name: "Withdraw all permissions" }));
      await page.getByLabel("The bank decided it").check();
      await follow(page, page.getByRole("button", { name: "Withdraw all permissions" }));
      expect(await page.getByRole("status").textContent()).toContain("All permissions");
      expect(await statesOf(account)).toEqual(["ended", "ended", "ended"]);
    });
    await plain.close();
  });

  test("why a PSP was refused is one click from its page; its record is made again and proven", () =>
    on(context, async (page) => {
      const link = await goToRefusal(page);
      await page.goto(`${PSPS}/${REVOKED}`);
      await follow(page, page.getByRole("link", { name: "The certificate is revoked, or its status is unknown" }));
      await follow(page, page.locator(link));
      // what was answered, and of which verdict
      expect(await page.getByText("has been revoked since 1 Jun 2025").count()).toBe(3);
      await follow(page, page.getByRole("button", { name: "Make the answer again" }));
      expect(await page.getByRole("status").textContent()).toContain("to the letter");
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("link", { name: "Download the proof" }).click(),
      ]);
      const zip = readZip(await readFile(await download.path()));
      const keys = (await (await fetch(`${BASE_URL}/.well-known/jwks.json`)).json()) as { keys: PublicSigningKey[] };
      const verdict = zip.ok && (await verifyRecords(zip.files, keys.keys));
      expect(verdict).toMatchObject({ ok: true, replays: { equal: 1 } });
    }));

  test("by keyboard alone: search, go to the withdrawal, withdraw; the focus is always seen", () =>
    on(context, async (page) => {
      const account = newAccount();
      await obtainToken(account);
      await page.goto(PERMISSIONS);
      const goTo = async (name: string) => {
        for (let i = 0; i < 40; i++) {
          await page.keyboard.press("Tab");
          const [label, outline] = (await page.evaluate(`(() => {
            const at = document.activeElement;
            return [(at.labels?.[0]?.textContent ?? at.textContent).trim(), getComputedStyle(at).outlineStyle];
          })()`)) as [string, string];
          expect([label, outline]).not.toEqual([label, "none"]);
          if (label.startsWith(name)) return;
        }
        throw new Error(`no way by Tab to: ${name}`);
      };
      await goTo("Which one");
      await page.keyboard.type(account);
      await page.keyboard.press("Enter");
      await page.waitForURL(/by=account/);
      await goTo("Withdraw… Amber");
      await page.keyboard.press("Enter");
      await page.waitForURL(/withdraw/);
      await goTo("The customer asked for it");
      await page.keyboard.press("Space");
      await goTo("Withdraw the permission");
      await page.keyboard.press("Enter");
      await page.waitForURL(/done=withdrawn/);
      expect(await statesOf(account)).toEqual(["ended"]);
    }));

  test("a secret is rotated with an overlap, shown once, copied, and gone when the page is loaded again", () =>
    on(operators, async (page) => {
      await page.goto(INSTITUTIONS);
      await follow(page, page.getByRole("link", { name: "Rotate… other-fi" }));
      await page.getByLabel("How long the old secret works").selectOption("24h");
      await follow(page, page.getByRole("button", { name: "Rotate the secret" }));
      const secret = (await page.locator("#secret").textContent()) ?? "";
      await page.getByRole("button", { name: "Copy the secret" }).click();
      await page.getByRole("button", { name: "Copied" }).waitFor();
      expect(await page.evaluate("navigator.clipboard.readText()")).toBe(secret);
      expect(page.url()).toBe(`${INSTITUTIONS}/rotate`);
      const statusBy = async (password: string) => {
        const Authorization = `Basic ${btoa(`other-fi:${password}`)}`;
        return (await fetch(`${BASE_URL}/status`, { headers: { Authorization, fi_reference_id: "PSDXX-TEST-FI0002" } }))
          .status;
      };
      expect([await statusBy(secret), await statusBy("other-secret")]).toEqual([200, 200]);
      await page.reload();
      expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("That secret is replaced already");
      expect([await statusBy(secret), await statusBy("other-secret")]).toEqual([200, 200]);
      await page.goto(INSTITUTIONS);
      expect(await page.getByText("works until").count()).toBe(1);
    }));

  test("no page loaded anything from elsewhere, or was refused anything by its policy", () => {
    expect(heard).toEqual([]);
  });
});
