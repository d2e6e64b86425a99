/**
 * The static files that the Worker serves (wrangler.toml, `[assets]`): pages made from the error catalogue, the contract
 * and the guides, and the licences of what the Worker is built from.
 */
import { join } from "node:path";
import { ROOT } from "../configuration.ts";
import { buildFolder } from "./folder.ts";

/** What a deployment sends. */
const SITE = join(ROOT, "dist/site");
/** What `npm start` serves: the same, and with it the sandbox's credentials and certificates. Never deployed. */
const SANDBOX_SITE = join(ROOT, "dist/sandbox-site");

/** Makes the folder, unless it was made from the same inputs. Returns its path. */
export async function buildSite({ sandbox }: { readonly sandbox: boolean }): Promise<string> {
  const folder = sandbox ? SANDBOX_SITE : SITE;
  await buildFolder(folder, async () => {
    // the page makers load packages, which takes half a second
    const [{ makeSite }, { makeLicences }] = await Promise.all([
      import("../../reference/pages.ts"),
      import("./licences.ts"),
    ]);
    return new Map([...(await makeSite(sandbox)), ["licenses.txt", await makeLicences()]]);
  });
  return folder;
}
