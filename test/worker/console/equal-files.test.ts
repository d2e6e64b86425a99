/** Files with the same certificate are one check, and its row says so. */
import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { loadSandbox } from "../sandbox.ts";
import { Visitor } from "./visitor.ts";

const sandbox = new Visitor();
beforeAll(async () => {
  await loadSandbox();
  await sandbox.signIn();
});

test("of files with the same certificate one row says how many they were", async () => {
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
  const page = (await sandbox.get(headers.get("Location") ?? "")).text;
  const files = [...page.matchAll(/<span class="file muted">([^<]*)<\/span>/g)].map(([, name]) => name);
  expect(files).toEqual([
    "psp-1.pem; the same certificate is in psp-2.pem, psp-3.pem, psp-4.pem and 46 more files",
    "birch.pem",
    "cedar.pem",
  ]);
});
