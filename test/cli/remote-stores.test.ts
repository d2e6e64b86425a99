/** `--remote` without a login. With one, against an API as Cloudflare has it: test/platform/deployed.test.ts. */
import "./own-state.ts";
import { expect, test } from "vitest";
import { runAdmin } from "./admin-command.ts";

test("who is not signed in to Cloudflare reads how to, without wrangler's own advice", {
  timeout: 120_000,
}, async () => {
  const nobody = { CLOUDFLARE_API_TOKEN: "", XDG_CONFIG_HOME: "/nonexistent", HOME: "/nonexistent" };
  const { code, stderr } = await runAdmin(nobody, "fi", "list", "--remote");
  expect([code, stderr]).toEqual([
    ...[3, "error: not signed in to Cloudflare: run npx wrangler login, or set CLOUDFLARE_API_TOKEN\n"],
  ]);
});
