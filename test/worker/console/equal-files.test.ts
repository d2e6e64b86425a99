/** Files with the same certificate are one check; each has a row. */
import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { recordOf } from "../evidence/ledger/records.ts";
import { loadSandbox } from "../sandbox.ts";
import { Visitor } from "./visitor.ts";

const sandbox = new Visitor();
beforeAll(async () => {
  await loadSandbox();
  await sandbox.signIn();
});

test("of files with the same certificate each has a row, and one report", async () => {
  const form = new FormData();
  const pem = env.TEST_CERTIFICATES["scenario-1"] ?? "";
  for (let i = 1; i <= 50; i++) form.append("files", new File([pem], `psp-${i}.pem`));
  form.append("files", new File([env.TEST_CERTIFICATES["scenario-2"] ?? ""], "birch.pem"));
  form.append(
    "files",
    new File([`${env.TEST_CERTIFICATES["scenario-3"]}${env.TEST_CERTIFICATES["scenario-3"]}`], "cedar.pem"),
  );
  const token = /name="form_token" value="([^"]+)"/.exec((await sandbox.get("/console/check")).text)?.[1] ?? "";
  for (const [name, value] of Object.entries({ jurisdiction: "XX", form_token: token })) form.append(name, value);
  const { status, headers } = await sandbox.send("POST", "/console/check", { "Sec-Fetch-Site": "same-origin" }, form);
  expect(status).toBe(303);
  const address = headers.get("Location") ?? "";
  const page = (await sandbox.get(address)).text;
  expect(page).toContain("52 files, 3 different certificates checked");
  const files = [...page.matchAll(/<td class="file text">([^<]*)</g)].map(([, name]) => name);
  expect(files).toEqual([...Array.from({ length: 50 }, (_, i) => `psp-${i + 1}.pem`), "birch.pem", "cedar.pem"]);
  expect(page.match(/the same certificate as in psp-1\.pem/g)).toHaveLength(49);
  // below its row, as wide as the table
  expect(page.match(/<tr class="more"><td colspan="6">Why not: /g)?.length).toBe(2);
  expect(page).toContain('<td><a href="/console/psps/PSDXX-TEST-000001">');
  expect((await sandbox.get(`${address}/1`)).text).toContain(
    "psp-1.pem; the same certificate is in psp-2.pem, psp-3.pem, psp-4.pem and 46 more files",
  );
  // each order has a link, without JavaScript, and a file is in the order of the page
  const sorted = (await sandbox.get(`${address}?sort=-file`)).text;
  expect(sorted).toMatch(/<th scope="col" aria-sort="descending"><a href="[^"]*\?sort=file">/);
  expect(sorted).toContain("?sort=-file&amp;as=csv");
  const csv = await sandbox.get(`${address}?sort=-file&as=csv`);
  const lines = csv.text.split("\r\n");
  expect([lines.length, lines[1]?.split(",")[0], lines[2]?.split(",").slice(0, 2)]).toEqual([
    ...[54, "psp-50.pem", ["psp-49.pem", "psp-1.pem"]],
  ]);
  const record = await recordOf(csv);
  expect(record).toMatchObject({ event: "evidence.export", endpoint: "GET /console/check/{id}", client: "sandbox-fi" });
  // the link alone shows nothing to others
  const other = new Visitor();
  await other.signIn("other");
  expect((await other.get(`${address}?as=csv`)).status).toBe(404);
});
